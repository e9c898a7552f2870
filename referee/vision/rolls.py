"""A ball that was rolled, or skipped with low hops, over the table against the board: no flight tells of such a throw.

Its way over the table does: it leaves a hand, or comes into the picture, goes straight to the board faster than hands
put balls down, without a hand, and is stopped or thrown back by the board's side.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.table import Table
from referee.vision.ballistics import Array
from referee.vision.contacts import KEPT_APPROACH, Contact
from referee.vision.ground import EDGE_REACH_MM, Ground
from referee.vision.kinds import BallKind, middle_kind, of_colour
from referee.vision.lying import LyingBall
from referee.vision.throws import MIN_TRAVEL_RADII, Throw, shows_a_ball
from referee.vision.tracks import Sighting, Track
from referee.vision.untold import is_held, kind_seen, supposed, untold_throw
from referee.vision.veil import Spot, Veil

ROLLED = "the ball rolled or hopped low to the board: its bounces can't be counted"

LEAST_MM_S = 400.0
"""Slowest roll that is a throw: a ball that slips out of a hand, or is pushed away, is slower."""

LEAST_APPROACH = 5
"""Fewest sightings of the way to the board, none of them with a hand: two tell the way, the others test it."""

AFTER = 3
"""Sightings after the knock that tell how the ball goes on."""

HOP_RADII = 1.0
"""How far off a straight way over the table, in its radii, low hops make a ball seem."""

RELEASED_S = 0.3
RELEASED_RADII = 6.0
"""How long before its first sighting, and how near in its radii, a hand was at a ball that left it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Way:
    """Sightings ``first`` to ``knock`` of the way to the board's side, at ``places_mm`` (n, 3) were it rolling."""

    first: int
    knock: int
    places_mm: Array


def read_roll(
    track: Track, table: Table, kinds: Sequence[BallKind], veil: Veil, lying: Sequence[LyingBall] = ()
) -> Throw | None:
    """Read the track of a ball that wasn't seen flying as one that was rolled at the board; None when it wasn't.

    The arguments are those of `throws.read_throw`. How often it touched the table can't be counted: two bounces stand
    for all.
    """
    options = of_colour(kinds, track.colour)
    if not options or not shows_a_ball(track) or not track.has_travelled(MIN_TRAVEL_RADII):
        return None
    sightings = track.sightings
    ground = Ground(table=table, radius_mm=middle_kind(options).radius_mm)
    way = _way(sightings, ground, veil)
    if way is None or not _left_a_hand(sightings[way.first], veil):
        return None
    there = slice(way.first, way.knock + 1)
    found = kind_seen(options, sightings[there], way.places_mm[there], table.camera, lying)
    if found is None:
        return None
    return untold_throw(track, found, _contacts(sightings, way, ground), ground, ROLLED)


def _way(sightings: Sequence[Sighting], ground: Ground, veil: Veil) -> _Way | None:
    """The way of a ball to the board's side and what the side made of it, if a track shows that."""
    px = np.array([(s.blob.x_px, s.blob.y_px) for s in sightings])
    t_s = np.array([s.t_s for s in sightings])
    places = ground.table.camera.to_mm(px, ground.table_z_mm)
    outside = np.array([ground.outside_mm(float(x), float(y)) for x, y, _ in places])
    knock = _knock(t_s, outside, ground.radius_mm)
    if knock is None:
        return None
    # Of the way that leads there only what no hand went along with.
    first = knock
    while first > 0 and sightings[first - 1].blob.share > 0 and not is_held(sightings[first - 1], veil):
        first -= 1
    after = slice(knock, knock + AFTER + 1)
    if knock - first + 1 < LEAST_APPROACH or any(is_held(s, veil) for s in sightings[after]):
        return None
    way_mm, way_s = outside[first] - outside[knock], t_s[knock] - t_s[first]
    leaves_mm, leaves_s = outside[after][-1] - outside[knock], t_s[after][-1] - t_s[knock]
    speed_mm_s = way_mm / way_s
    if way_mm < MIN_TRAVEL_RADII * ground.radius_mm or speed_mm_s < LEAST_MM_S:
        return None
    if -leaves_mm / leaves_s > KEPT_APPROACH * speed_mm_s:
        return None
    approach = slice(first, knock + 1)
    terms = np.vander(t_s[approach] - t_s[first], 3)
    off_mm = places[approach, :2] - terms @ np.linalg.lstsq(terms, places[approach, :2], rcond=None)[0]
    if float(np.linalg.norm(off_mm, axis=1).max()) > HOP_RADII * ground.radius_mm:
        return None
    return _Way(first=first, knock=knock, places_mm=places)


def _knock(t_s: Array, outside_mm: Array, radius_mm: float) -> int | None:
    """The first sighting at the board's side after which a ball that came to it comes no nearer."""
    step_mm = np.abs(np.diff(outside_mm))
    for k in range(1, len(t_s) - AFTER):
        reach_mm = radius_mm + EDGE_REACH_MM + step_mm[max(0, k - 2) : k].max()
        if outside_mm[k] <= reach_mm:
            if outside_mm[k] < 0:
                return None
            if outside_mm[k + 1] >= outside_mm[k]:
                return k
    return None


def _left_a_hand(first: Sighting, veil: Veil) -> bool:
    """Whether a ball came into the picture with its first sighting, or a hand was near."""
    blob = first.blob
    near = Spot(x_px=blob.x_px, y_px=blob.y_px, radius_px=RELEASED_RADII * blob.radius_px)
    return blob.at_border or veil.hand_was_at(first.t_s - RELEASED_S, first.t_s, near, blob.radius_px)


def _contacts(sightings: Sequence[Sighting], way: _Way, ground: Ground) -> tuple[Contact, ...]:
    """A roll put as contacts: on the table where it was first seen and at the board's side, which it then met."""
    start, end, after = (sightings[k] for k in (way.first, way.knock, way.knock + AFTER))
    from_mm, to_mm, on_mm = (way.places_mm[k] for k in (way.first, way.knock, way.knock + AFTER))
    before, later = (to_mm - from_mm) / (end.t_s - start.t_s), (on_mm - to_mm) / (after.t_s - end.t_s)
    before[2] = later[2] = 0.0
    away = ground.away(float(to_mm[0]), float(to_mm[1])) * ground.radius_mm
    at_side = supposed(end.t_s, to_mm - np.array([*away, 0.0]), before, later, "board")
    return (
        supposed(start.t_s, from_mm, before, before),
        supposed(end.t_s, to_mm, before, before),
        replace(at_side, is_inferred=False),
    )
