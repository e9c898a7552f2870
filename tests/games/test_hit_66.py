"""Hit 66, rule by rule; ``test_row_games.py`` has what it shares with Bounce-Em-Straight."""

import pytest

from referee.errors import BadHeader
from tests.games.play import Json, calls, grid, header, last_call, loose, move, placed, play, removed, score, shot

MATCH = header(game="hit-66", starter="Ann")


def row(line: int, colours: str = "yellow yellow yellow yellow") -> Json:
    """Four balls of a row along a line, from column A on; a ball in column E completes it."""
    return placed(*[(colour, f"{letter}{line}") for colour, letter in zip(colours.split(), "ABCD", strict=True)])


FOUR = header(4, game="hit-66", starter="Ann")
"""With Dot, whose yellow ones fill the rows."""


def test_a_row_scores_the_sum_of_its_numbers() -> None:
    column = placed(*[("yellow", f"B{y}") for y in (1, 2, 3, 4)])
    assert last_call(FOUR, column, shot("red", "B5")) == {
        "event": 2,
        "player": "Ann",
        "call": "row",
        "reason": "B1-B5",
        "points": 15,
    }
    assert score(FOUR, column, shot("red", "B5"))["scores"] == {"Ann": 15, "Bob": 0, "Cem": 0, "Dot": 0}


def test_only_balls_of_the_shooters_colours_count_double_on_their_own_colour() -> None:
    # Red on red counts double for Ann; blue on blue, green on green and yellow on yellow do not.
    assert last_call(FOUR, row(3, "red blue green yellow"), shot("red", "E3"))["points"] == 3 * 7
    assert last_call(FOUR, row(3, "blue red red red"), shot("red", "E3"))["points"] == 3 * 6
    # For Bob it is the blue ball, whoever threw it.
    assert last_call(FOUR, shot("red", "A5"), row(3, "red blue green yellow"), shot("blue", "E3"))["points"] == 3 * 6


def test_a_forfeited_ball_of_another_colour_does_not_count_double_for_who_throws_it() -> None:
    events = [shot("red", "off"), row(3), shot("red", "E3")]
    assert last_call(FOUR, *events)["points"] == 15


def test_two_colours_of_the_shooter_both_count_double() -> None:
    match = header(game="hit-66", starter="Ann")
    match["players"][0]["colours"] = ["red", "green"]
    assert last_call(match, row(3, "red blue green blue"), shot("red", "E3"))["points"] == 3 * 8


def test_the_balls_of_a_row_go_back_to_their_owners() -> None:
    standing = score(FOUR, row(3, "red blue green yellow"), shot("red", "E3"))
    six = {"Ann": {"red": 6}, "Bob": {"blue": 6}, "Cem": {"green": 6}, "Dot": {"yellow": 6}}
    assert (standing["detail"], standing["board"], standing["turn"]) == ({"corral": six}, {}, "Bob")


def test_two_rows_at_once_score_one_after_the_other_and_a_shared_hole_counts_in_both() -> None:
    column = placed(("blue", "E2"), ("blue", "E3"), ("blue", "E4"), ("blue", "E5"))
    found = calls(FOUR, row(1), column, shot("red", "E1"))
    assert [(call["reason"], call["points"]) for call in found] == [("A1-E1", 4 + 2), ("E1-E5", 2 + 14)]
    standing = score(FOUR, row(1), column, shot("red", "E1"))
    assert standing["scores"]["Ann"] == 22
    assert standing["detail"]["corral"]["Ann"] == {"red": 6}


def test_six_in_a_line_are_two_rows() -> None:
    line = placed(*[("blue", f"B{y}") for y in (1, 2, 4, 5, 6)])
    found = calls(MATCH, line, shot("red", "B3"), board=grid(lines=6))
    assert [(call["reason"], call["points"]) for call in found] == [("B1-B5", 15), ("B2-B6", 20)]


def test_points_add_up() -> None:
    events = [row(3), shot("red", "E3"), row(2), shot("blue", "E2"), shot("green", "A1"), shot("yellow", "A2")]
    assert score(FOUR, *events)["scores"] == {"Ann": 18, "Bob": 10, "Cem": 0, "Dot": 0}
    assert score(FOUR, *events, row(5), shot("red", "E5"))["scores"]["Ann"] == 18 + 30


def test_the_first_at_66_or_more_wins_at_once() -> None:
    others = [shot(colour, "board") for colour in ("blue", "green", "yellow")]
    sixty = [row(5), shot("red", "E5"), *others, row(5), shot("red", "E5"), *others]
    assert (play(FOUR, *sixty).phase, dict(play(FOUR, *sixty).scores)["Ann"]) == ("playing", 60)
    taken = removed(("yellow", "board"), ("yellow", "board"))
    end = score(FOUR, *sixty, taken, row(1), shot("red", "E1"))
    assert (end["phase"], end["turn"], end["winners"], end["scores"]["Ann"]) == ("finished", None, ["Ann"], 66)
    assert [call["call"] for call in end["calls"]] == ["row", "row", "row", "win"]
    five = [placed(*[("red", f"A{y}") for y in (1, 2, 3, 4)]), shot("red", "A5")]
    more = score(MATCH, *five, shot("blue", "C1"), *five, shot("blue", "C2"), *five)
    assert (more["winners"], more["scores"]) == (["Ann"], {"Ann": 90, "Bob": 0})


@pytest.mark.parametrize(("target", "phase"), [(15, "finished"), (16, "playing"), (14.0, "finished")])
def test_target(target: float, phase: str) -> None:
    match = header(4, game="hit-66", starter="Ann", target=target)
    column = placed(*[("yellow", f"B{y}") for y in (1, 2, 3, 4)])
    assert score(match, column, shot("red", "B5"))["phase"] == phase


@pytest.mark.parametrize("value", [0, -1, 66.5, "66", True, None, [66]])
def test_the_target_is_a_whole_number_from_1_on(value: object) -> None:
    with pytest.raises(BadHeader, match="target"):
        play(header(game="hit-66", target=value))


def test_all_rows_of_a_shot_are_scored_before_the_target_is_looked_at() -> None:
    match = header(4, game="hit-66", starter="Ann", target=6)
    column = placed(("blue", "E2"), ("blue", "E3"), ("blue", "E4"), ("blue", "E5"))
    standing = score(match, row(1), column, shot("red", "E1"))
    assert [call["call"] for call in standing["calls"]] == ["row", "row", "win"]
    assert standing["scores"]["Ann"] == 22


def test_if_no_one_has_a_ball_left_the_highest_score_wins() -> None:
    events = [row(3), shot("red", "E3"), loose(red=6, blue=5, green=6, yellow=6)]
    assert play(FOUR, *events).turn == "Bob"
    assert calls(FOUR, *events, shot("blue", "board")) == [{"event": 4, "player": "Ann", "call": "win"}]
    standing = score(FOUR, *events, shot("blue", "board"))
    assert (standing["phase"], standing["turn"], standing["winners"]) == ("finished", None, ["Ann"])


def test_a_tie_is_shared() -> None:
    standing = score(MATCH, loose(red=5, blue=6), shot("red", "A1"))
    assert (standing["phase"], standing["winners"]) == ("finished", ["Ann", "Bob"])
    assert standing["calls"] == [
        {"event": 2, "player": "Ann", "call": "win"},
        {"event": 2, "player": "Bob", "call": "win"},
    ]


def test_a_single_player_with_balls_plays_on() -> None:
    events = [loose(blue=6), shot("red", "A1")]
    assert (play(MATCH, *events).phase, play(MATCH, *events).turn) == ("playing", "Ann")


def test_the_last_ball_that_wins_a_row_or_is_forfeited_ends_nothing() -> None:
    four = placed(*[("blue", f"{letter}1") for letter in "ABCD"])
    assert play(MATCH, four, loose(red=5, blue=2), shot("red", "E1")).phase == "playing"
    assert play(MATCH, loose(red=5, blue=6), shot("red", "off")).turn == "Bob"


def test_nobody_scores_in_the_opening() -> None:
    match = header(4, game="hit-66")
    assert score(match, row(3), shot("red", "E3"))["scores"] == {"Ann": 0, "Bob": 0, "Cem": 0, "Dot": 0}


def test_calls_of_a_shot_come_in_order() -> None:
    match = header(4, game="hit-66", starter="Ann", target=3)
    knocked = shot("red", "out", moved=[move("blue", "E2", "E1"), move("blue", "board", None)])
    found = calls(match, row(1), placed(("blue", "E2")), loose(blue=1), knocked)
    assert [(call["call"], call.get("reason")) for call in found] == [
        ("foul", "bounced_out"),
        ("forfeit", "bounced_out"),
        ("forfeit", "knocked_out"),
        ("row", "A1-E1"),
        ("win", None),
    ]
