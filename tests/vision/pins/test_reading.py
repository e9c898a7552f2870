"""One picture of a lane: which pins stand, lean and lie, told from pictures in which that is known."""

import math
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from referee.vision.pins import reading as reading_module
from referee.vision.pins.patches import ends_px
from referee.vision.pins.profiles import BOWLING
from referee.vision.pins.reading import Pin, PinReader, PinReading, PinSize
from referee.vision.pins.setup import doubts_of, numbered, problems_of
from tests.vision.pins.lane_scene import (
    HEIGHT_MM,
    OUTLINE,
    PEG,
    RADIUS_MM,
    ROLLER,
    TOP_MM,
    Colour,
    Stood,
    frame,
    layout,
    table,
)

RACK = tuple(
    Stood(x_mm=x, y_mm=y)
    for x, y in ((0, -50), (-30, -20), (32, -25), (-60, 15), (0, 8), (60, 10), (-75, 50), (-25, 48), (28, 50), (80, 55))
)
OBLIQUE = table()
READER = PinReader(OBLIQUE)


def misplaced_mm(reading: PinReading, pins: Sequence[Stood]) -> float:
    """The largest distance between a pin that stands and the nearest one read as standing."""
    places = [pin.mm for pin in reading.pins if pin.state == "standing" and pin.mm is not None]
    return max(min(math.dist(place, (pin.x_mm, pin.y_mm)) for place in places) for pin in pins)


def test_all_pins_of_a_rack_are_found_in_their_places() -> None:
    reading = READER.read(frame(OBLIQUE, RACK))
    assert (reading.standing, reading.fallen, reading.review) == (10, 0, None)
    assert misplaced_mm(reading, RACK) < 2.5
    assert reading.confidence > 0.8


def test_hard_shadows_are_no_pins() -> None:
    standing = RACK[:3]
    assert READER.read(frame(OBLIQUE, standing, shadows=True)).standing == 3
    assert READER.read(frame(OBLIQUE, (), shadows=True)).pins == ()


def test_a_dark_print_leaves_no_doubt_where_all_pins_of_a_set_stand() -> None:
    row, column = (round(px) for px in OBLIQUE.camera.to_px(np.array([[75.0, -60.0, TOP_MM]]))[0][::-1])
    for pins, is_doubted in ((RACK, False), (RACK[:9], True)):
        shown = frame(OBLIQUE, pins)
        luma = shown.y.copy()
        luma[row - 20 : row + 20, column - 30 : column + 30] = 30
        reading = PinReader(OBLIQUE).read(replace(shown, y=luma))
        assert (reading.standing, reading.review is not None) == (len(pins), is_doubted)


def test_stripes_on_the_rim_of_the_lid_are_no_pins() -> None:
    lying = Stood(x_mm=0.0, y_mm=-40.0, turn_deg=30.0, tilt_deg=96.0)
    striped = frame(OBLIQUE, (*RACK[3:8], lying), stripes=(40.0, 190.0, 220.0))
    reading = PinReader(OBLIQUE).read(striped)
    assert (reading.standing, reading.fallen) == (5, 1)


def test_what_lies_in_two_colours_may_be_two_pins() -> None:
    lying = Stood(x_mm=0.0, y_mm=-40.0, turn_deg=30.0, tilt_deg=96.0)
    foot = replace(lying, outline=OUTLINE[:6], colour=(40.0, 40.0, 200.0))
    head = replace(lying, outline=OUTLINE[5:])
    asked = [
        PinReader(OBLIQUE).read(frame(OBLIQUE, (*RACK[3:8], *halves))).review for halves in ((lying,), (foot, head))
    ]
    assert asked[0] is None
    assert asked[1] is not None


@pytest.mark.parametrize("turn_deg", [0.0, 100.0, 250.0])
def test_lying_pins_do_not_count(turn_deg: float) -> None:
    lying = Stood(x_mm=10.0, y_mm=-5.0, turn_deg=turn_deg, tilt_deg=96.0)
    reading = READER.read(frame(OBLIQUE, (RACK[3], RACK[6], RACK[9], lying)))
    assert (reading.standing, reading.fallen) == (3, 1)


def test_a_pin_that_fell_off_the_lid_is_seen_beside_it() -> None:
    reading = READER.read(frame(OBLIQUE, RACK[:4], off_lid=(150.0, -20.0, 60.0)))
    assert (reading.standing, reading.fallen) == (4, 1)


def test_pins_seen_from_nearly_above() -> None:
    above = table(elevation_deg=84.0)
    lying = Stood(x_mm=-10.0, y_mm=20.0, turn_deg=40.0, tilt_deg=96.0)
    reading = PinReader(above).read(frame(above, (*RACK[:4], RACK[9], lying)))
    assert (reading.standing, reading.fallen) == (5, 1)
    assert misplaced_mm(reading, (*RACK[:4], RACK[9])) < 2.0


def test_pins_of_several_colours_on_a_pale_lane() -> None:
    colours = (
        (40.0, 40.0, 190.0),
        (170.0, 70.0, 40.0),
        (60.0, 120.0, 30.0),
        (40.0, 190.0, 220.0),
        (40.0, 110.0, 220.0),
    )
    pins = [Stood(x_mm=pin.x_mm, y_mm=pin.y_mm, colour=colours[k % len(colours)]) for k, pin in enumerate(RACK)]
    assert READER.read(frame(OBLIQUE, pins, surface=(190.0, 215.0, 225.0))).standing == 10


def test_pins_before_a_table_of_their_own_colour_stand() -> None:
    pins = [replace(pin, colour=(85.0, 122.0, 158.0)) for pin in (*RACK[1:], Stood(x_mm=-5.0, y_mm=76.0))]
    reading = READER.read(frame(OBLIQUE, pins, surface=(40.0, 40.0, 170.0)))
    assert (reading.standing, reading.fallen, reading.review) == (10, 0, None)


@pytest.mark.parametrize("surface", [(225.0, 230.0, 235.0), (120.0, 118.0, 121.0)])
def test_pins_of_the_lanes_own_colour_show_by_shape_and_shadow(surface: Colour) -> None:
    # Light from above falls on the lid more steeply than on a pin.
    blue, green, red = (0.8 * level for level in surface)
    pins = [replace(pin, colour=(blue, green, red)) for pin in RACK]
    reading = READER.read(frame(OBLIQUE, pins, surface=surface))
    assert (reading.standing, reading.fallen) == (10, 0)
    assert misplaced_mm(reading, RACK) < 5.0


@pytest.mark.parametrize("outline", [ROLLER, PEG])
def test_the_shape_of_pins_is_learned_from_those_in_view(outline: tuple[tuple[float, float], ...]) -> None:
    pins = [replace(pin, outline=outline) for pin in (*RACK[:3], *RACK[5:9])]
    lying = Stood(x_mm=-70.0, y_mm=-45.0, turn_deg=60.0, tilt_deg=90.0, outline=outline)
    reader = PinReader(OBLIQUE)
    reading = reader.read(frame(OBLIQUE, (*pins, lying)))
    assert (reading.standing, reading.fallen) == (7, 1)
    assert misplaced_mm(reading, pins) < 6.0
    assert (reader.size.profile != BOWLING) == (outline == ROLLER)


def test_a_pin_behind_another_is_counted() -> None:
    low = table(elevation_deg=33.0, away_mm=420.0)
    pins = (Stood(x_mm=0.0, y_mm=-20.0), Stood(x_mm=3.0, y_mm=16.0), Stood(x_mm=50.0, y_mm=0.0))
    reading = PinReader(low).read(frame(low, pins))
    assert reading.standing == 3
    assert max(pin.hidden for pin in reading.pins) > 0.2


def test_pins_in_a_row_behind_one_another_stand() -> None:
    low = table(elevation_deg=42.0, away_mm=430.0)
    wood = (70.0, 110.0, 160.0)
    row = [Stood(x_mm=-60.0, y_mm=-30.0 + 19.0 * k, colour=wood) for k in range(3)]
    others = [Stood(x_mm=x, y_mm=y, colour=wood) for x, y in ((-30.0, -40.0), (30.0, -35.0), (80.0, 40.0))]
    reading = PinReader(low).read(frame(low, (*row, *others)))
    # One by one the two behind would be taken for a lying one.
    assert (reading.standing, reading.fallen) == (6, 0)


def test_room_is_found_for_a_pin_between_others_that_are_a_little_off() -> None:
    low = table(elevation_deg=34.0, away_mm=500.0)
    wood = (90.0, 120.0, 150.0)
    row = [Stood(x_mm=10.0 + 3.0 * k, y_mm=40.0 - 26.0 * k, colour=wood) for k in range(3)]
    others = [Stood(x_mm=x, y_mm=y, colour=wood) for x, y in ((-60.0, -40.0), (50.0, -35.0), (80.0, 40.0))]
    reading = PinReader(low).read(frame(low, (*row, *others)))
    assert (reading.standing, reading.fallen) == (6, 0)


def test_a_known_pin_that_nobody_sees_any_more_still_stands() -> None:
    low = table(elevation_deg=22.0, away_mm=420.0)
    front, behind = Stood(x_mm=0.0, y_mm=-20.0), Stood(x_mm=0.0, y_mm=4.0)
    reader = PinReader(low)
    picture = frame(low, (front,))
    known = known_at(behind)
    assert reader.read(picture).standing == 1
    assert reader.read(picture, [known_at(front), known]).standing == 2
    elsewhere = known_at(Stood(x_mm=60.0, y_mm=30.0))
    assert reader.read(picture, [known_at(front), elsewhere]).standing == 1


def test_pins_that_are_known_stay_where_they_were_and_tell_the_others() -> None:
    known = [known_at(pin) for pin in RACK[:4]]
    lying = Stood(x_mm=62.0, y_mm=10.0, turn_deg=100.0, tilt_deg=96.0)
    reading = READER.read(frame(OBLIQUE, (*RACK[:5], lying)), known)
    assert (reading.standing, reading.fallen, reading.review) == (5, 1, None)
    assert [pin.mm for pin in reading.pins[:4]] == [pin.mm for pin in known]
    assert misplaced_mm(reading, RACK[:5]) < 2.5


def test_where_nothing_has_changed_is_not_read_again() -> None:
    reader = PinReader(OBLIQUE)
    reader.read(frame(OBLIQUE, RACK))
    lying = Stood(x_mm=62.0, y_mm=10.0, turn_deg=100.0, tilt_deg=96.0)
    known = [known_at(pin) for pin in (*RACK[:5], *RACK[6:])]
    changed_px = ends_px([known_at(RACK[5]), known_at(lying)], OBLIQUE).reshape(-1, 2)
    # Far from there a pin that is known has gone, which only who reads all of it notices.
    picture = frame(OBLIQUE, (*RACK[:3], *RACK[4:5], *RACK[6:], lying))
    reading = reader.read(picture, known, changed_px=changed_px)
    assert (reading.standing, reading.fallen, reading.review) == (9, 1, None)
    assert reading.confidence > 0.8
    assert reader.read(picture, known).review is not None


def test_all_is_read_where_pins_have_come() -> None:
    reader = PinReader(OBLIQUE)
    first = reader.read(frame(OBLIQUE, RACK[:9]))
    changed_px = ends_px([known_at(RACK[9])], OBLIQUE).reshape(-1, 2)
    now = frame(OBLIQUE, RACK)
    reading = reader.read(now, first.pins, changed_px=changed_px, may_come=True)
    assert reading == reader.read(now, first.pins)
    assert reading.standing == 10


def test_in_another_light_all_is_read() -> None:
    reader = PinReader(OBLIQUE)
    first = reader.read(frame(OBLIQUE, RACK[:8]))
    now = frame(OBLIQUE, RACK[:9])
    dimmer = replace(now, y=(16 + 0.85 * (now.y - 16.0)).astype(np.uint8))
    changed_px = ends_px([known_at(RACK[8])], OBLIQUE).reshape(-1, 2)
    assert reader.read(dimmer, first.pins, changed_px=changed_px) == reader.read(dimmer, first.pins)


def known_at(pin: Stood) -> Pin:
    x_px, y_px = OBLIQUE.camera.to_px(np.array([[pin.x_mm, pin.y_mm, TOP_MM]]))[0].tolist()
    place = (pin.x_mm, pin.y_mm)
    return Pin(state="standing", x_px=x_px, y_px=y_px, mm=place, head_px=None, confidence=0.99, hidden=0.0)


def test_an_arm_over_the_lane_makes_the_count_unsure() -> None:
    reading = READER.read(frame(OBLIQUE, RACK[:4], arm=True))
    assert reading.review == "something reaches over the lane"
    assert reading.confidence < 0.6


def test_a_good_set_up_has_no_problems() -> None:
    reading = READER.read(frame(OBLIQUE, RACK))
    assert problems_of(reading, layout()) == ()
    assert doubts_of(reading, layout()) == ()


def test_pins_that_touch_stand_outside_or_are_missing() -> None:
    touching, outside = Stood(x_mm=-14.0, y_mm=-50.0), Stood(x_mm=101.0, y_mm=55.0)
    reading = READER.read(frame(OBLIQUE, (*RACK[:8], touching, outside)))
    # From the south, nearest row first, each row from the left: the two in front are 1 and 2.
    assert set(problems_of(reading, layout())) >= {"outside 10"}
    close = [pin.mm for pin in numbered(reading.pins, layout())[:2]]
    assert sorted(place[0] for place in close if place is not None) == pytest.approx([-14.0, 0.0], abs=1.5)
    assert "touching 1 2" in problems_of(reading, layout())
    fewer = READER.read(frame(OBLIQUE, RACK[:9]))
    assert problems_of(fewer, layout()) == ("only 9 of 10",)


@pytest.mark.parametrize("factor", [1.12, 1.18])
def test_the_size_of_pins_is_learned_from_those_that_stand(factor: float) -> None:
    reader = PinReader(OBLIQUE, PinSize(height_mm=factor * HEIGHT_MM, radius_mm=factor * RADIUS_MM))
    lying = Stood(x_mm=-70.0, y_mm=-45.0, turn_deg=60.0, tilt_deg=96.0)
    reading = reader.read(frame(OBLIQUE, (*RACK[:3], *RACK[5:9], lying)))
    assert (reading.standing, reading.fallen) == (7, 1)
    assert reader.size.height_mm == pytest.approx(HEIGHT_MM, rel=0.1)


@pytest.mark.parametrize(("left_over", "is_taken"), [(0.3, True), (0.7, False)])
def test_more_pins_by_shadows_have_to_explain_what_was_left_over(
    left_over: float, is_taken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = SimpleNamespace(size=None)
    first: Any = SimpleNamespace(is_by_shadows=False, unexplained=0.7, worth=2.6, seen=[1], bare=bare, poses=None)
    more: Any = SimpleNamespace(is_by_shadows=True, unexplained=left_over, worth=3.0, seen=[1, 2], poses=None)
    reader = PinReader(OBLIQUE)
    monkeypatch.setattr(reading_module, "shaded", lambda *_: object())
    monkeypatch.setattr(reading_module, "shaded_by", lambda *_: object())
    monkeypatch.setattr(reader, "_finder", lambda _: None)
    monkeypatch.setattr(reader, "_explained", lambda *_: more)
    assert reader._with_shadows(first) is (more if is_taken else first)
