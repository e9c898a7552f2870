"""The list of stored matches, and the pages about their players."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser

import referee.stats.reading
from referee.catalogue import Catalogue
from referee.events import Event, SeenBounce, Stamp
from referee.log import Log
from referee.stats.almanac import Almanac
from referee.stats.deeds import Deeds, deeds_of
from referee.stored import StoredMatches
from tests.archive.matches import drop, header, play, whole_match
from tests.live.scene import throw
from web import create_app
from web.serving import Server, open_socket

EVIL = "<img src=x onerror=alert(1)>\"'&/?"


def bounce(t_s: float, x_mm: float, y_mm: float) -> Event:
    at = Stamp(t_s=t_s, t_end_s=t_s)
    return SeenBounce(colour="red", surface="table", px=(1, 2), mm=(x_mm, y_mm), side="south", stamp=at)


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return Catalogue(tmp_path / "data")


@pytest.fixture
def app(catalogue: Catalogue) -> Flask:
    """The pages as ``referee serve`` makes them."""
    return create_app(StoredMatches(catalogue.store), almanac=Almanac(catalogue))


@pytest.fixture
def evenings(catalogue: Catalogue, tmp_path: Path) -> None:
    play(catalogue.store, [bounce(1.1, 20, -310), *whole_match()])
    play(catalogue.store, whole_match()[:3], header("Cem", "Ann"))
    play(catalogue.store, [], header(EVIL, "Ann"))
    broken = drop(tmp_path / "data", "20260101-120000-abcd")
    (broken / "events.jsonl").write_text("<b>nothing\n")


def page(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.text


def test_nothing_is_stored_yet(client: FlaskClient) -> None:
    assert "There is no match here yet" in page(client, "/")
    assert "Nobody has played here yet" in page(client, "/players")
    assert client.get("/players.json").get_json() == {"matches": 0, "players": []}


@pytest.mark.usefixtures("evenings")
def test_every_match_is_listed_also_those_that_can_not_be_shown(client: FlaskClient, catalogue: Catalogue) -> None:
    html = page(client, "/")
    for match_id in catalogue.store.ids():
        assert (f'href="/match/{match_id}"' in html) == (match_id != "20260101-120000-abcd")
    assert "Finished · won by" in html
    assert "This match can't be shown" in html
    assert "<b>nothing" not in html
    assert 'href="/players"' in html
    newest = catalogue.store.ids()[-1]
    assert html.index(newest) < html.index("20260101-120000-abcd"), "newest first"
    assert 'href="/"' in page(client, f"/match/{newest}"), "there is a way back to the list"


def test_the_list_opens_no_match(client: FlaskClient, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    play(catalogue.store, whole_match())

    def opened(*_: object) -> None:
        pytest.fail("a match was opened")

    monkeypatch.setattr("referee.stored.StoredMatch.__init__", opened)
    assert "Finished" in page(client, "/")


@pytest.mark.usefixtures("evenings")
def test_all_players_are_told_and_each_has_a_page(client: FlaskClient) -> None:
    html = page(client, "/players")
    assert html.count('<th scope="row">') == 4
    ann = page(client, "/player?name=Ann")
    assert "<h1>Ann</h1>" in ann
    assert "3, 1 finished" in ann
    assert "1 played" in ann
    assert ann.count('<rect class="warm"') == 1
    assert "1 bounced here" in ann
    assert "A1: 1" in ann


@pytest.mark.usefixtures("evenings")
def test_names_are_text_and_never_markup(client: FlaskClient) -> None:
    html = page(client, "/players")
    assert "<img" not in html
    answer = client.get("/player", query_string={"name": EVIL})
    assert answer.status_code == 200
    assert "<img" not in answer.text
    assert client.get("/player", query_string={"name": "Zoë"}).status_code == 404
    assert client.get("/player").status_code == 404


@pytest.mark.usefixtures("evenings")
def test_the_same_for_programs(client: FlaskClient) -> None:
    said = client.get("/players.json").get_json()
    assert said["matches"] == 4
    ann = client.get("/player.json?name=Ann").get_json()
    assert ann in said["players"]
    assert ann["heat"][0]["bounces"] == [{"mm": [25, -325], "count": 1}]
    assert client.get("/player.json?name=Zoë").get_json() == {"error": "No stored match has a player “Zoë”."}


def test_without_stored_matches_there_are_no_statistics(catalogue: Catalogue) -> None:
    client = create_app(StoredMatches(catalogue.store)).test_client()
    answer = client.get("/players")
    assert answer.status_code == 404
    assert "referee serve" in answer.text


def test_a_log_is_read_again_only_when_it_has_changed(
    client: FlaskClient, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def counting(log: Log, folder: Path) -> Deeds:
        read.append(len(log.events))
        return deeds_of(log, folder)

    monkeypatch.setattr(referee.stats.reading, "deeds_of", counting)
    quiet, other = play(catalogue.store, whole_match()), play(catalogue.store, whole_match()[:1])
    for _ in range(3):
        page(client, "/players")
    assert sorted(read) == [1, 12]
    with other.open() as match:
        match.append(throw("blue", "B2", 2.0))
        assert client.get("/player.json?name=Bob").get_json()["shots"] == 6 + 1
    assert sorted(read) == [1, 2, 12]
    quiet.path.rename(catalogue.store.path / ".away")
    assert client.get("/player.json?name=Bob").get_json()["shots"] == 1
    assert sorted(read) == [1, 2, 12]


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    with open_socket("127.0.0.1", 0) as listener:
        server = Server(app, listener)
        thread = Thread(target=server.run)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.stop()
        thread.join()


@pytest.mark.browser
@pytest.mark.usefixtures("evenings")
@pytest.mark.parametrize(("scheme", "width"), [("light", 360), ("dark", 1280)])
def test_the_pages_fit_and_can_be_used_by_everybody(
    chromium: Browser, address: str, scheme: Literal["light", "dark"], width: int
) -> None:
    context = chromium.new_context(color_scheme=scheme, viewport={"width": width, "height": 740})
    browser_page = context.new_page()
    errors: list[str] = []
    browser_page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    for path in ("/", "/players", "/player?name=Ann"):
        browser_page.goto(f"{address}{path}")
        assert browser_page.evaluate("document.documentElement.scrollWidth") == width, path
        found = [violation["id"] for violation in Axe().run(browser_page).response["violations"]]
        assert found == [], path
    assert errors == []
    browser_page.get_by_role("link", name="All players").click()
    browser_page.get_by_role("link", name="Cem").click()
    assert browser_page.get_by_role("heading", name="Cem").is_visible()
    context.close()
