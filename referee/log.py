"""The log file of a match: JSON Lines, the header first, one event a line; it only ever grows."""

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from calibration.layout import BUILT_IN, Layout, layout_from_json, load_layout
from calibration.saving import write_whole
from hardware.closing import Closing
from referee.errors import BadLog
from referee.events import (
    Event,
    Header,
    LayoutObject,
    event_from_json,
    event_to_json,
    header_from_json,
    header_to_json,
)

# Longer whole numbers are read as decimals, which may be infinite: Python won't read whole numbers of any length.
MOST_DIGITS: Final = 300
# How deep a line may be nested. Python can follow more, but how much depends on who asks.
MOST_NESTED: Final = 100
# Far more than anybody plays in a year, and than anything that is said in one line.
MOST_BYTES: Final = 256_000_000
MOST_LINE_BYTES: Final = 4_000_000
# By so many bytes a log is known again that was read before.
TAIL_BYTES: Final = 1024

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEnd:
    """How far a log was read: the bytes, line feeds and events up to there, and the last of those bytes."""

    size: int
    line_feeds: int
    events: int
    tail: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """A log that was read: ``events[i]`` is line ``i + 1``, the header being line 0 (blank lines don't count)."""

    header: Header
    events: tuple[Event, ...]
    warnings: tuple[str, ...]
    end: LogEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """What was added to a log after it was read."""

    events: tuple[Event, ...]
    end: LogEnd


def read_log(path: Path) -> Log:
    """Read a log whole. A last line that a crash cut off is left out, with a warning. Raises BadLog, BadHeader."""
    whole, warnings = _without_torn_line(_read_bytes(path, 0))
    lines = _numbered(whole, path, 1)
    if not lines:
        raise BadLog("the log is empty", str(path), "begin it with the match header")
    (place, first), *rest = lines
    return Log(
        header=_read_line(first, place, lambda obj: header_from_json(obj, place)),
        events=tuple(_read_line(line, where, event_from_json) for where, line in rest),
        warnings=warnings,
        end=LogEnd(size=len(whole), line_feeds=whole.count(b"\n"), events=len(rest), tail=whole[-TAIL_BYTES:]),
    )


def read_on(path: Path, end: LogEnd) -> Addition | None:
    """The lines that were added to a log after it was read up to an end; None when it is no longer that log.

    A last line that isn't whole yet is left for the next time. Raises BadLog.
    """
    data = _read_bytes(path, end.size - len(end.tail))
    if not data.startswith(end.tail):
        return None
    whole, _ = _without_torn_line(data[len(end.tail) :])
    lines = _numbered(whole, path, end.line_feeds + 1)
    return Addition(
        events=tuple(_read_line(line, where, event_from_json) for where, line in lines),
        end=LogEnd(
            size=end.size + len(whole),
            line_feeds=end.line_feeds + whole.count(b"\n"),
            events=end.events + len(lines),
            tail=(end.tail + whole)[-TAIL_BYTES:],
        ),
    )


def layout_of(header: Header, folder: Path) -> Layout | None:
    """The layout that a header names: built in, a path from the log's folder, or written out; None where it names none.

    Raises BadLayout.
    """
    match header.layout:
        case None | "none" | "cards":
            return None
        case LayoutObject(text=text):
            return layout_from_json(json.loads(text), "layout in the match header")
        case name:
            return load_layout(name if name in BUILT_IN else str(folder / name))


def write_log(path: Path, header: Header, events: Iterable[Event]) -> None:
    """Write a whole log: nobody ever finds half of it under this name. Raises CantSave."""
    lines = [header_to_json(header), *map(event_to_json, events)]
    write_whole(path, b"".join(map(_line, lines)))


class LogWriter(Closing):
    """A log open for more events. A line that a crash cut off is cut away first, and named in ``warnings``.

    Raises OSError when there is no such log.
    """

    def __init__(self, path: Path) -> None:
        whole, self.warnings = _without_torn_line(path.read_bytes())
        self._file = path.open("r+b", buffering=0)
        self._size = len(whole)
        self._file.truncate(self._size)
        self._file.seek(self._size)
        if whole and not whole.endswith(b"\n"):
            self._write(b"\n")

    def append(self, event: Event) -> None:
        """Add one line; it is on the disk when this returns. Raises OSError, and then the log is as it was."""
        self._write(_line(event_to_json(event)))

    def close(self) -> None:
        self._file.close()

    def _write(self, line: bytes) -> None:
        try:
            left = memoryview(line)
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except BaseException:
            self._file.truncate(self._size)
            self._file.seek(self._size)
            raise
        self._size += len(line)


def _line(obj: dict[str, object]) -> bytes:
    """One line of a log; half a surrogate pair, which UTF-8 can't hold, is written as JSON's own escape."""
    text = json.dumps(obj, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace") + b"\n"


def _read_bytes(path: Path, start: int) -> bytes:
    try:
        with path.open("rb") as file:
            if start:
                file.seek(start)
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "no file can have this name"
        raise BadLog(f"the log can't be read, {why}", str(path), "name an event log") from error
    if len(data) > MOST_BYTES:
        raise BadLog(f"the log is larger than {MOST_BYTES // 1_000_000} MB", str(path), "name an event log")
    return data


def _numbered(text: bytes, path: Path, first: int) -> list[tuple[str, bytes]]:
    """The lines that aren't blank, each with its place as people are told it."""
    lines = enumerate(text.split(b"\n"), start=first)
    return [(f"{path}, line {number}", line) for number, line in lines if line.strip()]


def _read_line(line: bytes, where: str, make: Callable[[object], T]) -> T:
    try:
        return make(_decode(line))
    except _Unreadable as error:
        raise BadLog(f"this line is {error}", where, "mend or delete the line") from error


class _Unreadable(ValueError):
    """What a line is instead of JSON, in words."""


def _decode(line: bytes) -> object:
    if len(line) > MOST_LINE_BYTES:
        raise _Unreadable(f"longer than {MOST_LINE_BYTES // 1_000_000} MB")
    try:
        value: object = json.loads(line.decode("utf-8-sig"), parse_int=_whole_number)
    except json.JSONDecodeError as error:
        raise _Unreadable(f"no JSON, {error.msg} at {error.colno}") from error
    except UnicodeDecodeError as error:
        raise _Unreadable("no UTF-8 text") from error
    except RecursionError as error:
        raise _Unreadable("nested too deeply") from error
    if line.count(b"[") + line.count(b"{") > MOST_NESTED and _is_nested_deeply(value):
        raise _Unreadable("nested too deeply")
    return value


def _is_nested_deeply(value: object) -> bool:
    level = [value]
    for _ in range(MOST_NESTED):
        inner = (one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list))
        level = [one for values in inner for one in values]
    return bool(level)


def _whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) <= MOST_DIGITS else float(digits)


def _without_torn_line(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """A log's bytes without a last line that has no newline and is no JSON, and a warning when there was one."""
    end = data.rfind(b"\n") + 1
    torn = data[end:]
    try:
        if torn.strip():
            _decode(torn)
        return data, ()
    except _Unreadable:
        number = data.count(b"\n") + 1
        return data[:end], (f"line {number}, the last, was cut off and is left out ({len(torn)} bytes)",)
