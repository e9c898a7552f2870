"""What a stored match is in short: the facts that an index keeps, read from the match's own files."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from hardware.errors import RefereeError
from referee.errors import NoMatch
from referee.games.game import Phase
from referee.match import Standing
from referee.score import standing_of
from referee.store import MatchFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """By what it shows that a match has changed: its log only grows, and clips are only added or taken away."""

    log_bytes: int
    log_changed_ns: int
    clips_changed_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How a player stands; ``score`` means what the game says it means."""

    player: str
    seat: str | None
    score: int
    has_won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptClip:
    name: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A match in short. ``results`` in turn order; ``lines``: those of the log after the header.

    ``fault``: why the match can't be scored; then there are no results. ``phase`` is None where nobody keeps score.
    """

    match_id: str
    mark: Mark
    game: str | None = None
    phase: Phase | None = None
    source: str = ""
    lines: int = 0
    results: tuple[Result, ...] = ()
    clips: tuple[KeptClip, ...] = ()
    warnings: tuple[str, ...] = ()
    fault: str | None = None

    @property
    def begun(self) -> datetime | None:
        """When it began, which its name says; None for a name that is no time."""
        return begun_at(self.match_id)


def begun_at(match_id: str) -> datetime | None:
    """The time that a match's name says, if it is one of a computer's times."""
    try:
        begun = datetime.strptime(match_id[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None
    return begun if 1970 <= begun.year < 3000 else None


def mark_of(folder: MatchFolder) -> Mark:
    """The mark of a match as it is on the disk now; what isn't there counts as 0."""
    log_bytes, log_changed_ns = _size_and_change(folder.log_path)
    _, clips_changed_ns = _size_and_change(folder.clips_path)
    return Mark(log_bytes=log_bytes, log_changed_ns=log_changed_ns, clips_changed_ns=clips_changed_ns)


def survey(folder: MatchFolder) -> Entry:
    """Read a match; whatever is wrong with it is said in the entry."""
    # The mark first: what is written while the log is being read makes it an old one, and the match is read again.
    mark = mark_of(folder)
    source, clips = _source(folder), _clips(folder.clips_path)
    try:
        log = folder.log()
        standing = None if log.header.game is None else standing_of(log, folder.path)
    except RefereeError as error:
        return Entry(match_id=folder.id, mark=mark, source=source, clips=clips, fault=str(error))
    except Exception as error:
        # A game of another package may fail in any way; the other matches must be listed all the same.
        fault = f"its rules failed ({error!r}): tell whoever made the game"
        return Entry(match_id=folder.id, mark=mark, source=source, clips=clips, fault=fault)
    return Entry(
        match_id=folder.id,
        mark=mark,
        game=log.header.game if standing is None else standing.game,
        phase=None if standing is None else standing.phase,
        source=source,
        lines=len(log.events),
        results=() if standing is None else _results(standing),
        clips=clips,
        warnings=log.warnings,
    )


def _results(standing: Standing) -> tuple[Result, ...]:
    points = dict(standing.scores)
    return tuple(
        Result(
            player=player.name,
            seat=player.seat,
            score=points.get(player.name, 0),
            has_won=player.name in standing.winners,
        )
        for player in standing.header.players
    )


def _source(folder: MatchFolder) -> str:
    """What the match was seen by, in people's words; "" where that isn't known."""
    try:
        return folder.origin().name
    except NoMatch:
        return ""


def _clips(folder: Path) -> tuple[KeptClip, ...]:
    """The clips that are whole; those that are being cut have names that begin with a dot."""
    found = []
    try:
        for path in sorted(folder.glob("[!.]*.mp4")):
            found.append(KeptClip(name=path.name, size_bytes=path.stat().st_size))
    except OSError:
        pass  # no directory, or one that can't be read: then there are no clips to show either
    return tuple(found)


def _size_and_change(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_size, found.st_mtime_ns
