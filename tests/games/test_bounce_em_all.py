"""Bounce-Em-All, rule by rule."""

import pytest

from tests.games.play import (
    COLOURS,
    calls,
    grid,
    header,
    last_call,
    move,
    placed,
    play,
    removed,
    round_of,
    score,
    shot,
)

MATCH = header(starter="Ann")
MISSES = ["off"] * 10


def test_one_ball_a_turn_clockwise_also_after_a_foul() -> None:
    match = header(3, starter="Bob")
    turns = [play(match, *events).turn for events in ([], [shot("blue", "off")])]
    assert turns == ["Bob", "Cem"]
    assert play(match, shot("blue", "A1"), shot("green", "A2"), shot("red", "A3")).turn == "Bob"


def test_the_live_score_shows_the_board_as_it_stands() -> None:
    events = [shot("red", "A3"), shot("blue", "C2"), shot("red", "B1", moved=[move("red", "A3", "C3")])]
    standings = [score(MATCH, *events[:n])["scores"]["Ann"] for n in range(4)]
    assert standings == [0, 6, 6, 4]


def test_lost_balls_are_set_aside_and_score_nothing() -> None:
    standing = score(MATCH, shot("red", "A3"), shot("blue", "off", moved=[move("red", "A3", None)]))
    assert (standing["scores"], standing["board"]) == ({"Ann": 0, "Bob": 0}, {})
    # One ball of Ann's is out of play: after five more throws she has none.
    events = round_of(2, MISSES)
    assert play(MATCH, *events).turn == "Ann"
    assert play(MATCH, *events, shot("red", "off")).turn == "Bob"


def test_the_match_ends_when_all_balls_are_thrown() -> None:
    events = [*round_of(2, MISSES), shot("red", "B2"), shot("blue", "C1")]
    assert play(MATCH, *events[:-1]).phase == "playing"
    standing = score(MATCH, *events)
    assert (standing["phase"], standing["turn"], standing["winners"]) == ("finished", None, ["Ann"])
    assert standing["calls"][-1] == {"event": 12, "player": "Ann", "call": "win"}
    assert standing["board"] == {"B2": "red", "C1": "blue"}
    assert standing["detail"] == {}


FIVE = [hole for y in range(1, 6) for hole in (f"B{y}", "off")]


def test_five_own_balls_in_a_row_get_ten_points_once() -> None:
    events = round_of(2, [*FIVE, "off", "A1"])
    standing = score(MATCH, *events)
    assert standing["scores"] == {"Ann": 15 + 10, "Bob": 1}
    assert [call for call in standing["calls"] if call["call"] == "bonus"] == [
        {"event": 12, "player": "Ann", "call": "bonus", "points": 10}
    ]
    assert [call["call"] for call in standing["calls"][-3:]] == ["score", "bonus", "win"]


def test_six_in_a_line_are_two_rows_and_still_one_bonus() -> None:
    six = [hole for y in range(1, 7) for hole in (f"B{y}", "off")]
    assert score(MATCH, *round_of(2, six), board=grid(lines=6))["scores"]["Ann"] == 21 + 10


def test_the_bonus_is_part_of_the_live_score() -> None:
    assert score(MATCH, *round_of(2, FIVE))["scores"]["Ann"] == 15 + 10
    broken = shot("red", "off", moved=[move("red", "B3", "D3")])
    assert score(MATCH, *round_of(2, FIVE), broken)["scores"]["Ann"] == 15


def test_a_row_with_another_players_ball_gets_no_bonus() -> None:
    mixed = ["B1", "B5", "B2", "off", "B3", "off", "B4", "off", "off", "off", "off", "off"]
    assert score(MATCH, *round_of(2, mixed))["scores"] == {"Ann": 10, "Bob": 10}


def test_rows_may_be_listed_by_the_layout() -> None:
    board = grid(rows=(("A1", "B2", "C1", "D2", "E1"),))
    zigzag = ["A1", "off", "B2", "off", "C1", "off", "D2", "off", "E1", "off"]
    assert score(MATCH, *round_of(2, zigzag), board=board)["scores"]["Ann"] == 2 + 2 + 1 + 2 + 2 + 10
    assert score(MATCH, *round_of(2, FIVE), board=board)["scores"]["Ann"] == 15


def test_bonus_calls_come_in_turn_order() -> None:
    both = [hole for y in range(1, 6) for hole in (f"B{y}", f"C{y}")]
    match = header(starter="Bob")
    throws = [shot(COLOURS[(i + 1) % 2], hole) for i, hole in enumerate([*both, "off", "A1"])]
    found = [call["player"] for call in score(match, *throws)["calls"] if call["call"] == "bonus"]
    assert found == ["Ann", "Bob"]


def test_rounds_add_up_and_the_next_player_clockwise_begins() -> None:
    match = header(3, starter="Bob", rounds=2)
    first = [shot(COLOURS[i % 3], "off") for i in range(1, 18)]
    standing = score(match, *first, shot("red", "A4"))
    assert (standing["phase"], standing["turn"], standing["board"]) == ("playing", "Cem", {})
    assert standing["scores"] == {"Ann": 8, "Bob": 0, "Cem": 0}
    assert standing["calls"][-1] == {"event": 18, "player": "Cem", "call": "round", "reason": "2"}
    second = [shot(COLOURS[i % 3], "off") for i in range(2, 18)]
    end = score(match, *first, shot("red", "A4"), *second, shot("red", "off"), shot("blue", "B3"))
    assert (end["phase"], end["scores"], end["winners"]) == ("finished", {"Ann": 8, "Bob": 6, "Cem": 0}, ["Ann"])
    assert end["board"] == {"B3": "blue"}


def test_as_many_rounds_are_played_as_agreed() -> None:
    match = header(starter="Ann", rounds=3)
    # Ann begins the first and the third, Bob the second.
    firsts = [shot(COLOURS[i % 2], "off") for i in (*range(12), *range(1, 13), *range(11))]
    standing = play(match, *firsts)
    assert [(call.player, call.reason) for call in standing.calls if call.call == "round"] == [
        ("Bob", "2"),
        ("Ann", "3"),
    ]
    assert (standing.phase, play(match, *firsts, shot("blue", "B1")).winners) == ("playing", ("Bob",))


def test_the_second_round_is_begun_by_the_next_after_the_winner_of_the_opening() -> None:
    match = header(3, rounds=2)
    opening = [shot("red", "A1"), shot("blue", "B2"), shot("green", "C1")]
    first = [shot(COLOURS[i % 3], "off") for i in range(1, 19)]
    standing = play(match, *opening, *first)
    assert (standing.turn, standing.calls[-1].player, standing.calls[-1].reason) == ("Cem", "Cem", "2")


def test_the_bonus_of_an_earlier_round_is_kept() -> None:
    match = header(starter="Ann", rounds=2)
    assert score(match, *round_of(2, [*FIVE, "off", "off"]))["scores"]["Ann"] == 25


def test_set_aside_balls_are_back_in_the_next_round() -> None:
    match = header(starter="Ann", rounds=2)
    events = round_of(2, [*MISSES, "off", "off"])
    again = [shot(COLOURS[(i + 1) % 2], "off") for i in range(11)]
    assert play(match, *events, *again).turn == "Ann"


def test_after_a_tie_only_the_tied_play_another_round() -> None:
    match = header(3, starter="Bob")
    # Bob began; Ann and Cem tie with 3, Bob has 1.
    throws = [shot(COLOURS[i % 3], "off") for i in range(1, 16)]
    events = [*throws, shot("blue", "A1"), shot("green", "B3"), shot("red", "D3")]
    standing = score(match, *events)
    assert (standing["phase"], standing["turn"], standing["board"]) == ("playing", "Cem", {})
    assert standing["calls"][-1] == {"event": 18, "player": "Cem", "call": "round", "reason": "tie"}
    assert last_call(match, *events, shot("blue", "A1"))["reason"] == "out_of_turn"
    assert play(match, *events, shot("green", "off")).turn == "Ann"
    assert play(match, *events, shot("green", "off"), shot("red", "off")).turn == "Cem"
    replay = [shot(colour, "off") for _ in range(5) for colour in ("green", "red")]
    end = score(match, *events, *replay, shot("green", "A1"), shot("red", "A2"))
    assert end["scores"] == {"Ann": 7, "Bob": 1, "Cem": 4}
    assert (end["winners"], end["board"]) == (["Ann"], {"A1": "green", "A2": "red"})


def test_if_a_replay_ties_again_only_those_still_tied_play_on() -> None:
    match = header(3, starter="Ann")
    nothing = round_of(3, ["off"] * 18)
    standing = play(match, *nothing)
    assert (standing.calls[-1].player, standing.calls[-1].reason) == ("Bob", "tie")
    # The replay begins with Bob; Bob and Cem tie with 2, Ann has nothing.
    replay = [shot(COLOURS[i % 3], "off") for i in range(1, 16)]
    replay += [shot("blue", "A2"), shot("green", "D2"), shot("red", "off")]
    again = play(match, *nothing, *replay)
    assert (again.turn, again.calls[-1].player, again.calls[-1].reason) == ("Cem", "Cem", "tie")
    assert play(match, *nothing, *replay, shot("green", "off")).turn == "Bob"
    third = [shot(colour, "off") for _ in range(5) for colour in ("green", "blue")]
    end = play(match, *nothing, *replay, *third, shot("green", "off"), shot("blue", "A1"))
    assert (end.winners, end.scores) == (("Bob",), (("Ann", 0), ("Bob", 3), ("Cem", 2)))


def test_a_tie_is_looked_at_only_after_the_last_round() -> None:
    match = header(starter="Ann", rounds=2)
    reasons = [call.reason for call in play(match, *round_of(2, ["off"] * 12)).calls if call.call == "round"]
    assert reasons == ["2"]


def test_a_player_without_a_ball_is_skipped() -> None:
    # Three of Ann's balls lie there at the start, so Bob throws alone in the end.
    start = placed(("red", "A1"), ("red", "A2"), ("red", "A3"))
    events = [start, *round_of(2, ["off"] * 6)]
    assert play(MATCH, *events).turn == "Bob"
    standing = play(MATCH, *events, shot("blue", "off"), shot("blue", "off"))
    assert (standing.turn, standing.phase) == ("Bob", "playing")
    assert play(MATCH, *events, *[shot("blue", "off")] * 3).winners == ("Ann",)


def test_placed_balls_score_and_leave_their_owners_corral() -> None:
    standing = score(MATCH, placed(("red", "A3"), ("blue", "board")))
    assert standing["scores"] == {"Ann": 6, "Bob": 0}
    assert (standing["calls"], standing["turn"]) == ([], "Ann")


def test_a_placed_ball_that_lies_there_already_is_passed_over() -> None:
    events = [shot("red", "A3"), placed(("red", "A3")), placed(("red", "A3"), ("red", "A3"))]
    assert score(MATCH, *events)["board"] == {"A3": "red"}
    # Ann has five balls left, and throws five more times.
    assert play(MATCH, *events, shot("blue", "off"), *round_of(2, ["off"] * 9)).phase == "playing"


def test_loose_balls_are_placed_by_their_number() -> None:
    loose = [placed(("red", "board")), placed(("red", "board"), ("red", "board"))]
    # Two of six lie there, so Ann has four throws.
    assert play(MATCH, *loose, *round_of(2, ["off"] * 7)).turn == "Bob"
    assert play(MATCH, *loose, *round_of(2, ["off"] * 8)).turn == "Bob"


def test_another_colour_in_the_hole_is_impossible() -> None:
    assert last_call(MATCH, shot("red", "A3"), placed(("blue", "A3")))["reason"] == "impossible"
    both = placed(("red", "A3"), ("blue", "A3"))
    assert last_call(MATCH, both) == {"event": 1, "player": "Ann", "call": "refused", "reason": "impossible"}
    assert play(MATCH, both).board == ()


def test_placing_a_colour_that_nobody_holds_is_no_such_ball() -> None:
    assert last_call(MATCH, placed(("green", "A3")))["reason"] == "no_such_ball"
    six = [("red", f"A{y}") for y in range(1, 6)] + [("red", "B1")]
    assert calls(MATCH, placed(*six)) == []
    assert last_call(MATCH, placed(*six), placed(("red", "B2")))["reason"] == "no_such_ball"
    seven = placed(*six, ("red", "B2"))
    assert last_call(MATCH, seven)["reason"] == "no_such_ball"
    assert play(MATCH, seven).board == ()


def test_placing_the_last_ball_of_the_player_in_turn_passes_the_turn_on() -> None:
    six = [("red", f"A{y}") for y in range(1, 6)] + [("red", "B1")]
    assert play(MATCH, placed(*six)).turn == "Bob"


def test_placing_every_ball_ends_nothing_and_leaves_nobody_in_turn() -> None:
    balls = [(colour, f"{letter}{y}") for colour, letter in (("red", "A"), ("blue", "B")) for y in range(1, 6)]
    all_balls = placed(*balls, ("red", "C1"), ("blue", "C2"))
    standing = play(MATCH, all_balls)
    assert (standing.phase, standing.turn, standing.expected.action) == ("playing", None, "nothing")
    assert last_call(MATCH, all_balls, shot("red", "D1"))["reason"] == "out_of_turn"
    assert play(MATCH, all_balls, removed(("blue", "C2"))).turn == "Bob"


def test_removed_balls_go_back_to_their_owners_corral() -> None:
    events = [shot("red", "A3"), removed(("red", "A3"))]
    standing = score(MATCH, *events)
    assert (standing["board"], standing["turn"], standing["scores"]["Ann"]) == ({}, "Bob", 0)
    assert standing["calls"] == [{"event": 1, "player": "Ann", "call": "score", "points": 6}]
    # Ann has six balls again.
    assert play(MATCH, *events, shot("blue", "off"), *round_of(2, ["off"] * 10)).turn == "Ann"


@pytest.mark.parametrize("ball", [("red", "A2"), ("blue", "A3"), ("red", "board"), ("purple", "A3")])
def test_removed_balls_that_are_not_there_are_passed_over(ball: tuple[str, str]) -> None:
    standing = score(MATCH, shot("red", "A3"), removed(ball, ("red", "A3"), ("red", "A3")))
    assert (standing["board"], len(standing["calls"])) == ({}, 1)


def test_hands_do_nothing_after_the_end() -> None:
    events = [*round_of(2, MISSES), shot("red", "B2"), shot("blue", "C1")]
    end = score(MATCH, *events)
    assert score(MATCH, *events, removed(("red", "B2")), placed(("red", "A1")), placed(("green", "B2"))) == end


def test_an_empty_row_of_the_layout_is_no_row() -> None:
    assert score(MATCH, board=grid(rows=((),)))["scores"] == {"Ann": 0, "Bob": 0}
