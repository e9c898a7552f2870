"""Matches on the disk: whole or not there, written by one process, and read again after whatever happened to it."""

import errno
import json
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

import referee.store
from referee.errors import BadStore, MatchInUse, NoClip, NoMatch
from referee.events import Event, Note
from referee.log import LogWriter
from referee.recording import Origin, Recording, load_origin, save_origin
from referee.store import OpenMatch, Store, default_data_dir
from tests.live.scene import HEADER, table, throw

WRITE_FOR_EVER = """
import sys
from pathlib import Path
from referee.events import Note
from referee.store import Store

store = Store(Path(sys.argv[1]))
with store.folder(sys.argv[2]).open() as match:
    print("open", flush=True)
    for number in range(10**9):
        match.append(Note(text=f"{number} " + "x" * 200, by="Ann"))
        print(number, flush=True)
"""


def new_match(store: Store, *, name: str = "usb:0") -> OpenMatch:
    return store.create(HEADER, table(), Origin(name=name))


def test_a_match_is_there_again_with_all_that_was_kept(store: Store, recording: Path) -> None:
    origin = Origin.of(str(recording))
    with store.create(HEADER, table(), origin) as match:
        match.append(throw("red", "D6", 1.0))
        match_id = match.folder.id

    folder = store.folder(match_id)
    assert store.ids() == (match_id,)
    assert folder.log().header == HEADER
    assert folder.log().events == (throw("red", "D6", 1.0),)
    assert folder.origin() == origin
    assert folder.table().layout == table().layout
    assert folder.clips_path.is_dir()


def test_names_sort_by_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = []
    for day in (3, 1, 2):
        monkeypatch.setattr(referee.store, "now", lambda day=day: datetime(2026, 3, day, 20, 15, 2, tzinfo=UTC))
        with new_match(store) as match:
            ids.append(match.folder.id)

    assert store.ids() == (ids[1], ids[2], ids[0])
    assert ids[0].startswith("20260303-201502-")


def test_a_store_comes_into_being_with_its_first_match(store: Store, tmp_path: Path) -> None:
    assert store.ids() == ()
    assert not (tmp_path / "data").exists()
    new_match(store).close()
    assert len(store.ids()) == 1


@pytest.mark.parametrize("name", ["20260101-000000-0000", "..", "", "../data", "x/y"])
def test_a_match_that_is_not_there_is_named(store: Store, name: str) -> None:
    new_match(store).close()
    with pytest.raises(NoMatch, match="there is no match"):
        store.folder(name)


def test_other_files_among_the_matches_are_passed_over(store: Store, tmp_path: Path) -> None:
    new_match(store).close()
    (tmp_path / "data" / "matches" / "notes.txt").write_text("mine")
    (tmp_path / "data" / "matches" / ".20260101-000000-abcd").mkdir()
    assert len(store.ids()) == 1


def test_a_match_is_written_from_one_place_only(store: Store) -> None:
    with new_match(store) as match:
        folder = store.folder(match.folder.id)
        with pytest.raises(MatchInUse, match="another referee is writing this match"):
            folder.open()
        assert folder.log().header == HEADER, "looking at it must still be possible"
    folder.open().close()


def test_a_closed_match_takes_nothing_more(store: Store) -> None:
    match = new_match(store)
    match.close()
    match.close()
    with pytest.raises(BadStore, match="closed"):
        match.append(Note(text="late"))
    assert match.folder.log().events == ()


def test_killing_the_writer_at_any_moment_loses_at_most_the_event_being_written(store: Store, tmp_path: Path) -> None:
    with new_match(store) as match:
        folder = match.folder
    kept = 0
    for lines_to_wait_for in (1, 7, 40):
        command = [sys.executable, "-c", WRITE_FOR_EVER, str(tmp_path / "data"), folder.id]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "open\n"
            with pytest.raises(MatchInUse):
                folder.open()
            for _ in range(lines_to_wait_for):
                writer.stdout.readline()
            writer.send_signal(signal.SIGKILL)
            said = lines_to_wait_for + len(writer.stdout.readlines())

        served = folder.log().events
        with folder.open() as match:
            match.append(Note(text="and on", by="Bob"))
        events = folder.log().events
        assert events[:-1] == served, "what was shown after the crash must stay"
        assert events[-1] == Note(text="and on", by="Bob")
        new = [event.text.split()[0] for event in events[kept:-1] if isinstance(event, Note)]
        assert new == [str(number) for number in range(len(new))]
        # What was told must be there; the last one may have been written without being told any more.
        assert said <= len(new) <= said + 1
        kept = len(events)
        assert folder.log().warnings == ()


def test_half_a_line_at_the_end_is_never_shown_and_is_cut_away(store: Store) -> None:
    with new_match(store) as match:
        match.append(throw("red", "D6", 1.0))
        folder = match.folder
    with folder.log_path.open("ab") as log:
        log.write(b'{"type":"note","text":"hal')

    assert folder.log().events == (throw("red", "D6", 1.0),)
    with folder.open() as match:
        assert len(match.warnings) == 1
        match.append(throw("blue", "A1", 2.0))
    assert folder.log().events == (throw("red", "D6", 1.0), throw("blue", "A1", 2.0))
    assert all(json.loads(line) for line in folder.log_path.read_text().splitlines())


def test_a_full_disk_is_told_and_the_log_stays_whole(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(writer: LogWriter, event: Event) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with new_match(store) as match:
        monkeypatch.setattr(LogWriter, "append", no_room)
        with pytest.raises(BadStore, match=r"can't be saved .*: the disk is full: make room"):
            match.append(throw("red", "D6", 1.0))


@pytest.mark.parametrize(
    ("code", "said"), [(errno.EROFS, "read-only"), (errno.EACCES, "no permission"), (errno.EIO, "nput/output")]
)
def test_a_place_that_can_not_be_written_is_told(
    store: Store, monkeypatch: pytest.MonkeyPatch, code: int, said: str
) -> None:
    def refuse(path: Path, *_: object, **__: object) -> None:
        raise OSError(code, "Input/output error", str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(BadStore, match=f"no match can be kept .*{said}"):
        new_match(store)


def test_a_file_in_the_place_of_the_data_directory_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(BadStore, match="no match can be kept"):
        new_match(Store(tmp_path / "data"))


def test_a_match_that_can_not_be_begun_leaves_nothing(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(referee.store, "save_origin", no_room)
    with pytest.raises(BadStore, match="the disk is full"):
        new_match(store)
    assert list((tmp_path / "data" / "matches").iterdir()) == []


def test_matches_are_kept_where_the_desktop_keeps_such_things(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_data_dir({"XDG_DATA_HOME": "/mnt/data"}) == Path("/mnt/data/referee")
    assert default_data_dir({}) == tmp_path / ".local/share/referee"
    assert default_data_dir({"XDG_DATA_HOME": "here"}) == tmp_path / ".local/share/referee"


def test_a_source_that_is_a_file_is_remembered_by_its_whole_path(
    recording: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(recording.parent)
    origin = Origin.of(recording.name)
    assert origin.name == "game.mp4"
    assert origin.recording is not None
    assert origin.recording.path == recording.resolve()
    assert Origin.of("usb:0") == Origin(name="usb:0")


def test_where_the_recording_is_survives_saving(tmp_path: Path) -> None:
    exact_ns = time.time_ns() // 10 * 10 + 7
    film = Recording(path=Path("/films/gäme 1.mp4"), size_bytes=2**40 + 1, changed_ns=exact_ns, start_s=1.25)
    for origin in (Origin(name="gäme 1.mp4", recording=film), Origin(name="pi:1")):
        save_origin(origin, tmp_path / "source.json")
        assert load_origin(tmp_path / "source.json") == origin


@pytest.mark.parametrize(
    "text", ["", "[]", '{"type":"source","version":2,"name":"x"}', '{"name":"x"}', '{"type":"source","version":1}']
)
def test_a_broken_note_about_the_recording_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "source.json").write_text(text)
    with pytest.raises(NoMatch, match=r"source\.json"):
        load_origin(tmp_path / "source.json")


def test_a_recording_is_known_again_by_its_size_and_time(recording: Path) -> None:
    film = Recording.of(recording)
    film.check()
    recording.touch()
    with pytest.raises(NoClip, match="has changed"):
        film.check()
