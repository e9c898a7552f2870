"""When a person is asked about a picture of pins."""

from dataclasses import replace

import pytest

from referee.look import Look, look_words
from referee.vision.pins.pin import PinReading
from referee.vision.pins.verdict import reading_of
from tests.vision.pins.filmed import PLACES_MM, pin

FULL = len(PLACES_MM)


def read(count: int, more: float, *, strange: bool = False) -> PinReading:
    pins = [pin(*place) for place in PLACES_MM[:count]]
    return reading_of(pins, (), doubtful=(), more=more, covers=False, strange=strange, count=FULL)


@pytest.mark.parametrize(("count", "more", "asks"), [(FULL, 0.3, False), (FULL - 1, 0.3, True), (FULL - 1, 0.1, False)])
def test_less_than_a_whole_set_has_to_be_surer(count: int, more: float, asks: bool) -> None:
    assert (read(count, more).review is not None) == asks


def test_no_pins_where_dark_things_are_is_for_people_to_judge() -> None:
    reading = read(0, 0.0, strange=True)
    assert reading.confidence < 0.5
    assert "please check: dark things" in look_words("a.jpg", Look(balls=(), pins=reading, markers=()))


@pytest.mark.parametrize(("count", "asks"), [(FULL, False), (FULL - 1, True)])
def test_less_than_a_whole_set_of_what_looks_unlike_pins_is_for_people_to_judge(count: int, asks: bool) -> None:
    pins = [pin(*place) for place in PLACES_MM[:count]]
    reading = reading_of(pins, (), doubtful=(), more=0.0, covers=False, strange=False, count=FULL, quality=0.75)
    assert (reading.review is not None) == asks


@pytest.mark.parametrize(("count", "hidden", "asks"), [(1, 0.4, True), (1, 0.0, False), (2, 0.4, False)])
def test_one_pin_too_few_may_be_behind_others(count: int, hidden: float, asks: bool) -> None:
    pins = [replace(pin(*place), hidden=hidden) for place in PLACES_MM[count:]]
    reading = reading_of(pins, (), doubtful=(), more=0.0, covers=False, strange=False, count=FULL)
    assert (reading.review is not None) == asks
