"""Bounce 21, rule by rule."""

import pytest

from referee.errors import BadHeader
from referee.games import find_game
from referee.score import scoreboard
from tests.games.play import (
    COLOURS,
    Json,
    calls,
    header,
    last_call,
    loose,
    move,
    placed,
    play,
    removed,
    score,
    shot,
    stand,
    start,
)

MATCH = header(game="bounce-21", starter="Ann")
THREE = header(3, game="bounce-21", starter="Ann")
SIT_STILL = header(game="bounce-21", starter="Ann", throw_means_stand=False)


def first_turns(*results: str) -> list[Json]:
    """Two throws of Ann, then two of Bob (then of Cem)."""
    return [shot(COLOURS[i // 2], result) for i, result in enumerate(results)]


MISSES = first_turns("off", "off", "off", "off")


def total(*holes: str) -> int:
    """Ann's total with balls in these holes; column A is red as they are."""
    points: int = score(MATCH, placed(*[("red", hole) for hole in holes]))["scores"]["Ann"]
    return points


def test_everybody_throws_two_balls_in_a_turn() -> None:
    events = [shot("red", "B2"), shot("red", "off"), shot("blue", "C1"), shot("blue", "off"), shot("green", "D1")]
    turns = [play(THREE, *events[:count]).turn for count in range(6)]
    assert turns == ["Ann", "Ann", "Bob", "Bob", "Cem", "Cem"]
    assert play(THREE, *events, shot("green", "off")).turn == "Ann"


def test_a_third_throw_in_the_first_turn_is_out_of_turn() -> None:
    assert last_call(MATCH, shot("red", "B2"), shot("red", "B3"), shot("red", "B4"))["reason"] == "out_of_turn"


def test_a_throw_of_the_next_in_the_first_turns_is_out_of_turn() -> None:
    assert last_call(MATCH, shot("red", "B2"), shot("blue", "B3")) == {
        "event": 2,
        "player": "Ann",
        "call": "refused",
        "reason": "out_of_turn",
    }


def test_the_last_turn_has_four_more_balls() -> None:
    events = [*MISSES, *[shot("red", "off")] * 4]
    assert play(MATCH, *events[:-1]).turn == "Ann"
    standing = play(MATCH, *events)
    assert (standing.turn, standing.phase) == ("Bob", "playing")
    assert score(MATCH, *events)["detail"] == {"shots": {"Ann": 6, "Bob": 2}}
    assert all(call.call != "stand" for call in standing.calls)
    assert play(MATCH, *events, *[shot("blue", "off")] * 4).phase == "finished"


def test_a_turn_ends_neither_at_21_nor_above_it() -> None:
    twenty = [shot("red", "A5"), shot("red", "E5"), shot("blue", "off"), shot("blue", "off")]
    for last in ("B1", "B4"):
        standing = play(MATCH, *twenty, shot("red", last))
        assert (standing.turn, standing.phase) == ("Ann", "playing")


def test_stand_ends_the_last_turn() -> None:
    assert last_call(MATCH, *MISSES, stand("Ann")) == {"event": 5, "player": "Ann", "call": "stand"}
    assert play(MATCH, *MISSES, stand("Ann")).turn == "Bob"
    assert play(MATCH, *MISSES, shot("red", "B2"), stand("Ann")).turn == "Bob"


def test_the_last_stand_ends_the_match() -> None:
    events = [*first_turns("B5", "B4", "C5", "C3"), stand("Ann"), stand("Bob")]
    assert calls(MATCH, *events) == [
        {"event": 6, "player": "Bob", "call": "stand"},
        {"event": 6, "player": "Ann", "call": "win"},
    ]
    standing = score(MATCH, *events)
    assert (standing["phase"], standing["turn"], standing["winners"]) == ("finished", None, ["Ann"])
    assert standing["scores"] == {"Ann": 9, "Bob": 8}


def test_cannot_stand_in_the_first_turn() -> None:
    assert last_call(MATCH, stand("Ann")) == {"event": 1, "player": "Ann", "call": "refused", "reason": "cannot_stand"}
    assert last_call(MATCH, shot("red", "B2"), stand("Ann"))["reason"] == "cannot_stand"


def test_a_stand_of_anybody_else_is_out_of_turn() -> None:
    for events in ([], MISSES):
        assert last_call(MATCH, *events, stand("Bob"))["reason"] == "out_of_turn"
    assert last_call(MATCH, *MISSES, stand("Bob"))["player"] == "Bob"


def test_nobody_is_in_turn_to_stand_in_the_opening() -> None:
    match = header(game="bounce-21")
    assert last_call(match, stand("Ann"))["reason"] == "out_of_turn"


def test_a_stand_after_the_end_is_game_over() -> None:
    end = [*MISSES, stand("Ann"), stand("Bob")]
    assert last_call(MATCH, *end, stand("Bob"))["reason"] == "game_over"


def test_a_decision_that_the_game_does_not_know_is_a_bad_event() -> None:
    assert last_call(MATCH, *MISSES, {**stand("Ann"), "choice": "stop"})["reason"] == "bad_event"
    assert calls(MATCH, *MISSES, {**stand("Ann"), "choice": "ready"}) == []


def test_throw_means_stand() -> None:
    events = [*MISSES, shot("red", "B2"), shot("blue", "B3", 2)]
    assert calls(MATCH, *events) == [
        {"event": 6, "player": "Ann", "call": "stand"},
        {"event": 6, "player": "Bob", "call": "foul", "reason": "double_bounce"},
        {"event": 6, "player": "Bob", "call": "forfeit", "reason": "double_bounce", "colour": "blue", "to": None},
    ]
    assert play(MATCH, *events).turn == "Bob"
    assert score(MATCH, *events)["detail"] == {"shots": {"Ann": 3, "Bob": 3}}
    # Also when the player in turn has not thrown at all, or names the thrower.
    assert calls(MATCH, *MISSES, shot("blue", "D3", player="Bob")) == [
        {"event": 5, "player": "Ann", "call": "stand"},
        {"event": 5, "player": "Bob", "call": "score", "points": 3},
    ]


def test_throw_means_stand_switched_off() -> None:
    assert last_call(SIT_STILL, *MISSES, shot("blue", "B3"))["reason"] == "out_of_turn"
    assert calls(SIT_STILL, *MISSES, stand("Ann"), shot("blue", "B3"))[0]["call"] == "score"


@pytest.mark.parametrize("value", ["no", 0, None])
def test_throw_means_stand_is_on_or_off(value: object) -> None:
    with pytest.raises(BadHeader, match="throw_means_stand"):
        play(header(game="bounce-21", throw_means_stand=value))


def test_only_a_throw_of_the_very_next_player_means_stand() -> None:
    first = first_turns(*["off"] * 6)
    assert last_call(THREE, *first, shot("green", "B2"))["reason"] == "out_of_turn"
    assert calls(THREE, *first, shot("blue", "B2"), shot("green", "B3"))[0] == {
        "event": 8,
        "player": "Bob",
        "call": "stand",
    }
    # After the last of the last turns nobody is next.
    last = [*first, stand("Ann"), stand("Bob")]
    assert last_call(THREE, *last, shot("red", "B2")) == {
        "event": 9,
        "player": "Cem",
        "call": "refused",
        "reason": "out_of_turn",
    }


def test_a_throw_that_names_another_player_means_nothing() -> None:
    assert last_call(MATCH, *MISSES, shot("blue", "B2", player="Ann"))["reason"] == "out_of_turn"
    assert last_call(MATCH, *MISSES, shot("red", "B2", player="Bob"))["reason"] == "out_of_turn"


def test_an_impossible_throw_or_an_unknown_ball_means_no_stand() -> None:
    events = [*MISSES, shot("red", "B2")]
    assert last_call(MATCH, *events, shot("blue", "B2"))["reason"] == "impossible"
    assert last_call(MATCH, *events, shot("green", "B2", player="Bob"))["reason"] == "no_such_ball"
    assert play(MATCH, *events, shot("blue", "B2"), shot("green", "B3")).turn == "Ann"


def test_a_next_player_without_a_ball_is_passed_over() -> None:
    events = [*first_turns(*["off"] * 6), loose(blue=4), shot("green", "B2")]
    assert [(call["call"], call["player"]) for call in calls(THREE, *events)] == [("stand", "Ann"), ("score", "Cem")]


def test_what_may_be_said_and_done_next() -> None:
    expected = [play(MATCH, *events).expected for events in ([], MISSES, [*MISSES, stand("Ann"), stand("Bob")])]
    assert [(one.players, one.action, one.choices) for one in expected] == [
        (("Ann",), "throw", ()),
        (("Ann",), "throw", ("stand",)),
        ((), "nothing", ()),
    ]


def test_the_scoreboard_tells_the_shots() -> None:
    lines = scoreboard(play(MATCH, *MISSES[:3])).splitlines()
    assert (lines[0], "Shots: Ann 2, Bob 1" in lines) == ("Bounce 21: Bob's turn", True)


def test_a_ball_scores_its_number_doubled_on_its_own_colour() -> None:
    assert last_call(MATCH, shot("red", "B4"))["points"] == 4
    assert last_call(MATCH, shot("red", "A4"))["points"] == 8
    assert (total("B4"), total("A4"), total("B4", "A4")) == (4, 8, 12)
    assert calls(MATCH, shot("red", "board")) == []


@pytest.mark.parametrize(
    ("holes", "best"),
    [
        ("", 0),
        ("B1", 11),
        ("A1", 11),
        ("B5 C5", 10),
        ("B5 C5 B1", 21),
        ("B5 C5 B1 C1", 12),
        ("B5 C5 A1 B1", 13),
        ("A5 B1", 21),
        ("A5 A1", 21),
        ("A5 B2 B1", 13),
        ("A5 B2 A1", 14),
        ("B1 C1", 12),
        ("B1 C1 D1", 13),
        ("A1 B1", 13),
        ("A1 E1", 13),
        ("A4 B1 A1", 21),
        ("A5 E5 B1", 21),
        ("A5 E5 A1", 22),
        ("A5 E5 B1 C1", 22),
        ("A5 E5 B5", 25),
        ("A5 E5 B5 A1", 27),
    ],
)
def test_a_1_counts_what_is_best_for_the_player(holes: str, best: int) -> None:
    # Column A and column E are red: a number there is doubled, a 1 counts 2 or 11.
    assert total(*holes.split()) == best


def test_the_choice_follows_the_balls_as_they_are_moved_also_after_the_turn() -> None:
    events = [shot("red", "B1"), shot("red", "B5"), shot("blue", "C4"), shot("blue", "C3")]
    assert score(MATCH, *events)["scores"] == {"Ann": 16, "Bob": 7}
    moved = shot("red", "D5", moved=[move("blue", "C3", "B3")])
    assert score(MATCH, *events, moved)["scores"] == {"Ann": 21, "Bob": 4 + 6}
    away = shot("blue", "D4", moved=[move("red", "B1", "D2")])
    assert score(MATCH, *events, moved, away)["scores"] == {"Ann": 12, "Bob": 14}


def test_lost_balls_are_set_aside_score_nothing_and_still_count_as_shots() -> None:
    events = [shot("red", "B4"), shot("red", "B5", 2), shot("blue", "C1", moved=[move("red", "B4", None)])]
    assert calls(MATCH, *events) == [
        {"event": 3, "player": "Bob", "call": "forfeit", "reason": "knocked_out", "colour": "red", "to": None},
        {"event": 3, "player": "Bob", "call": "score", "points": 1},
    ]
    standing = score(MATCH, *events)
    assert standing["scores"] == {"Ann": 0, "Bob": 11}
    assert standing["detail"] == {"shots": {"Ann": 2, "Bob": 1}}
    assert standing["board"] == {"C1": "blue"}


def test_nearest_to_21_without_going_over_wins() -> None:
    over = [shot("red", "A5"), shot("red", "E5"), shot("blue", "C5"), shot("blue", "C4"), shot("red", "B2")]
    standing = score(MATCH, *over, stand("Ann"), stand("Bob"))
    assert (standing["scores"], standing["winners"]) == ({"Ann": 22, "Bob": 9}, ["Bob"])


def test_21_itself_is_not_over_and_wins() -> None:
    events = first_turns("A5", "E5", "B5", "B4")
    standing = score(MATCH, *events, shot("red", "C1"), stand("Ann"), stand("Bob"))
    assert (standing["scores"], standing["winners"]) == ({"Ann": 21, "Bob": 18}, ["Ann"])


def test_of_totals_alike_the_fewest_shots_win_fouls_included() -> None:
    nine = first_turns("C5", "C4", "D5", "D4")
    ends = [*nine, shot("red", "off"), stand("Ann"), stand("Bob")]
    assert score(MATCH, *ends)["winners"] == ["Bob"]
    # A higher total needs no fewer shots.
    ends = [*nine, shot("red", "B1"), stand("Ann"), stand("Bob")]
    assert (score(MATCH, *ends)["winners"], score(MATCH, *ends)["scores"]["Ann"]) == (["Ann"], 20)


def test_else_the_win_is_shared() -> None:
    standing = score(MATCH, *first_turns("C5", "C4", "D5", "D4"), stand("Ann"), stand("Bob"))
    assert standing["winners"] == ["Ann", "Bob"]
    assert standing["calls"][-2:] == [
        {"event": 6, "player": "Ann", "call": "win"},
        {"event": 6, "player": "Bob", "call": "win"},
    ]


def test_a_total_of_0_is_a_total_like_any_other() -> None:
    assert score(MATCH, *MISSES, stand("Ann"), stand("Bob"))["winners"] == ["Ann", "Bob"]
    fewer = [*MISSES, shot("red", "off"), stand("Ann"), stand("Bob")]
    assert score(MATCH, *fewer)["winners"] == ["Bob"]


def test_if_all_are_over_nobody_wins() -> None:
    events = [shot("red", "A5"), shot("red", "E5"), shot("blue", "B5"), shot("blue", "B4")]
    over = [*events, shot("red", "C2"), stand("Ann"), shot("blue", "D4"), stand("Bob")]
    standing = score(MATCH, *over)
    assert (standing["phase"], standing["turn"], standing["winners"]) == ("finished", None, [])
    assert standing["scores"] == {"Ann": 22, "Bob": 22}
    assert [call["call"] for call in standing["calls"][-1:]] == ["stand"]


def test_the_opening_shows_0_and_counts_no_shots() -> None:
    match = header(game="bounce-21")
    standing = score(match, shot("red", "A4"))
    assert (standing["scores"], standing["detail"]) == ({"Ann": 0, "Bob": 0}, {"shots": {"Ann": 0, "Bob": 0}})
    begun = score(match, shot("red", "A1", 2), shot("blue", "B1"))
    assert (begun["turn"], begun["detail"]) == ("Bob", {"shots": {"Ann": 0, "Bob": 0}})


@pytest.mark.parametrize("hands", [[], [loose(red=6), removed(("red", "board"))]], ids=["alone", "with hands"])
def test_after_the_opening_everybody_has_both_turns(hands: list[Json]) -> None:
    match = header(game="bounce-21")
    events = [*hands, shot("red", "A1"), shot("blue", "B2")]
    throws = [shot(colour, "off") for colour in ("blue", "blue", "red", "red", *["blue"] * 4, *["red"] * 4)]
    turns = [play(match, *events, *throws[:count]).turn for count in range(13)]
    assert turns == ["Bob", "Bob", "Ann", "Ann", "Bob", "Bob", "Bob", "Bob", "Ann", "Ann", "Ann", "Ann", None]


def test_the_rules_need_a_board() -> None:
    game = find_game("bounce-21")
    assert game.reads_layout
    with pytest.raises(BadHeader, match="needs a board"):
        game.start(start(MATCH), None)


def test_a_named_starter_begins_both_turns() -> None:
    match = header(3, game="bounce-21", starter="Cem")
    first = [shot(colour, "off") for colour in ("green", "green", "red", "red", "blue", "blue")]
    turns = [play(match, *first[:count]).turn for count in (0, 2, 4, 6)]
    assert turns == ["Cem", "Ann", "Bob", "Cem"]
    assert play(match, *first, stand("Cem"), stand("Ann"), stand("Bob")).phase == "finished"


def test_a_player_of_two_colours_has_still_six_shots() -> None:
    match = header(game="bounce-21", starter="Ann")
    match["players"][0]["colours"] = ["red", "green"]
    events = [*MISSES, *[shot("green", "off")] * 3, shot("red", "off")]
    assert play(match, *events).turn == "Bob"
    assert score(match, shot("red", "B4"), shot("green", "C4"))["scores"]["Ann"] == 12


def test_placed_balls_are_no_shots() -> None:
    standing = score(MATCH, placed(("red", "B4"), ("blue", "B5")))
    assert (standing["scores"], standing["detail"]) == (
        {"Ann": 4, "Bob": 10},
        {"shots": {"Ann": 0, "Bob": 0}},
    )


def test_a_turn_is_over_without_a_ball() -> None:
    # Three of Ann's balls lie there at the start: her last turn has one throw.
    start = [loose(red=3), *MISSES]
    assert play(MATCH, *start).turn == "Ann"
    assert play(MATCH, *start, shot("red", "off")).turn == "Bob"
    assert play(MATCH, loose(red=5), shot("red", "off")).turn == "Bob"
    assert play(MATCH, loose(red=4), *MISSES).turn == "Bob"
    assert play(MATCH, loose(red=4), *MISSES, stand("Bob")).phase == "finished"


def test_hands_skip_a_player_in_turn_who_is_left_without_a_ball() -> None:
    assert play(MATCH, loose(red=6)).turn == "Bob"
    standing = play(MATCH, *MISSES, loose(red=4))
    assert (standing.turn, standing.calls[-1].event) == ("Bob", 4)
    # The turn that was passed over is over, also when balls come back.
    assert play(MATCH, *MISSES, loose(red=4), removed(("red", "board"))).turn == "Bob"


def test_a_turn_cut_short_leaves_the_next_player_a_whole_one() -> None:
    events = [shot("red", "off"), loose(red=5), shot("blue", "off")]
    assert play(MATCH, *events).turn == "Bob"
    assert play(MATCH, *events, shot("blue", "off")).turn == "Bob"


def test_the_last_turn_has_no_more_than_four_balls_also_after_a_short_first_one() -> None:
    # Ann's first turn is passed over; her balls come back during Bob's.
    events = [loose(red=6), shot("blue", "off"), removed(*[("red", "board")] * 6), shot("blue", "off")]
    assert play(MATCH, *events, *[shot("red", "off")] * 3).turn == "Ann"
    assert play(MATCH, *events, *[shot("red", "off")] * 4).turn == "Bob"


def test_placing_every_ball_ends_nothing_and_leaves_nobody_in_turn() -> None:
    for events in ([loose(red=6, blue=6)], [*MISSES, loose(red=4, blue=4)]):
        standing = play(MATCH, *events)
        assert (standing.phase, standing.turn, standing.expected.action) == ("playing", None, "nothing")
        assert last_call(MATCH, *events, shot("red", "A1"))["reason"] == "out_of_turn"
        assert last_call(MATCH, *events, stand("Ann"))["reason"] == "out_of_turn"
        assert play(MATCH, *events, removed(("blue", "board"))).turn == "Bob"


def test_hands_do_nothing_after_the_end() -> None:
    events = [*first_turns("B5", "B4", "C5", "C3"), stand("Ann"), stand("Bob")]
    assert score(MATCH, *events, removed(("red", "B5")), placed(("red", "B1"))) == score(MATCH, *events)


def test_game_over() -> None:
    end = [*MISSES, stand("Ann"), stand("Bob")]
    assert last_call(MATCH, *end, shot("red", "B1")) == {
        "event": 7,
        "player": None,
        "call": "refused",
        "reason": "game_over",
    }
