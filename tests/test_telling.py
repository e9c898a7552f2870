"""``referee log``: a log as people read it."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cli import main
from referee.errors import BadHeader
from referee.games import GAMES
from referee.games.game import Game
from referee.log import read_log
from referee.telling import tell_log, time_words
from tests.games.cards import card, point, table, trick
from tests.games.lines import logs, match_of
from tests.games.play import NOTE, Json, header, ruling, shot


def write(path: Path, *lines: object) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


GOLDEN = sorted((Path(__file__).parent / "games" / "golden").glob("*.jsonl"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


def tell(path: Path, *lines: object) -> list[str]:
    """What is told of a log, without the numbers and times."""
    write(path, *lines)
    return [line[16:] for line in tell_log(read_log(path), path.parent)]


def test_a_line_an_event_with_its_number_its_time_and_its_calls(path: Path) -> None:
    timed = [{**event, "t": 2.5 * place} for place, event in enumerate(trick("Ann", "7H", "2S KS TD"))]
    write(path, table(target=50, dealer="Cem"), *timed, point("8H"), card("Ann", "3S"))
    assert list(tell_log(read_log(path), path.parent)) == [
        "    0           Bouncers: Ann (south), Bob (west), Cem (north); target=50, dealer=Cem",
        "    1   0:00.0  Point card: 7 of hearts",
        "    2   0:02.5  Ann plays the 2 of spades",
        "    3   0:05.0  Bob plays the king of spades",
        "    4   0:07.5  Cem plays the 10 of diamonds => Bob wins the trick and takes the 7 of hearts",
        "    5           Point card: 8 of hearts",
        "    6           Ann plays the 3 of spades => Not counted: out of turn",
    ]


def test_the_header_names_board_players_and_house_rules(path: Path) -> None:
    match = {**header(starter="Ann", rounds=2), "layout": "octagon"}
    assert tell(path, match) == ["Bounce-Em-All on octagon: Ann (south, red), Bob (north, blue); starter=Ann, rounds=2"]
    assert tell(path, {**table(), "layout": "none"}) == ["Bouncers: Ann (south), Bob (west), Cem (north)"]
    players = [{"name": "Ann"}, {"name": "Bob"}]
    assert tell(path, {"type": "match", "version": 1, "game": "bounce-it", "players": players}) == [
        "Bounce It!: Ann, Bob"
    ]


def test_several_calls_stand_in_one_line(path: Path) -> None:
    match = {**header(starter="Ann"), "layout": "octagon"}
    assert tell(path, match, shot("red", "C3", 2))[1] == (
        "Red: two bounces on the table, into C3 => Foul by Ann: more than one bounce on the table; "
        "Red is set aside: more than one bounce on the table"
    )


def test_a_ruled_line_says_how_it_reads_who_ruled_and_why(path: Path) -> None:
    events = [*trick("Ann", "7H", "2S KS 3S"), ruling(3, card("Bob", "2D"))]
    told = tell(path, table(), *events)
    assert told[3] == (
        "Bob plays the 2 of diamonds [ruled by Eve in line 5: seen otherwise; before: Bob plays the king of spades]"
    )
    assert told[4] == "Cem plays the 3 of spades => Cem wins the trick and takes the 7 of hearts"
    assert told[5] == "Eve on line 3: Bob plays the 2 of diamonds (seen otherwise)"


def test_a_struck_line_says_what_it_was(path: Path) -> None:
    told = tell(path, table(), point("7H"), {"type": "ruling", "event": 1, "replace": None})
    assert told[1] == "struck out [ruled by somebody in line 2; before: Point card: 7 of hearts]"


def test_the_last_ruling_on_a_line_holds(path: Path) -> None:
    events = [point("7H"), ruling(1, point("8H")), ruling(1, point("9H"), by="Dot", reason="no, nine")]
    assert tell(path, table(), *events)[1] == (
        "Point card: 9 of hearts [ruled by Dot in line 3: no, nine; before: Point card: 7 of hearts]"
    )
    taken_back = [*events, ruling(3, None, by="Eve", reason="well")]
    told = tell(path, table(), *taken_back)
    assert told[1].startswith("Point card: 8 of hearts [ruled by Eve in line 2")
    assert (
        told[3]
        == "struck out [ruled by Eve in line 4: well; before: Dot on line 1: Point card: 9 of hearts (no, nine)]"
    )


def test_a_confirmed_line_is_said_once(path: Path) -> None:
    doubted = {**point("7H"), "review": "a hand was over it"}
    assert tell(path, table(), doubted)[1] == "Point card: 7 of hearts [please look: a hand was over it]"
    assert tell(path, table(), doubted, ruling(1, point("7H")))[1] == (
        "Point card: 7 of hearts [confirmed by Eve in line 2: seen otherwise]"
    )


def test_a_ruled_header(path: Path) -> None:
    told = tell(path, table(), NOTE, ruling(0, table(target=50)), ruling(0, {**table(), "players": []}))
    assert told[0] == (
        "Bouncers: Ann (south), Bob (west), Cem (north); target=50 [ruled by Eve in line 2: seen otherwise; "
        "before: Bouncers: Ann (south), Bob (west), Cem (north)]"
    )
    assert told[3].startswith("Unusable line: Bouncers is for 3 players")
    assert told[3].endswith("=> Not counted: this line can't be used")


def test_a_copy_is_left_out(path: Path) -> None:
    told = tell(path, table(), {**point("7H"), "id": "a"}, {**point("8H"), "id": "a"})
    assert told[2] == "left out, as an earlier line has its id: Point card: 8 of hearts"


def test_a_ruled_copy_is_no_longer_left_out(path: Path) -> None:
    told = tell(path, table(), {**NOTE, "id": "a"}, {**NOTE, "id": "a"}, ruling(2, point("8H")))
    assert told[2] == "Point card: 8 of hearts [ruled by Eve in line 3: seen otherwise; before: Note: a remark]"


def test_a_log_without_a_game_is_told_without_calls(path: Path) -> None:
    told = tell(path, {"type": "match", "version": 1}, shot("red", "C3"), ruling(1, shot("red", "C4")), 5)
    assert told == [
        "A recording without a game",
        "Red: one bounce on the table, into C4 [ruled by Eve in line 2: seen otherwise; before: Red: one bounce on the "
        "table, into C3]",
        "Eve on line 1: Red: one bounce on the table, into C4 (seen otherwise)",
        "Unusable line: no object with a text in type",
    ]


def test_a_game_that_is_not_known_is_named(path: Path) -> None:
    with pytest.raises(BadHeader, match="no rules for the game 'chess'"):
        tell(path, {**table(), "game": "chess"})


def test_nothing_that_was_said_can_command_a_terminal(path: Path) -> None:
    told = tell(path, table(), {"type": "note", "text": "two\nlines\x1b[2J and  more", "by": "Eve"})
    assert told[1] == "Eve: two lines\N{REPLACEMENT CHARACTER}[2J and more"


@pytest.mark.parametrize(
    ("t_s", "words"),
    [
        (0.0, "0:00.0"),
        (9.94, "0:09.9"),
        (59.96, "1:00.0"),
        (65.3, "1:05.3"),
        (3599.9, "59:59.9"),
        (3605.25, "1:00:05.2"),
        (36000.0, "10:00:00.0"),
        (-1.5, "-0:01.5"),
    ],
)
def test_times(t_s: float, words: str) -> None:
    assert time_words(t_s) == words


@settings(max_examples=20)
@given(data=st.data())
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_line_of_a_log_is_told_once_and_in_order(
    game: Game, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    match: Json = {**match_of(game), "layout": "grid-7x7" if game.reads_layout else None}
    lines = data.draw(logs(game, most=12))
    log = write(tmp_path_factory.getbasetemp() / "told.jsonl", match, *lines)
    told = list(tell_log(read_log(log), log.parent))
    assert [int(line[:5]) for line in told] == list(range(len(lines) + 1))
    assert all(line == line.rstrip() and line.isprintable() for line in told)


# The command.


@pytest.mark.parametrize("log", GOLDEN, ids=lambda path: path.stem)
def test_whole_matches_are_told(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", str(log)]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert len(printed.out.splitlines()) == len(read_log(log).events) + 1


def test_several_logs_are_told_under_their_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, last = write(tmp_path / "a.jsonl", table(), point("7H")), write(tmp_path / "b.jsonl", table())
    last.write_bytes(last.read_bytes() + b'{"type":')
    missing = tmp_path / "missing.jsonl"
    assert main(["log", str(first), str(missing), str(last)]) == 2
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        str(first),
        "    0           Bouncers: Ann (south), Bob (west), Cem (north)",
        "    1           Point card: 7 of hearts",
        "",
        str(last),
        "    0           Bouncers: Ann (south), Bob (west), Cem (north)",
    ]
    complaints = printed.err.splitlines()
    assert len(complaints) == 2
    assert "missing.jsonl" in complaints[0]
    assert complaints[1].startswith("referee: warning: line 2, the last, was cut off")


def test_one_log_is_told_without_its_name(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", str(write(path, table()))]) == 0
    assert capsys.readouterr().out == "    0           Bouncers: Ann (south), Bob (west), Cem (north)\n"
