"""Short ways to write a match of Bounce It-In and to ask how it stands, for the tests of the rules."""

from collections.abc import Mapping, Sequence
from typing import Any

from calibration.layout import Hole, Layout
from referee.events import Header, event_from_json, header_from_json
from referee.match import Standing, fold
from referee.score import standing_to_json

Json = dict[str, Any]

SEATS = ("south", "north", "west", "east")
COLOURS = ("red", "blue", "green", "yellow")
NAMES = ("Ann", "Bob", "Cem", "Dot")


def grid(columns: str = "ABCDE", lines: int = 5, rows: tuple[tuple[str, ...], ...] | None = None) -> Layout:
    """A board whose holes are easy to reckon with: B3 has the number 3; column A is red, B blue, C green, D yellow,
    E red again."""
    holes = tuple(
        Hole(name=f"{letter}{y}", x_mm=60.0 * x, y_mm=60.0 * y, radius_mm=20, colour=COLOURS[x % 4], value=y)
        for x, letter in enumerate(columns)
        for y in range(1, lines + 1)
    )
    return layout(holes, rows)


def layout(holes: Sequence[Hole], rows: tuple[tuple[str, ...], ...] | None = None) -> Layout:
    return Layout(
        name="test",
        kind="board",
        size_mm=(600, 600),
        height_mm=30,
        outline_mm=((-300, -300), (300, -300), (300, 300), (-300, 300)),
        hole_floor_mm=5,
        ball_radius_mm=(("red", 17.0),),
        holes=tuple(holes),
        markers=(),
        rows=rows,
    )


BOARD = grid()


def header(players: int = 2, game: str = "bounce-em-all", **options: object) -> Json:
    """Ann: red, south; Bob: blue, north; Cem: green, west; Dot: yellow, east."""
    people = zip(NAMES[:players], SEATS, COLOURS, strict=False)
    return {
        "type": "match",
        "version": 1,
        "game": game,
        "layout": "test",
        "players": [{"name": name, "seat": seat, "colours": [colour]} for name, seat, colour in people],
        "options": options,
    }


def shot(colour: str, result: str, bounces: object = 1, **more: Any) -> Json:
    """A throw into a hole, onto the "board", "off" past it, "out" of it again, or "on_ball"."""
    off = {"off": False, "out": True}
    place: Json = {"place": "off"} if result in off else {"place": result}
    if result not in ("off", "out", "board", "on_ball"):
        place = {"place": "hole", "hole": result}
    touched = {"touched_board": off[result]} if result in off else {}
    return {"type": "shot", "colour": colour, "table_bounces": bounces, "result": place, **touched, **more}


def move(colour: str, source: str, target: str | None) -> Json:
    return {"colour": colour, "from": source, "to": target}


def removed(*balls: tuple[str, str]) -> Json:
    return {"type": "removed", "balls": [{"colour": colour, "from": place} for colour, place in balls]}


def placed(*balls: tuple[str, str]) -> Json:
    return {"type": "placed", "balls": [{"colour": colour, "to": place} for colour, place in balls]}


def loose(**balls: int) -> Json:
    """Balls put down beside the holes: they leave the corrals so much emptier."""
    return placed(*[(colour, "board") for colour, count in balls.items() for _ in range(count)])


def stand(player: str) -> Json:
    return {"type": "decision", "player": player, "choice": "stand"}


def ruling(event: int, replace: Json | None, **more: Any) -> Json:
    return {"type": "ruling", "event": event, "replace": replace, "by": "Eve", "reason": "seen otherwise", **more}


NOTE: Json = {"type": "note", "text": "a remark"}


def play(head: Mapping[str, Any], *events: object, board: Layout = BOARD) -> Standing:
    """The standing after the events, each as its line in the log decodes; they are lines 1, 2, …"""
    return fold(start(head), board, [event_from_json(event) for event in events])


def start(head: Mapping[str, Any]) -> Header:
    return header_from_json(dict(head))


def score(head: Mapping[str, Any], *events: object, board: Layout = BOARD) -> Json:
    """What ``referee score --json`` prints for them."""
    return standing_to_json(play(head, *events, board=board))


def calls(head: Mapping[str, Any], *events: object, board: Layout = BOARD) -> list[Json]:
    """The calls of the last event alone."""
    return [call for call in score(head, *events, board=board)["calls"] if call["event"] == len(events)]


def last_call(head: Mapping[str, Any], *events: object, board: Layout = BOARD) -> Json:
    """The one call of the last event."""
    (call,) = calls(head, *events, board=board)
    return call


def round_of(players: int, results: Sequence[str]) -> list[Json]:
    """Throws in turn, Ann first: the first results are one throw each of all players, and so on."""
    return [shot(COLOURS[i % players], result) for i, result in enumerate(results)]
