"""Whether a call's confidence can be believed: of calls with a confidence, how many are right?"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from referee.comparison import Comparison
from referee.events import Stamp
from referee.pin_comparison import PinComparison

EDGES: Final = (0.0, 0.5, 0.7, 0.9, 1.0)
HEADINGS: Final = ("confidence", "calls", "right", "wrong", "share right", "to review", "right", "wrong")

LEGEND: Final = """\
Of all throws and taps called, invented ones included, by the confidence that the call names: how many are right in all
that the rules ask for, and how many of all were sent to review, right and wrong ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A call that was made: how sure it is, whether it is right, whether it asks a person to look."""

    confidence: float | None
    is_right: bool
    is_asked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Calls whose confidence is ``low`` or more and below ``high`` (1 belongs to the last); None: not said."""

    low: float | None
    high: float | None
    right: int
    wrong: int
    asked_right: int
    asked_wrong: int

    @property
    def calls(self) -> int:
        return self.right + self.wrong

    @property
    def share_right(self) -> float | None:
        return self.right / self.calls if self.calls else None


def verdicts(comparison: Comparison | PinComparison) -> tuple[Verdict, ...]:
    """The calls of a recording; whatever nobody threw or struck is a wrong one."""
    found = [_verdict(each.stamp, each.is_right) for each in comparison.found]
    return (*found, *(_verdict(extra.stamp, False) for extra in comparison.invented))


def _verdict(stamp: Stamp, is_right: bool) -> Verdict:
    return Verdict(confidence=stamp.confidence, is_right=is_right, is_asked=stamp.review is not None)


def reliability(calls: Iterable[Verdict]) -> tuple[Bin, ...]:
    """Calls by their confidence; a bin for calls without one only where there are such calls."""
    each = list(calls)
    bins = []
    for low, high in pairwise(EDGES):
        is_last = high == EDGES[-1]
        mine = [
            c for c in each if c.confidence is not None and low <= c.confidence and (is_last or c.confidence < high)
        ]
        bins.append(_bin(low, high, mine))
    if silent := [call for call in each if call.confidence is None]:
        bins.append(_bin(None, None, silent))
    return tuple(bins)


def _bin(low: float | None, high: float | None, calls: Iterable[Verdict]) -> Bin:
    each = list(calls)
    return Bin(
        low=low,
        high=high,
        right=sum(call.is_right for call in each),
        wrong=sum(not call.is_right for call in each),
        asked_right=sum(call.is_asked and call.is_right for call in each),
        asked_wrong=sum(call.is_asked and not call.is_right for call in each),
    )


def reliability_to_json(bins: Iterable[Bin]) -> list[dict[str, Any]]:
    """One object a bin."""
    return [
        {
            "from": each.low,
            "to": each.high,
            "calls": each.calls,
            "right": each.right,
            "wrong": each.wrong,
            "share_right": None if each.share_right is None else round(each.share_right, 4),
            "review": {"right": each.asked_right, "wrong": each.asked_wrong},
        }
        for each in bins
    ]


def reliability_row(each: Bin) -> tuple[str, ...]:
    """A line of the table under ``HEADINGS``."""
    span = "not said" if each.low is None else f"{each.low} to {each.high}"
    share = "-" if each.share_right is None else f"{100 * each.share_right:.1f} %"
    asked = each.asked_right + each.asked_wrong
    numbers = (each.calls, each.right, each.wrong), (asked, each.asked_right, each.asked_wrong)
    return (span, *map(str, numbers[0]), share, *map(str, numbers[1]))
