"""A ball's track read as a throw: where and when it met the table and the board.

The track is cut into pieces (`segments`); each cut is a supposed contact, from which the chain of flights that
explains the pixels best is searched (`search`). The hand before the throw and the rolling after it are left out;
bounces behind the hand and hops too low to be resolved are inferred (`contacts`).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.table import Table
from referee.vision.ballistics import GRAVITY_MM_S2, Array, Samples
from referee.vision.chain import Chain
from referee.vision.contacts import Contact, CouldHide, board_edge, hidden_bounce, is_start_open, low_hops
from referee.vision.ground import TABLE, Ground, kind_of
from referee.vision.search import Found, Reading, Search
from referee.vision.segments import PIECE_COST, cut
from referee.vision.stretches import LEAST_FLIGHT, LEAST_WITNESSES, TAIL_SAMPLES, Stretch, airborne, out_of_hand

MIN_KICK_MM_S = 150.0
"""Least change of vertical speed at a contact: a ball that falls from 1 mm gets that."""

MAX_RESTITUTION = 1.1
"""No ball bounces higher than it fell; the tenth is for measuring."""

MAX_SPEED_MM_S = 6000.0
"""Faster than anybody throws at a table from an arm's length."""

MAX_COST_PER_SAMPLE = 8.0
"""A chain worse than this, in squared sigmas for each sighting, is no ball in flight."""

BOARD_KNOCKS = 2
"""Knocks on the board that are looked into: the first decides, the second pins the flight between. What the ball does
after them decides nothing, and rims and other balls make it hard to explain."""

WITNESSES = 5
"""Sightings on either side of a throw's first contact that must show the ball, not a hand with a ball."""

FREE_S = 0.2
"""No hand moves along a parabola for as long."""

MOSTLY = 0.5
"""Share of the pictures between a bounce and the first sighting that must have hidden the ball."""

SEVERAL = 2
"""Bounces of a ball that misses the board from which their number makes no difference."""

MAX_CONTACTS = 10
"""Contacts that are looked into: hops that can be resolved have an end well before."""

ROUNDS = 2 * MAX_CONTACTS
"""How often a stretch is cut and searched anew at the most: a search that finds the contact again that was just taken
away would go on for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight:
    """A throw as seen. ``start_mm``: where the ball was when first seen flying, at ``start_s``; its sightings until
    ``end_s`` are explained.

    ``cost_per_sample``: squared sigmas; about 1 where physics explains the pixels. ``margin``: squared sigmas by which
    the best reading that comes to another call, with ``rival_bounces`` on the table or no knock on the board, is
    dearer. ``is_start_open``: it can't be told whether the ball had bounced before it came into view.
    """

    start_s: float
    end_s: float
    start_mm: tuple[float, float, float]
    contacts: tuple[Contact, ...]
    cost_per_sample: float
    margin: float
    rival_bounces: int | None
    is_start_open: bool

    @property
    def table_bounces(self) -> int:
        """Table contacts before the ball first met the board."""
        count = 0
        for contact in self.contacts:
            if contact.surface != "table":
                break
            count += 1
        return count

    def place_mm(self, t_s: float) -> tuple[float, float, float]:
        """Where the ball was at a time."""
        seen = [contact for contact in self.contacts if not contact.is_inferred]
        return _place_at(max((c for c in seen if c.t_s <= t_s), key=lambda c: c.t_s, default=seen[0]), t_s)

    @property
    def seen_bounces(self) -> int:
        """Those of the table bounces that were seen."""
        return sum(not contact.is_inferred for contact in self.contacts[: self.table_bounces])

    @property
    def touched_board(self) -> bool:
        return any(contact.surface != "table" for contact in self.contacts)


def read_flight(samples: Samples, table: Table, radius_mm: float, could_hide: CouldHide) -> Flight | None:
    """Read a track of one ball, or give None when no flight explains it.

    ``could_hide``: whether a ball at a time and pixel could have gone unseen (behind a hand, outside the picture).
    """
    ground = Ground(table=table, radius_mm=radius_mm)
    samples = out_of_hand(samples)
    pieces = cut(samples, rest_z_mm=(ground.table_z_mm, ground.board_z_mm))
    for stretch in airborne(pieces):
        flight = _read_stretch(samples, stretch, ground, could_hide)
        if flight is not None:
            return flight
    return None


def _read_stretch(samples: Samples, stretch: Stretch, ground: Ground, could_hide: CouldHide) -> Flight | None:
    between = [float(samples.t_s[b - 1] + samples.t_s[b]) / 2 for b in stretch.breaks]
    read = _search(samples.part(stretch.first, stretch.stop), between, ground)
    if read is None:
        return None
    used, found = read
    chain = found.reading.chain
    assert chain is not None
    seen, frame_s = _contacts(found, chain), float(np.median(np.diff(samples.t_s)))
    hidden = hidden_bounce(seen[0], chain.fits_from_s, chain.rise_sigma_mm_s, frame_s, ground, could_hide)
    contacts = (hidden.contact, *seen) if hidden is not None and hidden.unseen_share >= MOSTLY else seen
    if all(contact.surface == "table" for contact in contacts):
        contacts += low_hops(contacts, float(samples.t_s[-1]), ground)
    margin, rival = _rival(found)
    if len(seen) == 1 and margin < PIECE_COST:
        return None
    return Flight(
        start_s=chain.fits_from_s,
        end_s=float(used.t_s[-1]),
        start_mm=_place_at(seen[0], chain.fits_from_s),
        contacts=tuple(_with_edges(contacts, ground)),
        cost_per_sample=chain.cost / chain.samples,
        margin=margin,
        rival_bounces=rival,
        is_start_open=hidden.unseen_share < 1.0 if hidden else is_start_open(seen[0], chain.fits_from_s, ground),
    )


def _search(samples: Samples, guess: Sequence[float], ground: Ground) -> tuple[Samples, Found] | None:
    """The samples of a throw within a stretch, without a hand before and what can't be told after, and what explains
    them best. None where nothing does with speeds that a hand can give."""
    terrain, times = ground.terrain(), list(guess)[:MAX_CONTACTS]
    if len(guess) > MAX_CONTACTS:
        samples = _until(samples, guess[MAX_CONTACTS])
    for _ in range(ROUNDS):
        if not times or len(samples) <= LEAST_FLIGHT:
            break
        search = Search(samples=samples, terrain=terrain, camera=ground.table.camera)
        reading = search.start(times)
        late, is_early = _late_knock(reading, 2 * BOARD_KNOCKS), _is_early(samples, reading, 1)
        if late is None and not is_early:
            found = search.best(reading)
            reading = found.reading
            is_early = _is_early(samples, reading, LEAST_WITNESSES)
        if reading.chain is None:
            return None
        times = list(reading.times)
        if is_early:
            # A ball in a hand: it turns as the hand does, and that is no knock.
            samples, times = _since(samples, times[0]), times[1:]
        elif late is not None:
            samples, times = _until(samples, times[late]), times[:late]
        elif (last := _last_unlawful(reading.chain, reading.surfaces)) is not None:
            samples, times = _since(samples, times[last]), times[last + 1 :]
        elif (late := _late_knock(reading, BOARD_KNOCKS)) is not None:
            samples, times = _until(samples, times[late]), times[:late]
        elif _is_plausible(reading.chain) and (len(times) == 1 or reading.chain.after_mm_s[0, 2] > -MIN_KICK_MM_S):
            return samples, found
        elif (end := int(np.searchsorted(samples.t_s, times[-1])) + TAIL_SAMPLES) < len(samples):
            # What comes after the last contact that is told is no single flight.
            samples = samples.part(0, end)
        else:
            samples, times = _until(samples, times[-1]), times[:-1]
    return None


def _until(samples: Samples, t_s: float) -> Samples:
    return samples.part(0, int(np.searchsorted(samples.t_s, t_s)))


def _since(samples: Samples, t_s: float) -> Samples:
    return samples.part(int(np.searchsorted(samples.t_s, t_s)), len(samples))


def _late_knock(reading: Reading, looked_into: int) -> int | None:
    """The first knock on the board after so many."""
    on_board = [k for k, surface in enumerate(reading.surfaces) if surface != TABLE]
    return on_board[looked_into] if len(on_board) > looked_into else None


def _last_unlawful(chain: Chain, surfaces: Sequence[int]) -> int | None:
    """The last contact, up to the first on the board, that only a hand can make: the ball rose before, or rises faster
    than it fell. Before the first contact and after the last not enough is known of speeds."""
    first_on_board = next((k for k, surface in enumerate(surfaces) if surface != TABLE), len(surfaces) - 1)
    for k in range(first_on_board, 0, -1):
        falls, rises = -float(chain.before_mm_s[k, 2]), float(chain.after_mm_s[k, 2])
        if falls < 0 or (k < len(surfaces) - 1 and rises > MAX_RESTITUTION * falls + MIN_KICK_MM_S):
            return k
    return None


def _call(surfaces: Sequence[int]) -> tuple[int, bool]:
    """Table bounces before the board, and whether it was met; of a ball that misses, several are as many as two."""
    first = next((k for k, surface in enumerate(surfaces) if surface != TABLE), len(surfaces))
    return (first, True) if first < len(surfaces) else (min(first, SEVERAL), False)


def _rival(found: Found) -> tuple[float, int | None]:
    """How much dearer the best reading is that comes to another call, and its table bounces."""
    call = _call(found.reading.surfaces)
    others = [other for other in found.others if _call(other.surfaces) != call]
    best = min(others, key=lambda other: other.score, default=None)
    return (math.inf, None) if best is None else (best.score - found.reading.score, _call(best.surfaces)[0])


def _is_early(samples: Samples, reading: Reading, witnesses: int) -> bool:
    """Whether the first of several contacts may be a hand's work: too few sightings on either side show the ball whole,
    and it wasn't in flight before for long."""
    chain = reading.chain
    if chain is None or len(reading.times) < 2 or reading.times[0] - chain.fits_from_s > FREE_S:
        return False
    k = int(np.searchsorted(samples.t_s, reading.times[0]))
    before, after = samples.is_whole[max(0, k - WITNESSES) : k], samples.is_whole[k : k + WITNESSES]
    return min(int(before.sum()), int(after.sum())) < witnesses


def _is_plausible(chain: Chain) -> bool:
    """Whether the chain explains its pixels with speeds that a hand can give."""
    fastest = float(np.linalg.norm(np.concatenate([chain.before_mm_s, chain.after_mm_s]), axis=1).max())
    return chain.cost / chain.samples <= MAX_COST_PER_SAMPLE and fastest <= MAX_SPEED_MM_S


def _contacts(found: Found, chain: Chain) -> tuple[Contact, ...]:
    return tuple(
        Contact(
            t_s=float(chain.t_s[k]),
            surface=kind_of(surface),
            x_mm=float(chain.places_mm[k, 0]),
            y_mm=float(chain.places_mm[k, 1]),
            z_mm=float(chain.places_mm[k, 2]),
            before_mm_s=_triple(chain.before_mm_s[k]),
            after_mm_s=_triple(chain.after_mm_s[k]),
            margin=margin,
        )
        for k, (surface, margin) in enumerate(zip(found.reading.surfaces, found.margins, strict=True))
    )


def _triple(vector: Array) -> tuple[float, float, float]:
    x, y, z = vector.tolist()
    return x, y, z


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
