"""Throws and taps of recordings in five numbers: what a user would meet."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Final

from referee.comparison import Comparison
from referee.pin_comparison import PinComparison

CALL_HEADINGS: Final = ("calls", "right", "wrong", "to review", "missed", "invented")

CALL_LEGEND: Final = """\
right, wrong: called without a word, in all that the rules ask for; to review: a person is asked to look."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """What became of the true calls, and how many were ``invented`` beside them.

    ``right`` and ``wrong`` were called without a word, ``review`` asks a person to look; ``missed``: not called.
    """

    right: int
    wrong: int
    review: int
    missed: int
    invented: int

    @property
    def total(self) -> int:
        """How many there were to call."""
        return self.right + self.wrong + self.review + self.missed


def count_calls(comparisons: Iterable[Comparison | PinComparison]) -> Calls:
    """Over one or several recordings."""
    each = list(comparisons)
    sure = [found.is_right for one in each for found in one.found if found.stamp.review is None]
    return Calls(
        right=sum(sure),
        wrong=len(sure) - sum(sure),
        review=sum(len(one.found) for one in each) - len(sure),
        missed=sum(len(one.missed) for one in each),
        invented=sum(len(one.invented) for one in each),
    )


def calls_to_json(calls: Calls) -> dict[str, int]:
    return asdict(calls)


def calls_row(name: str, calls: Calls) -> tuple[str, ...]:
    """A line of the table under ``CALL_HEADINGS``."""
    others = (calls.wrong, calls.review, calls.missed, calls.invented)
    return (name, f"{calls.right} of {calls.total}", *map(str, others))
