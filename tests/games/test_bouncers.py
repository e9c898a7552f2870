"""Bouncers, rule by rule."""

import json
from pathlib import Path

import pytest

from referee.errors import BadHeader
from referee.score import score_log, scoreboard
from tests.games.cards import POINT_CARDS, card, deal, of, point, table, trick
from tests.games.play import NAMES, Json, calls, last_call, play, ruling, score

MATCH = table()
ALL_ANNS = ["Ann"] * 13
SHARED = "Ann Bob Cem " * 4 + "Ann"


def refusal(*events: object, match: Json = MATCH) -> tuple[str | None, str]:
    """Whom the refused call of the last event names, and why."""
    call = last_call(match, *events)
    assert (call["call"], call["event"]) == ("refused", len(events))
    return call["player"], call["reason"]


def tentative(taken: str, **options: object) -> int:
    """What these point cards cost whoever takes them in this order."""
    cost = score(table(**options), *deal(ALL_ANNS, taken))["detail"]["tentative"]
    assert (cost["Bob"], cost["Cem"]) == (0, 0)
    assert isinstance(cost["Ann"], int)
    return cost["Ann"]


def test_a_match_begins_with_an_empty_table() -> None:
    assert score(MATCH) == {
        "game": "bouncers",
        "phase": "playing",
        "turn": "Ann",
        "scores": {"Ann": 0, "Bob": 0, "Cem": 0},
        "winners": [],
        "board": {},
        "calls": [],
        "detail": {
            "taken": {"Ann": [], "Bob": [], "Cem": []},
            "deal_scores": [],
            "tentative": {"Ann": 0, "Bob": 0, "Cem": 0},
            "trick": [],
            "point_card": None,
            "upcoming": None,
        },
    }


@pytest.mark.parametrize(("dealer", "leader"), [("Ann", "Bob"), ("Bob", "Cem"), ("Cem", "Ann")])
def test_the_player_on_the_dealers_left_leads(dealer: str, leader: str) -> None:
    assert play(table(dealer=dealer)).turn == leader


def test_the_first_dealer_is_the_last_player_named() -> None:
    assert play(MATCH).turn == play(table(dealer="Cem")).turn


def test_cards_are_played_in_turn_order_also_where_the_seats_say_otherwise() -> None:
    match = table()
    match["players"][1]["seat"], match["players"][2]["seat"] = "north", "west"
    events = [point("7H"), card("Ann", "2S")]
    assert play(match, *events).turn == "Bob"
    assert play(match, *events, {"type": "card", "card": "3S", "seat": "north"}).turn == "Cem"


def test_a_trick_shows_its_cards_until_it_is_won() -> None:
    events = trick("Ann", "7H", "2S KS 3S")
    details = [score(MATCH, *events[:count])["detail"] for count in range(5)]
    assert [detail["point_card"] for detail in details] == [None, "7H", "7H", "7H", None]
    assert [detail["trick"] for detail in details] == [
        [],
        [],
        [{"player": "Ann", "card": "2S"}],
        [{"player": "Ann", "card": "2S"}, {"player": "Bob", "card": "KS"}],
        [],
    ]
    assert details[4]["taken"] == {"Ann": [], "Bob": ["7H"], "Cem": []}
    assert [play(MATCH, *events[:count]).turn for count in range(5)] == ["Ann", "Ann", "Bob", "Cem", "Bob"]


def test_the_match_says_what_comes_next() -> None:
    events = trick("Ann", "7H", "2S KS 3S")
    expected = [play(MATCH, *events[:count]).expected for count in (0, 1, 2, 4)]
    assert [(each.players, each.action) for each in expected] == [
        (("Ann",), "turn_up"),
        (("Ann",), "play"),
        (("Bob",), "play"),
        (("Bob",), "turn_up"),
    ]


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("2S 4S 3S", "Bob"),
        ("2S 3D 4C", "Cem"),
        ("KS AS QS", "Bob"),
        ("AS 2S 3S", "Ann"),
        ("KD QD 4D", "Ann"),
        ("JD QD TD", "Bob"),
        ("9D 8D TD", "Cem"),
        ("TD JC 9D", "Bob"),
        ("4S 4D 3C", "Bob"),
        ("4S 3D 4C", "Cem"),
        ("4S 4D 4C", "Cem"),
        ("4S 4D 5C", "Cem"),
    ],
)
def test_the_highest_rank_of_any_suit_takes_the_trick_the_last_of_equals(cards: str, winner: str) -> None:
    events = trick("Ann", "JH", cards)
    assert last_call(MATCH, *events) == {"event": 4, "player": winner, "call": "trick", "reason": "JH"}
    assert play(MATCH, *events).turn == winner


def test_the_winner_of_a_trick_leads_the_next() -> None:
    events = [*trick("Ann", "7H", "2S KS 3S"), *trick("Bob", "8H", "4S 5S 6S")]
    assert last_call(MATCH, *events) == {"event": 8, "player": "Ann", "call": "trick", "reason": "8H"}


def test_taken_cards_are_in_the_order_of_taking() -> None:
    taken = score(MATCH, *deal("Ann Bob Ann Ann", "9H 2H KH 3H"))["detail"]["taken"]
    assert taken == {"Ann": ["9H", "KH", "3H"], "Bob": ["2H"], "Cem": []}


# Following suit.


def test_a_renege_shows_when_the_suit_is_played_later() -> None:
    events = [*trick("Ann", "7H", "2S 3D 4S"), *trick("Cem", "8H", "5D 6D 7S")]
    assert calls(MATCH, *events) == [
        {"event": 8, "player": "Bob", "call": "trick", "reason": "8H"},
        {"event": 8, "player": "Bob", "call": "renege", "reason": "1,2"},
    ]


def test_a_renege_also_shows_when_the_suit_is_led_or_followed() -> None:
    led = [*trick("Ann", "7H", "2S AD 4S"), *trick("Bob", "8H", "7S")]
    assert last_call(MATCH, *led) == {"event": 6, "player": "Bob", "call": "renege", "reason": "1,2"}
    followed = [*trick("Ann", "7H", "2S 3D 4S"), *trick("Cem", "8H", "5S 6S 7S")]
    assert of(score(MATCH, *followed), "renege") == [{"event": 8, "player": "Bob", "call": "renege", "reason": "1,2"}]


def test_every_trick_not_followed_is_flagged_by_the_first_card_that_shows_it() -> None:
    events = [
        *trick("Ann", "2H", "2S 3D AS"),
        *trick("Cem", "3H", "3S 4S 2D"),
        *trick("Ann", "4H", "5S 4D KS"),
        *trick("Cem", "5H", "5D 6D 6S"),
        *trick("Bob", "6H", "7S 8S 9S"),
    ]
    found = [(call["event"], call["player"], call["reason"]) for call in of(score(MATCH, *events), "renege")]
    assert found == [(16, "Bob", "1,4"), (16, "Bob", "2,4"), (16, "Bob", "3,4")]


def test_a_suit_not_followed_again_is_flagged_again() -> None:
    events = [
        *trick("Ann", "2H", "2S 3D AS"),
        *trick("Cem", "3H", "3S 4S KS"),
        *trick("Bob", "4H", "2D 4D AD"),
        *trick("Ann", "5H", "5S 6D 7S"),
        *trick("Cem", "6H", "8S 9S TS"),
    ]
    found = [(call["event"], call["reason"]) for call in of(score(MATCH, *events), "renege")]
    assert found == [(8, "1,2"), (20, "4,5")]


def test_several_players_may_renege_on_one_trick() -> None:
    events = [*trick("Ann", "2H", "2S 3D 4C"), *trick("Cem", "3H", "5S 6C 7S")]
    found = [(call["event"], call["player"], call["reason"]) for call in of(score(MATCH, *events), "renege")]
    assert found == [(6, "Cem", "1,2"), (8, "Bob", "1,2")]


def test_who_is_out_of_a_suit_may_play_any_card() -> None:
    events = [*trick("Ann", "2H", "2S 3D 4S"), *trick("Cem", "3H", "5S 6S 7C"), *trick("Bob", "4H", "8D 9D TS")]
    assert of(score(MATCH, *events), "renege") == []


def test_a_suit_played_in_the_next_deal_shows_nothing() -> None:
    first = deal(ALL_ANNS)
    assert [event["card"] for event in first[-3:]] == ["AC", "TS", "TD"]
    second = [*trick("Bob", "2H", "2C 3C 4C"), *trick("Ann", "3H", "2S 3D 4D")]
    assert [call["event"] for call in of(score(MATCH, *first, *second), "renege") if call["event"] > 52] == []


def test_the_score_stands_after_a_renege() -> None:
    events = [*trick("Ann", "7H", "2S 3D 4S"), *trick("Cem", "8H", "5D 6D 7S")]
    assert score(MATCH, *events)["detail"]["tentative"] == {"Ann": 0, "Bob": 8, "Cem": 7}
    assert play(MATCH, *events).turn == "Bob"


# What point cards cost.


@pytest.mark.parametrize(
    ("taken", "cost"),
    [
        ("2H", 2),
        ("9H", 9),
        ("TH", 10),
        ("AH", 11),
        ("2H 3H 4H 5H 6H 7H 8H 9H TH AH", 65),
        ("KH", 25),
        ("KH QH JH", 75),
        ("AH TH 9H JH", 19),
        ("KH 3H 9H", 3),
        ("9H QH JH 5H 4H", 4),
        ("KH QH 5H", 25),
        ("KH QH JH 5H", 50),
        ("KH 2H 3H 4H 5H 6H 7H 8H 9H TH AH QH", 44),
    ],
)
def test_each_bouncer_cancels_the_highest_numeral_left_or_costs_25(taken: str, cost: int) -> None:
    assert tentative(taken) == cost


@pytest.mark.parametrize(
    ("taken", "cost"),
    [
        ("9H 2H 5H KH", 7),
        ("9H 2H 5H JH", 14),
        ("2H 9H QH 4H", 6),
        ("TH AH KH", 10),
        ("TH AH JH", 11),
        ("KH 3H 9H", 3),
        ("JH 9H 3H", 9),
        ("QH 4H", 29),
        ("4H KH QH", 25),
        ("4H QH KH", 25),
        ("KH", 25),
        ("QH", 25),
        ("JH", 25),
        ("5H JH KH", 25),
        ("5H JH KH QH", 50),
        ("3H 5H QH KH", 28),
        ("2H QH 9H JH", 34),
        ("2H JH 5H QH 9H KH", 0),
        ("KH QH JH", 75),
    ],
)
def test_special_bouncers_cancel_only_their_own_target(taken: str, cost: int) -> None:
    assert tentative(taken, special_bouncers=True) == cost


def test_special_bouncers_are_off_by_default() -> None:
    assert tentative("3H 5H QH KH") == tentative("3H 5H QH KH", special_bouncers=False) == 0


# Deals and the end.


def test_the_tentative_score_follows_every_trick() -> None:
    events = deal("Ann Bob Ann Ann Bob", "9H KH 2H QH 3H")
    costs = [score(MATCH, *events[:count])["detail"]["tentative"] for count in range(4, 21, 4)]
    assert [(cost["Ann"], cost["Bob"]) for cost in costs] == [(9, 0), (9, 25), (11, 25), (2, 25), (2, 0)]
    assert score(MATCH, *events)["scores"] == {"Ann": 0, "Bob": 0, "Cem": 0}


def test_a_deal_ends_after_thirteen_tricks() -> None:
    events = deal(SHARED)
    assert of(score(MATCH, *events[:-1]), "score") == []
    standing = score(MATCH, *events)
    assert standing["calls"][-5:] == [
        {"event": 52, "player": "Ann", "call": "trick", "reason": "KH"},
        {"event": 52, "player": "Ann", "call": "score", "points": 15},
        {"event": 52, "player": "Bob", "call": "score", "points": 9},
        {"event": 52, "player": "Cem", "call": "score", "points": 11},
        {"event": 52, "player": "Bob", "call": "round", "reason": "2"},
    ]
    assert (standing["phase"], standing["turn"], standing["winners"]) == ("playing", "Bob", [])
    assert standing["scores"] == {"Ann": 15, "Bob": 9, "Cem": 11}
    assert standing["detail"] == {
        "taken": {"Ann": [], "Bob": [], "Cem": []},
        "deal_scores": [{"Ann": 15, "Bob": 9, "Cem": 11}],
        "tentative": {"Ann": 0, "Bob": 0, "Cem": 0},
        "trick": [],
        "point_card": None,
        "upcoming": None,
    }


def test_the_deal_passes_to_the_left() -> None:
    deals = [*deal(SHARED), *deal(SHARED, leader="Bob"), *deal(SHARED, leader="Cem"), *deal(SHARED)]
    begun = [(call["event"], call["player"], call["reason"]) for call in of(score(MATCH, *deals), "round")]
    assert begun == [(52, "Bob", "2"), (104, "Cem", "3"), (156, "Ann", "4"), (208, "Bob", "5")]


def test_deals_add_up() -> None:
    standing = score(MATCH, *deal(SHARED), *deal("Cem " * 13, leader="Bob"))
    assert standing["scores"] == {"Ann": 15, "Bob": 9, "Cem": 46}
    assert standing["detail"]["deal_scores"] == [{"Ann": 15, "Bob": 9, "Cem": 11}, {"Ann": 0, "Bob": 0, "Cem": 35}]


def test_a_deal_that_costs_nothing_is_scored_too() -> None:
    assert of(score(MATCH, *deal(ALL_ANNS)), "score") == [
        {"event": 52, "player": "Ann", "call": "score", "points": 35},
        {"event": 52, "player": "Bob", "call": "score", "points": 0},
        {"event": 52, "player": "Cem", "call": "score", "points": 0},
    ]


def test_renege_comes_between_trick_and_score() -> None:
    kinds = [call["call"] for call in calls(MATCH, *deal(ALL_ANNS))]
    assert kinds == ["trick", *["renege"] * kinds.count("renege"), "score", "score", "score", "round"]
    assert "renege" in kinds


@pytest.mark.parametrize(("target", "phase"), [(15, "finished"), (16, "playing")])
def test_the_first_at_the_target_ends_the_game_and_the_lowest_total_wins(target: int, phase: str) -> None:
    standing = score(table(target=target), *deal(SHARED))
    assert standing["phase"] == phase
    assert standing["winners"] == (["Bob"] if phase == "finished" else [])
    last = {"finished": ("Bob", "win", None), "playing": ("Bob", "round", "2")}
    call = standing["calls"][-1]
    assert (call["player"], call["call"], call.get("reason")) == last[phase]


def test_the_game_goes_on_until_the_deal_is_over() -> None:
    events = deal(ALL_ANNS)
    assert score(table(target=2), *events[:-1])["detail"]["tentative"]["Ann"] > 2
    assert play(table(target=2), *events[:-1]).phase == "playing"
    assert play(table(target=2), *events).phase == "finished"


@pytest.mark.parametrize(("taken", "total", "phase"), [("AH TH 8H", 99, "playing"), ("AH TH 9H", 100, "finished")])
def test_the_target_is_a_hundred(taken: str, total: int, phase: str) -> None:
    """Ann's first two deals cost her 35 each."""
    rest = [value for value in POINT_CARDS if value not in taken.split()]
    deals = [*deal(ALL_ANNS), *deal(ALL_ANNS, leader="Bob")]
    third = deal(["Ann"] * 3 + ["Bob"] * 10, [*taken.split(), *rest], leader="Cem")
    standing = play(MATCH, *deals, *third)
    assert dict(standing.scores)["Ann"] == total
    assert standing.phase == phase


def test_a_tie_is_shared() -> None:
    standing = score(table(target=35), *deal(ALL_ANNS))
    assert standing["winners"] == ["Bob", "Cem"]
    assert standing["calls"][-2:] == [
        {"event": 52, "player": "Bob", "call": "win"},
        {"event": 52, "player": "Cem", "call": "win"},
    ]


def test_after_the_end_the_last_deal_stays() -> None:
    standing = score(table(target=1), *deal(SHARED))
    assert (standing["phase"], standing["turn"]) == ("finished", None)
    assert standing["detail"] == {
        "taken": {"Ann": POINT_CARDS[::3], "Bob": POINT_CARDS[1::3], "Cem": POINT_CARDS[2::3]},
        "deal_scores": [{"Ann": 15, "Bob": 9, "Cem": 11}],
        "tentative": {"Ann": 15, "Bob": 9, "Cem": 11},
        "trick": [],
        "point_card": None,
        "upcoming": None,
    }
    assert play(table(target=1), *deal(SHARED)).expected.players == ()
    assert play(table(target=1), *deal(SHARED)).expected.action == "nothing"


def test_the_scoreboard_shows_the_deal() -> None:
    match = table(show_upcoming=True)
    events = [point(value) for value in ("7H", "KH", "2H")]
    first = [*events, card("Ann", "2S"), card("Bob", "KS")]
    board = scoreboard(play(match, *first)).splitlines()
    assert board[:7] == [
        "Bouncers: Cem's turn",
        "  Ann     0",
        "  Bob     0",
        "  Cem     0",
        "Point card: 7H",
        "Upcoming: 7H KH 2H",
        "In the trick: Ann 2S, Bob KS",
    ]
    won = scoreboard(play(match, *first, card("Cem", "3S"))).splitlines()
    assert won[4:7] == ["Point card: KH", "Upcoming: KH 2H", "Taken: Bob 7H (7)"]
    assert scoreboard(play(MATCH)).splitlines()[4:] == []


# The variant of upcoming point cards.


def test_upcoming_point_cards_lie_in_a_row() -> None:
    match = table(show_upcoming=True)
    assert score(match)["detail"]["upcoming"] == []
    row = [point(value) for value in ("7H", "KH", "2H")]
    detail = score(match, *row)["detail"]
    assert (detail["upcoming"], detail["point_card"]) == (["7H", "KH", "2H"], "7H")
    first = [*row, card("Ann", "2S"), card("Bob", "KS"), card("Cem", "3S")]
    assert last_call(match, *first) == {"event": 6, "player": "Bob", "call": "trick", "reason": "7H"}
    detail = score(match, *first)["detail"]
    assert (detail["upcoming"], detail["point_card"]) == (["KH", "2H"], "KH")
    later = [*first, point("3H"), card("Bob", "4S"), card("Cem", "5S"), point("4H"), card("Ann", "6S")]
    detail = score(match, *later)["detail"]
    assert (detail["upcoming"], detail["taken"]["Ann"]) == (["2H", "3H", "4H"], ["KH"])


def test_upcoming_point_cards_run_out() -> None:
    match = table(show_upcoming=True)
    events = trick("Ann", "7H", "2S KS 3S")
    assert score(match, *events)["detail"]["upcoming"] == []
    assert refusal(*events, card("Bob", "4S"), match=match) == ("Bob", "no_point_card")


def test_all_point_cards_may_lie_there_from_the_beginning() -> None:
    match = table(show_upcoming=True)
    cards = [event for event in deal(SHARED) if event["type"] == "card"]
    row = [point(value) for value in POINT_CARDS]
    assert score(match, *row, *cards)["scores"] == score(MATCH, *deal(SHARED))["scores"]
    assert score(match, *row, *cards)["detail"]["upcoming"] == []
    assert refusal(*row, *cards[:5], point("7H"), match=match) == ("Cem", "impossible")


def test_without_the_variant_nothing_is_upcoming() -> None:
    assert score(table(show_upcoming=False), point("7H"))["detail"]["upcoming"] is None


# What is refused.


def test_a_card_without_a_point_card() -> None:
    assert refusal(card("Ann", "2S")) == ("Ann", "no_point_card")
    events = trick("Ann", "7H", "2S KS 3S")
    assert refusal(*events, card("Bob", "2S")) == ("Bob", "no_point_card")
    assert refusal(*events, card("Bob", "9H")) == ("Bob", "no_point_card")


def test_a_card_out_of_turn() -> None:
    assert refusal(card("Bob", "2S")) == ("Bob", "out_of_turn")
    assert refusal(point("7H"), card("Cem", "7H")) == ("Cem", "out_of_turn")
    assert refusal(point("7H"), card("Ann", "2S"), card("Ann", "2S")) == ("Ann", "out_of_turn")


@pytest.mark.parametrize(
    "cards",
    ["8H", "7H", "2S 2S", "2S AH", "2S KS 2S", "2S KS KS"],
    ids=["heart", "point card", "led", "another heart", "two before", "one before"],
)
def test_a_card_that_can_not_be_there(cards: str) -> None:
    events = trick("Ann", "7H", cards)
    assert refusal(*events) == (NAMES[len(events) - 2], "impossible")


def test_a_card_of_an_earlier_trick() -> None:
    events = [*trick("Ann", "7H", "2S KS 3S"), point("8H")]
    for value in ("2S", "KS", "3S"):
        assert refusal(*events, card("Bob", value)) == ("Bob", "impossible")


@pytest.mark.parametrize("value", ["7S", "AC", "KD"])
def test_a_point_card_of_another_suit(value: str) -> None:
    assert refusal(point(value)) == ("Ann", "impossible")


def test_a_second_point_card() -> None:
    assert refusal(point("7H"), point("8H")) == ("Ann", "impossible")
    assert refusal(point("7H"), point("7H")) == ("Ann", "impossible")
    assert refusal(point("7H"), card("Ann", "2S"), point("8H")) == ("Bob", "impossible")


def test_a_point_card_used_before_in_the_deal() -> None:
    events = trick("Ann", "7H", "2S KS 3S")
    assert refusal(*events, point("7H")) == ("Bob", "impossible")
    assert refusal(point("7H"), point("7H"), match=table(show_upcoming=True)) == ("Ann", "impossible")


def test_all_cards_may_be_used_again_in_the_next_deal() -> None:
    events = [*deal(SHARED), *trick("Bob", "2H", "2S AS 3S")]
    assert last_call(MATCH, *events) == {"event": 56, "player": "Cem", "call": "trick", "reason": "2H"}


BAD: list[tuple[Json, str]] = [
    ({"type": "card", "card": "1S", "seat": "west"}, "Bob"),
    ({"type": "card", "card": "10S", "seat": "north"}, "Cem"),
    ({"type": "card", "card": "qs", "seat": "west"}, "Bob"),
    ({"type": "card", "seat": "west"}, "Bob"),
    ({"type": "card", "card": "QS"}, "Ann"),
    ({"type": "card", "card": "QS", "player": "Bob"}, "Ann"),
    ({"type": "card", "card": "QS", "seat": None}, "Ann"),
    ({"type": "card", "card": "QS", "seat": "up"}, "Ann"),
    ({"type": "card", "card": "QS", "seat": "east"}, "Ann"),
    ({"type": "card", "card": "1S", "seat": "east"}, "Ann"),
    ({"type": "point_card"}, "Ann"),
    ({"type": "point_card", "card": 7}, "Ann"),
    ({"type": "point_card", "card": "7h"}, "Ann"),
    ({"type": "decision", "player": "Cem", "choice": "stand"}, "Cem"),
]


@pytest.mark.parametrize(("event", "named"), BAD, ids=str)
def test_events_that_can_not_be_used(event: Json, named: str) -> None:
    assert refusal(event) == (named, "bad_event")
    finished = deal(SHARED)
    player = last_call(table(target=1), *finished, event)["player"]
    assert player == (named if named != "Ann" else None)
    assert last_call(table(target=1), *finished, event)["reason"] == "bad_event"


@pytest.mark.parametrize(
    ("event", "named"),
    [(card("Bob", "2S"), "Bob"), (card("Ann", "9H"), "Ann"), (point("7H"), None), (point("7S"), None)],
    ids=str,
)
def test_game_over(event: Json, named: str | None) -> None:
    assert refusal(*deal(SHARED), event, match=table(target=1)) == (named, "game_over")


@pytest.mark.parametrize(
    "event",
    [
        {"type": "decision", "player": "Bob", "choice": "ready"},
        {"type": "seen.card", "card": "QS", "corners_px": []},
        {"type": "shot", "colour": "red"},
        {"type": "tap"},
        {"type": "note", "text": "a remark"},
    ],
    ids=str,
)
def test_what_the_game_has_no_use_for_passes_by(event: Json) -> None:
    assert score(MATCH, point("7H"), event) == score(MATCH, point("7H"))


# People's rulings.


def test_a_misread_card_is_corrected() -> None:
    events = [*trick("Ann", "7H", "2S KS 3S"), *trick("Bob", "8H", "4S 5S 6S")]
    corrected = score(MATCH, *events, ruling(3, card("Bob", "2D")))
    assert of(corrected, "trick")[0] == {"event": 4, "player": "Cem", "call": "trick", "reason": "7H"}
    assert of(corrected, "refused") == [{"event": 6, "player": "Bob", "call": "refused", "reason": "out_of_turn"}]
    assert [played["card"] for played in corrected["detail"]["trick"]] == ["5S", "6S"]


def test_a_ruling_may_reopen_the_game() -> None:
    match = table(target=15)
    events = deal(SHARED)
    assert play(match, *events).phase == "finished"
    reopened = score(match, *events, ruling(52, None))
    assert (reopened["phase"], reopened["turn"], reopened["winners"]) == ("playing", "Bob", [])
    assert len(reopened["detail"]["trick"]) == 2


# Headers.


@pytest.mark.parametrize("players", [0, 1, 2, 4])
def test_three_players(players: int) -> None:
    match = table()
    more = [{"name": "Dot", "seat": "east"}]
    match["players"] = (match["players"] + more)[:players]
    with pytest.raises(BadHeader, match=f"for 3 players, not {players}"):
        play(match)


@pytest.mark.parametrize("seat", [None, "up", 5])
def test_everybody_needs_a_seat(seat: object) -> None:
    match = table()
    match["players"][1]["seat"] = seat
    with pytest.raises(BadHeader, match="Bob has no seat"):
        play(match)


def test_nobody_shares_a_seat() -> None:
    match = table()
    match["players"][1]["seat"] = "south"
    with pytest.raises(BadHeader, match="same seat"):
        play(match)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("dealer", "Zed"),
        ("dealer", None),
        ("dealer", 0),
        ("target", 0),
        ("target", -5),
        ("target", 1.5),
        ("target", "100"),
        ("target", True),
        ("show_upcoming", 1),
        ("show_upcoming", None),
        ("special_bouncers", "yes"),
    ],
)
def test_house_rules_that_can_not_be(option: str, value: object) -> None:
    with pytest.raises(BadHeader, match=f"the option {option} can't be"):
        play(table(**{option: value}))


def test_house_rules_of_other_games_are_ignored() -> None:
    assert score(table(starter="Zed", rounds=0, wrong_side=7)) == score(MATCH)
    assert play(table(target=15.0), *deal(SHARED)).phase == "finished"


def test_colours_and_layout_are_not_read(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({**MATCH, "layout": "no/such/board.json"}))
    assert score_log(log).standing.turn == "Ann"
    match = {**table(), "layout": "none"}
    match["players"][0]["colours"] = match["players"][1]["colours"] = ["red"]
    assert score(match) == score(MATCH)
