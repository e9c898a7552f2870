"""The log of one match and what follows from it, shared by the table that writes it and the pages that read it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import Condition, Lock
from typing import Final

from calibration.layout import Layout
from hardware.errors import RefereeError
from referee.desk import Snapshot, Source
from referee.errors import BadRuling, NoClip
from referee.events import (
    BadEvent,
    Event,
    Header,
    Ruling,
    SeenBoard,
    Stamp,
    event_from_json,
    event_to_json,
)
from referee.match import LayoutFinder, Standing, fold

Save = Callable[[Event], None]

# What a refused ruling is told, by the reason that the match gives.
UNUSABLE: Final = (
    "the corrected line can't be used: a hole, colour or player that this match doesn't have, or a value is missing"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """A match's log with the layout it is folded on; ``find_layout`` serves rulings that change the header."""

    header: Header
    layout: Layout
    events: tuple[Event, ...]
    find_layout: LayoutFinder

    def fold(self) -> Standing:
        return fold(self.header, self.layout, self.events, self.find_layout)

    def grown(self, event: Event) -> "Lines":
        return replace(self, events=(*self.events, event))


class Scorebook:
    """Keeps log and snapshot in step. One thread writes at a time; readers never wait for a write to reach the disk."""

    def __init__(self, *, match_id: str, lines: Lines, source: Source, warnings: Sequence[str] = ()) -> None:
        self._lines = lines
        self._writing = Lock()
        self._changed = Condition()
        standing = lines.fold()
        self._snapshot = Snapshot(
            version=1,
            match_id=match_id,
            header=standing.header,
            layout=standing.layout or lines.layout,
            standing=standing,
            events=lines.events,
            board=newest_board(lines.events),
            source=source,
            warnings=tuple(warnings),
        )

    def snapshot(self) -> Snapshot:
        """The newest one."""
        return self._snapshot

    def wait(self, after_version: int, timeout_s: float) -> Snapshot:
        """The newest one: at once when it is newer than ``after_version``, else at the next change or time-out."""
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.version > after_version, timeout_s)
            return self._snapshot

    def show(self, *, source: Source, warnings: Sequence[str]) -> None:
        """Tell what the camera is doing."""
        with self._writing:
            self._publish(replace(self._snapshot, source=source, warnings=tuple(warnings)))

    def write(self, events: Sequence[Event], save: Save) -> None:
        """Add what was seen to the log. What ``save`` put on the disk before it failed is shown all the same."""
        if not events:
            return
        with self._writing:
            lines = self._lines
            try:
                for event in events:
                    save(event)
                    lines = lines.grown(event)
            finally:
                self._turn_to(lines, lines.fold())

    def rule(self, ruling: Ruling, save: Save) -> Snapshot:
        """Add a ruling to the log; raises BadRuling, and then nothing has changed."""
        with self._writing:
            lines = self._lines.grown(ruling)
            standing = check_ruling(self._lines, ruling)
            try:
                save(ruling)
            except (RefereeError, OSError) as error:
                raise BadRuling(f"the ruling was not saved, {error}") from error
            self._turn_to(lines, standing)
            return self._snapshot

    def reload(self, lines: Lines) -> None:
        """Take over a log that another process has written on; one read before the newest line came is passed over."""
        with self._writing:
            if len(lines.events) > len(self._lines.events):
                self._turn_to(lines, lines.fold())

    def _turn_to(self, lines: Lines, standing: Standing) -> None:
        self._lines = lines
        self._publish(
            replace(
                self._snapshot,
                header=standing.header,
                layout=standing.layout or lines.layout,
                standing=standing,
                events=lines.events,
                board=newest_board(lines.events),
            )
        )

    def _publish(self, snapshot: Snapshot) -> None:
        with self._changed:
            self._snapshot = replace(snapshot, version=self._snapshot.version + 1)
            self._changed.notify_all()


def check_ruling(lines: Lines, ruling: Ruling) -> Standing:
    """How the match stands with one more ruling; raises BadRuling for one that can't stand."""
    where = f"line {ruling.event}"
    if not 0 <= ruling.event <= len(lines.events):
        raise BadRuling("there is no such line in the log", where, f"name one from 0 to {len(lines.events)}")
    if ruling.event == 0 and ruling.replace is None:
        raise BadRuling("the header can't be struck out", where, "name the line of an event")
    if ruling.replace is not None and isinstance(ruling.replace, Ruling) != is_ruling(lines, ruling.event):
        raise BadRuling("a ruling can only take the place of a ruling", where, "correct the event, or strike it out")
    read = event_from_json(event_to_json(ruling))
    if not isinstance(read, Ruling) or isinstance(read.replace, BadEvent):
        raise BadRuling(UNUSABLE, where, "choose what is there")
    grown = lines.grown(ruling)
    standing = grown.fold()
    refused = {call.event: call.reason for call in standing.calls if call.call == "refused"}
    if len(grown.events) in refused or refused.get(ruling.event) == "bad_event":
        raise BadRuling(UNUSABLE, where, "choose what is there")
    return standing


def is_ruling(lines: Lines, line: int) -> bool:
    """Whether a line of the log is a ruling itself."""
    return line > 0 and isinstance(lines.events[line - 1], Ruling)


def newest_board(events: Sequence[Event]) -> SeenBoard | None:
    """The newest picture of what lies on the board."""
    return next((event for event in reversed(events) if isinstance(event, SeenBoard)), None)


def stamp_of_line(events: Sequence[Event], line: int) -> Stamp:
    """When a line of the log happened; a ruling happened when what it corrects did. Raises NoClip."""
    while 0 < line <= len(events):
        event = events[line - 1]
        if not isinstance(event, Ruling):
            return event.stamp
        # A ruling is about an earlier line; one that says otherwise has no time of its own either.
        line = event.event if event.event < line else 0
    raise NoClip("no picture belongs to this line", f"line {line}", "replay the throw that it is about")
