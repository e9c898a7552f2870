"""When pins are looked at again, and which look counts."""

from dataclasses import replace

from referee.vision.pins.second_looks import AGAIN_S, MOST, SecondLooks
from tests.vision.pins.filmed import PLACES_MM, reading

FULL = len(PLACES_MM)
DOUBTFUL = replace(reading(PLACES_MM[1:], fallen=1), confidence=0.6, review="a pin may stand or not")
WHOLE = replace(reading(), confidence=0.55)


def test_doubtful_pins_are_looked_at_a_few_times_until_something_happens() -> None:
    looks = SecondLooks(FULL)
    assert not looks.is_due(DOUBTFUL, 1.0)
    looks.begin(1.0, is_new=True)
    assert not looks.is_due(DOUBTFUL, 1.0 + AGAIN_S / 2)
    assert not looks.is_due(reading(), 2.0)
    assert [looks.is_due(DOUBTFUL, 2.0 + k) for k in range(MOST + 1)] == [True] * MOST + [False]
    looks.begin(9.0, is_new=True)
    assert not looks.is_due(WHOLE, 10.0)
    looks.begin(9.2, is_new=False)
    assert not looks.is_due(DOUBTFUL, 10.0)


def test_a_whole_set_beats_a_reading_that_lacks_a_pin_unless_it_is_in_doubt() -> None:
    looks = SecondLooks(FULL)
    assert looks.better(DOUBTFUL, WHOLE) is WHOLE
    assert looks.better(WHOLE, DOUBTFUL) is WHOLE
    unsure = replace(WHOLE, confidence=0.3, review="there may be one more")
    assert looks.better(DOUBTFUL, unsure) is DOUBTFUL
    assert looks.better(DOUBTFUL, replace(DOUBTFUL, confidence=0.5)) is DOUBTFUL


def test_a_look_that_sees_what_the_one_before_it_saw_is_the_last() -> None:
    noisy = replace(reading([(x + 1.0, y) for x, y in PLACES_MM[1:]], fallen=1), confidence=0.5)
    looks = SecondLooks(FULL)
    looks.begin(1.0, is_new=True)
    assert looks.is_due(DOUBTFUL, 2.0)
    looks.better(DOUBTFUL, noisy)
    assert looks.is_due(DOUBTFUL, 3.0)
    looks.better(DOUBTFUL, noisy)
    assert not looks.is_due(DOUBTFUL, 4.0)
