"""The games that can be refereed: those of one list, and those that other packages bring along."""

from typing import Final

from referee.errors import BadHeader
from referee.events import Header
from referee.games import (
    bounce_21,
    bounce_em_all,
    bounce_em_straight,
    bounce_it,
    bouncers,
    hit_66,
    wonder_bowling,
)
from referee.games.game import Game

GAMES: Final[tuple[Game, ...]] = (
    bounce_em_straight.GAME,
    bounce_em_all.GAME,
    hit_66.GAME,
    bounce_21.GAME,
    bounce_it.GAME,
    wonder_bowling.GAME,
    bouncers.GAME,
)


def find_game(name: str | None) -> Game:
    """The rules of a game by its name: one of ``GAMES``, else an installed one. Raises BadHeader, BadGame."""
    if name is None:
        raise BadHeader("the match has no game to keep score of", "match header", _name_one())
    for game in GAMES:
        if game.name == name:
            return game
    # Not for the games above: to look through all installed packages takes its time.
    from referee.games.installed import load_installed

    installed = load_installed(name)
    if installed is None:
        raise BadHeader(f"there are no rules for the game '{name}'", "match header", _name_one())
    return installed


def game_names() -> tuple[str, ...]:
    """The names of all games that can be refereed, those of other packages last."""
    from referee.games.installed import installed_names

    return tuple(dict.fromkeys([*(game.name for game in GAMES), *installed_names()]))


def _name_one() -> str:
    return f"name one under game: {', '.join(game_names())}"


def reads_layout(header: Header) -> bool:
    """Whether the header's game can't be ruled without a layout. Raises BadHeader, BadGame."""
    return find_game(header.game).reads_layout


def drawn_header(header: Header) -> Header:
    """The header with all that the game draws at the start written out, as a live match keeps it. Raises BadHeader."""
    return find_game(header.game).draw(header)
