"""Which shots of Bounce It-In are legal, and what a foul costs."""

import pytest

from tests.games.play import calls, grid, header, last_call, move, play, score, shot

MATCH = header(starter="Ann")


@pytest.mark.parametrize("side", ["south", None])
def test_one_bounce_on_the_own_side_then_a_hole_is_legal(side: str | None) -> None:
    assert last_call(MATCH, shot("red", "B3", side=side)) == {
        "event": 1,
        "player": "Ann",
        "call": "score",
        "points": 3,
    }


@pytest.mark.parametrize(
    ("foul", "throw"),
    [
        ("no_bounce", shot("red", "B3", 0)),
        ("no_bounce", shot("red", "board", 0)),
        ("no_bounce", shot("red", "out", 0)),
        ("no_bounce", shot("red", "on_ball", 0)),
        ("no_bounce", shot("red", "B3", 0, side="north")),
        ("double_bounce", shot("red", "B3", 2)),
        ("double_bounce", shot("red", "out", 3)),
        ("double_bounce", shot("red", "on_ball", 2, side="north")),
        ("wrong_side", shot("red", "B3", side="north")),
        ("wrong_side", shot("red", "B3", side="east")),
        ("wrong_side", shot("red", "out", side="north")),
        ("wrong_side", shot("red", "on_ball", side="north")),
        ("wrong_side", shot("red", "off", side="west")),
        ("missed_board", shot("red", "off", 0)),
        ("missed_board", shot("red", "off", 0, side="north")),
        ("missed_board", shot("red", "off", 1, side="south")),
        ("missed_board", shot("red", "off", 1)),
        ("missed_board", shot("red", "off", 4, side="north")),
        ("bounced_out", shot("red", "out", side="south")),
        ("landed_on_ball", shot("red", "on_ball", side="south")),
    ],
)
def test_fouls_in_the_order_in_which_they_are_judged(foul: str, throw: dict[str, object]) -> None:
    assert calls(MATCH, throw) == [
        {"event": 1, "player": "Ann", "call": "foul", "reason": foul},
        {"event": 1, "player": "Ann", "call": "forfeit", "reason": foul, "colour": "red", "to": None},
    ]
    assert play(MATCH, throw).board == ()


@pytest.mark.parametrize(
    ("throw", "expected"),
    [
        (shot("red", "B3", side="north"), "score"),
        (shot("red", "out", side="north"), "bounced_out"),
        (shot("red", "off", side="north"), "missed_board"),
    ],
)
def test_wrong_side_can_be_switched_off(throw: dict[str, object], expected: str) -> None:
    first = calls(header(starter="Ann", wrong_side=False), throw)[0]
    assert first.get("reason", first["call"]) == expected


def test_a_ball_beside_the_holes_stays_and_scores_nothing() -> None:
    standing = score(MATCH, shot("red", "board"))
    assert (standing["calls"], standing["board"], standing["turn"]) == ([], {}, "Bob")
    assert standing["scores"] == {"Ann": 0, "Bob": 0}


def test_a_number_counts_double_on_the_colour_of_the_ball() -> None:
    assert last_call(MATCH, shot("red", "A4"))["points"] == 8
    assert last_call(MATCH, shot("red", "B4"))["points"] == 4


def test_a_moved_ball_stays_where_it_stops() -> None:
    events = [shot("red", "A1"), shot("blue", "C1", moved=[move("red", "A1", "A5")])]
    standing = score(MATCH, *events)
    assert standing["board"] == {"A5": "red", "C1": "blue"}
    assert standing["scores"] == {"Ann": 10, "Bob": 1}


def test_a_shot_may_take_the_hole_of_a_ball_that_it_moves() -> None:
    standing = score(MATCH, shot("red", "C2"), shot("blue", "C2", moved=[move("red", "C2", "C3")]))
    assert standing["board"] == {"C2": "blue", "C3": "red"}


def test_moved_balls_may_follow_each_other_in_any_order() -> None:
    events = [shot("red", "C2"), shot("blue", "C3")]
    chain = [move("red", "C2", "C3"), move("blue", "C3", "C4")]
    for moved in (chain, chain[::-1]):
        board = score(MATCH, *events, shot("red", "D1", moved=moved))["board"]
        assert board == {"C3": "red", "C4": "blue", "D1": "red"}


def test_moved_balls_may_change_places_with_the_board() -> None:
    events = [shot("red", "board"), shot("blue", "C3")]
    moved = [move("red", "board", "C3"), move("blue", "C3", "board")]
    standing = score(MATCH, *events, shot("red", "off", moved=moved))
    assert standing["board"] == {"C3": "red"}


def test_a_foul_shot_moves_other_balls_all_the_same() -> None:
    standing = score(MATCH, shot("red", "C2"), shot("blue", "D2", 2, moved=[move("red", "C2", "A2")]))
    assert standing["board"] == {"A2": "red"}
    assert standing["scores"] == {"Ann": 4, "Bob": 0}


def test_knocked_out_balls_are_forfeited_and_the_shot_stays_legal() -> None:
    events = [shot("red", "C2"), shot("blue", "D2"), shot("red", "board")]
    moved = [move("blue", "D2", None), move("red", "board", None), move("red", "C2", "C1")]
    assert calls(MATCH, *events, shot("blue", "D3", moved=moved)) == [
        {"event": 4, "player": "Bob", "call": "forfeit", "reason": "knocked_out", "colour": "blue", "to": None},
        {"event": 4, "player": "Bob", "call": "forfeit", "reason": "knocked_out", "colour": "red", "to": None},
        {"event": 4, "player": "Bob", "call": "score", "points": 3},
    ]


def test_the_shot_ball_is_forfeited_before_the_knocked_out_ones() -> None:
    found = calls(MATCH, shot("red", "C2"), shot("blue", "out", moved=[move("red", "C2", None)]))
    assert [(call["call"], call["reason"], call.get("colour")) for call in found] == [
        ("foul", "bounced_out", None),
        ("forfeit", "bounced_out", "blue"),
        ("forfeit", "knocked_out", "red"),
    ]


def test_a_player_may_have_several_colours() -> None:
    match = header(starter="Ann")
    match["players"][0]["colours"] = ["red", "green"]
    assert last_call(match, shot("green", "C2"))["points"] == 4
    assert score(match, shot("green", "C2"), shot("blue", "C1"), shot("red", "C3"))["scores"] == {"Ann": 7, "Bob": 1}


def test_colours_of_the_board_that_nobody_plays_double_nothing() -> None:
    assert last_call(MATCH, shot("red", "D4"), board=grid("ABCD"))["points"] == 4
