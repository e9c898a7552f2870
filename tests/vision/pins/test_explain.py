"""Which pins can't be where others are."""

import numpy as np

from referee.vision.pins.explain import are_in_one_another
from referee.vision.pins.picture import window_of
from referee.vision.pins.pin import PinSize
from referee.vision.pins.scenes import bare_scene
from tests.vision.pins.lane_scene import HALF_MM, frame, table

SIZE = PinSize(height_mm=50.0, radius_mm=8.0)


def test_pins_that_stand_are_parted_by_their_feet_as_by_all_of_them() -> None:
    rng = np.random.default_rng(5)
    upright = np.zeros((40, 5))
    upright[:, :2] = rng.uniform(-40.0, 40.0, (40, 2))
    upright[:, 2] = 40.0
    # So little tilted that each ball is compared with each.
    tilted = upright + np.array([0.0, 0.0, 0.0, 0.0, 1e-12])
    clash = are_in_one_another(upright, SIZE)
    assert np.array_equal(
        clash & ~np.eye(40, dtype=np.bool_), are_in_one_another(tilted, SIZE) & ~np.eye(40, dtype=np.bool_)
    )
    assert 40 < clash.sum() < 1600
    assert are_in_one_another(np.vstack([upright, tilted]), SIZE)[:40, 40:].diagonal().all()


def test_the_foot_of_a_standing_pin_needs_room_on_the_lid() -> None:
    scene = bare_scene(frame(table(), ()), window_of(table(), SIZE), SIZE)
    x, y = np.array([HALF_MM[0] - 2.0, 0.0]), np.array([0.0, 5.0 - HALF_MM[1]])
    assert scene.is_over_lid(x, y).tolist() == [True, True]
    assert scene.is_over_lid(x, y, 4.0).tolist() == [False, True]
