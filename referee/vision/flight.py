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
from referee.vision.beginnings import hidden_bounce, is_start_open, under_table_mm
from referee.vision.chain import Chain
from referee.vision.contacts import (
    Contact,
    CouldHide,
    Holds,
    board_edge,
    is_order_open,
    is_thrown_back,
    low_hops,
    misses_hops,
    turns_back,
)
from referee.vision.ground import TABLE, Ground
from referee.vision.middles import step_s
from referee.vision.obstacles import Ball
from referee.vision.search import LEAST_SEEN_S, Found, Reading
from referee.vision.segments import PIECE_COST, Piece, cut
from referee.vision.sifting import Scene, nobody_holds, search_stretch
from referee.vision.stretches import Stretch, airborne, out_of_hand

SEVERAL = 2
"""Bounces from which their number makes no difference."""

PLAIN_COST = 3.0
"""Squared sigmas for each sighting up to which noise alone explains a flight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight:
    """A throw as seen. ``start_mm``: where the ball was when first seen flying, at ``start_s``; its sightings until
    ``end_s`` are explained.

    ``cost_per_sample``: squared sigmas; about 1 where physics explains the pixels; ``lead_cost``: the same up to the
    first knock on the board. ``margin``: squared sigmas by which the best reading that comes to another call, with
    ``rival_bounces`` on the table or no knock on the board, is dearer. ``is_start_open``: it can't be told whether the
    ball had bounced before it came into view.
    """

    start_s: float
    end_s: float
    start_mm: tuple[float, float, float]
    contacts: tuple[Contact, ...]
    cost_per_sample: float
    lead_cost: float
    margin: float
    rival_bounces: int | None
    is_start_open: bool

    @property
    def table_bounces(self) -> int:
        """Table contacts before the ball first met the board."""
        return _table_bounces(self.contacts)

    @property
    def met_s(self) -> float:
        """When the ball was first seen to knock on something."""
        return next(contact.t_s for contact in self.contacts if not contact.is_inferred)

    def place_mm(self, t_s: float) -> tuple[float, float, float]:
        """Where the ball was at a time."""
        return _place_at(self._last_before(t_s), t_s)

    def velocity_mm_s(self, t_s: float) -> tuple[float, float, float]:
        """How fast it was then."""
        knock = self._last_before(t_s)
        vx, vy, vz = knock.before_mm_s if t_s < knock.t_s else knock.after_mm_s
        return vx, vy, vz - GRAVITY_MM_S2 * (t_s - knock.t_s)

    def _last_before(self, t_s: float) -> Contact:
        """The last contact seen before a time, else the first."""
        seen = [contact for contact in self.contacts if not contact.is_inferred]
        return max((c for c in seen if c.t_s <= t_s), key=lambda c: c.t_s, default=seen[0])

    @property
    def seen_bounces(self) -> int:
        """Those of the table bounces that were seen."""
        return sum(not contact.is_inferred for contact in self.contacts[: self.table_bounces])

    @property
    def touched_board(self) -> bool:
        return any(contact.surface != "table" for contact in self.contacts)


def pieces_of(samples: Samples, ground: Ground) -> tuple[Piece, ...]:
    """The pieces of flying and rolling that a ball's track is made of."""
    return cut(samples, rest_z_mm=(ground.table_z_mm, ground.board_z_mm))


def _table_bounces(contacts: Sequence[Contact]) -> int:
    return next((k for k, contact in enumerate(contacts) if contact.surface != "table"), len(contacts))


def read_flights(
    samples: Samples,
    table: Table,
    radius_mm: float,
    could_hide: CouldHide,
    holds: Holds = nobody_holds,
    balls: Sequence[Ball] = (),
    pieces: Sequence[Piece] | None = None,
    since_s: float = -math.inf,
) -> Iterator[Flight]:
    """Read a track of one ball: the throws that it may be, the earliest first; as a rule there is one, or none.

    ``could_hide``: whether a ball at a time and pixel could have gone unseen (behind a hand, outside the picture);
    ``holds``: whether a hand may hold it; ``balls``: those that lie on the board;
    ``pieces``: what the track is made of from when it is out of the hand, where that is known;
    ``since_s``: what ends before that time isn't read.
    """
    samples = out_of_hand(samples)
    ground = Ground(table=table, radius_mm=radius_mm)
    scene = Scene(ground=ground, terrain=ground.terrain(balls), could_hide=could_hide, holds=holds)
    for stretch in airborne(pieces_of(samples, ground) if pieces is None else pieces):
        flight = _read_stretch(samples, stretch, scene) if samples.t_s[stretch.stop - 1] > since_s else None
        if flight is not None:
            yield flight


def _read_stretch(samples: Samples, stretch: Stretch, scene: Scene) -> Flight | None:
    ground = scene.ground
    read = _searched(samples, stretch, scene)
    if read is None:
        return None
    used, found = read
    chain = found.reading.chain
    assert chain is not None
    seen, frame_s = _contacts(found.reading, ground, found.margins), step_s(samples.t_s)
    held_s = scene.held_until(samples, chain, seen[0])
    hidden = hidden_bounce(seen[0], chain.fits_from_s, held_s, chain.rise_sigma_mm_s, frame_s, ground, scene.could_hide)
    is_open = hidden.is_open if hidden else is_start_open(seen[0], chain.fits_from_s, held_s, ground)
    contacts = (hidden.contact, *seen) if hidden is not None and hidden.is_likely else seen
    if all(contact.surface == "table" for contact in contacts):
        contacts += low_hops(contacts, float(samples.t_s[-1]), ground)
    margin, rival = _rival(used, found, scene)
    if len(seen) == 1 and margin < PIECE_COST and not _is_sure_of_one(found):
        return None
    contacts = tuple(_with_edges(contacts, ground))
    count = _table_bounces(contacts)
    told = sum(not contact.is_inferred for contact in contacts[:count])
    if is_order_open(contacts, count, used.t_s, frame_s):
        margin, rival = 0.0, told - 1
    elif _has_turned(seen, told, chain, float(used.t_s[-1]), ground):
        margin, rival = 0.0, told
    elif SEVERAL < count < len(contacts) and misses_hops(contacts[:count]):
        margin, rival = 0.0, told + 1
    return Flight(
        start_s=chain.fits_from_s,
        end_s=float(used.t_s[-1]),
        start_mm=_place_at(seen[0], chain.fits_from_s),
        contacts=contacts,
        cost_per_sample=chain.cost / chain.samples,
        lead_cost=_cost_up_to_board(used, found.reading),
        margin=margin,
        rival_bounces=rival,
        is_start_open=is_open or scene.was_free_before(samples, chain),
    )


def _searched(samples: Samples, stretch: Stretch, scene: Scene) -> tuple[Samples, Found] | None:
    """What explains a stretch best, with the hand before it or, where nothing explains that, without."""
    between = [float(samples.t_s[b - 1] + samples.t_s[b]) / 2 for b in stretch.breaks]
    part = samples.part(stretch.first, stretch.stop)
    read = search_stretch(part, between, scene)
    lead = int(part.is_ball_like.argmax()) if stretch.first == 0 else 0
    return search_stretch(part.part(lead, len(part)), between, scene) if read is None and lead > 0 else read


def _has_turned(contacts: Sequence[Contact], bounces: int, chain: Chain, to_s: float, ground: Ground) -> bool:
    """Whether a ball that was seen flying until a time has met more than the table at one of its contacts, of which so
    many are with the table before it met the board, if it did."""
    knows_first = contacts[0].t_s - chain.fits_from_s > LEAST_SEEN_S and chain.comes_surely
    first = 0 if knows_first else 1
    if bounces < len(contacts):
        return any(board_edge(contact, ground) is None and turns_back(contact) for contact in contacts[first:bounces])
    stop = len(contacts) - (to_s - contacts[-1].t_s <= LEAST_SEEN_S)
    return any(map(turns_back, contacts[first:-1])) or is_thrown_back(contacts[first:stop], ground)


def _is_sure_of_one(found: Found) -> bool:
    """Whether a ball plainly knocked on something, whatever that was, between two flights that noise alone explains."""
    chain, nothing = found.reading.chain, found.without[0]
    assert chain is not None
    return chain.cost / chain.samples < PLAIN_COST and nothing.score - found.reading.score > PIECE_COST


def _call(reading: Reading, ground: Ground) -> tuple[int, bool]:
    """Table bounces before the board, and whether it was met. After several it makes no difference."""
    count = 0
    for contact in _contacts(reading, ground):
        if count == SEVERAL or contact.surface != "table":
            return count, True
        count += 1
        if board_edge(contact, ground) is not None:
            return count, True
    return count, count == SEVERAL


def _begins_under_table(reading: Reading, ground: Ground) -> bool:
    """Whether a ball would have been under the table when it was first seen: then it bounced since."""
    chain = reading.chain
    if chain is None:
        return False
    return under_table_mm(_contacts(reading, ground)[0], chain.fits_from_s, ground) > ground.radius_mm


def _call_with_hidden(reading: Reading, samples: Samples, scene: Scene) -> tuple[int, bool]:
    """The call of a reading in which the ball surely bounced before it was first seen, if it did."""
    count, is_met = _call(reading, scene.ground)
    chain, ground = reading.chain, scene.ground
    if chain is None or count + 1 >= SEVERAL:
        return count, is_met
    first = _contacts(reading, ground)[0]
    held_s = scene.held_until(samples, chain, first)
    hidden = hidden_bounce(
        first, chain.fits_from_s, held_s, chain.rise_sigma_mm_s, step_s(samples.t_s), ground, scene.could_hide
    )
    return count + (hidden is not None and hidden.is_likely and not hidden.is_open), is_met


def _rival(samples: Samples, found: Found, scene: Scene) -> tuple[float, int | None]:
    """How much dearer the best reading is that can be and comes to another call, and its table bounces. What a hand may
    have done in it is no bounce."""
    call = _call(found.reading, scene.ground)
    for other in sorted(found.others, key=lambda other: other.score):
        if math.isinf(other.score):
            break
        if _call(other, scene.ground) == call or scene.is_early(samples, other):
            continue
        if not _begins_under_table(other, scene.ground) and _call_with_hidden(other, samples, scene) != call:
            return other.score - found.reading.score, _call(other, scene.ground)[0]
    return math.inf, None


def _cost_up_to_board(samples: Samples, reading: Reading) -> float:
    """Squared sigmas for each sighting up to the first knock on the board: how it flies on after that, off rims and
    other balls, decides nothing."""
    knocks = [t_s for t_s, surface in zip(reading.times, reading.surfaces, strict=True) if surface != TABLE]
    count = int(np.searchsorted(samples.t_s, knocks[0])) if knocks else len(samples)
    first = int(np.searchsorted(samples.t_s, reading.chain.fits_from_s)) if reading.chain is not None else 0
    return float(reading.costs[min(first, count - 1) : max(1, count)].mean())


def _contacts(reading: Reading, ground: Ground, margins: Sequence[float] | None = None) -> tuple[Contact, ...]:
    """The contacts of a reading; ``margins`` of each, where they are asked for."""
    chain = reading.chain
    if chain is None:
        return ()
    return tuple(
        Contact(
            t_s=float(chain.t_s[k]),
            surface=ground.kind_of(surface),
            x_mm=float(chain.places_mm[k, 0]),
            y_mm=float(chain.places_mm[k, 1]),
            z_mm=float(chain.places_mm[k, 2]),
            before_mm_s=_triple(chain.before_mm_s[k]),
            after_mm_s=_triple(chain.after_mm_s[k]),
            margin=margins[k] if margins is not None else 0.0,
        )
        for k, surface in enumerate(reading.surfaces)
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
