"""Stored matches without a camera: to look at, to correct and to replay."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Final

from hardware.errors import RefereeError
from referee.desk import Desk, Snapshot, Source
from referee.errors import BadRuling, NoMatch, NotCounted
from referee.events import Choice, Decision, Event, Ruling
from referee.log import Log, layout_of, read_on
from referee.match import Match
from referee.replay import Replays, span_around
from referee.scorebook import Scorebook, said_by, stamp_of_line
from referee.store import MatchFolder, Store

# How soon a page sees what another process (a running table, say) has written.
GLANCE_S: Final = 1.0

logger = logging.getLogger(__name__)


class StoredMatch:
    """A Desk over a stored match. It holds the match only while a ruling is written, and follows what others write."""

    def __init__(self, folder: MatchFolder) -> None:
        """Read the match; raises NoMatch, BadLog, BadHeader or BadTable when what is stored is broken."""
        self._folder = folder
        table = folder.table()
        self._layout = table.layout
        origin = folder.origin()
        self._replays = Replays(folder.clips_path, origin.recording)
        self._reading = Lock()
        self._mark = self._file_mark()
        log = folder.log()
        self._end = log.end
        self._book = Scorebook(
            match_id=folder.id,
            match=self._match(log),
            layout=self._layout,
            source=Source(name=origin.name, state="ended", t_s=_ends_s(log.events), duration_s=None, message=None),
            warnings=log.warnings,
            camera=table.camera,
        )

    def snapshot(self) -> Snapshot:
        """The match as it stands now."""
        self._follow()
        return self._book.snapshot()

    def wait(self, after_version: int, timeout_s: float) -> Snapshot:
        """The newest snapshot: at once when it is newer than ``after_version``, else at the next change or time-out."""
        until_s = monotonic() + timeout_s
        while True:
            self._follow()
            left_s = until_s - monotonic()
            snapshot = self._book.wait(after_version, max(0.0, min(left_s, GLANCE_S)))
            if snapshot.version > after_version or left_s <= 0:
                return snapshot

    def rule(self, *, event: int, replace: Event | None, by: str, reason: str) -> Snapshot:
        """Add a ruling on a line of the log and rescore; it is on the disk when this returns. Raises BadRuling."""
        try:
            with self._folder.open() as match:
                self._follow()
                return self._book.rule(Ruling(event=event, replace=replace, by=by, reason=reason), match.append)
        except BadRuling:
            raise
        except RefereeError as error:
            raise BadRuling(f"the ruling was not saved, {error}") from error

    def decide(self, *, player: str, choice: Choice, targets: tuple[int, ...] | None = None) -> Snapshot:
        """Add what a player has said to do; it is on the disk when this returns. Raises NotCounted."""
        return self._add(Decision(player=player, choice=choice, targets=targets))

    def add(self, *, event: Event, by: str, reason: str) -> Snapshot:
        """Add an event that the camera missed; it is on the disk when this returns. Raises NotCounted."""
        return self._add(said_by(event, by, reason, None))

    def clip(self, event: int) -> Path:
        """A short H.264 MP4 around a line of the log, cut once and kept; raises NoClip."""
        return self._replays.clip(span_around(stamp_of_line(self._book.snapshot().events, event)))

    def _add(self, event: Event) -> Snapshot:
        try:
            with self._folder.open() as match:
                self._follow()
                return self._book.add(event, match.append)
        except NotCounted:
            raise
        except RefereeError as error:
            raise NotCounted(f"it was not saved, {error}") from error

    def _follow(self) -> None:
        """Read on in the log where it has changed on the disk; when it can't be read, what is known stays."""
        with self._reading, suppress(RefereeError, OSError):
            mark = self._file_mark()
            if mark == self._mark:
                return
            addition = read_on(self._folder.log_path, self._end)
            if addition is not None:
                self._book.follow(addition.events, first=self._end.events + 1)
                self._end = addition.end
            else:
                log = self._folder.log()
                self._book.begin_anew(self._match(log))
                self._end = log.end
            self._mark = mark

    def _file_mark(self) -> tuple[int, int]:
        found = self._folder.log_path.stat()
        return found.st_size, found.st_mtime_ns

    def _match(self, log: Log) -> Match:
        return Match.of(log.header, self._layout, log.events, partial(layout_of, folder=self._folder.path))


class StoredMatches(Mapping[str, Desk]):
    """All matches of a store by name, newest first, each read when first asked for; new ones appear by themselves.

    A match that can't be read is left out, and named once in the program's log.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: dict[str, StoredMatch | None] = {}
        self._reading = Lock()

    def __getitem__(self, match_id: str) -> Desk:
        with self._reading:
            if match_id not in self._read:
                self._read[match_id] = self._open(match_id)
            found = self._read[match_id]
        if found is None:
            raise KeyError(match_id)
        return found

    def __iter__(self) -> Iterator[str]:
        return (match_id for match_id in reversed(self._store.ids()) if match_id in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _open(self, match_id: str) -> StoredMatch | None:
        try:
            folder = self._store.folder(match_id)
        except NoMatch as error:
            raise KeyError(match_id) from error
        try:
            return StoredMatch(folder)
        except (RefereeError, OSError) as error:
            logger.warning("match %s is left out: %s", match_id, error)
            return None


def _ends_s(events: Sequence[Event]) -> float:
    """The latest time that the log speaks of."""
    return max((event.stamp.t_end_s or event.stamp.t_s or 0.0 for event in events), default=0.0)
