"""A player's record: everything that is counted about one player over all matches."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from referee.stats.deeds import Deeds
from referee.stats.duels import Duel, duels_of
from referee.stats.ends import End, ends_of
from referee.stats.heat import HeatMap, heat_maps
from referee.stats.rating import Rating, ratings_of
from referee.survey import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """A player in one game. ``points``: what the scores of all matches add up to, in the game's own measure."""

    game: str
    matches: int
    finished: int
    won: int
    points: int
    rating: Rating | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A player over all games. ``shots``: throws and taps that counted; ``won``: alone or shared.

    ``fouls``: kind and how often, most frequent first; ``rating`` is None before the first finished match.
    """

    player: str
    matches: int
    finished: int
    won: int
    shots: int
    hits: int
    fouls: tuple[tuple[str, int], ...]
    balls_lost: int
    tricks: int
    games: tuple[GameRecord, ...]
    duels: tuple[Duel, ...]
    heat: tuple[HeatMap, ...]
    rating: Rating | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A match in short, with what was done in it."""

    entry: Entry
    deeds: Deeds


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ratings:
    """Everybody's, over all games and in each."""

    overall: Mapping[str, Rating]
    by_game: Mapping[str, Mapping[str, Rating]]

    @classmethod
    def of(cls, ends: Sequence[End]) -> "_Ratings":
        games = {end.game for end in ends}
        return cls(
            overall=ratings_of(ends),
            by_game={game: ratings_of(end for end in ends if end.game == game) for game in games},
        )


def names_in(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Everybody who has played, in alphabetical order."""
    return tuple(sorted({result.player for entry in entries for result in entry.results}))


def records_of(players: Iterable[str], entries: Sequence[Entry], played: Sequence[Played]) -> tuple[Record, ...]:
    """The records of some players, the strongest first.

    ``entries``: all matches, oldest first, as the strength of one hangs on the matches of the others; ``played``: at
    least those in which these players took part.
    """
    ends = ends_of(entries)
    ratings = _Ratings.of(ends)
    records = [_record(player, ends, ratings, played) for player in players]
    return tuple(sorted(records, key=lambda record: (-_strength(record.rating), record.player)))


def _record(player: str, ends: Sequence[End], ratings: _Ratings, played: Sequence[Played]) -> Record:
    own = [match for match in played if any(result.player == player for result in match.entry.results)]
    deeds = [match.deeds for match in own]
    throws = [throw for one in deeds for throw in one.throws if throw.player == player]
    fouls = Counter(foul.kind for one in deeds for foul in one.fouls if foul.player == player)
    games = tuple(
        _game_record(player, game, [match.entry for match in own if match.entry.game == game], ratings)
        for game in sorted({match.entry.game for match in own if match.entry.game is not None})
    )
    return Record(
        player=player,
        matches=sum(game.matches for game in games),
        finished=sum(game.finished for game in games),
        won=sum(game.won for game in games),
        shots=len(throws),
        hits=sum(throw.is_hit for throw in throws),
        fouls=tuple(sorted(fouls.items(), key=lambda item: (-item[1], item[0]))),
        balls_lost=sum(one.balls_lost.count(player) for one in deeds),
        tricks=sum(one.tricks.count(player) for one in deeds),
        games=games,
        duels=duels_of(player, ends),
        heat=heat_maps(deeds, player),
        rating=ratings.overall.get(player),
    )


def _game_record(player: str, game: str, entries: Sequence[Entry], ratings: _Ratings) -> GameRecord:
    results = [(entry, result) for entry in entries for result in entry.results if result.player == player]
    return GameRecord(
        game=game,
        matches=len(results),
        finished=sum(entry.phase == "finished" for entry, _ in results),
        won=sum(result.has_won for _, result in results),
        points=sum(result.score for _, result in results),
        rating=ratings.by_game.get(game, {}).get(player),
    )


def _strength(rating: Rating | None) -> float:
    return float("-inf") if rating is None else rating.sure
