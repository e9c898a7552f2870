"""Errors of finding pins again don't add up."""

from dataclasses import replace

import numpy as np
import pytest

from referee.vision.pins.first_looks import FirstLooks
from referee.vision.pins.halved import Halved
from referee.vision.pins.pin import PinSize
from referee.vision.pins.reel import Reel
from referee.vision.pins.zone import zone_of
from tests.vision.pins.filmed import PLACES_MM, TALL_MM, Scene, pin, reading, table

SIZE = PinSize(height_mm=TALL_MM, radius_mm=8.0)
OFF_MM = 0.3
"""How far each finding is off, always to the same side: ten of them would be off by 3 mm."""


def test_a_pin_found_again_and_again_stays_where_it_was_read() -> None:
    reel, looks = Reel(zone_of(table())), FirstLooks()
    reel.add(0.0, Halved(Scene().frame()))
    now = reading()
    looks.take(now, table(), SIZE, reel)
    for k in range(1, 11):
        places = [(x + 0.1 * k, y) for x, y in PLACES_MM]
        reel.add(float(k), Halved(Scene(places_mm=tuple(places)).frame()))
        found = [pin(x + 0.1 + OFF_MM, y) for x, y in (one.mm or (0.0, 0.0) for one in now.pins)]
        pins = [
            looks.put_right(before, after, table(), reel.newest.luma)
            for before, after in zip(now.pins, found, strict=True)
        ]
        now = replace(now, pins=tuple(pins))
        looks.take(now, table(), SIZE, reel)
        assert np.array([one.mm for one in pins]) == pytest.approx(np.array(places), abs=0.5)


def test_a_pin_that_looks_otherwise_is_left_where_it_was_found_and_has_that_look_from_then_on() -> None:
    reel, looks = Reel(zone_of(table())), FirstLooks()
    reel.add(0.0, Halved(Scene().frame()))
    looks.take(reading(), table(), SIZE, reel)
    reel.add(1.0, Halved(Scene(lean_mm=(25.0,)).frame()))
    before, found = pin(*PLACES_MM[0]), pin(PLACES_MM[0][0] + OFF_MM, PLACES_MM[0][1])
    assert looks.put_right(before, found, table(), reel.newest.luma) == found
    looks.take(reading([(found.mm or (0.0, 0.0)), *PLACES_MM[1:]]), table(), SIZE, reel)
    right = looks.put_right(found, before, table(), reel.newest.luma)
    assert right.mm == pytest.approx(found.mm, abs=0.15)
