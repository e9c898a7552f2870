"""A running table: what is seen gets onto the disk and to everyone, and no fault takes the match away."""

import errno
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from hardware.camera import Camera, open_camera
from hardware.errors import BadSource, CameraLost
from hardware.frame import Frame
from referee.errors import MatchInUse, NoClip
from referee.events import Event, OnBoard
from referee.live import LiveTable
from referee.log import LogWriter
from referee.match import fold
from referee.recording import Origin
from referee.store import Store
from referee.stored import StoredMatch
from tests.live.playing import OPENING, PATIENCE_S, SCRIPT, live, until
from tests.live.scene import (
    HEADER,
    FakeClock,
    ScriptedCamera,
    ScriptedWatcher,
    even_times,
    picture_of_board,
    table,
    throw,
)


def test_what_is_seen_is_logged_folded_and_shown(store: Store) -> None:
    with live(store, ScriptedCamera(even_times(40)), ScriptedWatcher(SCRIPT)) as running:
        assert running.snapshot().source.state == "waiting"
        running.start()
        assert running.join(PATIENCE_S)
        snapshot = running.snapshot()

        assert snapshot.match_id == running.match_id
        assert snapshot.events == (picture_of_board(0.1), *OPENING)
        assert snapshot.standing == fold(HEADER, table().layout, snapshot.events)
        assert snapshot.board == picture_of_board(0.1)
        assert (snapshot.source.state, snapshot.source.message) == ("ended", None)
        assert snapshot.layout == table().layout
        assert running.finished
        assert store.folder(running.match_id).log().events == snapshot.events


def test_a_recording_gives_its_length_and_how_far_it_is(store: Store, recording: Path) -> None:
    origin = Origin.of(str(recording))
    match = store.create(HEADER, table(), origin)
    opener = partial(open_camera, str(recording))
    with LiveTable(match, open_camera=opener, watcher=ScriptedWatcher({}), real_time=False) as running:
        running.start()
        running.join()
        source = running.snapshot().source
    assert source.name == "game.mp4"
    assert source.duration_s == pytest.approx(3.0, abs=0.1)
    assert source.t_s == pytest.approx(89 / 30, abs=1e-3)


def test_what_was_still_open_at_the_end_is_settled(store: Store) -> None:
    with live(store, ScriptedCamera(even_times(5)), ScriptedWatcher({}, last=OPENING)) as running:
        running.start().join()
        assert running.snapshot().events == OPENING


def test_the_same_pictures_give_the_same_log_byte_for_byte_at_any_pace(store: Store) -> None:
    logs = []
    for clock in (None, FakeClock()):
        with live(store, ScriptedCamera(even_times(40)), ScriptedWatcher(SCRIPT), clock=clock) as running:
            running.start().join()
            logs.append(store.folder(running.match_id).log_path.read_bytes())
    assert logs[0] == logs[1]


def test_a_recording_is_played_at_its_real_speed(store: Store) -> None:
    clock = FakeClock()
    began_s = clock.now_s()
    seen_s: list[float] = []
    watcher = ScriptedWatcher({}, at_picture=lambda _: seen_s.append(clock.now_s() - began_s))
    times_s = [0.0, 0.04, 0.05, 0.3, 2.0]
    with live(store, ScriptedCamera(times_s), watcher, clock=clock) as running:
        running.start().join()
        assert seen_s == pytest.approx(times_s)
        assert running.snapshot().warnings == ()


def test_falling_behind_is_told_and_no_picture_is_left_out(store: Store) -> None:
    clock = FakeClock()
    watcher = ScriptedWatcher(SCRIPT, at_picture=lambda _: clock.spend(0.1))
    with live(store, ScriptedCamera(even_times(60)), watcher, clock=clock) as running:
        running.start().join()
        assert watcher.seen == list(range(60))
        (warning,) = running.snapshot().warnings
        assert "3 s behind" in warning
        assert running.snapshot().events == (picture_of_board(0.1), *OPENING)


def test_everyone_who_waits_is_woken_by_a_call(store: Store) -> None:
    go_on = threading.Event()

    def hold(number: int) -> None:
        if number == 10:
            go_on.wait(PATIENCE_S)

    with (
        live(store, ScriptedCamera(even_times(40)), ScriptedWatcher(SCRIPT, at_picture=hold)) as running,
        ThreadPoolExecutor(8) as pages,
    ):
        followed = [pages.submit(until, running, lambda s: len(s.events) == 3) for _ in range(8)]
        running.start()
        go_on.set()
        assert all(page.result().events[-1] == OPENING[1] for page in followed)


def test_waiting_without_news_ends_after_its_time(store: Store) -> None:
    with live(store, ScriptedCamera([]), ScriptedWatcher({})) as running:
        before = running.snapshot()
        assert running.wait(before.version, 0.01) is before
        assert running.wait(before.version - 1, PATIENCE_S) is before


def test_versions_only_grow(store: Store) -> None:
    with live(store, ScriptedCamera(even_times(90)), ScriptedWatcher(SCRIPT)) as running:
        versions = [running.snapshot().version]
        running.start()
        while not running.finished:
            versions.append(running.wait(versions[-1], PATIENCE_S).version)
    assert versions == sorted(set(versions))


def test_a_camera_that_can_not_be_opened_leaves_the_page_up(store: Store) -> None:
    def refuse() -> Camera:
        raise BadSource("there is no such file", "game.mp4", "check the name")

    match = store.create(HEADER, table(), Origin(name="game.mp4"))
    with LiveTable(match, open_camera=refuse, watcher=ScriptedWatcher({}), real_time=False) as running:
        running.start().join()
        source = running.snapshot().source
        assert (source.state, source.message) == ("failed", "there is no such file (game.mp4): check the name")


def test_a_lost_camera_keeps_what_was_seen_and_the_match_goes_on_by_hand(store: Store) -> None:
    camera = ScriptedCamera(even_times(20), error=CameraLost("the camera is gone", "usb:0", "plug it in"))
    with live(store, camera, ScriptedWatcher(SCRIPT, last=OPENING[1:])) as running:
        running.start().join()
        snapshot = running.snapshot()
        assert snapshot.source.state == "failed"
        assert snapshot.source.message == "the camera is gone (usb:0): plug it in"
        assert snapshot.events == (picture_of_board(0.1), *OPENING)
        assert camera.is_closed
        assert running.rule(event=2, replace=None, by="Ann", reason="x").standing.phase == "opening"


def test_a_fault_in_seeing_is_told_without_taking_the_match(store: Store) -> None:
    def fault(number: int) -> None:
        if number == 20:
            raise ZeroDivisionError("a ball of no size")

    with live(store, ScriptedCamera(even_times(40)), ScriptedWatcher(SCRIPT, at_picture=fault)) as running:
        running.start().join()
        snapshot = running.snapshot()
        assert snapshot.source.state == "failed"
        assert "ZeroDivisionError" in (snapshot.source.message or "")
        assert snapshot.events == (picture_of_board(0.1), OPENING[0])


def test_a_disk_that_fills_up_shows_what_is_on_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    append = LogWriter.append

    def no_room_for_shots(writer: LogWriter, event: Event) -> None:
        if event == OPENING[1]:
            raise OSError(errno.ENOSPC, "No space left on device")
        append(writer, event)

    monkeypatch.setattr(LogWriter, "append", no_room_for_shots)
    with live(store, ScriptedCamera(even_times(40)), ScriptedWatcher({5: OPENING})) as running:
        running.start().join()
        snapshot = running.snapshot()
        assert snapshot.events == OPENING[:1]
        assert snapshot.source.state == "failed"
        assert "disk is full" in (snapshot.source.message or "")
        assert store.folder(running.match_id).log().events == OPENING[:1]


def test_a_recording_cut_short_is_told(store: Store) -> None:
    camera = ScriptedCamera(even_times(5), warning="the recording ends early")
    with live(store, camera, ScriptedWatcher({})) as running:
        running.start().join()
        assert running.snapshot().warnings == ("the recording ends early",)


class EndlessCamera(ScriptedCamera):
    def __iter__(self) -> Iterator[Frame]:
        while True:
            yield from super().__iter__()


def test_stopping_ends_the_watching_and_settles_what_is_open(store: Store) -> None:
    with live(store, EndlessCamera(even_times(3)), ScriptedWatcher({}, last=OPENING)) as running:
        running.start()
        until(running, lambda s: s.source.state == "playing")
        assert not running.join(0.0)
        running.stop()
        assert running.join(PATIENCE_S)
        assert running.snapshot().source.state == "ended"
        assert running.snapshot().events == OPENING


def test_a_table_that_was_never_started_closes(store: Store) -> None:
    with live(store, ScriptedCamera([]), ScriptedWatcher({})) as running:
        assert running.join(0.0)
        assert not running.finished
    store.folder(running.match_id).open().close()


def test_a_call_has_a_replay_while_the_match_is_running(store: Store, recording: Path) -> None:
    go_on = threading.Event()

    def hold(number: int) -> None:
        if number == 20:
            go_on.wait(PATIENCE_S)

    match = store.create(HEADER, table(), Origin.of(str(recording)))
    with LiveTable(
        match,
        open_camera=partial(open_camera, str(recording)),
        watcher=ScriptedWatcher({15: (OPENING[0],)}, at_picture=hold),
        real_time=False,
    ) as running:
        running.start()
        until(running, lambda s: len(s.events) == 1)
        clip = running.clip(1)
        assert clip.is_file()
        assert clip.parent == match.folder.clips_path
        go_on.set()
        running.join()
        ruling = running.rule(event=1, replace=replace(OPENING[0], result=OnBoard()), by="Ann", reason="x")
        assert running.clip(len(ruling.events)) == clip, "a ruling is replayed by what it is about"


@pytest.mark.parametrize("line", [0, 7, -1])
def test_lines_without_a_picture_have_no_replay(store: Store, line: int) -> None:
    with live(store, ScriptedCamera([]), ScriptedWatcher({})) as running, pytest.raises(NoClip):
        running.clip(line)


def test_the_newest_picture_of_the_board_is_shown(store: Store) -> None:
    script: dict[int, tuple[Event, ...]] = {
        1: (picture_of_board(0.0),),
        9: (throw("red", "D6", 0.1), picture_of_board(0.3, ("D6", "red"))),
        12: (throw("blue", "A1", 0.4),),
    }
    with live(store, ScriptedCamera(even_times(20)), ScriptedWatcher(script)) as running:
        running.start().join()
        assert running.snapshot().board == picture_of_board(0.3, ("D6", "red"))


def test_what_was_played_is_what_is_stored(store: Store) -> None:
    with live(store, ScriptedCamera(even_times(40)), ScriptedWatcher(SCRIPT)) as running:
        running.start().join()
        running.rule(event=2, replace=None, by="Ann", reason="x")
        last = running.snapshot()
    again = StoredMatch(store.folder(running.match_id)).snapshot()
    assert (again.standing, again.events, again.board) == (last.standing, last.events, last.board)


def test_a_second_table_on_the_same_match_is_refused(store: Store) -> None:
    with live(store, ScriptedCamera([]), ScriptedWatcher({})) as running, pytest.raises(MatchInUse):
        store.folder(running.match_id).open()
