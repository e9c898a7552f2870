"""From a log to the score: as JSON for programs, as a table for people."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, assert_never

from referee.games import find_game, reads_layout
from referee.games.game import Call, ToldDetail
from referee.log import Log, layout_of, read_log
from referee.match import Standing, fold
from referee.words import call_words

CALLS_SHOWN: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The score of a log file, and what was odd about the file."""

    standing: Standing
    warnings: tuple[str, ...]


def score_log(path: Path) -> Score:
    """Read a log and keep its score. Raises BadLog, BadHeader or BadLayout."""
    log = read_log(path)
    return Score(standing=standing_of(log, path.parent), warnings=log.warnings)


def standing_of(log: Log, folder: Path) -> Standing:
    """How a log that was read in a folder stands; a layout's path starts there. Raises BadHeader or BadLayout."""
    find_layout = partial(layout_of, folder=folder)
    layout = find_layout(log.header) if reads_layout(log.header) else None
    return fold(log.header, layout, log.events, find_layout)


def standing_to_json(standing: Standing) -> dict[str, object]:
    """The object that ``referee score --json`` prints."""
    return {
        "game": standing.game,
        "phase": standing.phase,
        "turn": standing.turn,
        "scores": dict(standing.scores),
        "winners": list(standing.winners),
        "board": dict(standing.board),
        "calls": [_call_to_json(call) for call in standing.calls],
        "detail": standing.detail.to_json(),
    }


def scoreboard(standing: Standing) -> str:
    """The score as people read it: who has how much, how the match stands, what was called last."""
    points = dict(standing.scores)
    width = max(len(name) for name in points)
    rows = [
        f"  {player.name:{width}}  {points[player.name]:>4}  {' '.join(player.colours)}".rstrip()
        for player in standing.header.players
    ]
    board = [f"{colour} {hole}" for hole, colour in standing.board]
    calls = [f"  line {call.event:>3}  {call_words(call)}" for call in standing.calls[-CALLS_SHOWN:]]
    return "\n".join(
        [
            f"{find_game(standing.game).title}: {_state_words(standing)}",
            *rows,
            *([f"On the board: {', '.join(board)}"] if board else []),
            *(standing.detail.to_words() if isinstance(standing.detail, ToldDetail) else ()),
            *(["Last calls:", *calls] if calls else []),
        ]
    )


def _state_words(standing: Standing) -> str:
    match standing.phase:
        case "opening":
            return f"opening, still to throw: {', '.join(standing.expected.players)}"
        case "playing" if standing.expected.action == "choose":
            return f"{standing.turn}'s turn to say {' or '.join(standing.expected.choices)}"
        case "playing":
            return f"{standing.turn}'s turn" if standing.turn else "nobody can throw"
        case "finished":
            return f"won by {' and '.join(standing.winners)}" if standing.winners else "over, nobody wins"
        case _:
            assert_never(standing.phase)


def _call_to_json(call: Call) -> dict[str, object]:
    """A call with the keys that it has; a forfeited ball always says where it goes (null: set aside)."""
    keys = {"reason": call.reason, "points": call.points, "colour": call.colour}
    given = {key: value for key, value in keys.items() if value is not None}
    to = {"to": call.to} if call.call == "forfeit" else {}
    return {"event": call.event, "player": call.player, "call": call.call, **given, **to}
