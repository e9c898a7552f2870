"""Bounce-Em-Straight, rule by rule; ``test_row_games.py`` has what it shares with Hit 66."""

from tests.games.play import calls, grid, header, last_call, loose, move, placed, play, removed, score, shot

MATCH = header(game="bounce-em-straight", starter="Ann")
THREE = header(3, game="bounce-em-straight", starter="Ann")
LINE_1 = placed(("red", "A1"), ("blue", "B1"), ("red", "C1"), ("blue", "D1"))


def test_the_score_is_the_balls_in_the_corral() -> None:
    assert score(MATCH)["scores"] == {"Ann": 6, "Bob": 6}
    standing = score(MATCH, shot("red", "A1"), shot("blue", "off"))
    assert standing["scores"] == {"Ann": 6, "Bob": 5}
    assert standing["detail"] == {"corral": {"Ann": {"red": 5, "blue": 1}, "Bob": {"blue": 5}}}


def test_the_score_lacks_the_balls_thrown_in_the_opening() -> None:
    match = header(game="bounce-em-straight")
    assert score(match, shot("red", "A1"))["scores"] == {"Ann": 5, "Bob": 6}
    assert score(match, shot("red", "A1"), shot("blue", "B2"))["scores"] == {"Ann": 6, "Bob": 6}


def test_all_five_balls_of_a_row_go_to_the_shooter() -> None:
    assert last_call(MATCH, LINE_1, shot("red", "E1")) == {
        "event": 2,
        "player": "Ann",
        "call": "row",
        "reason": "A1-E1",
        "points": 5,
    }
    standing = score(MATCH, LINE_1, shot("red", "E1"))
    assert standing["detail"]["corral"] == {"Ann": {"red": 6, "blue": 2}, "Bob": {"blue": 4}}
    assert standing["scores"] == {"Ann": 8, "Bob": 4}


def test_a_ball_in_two_rows_is_won_once() -> None:
    column = placed(("blue", "E2"), ("red", "E3"), ("blue", "E4"), ("blue", "E5"))
    found = calls(MATCH, LINE_1, column, shot("red", "E1"))
    assert [(call["reason"], call["points"]) for call in found] == [("A1-E1", 5), ("E1-E5", 4)]
    standing = score(MATCH, LINE_1, column, shot("red", "E1"))
    assert standing["scores"] == {"Ann": 2 + 9, "Bob": 1}
    assert standing["board"] == {}


def test_six_in_a_line_are_two_rows() -> None:
    line = placed(*[("blue", f"A{y}") for y in (1, 2, 4, 5, 6)])
    found = calls(MATCH, line, shot("red", "A3"), board=grid(lines=6))
    assert [(call["reason"], call["points"]) for call in found] == [("A1-A5", 5), ("A2-A6", 1)]


def test_won_balls_are_thrown_as_ones_own_and_forfeited_to_their_owner() -> None:
    events = [LINE_1, shot("red", "E1"), shot("blue", "A5"), shot("blue", "off")]
    assert calls(MATCH, *events)[-1] == {
        "event": 4,
        "player": "Ann",
        "call": "forfeit",
        "reason": "missed_board",
        "colour": "blue",
        "to": "Bob",
    }
    assert score(MATCH, *events)["detail"]["corral"] == {"Ann": {"red": 6, "blue": 1}, "Bob": {"blue": 4}}


def test_the_last_ball_may_win_the_row_that_keeps_a_player_in() -> None:
    events = [LINE_1, loose(red=3), shot("red", "E1")]
    standing = score(MATCH, *events)
    assert (standing["phase"], standing["turn"], standing["scores"]) == ("playing", "Bob", {"Ann": 5, "Bob": 4})


def test_the_only_player_with_balls_wins() -> None:
    events = [loose(blue=6), shot("red", "A1")]
    assert calls(MATCH, *events) == [{"event": 2, "player": "Ann", "call": "win"}]
    standing = score(MATCH, *events)
    assert (standing["phase"], standing["turn"], standing["winners"]) == ("finished", None, ["Ann"])
    assert standing["scores"] == {"Ann": 5, "Bob": 0}


def test_the_winner_need_not_be_the_shooter() -> None:
    assert play(MATCH, loose(red=5), shot("red", "A1")).winners == ("Bob",)
    assert play(MATCH, loose(red=5), shot("red", "off")).winners == ("Bob",)
    assert play(THREE, loose(red=5, blue=6), shot("red", "A1")).winners == ("Cem",)


def test_the_end_is_looked_at_after_rows_and_forfeits() -> None:
    # Bob, who is out, is back in with the forfeited ball.
    assert play(MATCH, loose(blue=6), shot("red", "off")).phase == "playing"
    # Ann's last ball wins a row while Bob has none.
    found = calls(MATCH, LINE_1, loose(red=3, blue=4), shot("red", "E1"))
    assert [(call["call"], call["player"]) for call in found] == [("row", "Ann"), ("win", "Ann")]


def test_hands_end_nothing_until_the_next_shot() -> None:
    assert play(MATCH, loose(blue=6)).phase == "playing"
    assert play(MATCH, loose(blue=6), shot("red", "board")).winners == ("Ann",)
    assert play(MATCH, loose(blue=6), removed(("blue", "board")), shot("red", "board")).phase == "playing"


def test_it_goes_on_while_two_have_balls() -> None:
    assert play(THREE, loose(red=5), shot("red", "A1")).phase == "playing"


def test_if_nobody_has_a_ball_the_last_to_win_a_row_wins() -> None:
    row = [placed(*[("blue", f"{letter}1") for letter in "ABCD"]), shot("red", "E1")]
    # A ball each changes hands, so that of all balls Bob keeps a red one.
    events = [*row, shot("blue", "off"), shot("red", "off"), loose(red=5, blue=6)]
    assert score(MATCH, *events)["detail"]["corral"] == {"Ann": {}, "Bob": {"red": 1}}
    assert calls(MATCH, *events, shot("red", "board")) == [{"event": 6, "player": "Ann", "call": "win"}]
    standing = score(MATCH, *events, shot("red", "board"))
    assert (standing["winners"], standing["scores"]) == (["Ann"], {"Ann": 0, "Bob": 0})


def test_of_several_rows_the_last_one_won_decides() -> None:
    again = placed(*[("red", f"{letter}2") for letter in "ABCD"])
    events = [LINE_1, shot("red", "E1"), again, shot("blue", "E2"), loose(red=6, blue=5)]
    assert score(MATCH, *events)["detail"]["corral"] == {"Ann": {"blue": 1}, "Bob": {}}
    assert play(MATCH, *events, shot("blue", "board")).winners == ("Bob",)


def test_if_no_row_was_ever_won_it_is_a_draw() -> None:
    events = [loose(red=5, blue=6), shot("red", "A1")]
    standing = score(MATCH, *events)
    assert (standing["phase"], standing["winners"], standing["calls"]) == ("finished", [], [])
    assert (standing["turn"], standing["scores"]) == (None, {"Ann": 0, "Bob": 0})


def test_calls_of_a_shot_come_in_order() -> None:
    throw = shot("red", "out", moved=[move("blue", "E2", "E1"), move("blue", "board", None)])
    found = calls(MATCH, LINE_1, placed(("blue", "E2")), loose(blue=1), throw)
    assert [(call["call"], call.get("reason")) for call in found] == [
        ("foul", "bounced_out"),
        ("forfeit", "bounced_out"),
        ("forfeit", "knocked_out"),
        ("row", "A1-E1"),
    ]
