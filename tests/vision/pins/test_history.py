"""What the look of a lane before tells of the pins on it now."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from referee.vision.pins.bodies import body
from referee.vision.pins.box import BoxShift, moved_px, shifted
from referee.vision.pins.change import gap_mm
from referee.vision.pins.first_looks import FirstLooks
from referee.vision.pins.halved import Halved
from referee.vision.pins.history import (
    STRAY,
    Fates,
    Passage,
    fates_of,
    reading_after,
    without_ghosts,
    without_surplus,
)
from referee.vision.pins.pin import Pin, PinReading, PinSize
from referee.vision.pins.reel import Reel
from referee.vision.pins.zone import zone_of
from tests.vision.pins.filmed import PLACES_MM, TALL_MM, Scene, pin, reading, table

PINS = [pin(x, y) for x, y in PLACES_MM]


def passage(then: Scene, now: Scene) -> Passage:
    shift = BoxShift(x_mm=now.box_mm[0], y_mm=now.box_mm[1], turn_rad=0.0, seen=1.0)
    reel = Reel(zone_of(table()))
    reel.add(0.0, Halved(then.frame()))
    still = reel.newest
    reel.add(1.0, Halved(now.frame()))
    return Passage(
        reel=reel,
        still=still,
        before=table(),
        now=shifted(table(), shift),
        moved_px=moved_px(table(), shift),
        looks=FirstLooks(),
        size=PinSize(height_mm=TALL_MM, radius_mm=8.0),
    )


def test_pins_that_look_as_before_are_kept_where_they_are_on_the_box_now() -> None:
    felled = Scene(box_mm=(2.0, 0.0), lean_mm=(-49.0,))
    fates = fates_of(PINS, passage(Scene(), felled))
    assert len(fates.kept) == 5
    assert fates.lost == (PINS[0],)
    assert fates.kept[0].mm == pytest.approx((PLACES_MM[1][0] - 2.0, PLACES_MM[1][1]), abs=0.7)


def test_a_pin_that_leans_is_not_kept() -> None:
    fates = fates_of(PINS, passage(Scene(), Scene(lean_mm=(0.0, 14.0))))
    assert [pin.mm for pin in fates.kept] == [
        pytest.approx(place, abs=0.5) for k, place in enumerate(PLACES_MM) if k != 1
    ]


def test_a_pin_is_known_by_what_was_seen_of_it_when_one_before_it_falls() -> None:
    before = [*PINS, pin(10.0, -8.0)]
    fall = passage(Scene(places_mm=(*PLACES_MM, (10.0, -8.0))), Scene())
    assert [round(gap_mm(one, PINS[4])) for one in fates_of(before, fall).kept].count(0) == 1
    size = fall.size
    alone = body(PINS[4], PINS, fall.before, size, fall.reel, fall.still)
    behind = body(PINS[4], before, fall.before, size, fall.reel, fall.still)
    assert alone is not None
    assert behind is not None
    shares = [np.count_nonzero(one.shown) for one in (behind, alone) if one.shown is not None]
    assert 0.2 < shares[0] / shares[1] < 0.9
    assert body(PINS[4], [*PINS, pin(10.0, 9.0)], fall.before, size, fall.reel, fall.still) is None


def test_a_pin_that_may_well_stand_and_is_not_read_leaves_a_doubt() -> None:
    doubtful = replace(reading(PLACES_MM[:4]), confidence=0.3, review="there may be one more pin")
    covered = passage(Scene(), Scene(lean_mm=(0.0, 0.0, 0.0, 0.0, 3.0, -49.0)))
    fates = fates_of(PINS, covered)
    assert PINS[4] in fates.likely
    still = reading_after(reading(), covered, lambda _: doubtful, all_known=True)
    assert (still.standing, still.review) == (4, doubtful.review)


def test_a_pin_that_is_read_beside_where_one_may_well_stand_leaves_a_doubt() -> None:
    covered = passage(Scene(), Scene(lean_mm=(0.0, 0.0, 0.0, 0.0, 3.0, -49.0)))
    x, y = PLACES_MM[4]
    beside = reading((*PLACES_MM[:4], (x + 9.0, y + 9.0)))
    now = reading_after(reading(), covered, lambda _: beside, all_known=True)
    assert now.standing == 4
    assert now.review is not None


@pytest.mark.parametrize(
    ("lean_mm", "away_mm", "is_asked"),
    [
        pytest.param(8.0, 58.0, True, id="none can have fallen so far"),
        pytest.param(8.0, 35.0, False, id="one may have fallen there"),
        pytest.param(49.0, 58.0, False, id="all that stood are known to stand or not"),
    ],
)
def test_a_pin_that_stands_where_none_did_leaves_a_doubt(lean_mm: float, away_mm: float, is_asked: bool) -> None:
    x, y = PLACES_MM[4]
    places = (*PLACES_MM, (x, y + away_mm))
    seen = Scene(places_mm=places, lean_mm=(0.0, 0.0, 0.0, 0.0, lean_mm, -49.0, 0.0))
    now = reading_now(reading((*PLACES_MM[:4], places[-1])), seen, all_known=True)
    assert now.standing == 4
    assert (now.review == STRAY) == is_asked


def test_where_one_pin_stood_two_do_not_stand() -> None:
    x, y = PLACES_MM[4]
    two = reading((*PLACES_MM[:4], (x - 4.0, y), (x + 6.0, y)))
    now = without_ghosts(two, PINS, Fates(), all_known=True)
    assert (now.standing, now.fallen) == (5, 1)
    assert now.pins[-1].state == "fallen"


def reading_now(
    read: PinReading, now: Scene, *, all_known: bool | None, before: PinReading | None = None
) -> PinReading:
    given: list[Sequence[Pin]] = []

    def reader(known: Sequence[Pin]) -> PinReading:
        given.append(known)
        return read

    result = reading_after(before or reading(), passage(Scene(), now), reader, all_known=all_known)
    assert len(given) <= 1
    return result


@pytest.mark.parametrize("all_known", [True, False, None])
def test_a_kept_pin_stands_whatever_it_was_read_as(all_known: bool | None) -> None:
    missed = reading_now(reading(PLACES_MM[1:]), Scene(), all_known=all_known)
    assert (missed.standing, missed.fallen) == (6, 0)


def test_where_a_pin_is_gone_none_stands() -> None:
    misread = reading_now(reading(), Scene(lean_mm=(-49.0,)), all_known=True)
    assert (misread.standing, misread.fallen) == (5, 1)


def test_doubts_of_the_picture_do_not_matter_where_the_look_of_all_pins_tells() -> None:
    doubtful = replace(reading(PLACES_MM[1:], fallen=1), confidence=0.3, review="a pin may be hidden")
    sure = reading_now(doubtful, Scene(lean_mm=(-49.0,)), all_known=True)
    assert (sure.standing, sure.review) == (5, None)
    assert sure.confidence > 0.9
    unsure = reading_now(doubtful, Scene(lean_mm=(-49.0,)), all_known=False)
    assert (unsure.standing, unsure.confidence, unsure.review) == (5, 0.3, "a pin may be hidden")


def test_no_pin_stands_where_none_stood_unless_a_hand_put_it_there() -> None:
    other = (*PLACES_MM[1:], (0.0, -5.0))
    now = Scene(places_mm=other)
    assert reading_now(reading(other), now, all_known=True).standing == 5
    assert reading_now(reading(other), now, all_known=None).standing == 6


def test_what_has_not_changed_is_no_new_pin() -> None:
    before = reading(PLACES_MM[1:])
    again = reading_now(reading(), Scene(), all_known=None, before=before)
    assert again.standing == 5
    assert all(not np.allclose(one.mm or (0, 0), PLACES_MM[0]) for one in again.pins)


@pytest.mark.parametrize(("then", "standing"), [(0.5, 6), (0.8, 5), (0.995, 5)])
def test_of_two_readings_of_what_has_not_changed_the_surer_one_counts(then: float, standing: int) -> None:
    before = reading(PLACES_MM[1:])
    leaning = replace(PINS[0], state="leaning", confidence=then)
    again = reading_now(reading(), Scene(), all_known=None, before=replace(before, pins=(*before.pins, leaning)))
    assert again.standing == standing


def test_no_more_pins_are_counted_than_there_are() -> None:
    kept, sure, unsure = pin(0.0, 0.0), pin(40.0, 0.0), replace(pin(0.0, 14.0), confidence=0.6)
    crowded = PinReading(pins=(kept, unsure, sure), standing=3, fallen=0, confidence=0.9, review=None)
    reading = without_surplus(crowded, (kept,), 2)
    assert reading.pins == (kept, sure)
    assert (reading.standing, reading.review) == (2, "more pins are seen than there are")
    assert without_surplus(crowded, (kept,), 3) is crowded
