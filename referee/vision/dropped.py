"""A ball that came out of a hand into a pit, though no flight could be read: what is behind it frayed its look."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from calibration.table import Table
from referee.vision.arrivals import ARRIVED, RUN_RADII
from referee.vision.ground import Ground
from referee.vision.kinds import BallKind, middle_kind, of_colour
from referee.vision.lying import LyingBall
from referee.vision.middles import median
from referee.vision.throws import LEAST_FLIGHT_S, MIN_SIGHTINGS, MIN_WHOLE, Throw
from referee.vision.tracks import Sighting, Track
from referee.vision.untold import is_held, kind_seen, supposed, untold_throw
from referee.vision.veil import Veil


def read_drop(
    track: Track, table: Table, kinds: Sequence[BallKind], veil: Veil, lying: Sequence[LyingBall] = ()
) -> Throw | None:
    """Read the track of a ball as that of one thrown into a pit; None when it isn't seen on its way for long enough.

    The arguments are those of `throws.read_throw`. No bounce on the table stands for what wasn't seen.
    """
    options = of_colour(kinds, track.colour)
    ground = Ground(table=table, radius_mm=middle_kind(options).radius_mm) if options else None
    if ground is None or not ground.pits:
        return None
    way = _way_out_of_hand(track, veil)
    whole = sum(s.blob.share > 0 for s in way)
    if whole < MIN_WHOLE or len(way) < MIN_SIGHTINGS or way[-1].t_s - way[0].t_s < LEAST_FLIGHT_S:
        return None
    px = np.array([(s.blob.x_px, s.blob.y_px) for s in way])
    places = table.camera.to_mm(px, ground.pit_z_mm)
    far_px = float(np.linalg.norm(np.ptp(px, axis=0)))
    x_mm, y_mm, _ = places[-1].tolist()
    # What a hand puts down stays there.
    if far_px < RUN_RADII * median([s.blob.radius_px for s in way]) or ground.pit_at(x_mm, y_mm) is None:
        return None
    found = kind_seen(options, way, places, table.camera, lying)
    if found is None:
        return None
    velocity = (places[-1] - places[0]) / (way[-1].t_s - way[0].t_s)
    met = supposed(way[-1].t_s, places[-1], velocity, velocity, "pit")
    throw = untold_throw(track, found, (met,), ground, ARRIVED)
    return replace(throw, flight=replace(throw.flight, start_s=way[0].t_s))


def _way_out_of_hand(track: Track, veil: Veil) -> list[Sighting]:
    """The longest part of a track in which no hand is at the ball, of those after one in which there is."""
    parts = [(held, list(part)) for held, part in groupby(track.sightings, lambda s: is_held(s, veil))]
    return max((part for held, part in parts[1:] if not held), key=len, default=[])
