"""A ball that came to rest on the board by itself, though no flight of it could be read: an arm hid it, or what is
behind it frayed its picture."""

from collections.abc import Sequence

import numpy as np

from calibration.table import Table
from referee.vision.ballistics import Array
from referee.vision.contacts import Contact
from referee.vision.ground import Ground
from referee.vision.kinds import BallKind, middle_kind, of_colour
from referee.vision.lying import LyingBall
from referee.vision.throws import MIN_TRAVEL_RADII, Throw, shows_a_ball
from referee.vision.tracks import Track
from referee.vision.untold import is_held, kind_seen, supposed, untold_throw
from referee.vision.veil import Veil

ARRIVED = "the ball came to the board, but too little of its flight was seen: its bounces can't be counted"

RUN_RADII = 2.0
"""How far, in its radii, a thrown ball moves last without a hand: what a hand puts down stays there, or falls in."""

STEP_RADII = 2.0
"""How far, in its radii, a ball that runs out goes from one picture to the next at the most."""


def read_arrival(
    track: Track, table: Table, kinds: Sequence[BallKind], veil: Veil, lying: Sequence[LyingBall] = ()
) -> Throw | None:
    """Read the track of a ball as that of one that was thrown onto the board; None when it may have been put there.

    The arguments are those of `throws.read_throw`. One bounce on the table stands for what wasn't seen.
    """
    options = of_colour(kinds, track.colour)
    if not options or not shows_a_ball(track) or not track.is_at_rest() or not track.has_travelled(MIN_TRAVEL_RADII):
        return None
    ground = Ground(table=table, radius_mm=middle_kind(options).radius_mm)
    px = np.array([(s.blob.x_px, s.blob.y_px) for s in track.sightings])
    places = table.camera.to_mm(px, ground.board_z_mm)
    began, ended = (ground.outside_mm(float(x), float(y)) for x, y, _ in places[[0, -1]])
    if began < ground.radius_mm or ended > 0:
        return None
    first = _run_from(track, px, veil)
    run = track.sightings[first:]
    radius_px = track.last.blob.radius_px
    if float(np.linalg.norm(np.ptp(px[first:], axis=0))) < RUN_RADII * radius_px:
        return None
    found = kind_seen(options, run, places[first:], table.camera, lying)
    if found is None:
        return None
    return untold_throw(track, found, _contacts(track, places, ground), ground, ARRIVED)


def _run_from(track: Track, px: Array, veil: Veil) -> int:
    """From which of its sightings, at pixels (n, 2), a ball ran on in small steps without a hand."""
    steps = np.linalg.norm(np.diff(px, axis=0), axis=1) / track.last.blob.radius_px
    first = len(px) - 1
    while first > 0 and steps[first - 1] < STEP_RADII and not is_held(track.sightings[first - 1], veil):
        first -= 1
    return first


def _contacts(track: Track, places_mm: Array, ground: Ground) -> tuple[Contact, ...]:
    """An arrival put as contacts: on the table where the ball was first seen, on the board where it lies."""
    start, end = places_mm[[0, -1]]
    first_s, last_s = track.sightings[0].t_s, track.last.t_s
    velocity = np.array([*(end - start)[:2] / (last_s - first_s), 0.0])
    on_table = np.array([*start[:2], ground.table_z_mm])
    return supposed(first_s, on_table, velocity, velocity), supposed(last_s, end, velocity, velocity, "board")
