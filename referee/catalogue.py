"""The stored matches in short, quickly: what the index knows where it still holds, the matches' own files elsewhere."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

from referee.errors import NoIndex
from referee.index import Index
from referee.store import MatchFolder, Store
from referee.survey import Entry, mark_of, survey

logger = logging.getLogger(__name__)

Progress = Callable[[float], None]
"""Is told the share that is done, 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """All stored matches, oldest first. ``remark``: why the index was of no use; the entries are right all the same."""

    entries: tuple[Entry, ...]
    remark: str | None = None


def unwatched(done: float) -> None:
    """Progress that nobody follows."""


class Catalogue:
    """A store whose index is kept. The index is never waited for where a match is played, and never just believed."""

    def __init__(self, data_dir: Path) -> None:
        self.index: Final = Index(data_dir)
        self._keeper: Final = Keeper(self.index)
        self.store: Final = Store(data_dir, listener=self._keeper.note)

    def listing(self, progress: Progress = unwatched) -> Listing:
        """Every match as its files say it now, whoever has written them. What has changed is put into the index.

        Raises BadStore when the matches can't be read.
        """
        remark = None
        try:
            known = self.index.entries()
        except NoIndex as error:
            known, remark = {}, str(error)
        folders = tuple(self.store.folders())
        entries, fresh = [], []
        for number, folder in enumerate(folders, start=1):
            entry = known.get(folder.id)
            # What was wrong may lie outside the match: a game that is installed by now.
            if entry is None or entry.fault is not None or entry.mark != mark_of(folder):
                entry = survey(folder)
                if entry != known.get(folder.id):
                    fresh.append(entry)
            entries.append(entry)
            progress(number / len(folders))
        gone = known.keys() - {folder.id for folder in folders}
        if remark is None and (fresh or gone):
            try:
                self.index.update(fresh, gone=gone)
            except NoIndex as error:
                remark = str(error)
        return Listing(entries=tuple(entries), remark=remark)

    def rebuild(self, progress: Progress = unwatched) -> tuple[Entry, ...]:
        """Make the index anew from the matches' files. Raises BadStore, NoIndex."""
        folders = tuple(self.store.folders())
        entries = []
        for number, folder in enumerate(folders, start=1):
            entries.append(survey(folder))
            progress(number / len(folders))
        self.index.replace(entries)
        return tuple(entries)

    def settle(self) -> None:
        """Wait until what was told of so far is in the index, or was given up."""
        self._keeper.settle()


class Keeper:
    """Puts matches into the index in a thread of its own, one after the other; nobody waits for it.

    What doesn't succeed is left to the next listing, which sees by the marks what is missing.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="index")
        self._waiting: set[str] = set()
        self._lock = Lock()

    def note(self, folder: MatchFolder) -> None:
        """Take note of a match that has changed; returns at once and raises nothing."""
        with self._lock:
            if folder.id in self._waiting:
                return
            self._waiting.add(folder.id)
        try:
            self._worker.submit(self._keep, folder)
        except RuntimeError:
            logger.debug("the program ends: match %s is left to the next listing", folder.id)

    def settle(self) -> None:
        """Wait until all that was noted so far is done."""
        self._worker.submit(lambda: None).result()

    def _keep(self, folder: MatchFolder) -> None:
        # First: what is noted from here on may be too late for this reading, and is read again.
        with self._lock:
            self._waiting.discard(folder.id)
        try:
            self._index.update([survey(folder)])
        except Exception:
            # Whatever it is, the match's files are the truth and are not touched by it.
            logger.debug("match %s is not in the index yet", folder.id, exc_info=True)
