"""What people type on the command line, as values; the errors say how it should read."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn, get_args

from hardware.errors import RefereeError
from referee.events import Option, Player, Seat

SEATS: Final[tuple[Seat, ...]] = get_args(Seat)
PLAYERS_EXAMPLE: Final = 'write --players "Ann:south:red,Bob:north:blue" (several colours: red+yellow)'
CORNERS_EXAMPLE: Final = 'write the four corners SW SE NE NW in pixels: --corners "377,492 908,492 843,143 442,143"'


class BadUsage(RefereeError, ValueError):
    """A command was given something it can't work with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardChoice:
    """A table file, or a layout (built-in name or file) with what may help to find it in the picture; as typed."""

    table: Path | None = None
    layout: str | None = None
    corners: str | None = None
    lens: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchChoice:
    """A game, who plays it, and house rules; as typed. No game: only what happens is written down."""

    game: str | None = None
    players: str | None = None
    options: Sequence[str] = ()


def parse_players(text: str) -> tuple[Player, ...]:
    """Players in turn order from "Ann:south:red,Bob:north:blue+green"; the colours may be left out.

    Raises BadUsage: a name, seat or colour missing, unknown or given twice.
    """
    players = tuple(_player(part) for part in text.split(","))
    for what, values in (
        ("name", [player.name for player in players]),
        ("seat", [player.seat for player in players if player.seat]),
        ("colour", [colour for player in players for colour in player.colours]),
    ):
        twice = next((value for i, value in enumerate(values) if value in values[:i]), None)
        if twice is not None:
            raise BadUsage(f"two players have the {what} {twice!r}", "--players", PLAYERS_EXAMPLE)
    return players


def _player(text: str) -> Player:
    name, *rest = (part.strip() for part in text.split(":"))
    if not name:
        raise BadUsage("a player has no name", f"--players, at {text!r}", PLAYERS_EXAMPLE)
    if len(rest) > 2:
        raise BadUsage(f"player {name} has more than a seat and colours", "--players", PLAYERS_EXAMPLE)
    seat = next((seat for seat in SEATS if rest and seat == rest[0].lower()), None)
    if rest and seat is None:
        raise BadUsage(f"player {name}: {rest[0]!r} is no seat", "--players", f"take one of {', '.join(SEATS)}")
    colours = tuple(colour.strip().lower() for colour in rest[1].split("+")) if len(rest) > 1 else ()
    if not all(colours):
        raise BadUsage(f"player {name} has a colour without a name", "--players", PLAYERS_EXAMPLE)
    return Player(name=name, seat=seat, colours=colours)


def parse_options(texts: Sequence[str]) -> tuple[Option, ...]:
    """House rules from "name=value" texts: a value is read as JSON, else as the text it is; the last of a name holds.

    Raises BadUsage.
    """
    options: dict[str, Option] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise BadUsage(f"{text!r} is no option", "--option", "write --option name=value, as in --option rounds=2")
        options[name] = Option(name=name, value=_as_json(value))
    return tuple(options.values())


def _as_json(text: str) -> str:
    try:
        # NaN and Infinity are no JSON, whatever the decoder accepts.
        return json.dumps(json.loads(text, parse_constant=_refuse), ensure_ascii=False)
    except ValueError:
        return json.dumps(text, ensure_ascii=False)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def parse_corners(text: str) -> tuple[tuple[float, float], ...]:
    """Four places in pixels from "x,y x,y x,y x,y". Raises BadUsage."""
    try:
        corners = [tuple(float(number) for number in pair.split(",")) for pair in text.split()]
    except ValueError:
        corners = []
    if len(corners) != 4 or any(len(pair) != 2 or not all(map(math.isfinite, pair)) for pair in corners):
        raise BadUsage(f"{text!r} are no four corners", "--corners", CORNERS_EXAMPLE)
    return tuple((pair[0], pair[1]) for pair in corners)


def parse_seconds(text: str) -> float:
    """A length of time, not negative. Raises BadUsage."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise BadUsage(f"{text!r} is no length of time", "--seconds", "give seconds, as in --seconds 600")
    return seconds


def parse_port(text: str) -> int:
    """A TCP port; 0 stands for any free one. Raises BadUsage."""
    if not text.isascii() or not text.isdecimal() or int(text) > 65535:
        raise BadUsage(f"{text!r} is no port", "--port", "take a whole number up to 65535, as in --port 8080")
    return int(text)
