"""Games that other packages bring along."""

import json
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from referee.cli import main
from referee.errors import BadGame, BadHeader
from referee.events import event_from_json, header_from_json
from referee.games import GAMES, drawn_header, find_game, game_names
from referee.games.game import Refused
from referee.games.installed import load_installed
from tests.games.play import Json, score
from tests.games.plugins import SKITTLES, installed

MATCH: Json = {"type": "match", "version": 1, "game": "skittles", "players": [{"name": "Ann"}, {"name": "Bob"}]}
HEADER = header_from_json(MATCH)


@pytest.fixture
def skittles(tmp_path: Path) -> Iterator[None]:
    with installed(tmp_path / "site", SKITTLES):
        yield


@pytest.mark.usefixtures("skittles")
def test_an_installed_game_is_played_like_any_other() -> None:
    assert score(MATCH, {"type": "tap", "standing": 3}, {"type": "whistle"}, {"type": "tap", "standing": 11}) == {
        "game": "skittles",
        "phase": "playing",
        "turn": "Ann",
        "scores": {"Ann": 7, "Bob": 0},
        "winners": [],
        "board": {},
        "calls": [
            {"event": 1, "player": "Ann", "call": "hit", "points": 7},
            {"event": 3, "player": "Ann", "call": "refused", "reason": "impossible"},
        ],
        "detail": {},
    }
    assert drawn_header(HEADER) == HEADER


@pytest.mark.usefixtures("skittles")
def test_an_installed_game_is_named_after_the_built_in_ones() -> None:
    assert game_names() == (*(game.name for game in GAMES), "skittles")
    assert find_game("skittles").title == "Skittles"


@pytest.mark.usefixtures("skittles")
def test_the_command_knows_it_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(MATCH) + "\n" + json.dumps({"type": "tap", "standing": 3}) + "\n")
    assert main(["score", str(log)]) == 0
    assert capsys.readouterr().out.startswith("Skittles: Bob's turn\n")


@pytest.mark.usefixtures("skittles")
def test_a_header_that_it_can_not_play_is_the_matchs_fault() -> None:
    with pytest.raises(BadHeader, match="nobody plays"):
        find_game("skittles").start(header_from_json({**MATCH, "players": []}), None)


@pytest.mark.usefixtures("skittles")
def test_what_it_refuses_is_refused() -> None:
    state = find_game("skittles").start(HEADER, None)
    with pytest.raises(Refused, match="impossible"):
        state.apply(event_from_json({"type": "tap", "standing": 11}))


def test_without_it_there_are_no_such_rules() -> None:
    assert load_installed("skittles") is None
    with pytest.raises(BadHeader, match=r"no rules for the game 'skittles'.*name one under game: .*bouncers"):
        find_game("skittles")
    with pytest.raises(BadHeader, match=r"no game to keep score of.*bouncers"):
        find_game(None)


def test_the_name_of_a_built_in_game_can_not_be_taken_over(tmp_path: Path) -> None:
    taken = {"bouncers": "tests.games.skittles:GAME"}
    with installed(tmp_path, taken):
        assert find_game("bouncers") is next(game for game in GAMES if game.name == "bouncers")
        assert game_names() == tuple(game.name for game in GAMES)


def test_an_installed_game_is_loaded_only_when_it_is_asked_for(tmp_path: Path) -> None:
    with installed(tmp_path, {"skittles": "no.such.module:GAME"}):
        assert "skittles" in game_names()
        assert find_game("bouncers").title == "Bouncers"
        with pytest.raises(BadHeader, match=r"no rules for the game 'chess'.*skittles"):
            find_game("chess")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("no.such.module:GAME", "ModuleNotFoundError, No module named 'no'"),
        ("tests.games.skittles:NO", "AttributeError"),
        ("tests.games.broken_games:NO_GAME", "TypeError, it is no Game but str"),
        ("tests.games.broken_games:MISNAMED", "ValueError, it calls itself 'ninepins'"),
    ],
)
def test_a_game_that_can_not_be_loaded_is_named(tmp_path: Path, value: str, said: str) -> None:
    with installed(tmp_path, {"skittles": value}), pytest.raises(BadGame) as raised:
        find_game("skittles")
    words = str(raised.value)
    assert words.startswith(f"the game 'skittles' fails with {said}")
    assert f"({value} of own-games 1.5): update or remove that package" in words


def test_a_game_that_fails_while_it_is_played_is_named(tmp_path: Path) -> None:
    with installed(tmp_path, {"skittles": "tests.games.broken_games:STUMBLES"}):
        state = find_game("skittles").start(HEADER, None)
    for ask, said in (
        (lambda: state.apply(event_from_json({"type": "tap", "standing": 3})), "KeyError"),
        (state.outcome, "IndexError, no scores"),
        (state.expected, "AttributeError, nothing is expected"),
    ):
        with pytest.raises(BadGame, match=f"'skittles' fails with {said}.*of own-games 1.5"):
            ask()


def test_a_game_that_fails_before_it_begins_is_named(tmp_path: Path) -> None:
    with (
        installed(tmp_path, {"skittles": "tests.games.broken_games:NO_START"}),
        pytest.raises(BadGame, match="ZeroDivisionError, too clever by half"),
    ):
        find_game("skittles").start(HEADER, None)
    with (
        installed(tmp_path / "more", {"skittles": "tests.games.broken_games:NO_DRAW"}),
        pytest.raises(BadGame, match="ZeroDivisionError, too clever by half"),
    ):
        drawn_header(HEADER)


def test_one_name_from_two_packages_is_nobodys(tmp_path: Path) -> None:
    with (
        installed(tmp_path / "a", SKITTLES),
        installed(tmp_path / "b", SKITTLES, package="other-games"),
        pytest.raises(
            BadGame, match=r"more than one package \(other-games 1.5 and own-games 1.5\): remove all but one"
        ),
    ):
        find_game("skittles")


def test_a_game_may_come_from_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    stray = EntryPoint(name="stray", value="no.such.module:GAME", group="referee.games")
    monkeypatch.setattr("referee.games.installed.entry_points", lambda **_: [stray])
    with pytest.raises(BadGame, match=r"no.such.module:GAME of an unknown package"):
        load_installed("stray")


def test_a_broken_game_ends_a_command_with_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(MATCH) + "\n")
    with installed(tmp_path / "site", {"skittles": "tests.games.broken_games:STUMBLES"}):
        assert main(["score", str(log)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("referee: the game 'skittles' fails with IndexError")
