"""The match header: a log's first line, as a value and as JSON."""

import json
import unicodedata
from dataclasses import dataclass
from typing import Final, Literal, get_args

from referee.errors import BadHeader
from referee.events.values import Json, Unusable, as_whole, given, list_at, object_of, optional_text, text_at

Seat = Literal["south", "west", "north", "east"]
SEATS: Final[tuple[Seat, ...]] = get_args(Seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    name: str
    seat: Seat | None = None
    colours: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A house rule of a match; its value as JSON text ("2", "false", '"Ann"')."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutObject:
    """A layout written out in the header, as JSON text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The first line of a log. ``players`` in turn order; ``layout``: a built-in name, a path, the object, or none.

    ``game`` is None in the log of a recording that nobody keeps score of.
    """

    game: str | None = None
    players: tuple[Player, ...] = ()
    layout: str | LayoutObject | None = None
    options: tuple[Option, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    def option(self, name: str, default: object) -> object:
        """The value of a house rule as JSON gives it, or the default when the header doesn't have it."""
        return next((json.loads(option.value) for option in self.options if option.name == name), default)


def header_from_json(obj: object, where: str = "line 1") -> Header:
    """The match header of a log's first line, decoded. What only some games need is left to them. Raises BadHeader."""
    remedy = 'write it as {"type":"match","version":1,"game":…,"layout":…,"players":[{"name":…}],"options":{}}'
    if not isinstance(obj, dict) or obj.get("type") != "match":
        raise BadHeader("the first line is no match header", where, remedy)
    if as_whole(obj.get("version")) != 1:
        raise BadHeader(f"version {json.dumps(obj.get('version'))} of a log is unknown", where, "write version 1")
    try:
        game = optional_text(obj, "game")
        players = tuple(map(_player, list_at(obj, "players"))) if obj.get("players") is not None else ()
        options = obj.get("options")
        if options is not None and not isinstance(options, dict):
            raise Unusable("options are no object")
    except Unusable as error:
        raise BadHeader(f"the match header can't be used, {error}", where, remedy) from None
    names = [player.name for player in players]
    if len(set(names)) < len(names):
        raise BadHeader("two players have the same name", where, "give each player a name of their own")
    return Header(
        game=game,
        players=players,
        layout=_layout(obj.get("layout")),
        options=tuple(Option(name=name, value=json.dumps(value)) for name, value in (options or {}).items()),
    )


def _player(value: object) -> Player:
    obj = object_of(value, "a player")
    name = text_at(obj, "name")
    if not name.strip() or any(unicodedata.category(letter) in ("Cc", "Cs") for letter in name):
        raise Unusable(f"{name!r} is no name")
    # Only some games need seat and colours, and they say so.
    colours, seat = obj.get("colours"), obj.get("seat")
    is_usable = isinstance(colours, list) and all(isinstance(colour, str) for colour in colours)
    return Player(
        name=name,
        seat=next((known for known in SEATS if known == seat), None),
        colours=tuple(colours) if isinstance(colours, list) and is_usable else (),
    )


def _layout(value: object) -> str | LayoutObject | None:
    if value is None or isinstance(value, str):
        return value
    return LayoutObject(text=json.dumps(value))


def header_to_json(header: Header) -> Json:
    """The match header as the object of a log's first line."""
    layout = json.loads(header.layout.text) if isinstance(header.layout, LayoutObject) else header.layout
    return {
        "type": "match",
        "version": 1,
        "game": header.game,
        "layout": layout,
        "players": [
            given(name=player.name, seat=player.seat, colours=list(player.colours) or None) for player in header.players
        ],
        "options": {option.name: json.loads(option.value) for option in header.options},
    }
