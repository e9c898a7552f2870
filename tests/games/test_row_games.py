"""What Bounce-Em-Straight and Hit 66 share: rows, forfeits, players out and back in."""

import pytest

from referee.errors import BadHeader
from referee.events import event_from_json
from referee.games import find_game
from referee.games.game import Step
from referee.score import scoreboard
from tests.games.play import (
    NOTE,
    Json,
    calls,
    grid,
    header,
    last_call,
    loose,
    move,
    placed,
    play,
    removed,
    score,
    shot,
    start,
)

GAMES = ("bounce-em-straight", "hit-66")
LINE_1 = placed(("red", "A1"), ("blue", "B1"), ("red", "C1"), ("blue", "D1"))
"""Four of the row A1-E1, which a ball in E1 completes."""


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def match(game: str) -> Json:
    """Ann and Bob; Ann begins."""
    return header(game=game, starter="Ann")


@pytest.fixture
def three(game: str) -> Json:
    """Ann, Bob and Cem, who sits on Bob's left; Ann begins."""
    return header(3, game=game, starter="Ann")


def rows(match: Json, *events: object) -> list[str]:
    """The rows that the last event won."""
    return [call["reason"] for call in calls(match, *events) if call["call"] == "row"]


def corral(match: Json, *events: object) -> Json:
    """Every player's balls by colour."""
    found: Json = score(match, *events)["detail"]["corral"]
    return found


def test_the_corrals_are_full_at_the_start(match: Json) -> None:
    assert corral(match) == {"Ann": {"red": 6}, "Bob": {"blue": 6}}


def test_the_rules_need_a_board(match: Json) -> None:
    game = find_game(match["game"])
    assert game.reads_layout
    with pytest.raises(BadHeader, match="needs a board"):
        game.start(start(match), None)


def test_an_event_that_the_game_does_not_read_leaves_the_match_as_it_is(match: Json) -> None:
    state = find_game(match["game"]).start(start(match), grid())
    assert state.apply(event_from_json(NOTE)) == Step(state=state)


def test_the_scoreboard_tells_what_is_in_the_corrals(match: Json) -> None:
    lines = scoreboard(play(match, loose(red=5), shot("red", "off"))).splitlines()
    titles = {"bounce-em-straight": "Bounce-Em-Straight", "hit-66": "Hit 66"}
    assert lines[0].startswith(f"{titles[match['game']]}: ")
    assert {"Ann's corral: empty", "Bob's corral: 6 blue, 1 red"} <= set(lines)


def test_a_shot_scores_nothing_by_itself(match: Json) -> None:
    standing = score(match, shot("red", "A5"))
    assert (standing["calls"], standing["turn"], standing["board"]) == ([], "Bob", {"A5": "red"})
    assert standing["detail"]["corral"]["Ann"] == {"red": 5}


@pytest.mark.parametrize("last", [shot("red", "E1"), shot("red", "E1", side="south")], ids=str)
def test_a_row_is_won_by_whoever_completes_it_whatever_its_colours(match: Json, last: Json) -> None:
    call = last_call(match, LINE_1, last)
    assert (call["call"], call["player"], call["reason"]) == ("row", "Ann", "A1-E1")
    standing = score(match, LINE_1, last)
    assert (standing["board"], standing["turn"]) == ({}, "Bob")


@pytest.mark.parametrize(
    ("four", "last", "name"),
    [
        ("A1 A2 A3 A4", "A5", "A1-A5"),
        ("A1 B1 C1 D1", "E1", "A1-E1"),
        ("A1 B2 C3 D4", "E5", "A1-E5"),
        ("A5 B4 C3 D2", "E1", "A5-E1"),
        ("A1 A2 A4 A5", "A3", "A1-A5"),
    ],
)
def test_rows_run_along_lines_columns_and_diagonals(match: Json, four: str, last: str, name: str) -> None:
    assert rows(match, placed(*[("blue", hole) for hole in four.split()]), shot("red", last)) == [name]


def test_rows_may_be_listed_by_the_layout(match: Json) -> None:
    board = grid(rows=(("E1", "D2", "C1", "B2", "A1"),))
    zigzag = placed(*[("blue", hole) for hole in ("A1", "B2", "C1", "D2")])
    assert last_call(match, zigzag, shot("red", "E1"), board=board)["reason"] == "A1-E1"
    assert calls(match, LINE_1, shot("red", "E1"), board=board) == []


def test_several_rows_are_called_in_order_of_their_names(three: Json) -> None:
    column = placed(("red", "E2"), ("red", "E3"), ("blue", "E4"), ("blue", "E5"))
    diagonal = placed(*[("green", hole) for hole in ("A5", "B4", "C3", "D2")])
    assert rows(three, LINE_1, column, diagonal, shot("red", "E1")) == ["A1-E1", "A5-E1", "E1-E5"]


def test_a_knocked_ball_completes_a_row_too(match: Json) -> None:
    beside = placed(("blue", "E2"))
    standing = score(match, LINE_1, beside, shot("red", "C5", moved=[move("blue", "E2", "E1")]))
    assert [(call["call"], call["player"]) for call in standing["calls"]] == [("row", "Ann")]
    assert standing["board"] == {"C5": "red"}


def test_a_row_is_won_when_the_same_shot_knocks_out_another_ball(match: Json) -> None:
    found = calls(match, LINE_1, placed(("blue", "E2")), shot("red", "E1", moved=[move("blue", "E2", None)]))
    assert [(call["call"], call["reason"]) for call in found] == [("forfeit", "knocked_out"), ("row", "A1-E1")]


def test_a_foul_ball_is_off_before_rows_are_looked_at(match: Json) -> None:
    standing = score(match, LINE_1, shot("red", "E1", 2))
    assert [call["call"] for call in standing["calls"]] == ["foul", "forfeit"]
    assert standing["board"] == {"A1": "red", "B1": "blue", "C1": "red", "D1": "blue"}


@pytest.mark.parametrize("throw", [shot("red", "C5", 2), shot("red", "out"), shot("red", "on_ball")], ids=str)
def test_a_foul_forfeits_the_ball_and_not_the_row(match: Json, throw: Json) -> None:
    knocked = {**throw, "moved": [move("blue", "E2", "E1")]}
    found = calls(match, LINE_1, placed(("blue", "E2")), knocked)
    assert [call["call"] for call in found] == ["foul", "forfeit", "row"]
    assert found[-1]["player"] == "Ann"


def test_foul_wins_no_row(game: str) -> None:
    match = header(game=game, starter="Ann", foul_wins_no_row=True)
    events = [LINE_1, placed(("blue", "E2")), shot("red", "C5", 2, moved=[move("blue", "E2", "E1")])]
    standing = score(match, *events)
    assert [call["call"] for call in standing["calls"]] == ["foul", "forfeit"]
    assert set(standing["board"]) == {"A1", "B1", "C1", "D1", "E1"}
    # The row stays, and nobody wins it any more.
    assert rows(match, *events, shot("blue", "C5")) == []
    assert rows(match, LINE_1, placed(("blue", "E2")), shot("red", "E1")) == ["A1-E1"]


@pytest.mark.parametrize("value", ["yes", 1, None])
def test_foul_wins_no_row_is_on_or_off(game: str, value: object) -> None:
    with pytest.raises(BadHeader, match="foul_wins_no_row"):
        play(header(game=game, foul_wins_no_row=value))


def test_a_row_that_was_full_before_is_not_completed(match: Json) -> None:
    full = [LINE_1, placed(("red", "E1"))]
    assert rows(match, *full, shot("red", "A5")) == []
    assert rows(match, *full, shot("red", "E1", moved=[move("red", "E1", "E2")])) == []
    assert rows(match, *full, shot("red", "C4", moved=[move("blue", "D1", "E1"), move("red", "E1", "D1")])) == []


def test_a_full_row_that_nobody_won_stays_until_it_is_broken_and_filled_again(match: Json) -> None:
    full = [LINE_1, placed(("red", "E1")), shot("red", "A5", moved=[move("red", "E1", "E3")])]
    assert rows(match, *full, shot("blue", "E1")) == ["A1-E1"]


def test_hands_complete_no_row(match: Json) -> None:
    standing = score(match, LINE_1, placed(("red", "E1")))
    assert (standing["calls"], len(standing["board"])) == ([], 5)


def test_loose_balls_belong_to_no_row(match: Json) -> None:
    assert rows(match, LINE_1, shot("red", "board")) == []


@pytest.mark.parametrize(
    ("throw", "foul"),
    [
        (shot("red", "A1", 0), "no_bounce"),
        (shot("red", "A1", 2), "double_bounce"),
        (shot("red", "A1", side="north"), "wrong_side"),
        (shot("red", "off"), "missed_board"),
        (shot("red", "out"), "bounced_out"),
        (shot("red", "on_ball"), "landed_on_ball"),
    ],
    ids=str,
)
def test_an_own_foul_ball_goes_to_the_player_on_the_left(three: Json, throw: Json, foul: str) -> None:
    assert calls(three, throw) == [
        {"event": 1, "player": "Ann", "call": "foul", "reason": foul},
        {"event": 1, "player": "Ann", "call": "forfeit", "reason": foul, "colour": "red", "to": "Bob"},
    ]
    assert corral(three, throw) == {"Ann": {"red": 5}, "Bob": {"blue": 6, "red": 1}, "Cem": {"green": 6}}


def test_the_last_player_has_the_first_on_the_left(three: Json) -> None:
    events = [shot("red", "A1"), shot("blue", "A2"), shot("green", "off")]
    assert calls(three, *events)[-1]["to"] == "Ann"


def test_any_other_ball_goes_back_to_its_owner(three: Json) -> None:
    events = [shot("red", "off"), shot("red", "off")]
    assert calls(three, *events) == [
        {"event": 2, "player": "Bob", "call": "foul", "reason": "missed_board"},
        {"event": 2, "player": "Bob", "call": "forfeit", "reason": "missed_board", "colour": "red", "to": "Ann"},
    ]
    assert corral(three, *events)["Ann"] == {"red": 6}


def test_knocked_out_balls_are_forfeited_alike(three: Json) -> None:
    lying = placed(("red", "B1"), ("blue", "B2"), ("green", "board"))
    moved = [move("green", "board", None), move("red", "B1", None), move("blue", "B2", None)]
    found = calls(three, lying, shot("red", "B3", moved=moved))
    assert [(call["call"], call["reason"], call["colour"], call["to"]) for call in found] == [
        ("forfeit", "knocked_out", "green", "Cem"),
        ("forfeit", "knocked_out", "red", "Bob"),
        ("forfeit", "knocked_out", "blue", "Bob"),
    ]
    assert {call["player"] for call in found} == {"Ann"}
    assert corral(three, lying, shot("red", "B3", moved=moved))["Bob"] == {"blue": 6, "red": 1}


def test_the_shot_ball_is_forfeited_before_the_knocked_out_ones(three: Json) -> None:
    found = calls(three, placed(("blue", "B2")), shot("red", "out", moved=[move("blue", "B2", None)]))
    assert [(call["call"], call["reason"]) for call in found] == [
        ("foul", "bounced_out"),
        ("forfeit", "bounced_out"),
        ("forfeit", "knocked_out"),
    ]


def test_a_ball_of_either_own_colour_goes_to_the_left(game: str) -> None:
    match = header(game=game, starter="Ann")
    match["players"][0]["colours"] = ["red", "green"]
    match["players"][1]["colours"] = ["blue", "yellow"]
    assert corral(match) == {"Ann": {"red": 6, "green": 6}, "Bob": {"blue": 6, "yellow": 6}}
    lying = placed(("yellow", "B1"), ("green", "B2"))
    moved = [move("yellow", "B1", None), move("green", "B2", None)]
    found = calls(match, lying, shot("red", "off", moved=moved))[1:]
    assert [(call["colour"], call["to"]) for call in found] == [("red", "Bob"), ("yellow", "Bob"), ("green", "Bob")]


def test_a_received_ball_may_be_thrown(match: Json) -> None:
    events = [shot("red", "off"), shot("red", "A1")]
    assert calls(match, *events) == []
    assert corral(match, *events) == {"Ann": {"red": 5}, "Bob": {"blue": 6}}


def test_a_colour_that_the_player_does_not_hold_is_out_of_turn(match: Json) -> None:
    assert last_call(match, shot("blue", "A1"))["reason"] == "out_of_turn"
    assert last_call(match, shot("red", "off"), shot("red", "A1"), shot("blue", "A2"))["reason"] == "out_of_turn"


def test_a_player_without_balls_is_skipped(three: Json) -> None:
    assert play(three, loose(blue=6), shot("red", "A1")).turn == "Cem"


def test_a_player_is_back_in_with_a_ball(three: Json) -> None:
    events = [loose(blue=6), shot("red", "A1")]
    assert play(three, *events, shot("green", "A2", moved=[move("blue", "board", None)])).turn == "Ann"
    back = [*events, shot("green", "A2", moved=[move("blue", "board", None)]), shot("red", "A3")]
    assert play(three, *back).turn == "Bob"


def test_the_player_on_the_left_gets_the_ball_also_when_out(three: Json) -> None:
    events = [loose(blue=6), shot("red", "off")]
    assert calls(three, *events)[-1]["to"] == "Bob"
    # With it, it is Bob's turn at once.
    assert play(three, *events).turn == "Bob"


def test_hands_skip_a_player_in_turn_who_is_left_without_a_ball(match: Json) -> None:
    assert play(match, loose(red=6)).turn == "Bob"
    assert play(match, loose(red=6), removed(("red", "board"))).turn == "Bob"


def test_placing_every_ball_ends_nothing_and_leaves_nobody_in_turn(match: Json) -> None:
    standing = play(match, loose(red=6, blue=6))
    assert (standing.phase, standing.turn, standing.expected.action) == ("playing", None, "nothing")
    assert last_call(match, loose(red=6, blue=6), shot("red", "A1"))["reason"] == "out_of_turn"
    assert play(match, loose(red=6, blue=6), removed(("blue", "board"))).turn == "Bob"


def test_removed_balls_go_to_their_owner_whoever_threw_them(match: Json) -> None:
    events = [shot("red", "off"), shot("red", "A1"), removed(("red", "A1"))]
    assert corral(match, *events) == {"Ann": {"red": 6}, "Bob": {"blue": 6}}
    assert play(match, *events).turn == "Ann"


def test_placed_balls_come_from_their_owner_else_the_next_who_holds_one(three: Json) -> None:
    forfeited = [shot("red", "off"), shot("red", "A1"), shot("green", "A2")]
    assert corral(three, shot("red", "off"), loose(red=1)) == {
        "Ann": {"red": 4},
        "Bob": {"blue": 6, "red": 1},
        "Cem": {"green": 6},
    }
    assert corral(three, shot("red", "off"), loose(red=6))["Bob"] == {"blue": 6}
    assert last_call(three, *forfeited, loose(red=6))["reason"] == "no_such_ball"


def test_the_corrals_lack_the_balls_thrown_in_the_opening(game: str) -> None:
    match = header(game=game)
    standing = score(match, shot("red", "A1"))
    assert standing["detail"]["corral"] == {"Ann": {"red": 5}, "Bob": {"blue": 6}}
    fouled = score(match, shot("red", "A1", 2))
    assert (fouled["detail"]["corral"], len(fouled["calls"])) == ({"Ann": {"red": 5}, "Bob": {"blue": 6}}, 1)
    assert corral(match, shot("red", "A1", 2), shot("blue", "B1")) == {"Ann": {"red": 6}, "Bob": {"blue": 6}}


def test_a_starter_may_be_named_instead_of_an_opening(game: str) -> None:
    standing = play(header(game=game, starter="Bob"))
    assert (standing.phase, standing.turn) == ("playing", "Bob")


def test_who_has_the_highest_number_begins(game: str) -> None:
    standing = score(header(game=game), shot("red", "A1"), shot("blue", "B2"))
    assert (standing["phase"], standing["turn"], standing["board"]) == ("playing", "Bob", {})


def test_rows_do_not_count_in_the_opening(game: str) -> None:
    match = header(game=game)
    standing = score(match, LINE_1, shot("red", "E1"))
    assert (standing["calls"], standing["phase"], len(standing["board"])) == ([], "opening", 5)


def test_hands_do_nothing_after_the_end(match: Json) -> None:
    events = [loose(red=5, blue=6), shot("red", "board")]
    end = score(match, *events)
    assert end["phase"] == "finished"
    assert score(match, *events, removed(("red", "board")), placed(("blue", "A1"))) == end


def test_game_over(match: Json) -> None:
    events = [loose(red=5, blue=6), shot("red", "board")]
    assert last_call(match, *events, shot("pink", "A1", player="Bob")) == {
        "event": 3,
        "player": "Bob",
        "call": "refused",
        "reason": "game_over",
    }


def test_impossible_shots_are_refused_as_a_whole(match: Json) -> None:
    throw = shot("red", "E1", moved=[move("red", "A2", None)])
    assert last_call(match, LINE_1, throw)["reason"] == "impossible"
    assert {**score(match, LINE_1, throw), "calls": []} == score(match, LINE_1)
