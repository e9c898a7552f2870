"""A ball that came to rest on the board by itself, though no flight of it could be read: an arm hid it, or what is
behind it frayed its picture."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.table import Table
from referee.vision.ballistics import Array
from referee.vision.contacts import Contact
from referee.vision.flight import Flight
from referee.vision.ground import Ground
from referee.vision.kinds import BallKind, of_colour
from referee.vision.lying import LyingBall
from referee.vision.rolls import is_held, kind_seen
from referee.vision.throws import MIN_SHARE, MIN_TRAVEL_RADII, Throw, shows_a_ball
from referee.vision.tracks import Track
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
    ground = Ground(table=table, radius_mm=options[len(options) // 2].radius_mm)
    px = np.array([(s.blob.x_px, s.blob.y_px) for s in track.sightings])
    places = table.camera.to_mm(px, ground.board_z_mm)
    began, ended = (ground.outside_mm(float(x), float(y)) for x, y, _ in places[[0, -1]])
    if began < ground.radius_mm or ended > 0:
        return None
    first = _run_from(track, px, veil)
    run = track.sightings[first:]
    radius_px = track.last.blob.radius_px
    is_a_balls = sum(s.blob.share > 0 for s in run) >= MIN_SHARE * len(run)
    if not is_a_balls or float(np.linalg.norm(np.ptp(px[first:], axis=0))) < RUN_RADII * radius_px:
        return None
    found = kind_seen(options, run, places[first:], table.camera, lying)
    if found is None:
        return None
    last = track.last.blob
    x_mm, y_mm, _ = places[0].tolist()
    return Throw(
        kind=found[0],
        flight=_as_flight(track, places, ground),
        side=table.side_at(x_mm, y_mm),
        end_s=track.last.t_s,
        end_px=(last.x_px, last.y_px),
        end_radius_px=last.radius_px,
        rests=True,
        is_gone=False,
        sureness=found[1],
        untold=ARRIVED,
    )


def _run_from(track: Track, px: Array, veil: Veil) -> int:
    """From which of its sightings, at pixels (n, 2), a ball ran on in small steps without a hand."""
    steps = np.linalg.norm(np.diff(px, axis=0), axis=1) / track.last.blob.radius_px
    first = len(px) - 1
    while first > 0 and steps[first - 1] < STEP_RADII and not is_held(track.sightings[first - 1], veil):
        first -= 1
    return first


def _as_flight(track: Track, places_mm: Array, ground: Ground) -> Flight:
    """An arrival put as a flight: from the table where the ball was first seen to the board where it lies."""
    start, end = (tuple(map(float, place)) for place in places_mm[[0, -1]])
    seconds = track.last.t_s - track.sightings[0].t_s
    velocity = ((end[0] - start[0]) / seconds, (end[1] - start[1]) / seconds, 0.0)
    table = Contact(
        t_s=track.sightings[0].t_s,
        surface="table",
        x_mm=start[0],
        y_mm=start[1],
        z_mm=ground.table_z_mm,
        before_mm_s=velocity,
        after_mm_s=velocity,
        margin=0.0,
        is_inferred=True,
    )
    board = replace(table, t_s=track.last.t_s, surface="board", x_mm=end[0], y_mm=end[1], z_mm=end[2])
    return Flight(
        start_s=table.t_s,
        end_s=board.t_s,
        start_mm=(table.x_mm, table.y_mm, table.z_mm),
        contacts=(table, board),
        cost_per_sample=1.0,
        lead_cost=1.0,
        margin=0.0,
        rival_bounces=None,
        is_start_open=False,
    )
