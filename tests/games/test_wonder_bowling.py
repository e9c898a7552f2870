"""Wonder Bowling, rule by rule. Ann has the targets 3 and 7, Bob 4 and 8; the first penalty chips are 5 and 6."""

import json
import math
from pathlib import Path
from random import Random

import pytest

from calibration.layout import load_layout
from referee.commands.matches import put_on_board
from referee.errors import BadHeader
from referee.events import Header, Note, Player
from referee.games import drawn_header
from referee.games.game import Step
from referee.games.wonder_bowling import start as begin
from referee.match import fold
from referee.score import score_log, scoreboard, standing_to_json
from tests.games.chips import NAMES, hit, lane, match, rack, said, say, tap, touch
from tests.games.play import NOTE, Json, calls, last_call, play, ruling, score, start

MATCH = lane()
OUT_OF_PENALTIES = [tap(0)] * 6
WON = [tap(7), tap(5), tap(3), tap(2), tap(1), tap(9), tap(1)]


def detail(match: Json, *events: object) -> Json:
    shown: Json = score(match, *events)["detail"]
    return shown


def targets(match: Json, name: str, *events: object) -> list[int]:
    return sorted(detail(match, *events)["targets"][name])


def refused(match: Json, *events: object) -> str:
    """Why the last event was refused; nothing but the call has changed."""
    before, after = score(match, *events[:-1]), score(match, *events)
    *kept, call = after["calls"]
    assert {**after, "calls": kept} == before
    assert (call["event"], call["call"]) == (len(events), "refused")
    return str(call["reason"])


def test_the_score_of_a_match_that_begins() -> None:
    assert score(MATCH) == {
        "game": "wonder-bowling",
        "phase": "playing",
        "turn": "Ann",
        "scores": {"Ann": 4, "Bob": 4},
        "winners": [],
        "board": {},
        "calls": [],
        "detail": {
            "strike": {"Ann": 2, "Bob": 2},
            "targets": {"Ann": [3, 7], "Bob": [4, 8]},
            "penalty_left": 6,
            "survival": False,
            "eliminated": [],
            "standing": 10,
        },
    }


def test_the_first_player_named_begins_unless_the_match_names_a_starter() -> None:
    assert play(MATCH).turn == "Ann"
    three = lane(3, starter="Bob")
    assert [play(three, *[tap(9), tap(8), tap(6)][:n]).turn for n in range(4)] == ["Bob", "Cem", "Ann", "Bob"]


def test_a_tap_without_a_match_turns_no_chip_and_the_pins_stay_as_they_are() -> None:
    after = score(MATCH, tap(6))
    assert (after["calls"], after["scores"], after["turn"]) == ([], {"Ann": 4, "Bob": 4}, "Bob")
    assert after["detail"]["standing"] == 6


def test_as_many_pins_as_on_a_target_chip_are_a_nice_shot() -> None:
    assert calls(MATCH, tap(7)) == [{"event": 1, "player": "Ann", "call": "nice_shot", "points": 7}]
    after = score(MATCH, tap(7))
    assert (after["scores"], after["turn"], after["detail"]["standing"]) == ({"Ann": 3, "Bob": 4}, "Bob", 7)
    assert targets(MATCH, "Ann", tap(7)) == [3]


def test_a_nice_shot_goes_by_the_chips_of_the_player_in_turn() -> None:
    assert calls(MATCH, tap(8)) == []
    assert said(calls(MATCH, tap(9), tap(8))) == ["Bob nice_shot 8"]


def test_of_two_chips_with_the_same_number_one_is_turned() -> None:
    same = lane(targets={"Ann": [7, 7]})
    assert targets(same, "Ann", tap(7)) == [7]


def test_a_turned_chip_does_not_count_again() -> None:
    assert calls(MATCH, tap(7), tap(0), rack(10), tap(7)) == []


def test_a_tap_that_fells_no_pin_gives_one_more_try_in_the_same_turn() -> None:
    assert last_call(MATCH, tap(10)) == {"event": 1, "player": "Ann", "call": "miss"}
    after = score(MATCH, tap(10))
    assert (after["turn"], after["scores"]["Ann"]) == ("Ann", 4)
    assert said(calls(MATCH, tap(10), tap(7))) == ["Ann nice_shot 7"]
    assert said(calls(MATCH, tap(10), tap(7), tap(7))) == ["Bob miss"]


def test_a_second_tap_without_pins_costs_a_penalty() -> None:
    events = [tap(10), tap(10)]
    assert last_call(MATCH, *events) == {"event": 2, "player": "Ann", "call": "penalty", "reason": "no_pins"}
    after = score(MATCH, *events)
    assert (after["turn"], after["scores"], after["detail"]["standing"]) == ("Bob", {"Ann": 5, "Bob": 4}, 10)
    assert (targets(MATCH, "Ann", *events), after["detail"]["penalty_left"]) == ([3, 5, 7], 5)


def test_pins_that_stood_before_are_no_nice_shot_and_no_strike() -> None:
    assert said(calls(MATCH, tap(9), tap(8), rack(7), tap(7))) == ["Ann miss"]
    assert said(calls(MATCH, tap(9), tap(8), rack(7), tap(7), tap(7))) == ["Ann penalty no_pins"]
    assert said(calls(MATCH, rack(1), tap(1))) == ["Ann miss"]


def test_after_a_tap_without_pins_the_pins_stay_however_few_they_are() -> None:
    for few in (0, 1):
        events = [rack(few), tap(few), tap(few)]
        assert said(calls(MATCH, *events)) == ["Ann penalty no_pins"]
        assert detail(MATCH, *events)["standing"] == few


def test_felling_all_pins_costs_a_penalty_and_they_are_set_up_again() -> None:
    assert said(calls(MATCH, tap(0))) == ["Ann penalty all_pins", "Ann rerack"]
    after = score(MATCH, tap(0))
    assert (after["turn"], after["detail"]["standing"], after["scores"]["Ann"]) == ("Bob", 10, 5)


def test_a_pin_touched_directly_and_felled_costs_a_penalty_and_turns_no_chip() -> None:
    assert said(calls(MATCH, touch(7))) == ["Ann penalty direct_touch"]
    assert targets(MATCH, "Ann", touch(7)) == [3, 5, 7]
    assert (play(MATCH, touch(7)).turn, detail(MATCH, touch(7))["standing"]) == ("Bob", 7)


def test_a_direct_touch_that_fells_nothing_is_a_tap_that_fells_no_pin() -> None:
    assert said(calls(MATCH, touch(10))) == ["Ann miss"]
    assert said(calls(MATCH, touch(10), touch(10))) == ["Ann penalty no_pins"]


def test_a_direct_touch_that_leaves_one_pin_is_no_strike_but_the_pins_are_set_up_again() -> None:
    assert said(calls(MATCH, touch(1))) == ["Ann penalty direct_touch", "Ann rerack"]
    assert (play(MATCH, touch(1)).turn, detail(MATCH, touch(1))["standing"]) == ("Bob", 10)
    assert said(calls(MATCH, touch(2))) == ["Ann penalty direct_touch"]
    assert detail(MATCH, touch(2))["standing"] == 2


def test_a_tap_costs_at_most_one_penalty() -> None:
    assert said(calls(MATCH, touch(0))) == ["Ann penalty direct_touch", "Ann rerack"]
    assert detail(MATCH, touch(0))["penalty_left"] == 5


def test_penalty_chips_are_taken_in_their_order_and_count_as_targets() -> None:
    assert targets(MATCH, "Ann", tap(0), tap(9), tap(0)) == [3, 5, 6, 7]
    assert targets(MATCH, "Bob", tap(0), tap(0)) == [4, 6, 8]
    assert said(calls(MATCH, tap(0), tap(9), tap(5))) == ["Ann nice_shot 5"]


def test_one_standing_pin_is_a_strike_and_the_player_chooses() -> None:
    assert said(calls(MATCH, tap(1))) == ["Ann strike", "Ann rerack"]
    after = score(MATCH, tap(1))
    assert (after["turn"], after["scores"]["Ann"], after["detail"]["standing"]) == ("Ann", 4, 10)


def test_a_strike_turns_one_strike_chip() -> None:
    after = score(MATCH, tap(1), say("Ann", "strike"))
    assert (after["turn"], after["detail"]["strike"]) == ("Bob", {"Ann": 1, "Bob": 2})
    assert after["calls"][2:] == []


@pytest.mark.parametrize("named", [{"targets": [3, 7]}, {"targets": [7, 3.0]}, {}], ids=str)
def test_a_strike_turns_two_target_chips(named: Json) -> None:
    events = [tap(1), say("Ann", "targets", **named)]
    after = score(MATCH, *events)
    assert (after["turn"], after["scores"]["Ann"], targets(MATCH, "Ann", *events)) == ("Bob", 2, [])
    assert calls(MATCH, *events) == []


@pytest.mark.parametrize("named", [{"targets": [3]}, {}], ids=str)
def test_a_strike_turns_one_target_chip_if_only_one_is_left(named: Json) -> None:
    events = [tap(7), tap(6), tap(1), say("Ann", "targets", **named)]
    assert (score(MATCH, *events)["scores"]["Ann"], targets(MATCH, "Ann", *events)) == (2, [])


def test_of_three_target_chips_the_player_says_which_two() -> None:
    events = [tap(0), tap(9), tap(1)]
    assert targets(MATCH, "Ann", *events) == [3, 5, 7]
    assert refused(MATCH, *events, say("Ann", "targets")) == "bad_event"
    assert targets(MATCH, "Ann", *events, say("Ann", "targets", targets=[3, 5])) == [7]


@pytest.mark.parametrize("numbers", [[3, 4], [3, 3], [3], [], [3, 5, 7], [-3, 5], [99, 98]], ids=str)
def test_numbers_that_are_not_held_or_not_two_are_impossible(numbers: list[int]) -> None:
    events = [tap(0), tap(9), tap(1)]
    assert refused(MATCH, *events, say("Ann", "targets", targets=numbers)) == "impossible"


def test_one_number_is_too_few_while_two_are_held() -> None:
    assert refused(MATCH, tap(1), say("Ann", "targets", targets=[3])) == "impossible"


def test_with_only_strike_chips_left_there_is_nothing_to_choose() -> None:
    events = [tap(7), tap(6), tap(3), tap(2), tap(1)]
    assert said(calls(MATCH, *events)) == ["Ann strike", "Ann rerack"]
    after = score(MATCH, *events)
    assert (after["turn"], after["detail"]["strike"]["Ann"], after["detail"]["standing"]) == ("Bob", 1, 10)


NO_STRIKE_CHIPS = [tap(1), say("Ann", "strike"), tap(9), tap(1), say("Ann", "strike"), tap(9)]
"""Ann has only the targets 3 and 7 left, and it is her turn."""


@pytest.mark.parametrize("before", [[], [tap(7), tap(6)]], ids=["two", "one"])
def test_with_one_or_two_target_chips_left_there_is_nothing_to_choose(before: list[Json]) -> None:
    events = [*NO_STRIKE_CHIPS, *before, tap(1)]
    assert said(calls(MATCH, *events)) == ["Ann strike", "Ann win"]
    assert play(MATCH, *events).winners == ("Ann",)


def test_with_more_than_two_target_chips_left_the_player_still_says_which_two() -> None:
    events = [*NO_STRIKE_CHIPS, tap(0), tap(9), tap(1)]
    assert (play(MATCH, *events).turn, said(calls(MATCH, *events))) == ("Ann", ["Ann strike", "Ann rerack"])
    assert refused(MATCH, *events, say("Ann", "strike")) == "impossible"
    assert refused(MATCH, *events, say("Ann", "targets")) == "bad_event"
    chosen = [*events, say("Ann", "targets", targets=[5, 7])]
    assert (play(MATCH, *chosen).turn, targets(MATCH, "Ann", *chosen)) == ("Bob", [3])


def test_what_is_felled_counts_from_the_pins_standing_before_the_tap() -> None:
    assert said(score(MATCH, tap(9), tap(9), tap(8))["calls"]) == ["Bob miss", "Bob nice_shot 8"]


def test_the_next_player_clockwise_begins_after_the_pins_were_set_up_again() -> None:
    three = lane(3)
    assert play(three, tap(9), tap(0)).turn == "Cem"
    assert play(three, tap(9), tap(1), say("Bob", "strike")).turn == "Cem"
    assert play(three, tap(9), touch(1)).turn == "Cem"


def test_when_the_last_penalty_chip_is_taken_the_survival_rule_holds() -> None:
    before, after = detail(MATCH, *OUT_OF_PENALTIES[:5]), detail(MATCH, *OUT_OF_PENALTIES)
    assert (before["survival"], before["penalty_left"]) == (False, 1)
    assert (after["survival"], after["penalty_left"], after["eliminated"]) == (True, 0, [])
    assert targets(MATCH, "Ann", *OUT_OF_PENALTIES) == [2, 3, 3, 5, 7]


@pytest.mark.parametrize(
    ("reason", "taps"), [("all_pins", [tap(0)]), ("direct_touch", [touch(9)]), ("no_pins", [tap(10), tap(10)])]
)
def test_then_any_penalty_eliminates_at_once(reason: str, taps: list[Json]) -> None:
    three = lane(3)
    events = [*OUT_OF_PENALTIES, *taps]
    found = said(calls(three, *events))
    assert found[:2] == [f"Ann penalty {reason}", "Ann eliminated"]
    assert found[2:] == (["Ann rerack"] if reason == "all_pins" else [])
    after = score(three, *events)
    assert (after["phase"], after["turn"], after["detail"]["eliminated"]) == ("playing", "Bob", ["Ann"])


def test_the_score_of_who_is_eliminated_stays_as_it_was() -> None:
    three = lane(3)
    assert score(three, *OUT_OF_PENALTIES)["scores"]["Ann"] == 6
    assert score(three, *OUT_OF_PENALTIES, tap(0))["scores"]["Ann"] == 6


def test_who_is_eliminated_has_no_turn_any_more() -> None:
    three = lane(3)
    events = [*OUT_OF_PENALTIES, tap(0), tap(9), tap(8)]
    assert play(three, *events).turn == "Bob"
    assert refused(three, *events, tap(7, player="Ann")) == "out_of_turn"
    last = [*OUT_OF_PENALTIES, tap(9), tap(8), tap(0)]
    assert play(three, *last).turn == "Ann"
    assert play(three, *last, tap(6), tap(5)).turn == "Ann"


def test_the_last_one_left_wins() -> None:
    after = score(MATCH, *OUT_OF_PENALTIES, tap(0))
    assert said(after["calls"])[-3:] == ["Ann penalty all_pins", "Ann eliminated", "Bob win"]
    assert (after["phase"], after["turn"], after["winners"]) == ("finished", None, ["Bob"])
    assert after["detail"]["standing"] == 0
    three = score(lane(3), *OUT_OF_PENALTIES, tap(9), tap(0), tap(0))
    assert (three["winners"], three["detail"]["eliminated"]) == (["Ann"], ["Bob", "Cem"])


def test_the_eliminated_are_listed_in_the_order_in_which_they_left() -> None:
    four = lane(4)
    assert detail(four, *OUT_OF_PENALTIES, tap(9), tap(0), tap(9), tap(0))["eliminated"] == ["Dot", "Bob"]


def test_whoever_has_turned_all_chips_wins() -> None:
    after = score(MATCH, *WON)
    assert said(calls(MATCH, *WON)) == ["Ann strike", "Ann win"]
    assert {**after, "calls": []} == {
        "game": "wonder-bowling",
        "phase": "finished",
        "turn": None,
        "scores": {"Ann": 0, "Bob": 4},
        "winners": ["Ann"],
        "board": {},
        "calls": [],
        "detail": {
            "strike": {"Ann": 0, "Bob": 2},
            "targets": {"Ann": [], "Bob": [4, 8]},
            "penalty_left": 6,
            "survival": False,
            "eliminated": [],
            "standing": 1,
        },
    }


def test_a_nice_shot_may_turn_the_last_chip() -> None:
    events = [*NO_STRIKE_CHIPS, tap(7), tap(6), tap(3)]
    assert said(calls(MATCH, *events)) == ["Ann nice_shot 3", "Ann win"]


def test_a_choice_always_leaves_a_chip_and_the_next_strike_may_turn_it() -> None:
    both_kinds = [tap(7), tap(6), tap(1)]
    assert score(MATCH, *both_kinds, say("Ann", "targets"))["scores"]["Ann"] == 2
    one_left = [*both_kinds, say("Ann", "targets"), tap(9), tap(1), tap(9)]
    assert detail(MATCH, *one_left)["strike"]["Ann"] == 1
    assert said(calls(MATCH, *one_left, tap(1))) == ["Ann strike", "Ann win"]


def test_a_rack_without_problems_sets_the_number_of_standing_pins() -> None:
    assert calls(MATCH, tap(4), rack(10)) == []
    assert detail(MATCH, tap(4), rack(9))["standing"] == 9
    assert play(MATCH, tap(4), rack(10)).turn == "Bob"
    assert said(calls(MATCH, tap(10), rack(10), tap(10))) == ["Ann penalty no_pins"]


def test_bad_rack() -> None:
    assert refused(MATCH, tap(4), rack(10, "touching 3 4")) == "bad_rack"
    assert last_call(MATCH, rack(10, "outside 7"))["player"] == "Ann"


def test_a_tap_needs_no_rack_before_it() -> None:
    assert said(score(MATCH, tap(0), tap(8))["calls"])[-1] == "Bob nice_shot 8"


def test_while_a_strike_waits_for_its_choice_a_tap_is_decide_first() -> None:
    assert refused(MATCH, tap(1), tap(9)) == "decide_first"
    assert refused(MATCH, tap(1), tap(11)) == "decide_first"
    assert refused(MATCH, tap(1), tap(9, player="Bob")) == "out_of_turn"
    assert play(MATCH, tap(1), rack(10)).turn == "Ann"


def test_a_choice_without_a_strike_is_no_choice() -> None:
    assert refused(MATCH, say("Ann", "strike")) == "no_choice"
    assert refused(MATCH, say("Ann", "targets", targets=[3, 7])) == "no_choice"
    assert refused(MATCH, tap(1), say("Ann", "strike"), say("Bob", "targets")) == "no_choice"
    assert refused(MATCH, tap(1), say("Bob", "strike")) == "out_of_turn"


def test_more_pins_than_stood_before_are_impossible() -> None:
    assert refused(MATCH, tap(11)) == "impossible"
    assert refused(MATCH, tap(6), tap(7)) == "impossible"


def test_game_over() -> None:
    for event in (tap(0), tap(99, player="Bob"), rack(10), rack(10, "outside 7"), say("Bob", "strike")):
        assert refused(MATCH, *WON, event) == "game_over"
    assert last_call(MATCH, *WON, tap(0))["player"] is None


BAD: list[Json] = [
    {"type": "tap"},
    tap(-1),
    {"type": "tap", "standing": 2.5},
    {"type": "tap", "standing": True},
    {"type": "tap", "standing": "9"},
    {"type": "tap", "standing": math.nan},
    tap(9, direct_touch=None),
    tap(9, direct_touch=1),
    tap(9, player="Zed"),
    tap(9, player=1),
    {"type": "rack"},
    {"type": "rack", "standing": math.inf, "problems": []},
    {"type": "rack", "standing": 10, "problems": "many"},
    {"type": "rack", "standing": 10, "problems": [3]},
    say("Ann", "raise"),
    say("Ann", "stand"),
    say("Zed", "strike"),
    say("Ann", "targets", targets=[math.nan, 3]),
    say("Ann", "targets", targets=["3", 7]),
    say("Ann", "targets", targets=3),
    say("Ann", "targets", targets=None),
    {"type": "decision", "choice": "strike"},
    {"type": "decision", "player": "Ann"},
]


@pytest.mark.parametrize("event", BAD, ids=str)
def test_bad_event(event: Json) -> None:
    assert refused(MATCH, event) == "bad_event"
    assert refused(MATCH, *WON, event) == "bad_event"


def test_a_missing_list_is_looked_for_before_all_else() -> None:
    three_targets = [tap(9), tap(0)]
    assert targets(MATCH, "Bob", *three_targets) == [4, 5, 8]
    assert refused(MATCH, *three_targets, say("Bob", "targets")) == "bad_event"
    assert refused(MATCH, *three_targets, say("Bob", "strike")) == "out_of_turn"


@pytest.mark.parametrize(
    "event",
    [
        NOTE,
        hit("blue"),
        {"type": "shot"},
        {"type": "removed"},
        {"type": "point_card"},
        {"type": "seen.pins", "standing": 3, "fallen": 7, "pins": []},
        {"type": "seen.pins"},
        say("Bob", "ready"),
    ],
    ids=str,
)
def test_what_wonder_bowling_has_no_use_for_passes_by(event: Json) -> None:
    assert score(MATCH, tap(7), event) == score(MATCH, tap(7))
    assert score(MATCH, *WON, event) == score(MATCH, *WON)


@pytest.mark.parametrize(
    "more", [{"direct_touch": False}, {"standing": 7.0}, {"player": None}, {"t": math.nan, "force": math.inf}], ids=str
)
def test_ways_to_write_a_tap(more: Json) -> None:
    assert said(calls(MATCH, tap(7, **more) if "standing" not in more else {"type": "tap", **more})) == [
        "Ann nice_shot 7"
    ]


def test_targets_beside_the_choice_of_a_strike_chip_are_not_read() -> None:
    assert detail(MATCH, tap(1), say("Ann", "strike", targets=math.nan))["strike"]["Ann"] == 1


def test_a_ruling_on_a_tap_changes_what_all_later_taps_mean() -> None:
    events = [tap(10), tap(9), tap(8)]
    assert said(score(MATCH, *events)["calls"]) == ["Ann miss", "Bob nice_shot 8"]
    assert said(score(MATCH, *events, ruling(1, tap(9)))["calls"]) == ["Bob miss", "Bob nice_shot 8"]
    assert said(score(MATCH, *events, ruling(1, None))["calls"]) == ["Bob nice_shot 8"]


def test_what_is_expected_next() -> None:
    def expected(*events: object) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
        found = play(MATCH, *events).expected
        return (found.players, found.action, found.choices)

    assert expected() == (("Ann",), "tap", ())
    assert expected(tap(10)) == (("Ann",), "tap", ())
    assert expected(tap(1)) == (("Ann",), "choose", ("strike", "targets"))
    assert expected(*NO_STRIKE_CHIPS, tap(0), tap(9), tap(1)) == (("Ann",), "choose", ("targets",))
    assert expected(*WON) == ((), "nothing", ())


def test_the_scoreboard_shows_the_chips_still_to_be_turned() -> None:
    assert scoreboard(play(MATCH, tap(7), tap(1))).splitlines()[:7] == [
        "Wonder Bowling: Bob's turn to say strike or targets",
        "  Ann     3",
        "  Bob     4",
        "Pins standing: 10",
        "Ann to turn: strike, strike, 3",
        "Bob to turn: strike, strike, 4, 8",
        "Penalty chips: 6",
    ]
    lines = scoreboard(play(lane(4), *OUT_OF_PENALTIES, tap(9), tap(0), tap(10), tap(10))).splitlines()
    assert lines[5] == "Pins standing: 10"
    assert [line.split()[0] for line in lines[6:8]] == ["Bob", "Cem"]
    assert lines[8:10] == ["Penalty chips: none left, the next penalty eliminates", "Out: Dot, Ann"]
    assert not any(line.startswith("Ann to turn") for line in scoreboard(play(MATCH, *WON)).splitlines())


def test_notes_do_nothing() -> None:
    state = begin(start(MATCH), None)
    assert state.apply(Note(text="well struck")) == Step(state=state)


ALL_NUMBERS = [2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9]


def shuffled(seed: int, *given: int) -> list[int]:
    """The numbers that aren't given, in the order in which they are drawn."""
    rest = list(ALL_NUMBERS)
    for number in given:
        rest.remove(number)
    Random(seed).shuffle(rest)
    return rest


def test_chips_that_are_not_given_are_drawn_by_the_seed() -> None:
    assert detail(match("wonder-bowling", 2))["targets"] == {"Ann": [7, 9], "Bob": [4, 2]}
    for seed in (0, 7, -3):
        rest = shuffled(seed)
        drawn = match("wonder-bowling", 3, seed=seed)
        assert detail(drawn)["targets"] == {"Ann": rest[:2], "Bob": rest[2:4], "Cem": rest[4:6]}
        assert targets(drawn, "Ann", tap(0)) == sorted([*rest[:2], rest[6]])


def test_what_is_given_is_left_out_of_the_draw() -> None:
    rest = shuffled(0, 9, 9)
    some = match("wonder-bowling", 3, targets={"Bob": [9, 9]})
    assert detail(some)["targets"] == {"Ann": rest[:2], "Bob": [9, 9], "Cem": rest[2:4]}
    penalty = match("wonder-bowling", 2, penalty_chips=[2, 2, 3, 3, 4, 4], seed=1.0)
    rest = shuffled(1, 2, 2, 3, 3, 4, 4)
    assert detail(penalty)["targets"] == {"Ann": rest[:2], "Bob": rest[2:4]}
    assert targets(penalty, "Ann", tap(0)) == sorted([*rest[:2], 2])


def test_six_players_have_four_penalty_chips_fewer_have_six() -> None:
    assert [detail(match("wonder-bowling", n))["penalty_left"] for n in range(2, 7)] == [6, 6, 6, 6, 4]
    six = match("wonder-bowling", 6)
    numbers = [number for name in NAMES for number in detail(six)["targets"][name]]
    assert sorted([*numbers, *shuffled(0)[12:]]) == ALL_NUMBERS


def test_a_live_match_has_its_drawn_chips_in_the_header() -> None:
    head = start(match("wonder-bowling", 3, seed=5, starter="Cem", targets={"Bob": [9, 9]}))
    drawn = drawn_header(head)
    rest = shuffled(5, 9, 9)
    assert drawn.option("targets", None) == {"Ann": rest[:2], "Bob": [9, 9], "Cem": rest[2:4]}
    assert drawn.option("penalty_chips", None) == rest[4:10]
    assert [option.name for option in drawn.options] == ["seed", "starter", "targets", "penalty_chips"]
    assert drawn_header(drawn) == drawn


def test_a_match_that_is_put_on_a_lane_gets_its_chips() -> None:
    laid = load_layout("lane")
    on_lane = put_on_board(start(match("wonder-bowling", 2)), laid)
    assert on_lane.layout == "lane"
    assert on_lane.option("targets", None) == {"Ann": [7, 9], "Bob": [4, 2]}
    assert fold(on_lane, laid, ()).detail == play(match("wonder-bowling", 2)).detail


def test_a_game_without_chance_keeps_its_header() -> None:
    head = Header(game="bounce-it", players=(Player(name="Ann"), Player(name="Bob")))
    assert drawn_header(head) == head


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"targets": None}, "targets can't be null"),
        ({"targets": [[3, 7]]}, "targets can't be"),
        ({"targets": {"Zed": [3, 7]}}, "targets can't be"),
        ({"targets": {"Ann": [3]}}, "targets can't be"),
        ({"targets": {"Ann": [3, 7, 8]}}, "targets can't be"),
        ({"targets": {"Ann": []}}, "targets can't be"),
        ({"targets": {"Ann": None}}, "targets can't be"),
        ({"targets": {"Ann": [3, True]}}, "targets can't be"),
        ({"targets": {"Ann": [3, 7, "8"]}}, "targets can't be"),
        ({"targets": {"Ann": [1, 3]}}, "more chips with the number 1"),
        ({"targets": {"Ann": [10, 3]}}, "more chips with the number 10"),
        ({"targets": {"Ann": [3, 3], "Bob": [4, 3]}}, "more chips with the number 3"),
        ({"penalty_chips": [3, 3, 7, 4, 5, 6]}, "more chips with the number 3"),
        ({"penalty_chips": [9, 9, 9, 3, 3, 3]}, "more chips with the number 3"),
        ({"penalty_chips": [2, 2, 5, 5]}, "write a list of 6 numbers"),
        ({"penalty_chips": [2, 2, 5, 5, 6, 6, 9]}, "penalty_chips can't be"),
        ({"penalty_chips": [2, 2, 5, 5, 6, math.nan]}, "penalty_chips can't be"),
        ({"penalty_chips": None}, "penalty_chips can't be null"),
        ({"penalty_chips": []}, "penalty_chips can't be"),
        ({"seed": "luck"}, "seed can't be"),
        ({"seed": 1.5}, "seed can't be"),
        ({"seed": False}, "seed can't be"),
        ({"seed": None}, "seed can't be"),
        ({"starter": "Zed"}, "starter can't be"),
    ],
    ids=str,
)
def test_house_rules_that_can_not_be_used(options: Json, said: str) -> None:
    with pytest.raises(BadHeader, match=said):
        play(lane(**options))


def test_six_players_give_four_penalty_chips() -> None:
    with pytest.raises(BadHeader, match="write a list of 4 numbers"):
        play(lane(6))
    assert detail(lane(6, penalty_chips=[5, 6, 2, 9]))["penalty_left"] == 4


@pytest.mark.parametrize("players", [0, 1, 7])
def test_two_to_six_players(players: int) -> None:
    head = match("wonder-bowling", players)
    head["players"] = [{"name": f"Player {n}"} for n in range(players)]
    with pytest.raises(BadHeader, match=f"2 to 6 players, not {players}"):
        play(head)


@pytest.mark.parametrize("layout", [{}, {"layout": None}, {"layout": "none"}, {"layout": "lost.json"}], ids=str)
def test_the_rules_need_no_layout(tmp_path: Path, layout: Json) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(line) + "\n" for line in ({**MATCH, **layout}, tap(7))), encoding="utf-8")
    assert standing_to_json(score_log(log).standing) == score(MATCH, tap(7))
