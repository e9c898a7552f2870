"""What settled readings and what came between them are called."""

import json
from dataclasses import replace

import pytest

from referee.events import Event, Rack, SeenPins, Tap
from referee.vision.pins.blows import Blow
from referee.vision.pins.caller import CALM_S, LONG_CALM_S, Episode, PinCaller
from referee.vision.pins.change import change_between
from referee.vision.pins.pin import PinReading
from referee.vision.pins.touch import Touch, Touched
from tests.vision.pins.filmed import PLACES_MM, layout, pin, reading

FULL = reading()
EPISODE = Episode(began_s=1.0, t_s=2.4, now_s=2.6, covered_s=1.5)
STRUCK = replace(EPISODE, blows=(Blow(t_s=1.5, mm=2.0),))


def settled(caller: PinCaller, read: PinReading, episode: Episode = EPISODE) -> tuple[Event, ...]:
    before = caller.reading
    change = None if before is None else change_between(before, read)
    return caller.settled(read, change, episode)


def knowing(read: PinReading = FULL) -> PinCaller:
    """A caller that has seen these pins at the start."""
    caller = PinCaller(layout())
    (seen,) = settled(caller, read)
    assert isinstance(seen, SeenPins)
    return caller


def test_a_blow_that_fells_two_pins_is_a_tap() -> None:
    tap, seen = settled(knowing(), reading(PLACES_MM[2:], fallen=2), STRUCK)
    assert isinstance(tap, Tap)
    assert (tap.standing, tap.direct_touch) == (4, False)
    assert (tap.stamp.t_s, tap.stamp.t_end_s, tap.stamp.review) == (1.5, 2.4, None)
    assert tap.stamp.confidence == pytest.approx(0.99)
    assert isinstance(seen, SeenPins)
    assert (seen.standing, seen.fallen, len(seen.pins)) == (4, 2, 6)


def test_a_blow_that_fells_none_is_a_tap_too() -> None:
    tap, _ = settled(knowing(), FULL, STRUCK)
    assert isinstance(tap, Tap)
    assert tap.standing == len(PLACES_MM)


def test_a_felled_pin_that_moved_before_was_touched_then() -> None:
    touch = Touch(pin=pin(*PLACES_MM[0]), t_s=1.2, swing_mm=0.9)
    episode = replace(STRUCK, touched=Touched(pins=6, moved=(touch,)))
    tap, _ = settled(knowing(), reading(PLACES_MM[2:], fallen=2), episode)
    assert isinstance(tap, Tap)
    assert (tap.direct_touch, tap.stamp.t_s, tap.stamp.review) == (True, 1.2, None)


def test_a_touch_remembered_from_a_moment_ago_counts_and_an_older_one_does_not() -> None:
    touch = Touch(pin=pin(*PLACES_MM[0]), t_s=1.2, swing_mm=2.0)
    brushed = replace(EPISODE, touched=Touched(pins=6, moved=(touch,)))
    for blow_s, is_touched in ((3.2, True), (9.0, False)):
        caller = knowing()
        assert settled(caller, FULL, brushed) == ()
        struck = Episode(began_s=3.0, t_s=blow_s + 1, now_s=blow_s + 2, blows=(Blow(t_s=blow_s, mm=2.0),))
        tap, _ = settled(caller, reading(PLACES_MM[1:], fallen=1), struck)
        assert isinstance(tap, Tap)
        assert tap.direct_touch == is_touched


def test_a_touched_pin_that_stands_while_others_fall_is_for_people_to_judge() -> None:
    touch = Touch(pin=pin(*PLACES_MM[5]), t_s=1.2, swing_mm=2.0)
    tap, _ = settled(
        knowing(), reading(PLACES_MM[1:], fallen=1), replace(STRUCK, touched=Touched(pins=6, moved=(touch,)))
    )
    assert isinstance(tap, Tap)
    assert tap.direct_touch
    assert "touched" in (tap.stamp.review or "")
    shaded = replace(touch, swing_mm=0.8)
    tap, _ = settled(
        knowing(), reading(PLACES_MM[1:], fallen=1), replace(STRUCK, touched=Touched(pins=6, moved=(shaded,)))
    )
    assert isinstance(tap, Tap)
    assert (tap.direct_touch, tap.stamp.review) == (False, None)


def test_a_felled_pin_out_of_sight_at_the_blow_is_for_people_to_judge() -> None:
    caller = knowing()
    assert caller.reading is not None
    hidden = Touched(pins=6, unseen=(caller.reading.pins[0],))
    tap, _ = settled(caller, reading(PLACES_MM[1:], fallen=1), replace(STRUCK, touched=hidden))
    assert isinstance(tap, Tap)
    assert not tap.direct_touch
    assert "hidden" in (tap.stamp.review or "")
    assert tap.stamp.confidence is not None
    assert tap.stamp.confidence < 0.7


def test_pins_that_fell_without_a_blow_were_touched_if_only_they_moved() -> None:
    gone = [Touch(pin=pin(*place), t_s=1.3, swing_mm=2.0) for place in PLACES_MM]
    for moved, is_touched in ((gone[:1], True), (gone, False)):
        episode = replace(EPISODE, touched=Touched(pins=6, moved=tuple(moved)))
        tap, _ = settled(knowing(), reading(PLACES_MM[1:], fallen=1), episode)
        assert isinstance(tap, Tap)
        assert tap.direct_touch == is_touched
        assert "no blow" in (tap.stamp.review or "")


def test_hands_that_take_pins_away_tap_nothing() -> None:
    caller = knowing(reading(PLACES_MM[2:], fallen=2))
    (seen,) = settled(caller, reading(PLACES_MM[2:]))
    assert isinstance(seen, SeenPins)
    (seen,) = settled(caller, reading(PLACES_MM[3:]))
    assert isinstance(seen, SeenPins)
    assert caller.wait(20.0, is_anybody_near=False) == ()


def test_a_blow_while_fallen_pins_are_taken_away_is_for_people_to_judge() -> None:
    tap, _ = settled(knowing(reading(PLACES_MM[2:], fallen=2)), reading(PLACES_MM[2:]), STRUCK)
    assert isinstance(tap, Tap)
    assert tap.standing == 4
    assert "taken away" in (tap.stamp.review or "")


def test_a_pin_knocked_over_while_others_are_taken_away_is_no_tap() -> None:
    caller = knowing(reading(PLACES_MM[2:], fallen=2))
    (seen,) = settled(caller, reading(PLACES_MM[3:], fallen=1))
    assert isinstance(seen, SeenPins)


def test_a_tap_says_what_it_felled_and_how_hard_it_was() -> None:
    tap, _ = settled(knowing(), reading(PLACES_MM[2:], fallen=2), STRUCK)
    assert isinstance(tap, Tap)
    assert json.loads(tap.stamp.evidence or "") == {"felled": 2, "blow_s": 1.5, "box_mm": 2.0}


def test_more_pins_than_before_are_no_call_without_doubt() -> None:
    tap, _ = settled(knowing(reading(PLACES_MM[1:])), FULL, STRUCK)
    assert isinstance(tap, Tap)
    assert tap.standing == 5
    assert tap.stamp.review is not None


def test_doubts_about_what_stood_before_are_doubts_about_the_tap() -> None:
    doubtful = replace(reading(PLACES_MM[:5], fallen=1), confidence=0.4, review="a pin may stand or not")
    tap, _ = settled(knowing(doubtful), reading(PLACES_MM[2:5], fallen=3), STRUCK)
    assert isinstance(tap, Tap)
    assert (tap.standing, tap.stamp.confidence, tap.stamp.review) == (3, 0.4, "a pin may stand or not")


def test_pins_known_to_stand_are_no_less_sure_when_a_hand_has_passed() -> None:
    caller = knowing(reading(PLACES_MM[2:], fallen=2))
    settled(caller, replace(reading(PLACES_MM[2:]), confidence=0.3, review="a pin may be hidden"))
    assert caller.reading is not None
    assert (caller.reading.confidence, caller.reading.review) == (pytest.approx(0.99), None)


def test_a_better_look_at_the_same_pins_replaces_the_first() -> None:
    caller = knowing(replace(reading(PLACES_MM[:5]), confidence=0.3, review="there may be one more"))
    (seen,) = caller.looked_again(FULL, 1.0)
    assert isinstance(seen, SeenPins)
    assert seen.standing == len(PLACES_MM)
    assert caller.looked_again(replace(FULL, confidence=0.95), 1.1) == ()
    tap, _ = settled(caller, reading(PLACES_MM[2:], fallen=2), STRUCK)
    assert isinstance(tap, Tap)
    assert (tap.standing, tap.stamp.review) == (4, None)


def test_a_full_set_is_ready_when_the_hand_has_gone() -> None:
    caller = knowing(reading(PLACES_MM[:4]))
    for count in (5, 6):
        (seen,) = settled(caller, reading(PLACES_MM[:count]))
        assert isinstance(seen, SeenPins)
    assert caller.is_setting
    assert caller.wait(2.5, is_anybody_near=False) == ()
    assert caller.wait(2.4 + CALM_S, is_anybody_near=True) == ()
    (rack,) = caller.wait(2.41 + CALM_S, is_anybody_near=False)
    assert isinstance(rack, Rack)
    assert (rack.standing, rack.stamp.t_s, rack.stamp.t_end_s) == (6, 1.0, 2.4)
    assert not caller.is_setting
    assert caller.wait(9.0, is_anybody_near=False) == ()


def test_a_set_that_is_not_full_is_ready_later_or_when_somebody_taps() -> None:
    caller = knowing(reading(PLACES_MM[:3]))
    settled(caller, reading(PLACES_MM[:5]))
    assert caller.wait(2.41 + CALM_S, is_anybody_near=False) == ()
    (rack,) = caller.wait(2.41 + LONG_CALM_S, is_anybody_near=False)
    assert isinstance(rack, Rack)
    assert rack.standing == 5

    caller = knowing(reading(PLACES_MM[:3]))
    settled(caller, reading(PLACES_MM[:5]))
    rack, tap, _ = settled(caller, reading(PLACES_MM[:4], fallen=1), STRUCK)
    assert isinstance(rack, Rack)
    assert isinstance(tap, Tap)
    assert (rack.standing, tap.standing) == (5, 4)


def test_a_single_pin_that_comes_to_light_is_no_set_up() -> None:
    caller = knowing(reading(PLACES_MM[:3], fallen=2))
    settled(caller, reading(PLACES_MM[:4]))
    assert caller.wait(2.41 + LONG_CALM_S, is_anybody_near=False) == ()
    assert not caller.is_setting


def test_a_bumped_box_while_pins_are_set_up_is_no_tap() -> None:
    caller = knowing(reading(PLACES_MM[:3]))
    settled(caller, reading(PLACES_MM[:4]))
    (seen,) = settled(caller, reading(PLACES_MM[:6]), STRUCK)
    assert isinstance(seen, SeenPins)


@pytest.mark.parametrize(
    ("episode", "words"),
    [
        (replace(STRUCK, is_over=False), "ends before"),
        (replace(STRUCK, is_view_new=True), "camera"),
        (replace(STRUCK, blows=(*STRUCK.blows, Blow(t_s=2.3, mm=1.0))), "struck again"),
        (replace(STRUCK, covered_s=4.0, t_s=4.4), "hand"),
    ],
)
def test_what_makes_a_tap_doubtful_is_said(episode: Episode, words: str) -> None:
    tap, _ = settled(knowing(), reading(PLACES_MM[2:], fallen=1), episode)
    assert isinstance(tap, Tap)
    assert words in (tap.stamp.review or "")
    assert tap.stamp.confidence is not None
    assert tap.stamp.confidence < 0.7
