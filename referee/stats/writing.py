"""Records as JSON for programs, and as text for people."""

from collections.abc import Sequence
from typing import Final

from referee.columns import format_table, printable
from referee.counted import counted
from referee.games import GAMES
from referee.stats.deeds import NO_BOARD
from referee.stats.heat import BIN_MM, HeatMap
from referee.stats.rating import Rating
from referee.stats.record import Record

HEADINGS: Final = ("player", "matches", "won", "shots", "hits", "fouls", "rating")
HOLES_SHOWN: Final = 8


def records_to_json(records: Sequence[Record], matches: int) -> dict[str, object]:
    """The object that ``referee stats --json`` prints."""
    return {"matches": matches, "players": [record_to_json(record) for record in records]}


def record_to_json(record: Record) -> dict[str, object]:
    return {
        "name": record.player,
        "matches": record.matches,
        "finished": record.finished,
        "won": record.won,
        "shots": record.shots,
        "hits": record.hits,
        "fouls": dict(record.fouls),
        "balls_lost": record.balls_lost,
        "tricks": record.tricks,
        "rating": _rating_to_json(record.rating),
        "games": {
            game.game: {
                "matches": game.matches,
                "finished": game.finished,
                "won": game.won,
                "points": game.points,
                "rating": _rating_to_json(game.rating),
            }
            for game in record.games
        },
        "against": {
            duel.other: {"matches": duel.matches, "won": duel.won, "lost": duel.lost, "level": duel.level}
            for duel in record.duels
        },
        "heat": [_heat_to_json(heat) for heat in record.heat],
    }


def _rating_to_json(rating: Rating | None) -> dict[str, object] | None:
    if rating is None:
        return None
    return {
        "sure": round(rating.sure, 3),
        "mean": round(rating.mean, 3),
        "spread": round(rating.spread, 3),
        "matches": rating.matches,
    }


def _heat_to_json(heat: HeatMap) -> dict[str, object]:
    return {
        "board": heat.board,
        "holes": dict(heat.holes),
        "bin_mm": BIN_MM,
        "bounces": [{"mm": [spot.x_mm, spot.y_mm], "count": spot.count} for spot in heat.spots],
    }


def format_records(records: Sequence[Record]) -> str:
    """All players, a line each."""
    rows = [
        (
            printable(record.player),
            str(record.matches),
            str(record.won),
            str(record.shots),
            _share(record.hits, record.shots),
            str(sum(count for _, count in record.fouls)),
            "" if record.rating is None else f"{record.rating.sure:.1f}",
        )
        for record in records
    ]
    return format_table([HEADINGS, *rows])


def format_record(record: Record) -> str:
    """All about one player."""
    lines = [
        f"{record.player}: {counted(record.matches, 'match', 'matches')}, {record.finished} finished, {record.won} won",
        f"  shots    {record.shots}, hits {_share(record.hits, record.shots)}",
        f"  fouls    {_listed(record.fouls) or 'none'}",
    ]
    if record.balls_lost:
        lines.append(f"  balls    {record.balls_lost} lost")
    if record.tricks:
        lines.append(f"  tricks   {record.tricks}")
    if record.rating is not None:
        lines.append(f"  rating   {rating_words(record.rating)}")
    for game in record.games:
        rating = "" if game.rating is None else f", rating {game.rating.sure:.1f}"
        counts = f"{counted(game.matches, 'match', 'matches')}, {game.won} won, {game.points} points in all"
        lines.append(f"  {game_title(game.game)}: {counts}{rating}")
    for duel in record.duels:
        counts = f"{counted(duel.matches, 'match', 'matches')}, {duel.won} won, {duel.lost} lost, {duel.level} level"
        lines.append(f"  against {duel.other}: {counts}")
    for heat in record.heat:
        holes = sorted(heat.holes, key=lambda hole: (-hole[1], hole[0]))[:HOLES_SHOWN]
        if holes and heat.board != NO_BOARD:
            lines.append(f"  most often on {heat.board}: {_listed(holes)}")
    return "\n".join(map(printable, lines))


def rating_words(rating: Rating) -> str:
    """A rating with what it rests on."""
    return f"{rating.sure:.1f} at least ({rating.mean:.1f} give or take {rating.spread:.1f}, from {rating.matches})"


def game_title(name: str) -> str:
    return next((game.title for game in GAMES if game.name == name), name)


def _share(part: int, whole: int) -> str:
    return f"{part} ({part / whole:.0%})" if whole else str(part)


def _listed(counts: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts)
