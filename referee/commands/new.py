"""``referee new``: the header of a match, from flags or by asking, as the first line of its log."""

import json
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

from calibration.errors import CantSave
from calibration.layout import DEFAULT, RESERVED, Layout, load_layout
from referee.commands.arguments import BadUsage, MatchChoice, parse_players
from referee.commands.asking import ask, can_ask, is_shown
from referee.commands.endings import DONE
from referee.commands.matches import put_on_board, read_match
from referee.commands.outputs import check_output
from referee.durable import flush_directory
from referee.events import Header, Player, Seat, header_from_json, header_to_json
from referee.games import drawn_header, find_game, game_names
from referee.games.game import Game
from referee.match import fold
from referee.telling import header_words

SEATS: Final[Mapping[int, tuple[Seat, ...]]] = {
    2: ("south", "north"),
    3: ("south", "west", "north"),
    4: ("south", "west", "north", "east"),
}
"""Where so many players sit when nobody says otherwise, clockwise; more don't have a side each."""

BOTH: Final = 'give both, as in --game hit-66 --players "Ann:south:red+green,Bob:north:blue+yellow"'

TWO_COLOURS_EACH: Final = ("bounce-em-straight", "hit-66")
"""What two players play with twelve balls each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What is known of a match by now: what was typed on the command line, and what was answered."""

    match: MatchChoice
    layout: str | None
    output: Path | None


def run_new(*, match: MatchChoice, layout: str | None, output: Path | None) -> int:
    """Write the header to a file that wasn't there, or to standard output. Raises RefereeError."""
    answers = Answers(match=match, layout=layout, output=output)
    if match.game is None or match.players is None:
        if not can_ask():
            raise BadUsage("a new match needs a game and players", "nobody is there to be asked", BOTH)
        answers = _asked(answers)
    header = header_of(answers.match, answers.layout)
    line = json.dumps(header_to_json(header), ensure_ascii=False) + "\n"
    if answers.output is None:
        print(line, end="")
    else:
        write_new(answers.output, line)
        print(f"{answers.output}: {header_words(header)}")
    return DONE


def header_of(choice: MatchChoice, layout: str | None) -> Header:
    """The header of a match that can be played. Raises BadUsage, BadHeader, BadGame or BadLayout."""
    header = read_match(choice)
    board = _board(find_game(header.game), layout)
    if board is not None:
        header = put_on_board(header, board)
    else:
        header = replace(header, layout=layout)
        fold(header, None, ())
        header = drawn_header(header)
    # What can't be read again from the log must not be written into it.
    return header_from_json(header_to_json(header), "the new header")


def write_new(path: Path, text: str) -> None:
    """Write a file that isn't there yet and bring it onto the disk. Raises BadUsage, CantSave."""
    check_output(path)
    try:
        with path.open("x", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise _taken(path) from None
    except OSError as error:
        path.unlink(missing_ok=True)
        raise CantSave(f"this file can't be written: {error.strerror}", str(path), "make room") from error
    flush_directory(path.parent)


def _taken(path: Path) -> BadUsage:
    return BadUsage("there is a file of that name already", str(path), "choose another with -o")


def _board(game: Game, layout: str | None) -> Layout | None:
    """What lies on the table: the usual board where the game needs one, else what was named, if anything."""
    if game.reads_layout:
        return load_layout(layout or DEFAULT)
    return None if layout is None or layout in RESERVED else load_layout(layout)


def _asked(answers: Answers) -> Answers:
    """Ask for whatever was not given; each answer is tried before the next question."""
    match, layout, output = answers.match, answers.layout, answers.output
    if match.game is None:
        names = game_names()
        match = replace(match, game=ask(_game_question(names), partial(_read_game, names), "1"))
    game = find_game(match.game)
    if layout is None and game.reads_layout:
        layout = ask("Board: a built-in layout, or a layout file", partial(_read_layout, game), DEFAULT)
    board = _board(game, layout)
    if match.players is None:
        match = replace(match, players=_ask_players(match, layout, board))
    if not match.options:
        question = "House rules, such as starter=Ann target=50"
        match = replace(match, options=ask(question, partial(_read_options, match, layout), _usual_rules(match)))
    if output is None and is_shown():
        output = ask("Write the log to", _read_output, _free_name(game.name))
    return Answers(match=match, layout=layout, output=output)


def _game_question(names: Sequence[str]) -> str:
    return "\n".join([*(f"  {place} {name}" for place, name in enumerate(names, start=1)), "Game"])


def _read_game(names: Sequence[str], answer: str) -> str:
    if answer.isdecimal() and 0 < int(answer) <= len(names):
        return names[int(answer) - 1]
    return find_game(answer.lower()).name


def _read_layout(game: Game, answer: str) -> str:
    _board(game, answer)
    return answer


def _ask_players(match: MatchChoice, layout: str | None, board: Layout | None) -> str:
    """Names first; whoever gave names alone is then asked about the seats and balls that the game may need."""

    def read(answer: str) -> str:
        header_of(replace(match, players=answer, options=()), layout)
        return answer

    def read_names(answer: str) -> str:
        parse_players(answer)
        return read(answer) if ":" in answer else answer

    names = ask("Who plays, in turn order, such as Ann, Bob", read_names)
    if ":" in names:
        return names
    return ask("Seats and balls", read, seated(str(match.game), parse_players(names), board))


def seated(game: str, players: Sequence[Player], board: Layout | None) -> str:
    """Players by name with the seats and, on a board with holes, the colours that they usually have."""
    seats = SEATS.get(len(players), ())
    colours = [colour for colour, _ in board.ball_radius_mm] if board is not None and board.kind == "board" else []
    each = 2 if game in TWO_COLOURS_EACH and len(players) == 2 else 1
    words = []
    for place, player in enumerate(players):
        own = "+".join(colours[place :: len(players)][:each])
        words.append(":".join([player.name, *seats[place : place + 1], *([own] if own and seats else [])]))
    return ",".join(words)


def _usual_rules(match: MatchChoice) -> str:
    """None; but where chance decides at the start, each match gets a seed of its own."""
    header = read_match(match)
    return "none" if drawn_header(header) == header else f"seed={secrets.randbelow(10**6)}"


def _read_options(match: MatchChoice, layout: str | None, answer: str) -> Sequence[str]:
    options = () if answer == "none" else tuple(answer.split())
    header_of(replace(match, options=options), layout)
    return options


def _read_output(answer: str) -> Path:
    path = Path(answer)
    check_output(path)
    if path.exists():
        raise _taken(path)
    return path


def _free_name(game: str) -> str:
    """A file name for the log of a game that nothing has yet."""
    names = (f"{game}{'' if number == 1 else f'-{number}'}.jsonl" for number in count(1))
    return next(name for name in names if not Path(name).exists())
