"""A track that is a throw: its flight, where it ended, and whether it looked like a ball on the way."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import numpy as np

from calibration.table import Seat, Table
from referee.vision.ballistics import GRAVITY_MM_S2, Array, Samples
from referee.vision.flight import Flight, pieces_of, read_flights
from referee.vision.ground import Ground
from referee.vision.kinds import BallKind, kind_by_size, middle_kind, of_colour
from referee.vision.lying import LyingBall, obstacles_of
from referee.vision.middles import median
from referee.vision.risen import lay_near, rises_from_board
from referee.vision.sampling import samples_of
from referee.vision.segments import Piece
from referee.vision.sizing import likeliest_kind, rival_of, seen_radii_mm, sureness_beside
from referee.vision.stretches import out_of_hand
from referee.vision.tracks import LOST_S, Sighting, Track
from referee.vision.veil import Veil

MIN_SIGHTINGS = 8
"""Fewer tell nothing of a flight: two contacts and a piece between them need as many."""

MIN_WHOLE = 5
"""Of as many sightings in a row, how many must show a ball whole somewhere: those of hands seldom do."""

LEAST_FLIGHT_S = 0.15
"""How long a throw must be seen flying: anything keeps to a parabola for less."""

MAX_SCATTER = 0.15
"""Median deviation of a ball's seen size, as a logarithm, once its distance is reckoned with: noise and blur make up to
that of a ball, while patches of hands and cloth have any size."""

OUTLINE_PX = 0.7
"""What the two-pixel steps of an outline add to that."""

MIN_DENSITY = 0.5
"""Share of the pictures of a flight in which the ball is found: something may hide it for a while."""

MIN_TRAVEL_RADII = 3.0
"""A ball that went less far, in its own radii, was nudged, not thrown."""

SIZE_RATIO = (0.6, 1.35)
"""Seen size against the size predicted at the contacts: gloss and shade take some of the rim, blur adds some."""

MAX_ELONGATION = 1.5
"""Median length against width of a ball's sightings; only blur makes it longer than 1, and seldom twice."""

LAST = 4
"""Sightings that tell how fast a ball was when it was last seen."""

MIN_SHARE = 0.4
"""Share of a flight's sightings that show the ball whole: blur and other balls fray some of the others."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Throw:
    """A thrown ball. ``sightings``: of its track. ``end_px``: where it was last seen, ``end_s`` when; ``rests``: it lay
    still there, ``is_gone``: it was too far from the board to come to it unseen. ``sureness``: that it is this one of
    the balls of its colour. ``is_whole``: it wasn't lost in flight before, so that its beginning is missing.
    ``leaves_view``: it was last seen going out of the picture. ``untold``: why its bounces aren't known."""

    kind: BallKind
    flight: Flight
    side: Seat
    sightings: Sequence[Sighting]
    end_s: float
    end_px: tuple[float, float]
    end_radius_px: float
    rests: bool
    is_gone: bool
    sureness: float
    is_whole: bool = True
    leaves_view: bool = False
    untold: str | None = None

    @classmethod
    def of(
        cls, track: Track, kind: BallKind, flight: Flight, ground: Ground, *, sureness: float, is_gone: bool
    ) -> "Throw":
        """The throw that a track shows, by its flight."""
        first, last = flight.contacts[0], track.last.blob
        x_mm, y_mm = (first.x_mm, first.y_mm) if first.surface == "table" else flight.start_mm[:2]
        return cls(
            kind=kind,
            flight=flight,
            side=ground.table.side_at(x_mm, y_mm),
            sightings=track.sightings,
            end_s=track.last.t_s,
            end_px=(last.x_px, last.y_px),
            end_radius_px=ground.radius_px(last.x_px, last.y_px),
            rests=track.is_at_rest(),
            is_gone=is_gone,
            sureness=sureness,
        )


def read_throw(
    track: Track, table: Table, kinds: Sequence[BallKind], veil: Veil, lying: Sequence[LyingBall] = ()
) -> Throw | None:
    """Read a track as a throw; None when it is none: too short, not like a ball, or not in flight.

    ``kinds``: the balls that it may be; of several sizes in its colour that one whose size it has.
    ``veil``: what moved in the pictures of that time. ``lying``: the balls on the board.
    """
    options = of_colour(kinds, track.colour)
    if not options or not shows_a_ball(track) or not track.has_travelled(MIN_TRAVEL_RADII):
        return None
    found = _flown(track, options, table, veil, lying)
    if found is None or not SIZE_RATIO[0] <= median(found.seen_mm) / found.kind.radius_mm <= SIZE_RATIO[1]:
        return None
    ground, flight = Ground(table=table, radius_mm=found.kind.radius_mm), found.flight
    if rises_from_board(track.sightings[0], flight, ground):
        if lay_near(track.sightings[0], lying):
            return None
        flight = replace(flight, is_start_open=True)
    has_left = is_gone(track.sightings, ground) and not _comes_down_on_board(flight, track.last.t_s, ground)
    throw = Throw.of(track, found.kind, flight, ground, sureness=found.sureness, is_gone=has_left)
    return replace(throw, leaves_view=_leaves_view(track.sightings, table))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Flown:
    """A flight as that of a ball of one kind. ``seen_mm``: its radius as seen then; ``sureness``: that it is that
    one."""

    kind: BallKind
    flight: Flight
    seen_mm: Array
    sureness: float = 1.0


def _flown(
    track: Track, options: Sequence[BallKind], table: Table, veil: Veil, lying: Sequence[LyingBall]
) -> _Flown | None:
    """The flight in a track, and which of the kinds of its colour flew; None where there is none."""
    known = {ball.kind.name for ball in lying}
    kind = middle_kind(options)
    seen_as = cache(lambda kind: out_of_hand(samples_of(track.sightings, table, kind.radius_mm)))
    seen = seen_as(kind)
    pieces = pieces_of(seen, Ground(table=table, radius_mm=kind.radius_mm))

    def flown(kind: BallKind, since_s: float = -math.inf) -> _Flown | None:
        flight = _flight(track, seen_as(kind), pieces, table, kind, veil, lying, since_s)
        if flight is None:
            return None
        return _Flown(kind=kind, flight=flight, seen_mm=_seen_radii_mm(track.sightings, flight, table))

    if len(options) == 1:
        return flown(kind)
    kind = likeliest_kind(options, track.sightings[-len(seen) :], seen, pieces, table.camera, known)
    first = flown(kind)
    if first is None and _is_mostly_whole(track):
        others = (flown(other) for other in options if other is not kind)
        first = next((found for found in others if found is not None), None)
    if first is None:
        return None
    size_px = median([s.blob.radius_px for s in _in_flight(track.sightings, first.flight)])
    kind, sureness = kind_by_size(options, first.seen_mm, known, size_px)
    best = replace(first, kind=kind, sureness=sureness)
    if kind.radius_mm != first.kind.radius_mm and (again := flown(kind, first.flight.start_s)) is not None:
        best = replace(again, sureness=sureness)
    larger = rival_of(kind, best.seen_mm, [option for option in options if option.name not in known])
    rival = None if larger is None else flown(larger)
    if rival is None:
        return best
    beside = sureness_beside(kind, best.seen_mm, rival.kind, rival.seen_mm)
    if beside < 0.5:
        best, beside = rival, 1.0 - beside
    return replace(best, sureness=min(sureness, beside))


def is_gone(sightings: Sequence[Sighting], ground: Ground) -> bool:
    """Whether a ball was last seen too far from the board to have come to it since, as fast as it was."""
    late = sightings[-LAST:]
    places = ground.table.camera.to_mm(np.array([(s.blob.x_px, s.blob.y_px) for s in late]), ground.board_z_mm)
    outside = [ground.outside_mm(float(x), float(y)) for x, y, _ in places]
    approach_mm_s = (outside[0] - outside[-1]) / (late[-1].t_s - late[0].t_s)
    return outside[-1] > max(ground.radius_mm, approach_mm_s * LOST_S)


def _leaves_view(sightings: Sequence[Sighting], table: Table) -> bool:
    """Whether a ball touched the picture's border when it was last seen, or was one step from it."""
    before, last = (sighting.blob for sighting in sightings[-2:])
    x_px, y_px = 2 * last.x_px - before.x_px, 2 * last.y_px - before.y_px
    is_inside = 0 <= x_px < table.camera.width_px and 0 <= y_px < table.camera.height_px
    return last.at_border or not is_inside


def _comes_down_on_board(flight: Flight, end_s: float, ground: Ground) -> bool:
    """Whether a ball that was lost in flight was on its way to the board."""
    if end_s - flight.end_s > LOST_S:
        return False  # it was seen rolling after
    x_mm, y_mm, z_mm = flight.place_mm(end_s)
    vx, vy, vz = flight.velocity_mm_s(end_s)
    above_mm = z_mm - ground.board_z_mm
    if above_mm <= 0:
        return False
    falls_s = (vz + math.sqrt(vz * vz + 2 * GRAVITY_MM_S2 * above_mm)) / GRAVITY_MM_S2
    return ground.outside_mm(x_mm + vx * falls_s, y_mm + vy * falls_s) < ground.radius_mm


def _flight(
    track: Track,
    seen: Samples,
    pieces: Sequence[Piece],
    table: Table,
    kind: BallKind,
    veil: Veil,
    lying: Sequence[LyingBall],
    since_s: float = -math.inf,
) -> Flight | None:
    """The first flight in a track, in pieces since some time, that shows something of a ball's form and size."""
    balls = obstacles_of(lying, Ground(table=table, radius_mm=kind.radius_mm))
    flights = read_flights(seen, table, kind.radius_mm, veil.could_hide, veil.is_hand, balls, pieces, since_s)
    return next((f for f in flights if _is_a_balls(track.sightings, f, table) and not track.lay_at(f.met_s)), None)


def _is_a_balls(sightings: Sequence[Sighting], flight: Flight, table: Table) -> bool:
    size_px = median([s.blob.radius_px for s in _in_flight(sightings, flight)])
    return _looks_like_a_ball(sightings, flight) and is_steady(_seen_radii_mm(sightings, flight, table), size_px)


def shows_a_ball(track: Track) -> bool:
    """Whether there are sightings enough, and some in a row of which most show a whole ball: hands seldom do."""
    whole = np.array([s.blob.share > 0 for s in track.sightings], dtype=np.int64)
    if len(whole) < MIN_SIGHTINGS:
        return False
    return bool(np.convolve(whole, np.ones(MIN_SIGHTINGS, dtype=np.int64), "valid").max() >= MIN_WHOLE)


def _is_mostly_whole(track: Track) -> bool:
    """Whether most of what follows the first whole sighting shows the ball whole: of a hand seldom as much."""
    whole = [s.blob.share > 0 for s in track.sightings]
    return 2 * sum(whole) > len(whole) - whole.index(True)


def _in_flight(sightings: Sequence[Sighting], flight: Flight) -> list[Sighting]:
    """The sightings that the flight explains."""
    return [s for s in sightings if flight.start_s <= s.t_s <= flight.end_s]


def _looks_like_a_ball(sightings: Sequence[Sighting], flight: Flight) -> bool:
    """Whether a flight lasts, and shows in most of its pictures something round, but for blur."""
    seen_s = flight.end_s - flight.start_s
    if seen_s < LEAST_FLIGHT_S:
        return False
    blobs = [s.blob for s in _in_flight(sightings, flight)]
    elongation = median([blob.length_px / blob.width_px for blob in blobs])
    share = sum(blob.share > 0 for blob in blobs) / len(blobs)
    # What flickers is seen in two pictures that follow each other now and then: these tell the time between pictures.
    steps_s = sorted(later.t_s - earlier.t_s for earlier, later in pairwise(sightings))
    frame_s = steps_s[(len(steps_s) - 1) // 5]
    density = len(blobs) * frame_s / seen_s
    return elongation <= MAX_ELONGATION and share >= MIN_SHARE and density >= MIN_DENSITY


def _seen_radii_mm(sightings: Sequence[Sighting], flight: Flight, table: Table) -> Array:
    """The ball's radius as seen in each sighting of its flight, (n,); none where it would be behind the camera."""
    seen = _in_flight(sightings, flight)
    return seen_radii_mm(seen, np.array([flight.place_mm(s.t_s) for s in seen]), table.camera)


def is_steady(seen_mm: Array, radius_px: float) -> bool:
    """Whether something of a size in the picture keeps its size in millimetres."""
    allowed = math.hypot(MAX_SCATTER, OUTLINE_PX / radius_px)
    return len(seen_mm) > 0 and median(np.abs(np.log(seen_mm / median(seen_mm)))) <= allowed
