"""A short scripted match to be run and followed."""

from collections.abc import Callable

from hardware.camera import Camera
from referee.desk import Snapshot
from referee.events import Event
from referee.live import LiveTable
from referee.recording import Origin
from referee.store import Store
from tests.live.scene import HEADER, FakeClock, ScriptedWatcher, picture_of_board, table, throw

OPENING = (throw("red", "D6", 0.3), throw("blue", "A1", 0.6))
SCRIPT: dict[int, tuple[Event, ...]] = {3: (picture_of_board(0.1),), 15: OPENING[:1], 30: OPENING[1:]}
PATIENCE_S = 60.0


def live(
    store: Store,
    camera: Camera,
    watcher: ScriptedWatcher,
    *,
    clock: FakeClock | None = None,
) -> LiveTable:
    """A new match at a scripted camera; at its real speed where there is a clock."""
    match = store.create(HEADER, table(), Origin(name=camera.name))
    return LiveTable(match, open_camera=lambda: camera, watcher=watcher, real_time=clock is not None, clock=clock)


def until(table: LiveTable, is_so: Callable[[Snapshot], bool]) -> Snapshot:
    """Follow the table as a page does until something holds."""
    snapshot = table.snapshot()
    while not is_so(snapshot):
        newer = table.wait(snapshot.version, PATIENCE_S)
        assert newer.version > snapshot.version, "nothing came"
        snapshot = newer
    return snapshot
