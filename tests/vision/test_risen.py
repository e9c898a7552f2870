"""Balls first seen coming off the board: thrown there, unless one lay where they come from."""

import numpy as np
import pytest

from referee.vision.ballistics import GRAVITY_MM_S2
from referee.vision.lying import LyingBall
from referee.vision.throws import Throw, read_throw
from referee.vision.trust import trust_in
from tests.vision.rolling import RED, followed
from tests.vision.scene import RADIUS_MM, TOP_MM, table

FROM_Y_MM = -120.0
SPEED_MM_S = 300.0
HOPS_S = (0.26, 0.16, 0.1)


def hopping_mm(t_s: float) -> tuple[float, float, float]:
    """Where a ball is that hops over the board, lower and lower, from a place where it is at 0 s."""
    since_s, y_mm = t_s, FROM_Y_MM + SPEED_MM_S * min(t_s, sum(HOPS_S))
    for hop_s in HOPS_S:
        if since_s < hop_s:
            return 0.0, y_mm, TOP_MM + RADIUS_MM + GRAVITY_MM_S2 / 2 * since_s * (hop_s - since_s)
        since_s -= hop_s
    return 0.0, y_mm, TOP_MM + RADIUS_MM


def read(*, lay_at_mm: float | None) -> Throw | None:
    scene = table()
    track, veil = followed(scene, range(60), hopping_mm, lambda t_s: False)
    if lay_at_mm is None:
        return read_throw(track, scene, [RED], veil)
    x_px, y_px = scene.camera.to_px(np.array([(0.0, lay_at_mm, TOP_MM + RADIUS_MM)]))[0]
    lay = LyingBall(
        kind=RED,
        x_mm=0.0,
        y_mm=lay_at_mm,
        z_mm=TOP_MM + RADIUS_MM,
        pit=None,
        x_px=float(x_px),
        y_px=float(y_px),
        radius_px=track.sightings[0].blob.radius_px,
    )
    return read_throw(track, scene, [RED], veil, [lay])


@pytest.mark.parametrize("lay_at_mm", [None, FROM_Y_MM + 200.0])
def test_a_ball_that_comes_off_the_board_where_none_lay_had_knocked_there(lay_at_mm: float | None) -> None:
    throw = read(lay_at_mm=lay_at_mm)
    assert throw is not None
    assert throw.flight.touched_board
    assert trust_in(throw).review is not None


def test_a_ball_that_comes_off_the_board_where_one_lay_was_not_thrown() -> None:
    assert read(lay_at_mm=FROM_Y_MM) is None
