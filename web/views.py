"""What the pages show of a match, in words and drawings: pure functions of a snapshot."""

from collections.abc import Mapping
from dataclasses import dataclass

from referee.desk import Snapshot, Source
from referee.events import Player, SeenBoard, Shot
from referee.games import GAMES
from referee.games.bounce_it import BALLS
from referee.games.game import Action, Expected
from referee.match import Standing
from web.board import BoardDrawing, draw_board
from web.card_table import CardTable, lay_cards
from web.colours import colour_class, marks_of
from web.decisions import DecisionView, decision_view
from web.history import Entry, entry_of, open_calls, time_words
from web.house_rules import HouseRule, house_rules
from web.lane import LaneDrawing, draw_lane
from web.ledger import Ledger
from web.trays import Tray, Trays, trays_of

# More than fit on any screen; the rest is on a page of its own.
NEWEST = 12

PHASES = {"opening": "Opening throws", "playing": "In play", "finished": "Finished"}
ACTIONS: dict[Action, str] = {
    "throw": "to throw",
    "tap": "to tap",
    "choose": "to decide",
    "turn_up": "to lead: turn up the point card",
    "play": "to play a card",
    "nothing": "",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Swatch:
    name: str
    css: str
    mark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    """``due``: what the player has to do now, "" for all who wait; ``unit``: what the points count."""

    name: str
    seat: str
    colours: tuple[Swatch, ...]
    points: int
    unit: str
    due: str
    has_won: bool
    remark: str
    trays: tuple[Tray, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceView:
    state: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """``event``: the line of the log that it leads to, if any."""

    words: str
    tone: str
    event: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveView:
    """The live page. ``entries``: the newest calls, newest first; ``log_mark`` changes when any call may have.

    What is drawn is ``cards`` or ``lane`` where the game has such, ``board`` where it has one; ``table``: what belongs
    to nobody.
    """

    match_id: str
    title: str
    game: str
    phase: str
    score: str
    players: tuple[PlayerView, ...]
    board: BoardDrawing | None
    lane: LaneDrawing | None
    cards: CardTable | None
    table: tuple[Tray, ...]
    decision: DecisionView | None
    rules: tuple[HouseRule, ...]
    entries: tuple[Entry, ...]
    source: SourceView
    notices: tuple[Notice, ...]
    winner: str
    latest: str
    latest_review: bool
    log_mark: str


def live_view(snapshot: Snapshot) -> LiveView:
    """Everything on the live page."""
    standing = snapshot.standing
    marks = ball_marks(snapshot)
    ledger = Ledger.of(snapshot)
    lines = ledger.lines()
    entries = tuple(entry_of(ledger, line) for line in lines[:NEWEST])
    game = game_title(snapshot)
    score = score_words(standing)
    trays = trays_of(standing, marks)
    return LiveView(
        match_id=snapshot.match_id,
        title=f"{score} · {game}" if score else game,
        game=game,
        phase=PHASES.get(standing.phase, standing.phase),
        score=score,
        players=_players(snapshot, marks, trays),
        board=_board(snapshot, marks),
        lane=draw_lane(snapshot.layout, snapshot.camera, snapshot.pins) if is_on_lane(snapshot) else None,
        cards=lay_cards(standing),
        table=trays.table,
        decision=decision_view(standing),
        rules=house_rules(standing.header),
        entries=entries,
        source=source_view(snapshot.source),
        notices=_notices(ledger),
        winner=_winner_words(standing),
        latest=_latest_words(entries, standing),
        latest_review=bool(entries) and entries[0].is_open,
        log_mark=f"{len(lines)}.{sum(map(len, ledger.rulings.values()))}",
    )


def ball_marks(snapshot: Snapshot) -> Mapping[str, str]:
    """A mark for each ball colour of the match, alike on every page."""
    colours = [colour for player in snapshot.standing.header.players for colour in player.colours]
    colours += [colour for colour, _ in snapshot.layout.ball_radius_mm]
    colours += BALLS if snapshot.standing.game == "bounce-it" else ()
    colours += [event.colour for event in snapshot.events if isinstance(event, Shot) and event.colour]
    if isinstance(snapshot.board, SeenBoard):
        colours += [colour for _, colour in snapshot.board.holes]
        colours += snapshot.board.loose
    return marks_of(colours)


def game_title(snapshot: Snapshot) -> str:
    """The game's name, as people write it."""
    game = snapshot.standing.game
    return next((known.title for known in GAMES if known.name == game), game)


def score_words(standing: Standing) -> str:
    """ "Ann 21, Bob 7"."""
    return ", ".join(f"{name} {points}" for name, points in standing.scores)


def source_view(source: Source) -> SourceView:
    """What the camera is doing, in words."""
    at = time_words(source.t_s)
    match source.state:
        case "waiting":
            words = f"Waiting for {source.name}"
        case "playing":
            of = f" of {time_words(source.duration_s)}" if source.duration_s is not None else ""
            words = f"Watching {source.name}: {at}{of}"
        case "ended":
            words = f"{source.name} has ended, after {at}"
        case "failed":
            words = f"{source.name} has failed at {at}"
    return SourceView(state=source.state, words=words)


def is_on_lane(snapshot: Snapshot) -> bool:
    """Whether pins are what is watched."""
    return snapshot.standing.game == "wonder-bowling"


def _board(snapshot: Snapshot, marks: Mapping[str, str]) -> BoardDrawing | None:
    """The board or box; None for games without one."""
    if is_on_lane(snapshot) or snapshot.standing.game == "bouncers":
        return None
    return draw_board(snapshot.layout, snapshot.board, marks, counted=_counted(snapshot))


def _players(snapshot: Snapshot, marks: Mapping[str, str], trays: Trays) -> tuple[PlayerView, ...]:
    standing, expected = snapshot.standing, snapshot.standing.expected
    points = dict(standing.scores)
    return tuple(
        PlayerView(
            name=player.name,
            seat=player.seat or "",
            colours=_swatches(player, marks),
            points=points.get(player.name, 0),
            unit=trays.unit,
            due=_due_words(expected) if player.name in expected.players else "",
            has_won=player.name in standing.winners,
            remark=trays.remarks.get(player.name, ""),
            trays=trays.players.get(player.name, ()),
        )
        for player in snapshot.standing.header.players
    )


def _due_words(expected: Expected) -> str:
    words = ACTIONS[expected.action]
    return f"{words}, or decide" if expected.choices and expected.action != "choose" else words


def _swatches(player: Player, marks: Mapping[str, str]) -> tuple[Swatch, ...]:
    return tuple(Swatch(name=colour, css=colour_class(colour), mark=marks.get(colour, "")) for colour in player.colours)


def _notices(ledger: Ledger) -> tuple[Notice, ...]:
    snapshot = ledger.snapshot
    notices = [Notice(words=warning, tone="warn") for warning in snapshot.warnings]
    if snapshot.source.message:
        tone = "bad" if snapshot.source.state == "failed" else "warn"
        notices.insert(0, Notice(words=snapshot.source.message, tone=tone))
    doubtful = open_calls(ledger)
    if doubtful:
        words = "One call is under review" if len(doubtful) == 1 else f"{len(doubtful)} calls are under review"
        notices.append(Notice(words=f"{words}: look, then confirm or overrule", tone="warn", event=doubtful[0]))
    return tuple(notices)


def _counted(snapshot: Snapshot) -> tuple[tuple[str, str], ...] | None:
    """The balls that the score knows of, in games that are played on a board; None before it is settled who begins."""
    if snapshot.layout.kind != "board" or snapshot.standing.phase == "opening":
        return None
    return snapshot.standing.board


def _winner_words(standing: Standing) -> str:
    match standing.winners:
        case ():
            return "The game is over: nobody wins" if standing.phase == "finished" else ""
        case (name,):
            return f"{name} wins"
        case names:
            return f"{', '.join(names[:-1])} and {names[-1]} share the win"


def _latest_words(entries: tuple[Entry, ...], standing: Standing) -> str:
    """The newest call in one line, and who has won."""
    if not entries:
        return ""
    newest = entries[0]
    call = newest.calls[0].words if newest.calls else newest.words or newest.no_calls
    winner = _winner_words(standing)
    return f"{call}. {winner}" if winner else call
