"""Balls first seen coming off the board: knocked or taken from where they lay, or thrown there and knocked unseen."""

import math
from collections.abc import Sequence

import numpy as np

from referee.vision.flight import Flight
from referee.vision.ground import Ground
from referee.vision.lying import LyingBall
from referee.vision.tracks import Sighting

SOON_S = 0.02
"""Time in which a flight shows whether it rises."""

TAKEN_RADII = 4.0
"""How far, in its radii, from where it lay a ball that a hand takes may first be told from the hand."""


def rises_from_board(first: Sighting, flight: Flight, ground: Ground) -> bool:
    """Whether a ball, first seen over the board, begins its flight close above it, rising."""
    place = ground.table.camera.to_mm(np.array([(first.blob.x_px, first.blob.y_px)]), ground.board_z_mm)[0]
    if flight.table_bounces > 0 or ground.outside_mm(float(place[0]), float(place[1])) > 0:
        return False
    x_mm, y_mm, z_mm = flight.start_mm
    is_low = ground.outside_mm(x_mm, y_mm) < 0 and z_mm < ground.board_z_mm + 2 * ground.radius_mm
    return is_low and flight.place_mm(flight.start_s + SOON_S)[2] > z_mm


def lay_near(first: Sighting, lying: Sequence[LyingBall]) -> bool:
    """Whether a ball of its colour lay near where a ball was first seen: it may be that one."""
    blob = first.blob
    return any(
        ball.kind.colour == blob.colour
        and math.hypot(blob.x_px - ball.x_px, blob.y_px - ball.y_px) < TAKEN_RADII * ball.radius_px
        for ball in lying
    )
