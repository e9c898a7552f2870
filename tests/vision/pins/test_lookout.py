"""Whether something moves on the lane, and whether a hand is over it."""

from dataclasses import replace

import numpy as np
import pytest

from hardware.frame import Frame, Plane
from referee.vision.pins.box import BoxShift, moved_px, px_per_mm
from referee.vision.pins.lookout import LAG_S, Lookout
from referee.vision.pins.patches import ends_px
from referee.vision.pins.zone import pin_radius_mm, zone_of
from tests.vision.pins.filmed import PLACES_MM, Scene, half, pin, table

UNMOVED = np.eye(2, 3)
RADIUS_PX = pin_radius_mm(table()) * px_per_mm(table())


def looking(frame: Frame) -> Lookout:
    return Lookout(zone_of(table()), frame, half(frame))


def moves(lookout: Lookout, frame: Frame, t_s: float) -> bool:
    return lookout.moves(replace(frame, t_s=t_s), half(frame))


def test_a_still_lane_does_not_move_and_a_pin_on_it_does() -> None:
    lookout = looking(Scene().frame())
    assert not moves(lookout, Scene().frame(), 0.05)
    assert moves(lookout, Scene(lean_mm=(12.0,)).frame(), 0.1)
    assert lookout.differs(UNMOVED)
    assert not moves(lookout, Scene(lean_mm=(12.0,)).frame(), 0.1 + 2 * LAG_S)


def test_what_has_changed_is_found_but_not_the_edges_of_pins_that_stand() -> None:
    lookout = looking(Scene().frame())
    pins_px = ends_px([pin(x, y) for x, y in PLACES_MM], table())
    swayed = tuple((x + 1.0, y) for x, y in PLACES_MM)
    moves(lookout, Scene(places_mm=swayed).frame(), 0.05)
    assert len(lookout.changed_px(UNMOVED, pins_px[:0], RADIUS_PX))
    assert not len(lookout.changed_px(UNMOVED, pins_px, RADIUS_PX))
    moves(lookout, Scene(lean_mm=(30.0,)).frame(), 0.1)
    (foot, head), changed_px = pins_px[0], lookout.changed_px(UNMOVED, pins_px[1:], RADIUS_PX)
    assert len(changed_px)
    assert np.abs(changed_px - (foot + head) / 2).max() < 60


def test_what_creeps_moves() -> None:
    lookout = looking(Scene().frame())
    places = [((PLACES_MM[0][0] + 0.25 * k, PLACES_MM[0][1]), *PLACES_MM[1:]) for k in range(12)]
    seen = [moves(lookout, Scene(places_mm=place).frame(), k / 30) for k, place in enumerate(places)]
    assert all(seen[5:])


@pytest.mark.parametrize("light", [0.93, 1.06])
def test_light_that_pulses_is_no_motion(light: float) -> None:
    lookout = looking(Scene().frame())
    assert not moves(lookout, Scene(light=light).frame(), 0.05)


def test_bands_of_light_that_wander_are_no_motion_but_a_pin_in_them_is() -> None:
    def banded(scene: Scene, phase: float) -> Frame:
        frame = scene.frame()
        rows = np.arange(frame.height_px)[:, None] / frame.height_px
        light = 1 + 0.08 * np.sin(2 * np.pi * (1.5 * rows + phase))
        return replace(frame, y=np.clip(frame.y * light, 0, 255).astype(np.uint8))

    lookout = looking(banded(Scene(), 0.0))
    assert not any(moves(lookout, banded(Scene(), 0.37 * k), k / 30) for k in range(1, 8))
    assert moves(lookout, banded(Scene(lean_mm=(30.0,)), 0.1), 0.3)


def test_noise_is_no_motion_but_a_pin_in_it_is() -> None:
    rng = np.random.default_rng(3)

    def noisy(scene: Scene) -> Frame:
        frame = scene.frame()

        def rough(plane: Plane) -> Plane:
            return np.clip(plane + rng.normal(0.0, 8.0, plane.shape), 0, 255).astype(np.uint8)

        return replace(frame, y=rough(frame.y), u=rough(frame.u), v=rough(frame.v))

    lookout = looking(noisy(Scene()))
    assert not any(moves(lookout, noisy(Scene()), k / 30) for k in range(1, 8))
    assert moves(lookout, noisy(Scene(lean_mm=(30.0,))), 0.3)


def test_an_arm_covers_the_lane_until_it_is_gone() -> None:
    lookout = looking(Scene().frame())
    moves(lookout, Scene(arm_px=(60, 150)).frame(), 0.1)
    assert lookout.is_anybody_near()
    assert not lookout.is_covered(UNMOVED)
    moves(lookout, Scene(arm_px=(320, 150)).frame(), 0.2)
    assert lookout.is_covered(UNMOVED)
    moves(lookout, Scene().frame(), 0.3)
    assert not lookout.is_covered(UNMOVED)
    assert not lookout.is_anybody_near()


def test_what_a_hand_hid_when_it_has_gone_is_no_hand_for_long() -> None:
    lookout = looking(Scene(arm_px=(60, 150)).frame())
    moves(lookout, Scene().frame(), 0.1)
    assert lookout.is_anybody_near()
    for k in range(2, 15):
        moves(lookout, Scene().frame(), k / 10)
    assert not lookout.is_anybody_near()


def test_fallen_pins_are_no_hand() -> None:
    lookout = looking(Scene().frame())
    moves(lookout, Scene(lean_mm=(50.0, 50.0)).frame(), 0.1)
    assert not lookout.is_covered(UNMOVED)


def test_what_flickers_does_not_last_and_a_pin_that_falls_does() -> None:
    lookout = looking(Scene().frame())
    seen = []
    # As recompressed pictures do: now and then one shows some of the pattern a little otherwise.
    for k in range(1, 25):
        moved = moves(lookout, Scene(lean_mm=(12.0 if k % 8 == 0 else 0.0,)).frame(), k / 60)
        seen.append((moved, lookout.lasts))
    assert any(moved for moved, _ in seen)
    assert not any(lasts for _, lasts in seen)
    lasting = []
    for k in range(5):
        moves(lookout, Scene(lean_mm=(3.0 * k * k,)).frame(), 1.0 + k / 60)
        lasting.append(lookout.lasts)
    assert any(lasting)


def test_lines_of_a_box_that_has_moved_are_no_change_but_a_pin_that_fell_is() -> None:
    shift = BoxShift(x_mm=1.3, y_mm=-0.8, turn_rad=0.0, seen=1.0)
    there, there_px = (shift.x_mm, shift.y_mm), moved_px(table(), shift)
    pins_px = ends_px([pin(x, y) for x, y in PLACES_MM], table())
    lookout = looking(Scene().frame())
    moves(lookout, Scene(box_mm=there).frame(), 0.05)
    assert len(lookout.changed_px(UNMOVED, pins_px, RADIUS_PX))
    assert not len(lookout.changed_px(there_px, pins_px, RADIUS_PX))
    moves(lookout, Scene(box_mm=there, lean_mm=(30.0,)).frame(), 0.1)
    assert len(lookout.changed_px(there_px, pins_px[1:], RADIUS_PX))
