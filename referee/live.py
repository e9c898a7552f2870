"""A running table: camera, watcher, log and score in a thread of their own, followed through snapshots."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from typing import Final, Protocol, Self

from hardware.camera import Camera
from hardware.closing import Closing
from hardware.errors import CameraLost, RefereeError
from hardware.frame import Frame
from referee.desk import Snapshot, Source, State
from referee.events import Choice, Decision, Event, Ruling, Stamp
from referee.log import layout_of
from referee.match import Match
from referee.pace import Clock, Pace, SteadyClock
from referee.replay import Replays, span_around
from referee.scorebook import Scorebook, said_by, stamp_of_line
from referee.store import OpenMatch

# How often the pages are told how far the source is when nothing else happens.
PROGRESS_S: Final = 0.5
# A camera that gives no picture for this long is left behind when the program ends.
LEAVE_S: Final = 5.0

logger = logging.getLogger(__name__)


class Watcher(Protocol):
    """Turns pictures into events, in the order in which they are settled."""

    def feed(self, frame: Frame) -> Sequence[Event]: ...

    def finish(self) -> Sequence[Event]:
        """What can be settled without further pictures."""
        ...


class LiveTable(Closing):
    """A Desk whose match is being played. ``start`` it once; close it, which also closes the stored match.

    ``real_time``: a recording is played at the speed of its own times; else as fast as this computer can.
    Whatever goes wrong with the camera or in seeing ends the watching and is told in the snapshot's source; the match
    stays open for rulings and replays until it is closed.
    """

    def __init__(
        self,
        match: OpenMatch,
        *,
        open_camera: Callable[[], Camera],
        watcher: Watcher,
        real_time: bool,
        clock: Clock | None = None,
    ) -> None:
        folder = match.folder
        log, origin = folder.log(), folder.origin()
        self._match = match
        self._open_camera = open_camera
        self._watcher = watcher
        self._stopping = Flag()
        self._pace = Pace(clock or SteadyClock(), self._stopping) if real_time else None
        self._replays = Replays(folder.clips_path, origin.recording)
        self._source = Source(name=origin.name, state="waiting", t_s=0.0, duration_s=None, message=None)
        self._opening_warnings = (*match.warnings, *log.warnings)
        self._camera_warnings: tuple[str, ...] = ()
        table = folder.table()
        layout = table.layout
        self._book = Scorebook(
            match_id=folder.id,
            match=Match.of(log.header, layout, log.events, partial(layout_of, folder=folder.path)),
            layout=layout,
            source=self._source,
            warnings=self._opening_warnings,
            camera=table.camera,
        )
        self._thread = Thread(target=self._run, name=f"table {folder.id}", daemon=True)

    @property
    def match_id(self) -> str:
        return self._match.folder.id

    @property
    def finished(self) -> bool:
        """Whether the watching has ended: the recording is over, it was stopped, or it failed."""
        return self._book.snapshot().source.state in ("ended", "failed")

    def start(self) -> Self:
        """Begin to watch."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Ask the watching to end after the picture at hand; what it has seen so far is kept."""
        self._stopping.set()

    def join(self, timeout_s: float | None = None) -> bool:
        """Wait until the watching has ended; whether it has."""
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def close(self) -> None:
        """Stop, and close the stored match; once is enough."""
        self.stop()
        self.join(LEAVE_S)
        self._match.close()

    def snapshot(self) -> Snapshot:
        """The match as it stands now."""
        return self._book.snapshot()

    def wait(self, after_version: int, timeout_s: float) -> Snapshot:
        """The newest snapshot: at once when it is newer than ``after_version``, else at the next change or time-out."""
        return self._book.wait(after_version, timeout_s)

    def rule(self, *, event: int, replace: Event | None, by: str, reason: str) -> Snapshot:
        """Add a ruling on a line of the log and rescore; it is on the disk when this returns. Raises BadRuling."""
        return self._book.rule(Ruling(event=event, replace=replace, by=by, reason=reason), self._match.append)

    def decide(self, *, player: str, choice: Choice, targets: tuple[int, ...] | None = None) -> Snapshot:
        """Add what a player has said to do; it is on the disk when this returns. Raises NotCounted."""
        decision = Decision(player=player, choice=choice, targets=targets, stamp=Stamp(t_s=self._now_s()))
        return self._book.add(decision, self._match.append)

    def add(self, *, event: Event, by: str, reason: str) -> Snapshot:
        """Add an event that the camera missed; it is on the disk when this returns. Raises NotCounted."""
        return self._book.add(said_by(event, by, reason, self._now_s()), self._match.append)

    def clip(self, event: int) -> Path:
        """A short H.264 MP4 around a line of the log, cut once and kept; raises NoClip."""
        return self._replays.clip(span_around(stamp_of_line(self._book.snapshot().events, event)))

    def _now_s(self) -> float | None:
        """The time of the recording; none when it has not begun, or is over."""
        return self._source.t_s if self._source.state == "playing" else None

    def _run(self) -> None:
        try:
            with self._open_camera() as camera:
                self._watch(camera)
        except RefereeError as error:
            self._end("failed", str(error))
        except Exception as error:
            # A fault in the program must not take the page and the match with it.
            logger.debug("the watching ended by a fault", exc_info=True)
            self._end("failed", f"seeing stopped by a fault of the program ({error!r}): start the match anew")
        else:
            self._end("ended", None)

    def _watch(self, camera: Camera) -> None:
        self._source = replace(self._source, state="playing", duration_s=camera.duration_s)
        self._tell(camera)
        told_s = 0.0
        try:
            for frame in camera:
                if self._stopping.is_set():
                    break
                if self._pace is not None:
                    self._pace.keep(frame.t_s)
                self._write(self._watcher.feed(frame))
                self._source = replace(self._source, t_s=frame.t_s)
                if frame.t_s >= told_s + PROGRESS_S:
                    self._tell(camera)
                    told_s = frame.t_s
        except CameraLost:
            self._write(self._watcher.finish())
            raise
        finally:
            self._camera_warnings = tuple(camera.warnings)
        self._write(self._watcher.finish())

    def _write(self, events: Sequence[Event]) -> None:
        self._book.write(events, self._match.append)

    def _tell(self, camera: Camera) -> None:
        self._camera_warnings = tuple(camera.warnings)
        self._show()

    def _end(self, state: State, message: str | None) -> None:
        self._source = replace(self._source, state=state, message=message)
        self._show()

    def _show(self) -> None:
        paced = () if self._pace is None else self._pace.warnings
        self._book.show(source=self._source, warnings=(*self._opening_warnings, *self._camera_warnings, *paced))
