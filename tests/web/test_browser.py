"""The main paths in a real browser."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from referee.desk import Source
from referee.events import InHole, Shot
from tests.web.fake import FOUL, FakeDesk, stamp
from tests.web.looks import barriers, looking, served
from web import create_app
from web.colours import KNOWN

pytestmark = pytest.mark.browser

PAGES = ("/match/evening", "/match/evening/calls", f"/match/evening/call/{FOUL}", "/match/nothing")


@contextmanager
def watching_for_errors(page: Page) -> Iterator[list[str]]:
    """What the page's script or the content policy complains about."""
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda message: found.append(message.text) if message.type == "error" else None)
    yield found


def open_live(browser: BrowserContext, address: str) -> Page:
    page = browser.new_page()
    page.goto(f"{address}/match/evening")
    expect(page.locator("[data-connection]")).to_have_attribute("data-connection", "live")
    return page


def points(page: Page, name: str) -> Locator:
    return page.locator(".card", has_text=name).locator(".points")


def test_an_overruled_call_changes_every_open_page(browser: BrowserContext, address: str) -> None:
    first, second = open_live(browser, address), open_live(browser, address)
    card = browser.new_page()
    card.goto(f"{address}/match/evening/call/{FOUL}")
    with watching_for_errors(second) as errors:
        expect(points(second, "Bob")).to_have_text("0")
        first.bring_to_front()
        first.locator(".entry", has_text="0:09").get_by_role("link").click()
        first.get_by_label("Bounces on the table").fill("1")
        first.get_by_label("Your name").fill("Cleo")
        first.get_by_label("Reason").fill("Only once, see the replay")
        first.get_by_role("button", name="Overrule: it was as above").click()
        expect(first.get_by_text("The ruling is saved")).to_be_visible()
        expect(points(second, "Bob")).to_have_text("7")
        entry = second.locator(".entry", has_text="0:09")
        expect(entry).to_contain_text("Overruled by Cleo")
        expect(entry.locator("s")).to_contain_text("Foul by Bob")
        expect(card.locator("[data-part=rulings]")).to_contain_text("Only once, see the replay")
        assert errors == []


def test_the_form_works_without_a_script(chromium: Browser, address: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/match/evening/call/{FOUL}")
    page.get_by_label("Your name").fill("Cleo")
    page.get_by_label("Reason").fill("It was no throw")
    page.get_by_role("button", name="Strike it out").click()
    assert "Struck out by Cleo" in page.content()
    page.goto(f"{address}/match/evening")
    assert "this page shows the moment when it was opened" in page.content()
    context.close()


def test_a_throw_appears_by_itself(browser: BrowserContext, address: str, desk: FakeDesk) -> None:
    page = open_live(browser, address)
    desk.see(Shot(colour="blue", table_bounces=1, result=InHole(hole="F5"), side="north", stamp=stamp(21.0, 22.0)))
    expect(page.locator(".entry").first).to_contain_text("F5")
    expect(page.locator("[role=status][data-part=latest]")).to_contain_text("F5")
    assert page.title().startswith("Ann 24, Bob ")
    desk.see(source=Source(name="evening.mp4", state="ended", t_s=94.0, duration_s=94.0, message=None))
    expect(page.locator("[data-part=source]")).to_have_text("evening.mp4 has ended, after 1:34")


def test_the_list_of_all_calls_follows_too(browser: BrowserContext, address: str, desk: FakeDesk) -> None:
    page = browser.new_page()
    page.goto(f"{address}/match/evening/calls")
    expect(page.locator("[data-connection]")).to_have_attribute("data-connection", "live")
    # Three throws, and the balls that were put down before them.
    expect(page.locator(".entry")).to_have_count(4)
    desk.see(Shot(colour="blue", table_bounces=1, result=InHole(hole="F5"), side="north", stamp=stamp(21.0, 22.0)))
    expect(page.locator(".entry")).to_have_count(5)
    expect(page.locator(".entry").first).to_contain_text("F5")


def test_the_focus_stays_when_the_list_changes(browser: BrowserContext, address: str, desk: FakeDesk) -> None:
    page = open_live(browser, address)
    link = page.locator(".entry", has_text="0:09").get_by_role("link")
    link.focus()
    desk.see(Shot(colour="blue", table_bounces=1, result=InHole(hole="F5"), side="north", stamp=stamp(21.0, 22.0)))
    expect(page.locator(".entry")).to_have_count(4)
    expect(link).to_be_focused()


def test_a_woken_page_fetches_the_whole_state(browser: BrowserContext, address: str) -> None:
    page = open_live(browser, address)
    page.evaluate("document.querySelector('[data-part=players]').textContent = 'stale'")
    with page.expect_response(re.compile(r"/match/evening/parts\.json")):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(points(page, "Ann")).to_have_text("24")


def test_the_clip_plays_slowly_steps_and_seeks(browser: BrowserContext, address: str) -> None:
    page = browser.new_page()
    with watching_for_errors(page) as errors:
        page.goto(f"{address}/match/evening/call/{FOUL}")
        expect(page.locator("[data-clip-time]")).to_contain_text("picture 1 of 47")
        video = page.locator("video")
        assert video.get_attribute("playsinline") is not None
        page.get_by_role("button", name="Frame on").click()
        expect(page.locator("[data-clip-time]")).to_contain_text("picture 2 of 47")
        for _ in range(8):
            page.keyboard.press(".")
        # The picture at 30/90 s is missing, so the tenth is shown at 33/90 s, and never a made-up time.
        page.keyboard.press(".")
        expect(page.locator("[data-clip-time]")).to_contain_text("picture 11 of 47")
        assert video.evaluate("video => video.currentTime") == pytest.approx(33 / 90, abs=0.005)
        page.get_by_role("button", name="Frame back").click()
        expect(page.locator("[data-clip-time]")).to_contain_text("picture 10 of 47")
        page.get_by_role("button", name="Contact 2: table").click()
        assert video.evaluate("video => video.currentTime") == pytest.approx(1.2, abs=0.02)
        page.get_by_role("button", name="0.25").click()
        expect(page.get_by_role("button", name="0.25")).to_have_attribute("aria-pressed", "true")
        assert video.evaluate("video => video.playbackRate") == 0.25
        page.get_by_role("button", name=re.compile("^1.$")).click()
        video.evaluate("video => video.play()")
        expect(video).to_have_js_property("ended", True)
        assert errors == []


def test_a_clip_that_cannot_be_had_is_explained(browser: BrowserContext, address: str, desk: FakeDesk) -> None:
    desk.clip_path = None
    page = browser.new_page()
    page.goto(f"{address}/match/evening/call/{FOUL}")
    expect(page.locator(".clip-error")).to_have_text("There is no clip: this match was not recorded.")


@pytest.mark.parametrize(("scheme", "width", "height"), [("light", 360, 740), ("dark", 1920, 1080)])
def test_every_page_fits_and_nobody_is_shut_out(
    chromium: Browser, address: str, desk: FakeDesk, scheme: str, width: int, height: int
) -> None:
    desk.warnings = ("A-warning-without-any-place-to-break-" * 4,)
    desk.see()
    with looking(chromium, scheme, width, height) as page:
        for path in PAGES:
            page.goto(f"{address}{path}")
            assert page.evaluate("document.documentElement.scrollWidth") == width, path
            assert barriers(page) == [], path


def test_everything_but_old_calls_is_seen_at_once_on_a_big_screen(browser: BrowserContext, address: str) -> None:
    page = open_live(browser, address)
    assert page.evaluate("document.documentElement.scrollHeight") == 1080
    board = page.locator("svg.plan").bounding_box()
    assert board is not None
    assert board["width"] > 850
    assert page.locator(".points").first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") > 80


def test_dark_and_light_follow_the_system(chromium: Browser, address: str) -> None:
    grounds = {}
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{address}/match/evening")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        grounds[scheme] = sum(int(part) for part in re.findall(r"\d+", colour))
    context.close()
    assert grounds["dark"] < 150 < 600 < grounds["light"]


def test_marks_can_be_read_on_balls_of_every_colour(chromium: Browser, address: str) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{address}/match/evening")
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme, colour in product(schemes, (*KNOWN, "other")):
        page.emulate_media(color_scheme=scheme)
        paints = page.evaluate(
            """css => {
                const swatch = document.querySelector(".swatch");
                swatch.className = `swatch ${css}`;
                const style = getComputedStyle(swatch);
                return [style.backgroundColor, style.color];
            }""",
            f"c-{colour}",
        )
        assert contrast(*paints) >= 4.5, (colour, paints)
    context.close()


def contrast(one: str, other: str) -> float:
    """The contrast of two colours "rgb(…)" as the WCAG defines it."""
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(paint: str) -> float:
    shares = [int(part) / 255 for part in re.findall(r"\d+", paint)[:3]]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_page_finds_its_way_back_to_a_restarted_server(browser: BrowserContext, desk: FakeDesk) -> None:
    with served(create_app({"evening": desk})) as address:
        page = open_live(browser, address)
        page.evaluate("document.querySelector('[data-part=players]').textContent = 'stale'")
    expect(page.locator("[data-connection]")).to_have_attribute("data-connection", "reconnecting")
    port = urlsplit(address).port
    assert port is not None
    with served(create_app({"evening": desk}), port):
        expect(page.locator("[data-connection]")).to_have_attribute("data-connection", "live")
        expect(points(page, "Ann")).to_have_text("24")


def test_a_screen_goes_on_with_the_match_of_a_restarted_server(browser: BrowserContext, desk: FakeDesk) -> None:
    with served(create_app({"evening": desk})) as address:
        page, other = open_live(browser, address), browser.new_page()
        other.goto(f"{address}/match/evening/call/{FOUL}")
        other.fill("[name=reason]", "it did bounce")
    port = urlsplit(address).port
    assert port is not None
    desk.match_id = "next"
    with served(create_app({"next": desk}), port):
        expect(page).to_have_url(f"{address}/match/next")
        expect(page.locator("[data-connection]")).to_have_attribute("data-connection", "live")
        expect(other.locator("[data-connection]")).to_have_text("this match is no longer shown here")
        assert other.input_value("[name=reason]") == "it did bounce"
