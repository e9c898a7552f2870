"""A ball's track read as a throw: where and when it met the table and the board.

The track is cut into pieces (`segments`); each cut is a supposed contact, at the height its picture allows; the chain
of flights through them (`chain`) is fitted as a whole; contacts that explain nothing or defy physics are taken out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from calibration.table import Table
from referee.vision.ballistics import GRAVITY_MM_S2, Array, Samples
from referee.vision.chain import Chain, fit_chain
from referee.vision.contacts import Contact, CouldHide, board_edge, hidden_bounce, low_hops
from referee.vision.ground import Ground, Surface
from referee.vision.segments import MIN_SAMPLES, PIECE_COST, Motion, Piece, cut

MIN_KICK_MM_S = 150.0
"""Least change of vertical speed at a contact: a ball that falls from 1 mm gets that."""

MAX_RESTITUTION = 1.1
"""No ball bounces higher than it fell; the tenth is for measuring."""

MAX_SPEED_MM_S = 7000.0
"""Faster than anybody throws at a table from an arm's length."""

TAIL_SAMPLES = 6
"""Sightings beside the flights that pin the first and last contact, where the ball is carried or rolls."""

MAX_COST_PER_SAMPLE = 6.0
"""A chain worse than this, in squared sigmas for each sighting, is no ball in flight."""

BOARD_KNOCKS = 2
"""Knocks on the board that are looked into: the first decides, the second pins the flight between."""

WITNESSES = 5
"""Sightings on either side of a throw's first contact that must show the ball, not a hand with a ball."""

LEAST_WITNESSES = 2
"""Of these, how many must show it whole: the fingers that threw it may still be before it."""

MAX_CONTACTS = 10
"""Contacts that are looked into: hops that can be resolved have an end well before."""

OPEN_SURFACES = 3
"""Contacts for which both table and board are tried; along the board's edge there are more, but they decide nothing."""

PLACE_SIGMA_MM = 3.0
"""How well a contact's place is known against the board's outline: calibration and fit together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight:
    """A throw as seen. ``start_mm``: where the ball was when first seen flying, at ``start_s``.

    ``cost_per_sample``: squared sigmas; about 1 where physics explains the pixels.
    """

    start_s: float
    start_mm: tuple[float, float, float]
    contacts: tuple[Contact, ...]
    cost_per_sample: float

    @property
    def table_bounces(self) -> int:
        """Table contacts before the ball first met the board."""
        count = 0
        for contact in self.contacts:
            if contact.surface != "table":
                break
            count += 1
        return count

    @property
    def touched_board(self) -> bool:
        return any(contact.surface != "table" for contact in self.contacts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stretch:
    """Samples ``first`` to before ``stop``, in the air but for the breaks (samples that begin a new piece)."""

    first: int
    breaks: tuple[int, ...]
    stop: int


def read_flight(samples: Samples, table: Table, radius_mm: float, could_hide: CouldHide) -> Flight | None:
    """Read a track of one ball, or give None when no flight explains it.

    ``could_hide``: whether a ball at a time and pixel could have gone unseen (behind a hand, outside the picture).
    """
    ground = Ground(table=table, radius_mm=radius_mm)
    samples = _out_of_hand(samples)
    pieces = cut(samples, rest_z_mm=(ground.table_z_mm, ground.board_z_mm))
    for stretch in _airborne(pieces):
        flight = _read_stretch(samples, stretch, ground, could_hide)
        if flight is not None:
            return flight
    return None


def _out_of_hand(samples: Samples) -> Samples:
    """The samples from shortly before the ball is first seen whole: before that a hand carries it."""
    whole = samples.is_whole.astype(np.int64)
    runs = np.flatnonzero(np.convolve(whole, np.ones(LEAST_WITNESSES, dtype=np.int64), "valid") == LEAST_WITNESSES)
    return samples.part(max(0, int(runs[0]) - TAIL_SAMPLES) if len(runs) else 0, len(samples))


def _airborne(pieces: Sequence[Piece]) -> Iterator[_Stretch]:
    """The stretches that may be a throw: from the piece before each flight to the first rolling after it."""
    for begin, piece in enumerate(pieces):
        if piece.motion is not Motion.FLYING or piece.stop - piece.start <= MIN_SAMPLES:
            continue
        end = begin
        while end + 1 < len(pieces) and pieces[end + 1].motion is Motion.FLYING:
            end += 1
        breaks = [p.start for p in pieces[begin + 1 : end + 1]]
        first, stop = piece.start, pieces[end].stop
        if end + 1 < len(pieces):
            breaks.append(stop)
            stop = min(pieces[end + 1].stop, stop + TAIL_SAMPLES)
        if begin > 0:
            breaks.insert(0, piece.start)
            first = max(pieces[begin - 1].start, piece.start - TAIL_SAMPLES)
        if breaks:
            yield _Stretch(first=first, breaks=tuple(breaks), stop=stop)


def _read_stretch(samples: Samples, stretch: _Stretch, ground: Ground, could_hide: CouldHide) -> Flight | None:
    part = samples.part(stretch.first, stretch.stop)
    cuts = [b - stretch.first for b in stretch.breaks]
    # What the ball does on the board after its first knocks there decides nothing, and rims and other balls make it
    # hard to explain.
    on_board = [k for k, c in enumerate(cuts) if "table" not in ground.surfaces_at((part.px[c - 1] + part.px[c]) / 2)]
    if len(on_board) > BOARD_KNOCKS:
        part = part.part(0, min(cuts[on_board[BOARD_KNOCKS]], len(part)))
        cuts = cuts[: on_board[BOARD_KNOCKS]]
    if len(cuts) > MAX_CONTACTS:
        part, cuts = part.part(0, cuts[MAX_CONTACTS]), cuts[:MAX_CONTACTS]
    guess = [float(part.t_s[c - 1] + part.t_s[c]) / 2 for c in cuts]
    options = [ground.surfaces_at((part.px[c - 1] + part.px[c]) / 2) for c in cuts]
    reading = _explain(part, guess, options, ground)
    if reading is None:
        return None
    chain, surfaces, margins = reading
    seen = _contacts(chain, surfaces, margins)
    contacts = seen
    hidden = hidden_bounce(seen[0], chain.fits_from_s, chain.rise_sigma_mm_s, ground, could_hide)
    if hidden is not None:
        contacts = (hidden, *contacts)
    contacts += (
        low_hops(contacts, float(samples.t_s[-1]), ground) if all(c.surface == "table" for c in contacts) else ()
    )
    return Flight(
        start_s=chain.fits_from_s,
        start_mm=_place_at(seen[0], chain.fits_from_s),
        contacts=tuple(_with_edges(contacts, ground)),
        cost_per_sample=chain.cost / chain.samples,
    )


def _explain(
    samples: Samples, guess: Sequence[float], options: Sequence[tuple[Surface, ...]], ground: Ground
) -> tuple[Chain, tuple[Surface, ...], tuple[float, ...]] | None:
    """The chain, the surfaces and each contact's margin, after taking out contacts that explain nothing.

    None where no chain explains the pixels with speeds that a hand can give.
    """
    times, choices = list(guess), list(options)
    while len(samples) >= MIN_SAMPLES:
        chain, surfaces = _best_surfaces(samples, times, choices, ground)
        margins = _margins(samples, times, choices, chain, ground)
        doubtful = [k for k in range(len(times)) if margins[k] < PIECE_COST or not _is_knock(chain, k)]
        if len(times) > 1 and not _is_witnessed(samples, times[0]):
            # A ball in a hand: it turns as the hand does, and that is no knock.
            samples = samples.part(int(np.searchsorted(samples.t_s, times[0])), len(samples))
            del times[0], choices[0]
            continue
        if not doubtful and _is_plausible(chain):
            return chain, surfaces, margins
        if len(times) == 1:
            return (chain, surfaces, margins) if _is_plausible(chain) and _is_knock(chain, 0) else None
        worst = min(doubtful, key=lambda k: margins[k], default=len(times) - 1)
        if worst == len(times) - 1:
            # What comes after a last contact that can't be told is no single flight: leave it out.
            samples = samples.part(0, int(np.searchsorted(samples.t_s, times[worst])))
        del times[worst], choices[worst]
    return None


def _margins(
    samples: Samples, times: Sequence[float], choices: Sequence[tuple[Surface, ...]], chain: Chain, ground: Ground
) -> tuple[float, ...]:
    """How much dearer the chain is without each of its contacts; a single one can't be done without."""
    if len(times) == 1:
        return (np.inf,)
    return tuple(
        _best_surfaces(samples, [*times[:k], *times[k + 1 :]], [*choices[:k], *choices[k + 1 :]], ground)[0].cost
        - chain.cost
        for k in range(len(times))
    )


def _is_witnessed(samples: Samples, t_s: float) -> bool:
    """Whether the ball was seen whole on either side of a contact, close to it."""
    k = int(np.searchsorted(samples.t_s, t_s))
    before, after = samples.is_whole[max(0, k - WITNESSES) : k], samples.is_whole[k : k + WITNESSES]
    return min(int(before.sum()), int(after.sum())) >= LEAST_WITNESSES


def _is_plausible(chain: Chain) -> bool:
    """Whether the chain explains its pixels with speeds that a hand can give."""
    fastest = max(float(np.abs(chain.before_mm_s).max()), float(np.abs(chain.after_mm_s).max()))
    return chain.cost / chain.samples <= MAX_COST_PER_SAMPLE and fastest <= MAX_SPEED_MM_S


def _best_surfaces(
    samples: Samples, times: Sequence[float], choices: Sequence[tuple[Surface, ...]], ground: Ground
) -> tuple[Chain, tuple[Surface, ...]]:
    """Fit the combinations of possible surfaces and keep the cheapest; only the first open ones are tried."""
    is_open = [len(choice) > 1 for choice in choices]
    tried = [choice if sum(is_open[:k]) < OPEN_SURFACES else choice[:1] for k, choice in enumerate(choices)]
    fits = [
        (fit_chain(samples, times, [ground.height_mm(s) for s in surfaces]), surfaces) for surfaces in product(*tried)
    ]
    return min(fits, key=lambda fit: fit[0].cost + _trespass(fit[0], fit[1], ground))


def _trespass(chain: Chain, surfaces: Sequence[Surface], ground: Ground) -> float:
    """What it costs, in squared sigmas, that contacts lie where their surface isn't: the ball inside the board's side,
    or beside the board at its height."""
    cost = 0.0
    for place, surface in zip(chain.places_mm, surfaces, strict=True):
        outside = ground.outside_mm(place[0], place[1])
        in_pit = ground.pit_at(place[0], place[1]) is not None
        wrong = ground.radius_mm - outside if surface == "table" else outside - ground.radius_mm / 2
        if in_pit != (surface == "pit") and ground.pits:
            wrong = max(wrong, ground.radius_mm / 2)
        cost += max(0.0, wrong / PLACE_SIGMA_MM) ** 2
    return cost


def _is_knock(chain: Chain, k: int) -> bool:
    """Whether a contact turns a falling ball up, no faster than it fell."""
    falls, rises = -chain.before_mm_s[k, 2], chain.after_mm_s[k, 2]
    if k == len(chain.t_s) - 1 and falls > 0:
        # After the last it rolls, hops or lies: only what came before is sure.
        return True
    if k == 0:
        # Before the first contact the ball is seen in a hand or just out of it: only what follows is sure.
        return bool(rises > -MIN_KICK_MM_S)
    return bool(falls > 0 and rises + falls > MIN_KICK_MM_S and rises < MAX_RESTITUTION * falls + MIN_KICK_MM_S)


def _contacts(chain: Chain, surfaces: Sequence[Surface], margins: Sequence[float]) -> tuple[Contact, ...]:
    return tuple(
        Contact(
            t_s=float(chain.t_s[k]),
            surface=surface,
            x_mm=float(chain.places_mm[k, 0]),
            y_mm=float(chain.places_mm[k, 1]),
            z_mm=float(chain.places_mm[k, 2]),
            before_mm_s=_triple(chain.before_mm_s[k]),
            after_mm_s=_triple(chain.after_mm_s[k]),
            margin=float(margins[k]),
        )
        for k, surface in enumerate(surfaces)
    )


def _triple(vector: Array) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])


def _place_at(first: Contact, t_s: float) -> tuple[float, float, float]:
    """The ball's place at a time near the first contact, from the flight on that side of it."""
    tau = t_s - first.t_s
    vx, vy, vz = first.before_mm_s if tau < 0 else first.after_mm_s
    return first.x_mm + vx * tau, first.y_mm + vy * tau, first.z_mm + vz * tau - 0.5 * GRAVITY_MM_S2 * tau**2


def _with_edges(contacts: Sequence[Contact], ground: Ground) -> Iterator[Contact]:
    for contact in contacts:
        yield contact
        if not contact.is_inferred and (edge := board_edge(contact, ground)) is not None:
            yield edge
