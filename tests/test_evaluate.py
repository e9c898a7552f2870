"""Logs against hand-made truths: which shots are the same, and what counts as right."""

import json
from pathlib import Path
from typing import Any

import pytest

from referee.calls import Calls, count_calls
from referee.columns import format_table
from referee.comparison import Comparison, FoundShot, bounces_of, compare, foul_of, match_shots, wrong_holes
from referee.disturbance import Found, Handled, compare_bumps, compare_hands
from referee.evaluate import Evaluation
from referee.evaluation_report import remarks
from referee.events import (
    BallAt,
    Event,
    InHole,
    Move,
    Off,
    OnBall,
    OnBoard,
    Placed,
    Removed,
    Seat,
    SeenBoard,
    SeenBounce,
    SeenCameraMoved,
    Shot,
    Stamp,
    Surface,
)
from referee.spread import quantile
from referee.tally import HEADINGS, tally, tally_row, tally_to_json
from referee.truth import BadTruth, BallTruth, TrueContact, TrueShot, TrueSurface, load_truth, parse_truth


def contact(
    t_s: float, surface: TrueSurface, x_mm: float = 0.0, y_mm: float = -300.0, side: Seat | None = None
) -> TrueContact:
    return TrueContact(t_s=t_s, surface=surface, x_mm=x_mm, y_mm=y_mm, side=side)


def true_shot(**changes: Any) -> TrueShot:
    values: dict[str, Any] = {
        "colour": "red",
        "t_s": 1.0,
        "t_end_s": 3.0,
        "table_bounces": 1,
        "result": InHole(hole="D6"),
        "moved": (),
        "foul": None,
        "contacts": (
            contact(1.2, "table", side="south"),
            contact(1.6, "board", 10.0, -100.0),
            contact(1.8, "hole", 20.0, -50.0),
        ),
    }
    return TrueShot(**{**values, **changes})


def seen_shot(t_s: float = 1.05, t_end_s: float | None = 2.8, **changes: Any) -> Shot:
    values: dict[str, Any] = {"colour": "red", "table_bounces": 1, "result": InHole(hole="D6"), "side": "south"}
    return Shot(**{**values, **changes}, stamp=Stamp(t_s=t_s, t_end_s=t_end_s))


def bounce(t_s: float, surface: Surface, mm: tuple[float, float] | None, colour: str | None = "red") -> SeenBounce:
    return SeenBounce(colour=colour, surface=surface, px=(0.0, 0.0), mm=mm, stamp=Stamp(t_s=t_s))


def truth_of(*shots: TrueShot, start: dict[str, str] | None = None, final: dict[str, str] | None = None) -> BallTruth:
    return BallTruth(
        layout="board",
        corners_px=(),
        shots=shots,
        start=tuple((start or {}).items()),
        final=tuple((final or {}).items()),
    )


RIGHT: tuple[Event, ...] = (
    SeenBoard(holes=()),
    bounce(1.203, "table", (3.0, -304.0)),
    bounce(1.606, "board", (10.0, -112.0)),
    bounce(1.9, "board", (20.0, -50.0)),
    seen_shot(),
    SeenBoard(holes=(("D6", "red"),)),
)


def only(comparison: Comparison) -> FoundShot:
    assert len(comparison.found) == 1
    return comparison.found[0]


def test_a_log_that_is_right_is_right_in_everything() -> None:
    comparison = compare(truth_of(true_shot(), final={"D6": "red"}), RIGHT)
    found = only(comparison)
    assert found.is_right
    assert (comparison.missed, comparison.invented) == ((), ())
    assert (comparison.start_wrong, comparison.final_wrong) == (0, 0)
    assert (found.true_contacts, found.seen_contacts) == (2, 2)
    assert [error.time_ms for error in found.errors] == pytest.approx([3.0, 6.0])
    assert [error.place_mm for error in found.errors] == pytest.approx([5.0, 12.0])


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"table_bounces": 2}, {"bounces", "foul"}),
        ({"result": InHole(hole="D5")}, {"result"}),
        ({"result": OnBall()}, {"result", "foul"}),
        ({"moved": (Move(colour="blue", source="B2", target=None),)}, {"moved"}),
        ({"side": "north"}, {"side"}),
    ],
)
def test_each_part_is_judged_by_itself(changes: dict[str, Any], wrong: set[str]) -> None:
    found = only(compare(truth_of(true_shot()), [*RIGHT[:4], seen_shot(**changes)]))
    parts = ("bounces", "result", "moved", "foul", "side")
    assert {part for part in parts if not getattr(found, part)} == wrong
    assert not found.is_right


def test_moved_balls_are_compared_in_any_order_and_rest_where_they_were() -> None:
    blue, green = Move(colour="blue", source="B2", target="B3"), Move(colour="green", source="board", target=None)
    stays = Move(colour="red", source="A1", target="A1")
    found = only(compare(truth_of(true_shot(moved=(blue, green))), [seen_shot(moved=(green, stays, blue))]))
    assert found.moved


def test_a_shot_of_another_colour_or_time_is_another_shot() -> None:
    truth = truth_of(true_shot())
    other_colour = compare(truth, [seen_shot(colour="blue")])
    assert (len(other_colour.found), len(other_colour.missed), len(other_colour.invented)) == (0, 1, 1)
    other_time = compare(truth, [seen_shot(3.5, 4.0)])
    assert (len(other_time.found), len(other_time.missed), len(other_time.invented)) == (0, 1, 1)


def test_as_many_shots_as_possible_are_matched_then_the_longest_common_times() -> None:
    true = [true_shot(t_s=1.0, t_end_s=3.0), true_shot(t_s=2.5, t_end_s=5.0)]
    # The first overlaps both, the second only the later true shot: both find a partner.
    assert match_shots(true, [seen_shot(2.0, 4.9), seen_shot(4.8, 5.2)]) == [(0, 0), (1, 1)]
    # One shot for two true ones: it is the one that it shares more time with.
    assert match_shots(true, [seen_shot(2.4, 4.9)]) == [(1, 0)]
    assert match_shots([], [seen_shot()]) == []


def test_bounces_belong_to_the_next_shot_of_their_colour() -> None:
    events: list[Event] = [
        bounce(0.1, "table", None),
        seen_shot(0.0, 0.5),
        bounce(1.2, "table", None),
        bounce(1.1, "table", None, colour=None),
        bounce(1.15, "table", None, colour="blue"),
        seen_shot(),
    ]
    assert [found.stamp.t_s for found in bounces_of(5, events)] == [1.1, 1.2]


def test_contacts_too_far_apart_or_on_another_surface_are_not_the_same() -> None:
    late: list[Event] = [bounce(1.31, "table", (0.0, -300.0)), bounce(1.6, "board", (10.0, -100.0)), seen_shot()]
    found = only(compare(truth_of(true_shot()), late))
    assert (found.true_contacts, found.seen_contacts, len(found.errors)) == (2, 2, 1)
    swapped: list[Event] = [bounce(1.2, "board", (0.0, -300.0)), seen_shot()]
    assert only(compare(truth_of(true_shot()), swapped)).errors == ()


def test_a_ball_that_missed_the_board_has_no_one_or_several_bounces() -> None:
    rolls = tuple(contact(1.2 + i / 10, "table", side="south") for i in range(8))
    true = true_shot(table_bounces=8, result=Off(), foul="missed_board", contacts=rolls)
    bounces = [bounce(1.2, "table", (0.0, -300.0)), bounce(1.3, "table", (0.0, -300.0)), bounce(1.4, "table", None)]
    several = only(compare(truth_of(true), [*bounces, seen_shot(table_bounces=3, result=Off())]))
    assert several.is_right
    assert (several.true_contacts, several.seen_contacts, len(several.errors)) == (2, 2, 2)
    one = only(compare(truth_of(true), [*bounces, seen_shot(table_bounces=1, result=Off())]))
    assert not one.bounces


def test_a_contact_without_millimetres_has_a_time_error_only() -> None:
    found = only(compare(truth_of(true_shot()), [bounce(1.2, "table", None), seen_shot()]))
    assert [error.place_mm for error in found.errors] == [None]
    assert tally([compare(truth_of(true_shot()), [bounce(1.2, "table", None), seen_shot()])]).places_mm == ()


def test_the_side_of_a_ball_that_came_straight_to_the_board_is_not_judged() -> None:
    true = true_shot(table_bounces=0, foul="no_bounce", contacts=(contact(1.6, "board"),))
    assert only(compare(truth_of(true), [seen_shot(table_bounces=0, side=None)])).is_right


@pytest.mark.parametrize(
    ("bounces", "result", "touched", "foul"),
    [
        (1, InHole(hole="A1"), None, None),
        (1, OnBoard(), None, None),
        (0, InHole(hole="A1"), None, "no_bounce"),
        (2, InHole(hole="A1"), None, "double_bounce"),
        (2, Off(), True, "double_bounce"),
        (0, Off(), True, "no_bounce"),
        (1, Off(), True, "bounced_out"),
        (1, OnBall(), None, "landed_on_ball"),
        (2, Off(), False, "missed_board"),
        (0, Off(), None, "missed_board"),
    ],
)
def test_fouls_follow_from_what_happened(bounces: int, result: object, touched: bool | None, foul: str | None) -> None:
    assert foul_of(seen_shot(table_bounces=bounces, result=result, touched_board=touched)) == foul


def test_wrong_holes_count_taken_empty_and_other_colours() -> None:
    assert wrong_holes((("A1", "red"), ("B1", "blue"), ("C1", "green")), (("A1", "red"), ("B1", "red"))) == 2
    assert wrong_holes((), (("A1", "red"),)) == 1


def test_a_log_without_a_board_has_every_taken_hole_wrong() -> None:
    comparison = compare(truth_of(start={"A1": "red"}, final={"A1": "red", "D6": "red"}), [])
    assert (comparison.start_wrong, comparison.final_wrong) == (1, 2)


def test_counts_add_up_over_recordings() -> None:
    right = compare(truth_of(true_shot(), final={"D6": "red"}), RIGHT)
    asked = Shot(
        colour="red",
        table_bounces=2,
        result=InHole(hole="D6"),
        side="south",
        stamp=Stamp(t_s=1.0, t_end_s=2.0, review="two bounces or one"),
    )
    wrong = compare(truth_of(true_shot(), true_shot(colour="blue")), [asked, seen_shot(5.0, 6.0)])
    counts = tally([right, wrong])
    assert (counts.shots, counts.found, counts.invented) == (3, 2, 1)
    assert (counts.bounces, counts.results, counts.fouls) == (1, 2, 1)
    assert (counts.review, counts.unflagged) == (1, 0)
    assert (counts.contacts, counts.contacts_seen, counts.contacts_found) == (4, 2, 2)
    said = tally_to_json(counts)
    assert said["missed"] == 1
    assert said["contacts"]["recall"] == 0.5
    assert said["contacts"]["time_ms"] == {"median": 4.5, "p90": 6.0}
    json.dumps(said)


def test_nothing_to_count_is_no_division_by_zero() -> None:
    said = tally_to_json(tally([]))
    assert said["contacts"]["recall"] is None
    assert said["contacts"]["time_ms"] == {"median": None, "p90": None}
    assert format_table([HEADINGS, tally_row("nothing", tally([]))]).splitlines()[1].startswith("nothing")


def test_a_quantile_is_one_of_the_values() -> None:
    assert quantile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert quantile([float(i) for i in range(1, 11)], 0.9) == 9.0
    assert quantile([7.0], 0.9) == 7.0
    assert quantile([], 0.9) is None


def test_a_side_car_is_read_into_words_of_the_log(tmp_path: Path) -> None:
    obj = {
        "layout": "board",
        "board": {"corners_px": [[1, 2], [3, 2], [3, 1], [1, 1]]},
        "game": "bounce-it-in",
        "balls": [{"id": "red-1", "colour": "red"}, {"id": "blue-1", "colour": "blue"}],
        "start": [{"ball": "blue-1", "place": "hole", "hole": "B2"}, {"ball": "red-1", "place": "board", "mm": [0, 0]}],
        "final": {"B3": "blue-1", "A1": "red-1"},
        "shots": [
            {
                "ball": "red-1",
                "colour": "red",
                "side": "south",
                "t_release": 0.5,
                "t_rest": 2,
                "contacts": [{"t": 0.7, "frame": 42, "surface": "table", "mm": [1, -300, 0], "side": "south"}],
                "table_bounces": 1,
                "result": {"place": "hole", "hole": "A1"},
                "moved": [{"ball": "blue-1", "colour": "blue", "from": "B2", "to": "B3"}],
                "foul": None,
            }
        ],
        "moved": [{"t": 3, "ball": "red-1", "colour": "red", "from": "on_ball", "to": None, "by": "hand"}],
        "camera_bump": {"t": 4},
    }
    (tmp_path / "v.truth.json").write_text(json.dumps(obj), encoding="utf-8")
    truth = load_truth(tmp_path / "v.mp4")
    assert isinstance(truth, BallTruth)
    assert truth == parse_truth(obj)
    assert truth.start == (("B2", "blue"),)
    assert truth.final == (("A1", "red"), ("B3", "blue"))
    assert truth.shots[0].moved == (Move(colour="blue", source="B2", target="B3"),)
    assert truth.shots[0].contacts == (contact(0.7, "table", 1.0, -300.0, side="south"),)
    assert truth.shots[0].result == InHole(hole="A1")
    assert truth.handled == (Handled(t_s=3.0, colour="red", source="board", target=None),)
    assert truth.bumps_s == (4.0,)
    assert truth.corners_px == ((1.0, 2.0), (3.0, 2.0), (3.0, 1.0), (1.0, 1.0))


def test_a_missing_or_broken_side_car_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadTruth, match="no such file"):
        load_truth(tmp_path / "v.mp4")
    (tmp_path / "v.mp4").touch()
    with pytest.raises(BadTruth, match="no truth to compare with"):
        load_truth(tmp_path / "v.mp4")
    for broken in ("{", "[]", '{"layout": "x"}'):
        (tmp_path / "v.truth.json").write_text(broken, encoding="utf-8")
        with pytest.raises(BadTruth, match="can't be used") as caught:
            load_truth(tmp_path / "v.mp4")
        assert "\n" not in str(caught.value)


def test_a_pit_holds_several_balls_and_the_truth_names_one() -> None:
    assert wrong_holes([("A1", "orange")], [("A1", "blue"), ("A1", "orange-small")]) == 0
    assert wrong_holes([("A1", "orange")], [("A1", "blue")]) == 1
    assert wrong_holes([], [("A1", "blue")]) == 1
    assert wrong_holes([("A1", "blue")], []) == 1


def test_balls_that_hands_took_and_put_are_compared_one_by_one() -> None:
    true = [
        Handled(t_s=2.7, colour="yellow", source="board", target=None),
        Handled(t_s=5.0, colour="red", source=None, target="C3"),
    ]

    def taken(t_s: float, *balls: tuple[str, str]) -> Removed:
        each = tuple(BallAt(colour=colour, at=at) for colour, at in balls)
        return Removed(balls=each, stamp=Stamp(t_s=t_s, t_end_s=t_s + 1))

    lay = Placed(balls=(BallAt(colour="blue", at="A1"),), stamp=Stamp(t_s=0.0))
    put = Placed(balls=(BallAt(colour="red", at="C3"),), stamp=Stamp(t_s=5.9))
    assert compare_hands(true, [lay, taken(2.0, ("yellow", "board")), put]) == Found(true=2, found=2, invented=0)
    for wrong in (taken(2.0, ("yellow", "A1")), taken(2.0, ("red", "board")), taken(0.5, ("yellow", "board"))):
        assert compare_hands(true, [lay, wrong]) == Found(true=2, found=0, invented=1)
    both = taken(2.0, ("yellow", "board"), ("blue", "A1"))
    assert compare_hands(true, [both]) == Found(true=2, found=1, invented=1)


def test_a_knock_is_noticed_within_half_a_second() -> None:
    def moved(*times_s: float) -> list[Event]:
        return [SeenCameraMoved(px=5.0, recovered=True, stamp=Stamp(t_s=t_s)) for t_s in times_s]

    assert compare_bumps([4.0], moved(4.1, 4.9)) == Found(true=1, found=1, invented=0)
    assert compare_bumps([4.0], moved(4.7)) == Found(true=1, found=0, invented=0)
    assert compare_bumps([4.0], moved(3.9, 4.2, 7.0)) == Found(true=1, found=1, invented=2)
    assert compare_bumps([], moved(1.0)) == Found(true=0, found=0, invented=1)


def test_every_throw_that_is_wrong_or_in_doubt_is_told_with_its_reason() -> None:
    thrown = (true_shot(), true_shot(colour="blue", t_s=9.0, t_end_s=10.0), true_shot(t_s=20.0, t_end_s=22.0))
    doubtful = Stamp(t_s=20.1, t_end_s=21.9, review="hidden by a hand")
    right = Shot(colour="red", table_bounces=1, result=InHole(hole="D6"), side="south", stamp=doubtful)
    events = [*RIGHT[:4], seen_shot(table_bounces=2, side="north"), seen_shot(40.0, 41.0), right]
    each = Evaluation(video=Path("v.mp4"), comparison=compare(truth_of(*thrown, start={"A1": "red"}), events))
    assert remarks(each) == [
        "9.00 s: the blue shot was missed",
        "40.00 s: a red shot that nobody threw (not flagged)",
        "1.00 s: the red shot has bounces, foul, side wrong (not flagged)",
        "20.00 s: the red shot is right (to review: hidden by a hand)",
        "holes read wrongly: 1 at the start, 0 at the end",
    ]
    assert count_calls([each.comparison]) == Calls(right=0, wrong=1, review=1, missed=1, invented=1)
