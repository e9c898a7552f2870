"""Where a match meets the people who follow it: what a page shows, and what may be done from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from calibration.camera_model import CameraModel
from calibration.layout import Layout
from referee.events import Choice, Event, Header, SeenBoard, SeenPins
from referee.match import Standing

State = Literal["waiting", "playing", "ended", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What the camera is doing. ``name``: a file name or a camera; ``message``: why it failed, or a remark.

    ``t_s``: the time of the newest picture; ``duration_s``: the length of a recording (None: a camera, or unknown).
    """

    name: str
    state: State
    t_s: float
    duration_s: float | None
    message: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """All that a page needs of a match at one moment.

    ``version`` grows with every change. ``events[i]`` is line ``i + 1`` of the log (line 0 is the header): rulings
    and calls name it as event ``i + 1``. ``standing`` is the fold of the log; ``board`` the newest picture of what lies
    on the board, ``pins`` that of the pins on a lane; ``camera``: how the table is seen, None where that isn't known.
    """

    version: int
    match_id: str
    header: Header
    layout: Layout
    standing: Standing
    events: Sequence[Event]
    board: SeenBoard | None
    source: Source
    warnings: tuple[str, ...]
    pins: SeenPins | None = None
    camera: CameraModel | None = None


class Desk(Protocol):
    """A match as seen from the outside; every method may be called from any thread."""

    def snapshot(self) -> Snapshot:
        """The match as it stands now."""
        ...

    def wait(self, after_version: int, timeout_s: float) -> Snapshot:
        """The newest snapshot: at once when it is newer than ``after_version``, else at the next change or time-out."""
        ...

    def rule(self, *, event: int, replace: Event | None, by: str, reason: str) -> Snapshot:
        """Append a ruling on a line of the log (header: 0) and rescore; it is on the disk when this returns.

        ``replace`` None strikes the line out. Raises ``BadRuling`` when the line is not there, when the ruling can't
        stand, or when it can't be saved.
        """
        ...

    def decide(self, *, player: str, choice: Choice, targets: tuple[int, ...] | None = None) -> Snapshot:
        """Append what a player has said to do, and score it; it is on the disk when this returns.

        ``targets``: the numbers to be turned, where the choice is about some. Raises ``NotCounted`` when the rules
        refuse it at this moment, or when it can't be saved.
        """
        ...

    def add(self, *, event: Event, by: str, reason: str) -> Snapshot:
        """Append an event that the camera missed, as somebody says it, and score it; on the disk when this returns.

        Who said it, and why, stays in the event's evidence. Raises ``NotCounted`` as ``decide`` does.
        """
        ...

    def clip(self, event: int) -> Path:
        """A short H.264 MP4 around a line of the log, cut once and kept; raises ``NoClip`` with the reason."""
        ...
