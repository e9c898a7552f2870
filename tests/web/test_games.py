"""What the pages show of each game beside its score."""

import json
import re
from dataclasses import replace
from html import unescape

import pytest
from playwright.sync_api import Browser

from calibration.layout import load_layout
from referee.events import Header, Option, Player, Seat, Stamp, Tap
from referee.games import GAMES
from referee.match import Match
from tests.web.evenings import (
    EVENINGS,
    bounce_21,
    bounce_it,
    bouncers,
    header_with,
    seen_pins,
    straight,
    wonder_bowling,
)
from tests.web.fake import FakeDesk, header_of
from tests.web.looks import barriers, looking, served
from web import create_app
from web.house_rules import KNOWN, house_rules


def text_of(html: str) -> str:
    """What a page says, with one space between any two words, and a plain x for times."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).replace("\N{MULTIPLICATION SIGN}", "x").split())


def parts_of(desk: FakeDesk) -> dict[str, str]:
    """The parts of the live page."""
    client = create_app({desk.match_id: desk}).test_client()
    parts: dict[str, str] = client.get(f"/match/{desk.match_id}/parts.json").get_json()["parts"]
    return parts


def said(desk: FakeDesk, part: str) -> str:
    return text_of(parts_of(desk)[part])


def cards_of(desk: FakeDesk) -> list[str]:
    """What the card of each player says."""
    return [text_of(card) for card in re.findall(r'<li class="card.*?</li>', parts_of(desk)["players"], re.DOTALL)]


def test_corrals_show_every_players_balls_by_colour() -> None:
    ann, bob = cards_of(straight())
    assert "Ann 6 balls" in ann
    assert "Corral R red x5 B blue" in ann
    assert "Bob 5 balls" in bob
    assert "Corral B blue x5" in bob


def test_bounce_21_shows_balls_thrown_and_who_is_over() -> None:
    ann, bob = cards_of(bounce_21())
    assert "26 of 21" in ann
    assert "over 21 Balls thrown 4 ▶ to throw, or decide" in ann
    assert "over" not in bob


def test_bounce_it_shows_chips_platform_balls_and_tray() -> None:
    desk = bounce_it()
    bob, ann = cards_of(desk)
    assert "Bob 1 south Chips 1 chip of 1" in bob
    assert "Ann 0 west Chips none yet" in ann
    table = said(desk, "table")
    assert "Platform 1 chip of 1" in table
    assert "Balls left OM orange-medium OL orange-large B blue Tray" in table
    assert "1 chip of 1 2 chip of 2 x3 5 chip of 5 x3 10 chip of 10 x3 20 chip of 20 x4" in table


def test_after_the_last_chip_nothing_lies_on_the_platform() -> None:
    desk = bounce_it()
    desk.header = header_with("bounce-it", "Bob", "Ann", target="1")
    table = said(desk, "table")
    assert "Platform" not in table
    assert "Balls left" not in table


def test_wonder_bowling_shows_chips_pins_and_what_would_be_a_nice_shot_now() -> None:
    desk = wonder_bowling(strike=False)
    ann, bob = cards_of(desk)
    assert "Ann 4 to turn" in ann
    assert "✕ strike chip x2 4 target chip 4, a nice shot now 7 target chip 7, a nice shot now ▶ to tap" in ann
    assert "Bob 5 to turn" in bob
    assert "2 target chip 2 3 target chip 3 9 target chip 9" in bob
    table = said(desk, "table")
    assert "standing " * 8 + "felled " * 2 + "8" in table
    assert "Ann wants 4 or 7 for a nice shot, 1 for a strike" in table
    assert "Penalty chips 5" in table


def test_the_last_penalty_chip_and_who_is_out_are_shown() -> None:
    desk = wonder_bowling(strike=False)
    desk.see(*[Tap(standing=8)] * 12)
    assert "none left: the next penalty eliminates" in said(desk, "table")
    desk.see(*[Tap(standing=8)] * 2)
    ann, bob = cards_of(desk)
    assert ("out" in ann.split()) != ("out" in bob.split())
    assert desk.snapshot().standing.phase == "finished"


def test_the_pins_are_drawn_on_the_lane_where_they_stand() -> None:
    desk = wonder_bowling(strike=False)
    board = parts_of(desk)["board"]
    assert 'aria-label="The lane: 8 pins standing, 2 fallen."' in board
    places = re.findall(r'<g class="pin-(\w+)"><title>([^<]+)</title><circle cx="([-\d.]+)" cy="([-\d.]+)"', board)
    assert places == [
        *(("up", "pin, standing", str(x), "-0") for x in range(-90, 70, 20)),
        *(("down", "pin, fallen", str(x), "-0") for x in (70, 90)),
    ]


def test_pins_that_rolled_away_leave_the_lane_its_size() -> None:
    desk = wonder_bowling(strike=False)
    pins = seen_pins(9)
    desk.see(replace(pins, pins=(*pins.pins[:9], replace(pins.pins[9], px=(9000.0, 360.0)))))
    assert parts_of(desk)["board"].count("<circle") == 9


def test_pins_are_shown_where_they_were_seen_on_the_lane_wherever_the_camera_looks_now() -> None:
    desk = wonder_bowling(strike=False)
    desk.camera = None
    pins = seen_pins(9)
    placed = tuple(replace(pin, mm=(10.0 * at, -20.0)) for at, pin in enumerate(pins.pins))
    desk.see(replace(pins, pins=placed))
    assert 'cx="30" cy="20"' in parts_of(desk)["board"]


def test_without_knowing_how_the_camera_sees_the_lane_only_the_count_is_shown() -> None:
    desk = wonder_bowling(strike=False)
    desk.camera = None
    assert parts_of(desk)["board"] == ""
    assert "Pins standing" in said(desk, "table")


def test_a_tap_shows_what_was_measured_of_it() -> None:
    desk = wonder_bowling(strike=False)
    evidence = json.dumps({"felled": 2, "blow_s": 12.5, "box_mm": 2.4})
    struck = Stamp(t_s=12.0, t_end_s=13.0, confidence=0.96, evidence=evidence)
    unseen = Stamp(t_s=22.0, t_end_s=23.0, confidence=0.4, evidence=json.dumps({"felled": 1}))
    desk.see(Tap(standing=6, direct_touch=True, stamp=struck), Tap(standing=5, stamp=unseen))
    client = create_app({desk.match_id: desk}).test_client()
    touched = text_of(client.get(f"/match/{desk.match_id}/call/5").text)
    assert "Pins standing 6 Pins felled 2 Direct touch seen The box jumped by 2.4 mm, +0.50 s" in touched
    assert "The box no blow seen" in text_of(client.get(f"/match/{desk.match_id}/call/6").text)


def test_bouncers_shows_trick_point_card_and_what_was_taken() -> None:
    desk = bouncers()
    ann, bob, cleo = cards_of(desk)
    assert "Taken K♥ king of hearts This deal so far 25" in cleo
    assert "Taken nothing yet This deal so far 0" in bob
    assert "▶ to play a card" in ann
    board = said(desk, "board")
    assert "Deal 1, trick 2 of 13" in board
    assert "no card yet Ann no card yet Bob 4♣ 4 of clubs Cleo 2♥ 2 of hearts point card" in board
    assert "Then" not in board


def test_upcoming_point_cards_are_shown_where_they_lie_open() -> None:
    assert "Then 9♥ 9 of hearts" in said(bouncers(show_upcoming="true"), "board")


def test_the_next_point_card_is_asked_for() -> None:
    desk = bouncers()
    desk.header = header_with("bouncers", "Ann", "Bob", "Cleo", dealer='"Bob"')
    cleo = cards_of(FakeDesk(desk.header, desk.layout, ()))[2]
    assert "▶ to lead: turn up the point card" in cleo


def test_all_who_are_due_in_the_opening_are_told_so() -> None:
    desk = FakeDesk(replace(header_of("Ann", "Bob"), options=()), load_layout("grid-7x7"), ())
    assert [card.endswith("▶ to throw") for card in cards_of(desk)] == [True, True]


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_the_usual_house_rules_are_those_of_the_game(game: str) -> None:
    seats: tuple[Seat, ...] = ("south", "west", "north")
    colours = ("red", "blue", "green")
    players = tuple(
        Player(name=name, seat=seat, colours=(colour,))
        for name, seat, colour in zip(("Ann", "Bob", "Cem"), seats, colours, strict=True)
    )
    header = Header(game=game, players=players, layout="grid-7x7")
    usual = {known.name: known.default(header) for known in KNOWN[game]}
    written = tuple(Option(name=name, value=json.dumps(value)) for name, value in usual.items() if value is not None)
    layout = load_layout("grid-7x7")
    plain, spelled = Match.of(header, layout), Match.of(replace(header, options=written), layout)
    assert plain.umpire.start == spelled.umpire.start
    rules = house_rules(header)
    assert rules
    assert all(rule.words and not rule.usual for rule in rules)


def test_house_rules_in_force_are_told_beside_the_usual_ones() -> None:
    rules = said(bounce_it(), "rules")
    assert "The first with 20 points wins Usually: The first with 42 points wins" in rules
    assert "No blue ball from 21 points on Usually: Blue also from 21 points on" in rules
    assert "Bob begins as usual" in rules
    assert "Chips at the start: 3 of 1, 3 of 2, 3 of 5, 3 of 10, 4 of 20 as usual" in rules


def test_numbers_written_otherwise_are_no_other_rule() -> None:
    header = header_with("bounce-it", "Ann", "Bob", target="42.0", no_blue_first_turn='["Bob"]')
    rules = {rule.name: rule for rule in house_rules(header)}
    assert rules["target"].words == "The first with 42 points wins"
    assert rules["target"].usual == ""
    assert rules["no_blue_first_turn"].words == "No blue ball in the first turn for Bob"


def test_the_twin_says_what_is_expected_and_which_rules_hold() -> None:
    desk = wonder_bowling()
    twin = create_app({"w": desk}).test_client().get("/match/w.json").get_json()
    assert twin["expected"] == {"players": ["Bob"], "action": "choose", "choices": ["strike", "targets"]}
    assert twin["house_rules"] == [{"option": "starter", "words": "Ann begins", "usual": None}]
    assert (twin["seen_pins"]["standing"], len(twin["seen_pins"]["pins"])) == (8, 10)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("scheme", "width", "height", "paths"),
    [
        ("light", 360, 740, ("bounce-it", "wonder-bowling", "wonder-bowling/add")),
        ("dark", 1920, 1080, ("wonder-bowling", "bouncers", "bouncers/call/4")),
    ],
)
def test_every_game_fits_and_shuts_nobody_out(
    chromium: Browser, scheme: str, width: int, height: int, paths: tuple[str, ...]
) -> None:
    """The games differ in what they draw; whatever there is stands on one of ``paths``."""
    app = create_app({name: make() for name, make in EVENINGS.items()})
    with served(app) as address, looking(chromium, scheme, width, height) as page:
        for name in EVENINGS:
            page.goto(f"{address}/match/{name}")
            assert page.evaluate("document.documentElement.scrollWidth") == width, name
            if width > height:
                assert page.evaluate("document.documentElement.scrollHeight") == height, name
        for path in paths:
            page.goto(f"{address}/match/{path}")
            assert barriers(page) == [], path
