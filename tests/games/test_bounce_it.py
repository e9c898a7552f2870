"""Bounce It!, rule by rule."""

import json
import math
from pathlib import Path

import pytest

from referee.errors import BadHeader
from referee.events import Note
from referee.games.bounce_it import start as begin
from referee.games.game import Step
from referee.score import score_log, scoreboard, standing_to_json
from tests.games.chips import BALLS, BLUE, MISSED, L, M, S, box, hit, miss, said, say
from tests.games.play import NOTE, Json, calls, last_call, move, placed, play, removed, ruling, score, start

MATCH = box()
SMALL_TARGET = box(target=1)
OVER = [hit(S), say("Ann", "stop")]


def detail(match: Json, *events: object) -> Json:
    shown: Json = score(match, *events)["detail"]
    return shown


def supply(*counts: int) -> dict[str, int]:
    return dict(zip(("1", "2", "5", "10", "20"), counts, strict=True))


def refused(match: Json, *events: object) -> str:
    """Why the last event was refused; nothing but the call has changed."""
    before, after = score(match, *events[:-1]), score(match, *events)
    *kept, call = after["calls"]
    assert {**after, "calls": kept} == before
    assert (call["event"], call["call"]) == (len(events), "refused")
    return str(call["reason"])


@pytest.mark.parametrize(
    ("players", "left"),
    [(2, (2, 3, 3, 3, 4)), (3, (2, 3, 3, 3, 4)), (4, (2, 4, 4, 4, 5)), (5, (3, 5, 5, 5, 6)), (6, (4, 6, 6, 6, 7))],
)
def test_the_supply_goes_by_the_number_of_players_and_one_chip_lies_on_the_platform(
    players: int, left: tuple[int, ...]
) -> None:
    assert detail(box(players)) == {
        "chips": {name: [] for name in ("Ann", "Bob", "Cem", "Dot", "Eve", "Fay")[:players]},
        "current": 1,
        "supply": supply(*left),
        "balls_left": list(BALLS),
        "may_raise": False,
    }


def test_a_supply_of_ones_own_and_its_lowest_chip_begins() -> None:
    shown = detail(box(supply={"5": 2, "20": 1.0}))
    assert (shown["current"], shown["supply"]) == (5, supply(0, 0, 1, 0, 1))


def test_the_score_of_a_match_that_begins() -> None:
    assert {**score(MATCH), "detail": {}} == {
        "game": "bounce-it",
        "phase": "playing",
        "turn": "Ann",
        "scores": {"Ann": 0, "Bob": 0},
        "winners": [],
        "board": {},
        "calls": [],
        "detail": {},
    }


def test_the_first_player_named_begins_unless_the_match_names_a_starter() -> None:
    assert play(MATCH).turn == "Ann"
    match = box(3, starter="Bob")
    turns = [play(match, *[miss(ball) for ball in BALLS] * n).turn for n in range(4)]
    assert turns == ["Bob", "Cem", "Ann", "Bob"]


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"touched_board": True},
        {"result": {"place": "hole", "hole": "the pit"}},
        {"table_bounces": 1.0},
        {"player": "Ann"},
        {"colour": "orange", "side": "east"},
    ],
    ids=str,
)
def test_a_hit_is_one_bounce_on_the_table_and_then_in_the_hole(more: Json) -> None:
    assert last_call(MATCH, hit(S, **more)) == {"event": 1, "player": "Ann", "call": "hit"}


@pytest.mark.parametrize(
    "more",
    [
        {"table_bounces": 0},
        {"table_bounces": 2},
        {"result": {"place": "board"}},
        {"result": {"place": "on_ball"}},
        {"result": {"place": "off"}, "touched_board": True},
        {"result": {"place": "off"}, "touched_board": False},
    ],
    ids=str,
)
def test_all_else_is_a_miss(more: Json) -> None:
    assert last_call(MATCH, hit(S, **more)) == {"event": 1, "player": "Ann", "call": "miss"}
    assert detail(MATCH, hit(S, **more))["may_raise"] is False


def test_a_ball_that_another_knocks_into_the_hole_is_no_hit() -> None:
    knocked = miss(S, moved=[move("blue", "board", "A1")])
    assert [call["call"] for call in score(MATCH, miss(BLUE), knocked)["calls"]] == ["miss", "miss"]


def test_every_ball_is_thrown_once_a_turn() -> None:
    assert detail(MATCH, miss(M), miss(BLUE))["balls_left"] == [S, L]
    assert refused(MATCH, miss(M), hit(M)) == "no_such_ball"
    assert refused(MATCH, miss(BLUE), hit(BLUE)) == "no_such_ball"
    assert refused(MATCH, hit("green")) == "no_such_ball"


def test_after_a_last_ball_that_misses_the_chip_stays_for_the_player_on_the_left() -> None:
    missed = [miss(S), miss(M), miss(L), miss(BLUE)]
    assert play(MATCH, *missed[:3]).turn == "Ann"
    after = score(MATCH, *missed)
    assert (after["turn"], after["scores"]) == ("Bob", {"Ann": 0, "Bob": 0})
    assert (after["detail"]["current"], after["detail"]["balls_left"]) == (1, list(BALLS))


def test_a_raised_chip_stays_after_a_last_ball_that_misses() -> None:
    after = score(MATCH, hit(S), say("Ann", "raise"), miss(M), miss(L), miss(BLUE))
    assert (after["turn"], after["detail"]["current"], after["scores"]["Ann"]) == ("Bob", 2, 0)


def test_after_a_hit_with_balls_left_the_player_may_raise_or_stop() -> None:
    after = score(MATCH, hit(S))
    assert (after["turn"], after["scores"]["Ann"]) == ("Ann", 0)
    assert (after["detail"]["may_raise"], after["detail"]["current"]) == (True, 1)


def test_raise_returns_the_chip_and_takes_the_next_higher_one() -> None:
    events = [hit(S), say("Ann", "raise")]
    assert last_call(MATCH, *events) == {"event": 2, "player": "Ann", "call": "raise", "points": 2}
    shown = detail(MATCH, *events)
    assert (shown["current"], shown["supply"], shown["may_raise"]) == (2, supply(3, 2, 3, 3, 4), False)
    assert shown["balls_left"] == [M, L, BLUE]


def test_raise_takes_the_next_higher_value_that_the_supply_has() -> None:
    match = box(supply={"1": 2, "5": 1, "20": 1})
    assert last_call(match, hit(S), say("Ann", "raise"))["points"] == 5
    assert last_call(match, hit(S), say("Ann", "raise"), hit(M), say("Ann", "raise"))["points"] == 20
    again = [hit(S), say("Ann", "raise"), hit(M), say("Ann", "raise")]
    assert detail(match, *again)["supply"] == supply(2, 0, 1, 0, 0)


def test_a_throw_after_a_hit_counts_as_raise() -> None:
    assert said(calls(MATCH, hit(S), hit(M))) == ["Ann raise 2", "Ann hit"]
    assert said(calls(MATCH, hit(S), miss(M))) == ["Ann raise 2", "Ann miss"]
    assert detail(MATCH, hit(S), miss(M))["current"] == 2
    assert said(calls(MATCH, hit(S), hit(M), hit(L), hit(BLUE))) == ["Ann raise 10", "Ann hit", "Ann take 10"]


def test_throw_means_raise_can_be_switched_off() -> None:
    match = box(throw_means_raise=False)
    assert refused(match, hit(S), miss(M)) == "decide_first"
    assert said(calls(match, hit(S), say("Ann", "raise"), miss(M))) == ["Ann miss"]
    assert refused(box(throw_means_raise=False, supply={"20": 2}), hit(S), miss(M)) == "decide_first"


@pytest.mark.parametrize("chips", [{"20": 3}, {"5": 3}], ids=str)
def test_when_nothing_higher_is_there_the_player_may_only_stop(chips: dict[str, int]) -> None:
    match = box(supply=chips)
    assert detail(match, hit(S))["may_raise"] is False
    assert refused(match, hit(S), say("Ann", "raise")) == "cannot_raise"
    assert refused(match, hit(S), miss(M)) == "cannot_raise"
    assert last_call(match, hit(S), say("Ann", "stop"))["call"] == "take"


def test_raise_and_stop_count_only_right_after_a_hit_with_balls_left() -> None:
    for before in ([], [miss(S)], [hit(S), miss(M)], [hit(S), say("Ann", "raise")]):
        assert refused(MATCH, *before, say("Ann", "raise")) == "cannot_raise"
        assert refused(MATCH, *before, say("Ann", "stop")) == "cannot_stop"


def test_the_ball_is_looked_at_first_one_that_is_not_allowed_raises_nothing() -> None:
    assert refused(MATCH, hit(S), hit(S)) == "no_such_ball"
    assert refused(MATCH, hit(S), hit(M, player="Bob")) == "out_of_turn"
    ahead = [hit(S), say("Ann", "stop"), *[miss(ball) for ball in BALLS]]
    assert refused(MATCH, *ahead, hit(S), hit(BLUE)) == "blue_not_allowed"
    assert refused(box(throw_means_raise=False), *ahead, hit(S), hit(BLUE)) == "blue_not_allowed"


def test_stop_takes_the_chip_and_the_lowest_of_the_supply_follows() -> None:
    events = [hit(S), say("Ann", "raise"), hit(M), say("Ann", "stop")]
    assert last_call(MATCH, *events) == {"event": 4, "player": "Ann", "call": "take", "points": 2}
    after = score(MATCH, *events)
    assert (after["turn"], after["scores"]) == ("Bob", {"Ann": 2, "Bob": 0})
    assert after["detail"] == {
        "chips": {"Ann": [2], "Bob": []},
        "current": 1,
        "supply": supply(2, 2, 3, 3, 4),
        "balls_left": list(BALLS),
        "may_raise": False,
    }


def test_when_the_low_chips_have_run_out_a_higher_one_follows() -> None:
    match = box(supply={"1": 1, "10": 1, "20": 1})
    shown = detail(match, hit(S), say("Ann", "stop"))
    assert (shown["current"], shown["supply"]) == (10, supply(0, 0, 0, 0, 1))


def test_a_hit_with_no_balls_left_takes_the_chip() -> None:
    events = [miss(S), miss(M), miss(L), hit(BLUE)]
    assert said(calls(MATCH, *events)) == ["Ann hit", "Ann take 1"]
    assert play(MATCH, *events).turn == "Bob"


def test_chips_are_listed_in_the_order_of_taking() -> None:
    five = [hit(S), hit(M), hit(L), say("Ann", "stop")]
    one = [hit(S), say("Ann", "stop")]
    bob = [miss(ball) for ball in BALLS]
    assert detail(MATCH, *five, *bob, *one, *bob)["chips"]["Ann"] == [5, 1]


AHEAD = [hit(S), say("Ann", "stop"), *[miss(ball) for ball in BALLS]]
"""Ann has a point, Bob none, and it is Ann's turn."""


def test_whom_somebody_is_behind_may_use_the_orange_balls_only() -> None:
    assert detail(MATCH, *AHEAD)["balls_left"] == [S, M, L]
    assert last_call(MATCH, *AHEAD, hit(BLUE)) == {
        "event": len(AHEAD) + 1,
        "player": "Ann",
        "call": "refused",
        "reason": "blue_not_allowed",
    }
    assert refused(MATCH, *AHEAD, hit(BLUE)) == "blue_not_allowed"


def test_the_third_orange_is_the_last_ball_of_a_player_without_blue() -> None:
    assert play(MATCH, *AHEAD, *MISSED).turn == "Bob"
    assert said(calls(MATCH, *AHEAD, miss(S), miss(M), hit(L))) == ["Ann hit", "Ann take 1"]


def test_whom_nobody_is_behind_may_use_all_balls() -> None:
    level = [hit(S), say("Ann", "stop"), hit(S), say("Bob", "stop")]
    assert detail(MATCH, *level)["balls_left"] == list(BALLS)
    third = box(3)
    assert detail(third, *level)["balls_left"] == list(BALLS)
    assert detail(third, *level, *[miss(ball) for ball in BALLS])["balls_left"] == [S, M, L]


def test_no_blue_from_21_is_a_house_rule() -> None:
    chips = {"1": 2, "20": 3}
    level = [throw for _ in range(2) for name in ("Ann", "Bob") for throw in (hit(S), say(name, "stop"))]
    match = box(supply=chips, no_blue_from_21=True)
    assert score(match, *level)["scores"] == {"Ann": 21, "Bob": 21}
    assert detail(match, *level)["balls_left"] == [S, M, L]
    assert refused(match, *level, hit(BLUE)) == "blue_not_allowed"
    assert detail(box(supply=chips), *level)["balls_left"] == list(BALLS)


def test_with_less_than_21_blue_stays_allowed() -> None:
    match = box(supply={"20": 3}, no_blue_from_21=True)
    level = [hit(S), say("Ann", "stop"), hit(S), say("Bob", "stop")]
    assert score(match, *level)["scores"] == {"Ann": 20, "Bob": 20}
    assert detail(match, *level)["balls_left"] == list(BALLS)


def test_no_blue_first_turn_is_a_house_rule_for_the_players_named() -> None:
    match = box(3, no_blue_first_turn=["Bob", "Cem"], starter="Bob")
    assert refused(match, hit(BLUE)) == "blue_not_allowed"
    assert play(match, *MISSED).turn == "Cem"
    assert detail(match, *MISSED)["balls_left"] == [S, M, L]
    assert detail(match, *MISSED, *MISSED)["balls_left"] == list(BALLS)
    everybody = [*MISSED, *MISSED, *MISSED, miss(BLUE)]
    assert (play(match, *everybody).turn, detail(match, *everybody)["balls_left"]) == ("Bob", list(BALLS))


def test_the_first_at_the_target_wins_at_once() -> None:
    match = box(supply={"20": 5, "2": 2}, target=22)
    events = [hit(S), say("Ann", "stop"), hit(S), say("Bob", "stop"), hit(S)]
    assert play(match, *events).phase == "playing"
    after = score(match, *events, say("Ann", "stop"))
    assert said(after["calls"])[-2:] == ["Ann take 20", "Ann win"]
    assert {**after, "calls": []} == {
        "game": "bounce-it",
        "phase": "finished",
        "turn": None,
        "scores": {"Ann": 22, "Bob": 2},
        "winners": ["Ann"],
        "board": {},
        "calls": [],
        "detail": {
            "chips": {"Ann": [2, 20], "Bob": [2]},
            "current": None,
            "supply": supply(0, 0, 0, 0, 4),
            "balls_left": [],
            "may_raise": False,
        },
    }


def test_the_target_is_42() -> None:
    match = box(supply={"20": 4, "1": 2})
    level = [hit(S), say("Ann", "stop"), hit(S), say("Bob", "stop")]
    twenty_one = [hit(S), say("Ann", "stop"), *[miss(ball) for ball in BALLS]]
    events = [*level, *twenty_one, hit(S), say("Ann", "stop")]
    assert (score(match, *events)["scores"]["Ann"], play(match, *events).phase) == (41, "playing")
    reached = box(supply={"20": 4, "2": 2})
    assert (score(reached, *events)["scores"]["Ann"], play(reached, *events).winners) == (42, ("Ann",))


def test_a_last_ball_may_win_the_match() -> None:
    assert said(calls(SMALL_TARGET, miss(S), miss(M), miss(BLUE), hit(L))) == ["Ann hit", "Ann take 1", "Ann win"]


def test_with_an_empty_supply_and_no_chip_the_most_points_win() -> None:
    match = box(supply={"1": 1, "5": 1})
    events = [hit(S), say("Ann", "stop"), hit(S), say("Bob", "stop")]
    assert detail(match, *events[:2])["supply"] == supply(0, 0, 0, 0, 0)
    assert play(match, *events[:3]).phase == "playing"
    after = score(match, *events)
    assert (after["phase"], after["turn"], after["winners"]) == ("finished", None, ["Bob"])
    assert said(after["calls"])[-2:] == ["Bob take 5", "Bob win"]
    assert (after["detail"]["current"], after["detail"]["balls_left"]) == (None, [])


def test_a_tie_is_shared() -> None:
    after = score(box(3, supply={"2": 2}), hit(S), say("Ann", "stop"), hit(S), say("Bob", "stop"))
    assert after["winners"] == ["Ann", "Bob"]
    assert said(after["calls"])[-3:] == ["Bob take 2", "Ann win", "Bob win"]


def test_game_over() -> None:
    for event in (hit("green", player="Bob"), hit(BLUE), say("Bob", "raise"), say("Ann", "stop")):
        assert refused(SMALL_TARGET, *OVER, event) == "game_over"
    assert last_call(SMALL_TARGET, *OVER, hit(S))["player"] is None


def test_no_such_ball_is_looked_for_before_out_of_turn_and_that_before_blue() -> None:
    assert refused(MATCH, miss(S), miss(S, player="Bob")) == "no_such_ball"
    assert last_call(MATCH, miss(S), miss(S, player="Bob"))["player"] == "Bob"
    assert refused(MATCH, hit(S, player="Bob")) == "out_of_turn"
    assert refused(MATCH, *AHEAD, hit(BLUE, player="Bob")) == "out_of_turn"


def test_a_decision_of_another_player_is_out_of_turn() -> None:
    assert refused(MATCH, hit(S), say("Bob", "raise")) == "out_of_turn"
    assert refused(MATCH, say("Bob", "stop")) == "out_of_turn"


BAD: list[Json] = [
    {"type": "shot"},
    {**hit(S), "ball": None},
    {**hit(S), "ball": 5},
    {**hit(S), "ball": math.nan},
    {"type": "shot", "colour": "blue", "table_bounces": 1, "result": {"place": "board"}},
    {"type": "shot", "ball": S, "result": {"place": "board"}},
    {"type": "shot", "ball": S, "table_bounces": 1},
    hit(S, table_bounces=math.nan),
    hit(S, table_bounces=math.inf),
    hit(S, table_bounces=True),
    hit(S, table_bounces=-1),
    hit(S, result={"place": "moon"}),
    hit(S, result={"place": "hole"}),
    hit(S, result={"place": "hole", "hole": 5}),
    hit(S, result={"place": "off"}),
    hit(S, player="Zed"),
    hit(S, player=5),
    say("Ann", "stand"),
    say("Ann", "strike"),
    say("Ann", "targets"),
    say("Zed", "raise"),
    {"type": "decision", "choice": "raise"},
    {"type": "decision", "player": "Ann"},
]


@pytest.mark.parametrize("event", BAD, ids=str)
def test_bad_event(event: Json) -> None:
    assert refused(MATCH, event) == "bad_event"
    assert refused(SMALL_TARGET, *OVER, event) == "bad_event"


@pytest.mark.parametrize(
    "more",
    [
        {"colour": math.nan},
        {"side": "moon"},
        {"side": math.inf},
        {"moved": None},
        {"moved": [{"ball": BLUE, "from": "board"}]},
        {"moved": [move("purple", "Z9", "Z8")]},
        {"touched_board": math.nan},
        {"t": math.nan, "speed": math.inf},
        {"player": None},
    ],
    ids=str,
)
def test_keys_that_bounce_it_does_not_read_may_hold_anything(more: Json) -> None:
    assert score(MATCH, hit(S, **more)) == score(MATCH, hit(S))


@pytest.mark.parametrize(
    "event",
    [
        NOTE,
        removed(("blue", "A1")),
        placed(("blue", "A1")),
        {"type": "removed"},
        {"type": "tap"},
        {"type": "rack", "standing": 10, "problems": ["outside 7"]},
        {"type": "card"},
        {"type": "seen.board", "holes": {"A1": [S, BLUE]}},
        say("Bob", "ready"),
    ],
    ids=str,
)
def test_what_bounce_it_has_no_use_for_passes_by(event: Json) -> None:
    assert score(MATCH, hit(S), event) == score(MATCH, hit(S))
    assert score(SMALL_TARGET, *OVER, event) == score(SMALL_TARGET, *OVER)


def test_a_ruling_takes_back_a_raise_that_the_next_throw_implied() -> None:
    events = [hit(S), miss(M), miss(L)]
    ruled = score(MATCH, *events, ruling(1, miss(S)))
    assert said(ruled["calls"]) == ["Ann miss"] * 3
    assert ruled["detail"]["current"] == 1


def test_what_is_expected_next() -> None:
    def expected(match: Json, *events: object) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
        found = play(match, *events).expected
        return (found.players, found.action, found.choices)

    assert expected(MATCH) == (("Ann",), "throw", ())
    assert expected(MATCH, hit(S)) == (("Ann",), "throw", ("raise", "stop"))
    assert expected(box(throw_means_raise=False), hit(S)) == (("Ann",), "choose", ("raise", "stop"))
    assert expected(box(supply={"20": 2}), hit(S)) == (("Ann",), "choose", ("stop",))
    assert expected(MATCH, hit(S), miss(M)) == (("Ann",), "throw", ())
    assert expected(SMALL_TARGET, *OVER) == ((), "nothing", ())


def test_the_scoreboard_shows_the_chips() -> None:
    match = box(supply={"1": 2, "5": 2})
    assert scoreboard(play(match, hit(S), miss(M))).splitlines() == [
        "Bounce It!: Ann's turn",
        "  Ann     0",
        "  Bob     0",
        "On the platform: 5",
        "In the tray: 2 of 1, 1 of 5",
        "Balls left: orange-large, blue",
        "Last calls:",
        "  line   1  Ann hits",
        "  line   2  Ann raises to 5",
        "  line   2  Ann misses",
    ]
    assert "In the tray: nothing" in scoreboard(play(box(supply={"5": 1}))).splitlines()
    choosing = scoreboard(play(box(throw_means_raise=False), hit(S)))
    assert choosing.startswith("Bounce It!: Ann's turn to say raise or stop\n")
    over = scoreboard(play(SMALL_TARGET, *OVER)).splitlines()
    assert over[3:5] == ["In the tray: 2 of 1, 3 of 2, 3 of 5, 3 of 10, 4 of 20", "Last calls:"]


def test_notes_do_nothing() -> None:
    state = begin(start(MATCH), None)
    assert state.apply(Note(text="well thrown")) == Step(state=state)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"supply": {}}, "the supply has no chip"),
        ({"supply": {"1": 0, "20": 0}}, "the supply has no chip"),
        ({"supply": None}, "supply can't be null"),
        ({"supply": [3, 3]}, "supply can't be"),
        ({"supply": {"3": 1}}, "supply can't be"),
        ({"supply": {"1": -1, "2": 3}}, "supply can't be"),
        ({"supply": {"1": True}}, "supply can't be"),
        ({"supply": {"1": 1.5}}, "supply can't be"),
        ({"supply": {"1": math.inf}}, "supply can't be"),
        ({"target": 0}, "target can't be 0"),
        ({"target": "42"}, "target can't be"),
        ({"no_blue_from_21": 1}, "no_blue_from_21 can't be 1"),
        ({"no_blue_first_turn": "Ann"}, "no_blue_first_turn can't be"),
        ({"no_blue_first_turn": ["Zed"]}, "no_blue_first_turn can't be"),
        ({"no_blue_first_turn": [["Ann"]]}, "no_blue_first_turn can't be"),
        ({"throw_means_raise": None}, "throw_means_raise can't be null"),
        ({"starter": "Zed"}, "starter can't be"),
    ],
    ids=str,
)
def test_house_rules_that_can_not_be_used(options: Json, said: str) -> None:
    with pytest.raises(BadHeader, match=said):
        play(box(**options))


@pytest.mark.parametrize("players", [0, 1])
def test_one_player_is_too_few(players: int) -> None:
    with pytest.raises(BadHeader, match=f"2 to 6 players, not {players}"):
        play(box(players))


def test_seven_players_are_too_many() -> None:
    match = box(6)
    match["players"].append({"name": "Gus"})
    with pytest.raises(BadHeader, match="2 to 6 players, not 7"):
        play(match)


@pytest.mark.parametrize("layout", [{}, {"layout": None}, {"layout": "none"}, {"layout": "lost.json"}], ids=str)
def test_the_rules_need_no_layout(tmp_path: Path, layout: Json) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(line) + "\n" for line in ({**MATCH, **layout}, hit(S))), encoding="utf-8")
    assert standing_to_json(score_log(log).standing) == score(MATCH, hit(S))
