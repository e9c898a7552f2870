"""The log of one match and what follows from it, shared by the table that writes it and the pages that read it."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Condition, Lock
from typing import Final, TypeVar

from calibration.camera_model import CameraModel
from calibration.layout import Layout
from hardware.errors import RefereeError
from referee.desk import Snapshot, Source
from referee.errors import BadRuling, NoClip, NotCounted
from referee.events import BadEvent, Event, Ruling, SeenBoard, SeenPins, Stamp, event_from_json, event_to_json
from referee.match import Match
from referee.words import REASONS

Save = Callable[[Event], None]
T = TypeVar("T", bound=Event)

# What a refused ruling is told, by the reason that the match gives.
UNUSABLE: Final = (
    "the corrected line can't be used: a hole, colour or player that this match doesn't have, or a value is missing"
)


class Scorebook:
    """Keeps log and snapshot in step. One thread writes at a time; readers never wait for a write to reach the disk."""

    def __init__(
        self,
        *,
        match_id: str,
        match: Match,
        layout: Layout,
        source: Source,
        warnings: Sequence[str] = (),
        camera: CameraModel | None = None,
    ) -> None:
        """``layout``: the board that pages show of a game that doesn't ask for one."""
        self._match = match
        self._layout = layout
        self._writing = Lock()
        self._changed = Condition()
        standing = match.standing()
        self._snapshot = Snapshot(
            version=1,
            match_id=match_id,
            header=standing.header,
            layout=standing.layout or layout,
            standing=standing,
            events=match.events,
            board=newest(SeenBoard, match.events),
            pins=newest(SeenPins, match.events),
            source=source,
            warnings=tuple(warnings),
            camera=camera,
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
            saved: list[Event] = []
            try:
                for event in events:
                    save(event)
                    saved.append(event)
            finally:
                self._turn_to(self._match.grown(saved), saved)

    def rule(self, ruling: Ruling, save: Save) -> Snapshot:
        """Add a ruling to the log; raises BadRuling, and then nothing has changed."""
        with self._writing:
            ruled = with_ruling(self._match, ruling)
            try:
                save(ruling)
            except (RefereeError, OSError) as error:
                raise BadRuling(f"the ruling was not saved, {error}") from error
            self._turn_to(ruled)
            return self._snapshot

    def add(self, event: Event, save: Save) -> Snapshot:
        """Add what people say has happened; raises NotCounted, and then nothing has changed."""
        with self._writing:
            grown = with_event(self._match, event)
            try:
                save(event)
            except (RefereeError, OSError) as error:
                raise NotCounted(f"it was not saved, {error}") from error
            self._turn_to(grown, [event])
            return self._snapshot

    def follow(self, events: Sequence[Event], first: int) -> None:
        """Take over what another process has added to the log from line ``first`` on; known lines are passed over.

        Raises BadHeader when that leaves the match without a header that it can be played with; nothing has changed.
        """
        with self._writing:
            fresh = events[len(self._match.events) + 1 - first :]
            if fresh:
                self._turn_to(self._match.grown(fresh), fresh)

    def begin_anew(self, match: Match) -> None:
        """Take over a log that isn't the one that was known."""
        with self._writing:
            self._snapshot = replace(self._snapshot, board=None, pins=None)
            self._turn_to(match, match.events)

    def _turn_to(self, match: Match, fresh: Sequence[Event] = ()) -> None:
        """``fresh``: the lines that have not been shown yet."""
        standing = match.standing()
        self._match = match
        self._publish(
            replace(
                self._snapshot,
                header=standing.header,
                layout=standing.layout or self._layout,
                standing=standing,
                events=match.events,
                board=newest(SeenBoard, fresh) or self._snapshot.board,
                pins=newest(SeenPins, fresh) or self._snapshot.pins,
            )
        )

    def _publish(self, snapshot: Snapshot) -> None:
        with self._changed:
            self._snapshot = replace(snapshot, version=self._snapshot.version + 1)
            self._changed.notify_all()


def with_ruling(match: Match, ruling: Ruling) -> Match:
    """A match with one more ruling; raises BadRuling for one that can't stand."""
    where = f"line {ruling.event}"
    last = len(match.events)
    if not 0 <= ruling.event <= last:
        raise BadRuling("there is no such line in the log", where, f"name one from 0 to {last}")
    if ruling.event == 0 and ruling.replace is None:
        raise BadRuling("the header can't be struck out", where, "name the line of an event")
    is_about_ruling = ruling.event > 0 and isinstance(match.events[ruling.event - 1], Ruling)
    if ruling.replace is not None and isinstance(ruling.replace, Ruling) != is_about_ruling:
        raise BadRuling("a ruling can only take the place of a ruling", where, "correct the event, or strike it out")
    read = event_from_json(event_to_json(ruling))
    if not isinstance(read, Ruling) or isinstance(read.replace, BadEvent):
        raise BadRuling(UNUSABLE, where, "choose what is there")
    try:
        ruled = match.grown([ruling])
    except RefereeError as error:
        raise BadRuling(f"the match can't be played without this line, {error}") from error
    standing = ruled.standing()
    at_ruling, at_line = ({call.reason for call in standing.calls_of(line)} for line in (last + 1, ruling.event))
    if at_ruling or "bad_event" in at_line:
        raise BadRuling(UNUSABLE, where, "choose what is there")
    return ruled


def with_event(match: Match, event: Event) -> Match:
    """A match with one more event at its end; raises NotCounted for one that the rules refuse."""
    read = event_from_json(event_to_json(event))
    reason = "bad_event" if isinstance(read, BadEvent) else None
    grown = match.grown([event])
    for call in grown.standing().calls_of(len(grown.events)):
        reason = call.reason if call.call == "refused" else reason
    if reason is not None:
        raise NotCounted(f"this does not count now: {REASONS.get(reason, reason)}")
    return grown


def said_by(event: Event, by: str, reason: str, t_s: float | None) -> Event:
    """An event that no camera saw: who says so and why is its evidence; ``t_s``: when it is said."""
    said = json.dumps({"by": by, "reason": reason})
    return replace(event, stamp=replace(event.stamp, t_s=t_s, evidence=said))


def newest(kind: type[T], events: Sequence[Event]) -> T | None:
    """The last event of a kind."""
    return next((event for event in reversed(events) if isinstance(event, kind)), None)


def stamp_of_line(events: Sequence[Event], line: int) -> Stamp:
    """When a line of the log happened; a ruling happened when what it corrects did. Raises NoClip."""
    while 0 < line <= len(events):
        event = events[line - 1]
        if not isinstance(event, Ruling):
            return event.stamp
        # A ruling is about an earlier line; one that says otherwise has no time of its own either.
        line = event.event if event.event < line else 0
    raise NoClip("no picture belongs to this line", f"line {line}", "replay the throw that it is about")
