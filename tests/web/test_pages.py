"""What the pages say, without a browser."""

import dataclasses
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from calibration.layout import Layout
from referee.desk import Source, State
from referee.errors import BadStore
from referee.events import OnBoard, Player, Shot
from referee.score import standing_to_json
from tests.web.fake import DOUBTFUL, FIRST_SCORE, FOUL, FakeDesk, evening, header_of, last_throws
from web import create_app


def page(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.text


def test_a_single_match_is_opened_directly(client: FlaskClient) -> None:
    answer = client.get("/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/match/evening")


def test_several_matches_are_listed_with_their_scores(desk: FakeDesk, layout: Layout) -> None:
    other = FakeDesk(header_of("Cleo", "Dan"), layout, ())
    other.match_id = "morning"
    html = page(create_app({"evening": desk, "morning": other}).test_client(), "/")
    assert 'href="/match/evening"' in html
    assert 'href="/match/morning"' in html
    assert "Cleo 0, Dan 0" in html


def test_an_empty_site_says_how_a_match_comes_there() -> None:
    assert "There is no match here yet" in page(create_app({}).test_client(), "/")


def test_the_live_page_shows_score_turn_board_calls_and_source(client: FlaskClient) -> None:
    html = page(client, "/match/evening")
    points = re.findall(r'class="name">(\w+)</p>\s*<p class="points">(\d+)', html)
    assert points == [("Ann", "24"), ("Bob", "0")]
    assert "C3 (7 red): red" in html
    assert "D6 (5 red): red" in html
    assert "red ball, in no hole" in html
    assert "Watching evening.mp4: 0:33 of 1:34" in html
    assert html.index("0:15") < html.index("0:09") < html.index("0:03"), "newest call first"
    assert "Under review: a hand hid the bounce" in html


def test_whose_turn_it_is(client: FlaskClient, desk: FakeDesk) -> None:
    turn = desk.snapshot().standing.turn
    html = page(client, "/match/evening")
    assert re.findall(r'is-next">\s*<p class="name">(\w+)', html) == [turn]


@pytest.mark.parametrize(
    ("state", "message", "words"),
    [
        ("waiting", None, "Waiting for evening.mp4"),
        ("ended", None, "evening.mp4 has ended"),
        ("failed", "the camera was unplugged (usb:0): plug it in", "the camera was unplugged (usb:0): plug it in"),
    ],
)
def test_what_the_camera_does_is_said(
    client: FlaskClient, desk: FakeDesk, state: State, message: str | None, words: str
) -> None:
    desk.see(source=Source(name="evening.mp4", state=state, t_s=33.0, duration_s=94.0, message=message))
    assert words in page(client, "/match/evening")


def test_names_are_text_and_never_markup(desk: FakeDesk) -> None:
    evil = "<img src=x onerror=alert(1)>\"'&"
    desk.header = dataclasses.replace(
        desk.header,
        players=(Player(name=evil, seat="south", colours=("red",)), *desk.header.players[1:]),
        options=(),
    )
    client = create_app({"evening": desk}).test_client()
    for path in ("/match/evening", "/match/evening/calls", f"/match/evening/call/{FIRST_SCORE}"):
        html = page(client, path)
        assert "<img" not in html
    assert "&lt;img src=x onerror=alert(1)&gt;" in page(client, "/match/evening")
    assert client.get("/match/evening/parts.json").get_json()["parts"]["players"].count("<img") == 0


def test_match_ids_are_text_and_never_markup(client: FlaskClient) -> None:
    answer = client.get("/match/<script>alert(1)</script>")
    assert answer.status_code == 404
    assert "<script>alert" not in answer.text


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/match/nothing", "There is no match"),
        ("/match/nothing.json", "There is no match"),
        ("/match/nothing/stream", "There is no match"),
        ("/match/evening/call/999", "has no line 999"),
        ("/match/evening/call/0", "has no line 0"),
        ("/match/evening/call/999/clip.mp4", "has no line 999"),
        ("/elsewhere", "There is no such page here"),
    ],
)
def test_what_is_not_there_is_said_in_words(client: FlaskClient, path: str, words: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert words in answer.text


def test_a_failure_inside_is_said_in_words_and_without_its_inside(
    client: FlaskClient, desk: FakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down() -> None:
        raise ZeroDivisionError("a fault in the program")

    monkeypatch.setattr(desk, "snapshot", break_down)
    answer = client.get("/match/evening")
    assert answer.status_code == 500
    assert "could not make this page" in answer.text
    assert "a fault in the program" not in answer.text


def test_what_can_be_mended_is_said_with_the_remedy(
    client: FlaskClient, desk: FakeDesk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down() -> None:
        raise BadStore("the stored matches can't be read", "/data", "name another place with --data")

    monkeypatch.setattr(desk, "snapshot", break_down)
    answer = client.get("/match/evening")
    assert answer.status_code == 500
    assert "The stored matches can&#39;t be read (/data): name another place with --data." in answer.text
    assert "Traceback" not in caplog.text


def test_the_browser_is_told_to_refuse_what_is_not_ours(client: FlaskClient) -> None:
    answer = client.get("/match/evening")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert not re.search(r"<script(?![^>]*src=)|\son\w+=|\sstyle=|https?://", answer.text)


def test_the_json_twin_says_what_the_page_says(client: FlaskClient, desk: FakeDesk) -> None:
    twin = client.get("/match/evening.json").get_json()
    assert twin["score"] == standing_to_json(desk.snapshot().standing)
    assert twin["seen"] == {"holes": {"C3": "red", "D6": "red", "E5": "blue"}, "loose": ["red"]}
    assert [call["event"] for call in twin["calls"]] == [DOUBTFUL, FOUL, FIRST_SCORE]
    assert [call["confidence"] for call in twin["calls"]] == ["referee's call", "likely", "sure"]
    assert [call["under_review"] for call in twin["calls"]] == [True, False, False]
    assert twin["source"]["state"] == "playing"
    listed = client.get("/matches.json").get_json()["matches"]
    assert [match["match"] for match in listed] == ["evening"]


def test_a_long_evening_shows_the_newest_calls_and_links_to_all(desk: FakeDesk, client: FlaskClient) -> None:
    for _ in range(10):
        desk.see(*evening())
    html = page(client, "/match/evening")
    assert 'href="/match/evening/calls"' in html
    assert html.count('class="when"') == 12
    assert page(client, "/match/evening/calls").count('class="when"') == 44, "with the balls put down by hand"


def test_the_dispute_card_shows_verdict_measures_rule_and_history(client: FlaskClient, desk: FakeDesk) -> None:
    html = page(client, f"/match/evening/call/{FOUL}")
    assert "Two bounces or more." in html
    assert "two (one is asked for)" in html
    assert "+0.300 s" in html
    assert "30 mm east, 380 mm north" in html
    assert "likely (80%)" in html
    assert "Nobody has overruled this call." in html
    assert f"/match/evening/call/{FOUL}/clip.mp4" in html
    twin = client.get(f"/match/evening/call/{FOUL}.json").get_json()
    assert twin["event"] == FOUL
    assert [contact["surface"] for contact in twin["contacts"]] == ["table", "table"]


def test_assets_may_be_kept_and_change_their_address_with_their_content(app: Flask, client: FlaskClient) -> None:
    html = page(client, "/match/evening")
    script = re.search(r'src="(/static/referee\.js\?v=\w+)"', html)
    assert script is not None
    answer = client.get(script.group(1), buffered=True)
    answer.close()
    assert answer.status_code == 200
    assert "max-age" in answer.headers["Cache-Control"]


def test_a_ball_that_the_score_does_not_know_is_drawn_hollow(client: FlaskClient) -> None:
    html = page(client, "/match/evening")
    assert re.findall(r'is-uncounted"><title>([^<]+)<', html) == ["E5: blue ball, not counted"]
    assert "Hollow ball: not counted" in html


def test_the_winner_is_announced(desk: FakeDesk, client: FlaskClient) -> None:
    desk.see(*last_throws())
    assert desk.snapshot().standing.phase == "finished"
    html = page(client, "/match/evening")
    assert re.search(r'class="winner">.*Ann wins', html)
    assert "Finished" in html
    assert "to throw" not in html


def test_what_no_page_can_hold_becomes_a_question_mark(client: FlaskClient, desk: FakeDesk) -> None:
    desk.see(Shot(colour="half a \ud800 pair", table_bounces=1, result=OnBoard()))
    assert "alf a ? pair" in page(client, "/match/evening/calls")
    assert r"alf a \ud800 pair" in page(client, "/match/evening/calls.json")
