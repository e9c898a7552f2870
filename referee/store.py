"""Where matches are kept: one directory a match, its event log being the truth.

DATA/matches/20260314-201502-9f3a/events.jsonl   the log
                                  table.json     the board as the camera sees it
                                  source.json    where the recording is
                                  clips/         replays, cut when asked for
                                  lock           held by the process that writes the log

Beside ``matches`` lies the index (see ``referee.index``), which knows nothing that these files don't say.
"""

import errno
import fcntl
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Final

from calibration.table import Table, load_table, save_table
from hardware.closing import Closing
from hardware.errors import RefereeError
from referee.durable import flush_directory
from referee.errors import BadStore, MatchInUse, MatchStored, NoMatch
from referee.events import Event, Header
from referee.log import Log, LogWriter, read_log, write_log
from referee.recording import Origin, load_origin, save_origin

MATCH_ID: Final = re.compile(r"\d{8}-\d{6}-[0-9a-f]{4}", re.ASCII)
REMEDIES: Final = {
    errno.ENOSPC: "the disk is full: make room",
    errno.EDQUOT: "the disk is full: make room",
    errno.EROFS: "the disk is read-only: name another place with --data",
    errno.EACCES: "there is no permission: name another place with --data",
    errno.EPERM: "there is no permission: name another place with --data",
}


Listener = Callable[["MatchFolder"], None]
"""Is told of a match that has come into the store or whose log was closed. It returns at once and raises nothing."""


def now() -> datetime:
    """The wall clock, by which matches are named."""
    return datetime.now(UTC)


def unheard(folder: "MatchFolder") -> None:
    """A listener to whom it is all the same."""


def default_data_dir(environment: Mapping[str, str]) -> Path:
    """``$XDG_DATA_HOME/referee``, or ``~/.local/share/referee`` (XDG Base Directory Specification)."""
    named = environment.get("XDG_DATA_HOME", "")
    # The specification has relative paths ignored.
    base = Path(named) if named.startswith("/") else Path.home() / ".local" / "share"
    return base / "referee"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFolder:
    """One stored match; reading takes no lock, so a match may be looked at while it is being played."""

    id: str
    path: Path
    listener: Listener = field(default=unheard, repr=False, compare=False)

    @property
    def log_path(self) -> Path:
        return self.path / "events.jsonl"

    @property
    def clips_path(self) -> Path:
        return self.path / "clips"

    def log(self) -> Log:
        """What happened so far; raises BadLog, BadHeader."""
        return read_log(self.log_path)

    def table(self) -> Table:
        """The board as the camera saw it; raises BadTable."""
        return load_table(self.path / "table.json")

    def origin(self) -> Origin:
        """Where the pictures came from; raises NoMatch."""
        return load_origin(self.path / "source.json")

    def is_open(self) -> bool:
        """Whether some process is writing this match just now. Raises BadStore."""
        with _told("the stored matches can't be read", self.path):
            try:
                lock = os.open(self.path / "lock", os.O_RDWR | os.O_CLOEXEC)
            except FileNotFoundError:
                return False
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
            finally:
                os.close(lock)
        return False

    def open(self) -> "OpenMatch":
        """Open the log for writing; raises MatchInUse while another process has it open, BadStore, BadLog."""
        return OpenMatch(self)


class OpenMatch(Closing):
    """A match whose log this process alone may write, until it is closed or the process ends in whatever way."""

    def __init__(self, folder: MatchFolder) -> None:
        self.folder = folder
        self._using = Lock()
        with _told("this match can't be opened", folder.path):
            self._lock = os.open(folder.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            # The kernel lets go of the lock when the process ends, also when it is killed.
            with _told("this match can't be opened", folder.path):
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with _told("this match can't be written", folder.path):
                self._writer = LogWriter(folder.log_path)
        except BaseException:
            os.close(self._lock)
            raise
        self.warnings = self._writer.warnings

    def append(self, event: Event) -> None:
        """Add an event to the log; it is on the disk when this returns. Raises BadStore."""
        with self._using, _told("the match can't be saved", self.folder.log_path):
            if self._lock < 0:
                raise BadStore("this match is closed", str(self.folder.path), "open it again")
            self._writer.append(event)

    def close(self) -> None:
        """Close the log and let others write it; once is enough."""
        with self._using:
            if self._lock >= 0:
                self._writer.close()
                os.close(self._lock)
                self._lock = -1
                self.folder.listener(self.folder)


class Store:
    """The matches below a data directory, which comes into being with the first match."""

    def __init__(self, data_dir: Path, *, listener: Listener = unheard) -> None:
        self._matches = data_dir / "matches"
        self._listener = listener

    @property
    def path(self) -> Path:
        """The directory that holds the matches' directories."""
        return self._matches

    def ids(self) -> tuple[str, ...]:
        """The names of all matches, oldest first; raises BadStore when the directory can't be read."""
        with _told("the stored matches can't be read", self._matches), suppress(FileNotFoundError):
            return tuple(sorted(path.name for path in self._matches.iterdir() if MATCH_ID.fullmatch(path.name)))
        return ()

    def folders(self) -> Iterator[MatchFolder]:
        """All matches, oldest first; those taken away meanwhile are passed over. Raises BadStore."""
        for match_id in self.ids():
            with suppress(NoMatch):
                yield self.folder(match_id)

    def folder(self, match_id: str) -> MatchFolder:
        """The match of that name; raises NoMatch."""
        path = self._matches / match_id
        if not MATCH_ID.fullmatch(match_id) or not path.is_dir():
            raise NoMatch(
                f"there is no match {match_id!r}", str(self._matches), "see the names of all with: referee store list"
            )
        return MatchFolder(id=match_id, path=path, listener=self._listener)

    def create(self, header: Header, table: Table, origin: Origin) -> OpenMatch:
        """Begin a match and open it. It appears whole or not at all. Raises BadStore, CantSave.

        The header must name its layout so that it can be read from anywhere: built in, or written out.
        """
        match_id = f"{now():%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"

        def fill(folder: Path) -> None:
            write_log(folder / "events.jsonl", header, ())
            save_table(table, folder / "table.json")
            save_origin(origin, folder / "source.json")

        return self.add(match_id, fill).open()

    def add(self, match_id: str, fill: Callable[[Path], None]) -> MatchFolder:
        """Take a match in under a name: it appears whole, with all that ``fill`` writes into its directory, or not.

        Raises MatchStored when there is one of that name, BadStore, and what ``fill`` raises.
        """
        path = self._matches / match_id
        # Of a name of its own, so that what a power cut has left there is in nobody's way.
        beside = self._matches / f".{match_id}.{secrets.token_hex(2)}"
        with _told("no match can be kept", self._matches):
            beside.mkdir(parents=True)
            try:
                (beside / "clips").mkdir()
                fill(beside)
                flush_directory(beside)
                _take_name(beside, path)
            except BaseException:
                shutil.rmtree(beside, ignore_errors=True)
                raise
            flush_directory(self._matches)
        folder = MatchFolder(id=match_id, path=path, listener=self._listener)
        self._listener(folder)
        return folder


def _take_name(beside: Path, path: Path) -> None:
    """Give a match's directory its name; one that is there, and be it empty, stays. Raises MatchStored, OSError."""
    if not path.exists():
        try:
            beside.rename(path)
            return
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
                raise
    raise MatchStored("this match is stored already", str(path), "nothing was changed; move the old one away first")


@contextmanager
def _told(wrong: str, path: Path) -> Iterator[None]:
    """Turn what the system says into words with a remedy."""
    try:
        yield
    except RefereeError:
        raise
    except BlockingIOError as error:
        raise MatchInUse(
            "another referee is writing this match", str(path), "use that one, or end it and try again"
        ) from error
    except OSError as error:
        why = REMEDIES.get(error.errno or 0, f"{error.strerror or error}: name another place with --data")
        raise BadStore(wrong, str(path), why) from error
