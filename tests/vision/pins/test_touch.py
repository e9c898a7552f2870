"""Pins that move before anybody strikes the box."""

from collections.abc import Sequence

import numpy as np
import pytest

from referee.vision.pins.halved import Halved
from referee.vision.pins.reel import Reel
from referee.vision.pins.touch import Footage, Touched, touched
from referee.vision.pins.zone import zone_of
from tests.vision.pins.filmed import PLACES_MM, TALL_MM, TOP_MM, Scene, pin, table

PINS = [pin(x, y) for x, y in PLACES_MM]


def middle_px(index: int) -> tuple[float, float]:
    """Half way up a pin."""
    x, y = table().camera.to_px(np.array([[*PLACES_MM[index], TOP_MM + TALL_MM / 2]]))[0]
    return float(x), float(y)


def watched(scenes: Sequence[Scene], rate_hz: float = 60.0) -> Touched:
    """What is said of all pins of a film that begins with nothing happening."""
    reel = Reel(zone_of(table()))
    for index, scene in enumerate((Scene(),) * 5 + tuple(scenes)):
        reel.add(index / rate_hz, Halved(scene.frame()))
    stills = reel.between(0.0, 10.0)
    return touched(PINS, table(), Footage(reel=reel, still=stills[0], calm=stills[:3], later=stills[1:]))


def rocking(at: int, *leans_mm: float) -> list[Scene]:
    return [Scene(lean_mm=(0.0,) * at + (lean,)) for lean in leans_mm]


def test_pins_that_nobody_touches_stay_in_place() -> None:
    seen = watched([Scene()] * 10)
    assert seen == Touched(pins=len(PINS))


def test_a_pin_that_rocks_was_touched_and_is_the_only_one() -> None:
    seen = watched(rocking(2, 0.0, 1.0, 2.2, 2.5, 1.0, -1.0, -2.0, -1.0, 0.5, 0.0))
    (touch,) = seen.moved
    assert touch.pin is PINS[2]
    assert touch.t_s == pytest.approx(7 / 60, abs=1.1 / 60)
    assert touch.swing_mm > 1.5
    assert seen.unseen == ()


def test_a_pin_behind_an_arm_to_the_end_is_unseen() -> None:
    x, y = middle_px(4)
    seen = watched([Scene(arm_px=(x + 8, y))] * 12)
    assert PINS[4] in seen.unseen
    assert PINS[5] not in seen.unseen
    assert seen.moved == ()


def test_a_pin_behind_an_arm_for_a_while_was_not_touched() -> None:
    x, y = middle_px(4)
    seen = watched([Scene(arm_px=(x + 8, y))] * 12 + [Scene()] * 3)
    assert seen == Touched(pins=len(PINS))
