"""From what a user says about a match to the header of its log."""

import json
from dataclasses import replace

from calibration.layout import BUILT_IN, Layout, layout_to_json, load_layout
from referee.commands.arguments import PLAYERS_EXAMPLE, BadUsage, MatchChoice, parse_options, parse_players
from referee.events import Header, LayoutObject
from referee.games import drawn_header, find_game
from referee.match import fold


def read_match(choice: MatchChoice) -> Header:
    """The header as far as it was typed, its board still open. Raises BadUsage, and what ``find_game`` raises."""
    if choice.game is None:
        if choice.players is not None or choice.options:
            given = "--players" if choice.players is not None else "--option"
            raise BadUsage("players and house rules need a game", given, "add --game, as in --game bounce-em-all")
        return Header()
    find_game(choice.game)  # who plays is no question where there are no rules
    if choice.players is None:
        raise BadUsage(f"{choice.game} needs to know who plays", "--players", PLAYERS_EXAMPLE)
    return Header(game=choice.game, players=parse_players(choice.players), options=parse_options(choice.options))


def put_on_board(header: Header, layout: Layout) -> Header:
    """The header of a match on this board, with what the game draws. Raises BadHeader when it can't be played so."""
    header = replace(header, layout=_named(layout))
    if header.game is None:
        return header
    fold(header, layout, ())
    return drawn_header(header)


def _named(layout: Layout) -> str | LayoutObject:
    """A built-in layout by its name; any other written out, so that the log can be moved anywhere."""
    if layout.name in BUILT_IN and load_layout(layout.name) == layout:
        return layout.name
    return LayoutObject(text=json.dumps(layout_to_json(layout), ensure_ascii=False))
