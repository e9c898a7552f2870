"""What the pages show of all stored matches: their list, and the players with what they have done."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from calibration.layout import BUILT_IN, Layout, load_layout
from referee.counted import counted
from referee.stats.deeds import NO_BOARD
from referee.stats.heat import BIN_MM, HeatMap
from referee.stats.record import Record
from referee.stats.writing import game_title
from referee.survey import Entry

PHASES: Final = {"opening": "Opening throws", "playing": "In play", "finished": "Finished"}
MARGIN_MM: Final = 10.0
# The faintest square can still be seen, the strongest lets the board shine through.
FAINTEST: Final = 0.2
STRONGEST: Final = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """A match in the list. ``fault``: why there is nothing to be opened."""

    match_id: str
    game: str
    score: str
    state: str
    fault: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """A player in the table of all."""

    name: str
    matches: int
    won: int
    shots: int
    hits: str
    fouls: int
    rating: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A square of the table or a hole, in mm, y growing southwards; ``strength``: 0 to 1."""

    x: float
    y: float
    size: float
    strength: float
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatDrawing:
    """``outline``: of the board, where it is one that comes with the program; then ``holes`` are drawn, else listed."""

    title: str
    view_box: str
    outline: str
    squares: tuple[Cell, ...]
    holes: tuple[Cell, ...]
    holes_words: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    """All about one player."""

    line: PlayerLine
    finished: int
    balls_lost: int
    tricks: int
    fouls: tuple[tuple[str, int], ...]
    rating: str
    games: tuple[tuple[str, str], ...]
    duels: tuple[tuple[str, str], ...]
    heat: tuple[HeatDrawing, ...]


def match_line(entry: Entry) -> MatchLine:
    """A match as it stands in the list."""
    score = ", ".join(f"{result.player} {result.score}" for result in entry.results)
    winners = [result.player for result in entry.results if result.has_won]
    phase = PHASES.get(entry.phase or "", "")
    won = f" · won by {' and '.join(winners)}" if winners else ""
    begun = "" if entry.begun is None else f" · {entry.begun.astimezone():%Y-%m-%d %H:%M}"
    return MatchLine(
        match_id=entry.match_id,
        game=game_title(entry.game or "") or "Recording",
        score=score,
        state=f"{phase}{won}{begun}",
        fault=entry.fault or ("" if entry.game else "nobody keeps its score"),
    )


def player_line(record: Record) -> PlayerLine:
    """A player as a row of numbers."""
    share = f" ({record.hits / record.shots:.0%})" if record.shots else ""
    return PlayerLine(
        name=record.player,
        matches=record.matches,
        won=record.won,
        shots=record.shots,
        hits=f"{record.hits}{share}",
        fouls=sum(count for _, count in record.fouls),
        rating="" if record.rating is None else f"{record.rating.sure:.1f}",
    )


def player_view(record: Record) -> PlayerView:
    """Everything on a player's page."""
    rating = record.rating
    return PlayerView(
        line=player_line(record),
        finished=record.finished,
        balls_lost=record.balls_lost,
        tricks=record.tricks,
        fouls=tuple((kind.replace("_", " "), count) for kind, count in record.fouls),
        rating=""
        if rating is None
        else f"{rating.sure:.1f} almost surely; {rating.mean:.1f}, give or take {rating.spread:.1f}",
        games=tuple(
            (game_title(game.game), f"{game.matches} played, {game.won} won, {game.points} points in all")
            for game in record.games
        ),
        duels=tuple(
            (duel.other, f"{duel.matches} played, {duel.won} won, {duel.lost} lost, {duel.level} level")
            for duel in record.duels
        ),
        heat=tuple(draw_heat(heat) for heat in record.heat),
    )


def draw_heat(heat: HeatMap) -> HeatDrawing:
    """Where a player's throws touch the table first, and in which holes they come to rest."""
    layout = load_layout(heat.board) if heat.board in BUILT_IN else None
    outline = () if layout is None else layout.outline_mm
    squares = _squares(heat)
    xs = [x for x, _ in outline] + [square.x + edge for square in squares for edge in (0.0, square.size)]
    ys = [-y for _, y in outline] + [square.y + edge for square in squares for edge in (0.0, square.size)]
    left, top = min(xs, default=0.0) - MARGIN_MM, min(ys, default=0.0) - MARGIN_MM
    width, height = max(xs, default=0.0) + MARGIN_MM - left, max(ys, default=0.0) + MARGIN_MM - top
    listed = sorted(heat.holes, key=lambda hole: (-hole[1], hole[0]))
    balls = counted(sum(count for _, count in listed), "ball")
    bounces = counted(sum(spot.count for spot in heat.spots), "bounce")
    return HeatDrawing(
        title="Without a board" if heat.board == NO_BOARD else f"On {heat.board}",
        view_box=f"{left:g} {top:g} {width:g} {height:g}" if xs else "",
        outline=" ".join(f"{x:g},{-y:g}" for x, y in outline),
        squares=squares,
        holes=() if layout is None else _holes(heat, layout),
        holes_words=", ".join(f"{name} {count}" for name, count in listed),
        words=f"{balls} in holes, {bounces} seen on the table",
    )


def _squares(heat: HeatMap) -> tuple[Cell, ...]:
    most = max((spot.count for spot in heat.spots), default=1)
    return tuple(
        Cell(
            x=spot.x_mm - BIN_MM / 2,
            y=-spot.y_mm - BIN_MM / 2,
            size=BIN_MM,
            strength=_strength(spot.count, most),
            words=f"{spot.count} bounced here",
        )
        for spot in heat.spots
    )


def _holes(heat: HeatMap, layout: Layout) -> tuple[Cell, ...]:
    counts = dict(heat.holes)
    most = max(counts.values(), default=1)
    return tuple(
        Cell(
            x=hole.x_mm,
            y=-hole.y_mm,
            size=hole.radius_mm,
            strength=_strength(counts.get(hole.name, 0), most),
            words=f"{hole.name}: {counts.get(hole.name, 0)}",
        )
        for hole in layout.holes
    )


def _strength(count: int, most: int) -> float:
    return 0.0 if count == 0 else round(FAINTEST + (STRONGEST - FAINTEST) * count / most, 2)


def find_record(records: Sequence[Record], name: str) -> Record | None:
    return next((record for record in records if record.player == name), None)
