"""Balls that come out of a hand into a pit, though no flight of theirs was read."""

from dataclasses import replace

import pytest

from calibration.layout import Hole
from referee.vision.arrivals import ARRIVED
from referee.vision.dropped import read_drop
from referee.vision.throws import Throw
from referee.vision.trust import trust_in
from tests.vision.rolling import BEGINS_S, RED, followed
from tests.vision.scene import RADIUS_MM, table

OUT_S = 0.3
FALLS_S = 0.2
PIT = Hole(name="A1", x_mm=0.0, y_mm=0.0, radius_mm=80.0, colour="blue", value=1)


def dropped(*, in_pit: bool = True, far_mm: float = 160.0, held: tuple[float, float] = (0.0, OUT_S)) -> Throw | None:
    """Read a ball that leaves a hand, falls to the floor of a pit in the middle, and rolls a little further."""
    scene = table()
    if in_pit:
        scene = replace(scene, layout=replace(scene.layout, holes=(PIT,)))
    floor_mm = scene.layout.hole_floor_mm + RADIUS_MM

    def place_mm(t_s: float) -> tuple[float, float, float]:
        way = min(1.0, max(0.0, t_s - OUT_S) / FALLS_S)
        return 0.0, -50.0 + 50.0 * way * far_mm / 160.0, floor_mm + far_mm * (1 - way**2)

    track, veil = followed(scene, range(36), place_mm, lambda t_s: held[0] <= t_s < held[1])
    return read_drop(track, scene, [RED], veil)


def test_a_ball_that_falls_from_a_hand_into_a_pit_was_thrown() -> None:
    throw = dropped()
    assert throw is not None
    assert throw.flight.table_bounces == 0
    assert throw.flight.touched_board
    assert throw.flight.start_s == pytest.approx(BEGINS_S + OUT_S, abs=0.02)
    assert trust_in(throw).review == ARRIVED


@pytest.mark.parametrize(
    ("in_pit", "far_mm", "held"),
    [(False, 160.0, (0.0, OUT_S)), (True, 0.0, (0.0, OUT_S)), (True, 160.0, (0.0, 0.5)), (True, 160.0, (2.0, 2.0))],
    ids=["no pit", "put down", "carried", "not out of a hand"],
)
def test_a_ball_that_did_not_come_out_of_a_hand_into_a_pit_by_itself_was_not_thrown(
    in_pit: bool, far_mm: float, held: tuple[float, float]
) -> None:
    assert dropped(in_pit=in_pit, far_mm=far_mm, held=held) is None
