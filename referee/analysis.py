"""A recording to its events, as fast as the machine can."""

from collections.abc import Callable
from dataclasses import dataclass

from calibration.table import Table
from hardware.camera import open_camera
from referee.events import Event, Header, SeenBounce, Shot, Tap
from referee.memory import keep_freed_memory, let_the_program_be
from referee.vision.pins.watcher import PinWatcher
from referee.vision.uncalibrated.watcher import UncalibratedWatcher
from referee.vision.watcher import BallWatcher


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What happened in a recording, in the order of the log, and what went wrong without ending the run."""

    events: tuple[Event, ...]
    warnings: tuple[str, ...]

    @property
    def shots(self) -> int:
        return sum(isinstance(event, Shot) for event in self.events)

    @property
    def taps(self) -> int:
        return sum(isinstance(event, Tap) for event in self.events)

    @property
    def bounces(self) -> int:
        """Bounces of all balls, thrown or not, wherever they were seen."""
        return sum(isinstance(event, SeenBounce) for event in self.events)

    @property
    def reviews(self) -> int:
        """Events at which a person should look."""
        return sum(event.stamp.review is not None for event in self.events)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during an analysis; ``seen``: what had happened up to there."""

    def __init__(self, seen: Analysis) -> None:
        super().__init__()
        self.seen = seen


def watcher_for(table: Table | None, header: Header) -> BallWatcher | PinWatcher | UncalibratedWatcher:
    """Looks for the pins on a lane, else for the balls of a match's players; without a table for whatever moves.

    When nobody says whose colours, for all that the layout names.
    """
    keep_freed_memory()
    let_the_program_be()
    if table is None:
        return UncalibratedWatcher()
    if table.layout.kind == "lane":
        return PinWatcher(table)
    colours = tuple(colour for player in header.players for colour in player.colours)
    return BallWatcher(table, colours or None)


def analyse(
    source: str, *, table: Table | None, header: Header, progress: Callable[[float], None] | None = None
) -> Analysis:
    """Watch a recording to its end.

    ``table``, ``header``: see ``watcher_for``. ``progress`` is called now and then with the share done, 0 to 1.
    Raises what opening and reading the source raises, and Interrupted.
    """
    watcher = watcher_for(table, header)
    events: list[Event] = []
    with open_camera(source) as camera:
        try:
            for frame in camera:
                events += watcher.feed(frame)
                if progress is not None and camera.frame_count and frame.index % 16 == 0:
                    progress(min(1.0, frame.index / camera.frame_count))
        except KeyboardInterrupt:
            raise Interrupted(Analysis(events=tuple(events), warnings=tuple(camera.warnings))) from None
        events += watcher.finish()
        if progress is not None:
            progress(1.0)
        return Analysis(events=tuple(events), warnings=tuple(camera.warnings))
