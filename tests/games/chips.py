"""Short ways to write a match of Bounce It! or Wonder Bowling, for the tests of their rules."""

from typing import Any, Final

from tests.games.play import Json

NAMES: Final = ("Ann", "Bob", "Cem", "Dot", "Eve", "Fay")
S, M, L, BLUE = BALLS = ("orange-small", "orange-medium", "orange-large", "blue")


def match(game: str, players: int, **options: object) -> Json:
    """Ann, Bob, Cem … without seats and colours, which these games don't need."""
    return {
        "type": "match",
        "version": 1,
        "game": game,
        "players": [{"name": name} for name in NAMES[:players]],
        "options": options,
    }


def box(players: int = 2, **options: object) -> Json:
    return match("bounce-it", players, **options)


def hit(ball: str, **more: Any) -> Json:
    """One bounce on the table, then into the hole of the box."""
    return {"type": "shot", "ball": ball, "table_bounces": 1, "result": {"place": "hole", "hole": "A1"}, **more}


def miss(ball: str, **more: Any) -> Json:
    return hit(ball, **{"result": {"place": "off"}, "touched_board": False, **more})


def say(player: str, choice: str, **more: Any) -> Json:
    return {"type": "decision", "player": player, "choice": choice, **more}


MISSED: Final = [miss(S), miss(M), miss(L)]
"""A turn of a player who may not use the blue ball, without a hit."""


def lane(players: int = 2, **options: object) -> Json:
    """Ann has the targets 3 and 7, Bob 4 and 8; the penalty chips are 5, 6, 2, 9, 3, 4."""
    given: Json = {"targets": {"Ann": [3, 7], "Bob": [4, 8]}, "penalty_chips": [5, 6, 2, 9, 3, 4]}
    return match("wonder-bowling", players, **{**given, **options})


def tap(standing: int, **more: Any) -> Json:
    return {"type": "tap", "standing": standing, **more}


def touch(standing: int, **more: Any) -> Json:
    """A tap that touched a pin."""
    return tap(standing, direct_touch=True, **more)


def rack(standing: int, *problems: str) -> Json:
    return {"type": "rack", "standing": standing, "problems": list(problems)}


def said(calls: list[Json]) -> list[str]:
    """Calls in short: who, what, why and how many, without their events."""
    keys = ("player", "call", "reason", "points")
    return [" ".join(str(call[key]) for key in keys if key in call) for call in calls]
