"""The log file of a match: JSON Lines, the header first, one event a line; it only ever grows."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from calibration.layout import Layout
from referee.events import Event, Header


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """A log that was read: ``events[i]`` is line ``i + 1``, the header being line 0 (blank lines don't count)."""

    header: Header
    events: tuple[Event, ...]
    warnings: tuple[str, ...]


def read_log(path: Path) -> Log:
    """Read a log whole. A last line that a crash cut off is left out, with a warning. Raises BadLog, BadHeader."""
    raise NotImplementedError


def layout_of(header: Header, folder: Path) -> Layout | None:
    """The layout that a header names: built in, a path relative to the log's folder, or written out; None for none.

    Raises BadLayout.
    """
    raise NotImplementedError


def write_log(path: Path, header: Header, events: Iterable[Event]) -> None:
    """Write a whole log at once: a reader sees all of it or nothing."""
    raise NotImplementedError


class LogWriter:
    """A log open for more events. Every line is on the disk before ``append`` returns, and whole or not there at all.

    ``LogWriter(path)`` goes on with a log that is there; a last line that a crash cut off is cut away and named in
    ``warnings``. ``LogWriter(path, header)`` begins a new one; FileExistsError when there is one.
    """

    warnings: tuple[str, ...]

    def __init__(self, path: Path, header: Header | None = None) -> None:
        raise NotImplementedError

    def append(self, event: Event) -> None:
        """Add one line; it is synced to the disk when this returns."""
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> "LogWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
