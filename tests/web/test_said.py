"""What people say from the page: decisions by button, what was missed by form, and rulings on events of every kind."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import BrowserContext, expect
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from referee.events import (
    BallAt,
    Card,
    Decision,
    Event,
    InHole,
    Off,
    Option,
    Placed,
    PointCard,
    Rack,
    Removed,
    Ruling,
    Shot,
    Tap,
)
from tests.web.evenings import bounce_21, bounce_it, bouncers, straight, wonder_bowling
from tests.web.fake import FakeDesk
from tests.web.looks import served
from web import create_app

SIGNED = {"by": "Cleo", "reason": "I saw it"}
OWN = {"Origin": "http://localhost"}


def client_of(desk: FakeDesk) -> FlaskClient:
    desk.match_id = "m"
    return create_app({"m": desk}).test_client()


def decide(desk: FakeDesk, **given: object) -> TestResponse:
    return client_of(desk).post("/match/m/decide", data=MultiDict(given), headers=OWN)


def add(desk: FakeDesk, given: Mapping[str, str]) -> TestResponse:
    return client_of(desk).post("/match/m/add", data={**SIGNED, **given}, headers=OWN)


def overrule(desk: FakeDesk, line: int, given: Mapping[str, str]) -> TestResponse:
    data = {**SIGNED, "verdict": "correct", **given}
    return client_of(desk).post(f"/match/m/call/{line}/overrule", data=data, headers=OWN)


def buttons(desk: FakeDesk) -> list[tuple[str, str]]:
    """The choices on the live page, with what stands on their buttons."""
    page = client_of(desk).get("/match/m").text
    return re.findall(r'name="choice" value="(\w+)">([^<]+)<', page)


def newest(desk: FakeDesk) -> Event:
    return desk.snapshot().events[-1]


def test_after_a_hit_the_player_may_raise_or_stop() -> None:
    desk = bounce_it()
    assert buttons(desk) == [("raise", "Raise to 2"), ("stop", "Stop and take 1")]
    answer = decide(desk, player="Ann", choice="stop")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/match/m")
    assert newest(desk) == Decision(player="Ann", choice="stop")
    assert dict(desk.snapshot().standing.scores) == {"Bob": 1, "Ann": 1}
    assert buttons(desk) == []


def test_where_nothing_higher_is_left_there_is_only_stopping() -> None:
    desk = bounce_it()
    supply = Option(name="supply", value='{"1": 3}')
    desk.header = replace(desk.header, options=(*desk.header.options, supply))
    assert buttons(desk) == [("stop", "Stop and take 1")]


def test_in_the_last_turn_of_bounce_21_there_is_standing() -> None:
    desk = bounce_21()
    assert buttons(desk) == [("stand", "Stand with 26")]
    assert decide(desk, player="Ann", choice="stand").status_code == 303
    assert desk.snapshot().standing.turn == "Bob"


def test_after_a_strike_the_chips_are_chosen() -> None:
    desk = wonder_bowling()
    assert buttons(desk) == [("strike", "Turn a strike chip"), ("targets", "Turn the two marked chips")]
    page = client_of(desk).get("/match/m").text
    assert re.findall(r'name="target" value="(\d)"', page) == ["2", "3", "9"]
    assert decide(desk, player="Bob", choice="targets", target=["2", "9"]).status_code == 303
    assert newest(desk) == Decision(player="Bob", choice="targets", targets=(2, 9))
    assert dict(desk.snapshot().standing.scores)["Bob"] == 3


@pytest.mark.parametrize(
    ("given", "status", "words"),
    [
        ({"player": "Bob", "choice": "targets", "target": ["2"]}, 409, "it contradicts what was there"),
        ({"player": "Bob", "choice": "targets", "target": ["2", "x"]}, 400, "Please press one of the buttons."),
        ({"player": "Bob", "choice": "explode"}, 400, "Please press one of the buttons."),
        ({"player": "Ann", "choice": "strike"}, 409, "Nothing was changed: this does not count now: out of turn."),
        ({"player": "", "choice": "strike"}, 400, "Please press one of the buttons."),
        ({"player": "Eve", "choice": "strike"}, 409, "this line can&#39;t be used"),
    ],
)
def test_a_decision_that_does_not_count_is_told_why(given: dict[str, object], status: int, words: str) -> None:
    desk = wonder_bowling()
    before = desk.snapshot().events
    answer = decide(desk, **given)
    assert (answer.status_code, desk.snapshot().events) == (status, before)
    assert words in answer.text
    assert 'role="alert"' in answer.text


def test_decisions_and_additions_come_from_own_pages_only() -> None:
    desk = bounce_it()
    before = desk.snapshot().events
    for path in ("decide", "add"):
        answer = client_of(desk).post(f"/match/m/{path}", data={"player": "Ann", "choice": "stop"})
        assert answer.status_code == 403
    assert client_of(desk).get("/match/m/decide").status_code == 405
    assert desk.snapshot().events == before


THROW_INTO_BOX = {"kind": "shot", "ball": "blue", "table_bounces": "1", "place": "hole"}


def test_a_throw_that_was_missed_is_added() -> None:
    desk = bounce_it()
    answer = add(desk, THROW_INTO_BOX)
    assert (answer.status_code, answer.headers["Location"]) == (
        303,
        f"/match/m/call/{len(desk.snapshot().events)}?saved=1",
    )
    added = newest(desk)
    assert isinstance(added, Shot)
    assert (added.ball, added.colour, added.result) == ("blue", "blue", InHole(hole="A1"))
    card = client_of(desk).get(answer.headers["Location"]).text
    assert "Ann raises to 2" in card
    assert "Cleo said so: “I saw it”" in card


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"by": " "}, 400, "Please say who decides this."),
        ({"ball": "green"}, 400, "There is no such ball in this game."),
        ({"table_bounces": "-1"}, 400, "whole number from 0 to 99"),
        ({"player": "Eve"}, 400, "Please choose one of the players."),
        ({"kind": "tap"}, 400, "Please choose what it was that happened."),
        ({"player": "Bob"}, 409, "Nothing was changed: this does not count now: out of turn."),
        ({"ball": "orange-small"}, 409, "nobody has such a ball to throw"),
    ],
)
def test_what_cannot_be_added_is_said(change: dict[str, str], status: int, words: str) -> None:
    desk = bounce_it()
    before = desk.snapshot().events
    answer = add(desk, {**THROW_INTO_BOX, **change})
    assert (answer.status_code, desk.snapshot().events) == (status, before)
    assert words in answer.text


@pytest.mark.parametrize(
    ("desk", "given", "event"),
    [
        (bounce_it, {"kind": "decision", "player": "Ann", "choice": "raise"}, Decision(player="Ann", choice="raise")),
        (
            wonder_bowling,
            {"kind": "decision", "player": "Bob", "choice": "targets", "target_0": "2", "target_1": "3"},
            Decision(player="Bob", choice="targets", targets=(2, 3)),
        ),
        (wonder_bowling, {"kind": "rack", "standing": "9"}, Rack(standing=9)),
        (bouncers, {"kind": "card", "card": "AD", "seat": "south"}, Card(card="AD", seat="south")),
        (
            lambda: bouncers(show_upcoming="true"),
            {"kind": "point_card", "card": "7H"},
            PointCard(card="7H"),
        ),
        (
            straight,
            {"kind": "placed", "ball_colour_0": "blue", "ball_at_0": "A1", "ball_colour_1": "", "ball_at_1": ""},
            Placed(balls=(BallAt(colour="blue", at="A1"),)),
        ),
        (
            straight,
            {"kind": "removed", "ball_colour_0": "red", "ball_at_0": "C3"},
            Removed(balls=(BallAt(colour="red", at="C3"),)),
        ),
    ],
)
def test_every_kind_of_event_can_be_added(desk: Callable[[], FakeDesk], given: dict[str, str], event: Event) -> None:
    made = desk()
    assert add(made, given).status_code == 303
    added = newest(made)
    assert isinstance(added, type(event))
    assert replace(added, stamp=event.stamp) == event


@pytest.mark.parametrize(
    ("desk", "given", "words"),
    [
        (wonder_bowling, {"kind": "tap", "standing": "11"}, "whole number from 0 to 10"),
        (wonder_bowling, {"kind": "rack", "standing": "10", "has_problems": "yes"}, "do not stand as they must"),
        (wonder_bowling, {"kind": "decision", "player": "Bob", "choice": "raise"}, "Please choose what was said."),
        (bouncers, {"kind": "card", "card": "", "seat": "south"}, "Please choose the card."),
        (bouncers, {"kind": "card", "card": "2S", "seat": "up"}, "Please choose who played it."),
        (straight, {"kind": "placed", "ball_colour_0": "blue", "ball_at_0": "Q9"}, "Please say for each ball"),
        (straight, {"kind": "removed"}, "Please say for each ball"),
    ],
)
def test_what_is_wrong_with_an_event_is_said(desk: Callable[[], FakeDesk], given: dict[str, str], words: str) -> None:
    answer = add(desk(), given)
    assert answer.status_code in (400, 409)
    assert words in answer.text


def test_a_tap_is_corrected_with_its_own_fields() -> None:
    desk = wonder_bowling(strike=False)
    page = client_of(desk).get("/match/m/call/1").text
    assert re.search(r'name="standing"[^>]* value="8"', page)
    assert overrule(desk, 1, {"standing": "7", "direct_touch": "yes", "player": ""}).status_code == 303
    ruling = newest(desk)
    assert isinstance(ruling, Ruling)
    assert isinstance(ruling.replace, Tap)
    assert (ruling.replace.standing, ruling.replace.direct_touch, ruling.replace.stamp.t_s) == (7, True, 3.0)
    assert "Penalty for Ann: a pin was touched" in client_of(desk).get("/match/m/call/1").text


def test_a_throw_into_the_box_is_corrected_with_its_ball() -> None:
    desk = bounce_it()
    assert overrule(desk, 1, {"ball": "orange-large", "table_bounces": "1", "place": "off"}).status_code == 303
    ruling = newest(desk)
    assert isinstance(ruling, Ruling)
    assert isinstance(ruling.replace, Shot)
    assert (ruling.replace.ball, ruling.replace.result, ruling.replace.touched_board) == ("orange-large", Off(), False)


def test_a_card_is_corrected_and_its_trick_with_it() -> None:
    desk = bouncers()
    assert "Cleo wins the trick" in client_of(desk).get("/match/m/call/4").text
    assert overrule(desk, 4, {"card": "9S", "seat": "north"}).status_code == 303
    card = client_of(desk).get("/match/m/call/4").text
    assert "Ann wins the trick and takes the king of hearts" in card
    assert "Cleo plays the 9 of spades" in card


def test_what_was_said_is_corrected_too() -> None:
    desk = bounce_it()
    decide(desk, player="Ann", choice="raise")
    line = len(desk.snapshot().events)
    assert overrule(desk, line, {"player": "Ann", "choice": "stop"}).status_code == 303
    assert dict(desk.snapshot().standing.scores) == {"Bob": 1, "Ann": 1}


def test_a_missed_throw_is_inserted_where_a_note_stands() -> None:
    desk = bounce_it()
    note, later = 3, 4
    card = client_of(desk).get(f"/match/m/call/{later}").text
    assert f'href="/match/m/call/{note}#form"' in card
    assert "Something was missed just before this" in card
    form = client_of(desk).get(f"/match/m/call/{note}").text
    assert "Missed at this moment:" in form
    assert 'name="verdict"' not in form
    chosen = client_of(desk).get(f"/match/m/call/{note}?kind=shot").text
    assert "Insert it here" in chosen
    assert overrule(desk, note, {**THROW_INTO_BOX, "ball": "orange-large", "place": "off"}).status_code == 303
    calls = client_of(desk).get("/match/m/calls.json").get_json()["calls"]
    inserted = next(call for call in calls if call["event"] == note)
    assert inserted["calls"] == ["Bob misses"]
    assert inserted["overruled"]["by"] == "Cleo"
    again = client_of(desk).get(f"/match/m/call/{later}").text
    assert "Something was missed just before this" not in again, "the only place is taken"


def test_a_seen_line_gives_its_place_up_before_a_contact_does() -> None:
    desk = wonder_bowling()
    assert 'href="/match/m/call/4#form"' in client_of(desk).get("/match/m/call/5").text


def test_a_note_can_be_neither_confirmed_nor_struck_out() -> None:
    desk = bounce_it()
    for verdict in ("correct", "restore"):
        answer = overrule(desk, 3, {"verdict": verdict})
        assert answer.status_code == 400
    assert "Please choose what it was that happened." in overrule(desk, 3, {}).text


def test_all_that_was_done_or_said_stands_in_the_list_of_all_calls() -> None:
    desk = bouncers()
    calls = client_of(desk).get("/match/m/calls.json").get_json()["calls"]
    assert [call["event"] for call in calls] == [6, 5, 4, 3, 2, 1]
    live = client_of(desk).get("/match/m.json").get_json()["calls"]
    assert [call["event"] for call in live] == [6, 4, 3, 2], "point cards are no calls"


def test_the_rule_behind_a_call_is_that_of_the_game() -> None:
    penalty = client_of(wonder_bowling()).get("/match/m/call/3").text
    assert "The second tap of a turn that fells no pin costs a penalty chip." in penalty
    missed = client_of(wonder_bowling()).get("/match/m/call/2").text
    assert "may be tried once more" in missed
    assert "Direct touch" in missed


@pytest.mark.browser
def test_a_decision_on_one_screen_is_seen_on_all(browser: BrowserContext) -> None:
    desk = wonder_bowling()
    desk.match_id = "m"
    with served(create_app({"m": desk})) as address:
        phone, screen = browser.new_page(), browser.new_page()
        for page in (phone, screen):
            page.goto(f"{address}/match/m")
            expect(page.locator("[data-connection]")).to_have_attribute("data-connection", "live")
        phone.bring_to_front()
        phone.get_by_label("Chip 2").check()
        phone.get_by_label("Chip 9").check()
        phone.get_by_role("button", name="Turn the two marked chips").click()
        expect(screen.locator(".card", has_text="Bob").locator(".points")).to_have_text(re.compile("^3 "))
        expect(screen.locator(".decision")).to_have_count(0)
        phone.close()
        screen.close()
