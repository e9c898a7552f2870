"""Reading JSON objects key by key, so that whatever is missing or odd is named with its place and a remedy."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import Final, Self

from hardware.errors import RefereeError

# Far more than any file needs that people write by hand or a calibration leaves.
MOST_BYTES: Final = 16_000_000
LARGER_UNITS: Final = (("centimetres", 10.0), ("inches", 25.4), ("metres", 1000.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The values that are believable for a length, in mm."""

    low_mm: float
    high_mm: float

    def __contains__(self, value_mm: float) -> bool:
        return self.low_mm <= value_mm <= self.high_mm

    def remedy(self, value: float) -> str:
        """What to do about a value outside: the unit it was probably written in, else the limits."""
        for unit, factor in LARGER_UNITS:
            if value * factor in self:
                return f"it looks like {unit}; write millimetres ({value * factor:g})"
        return f"write millimetres between {self.low_mm:g} and {self.high_mm:g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A JSON object with the place it was read from; every reading raises ``error`` with a line for its author."""

    values: Mapping[str, object]
    where: str
    error: type[RefereeError]

    @classmethod
    def of(cls, value: object, where: str, error: type[RefereeError]) -> Self:
        """Take a JSON value that has to be an object."""
        if not isinstance(value, dict):
            raise error("a JSON object { … } is expected here", where, f"replace {_short(value)}")
        return cls(values=value, where=where, error=error)

    def fault(self, wrong: str, remedy: str) -> RefereeError:
        """The error to raise for something wrong within this record."""
        return self.error(wrong, self.where, remedy)

    def has(self, key: str) -> bool:
        """Whether a key is there with another value than null."""
        return self.values.get(key) is not None

    def text(self, key: str) -> str:
        """A text that isn't empty."""
        value = self._value(key)
        if not isinstance(value, str) or not value.strip():
            raise self.fault(f"{key} must be a text, not {_short(value)}", 'write it in quotes, like "red"')
        return value

    def number(self, key: str) -> float:
        """A finite number."""
        return self._number(self._value(key), key)

    def length_mm(self, key: str, span: Span) -> float:
        """A length in mm that is believable."""
        value = self.number(key)
        if value not in span:
            raise self.fault(f"{key} is {value:g}", span.remedy(value))
        return value

    def whole(self, key: str) -> int:
        """A whole number (2 or 2.0)."""
        value = self.number(key)
        if value != int(value):
            raise self.fault(f"{key} must be a whole number, not {value:g}", "round it")
        return int(value)

    def numbers(self, key: str, count: int) -> tuple[float, ...]:
        """A list of as many numbers."""
        return self._numbers(self._value(key), key, count)

    def points(self, key: str, count: int, at_least: int) -> tuple[tuple[float, ...], ...]:
        """A list of points of ``count`` numbers each."""
        value = self._value(key)
        if not isinstance(value, list) or len(value) < at_least:
            raise self.fault(
                f"{key} must list at least {at_least} points", f"write {at_least} lists of {count} numbers"
            )
        return tuple(self._numbers(point, f"{key}[{i}]", count) for i, point in enumerate(value))

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        value = self._value(key)
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            raise self.fault(f"{key} must be a list of texts, not {_short(value)}", 'write it like ["red", "blue"]')
        return tuple(value)

    def record(self, key: str) -> "Record":
        """The object under a key."""
        return Record.of(self._value(key), f"{self.where}: {key}", self.error)

    def records(self, key: str) -> tuple["Record", ...]:
        """The objects listed under a key."""
        value = self._value(key)
        if not isinstance(value, list):
            raise self.fault(f"{key} must be a list, not {_short(value)}", "write [] where there are none")
        return tuple(Record.of(item, f"{self.where}: {key}[{i}]", self.error) for i, item in enumerate(value))

    def check_file(self, kind: str, version: int) -> None:
        """Raise unless this is a file of a kind (its ``type``) in a version that can be read."""
        if self.values.get("type") != kind:
            raise self.fault(f"this is no {kind} file", f'give one with "type": "{kind}"')
        found = self.whole("version")
        if found > version:
            raise self.fault(f"this {kind} file is of the newer version {found}", "update the program, or make it anew")
        if found < 1:
            raise self.fault(f"there is no version {found} of {kind} files", "make it anew")

    def _value(self, key: str) -> object:
        if key not in self.values:
            raise self.fault(f"{key} is missing", f'add "{key}"')
        return self.values[key]

    def _number(self, value: object, key: str) -> float:
        try:
            number = math.nan if isinstance(value, bool) or not isinstance(value, int | float) else float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise self.fault(f"{key} must be a number, not {_short(value)}", "write it without quotes and units")
        return number

    def _numbers(self, value: object, key: str, count: int) -> tuple[float, ...]:
        if not isinstance(value, list) or len(value) != count:
            raise self.fault(
                f"{key} must list {count} numbers, not {_short(value)}", f"write [{', '.join('…' * count)}]"
            )
        return tuple(self._number(item, key) for item in value)


def read_json(path: Path, error: type[RefereeError], remedy: str) -> object:
    """The JSON value in a file; ``remedy`` is what to do when there is no such file."""
    try:
        data = _bytes_of(path)
    except (FileNotFoundError, ValueError) as failure:
        raise error("there is no such file", str(path), remedy) from failure
    except OSError as failure:
        raise error("this file can't be read", str(path), "name a file, and check its permissions") from failure
    if data is None:
        raise error("this file can't be read: it is no plain file, or far too large", str(path), remedy)
    try:
        return json.loads(data.decode("utf-8"))
    except UnicodeDecodeError as failure:
        raise error("this is no text file", str(path), "give a JSON file in UTF-8") from failure
    except (ValueError, RecursionError) as failure:
        place = f"line {failure.lineno}" if isinstance(failure, json.JSONDecodeError) else "too deep or too long"
        raise error(
            "this file is not valid JSON", f"{path}, {place}", "mend the brackets, quotes or commas"
        ) from failure


def _bytes_of(path: Path) -> bytes | None:
    """What is in a file; None for devices and pipes, which may never end, and for files far too large."""
    found = path.stat()
    is_readable = S_ISREG(found.st_mode) and found.st_size <= MOST_BYTES
    return path.read_bytes() if is_readable else None


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else text[:37] + "…"
