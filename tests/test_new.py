"""``referee new``: the first line of a log, from options or by asking."""

import errno
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calibration.layout import layout_to_json, load_layout
from referee.cli import main
from referee.events import PointCard, header_from_json
from referee.games import GAMES
from referee.log import LogWriter, read_log
from referee.score import score_log

Run = Callable[..., tuple[int, str, str]]
BALLS = ("--players", "Ann:south:red,Bob:north:blue")
CARDS = ("--game", "bouncers", "--players", "Ann:south,Bob:west,Cem:north")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in an empty directory: status, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())

    def run(*words: object) -> tuple[int, str, str]:
        status = main(["new", *map(str, words)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture
def talk(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command with somebody at the terminal, who gives these answers."""

    def talk(answers: str, *words: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", Terminal(answers))
        return run(*words)

    return talk


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed is read by somebody, too."""
    monkeypatch.setattr("referee.commands.new.is_shown", lambda: True)


def header(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    return found


def refused(said: tuple[int, str, str], *words: str) -> None:
    status, out, complaint = said
    assert (status, out) == (2, "")
    assert complaint.startswith("referee: ")
    assert complaint.count("\n") == 1
    assert all(word in complaint for word in words), complaint


# From options.


def test_a_header_on_standard_output(run: Run) -> None:
    status, out, complaints = run("--game", "hit-66", *BALLS, "--option", "target=50", "--option", "starter=Bob")
    assert (status, complaints) == (0, "")
    assert header(out) == {
        "type": "match",
        "version": 1,
        "game": "hit-66",
        "layout": "grid-7x7",
        "players": [
            {"name": "Ann", "seat": "south", "colours": ["red"]},
            {"name": "Bob", "seat": "north", "colours": ["blue"]},
        ],
        "options": {"target": 50, "starter": "Bob"},
    }
    assert out.endswith("}\n")
    assert out.count("\n") == 1


def test_a_log_that_can_be_scored_and_grown(run: Run, tmp_path: Path) -> None:
    status, out, _ = run(*CARDS, "-o", "evening.jsonl")
    assert (status, out) == (0, "evening.jsonl: Bouncers: Ann (south), Bob (west), Cem (north)\n")
    path = tmp_path / "evening.jsonl"
    assert score_log(path).standing.turn == "Ann"
    with LogWriter(path) as log:
        log.append(PointCard(card="7H"))
    assert score_log(path).standing.expected.action == "play"


def test_any_letters_may_be_in_a_name(run: Run, tmp_path: Path) -> None:
    assert run("--game", "bounce-it", "--players", "Zoë,Løvå 🎳", "-o", "log.jsonl")[0] == 0
    assert "Zoë" in (tmp_path / "log.jsonl").read_text(encoding="utf-8")
    assert read_log(tmp_path / "log.jsonl").header.names == ("Zoë", "Løvå 🎳")


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_every_game_can_be_begun(run: Run, game: str) -> None:
    status, out, _ = run("--game", game, "--players", "Ann:south:red,Bob:west:blue,Cem:north:green")
    assert status == 0
    assert header_from_json(header(out)).game == game


def test_a_layout_by_name(run: Run) -> None:
    assert header(run("--game", "bounce-21", *BALLS, "--layout", "octagon")[1])["layout"] == "octagon"
    assert header(run(*CARDS, "--layout", "cards")[1])["layout"] == "cards"
    assert header(run(*CARDS, "--layout", "none")[1])["layout"] == "none"
    assert header(run(*CARDS, "--layout", "lane")[1])["layout"] == "lane"
    assert header(run(*CARDS)[1])["layout"] is None


def test_a_layout_file_is_written_out(run: Run, tmp_path: Path) -> None:
    layout = {**layout_to_json(load_layout("octagon")), "name": "my own"}
    (tmp_path / "own.json").write_text(json.dumps(layout))
    assert header(run("--game", "bounce-21", *BALLS, "--layout", "own.json")[1])["layout"] == layout


def test_chance_is_written_out(run: Run) -> None:
    options = header(run("--game", "wonder-bowling", "--players", "Ann,Bob", "--option", "seed=7")[1])["options"]
    assert options["seed"] == 7
    assert [len(options["targets"][name]) for name in ("Ann", "Bob")] == [2, 2]
    assert len(options["penalty_chips"]) == 6


def test_what_is_there_is_never_overwritten(run: Run, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text("an evening's work\n")
    refused(run(*CARDS, "-o", "log.jsonl"), "there is a file of that name already (log.jsonl)", "-o")
    assert (tmp_path / "log.jsonl").read_text() == "an evening's work\n"
    (tmp_path / "link.jsonl").symlink_to("nowhere")
    refused(run(*CARDS, "-o", "link.jsonl"), "there is a file of that name already")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "a new match needs a game and players"),
        (["--game", "bouncers"], "a new match needs a game and players"),
        (["--players", "Ann"], "a new match needs a game and players"),
        (["--game", "chess", "--players", "Ann"], "no rules for the game 'chess'"),
        (["--game", "bouncers", "--players", "Ann:south,Bob:west"], "for 3 players, not 2"),
        (["--game", "bouncers", "--players", "Ann,Bob,Cem"], "Ann has no seat"),
        (["--game", "bouncers", "--players", "Ann:up,Bob:west,Cem:north"], "'up' is no seat"),
        ([*CARDS, "--option", "dealer=Zed"], "the option dealer can't be"),
        ([*CARDS, "--option", "dealer"], "'dealer' is no option"),
        ([*CARDS, "--layout", "nowhere.json"], "nowhere.json"),
        (["--game", "hit-66", *BALLS, "--layout", "none"], "'none' is no board"),
        (["--game", "hit-66", *BALLS, "--layout", "box"], "needs a board"),
        ([*CARDS, "-o", "no/such/place.jsonl"], "there is no such directory"),
        (["--game", "bounce-it", "--players", "A\nB,C"], "is no name"),
    ],
)
def test_what_can_not_be_is_one_line(run: Run, tmp_path: Path, words: list[str], said: str) -> None:
    refused(run(*words), said)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    refused(run(*CARDS, "-o", "log.jsonl"), "can't be written: No space left on device (log.jsonl): make room")
    assert list(tmp_path.iterdir()) == []


# By asking.


def test_all_that_is_needed_is_asked_for(talk: Run) -> None:
    status, out, asked = talk("hit-66\n\nAnn, Bob\n\n\n")
    assert status == 0
    assert header(out) == {
        "type": "match",
        "version": 1,
        "game": "hit-66",
        "layout": "grid-7x7",
        "players": [
            {"name": "Ann", "seat": "south", "colours": ["red", "green"]},
            {"name": "Bob", "seat": "north", "colours": ["blue", "yellow"]},
        ],
        "options": {},
    }
    assert [line.split("[")[-1] for line in asked.split("]: ")[:-1]] == [
        "1",
        "bounce-it-in",
        "Ann:south:red+green,Bob:north:blue+yellow",
        "none",
    ]
    assert "Who plays" in asked


def test_a_game_may_be_chosen_by_its_number(talk: Run) -> None:
    for place, game in enumerate(GAMES, start=1):
        asked = "\n" if game.reads_layout else ""
        assert header(talk(f"{place}\n{asked}Ann, Bob, Cem\n\n\n")[1])["game"] == game.name


def test_the_first_game_is_taken_when_none_is_named(talk: Run) -> None:
    assert header(talk("\n\nAnn, Bob\n\n\n")[1])["game"] == GAMES[0].name


def test_only_what_was_not_given_is_asked_for(talk: Run) -> None:
    status, out, asked = talk("Ann, Bob, Cem\n\n", "--game", "bouncers", "--option", "target=50")
    assert status == 0
    assert header(out)["players"] == [
        {"name": "Ann", "seat": "south"},
        {"name": "Bob", "seat": "west"},
        {"name": "Cem", "seat": "north"},
    ]
    assert header(out)["options"] == {"target": 50}
    assert asked == "Who plays, in turn order, such as Ann, Bob: Seats and balls [Ann:south,Bob:west,Cem:north]: "
    status, out, asked = talk("bouncers\n\n", *CARDS[2:])
    assert (status, len(header(out)["players"])) == (0, 3)
    assert "Who plays" not in asked
    status, out, asked = talk("", *CARDS)
    assert (status, asked) == (0, "")


def test_players_may_be_written_whole_at_once(talk: Run) -> None:
    out = talk("Ann:east,Bob:west,Cem:north\ntarget=50 dealer=Bob\n", "--game", "bouncers")[1]
    assert [player["seat"] for player in header(out)["players"]] == ["east", "west", "north"]
    assert header(out)["options"] == {"target": 50, "dealer": "Bob"}


def test_more_players_than_sides_have_no_seats(talk: Run) -> None:
    status, out, asked = talk("A, B, C, D, E\n\n\n", "--game", "bounce-it")
    assert status == 0
    assert "[A,B,C,D,E]" in asked
    assert header(out)["players"] == [{"name": name} for name in "ABCDE"]


def test_four_players_have_a_colour_and_a_side_each(talk: Run) -> None:
    asked = talk("A, B, C, D\n\n\n", "--game", "hit-66", "--layout", "octagon")[2]
    assert "[A:south:red,B:west:blue,C:north:green,D:east:yellow]" in asked
    asked = talk("A, B\n\n\n", "--game", "bounce-21", "--layout", "octagon")[2]
    assert "[A:south:red,B:north:blue]" in asked


def test_cards_and_pins_have_no_colours(talk: Run) -> None:
    asked = talk("A, B\n\n\n", "--game", "bounce-it", "--layout", "box")[2]
    assert "[A:south,B:north]" in asked


def test_a_wrong_answer_is_asked_for_again(talk: Run) -> None:
    games, boards = "chess\n0\n99\n2\n", "nowhere.json\noctagon\n"
    players, rules = "\nAnn, Ann\nAnn, Bob\nAnn:up,Bob\n\n", "starter=Zed\nstarter\nstarter=Bob\n"
    status, out, asked = talk(games + boards + players + rules)
    assert status == 0
    assert (header(out)["game"], header(out)["layout"]) == (GAMES[1].name, "octagon")
    assert header(out)["options"] == {"starter": "Bob"}
    for said in (
        "'chess'",
        "'0'",
        "'99'",
        "nowhere.json",
        "no name",
        "'Ann'",
        "'up' is no seat",
        "starter",
        "no option",
    ):
        assert said in asked


def test_every_match_of_chance_gets_a_seed_of_its_own(talk: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda most: most - 1)
    status, out, asked = talk("Ann, Bob\n\n\n", "--game", "wonder-bowling")
    assert status == 0
    assert "[seed=999999]" in asked
    assert header(out)["options"]["seed"] == 999999
    assert "seed" not in header(talk("Ann, Bob\n\nnone\n", "--game", "wonder-bowling")[1])["options"]


@pytest.mark.usefixtures("screen")
def test_on_a_screen_the_log_is_asked_for_too(talk: Run, tmp_path: Path) -> None:
    answers = "Ann, Bob, Cem\n\n\n"
    assert "Write the log to [bouncers.jsonl]" in talk(answers + "\n", "--game", "bouncers")[2]
    assert "Write the log to [bouncers-2.jsonl]" in talk(answers + "\n", "--game", "bouncers")[2]
    _, out, asked = talk(answers + "bouncers.jsonl\nno/place\nthird.jsonl\n", "--game", "bouncers")
    assert "there is a file of that name already" in asked
    assert "there is no such directory" in asked
    assert out == "third.jsonl: Bouncers: Ann (south), Bob (west), Cem (north)\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bouncers-2.jsonl", "bouncers.jsonl", "third.jsonl"]
    asked = talk(answers, "--game", "bouncers", "-o", "fourth.jsonl")[2]
    assert "Write the log to" not in asked


def test_answers_that_end_early(talk: Run, tmp_path: Path) -> None:
    status, out, said = talk("bouncers\nAnn, Bob")
    assert (status, out) == (2, "")
    assert said.endswith(
        "\nreferee: the answers ended early (standard input): answer the questions, or give --game, --players, "
        "--layout and --option\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_layout_that_was_given_is_checked_before_anything_is_asked(talk: Run) -> None:
    refused(talk("Ann, Bob\n", "--game", "hit-66", "--layout", "nowhere.json"), "nowhere.json")
