"""A match's log sorted by line: what counts now, which calls a line led to, and who ruled on it."""

from collections.abc import Mapping
from dataclasses import dataclass

from referee.desk import Snapshot
from referee.events import (
    BadEvent,
    Card,
    Decision,
    Event,
    Note,
    Placed,
    PointCard,
    Rack,
    Removed,
    Ruling,
    Shot,
    Tap,
)
from referee.match import Call, corrected


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """``now[i]``: line ``i + 1`` with rulings applied, None where struck out. ``calls`` and ``rulings``: by line."""

    snapshot: Snapshot
    now: tuple[Event | None, ...]
    calls: Mapping[int, tuple[Call, ...]]
    rulings: Mapping[int, tuple[int, ...]]

    @classmethod
    def of(cls, snapshot: Snapshot) -> "Ledger":
        calls: dict[int, list[Call]] = {}
        for call in snapshot.standing.calls:
            calls.setdefault(call.event, []).append(call)
        rulings: dict[int, list[int]] = {}
        for line, event in enumerate(snapshot.events, start=1):
            if isinstance(event, Ruling):
                rulings.setdefault(event.event, []).append(line)
        return cls(
            snapshot=snapshot,
            now=corrected(snapshot.events),
            calls={line: tuple(found) for line, found in calls.items()},
            rulings={line: tuple(found) for line, found in rulings.items()},
        )

    def seen(self, line: int) -> Event:
        """The line as it was written."""
        return self.snapshot.events[line - 1]

    def current(self, line: int) -> Event | None:
        """The line as it counts."""
        return self.now[line - 1]

    def ruling_in_force(self, line: int) -> int:
        """The line of the ruling that decides about a line: the last one that still stands; 0 when there is none."""
        for at in reversed(self.rulings.get(line, ())):
            ruling = self.current(at)
            if isinstance(ruling, Ruling) and ruling.event == line:
                return at
        return 0

    def lines(self) -> tuple[int, ...]:
        """All throws, taps and cards, and all else that led to a call or a ruling, newest first."""
        return self._lines(Shot, Tap, Card)

    def all_lines(self) -> tuple[int, ...]:
        """Those and what else was done or said: everything that people may want to look at, newest first."""
        return self._lines(Shot, Tap, Card, PointCard, Decision, Placed, Removed, Rack, Note, BadEvent)

    def _lines(self, *kinds: type[Event]) -> tuple[int, ...]:
        return tuple(
            line
            for line in range(len(self.snapshot.events), 0, -1)
            if isinstance(self.seen(line), kinds)
            or line in self.calls
            or (line in self.rulings and not isinstance(self.seen(line), Ruling))
        )
