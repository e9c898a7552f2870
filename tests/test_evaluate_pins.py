"""Logs of pins against hand-made truths: which taps and set-ups are the same, and where pins were seen."""

import json
from pathlib import Path
from typing import Any

import pytest

from referee.columns import format_table
from referee.disturbance import Found
from referee.evaluate import Evaluation
from referee.evaluation_report import evaluations_to_json, format_evaluations, remarks
from referee.events import Event, Rack, SeenPin, SeenPins, Stamp, Tap
from referee.pin_comparison import PinComparison, StateCount, compare_pins, match_pins
from referee.pin_tally import PIN_HEADINGS, pin_tally, pin_tally_row, pin_tally_to_json
from referee.pin_truth import PinTruth, TruePin
from referee.truth import BadTruth, load_truth, parse_truth

CAMERA = {
    "K": [[1000, 0, 640], [0, 1000, 360], [0, 0, 1]],
    "R": [[1, 0, 0], [0, -1, 0], [0, 0, -1]],
    "t_mm": [0, 0, 840],
}
"""Straight down from 800 mm above a box of 40 mm: a pin of 16 mm is 20 px wide."""


def at(x_px: float, y_px: float = 100.0, **more: Any) -> dict[str, Any]:
    return {"px": [x_px, y_px], "mm": [0.0, 0.0], **more}


def side_car(**changes: Any) -> dict[str, Any]:
    """A set-up with a fault, put right, then a tap with a touch before it: one pin left, one leaning, one far off."""
    lying, leaning = at(300, top_px=[300, 200], state="lying"), at(200, top_px=[210, 50], state="leaning")
    return {
        "game": "wonder-bowling",
        "layout": "lane",
        "camera": CAMERA,
        "box": {"corners_px": [[1, 2], [3, 2], [3, 1], [1, 1]], "height_mm": 40},
        "pin_radius_mm": 8,
        "placement": [
            {"t": 3.0, "ok": False, "problems": ["touching 5 6", "outside 8"]},
            {"t": 5.0, "ok": True, "problems": []},
        ],
        "taps": [
            {
                "t": 5.5,
                "t_box_hit": 6.0,
                "t_settled": 6.8,
                "direct_touch": True,
                "standing": 1,
                "standing_pins": [at(100)],
                "fallen_pins": [lying, leaning, at(900, top_px=[990, 100], state="off_lane")],
            }
        ],
        "segments": [
            {"from_t": 0.0, "to_t": 2.0, "standing": None, "state": "setting"},
            {"from_t": 2.0, "to_t": 3.0, "standing": 4, "state": "settled"},
            {"from_t": 3.0, "to_t": 4.0, "standing": None, "state": "setting"},
            {"from_t": 4.0, "to_t": 5.0, "standing": 4, "state": "settled"},
            {"from_t": 5.0, "to_t": 5.5, "standing": 4, "state": "hand"},
            {"from_t": 5.5, "to_t": 7.0, "standing": None, "state": "moving"},
            {"from_t": 7.0, "to_t": 7.2, "standing": 1, "state": "hand"},
            {"from_t": 7.2, "to_t": 8.0, "standing": 1, "state": "settled"},
            {"from_t": 8.0, "to_t": 9.0, "standing": 1, "state": "hand"},
            {"from_t": 9.0, "to_t": 9.9, "standing": 1, "state": "settled"},
        ],
        **changes,
    }


def truth_of(obj: dict[str, Any]) -> PinTruth:
    truth = parse_truth(obj)
    assert isinstance(truth, PinTruth)
    return truth


def tap(t_s: float, standing: int = 1, direct_touch: bool = True, review: str | None = None) -> Tap:
    return Tap(standing=standing, direct_touch=direct_touch, stamp=Stamp(t_s=t_s, t_end_s=t_s + 1.2, review=review))


def rack(t_s: float, t_end_s: float, *problems: str, standing: int = 4) -> Rack:
    return Rack(standing=standing, problems=problems, stamp=Stamp(t_s=t_s, t_end_s=t_end_s))


def seen(t_s: float, standing: int, *pins: tuple[float, float, str]) -> SeenPins:
    each = tuple(SeenPin(px=(x, y), state=state) for x, y, state in pins)
    return SeenPins(standing=standing, fallen=len(pins) - standing, pins=each, stamp=Stamp(t_s=t_s))


LAST = seen(7.3, 1, (104, 97, "standing"), (303, 150, "fallen"), (200, 99, "leaning"), (950, 101, "fallen"))
RIGHT: tuple[Event, ...] = (
    seen(2.1, 4),
    rack(0.1, 2.4, "touching 1 2", "outside 3"),
    rack(3.1, 4.5),
    tap(5.52),
    LAST,
)


def compared(*events: Event) -> PinComparison:
    return compare_pins(truth_of(side_car()), events)


def test_a_log_that_is_right_is_right_in_everything() -> None:
    comparison = compared(*RIGHT)
    assert [found.is_right for found in comparison.found] == [True]
    assert [found.is_right for found in comparison.racks_found] == [True, True]
    assert (comparison.missed, comparison.invented, comparison.racks_missed, comparison.racks_invented) == (
        (),
        (),
        (),
        (),
    )
    assert [moment.is_exact for moment in comparison.settled] == [True] * 4
    assert comparison.misread == ()
    assert comparison.found[0].time_ms == pytest.approx(20.0)
    assert comparison.states == {
        "standing": StateCount(true=2, seen=2, matched=2),
        "leaning": StateCount(true=1, seen=1, matched=1),
        "fallen": StateCount(true=1, seen=1, matched=1),
    }
    assert comparison.bumps == Found(true=0, found=0, invented=0)
    assert remarks(Evaluation(video=Path("v.mp4"), comparison=comparison)) == []


@pytest.mark.parametrize(
    ("call", "standing", "touch"),
    [(tap(5.5), True, True), (tap(6.1), True, True), (tap(5.5, 2), False, True), (tap(5.5, 1, False), True, False)],
)
def test_each_part_of_a_tap_is_judged_by_itself(call: Tap, standing: bool, touch: bool) -> None:
    (found,) = compared(call).found
    assert (found.standing, found.direct_touch) == (standing, touch)
    assert found.is_right == (standing and touch)


@pytest.mark.parametrize(("t_s", "is_found"), [(4.9, False), (5.1, True), (6.4, True), (6.6, False)])
def test_a_tap_at_another_time_is_another_tap(t_s: float, is_found: bool) -> None:
    comparison = compared(tap(t_s))
    assert (len(comparison.found), len(comparison.missed), len(comparison.invented)) == (
        (1, 0, 0) if is_found else (0, 1, 1)
    )


def test_of_two_taps_the_nearer_is_the_true_one() -> None:
    comparison = compared(tap(5.2), tap(5.6))
    assert [found.tap.stamp.t_s for found in comparison.found] == [5.6]
    assert [extra.stamp.t_s for extra in comparison.invented] == [5.2]


@pytest.mark.parametrize(
    ("problems", "fault", "same"),
    [
        (("outside 8", "touching 5 6"), True, True),
        (("touching 1 9", "outside 2"), True, True),
        (("touching 5 6",), True, False),
        (("touching 5 6", "touching 6 7"), True, False),
        ((), False, False),
    ],
)
def test_problems_of_a_set_up_are_compared_by_kind_and_number(
    problems: tuple[str, ...], fault: bool, same: bool
) -> None:
    found = compared(rack(0.0, 2.2, *problems)).racks_found[0]
    assert (found.fault, found.problems, found.standing) == (fault, same, True)
    assert not compared(rack(0.0, 2.2, *problems, standing=3)).racks_found[0].is_right


def test_a_set_up_is_found_by_when_it_was_over() -> None:
    comparison = compared(rack(0.0, 1.4), rack(3.0, 4.2), rack(8.5, 9.0))
    assert [found.truth.to_s for found in comparison.racks_found] == [5.0]
    assert [missed.to_s for missed in comparison.racks_missed] == [3.0]
    assert [extra.stamp.t_s for extra in comparison.racks_invented] == [0.0, 8.5]


def test_the_newest_reading_of_a_settled_moment_counts() -> None:
    comparison = compared(seen(2.1, 3), seen(2.9, 4), seen(7.1, 2), seen(9.5, 1))
    assert [moment.is_exact for moment in comparison.settled] == [True, True, False, True]
    # While a hand is in view it is known what stands, while pins are set it isn't.
    assert [reading.stamp.t_s for reading in comparison.misread] == [2.1, 7.1]
    assert [moment.is_exact for moment in compared().settled] == [False] * 4


def test_a_pin_is_matched_within_its_width_and_a_lying_one_along_its_length() -> None:
    standing = TruePin(state="standing", foot_px=(100, 100), head_px=None, width_px=20)
    lying = TruePin(state="fallen", foot_px=(200, 100), head_px=(260, 100), width_px=20)
    pins = [SeenPin(px=(x, y), state="standing") for x, y in ((119, 100), (95, 100), (230, 115), (281, 100))]
    assert match_pins([standing, lying], pins) == [(0, 1), (1, 2)]
    assert match_pins([standing], pins[2:]) == []


def test_states_that_are_swapped_lose_both_precision_and_recall() -> None:
    wrong = seen(7.3, 1, (100, 100, "fallen"), (303, 150, "standing"), (600, 600, "standing"))
    counts = pin_tally_to_json(pin_tally([compared(wrong)]))["pins"]
    # The second settled moment tells of the standing pin only: fallen ones may have been taken away.
    assert counts["standing"] == {"true": 2, "seen": 4, "found": 0, "precision": 0.0, "recall": 0.0}
    assert counts["fallen"] == {"true": 1, "seen": 1, "found": 0, "precision": 0.0, "recall": 0.0}
    assert counts["leaning"] == {"true": 1, "seen": 0, "found": 0, "precision": None, "recall": 0.0}


def test_where_pins_are_isnt_known_before_the_first_tap_and_while_they_are_set() -> None:
    truth = truth_of(side_car())
    assert [len(span.pins) for span in truth.spans] == [0] * 6 + [4, 4, 1, 1]
    assert truth.spans[7].pins[0] == TruePin(state="standing", foot_px=(100, 100), head_px=None, width_px=20.0)
    set_up = [*side_car()["segments"][:-1], {"from_t": 9.0, "to_t": 9.5, "standing": None, "state": "setting"}]
    again = [*set_up, {"from_t": 9.5, "to_t": 9.9, "standing": 10, "state": "settled"}]
    assert truth_of(side_car(segments=again)).spans[-1].pins == ()


def test_counts_add_up_over_recordings() -> None:
    asked = compared(tap(5.5, 3, review="a pin is hidden"), tap(1.0), rack(3.0, 4.2, "outside 1"))
    counts = pin_tally([compared(*RIGHT), asked])
    assert (counts.taps, counts.found, counts.invented, counts.standing, counts.touches) == (2, 2, 1, 1, 2)
    assert (counts.review, counts.unflagged) == (1, 0)
    assert (counts.racks, counts.racks_found, counts.faults, counts.problems) == (4, 3, 2, 2)
    assert (counts.moments, counts.exact) == (8, 4)
    said = pin_tally_to_json(counts)
    assert said["racks"] == {"true": 4, "found": 3, "false": 0, "right": {"in_order_or_not": 2, "problems": 2}}
    assert said["time_ms"]["p90"] == pytest.approx(20.0)
    assert format_table([PIN_HEADINGS, pin_tally_row("both", counts)]).splitlines()[1].startswith("both")


def test_every_call_that_is_wrong_or_in_doubt_is_told_with_its_reason() -> None:
    events = (tap(5.5, 3, review="a pin is hidden"), tap(1.0), rack(3.0, 4.2, "outside 1"), seen(7.3, 3))
    each = Evaluation(video=Path("v.mp4"), comparison=compared(*events), clicked="no markers are in view")
    said = remarks(each)
    assert said == [
        "calibrated by the true corners, since no markers are in view",
        "1.00 s: a tap that nobody struck (not flagged)",
        "5.50 s: the tap has 3 instead of 1 standing (to review: a pin is hidden)",
        "3.00 s: the set-up was missed",
        "5.00 s: the set-up: 4 standing, outside 1; in truth 4, in order (not flagged)",
        "3.00 s: no reading where 4 stood",
        "5.00 s: no reading where 4 stood",
        "8.00 s: 3 read as standing where 1 stood",
        "9.90 s: 3 read as standing where 1 stood",
    ]
    assert all(line in format_evaluations([each]) for line in said)
    json_said = evaluations_to_json([each])
    assert json_said["videos"][0]["remarks"] == said
    assert (json_said["videos"][0]["kind"], json_said["total"]["pins"]["false"]) == ("pins", 1)
    json.dumps(json_said)


def test_a_set_up_of_which_nobody_says_how_many_stood_is_judged_by_its_problems() -> None:
    truth = truth_of(side_car(placement=[{"t": 1.0, "ok": False, "problems": ["outside 2"]}]))
    assert (truth.racks[0].from_s, truth.racks[0].standing) == (1.0, None)
    assert compare_pins(truth, [rack(0.2, 0.9, "outside 1", standing=9)]).racks_found[0].is_right


@pytest.mark.parametrize(
    ("obj", "reason"),
    [
        (side_car(placement=[{"t": 1.0}]), "KeyError"),
        ({"game": "bouncers"}, "bouncers is not called from video"),
    ],
)
def test_a_broken_side_car_of_pins_and_other_games_are_told(tmp_path: Path, obj: dict[str, Any], reason: str) -> None:
    (tmp_path / "v.truth.json").write_text(json.dumps(obj), encoding="utf-8")
    with pytest.raises(BadTruth, match=reason):
        load_truth(tmp_path / "v.mp4")
