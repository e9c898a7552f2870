"""The index of the stored matches: an SQLite database in WAL mode that only repeats what the matches' files say.

It may be deleted, damaged, locked or of another version at any time: then it is made anew, or done without. What it
says of a match holds only as long as the match's files bear the same mark (``referee.catalogue`` looks).
"""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar, get_args

from referee import __version__
from referee.errors import NoIndex
from referee.games.game import Phase
from referee.survey import Entry, KeptClip, Mark, Result

NAME: Final = "referee-index.sqlite3"
# Grows with every change of the tables below. The program's own version counts too: its rules may score anew.
MADE_BY: Final = f"1, referee {__version__}"
# Others write for a blink only; who waits in vain does without.
PATIENCE_S: Final = 2.0
LARGEST: Final = 2**63 - 1

TABLES: Final = (
    "CREATE TABLE about (made_by TEXT NOT NULL)",
    """CREATE TABLE matches (
        id TEXT PRIMARY KEY,
        log_bytes INTEGER NOT NULL,
        log_changed_ns INTEGER NOT NULL,
        clips_changed_ns INTEGER NOT NULL,
        game TEXT,
        phase TEXT,
        source TEXT NOT NULL,
        lines INTEGER NOT NULL,
        warnings TEXT NOT NULL, -- one a line
        fault TEXT
    )""",
    "CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    """CREATE TABLE results (
        match_id TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
        turn INTEGER NOT NULL, -- the place in the turn order
        player_id INTEGER NOT NULL REFERENCES players,
        seat TEXT,
        score TEXT NOT NULL, -- a whole number of any length
        has_won INTEGER NOT NULL,
        PRIMARY KEY (match_id, turn)
    )""",
    "CREATE INDEX results_of_players ON results (player_id)",
    """CREATE TABLE clips (
        match_id TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
        name TEXT NOT NULL,
        size_bytes INTEGER NOT NULL,
        PRIMARY KEY (match_id, name)
    )""",
)

BROKEN: Final = frozenset(
    {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH}
)
"""What SQLite says of a file that is no index, or a damaged one; all else (locked, read-only, full) may pass."""

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]


class Index:
    """The index in a data directory. Every method opens it, does one thing whole or not at all, and closes it."""

    def __init__(self, data_dir: Path) -> None:
        self.path = data_dir / NAME
        self.patience_s = PATIENCE_S

    def entries(self) -> dict[str, Entry]:
        """All that it knows, by the match's name: nothing when there is none, or one of another version or damaged.

        Raises NoIndex when it can't be used now.
        """
        return self._do(_read, begin="BEGIN") if self.path.exists() else {}

    def update(self, entries: Iterable[Entry], *, gone: Iterable[str] = ()) -> None:
        """Put in or renew entries, and take out others. Raises NoIndex."""
        new, old = tuple(entries), tuple(gone)

        def write(connection: sqlite3.Connection) -> None:
            for match_id in (*old, *(entry.match_id for entry in new)):
                connection.execute("DELETE FROM matches WHERE id = ?", (match_id,))
            for entry in new:
                _write(connection, entry)
            connection.execute("DELETE FROM players WHERE id NOT IN (SELECT player_id FROM results)")

        self._do(write)

    def replace(self, entries: Iterable[Entry]) -> None:
        """Forget everything and put these in. Raises NoIndex."""
        new = tuple(entries)

        def write(connection: sqlite3.Connection) -> None:
            _make_tables(connection)
            for entry in new:
                _write(connection, entry)

        self._do(write)

    def fault(self) -> str | None:
        """What is wrong with it, None when it is in order; nothing is changed."""
        if not self.path.exists():
            return "there is no index yet"
        try:
            # Without "ro" a file that is not there would be made.
            address = f"{self.path.absolute().as_uri()}?mode=ro"
            with closing(sqlite3.connect(address, uri=True, timeout=self.patience_s)) as connection:
                said = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
                # One that is empty is just being made, or was never needed.
                is_ours = _is_ours(connection) or not connection.execute("SELECT 1 FROM sqlite_master").fetchall()
        except sqlite3.Error as error:
            return f"the index can't be read, {error}"
        if said != "ok":
            return f"the index is damaged, {said}"
        return None if is_ours else "the index was made by another version of the program"

    def _do(self, work: Work[T], *, begin: str = "BEGIN IMMEDIATE") -> T:
        try:
            try:
                return self._attempt(work, begin)
            except (sqlite3.Error, ValueError, TypeError) as error:
                if not _is_broken(error):
                    raise
                self._delete()
                return self._attempt(work, begin)
        except (sqlite3.Error, OSError, ValueError, TypeError) as error:
            raise NoIndex(
                f"the index can't be used now, {error}", str(self.path), "done without; if that stays so, delete it"
            ) from error

    def _attempt(self, work: Work[T], begin: str) -> T:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self.path, timeout=self.patience_s, isolation_level=None)) as connection:
            # WAL: who reads and who writes don't wait for each other. What a power cut takes of an index is no loss.
            for setting in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"):
                connection.execute(f"PRAGMA {setting}").fetchall()
            if not _is_ours(connection):
                with _transaction(connection, "BEGIN IMMEDIATE"):
                    if not _is_ours(connection):
                        _make_tables(connection)
            with _transaction(connection, begin):
                return work(connection)

    def _delete(self) -> None:
        """Take it out of the way with all that belongs to it."""
        for ending in ("", "-wal", "-shm", "-journal"):
            self.path.with_name(NAME + ending).unlink(missing_ok=True)


def _is_broken(error: Exception) -> bool:
    """Whether an error tells of damage; an error without a code comes from values that nobody here has written."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    # The lowest byte is the kind, the others are its finer points.
    return code is None or code & 0xFF in BROKEN


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _is_ours(connection: sqlite3.Connection) -> bool:
    """Whether there are tables made by this version of the program."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'about'").fetchone() is None:
        return False
    return connection.execute("SELECT made_by FROM about").fetchall() == [(MADE_BY,)]


def _make_tables(connection: sqlite3.Connection) -> None:
    """Empty ones in the place of all that is there."""
    # Those that refer to others first.
    for (name,) in connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid DESC"
    ).fetchall():
        quoted = name.replace('"', '""')
        connection.execute(f'DROP TABLE "{quoted}"')
    for statement in TABLES:
        connection.execute(statement)
    connection.execute("INSERT INTO about VALUES (?)", (MADE_BY,))


def _write(connection: sqlite3.Connection, entry: Entry) -> None:
    mark = entry.mark
    connection.execute(
        "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            entry.match_id,
            mark.log_bytes,
            # A time that SQLite can't hold never equals the file's: such a match is read each time.
            min(mark.log_changed_ns, LARGEST),
            min(mark.clips_changed_ns, LARGEST),
            _plain(entry.game),
            entry.phase,
            _plain(entry.source),
            entry.lines,
            _plain("\n".join(entry.warnings)),
            _plain(entry.fault),
        ),
    )
    for turn, result in enumerate(entry.results):
        connection.execute("INSERT OR IGNORE INTO players (name) VALUES (?)", (result.player,))
        connection.execute(
            "INSERT INTO results SELECT ?, ?, id, ?, ?, ? FROM players WHERE name = ?",
            (entry.match_id, turn, result.seat, str(result.score), result.has_won, result.player),
        )
    for clip in entry.clips:
        connection.execute("INSERT INTO clips VALUES (?, ?, ?)", (entry.match_id, _plain(clip.name), clip.size_bytes))


def _plain(text: str | None) -> str | None:
    """A text as UTF-8 can hold it."""
    return None if text is None else text.encode("utf-8", "backslashreplace").decode()


def _read(connection: sqlite3.Connection) -> dict[str, Entry]:
    results: defaultdict[str, list[Result]] = defaultdict(list)
    for match_id, player, seat, score, has_won in connection.execute(
        "SELECT match_id, name, seat, score, has_won FROM results JOIN players ON id = player_id"
        " ORDER BY match_id, turn"
    ):
        results[match_id].append(Result(player=player, seat=seat, score=int(score), has_won=bool(has_won)))
    clips: defaultdict[str, list[KeptClip]] = defaultdict(list)
    for match_id, name, size_bytes in connection.execute("SELECT * FROM clips ORDER BY match_id, name"):
        clips[match_id].append(KeptClip(name=name, size_bytes=size_bytes))
    return {
        match_id: Entry(
            match_id=match_id,
            mark=Mark(log_bytes=log_bytes, log_changed_ns=log_ns, clips_changed_ns=clips_ns),
            game=game,
            phase=_phase(phase),
            source=source,
            lines=lines,
            results=tuple(results[match_id]),
            clips=tuple(clips[match_id]),
            warnings=tuple(filter(None, warnings.split("\n"))),
            fault=fault,
        )
        for match_id, log_bytes, log_ns, clips_ns, game, phase, source, lines, warnings, fault in connection.execute(
            "SELECT * FROM matches ORDER BY id"
        )
    }


def _phase(text: str | None) -> Phase | None:
    phases: tuple[Phase, ...] = get_args(Phase)
    if text is None:
        return None
    return phases[phases.index(text)]
