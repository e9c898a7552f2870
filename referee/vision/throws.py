"""A track that is a throw: its flight, where it ended, and whether it looked like a ball on the way."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.table import Seat, Table
from referee.vision.ballistics import Array, Samples, make_samples
from referee.vision.contacts import CouldHide
from referee.vision.flight import Flight, read_flight
from referee.vision.ground import Ground
from referee.vision.kinds import BallKind, nearest_kind, of_colour
from referee.vision.tracks import LOST_S, Sighting, Track

MIN_SIGHTINGS = 8
"""Fewer tell nothing of a flight: two contacts and a piece between them need as many."""

MIN_TRAVEL_RADII = 4.0
"""A ball that went less far, in its own radii, was nudged, not thrown."""

NEIGHBOURS = 4
"""Sightings on either side among which a ball's size is compared: it grows little in so short a time."""

ROUND_SHARE = 0.8
"""Share of the outline on the circle from which a ball is seen whole; less is trusted less."""

SIZE_SPREAD = 0.06
"""How far a ball's size may differ from its neighbours' before its outline is that of something more or less."""

SIZE_RATIO = (0.6, 1.35)
"""Seen size against the size predicted at the contacts: gloss and shade take some of the rim, blur adds some."""

MAX_ELONGATION = 1.5
"""Median length against width of a ball's sightings; only blur makes it longer than 1, and seldom twice."""

LAST = 4
"""Sightings that tell how fast a ball was when it was last seen."""

MIN_SHARE = 0.5
"""Median share of the outline on a circle: a ball is round whenever nothing hides it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Throw:
    """A thrown ball. ``end_px``: where it was last seen, ``end_s`` when; ``rests``: it lay still there, ``is_gone``: it
    was too far from the board to come to it unseen."""

    kind: BallKind
    flight: Flight
    side: Seat
    end_s: float
    end_px: tuple[float, float]
    end_radius_px: float
    rests: bool
    is_gone: bool


def samples_of(sightings: Sequence[Sighting], table: Table, radius_mm: float) -> Samples:
    """A track's sightings as samples: depth from the apparent size, less trust in what is partly hidden."""
    px = np.array([(s.blob.x_px, s.blob.y_px) for s in sightings])
    size = np.array([s.blob.radius_px for s in sightings])
    usual = np.array([np.median(size[max(0, i - NEIGHBOURS) : i + NEIGHBOURS + 1]) for i in range(len(size))])
    unround = np.array([max(0.0, ROUND_SHARE - s.blob.share) for s in sightings])
    odd = np.maximum(0.0, np.abs(size / usual - 1.0) - SIZE_SPREAD)
    border = np.array([5.0 if s.blob.at_border else 1.0 for s in sightings])
    # A centre is good to a third of a pixel plus a fiftieth of the size, for the shade that takes part of the rim.
    sigma = (0.35 + 0.02 * size) * (1.0 + 5.0 * unround + 10.0 * odd) * border
    depth = table.camera.focal_px * radius_mm / usual
    # No circle, or a size that isn't its neighbours': what is seen is a part, between fingers or before its own colour.
    is_whole = np.array([s.blob.share > 0 for s in sightings]) & (odd < SIZE_SPREAD)
    return make_samples(table.camera, np.array([s.t_s for s in sightings]), px, depth, sigma, is_whole)


def read_throw(track: Track, table: Table, kinds: Sequence[BallKind], could_hide: CouldHide) -> Throw | None:
    """Read a track as a throw; None when it is none: too short, not like a ball, or not in flight.

    ``kinds``: the balls that it may be; of several sizes in its colour that one whose size it has.
    ``could_hide``: whether a ball at a time and pixel could have gone unseen.
    """
    options = of_colour(kinds, track.colour)
    if not options or len(track.sightings) < MIN_SIGHTINGS or not track.has_travelled(MIN_TRAVEL_RADII):
        return None
    elongation = float(np.median([s.blob.length_px / s.blob.width_px for s in track.sightings]))
    share = float(np.median([s.blob.share for s in track.sightings]))
    if elongation > MAX_ELONGATION or share < MIN_SHARE:
        return None
    kind = options[len(options) // 2]
    flight = _flight(track, table, kind, could_hide)
    if flight is not None and len(options) > 1:
        kind = _kind_by_size(track.sightings, flight, table, options)
        flight = _flight(track, table, kind, could_hide) or flight
    if flight is None or not _has_right_size(track.sightings, flight, table, kind):
        return None
    bounce = flight.contacts[0] if flight.contacts[0].surface == "table" else None
    x_mm, y_mm = (bounce.x_mm, bounce.y_mm) if bounce is not None else flight.start_mm[:2]
    last = track.last.blob
    return Throw(
        kind=kind,
        flight=flight,
        side=table.side_at(x_mm, y_mm),
        end_s=track.last.t_s,
        end_px=(last.x_px, last.y_px),
        end_radius_px=last.radius_px,
        rests=track.is_at_rest(),
        is_gone=_is_gone(track.sightings, Ground(table=table, radius_mm=kind.radius_mm)),
    )


def _is_gone(sightings: Sequence[Sighting], ground: Ground) -> bool:
    """Whether a ball was last seen too far from the board to have come to it since, as fast as it was."""
    late = sightings[-LAST:]
    places = ground.table.camera.to_mm(np.array([(s.blob.x_px, s.blob.y_px) for s in late]), ground.board_z_mm)
    outside = [ground.outside_mm(float(x), float(y)) for x, y, _ in places]
    approach_mm_s = (outside[0] - outside[-1]) / (late[-1].t_s - late[0].t_s)
    return outside[-1] > max(ground.radius_mm, approach_mm_s * LOST_S)


def _flight(track: Track, table: Table, kind: BallKind, could_hide: CouldHide) -> Flight | None:
    return read_flight(samples_of(track.sightings, table, kind.radius_mm), table, kind.radius_mm, could_hide)


def _sizes(sightings: Sequence[Sighting], flight: Flight, table: Table) -> tuple[Array, Array]:
    """Seen radii near the contacts, and how many pixels a millimetre is there: (m,) each."""
    times: Array = np.array([s.t_s for s in sightings])
    seen: list[float] = []
    scale: list[float] = []
    for contact in flight.contacts:
        if contact.is_inferred:
            continue
        place = np.array([[contact.x_mm, contact.y_mm, contact.z_mm]])
        near = np.argsort(np.abs(times - contact.t_s), kind="stable")[:3]
        # Motion blur makes a ball longer, never wider.
        seen += [min(sightings[i].blob.radius_px, sightings[i].blob.width_px) for i in near]
        scale += [float(table.camera.radius_px(place, 1.0)[0])] * len(near)
    return np.array(seen), np.array(scale)


def _kind_by_size(sightings: Sequence[Sighting], flight: Flight, table: Table, kinds: Sequence[BallKind]) -> BallKind:
    seen, scale = _sizes(sightings, flight, table)
    middle = float(np.median(scale))
    return nearest_kind(kinds, seen_px=float(np.median(seen / scale)) * middle, px_per_mm=middle)


def _has_right_size(sightings: Sequence[Sighting], flight: Flight, table: Table, kind: BallKind) -> bool:
    seen, scale = _sizes(sightings, flight, table)
    return SIZE_RATIO[0] <= float(np.median(seen / (scale * kind.radius_mm))) <= SIZE_RATIO[1]
