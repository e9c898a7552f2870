"""How far the box has shifted, and which of its shifts are blows."""

from dataclasses import replace

import numpy as np
import pytest

from referee.vision.pins.blows import Blows
from referee.vision.pins.box import Box, BoxShift, moved_px, put_right, shifted
from tests.vision.pins.filmed import CORNERS_MM, Scene, table


def test_a_box_that_has_shifted_is_found_to_a_fifth_of_a_millimetre() -> None:
    box = Box(table(), Scene().frame())
    found = box.shift(Scene(box_mm=(1.7, -0.8)).frame())
    assert found is not None
    assert (found.x_mm, found.y_mm, found.turn_rad) == pytest.approx((1.7, -0.8, 0.0), abs=0.2)


def test_a_box_looked_at_anew_is_where_it_was_reckoned_from() -> None:
    box = Box(table(), Scene().frame())
    nudged = Scene(box_mm=(0.1, 0.0), light=0.9).frame()
    assert box.shift(nudged) is not None
    box.look(nudged)
    again = box.shift(nudged)
    assert again is not None
    assert (again.x_mm, again.y_mm) == (0.0, 0.0)
    assert np.array_equal(moved_px(table(), again), np.eye(2, 3))


def test_an_arm_over_a_part_of_it_does_not_matter() -> None:
    box = Box(table(), Scene().frame())
    resting = box.shift(Scene(arm_px=(300, 150)).frame())
    assert resting is not None
    assert resting.seen < 1.0
    assert (resting.x_mm, resting.y_mm) == pytest.approx((0.0, 0.0), abs=0.05)
    found = box.shift(Scene(arm_px=(300, 150), box_mm=(0.0, 2.0)).frame())
    assert found is not None
    assert (found.x_mm, found.y_mm) == pytest.approx((0.0, 2.0), abs=0.2)


def test_a_box_that_was_struck_hard_is_found_further_away() -> None:
    box = Box(table(), Scene().frame())
    assert box.shift(Scene(box_mm=(0.5, 0.0)).frame()) is not None
    found = box.shift(Scene(box_mm=(8.0, 2.0)).frame())
    assert found is not None
    assert (found.x_mm, found.y_mm) == pytest.approx((8.0, 2.0), abs=0.4)


def test_a_box_that_cannot_be_seen_is_nowhere() -> None:
    box = Box(table(), Scene().frame())
    assert box.shift(Scene(light=0.0).frame()) is None


def test_small_errors_of_many_blows_do_not_add_up() -> None:
    here, box = table(), Box(table(), Scene().frame())
    for x_mm in [0.4, 1.9, 0.9, 2.4, 1.1] * 4:
        frame = Scene(box_mm=(x_mm, -0.5)).frame()
        found = box.shift(frame)
        assert found is not None
        here = put_right(shifted(here, replace(found, x_mm=found.x_mm + 0.05)), frame, box)
        box = Box(here, frame, box)
    corners = np.array(CORNERS_MM)
    true = shifted(table(), BoxShift(x_mm=1.1, y_mm=-0.5, turn_rad=0.0, seen=1.0))
    assert here.camera.to_px(corners) == pytest.approx(true.camera.to_px(corners), abs=0.3)


def test_a_box_that_looks_unlike_at_first_is_left_where_it_was_found() -> None:
    box, there = Box(table(), Scene().frame()), shifted(table(), BoxShift(x_mm=1.5, y_mm=0.0, turn_rad=0.0, seen=1.0))
    assert put_right(there, Scene(light=0.0).frame(), box) is there


def test_places_follow_the_box() -> None:
    shift = BoxShift(x_mm=2.0, y_mm=-1.0, turn_rad=0.01, seen=1.0)
    corners = np.array(CORNERS_MM)
    before, after = table().camera.to_px(corners), shifted(table(), shift).camera.to_px(corners)
    turned = corners @ np.array([[np.cos(0.01), np.sin(0.01), 0], [-np.sin(0.01), np.cos(0.01), 0], [0, 0, 1]])
    assert after == pytest.approx(table().camera.to_px(turned + np.array([2.0, -1.0, 0.0])))
    moved = np.column_stack([before, np.ones(4)]) @ moved_px(table(), shift).T
    assert moved == pytest.approx(after, abs=0.2)


def places(blows: Blows, *x_mm: float, rate_hz: float = 60.0) -> Blows:
    for index, x in enumerate(x_mm):
        blows.add(index / rate_hz, BoxShift(x_mm=x, y_mm=0.0, turn_rad=0.0, seen=1.0))
    return blows


def test_a_jump_is_a_blow_at_its_first_picture() -> None:
    (blow,) = places(Blows(), 0.0, 0.02, -0.02, 1.4, 1.9, 1.9, 1.9).found
    assert blow.t_s == pytest.approx(3 / 60)
    assert blow.mm > 1.0


def test_a_jump_seen_to_begin_is_dated_back() -> None:
    (blow,) = places(Blows(), 0.0, 0.0, 0.2, 1.1, 1.5, rate_hz=120.0).found
    assert blow.t_s == pytest.approx(2 / 120)


def test_a_slow_push_is_no_blow() -> None:
    assert places(Blows(), *np.linspace(0.0, 3.0, 40)).found == ()


def test_a_box_that_rocks_was_struck_once_and_later_once_more() -> None:
    rocking = [0.0, 0.0, 1.5, 0.2, 1.4, 0.9, *[1.0] * 40, 2.5, 2.5]
    first, second = places(Blows(), *rocking).found
    assert first.t_s == pytest.approx(2 / 60)
    assert second.t_s == pytest.approx(46 / 60)


def test_blows_are_forgotten_but_those_that_are_kept() -> None:
    blows = places(Blows(), 0.0, 1.5)
    kept = blows.found
    blows.clear()
    assert blows.found == ()
    blows.clear(kept)
    assert blows.found == kept


@pytest.mark.parametrize("way", [(0.6, 0.0), (0.0, 0.6)])
@pytest.mark.parametrize("light", [1.0, 0.3])
def test_a_small_shift_of_a_box_that_was_seen_in_place_is_seen(way: tuple[float, float], light: float) -> None:
    box = Box(table(), Scene(light=light).frame())
    for _ in range(3):
        resting = box.shift(Scene(light=light).frame())
        assert resting is not None
        assert (resting.x_mm, resting.y_mm) == (0.0, 0.0)
    found = box.shift(Scene(light=light, box_mm=way).frame())
    assert found is not None
    assert 0.2 < found.x_mm * way[0] / 0.6 + found.y_mm * way[1] / 0.6 < 1.0
