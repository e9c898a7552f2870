"""The opening: all throw at once, the highest number begins."""

from dataclasses import replace

from tests.games.play import BOARD, calls, header, last_call, layout, move, placed, play, removed, score, shot

TWO, THREE = header(), header(3)


def test_everybody_throws_in_any_order_and_the_highest_number_begins() -> None:
    standing = score(THREE, shot("green", "B2"), shot("red", "B1"), shot("blue", "C4"))
    assert (standing["phase"], standing["turn"]) == ("playing", "Bob")
    assert standing["calls"] == [{"event": 3, "player": "Bob", "call": "opening", "points": 4}]


def test_nobody_is_in_turn_until_it_is_decided() -> None:
    standing = play(THREE, shot("green", "B2"))
    assert (standing.phase, standing.turn, standing.expected.players) == ("opening", None, ("Ann", "Bob"))


def test_nothing_doubles() -> None:
    assert last_call(TWO, shot("red", "A2"), shot("blue", "C3")) == {
        "event": 2,
        "player": "Bob",
        "call": "opening",
        "points": 3,
    }


def test_all_balls_go_back_afterwards() -> None:
    standing = score(TWO, shot("red", "A2"), shot("blue", "out"), *[shot("red", "B1"), shot("blue", "B2")] * 1)
    assert standing["board"] == {"B1": "red", "B2": "blue"}
    assert standing["scores"] == {"Ann": 1, "Bob": 4}


def test_the_board_shows_the_balls_but_nobody_scores() -> None:
    standing = score(TWO, shot("red", "A2"))
    assert (standing["board"], standing["scores"]) == ({"A2": "red"}, {"Ann": 0, "Bob": 0})


def test_fouls_are_called_but_nothing_is_forfeited() -> None:
    assert calls(TWO, shot("red", "A2", 2)) == [
        {"event": 1, "player": "Ann", "call": "foul", "reason": "double_bounce"}
    ]


def test_the_opening_call_comes_before_the_foul_of_the_last_throw() -> None:
    found = calls(TWO, shot("red", "A2"), shot("blue", "B5", 2))
    assert [(call["call"], call["player"]) for call in found] == [("opening", "Ann"), ("foul", "Bob")]


def test_the_wrong_side_is_the_one_of_another_than_the_balls_owner() -> None:
    assert last_call(TWO, shot("blue", "A2", side="south"))["reason"] == "wrong_side"
    assert calls(TWO, shot("blue", "A2", side="north")) == []


def test_foul_bounced_out_and_loose_balls_count_nothing() -> None:
    for nothing in (shot("red", "A5", 2), shot("red", "out"), shot("red", "board"), shot("red", "off", 0)):
        assert calls(TWO, nothing, shot("blue", "B1"))[0]["player"] == "Bob"


def test_a_knocked_out_ball_counts_nothing() -> None:
    assert last_call(TWO, shot("red", "A5"), shot("blue", "B1", moved=[move("red", "A5", None)]))["player"] == "Bob"


def test_a_ball_counts_where_it_lies_once_all_have_thrown() -> None:
    into = shot("blue", "B3", moved=[move("red", "A1", "A4")])
    assert last_call(TWO, shot("red", "A1"), into) == {"event": 2, "player": "Ann", "call": "opening", "points": 4}
    out = shot("blue", "B3", moved=[move("red", "A4", "board")])
    assert last_call(TWO, shot("red", "A4"), out)["player"] == "Bob"
    from_board = shot("blue", "B3", moved=[move("red", "board", "A4")])
    assert last_call(TWO, shot("red", "board"), from_board)["player"] == "Ann"


def test_a_tie_has_only_the_tied_leaders_throw_again() -> None:
    tied = [shot("red", "A3"), shot("blue", "B1"), shot("green", "C3")]
    assert play(THREE, *tied).calls == ()
    assert play(THREE, *tied).expected.players == ("Ann", "Cem")
    assert last_call(THREE, *tied, shot("blue", "B2")) == {
        "event": 4,
        "player": None,
        "call": "refused",
        "reason": "out_of_turn",
    }
    assert last_call(THREE, *tied, shot("green", "D1"), shot("red", "D2"))["player"] == "Ann"


def test_balls_of_a_tied_round_stay_and_no_longer_count() -> None:
    tied = [shot("red", "A3"), shot("blue", "B3")]
    standing = score(TWO, *tied)
    assert (standing["phase"], standing["board"]) == ("opening", {"A3": "red", "B3": "blue"})
    assert last_call(TWO, *tied, shot("red", "A1"), shot("blue", "B2"))["player"] == "Bob"
    moved = [move("red", "A3", "A5")]
    assert last_call(TWO, *tied, shot("red", "A1"), shot("blue", "B2", moved=moved))["player"] == "Bob"


def test_nobody_ahead_at_nothing_is_a_tie() -> None:
    assert play(TWO, shot("red", "off"), shot("blue", "off")).expected.players == ("Ann", "Bob")


def test_a_hole_that_is_numbered_0_is_worth_no_more_than_nothing() -> None:
    holes = tuple(replace(hole, value=hole.value - 1) for hole in BOARD.holes)
    throws = [shot("red", "A1"), shot("blue", "off")]
    assert play(TWO, *throws, board=layout(holes)).expected.players == ("Ann", "Bob")


def test_balls_go_back_early_when_a_tied_player_has_none_left() -> None:
    ties = [ball for y in range(1, 6) for ball in (shot("red", f"A{y}"), shot("blue", f"B{y}"))]
    assert len(score(TWO, *ties)["board"]) == 10
    last = [shot("red", "board"), shot("blue", "off")]
    standing = score(TWO, *ties, *last)
    assert (standing["phase"], standing["board"]) == ("opening", {})
    assert last_call(TWO, *ties, *last, shot("red", "A1"), shot("blue", "B2"))["player"] == "Bob"


def test_a_player_throws_only_once_a_round() -> None:
    assert last_call(TWO, shot("red", "A1"), shot("red", "A2"))["reason"] == "out_of_turn"


def test_the_thrower_is_the_owner_of_the_colour() -> None:
    assert last_call(TWO, shot("red", "A1", player="Bob")) == {
        "event": 1,
        "player": "Bob",
        "call": "refused",
        "reason": "out_of_turn",
    }
    assert calls(TWO, shot("red", "A1", player="Ann")) == []


def test_a_ball_taken_away_by_hand_counts_nothing() -> None:
    for place, other in (("A5", "B1"), ("board", "B1")):
        events = [shot("red", place), removed(("red", place)), shot("blue", other)]
        assert last_call(TWO, *events)["player"] == "Bob"


def test_balls_that_lie_there_at_the_start_are_no_throws() -> None:
    standing = play(TWO, placed(("red", "A5")))
    assert (standing.expected.players, standing.board) == (("Ann", "Bob"), (("A5", "red"),))
    assert last_call(TWO, placed(("red", "A5")), shot("red", "A1"), shot("blue", "B2"))["player"] == "Bob"


def test_a_starter_may_be_named_instead() -> None:
    standing = play(header(3, starter="Cem"))
    assert (standing.phase, standing.turn, standing.calls) == ("playing", "Cem", ())
