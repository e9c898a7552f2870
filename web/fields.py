"""A form's fields as texts: what people are shown, what they filled in, and what is wrong with it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

Values = Mapping[str, str]
"""What is filled in, by field. A ticked box holds ``TICKED``."""

TICKED = "yes"


class BadForm(ValueError):
    """What is wrong, by field ("form" for the whole)."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(errors.values()))
        self.errors = errors


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    value: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """``choices``: what may be chosen; ``most``: the largest number that may be typed."""

    name: str
    label: str
    kind: Literal["choice", "number", "tick"]
    value: str
    choices: tuple[Choice, ...] = ()
    most: int = 0

    @property
    def is_ticked(self) -> bool:
        return self.value == TICKED


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRows:
    """Fields that repeat, a row for each of several balls. ``name``: where what is wrong with them is said."""

    name: str
    title: str
    rows: tuple[tuple[Field, ...], ...]

    @property
    def is_filled(self) -> bool:
        return any(field.value for row in self.rows for field in row)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPart:
    """The fields that say what happened."""

    fields: tuple[Field, ...] = ()
    rows: FieldRows | None = None


NOTHING = Choice(value="", words="-")


def named(values: Iterable[str]) -> tuple[Choice, ...]:
    """Choices that are shown as they are written."""
    return tuple(Choice(value=value, words=value) for value in values)


class Reading:
    """Reads fields one after the other and gathers what is wrong; ``check`` ends it."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.errors: dict[str, str] = {}

    def text(self, name: str) -> str:
        return self.values.get(name, "").strip()

    def tick(self, name: str) -> bool:
        return self.values.get(name) == TICKED

    def whole(self, name: str, most: int) -> int:
        """A whole number from 0 on; 0 when there is none."""
        text = self.text(name)
        if text.isascii() and text.isdigit() and len(text) < 9 and int(text) <= most:
            return int(text)
        self.errors[name] = f"Please give a whole number from 0 to {most}."
        return 0

    def one_of(self, name: str, known: Iterable[str], wrong: str) -> str:
        """One of the known values; what is wrong is said otherwise."""
        text = self.text(name)
        if text not in known:
            self.errors[name] = wrong
        return text

    def rows(self, *names: str) -> tuple[tuple[str, ...], ...]:
        """The rows of repeated fields in which something is filled in."""
        count = 0
        while f"{names[0]}_{count}" in self.values:
            count += 1
        rows = (tuple(self.text(f"{name}_{index}") for name in names) for index in range(count))
        return tuple(row for row in rows if any(row))

    def check(self) -> None:
        """Raises ``BadForm`` when anything was wrong."""
        if self.errors:
            raise BadForm(self.errors)
