"""A log as it counts: people's rulings applied to it, also to one another, however late they came."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush

from hardware.errors import RefereeError
from referee.events import BadEvent, Event, Header, Ruling, event_to_json
from referee.match.growing import Growing, GrowingSet

HeaderCheck = Callable[[Header], object]
"""Raises RefereeError for a header that no match can start with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedLog:
    """A log as it counts: ``log[line]``, lines being counted from 1, is None where a line was struck out or is a copy.

    A copy repeats the id of an earlier line. Rulings in force stay; one that can't stand has become a BadEvent.
    ``events``: the lines as they were written; ``rulings``: those that were written as rulings; ``changed``: those that
    rulings made to read otherwise; ``header``: the one that a ruling put in place of the log's own.
    """

    check_header: HeaderCheck
    events: Growing[Event] = field(default_factory=Growing)
    ids: GrowingSet[str] = field(default_factory=GrowingSet)
    copies: GrowingSet[int] = field(default_factory=GrowingSet)
    rulings: Growing[int] = field(default_factory=Growing)
    changed: Mapping[int, Event | None] = field(default_factory=dict)
    header: Header | None = None

    def __len__(self) -> int:
        return len(self.events)

    def __getitem__(self, line: int) -> Event | None:
        if line in self.changed:
            return self.changed[line]
        return None if line in self.copies else self.events[line - 1]

    def grown(self, events: Sequence[Event]) -> "CorrectedLog":
        """The log with more lines. Without a ruling among them, this takes no longer the longer the log is."""
        ids, copies = self.ids, self.copies
        rulings: list[int] = []
        for line, event in enumerate(events, start=len(self) + 1):
            name = None if isinstance(event, BadEvent) else event.stamp.id
            if name is not None and name in ids:
                copies = copies.grown(line)
            elif isinstance(event, Ruling):
                rulings.append(line)
            ids = ids if name is None else ids.grown(name)
        longer = replace(self, events=self.events.grown(events), ids=ids, copies=copies)
        return longer._ruled(rulings) if rulings else longer

    def first_change_since(self, before: "CorrectedLog") -> int:
        """The first line that counts otherwise than in the shorter log from which this one was grown (0: the header).

        When all of them count as before, it is the first line that came since.
        """
        if self.header != before.header:
            return 0
        known = len(before)
        if self.changed is before.changed:
            return known + 1
        touched = self.changed.keys() | before.changed.keys()
        return min((line for line in touched if line <= known and self[line] != before[line]), default=known + 1)

    def _ruled(self, rulings: Iterable[int]) -> "CorrectedLog":
        """The log with more of its lines being rulings: all are applied anew."""
        header: Header | None = None
        changed: dict[int, Event | None] = {}
        grown = self.rulings.grown(rulings)
        left = [-line for line in grown]
        heapify(left)
        # From the end, so that whatever was ruled about a ruling is known before it is applied.
        while left:
            line = -heappop(left)
            match changed[line] if line in changed else self.events[line - 1]:
                case Ruling(event=about) as ruling if about >= line:
                    changed[line] = _unusable(ruling, "a ruling must be about an earlier line")
                case Ruling(event=0, replace=Header() as ruled) as ruling:
                    try:
                        self.check_header(ruled)
                        header = header or ruled
                    except RefereeError as error:
                        changed[line] = _unusable(ruling, str(error))
                case Ruling(event=0) as ruling:
                    changed[line] = _unusable(ruling, "a header can only be replaced by another")
                case Ruling(event=about) as ruling if about not in changed:
                    changed[about] = _replacement(ruling)
                    heappush(left, -about)
                case _:
                    pass
        return replace(self, rulings=grown, changed=changed, header=header)


def corrected(events: Sequence[Event]) -> tuple[Event | None, ...]:
    """The events with people's rulings applied: item ``i`` is line ``i + 1``, None where it was struck out.

    Rulings in force stay; one that can't stand has become a BadEvent. A line that repeats the id of an earlier one is
    left out as if struck out. The header isn't among the events, and rulings on it are not tried.
    """
    log = CorrectedLog(check_header=lambda header: None).grown(events)
    return tuple(log[line] for line in range(1, len(log) + 1))


def _replacement(ruling: Ruling) -> Event | None:
    if isinstance(ruling.replace, Header):
        return _unusable(ruling, "a match header can only be line 0")
    return ruling.replace


def _unusable(ruling: Ruling, reason: str) -> BadEvent:
    return BadEvent(type="ruling", reason=reason, text=json.dumps(event_to_json(ruling)), stamp=ruling.stamp)
