"""Overruling a call: what the form takes, what it refuses, and what comes of it."""

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.events import InHole, Move, Off, Ruling, Shot
from tests.web.fake import DOUBTFUL, FIRST_SCORE, FOUL, FakeDesk

ONE_BOUNCE = {
    "verdict": "correct",
    "ruled": "0",
    "colour": "blue",
    "table_bounces": "1",
    "side": "north",
    "place": "hole",
    "hole": "E5",
    "by": "Cleo",
    "reason": "It bounced once, see the replay",
}


def send(client: FlaskClient, line: int, form: dict[str, str], origin: str | None = "http://localhost") -> TestResponse:
    headers = {} if origin is None else {"Origin": origin}
    return client.post(f"/match/evening/call/{line}/overrule", data=form, headers=headers)


def rulings(desk: FakeDesk) -> list[Ruling]:
    return [event for event in desk.snapshot().events if isinstance(event, Ruling)]


def scores(desk: FakeDesk) -> dict[str, int]:
    return dict(desk.snapshot().standing.scores)


def test_a_corrected_throw_is_rescored_and_shows_old_and_new(client: FlaskClient, desk: FakeDesk) -> None:
    before = scores(desk)
    answer = send(client, FOUL, ONE_BOUNCE)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/match/evening/call/{FOUL}?saved=1")
    assert scores(desk)["Bob"] == before["Bob"] + 7
    (ruling,) = rulings(desk)
    assert (ruling.event, ruling.by, ruling.reason) == (FOUL, "Cleo", "It bounced once, see the replay")
    assert isinstance(ruling.replace, Shot)
    assert (ruling.replace.table_bounces, ruling.replace.result) == (1, InHole(hole="E5"))
    assert ruling.replace.stamp.t_s == 9.0, "the time of the throw stays"
    card = client.get(answer.headers["Location"]).text
    assert "The ruling is saved" in card
    assert "Was:" in card
    assert "Overruled by Cleo" in card
    assert "It bounced once, see the replay" in card
    listed = client.get("/match/evening.json").get_json()["calls"][1]
    assert listed["overruled"]["by"] == "Cleo"
    assert listed["overruled"]["calls_before"] != listed["calls"]


def test_a_throw_struck_out_counts_for_nothing(client: FlaskClient, desk: FakeDesk) -> None:
    before = scores(desk)
    assert send(client, FIRST_SCORE, {**ONE_BOUNCE, "verdict": "strike"}).status_code == 303
    assert rulings(desk)[0].replace is None
    assert scores(desk)["Ann"] < before["Ann"]
    assert "Struck out by Cleo" in client.get("/match/evening").text


def test_a_doubtful_call_may_be_confirmed(client: FlaskClient, desk: FakeDesk) -> None:
    before = scores(desk)
    send(client, DOUBTFUL, {**ONE_BOUNCE, "verdict": "confirm"})
    assert scores(desk) == before
    html = client.get("/match/evening").text
    assert "Under review" not in html
    assert "Confirmed by Cleo" in html


def test_a_ruling_may_be_taken_back(client: FlaskClient, desk: FakeDesk) -> None:
    before = scores(desk)
    send(client, FOUL, ONE_BOUNCE)
    ruling_line = len(desk.snapshot().events)
    send(client, FOUL, {**ONE_BOUNCE, "verdict": "restore", "ruled": str(ruling_line), "reason": "It was two"})
    assert scores(desk) == before
    assert rulings(desk)[-1].event == ruling_line
    assert "No longer in force." in client.get(f"/match/evening/call/{FOUL}").text


def test_a_ball_that_went_off_and_what_it_knocked_out(client: FlaskClient, desk: FakeDesk) -> None:
    form = {
        **ONE_BOUNCE,
        "place": "off",
        "hole": "",
        "touched_board": "yes",
        "moved_colour_0": "red",
        "moved_from_0": "C3",
        "moved_to_0": "off",
        "moved_colour_1": "",
        "moved_from_1": "",
        "moved_to_1": "",
    }
    assert send(client, FOUL, form).status_code == 303
    replaced = rulings(desk)[0].replace
    assert isinstance(replaced, Shot)
    assert replaced.result == Off()
    assert replaced.touched_board is True
    assert replaced.moved == (Move(colour="red", source="C3", target=None),)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"reason": " "}, "Please give a reason"),
        ({"by": ""}, "Please say who decides this"),
        ({"by": "x" * 61}, "At most 60 letters"),
        ({"table_bounces": "many"}, "a whole number from 0 to 99"),
        ({"table_bounces": "-1"}, "a whole number from 0 to 99"),
        ({"table_bounces": "٣"}, "a whole number from 0 to 99"),
        ({"hole": "Z9"}, "Please choose the hole"),
        ({"hole": ""}, "Please choose the hole"),
        ({"place": "moon"}, "where the ball ended"),
        ({"side": "up"}, "one of the four sides"),
        ({"colour": "mauve"}, "no such ball"),
        ({"moved_colour_0": "red", "moved_from_0": "", "moved_to_0": "C4"}, "A moved ball needs"),
        ({"moved_colour_0": "red", "moved_from_0": "C3", "moved_to_0": "Q"}, "A moved ball lies"),
        ({"verdict": "explode"}, "choose one of the buttons"),
        ({"verdict": "restore"}, "can&#39;t be done with this call"),
        ({"ruled": "77"}, "Somebody ruled on this call"),
    ],
)
def test_what_cannot_be_used_is_said_and_changes_nothing(
    client: FlaskClient, desk: FakeDesk, change: dict[str, str], words: str
) -> None:
    answer = send(client, FOUL, {**ONE_BOUNCE, **change})
    assert answer.status_code == 400
    assert words in answer.text
    assert rulings(desk) == []


def test_a_refused_form_keeps_what_was_filled_in(client: FlaskClient) -> None:
    answer = send(client, FOUL, {**ONE_BOUNCE, "hole": "G7", "table_bounces": "x", "reason": 'say "so" & <so>'})
    assert '<option value="G7" selected>' in answer.text
    assert 'value="say &#34;so&#34; &amp; &lt;so&gt;"' in answer.text
    assert 'aria-invalid="true" aria-describedby="error-table_bounces"' in answer.text


def test_a_desk_that_cannot_save_is_quoted(client: FlaskClient, desk: FakeDesk) -> None:
    desk.refusal = "the disk is full (/data): make room"
    answer = send(client, FOUL, ONE_BOUNCE)
    assert answer.status_code == 409
    assert "Nothing was changed: the disk is full (/data): make room." in answer.text


@pytest.mark.parametrize("origin", [None, "null", "http://elsewhere.example", "http://localhost:8001"])
def test_a_form_from_another_site_is_not_taken(client: FlaskClient, desk: FakeDesk, origin: str | None) -> None:
    answer = send(client, FOUL, ONE_BOUNCE, origin)
    assert answer.status_code == 403
    assert "not sent from a page of the referee" in answer.text
    assert rulings(desk) == []


def test_a_browser_that_names_the_page_only_in_the_referer_is_trusted(client: FlaskClient, desk: FakeDesk) -> None:
    headers = {"Referer": f"http://localhost/match/evening/call/{FOUL}"}
    answer = client.post(f"/match/evening/call/{FOUL}/overrule", data=ONE_BOUNCE, headers=headers)
    assert answer.status_code == 303


def test_overruling_is_never_a_link(client: FlaskClient) -> None:
    assert client.get(f"/match/evening/call/{FOUL}/overrule").status_code == 405
