"""The list of matches is what the files say, whatever the index is like; and no index ever stands in a match's way."""

import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import referee.catalogue
from referee.catalogue import Catalogue
from referee.errors import BadStore, NoIndex
from referee.events import Note
from referee.log import LogWriter
from referee.recording import Origin
from referee.store import MatchFolder
from referee.survey import Entry, Result, survey
from tests.archive.matches import ANN_AND_BOB, drop, header, play, whole_match
from tests.live.scene import table, throw

PLAY_FOR_EVER = """
import sys
from pathlib import Path
from referee.catalogue import Catalogue
from referee.events import Note
from referee.recording import Origin
from tests.archive.matches import ANN_AND_BOB
from tests.live.scene import table, throw

catalogue = Catalogue(Path(sys.argv[1]))
holes = [f"{column}{line}" for column in "ABCDEFG" for line in range(1, 8)]
while True:
    with catalogue.store.create(ANN_AND_BOB, table(), Origin(name="usb:0")) as match:
        print("begun", match.folder.id, flush=True)
        for number in range(8):
            match.append(throw(("red", "blue")[number % 2], holes[number], 1.0 + number))
            print("written", match.folder.id, flush=True)
    catalogue.listing()
    if len(catalogue.store.ids()) % 3 == 0:
        catalogue.rebuild()
"""


def surveyed(catalogue: Catalogue) -> tuple[Entry, ...]:
    """What the files say, without any index."""
    return tuple(survey(folder) for folder in catalogue.store.folders())


def listed(catalogue: Catalogue) -> tuple[Entry, ...]:
    return catalogue.listing().entries


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The matches whose logs were read, as they are read."""
    read: list[str] = []

    def surveying(folder: MatchFolder) -> Entry:
        read.append(folder.id)
        return survey(folder)

    monkeypatch.setattr(referee.catalogue, "survey", surveying)
    return read


def test_an_empty_store_has_no_matches_and_gets_no_index(catalogue: Catalogue, tmp_path: Path) -> None:
    assert listed(catalogue) == ()
    assert list(tmp_path.iterdir()) == []


def test_a_match_in_short(catalogue: Catalogue) -> None:
    folder = play(catalogue.store, whole_match())
    (folder.clips_path / "00000300-00001900.mp4").write_bytes(b"film")
    (folder.clips_path / ".00000300-00001900.mp4.1-0").write_bytes(b"fi")
    (entry,) = listed(catalogue)
    assert (entry.match_id, entry.game, entry.phase, entry.lines) == (folder.id, "bounce-em-all", "finished", 12)
    assert [(clip.name, clip.size_bytes) for clip in entry.clips] == [("00000300-00001900.mp4", 4)]
    assert entry.source == "usb:0"
    assert entry.begun is not None
    assert f"{entry.begun:%Y%m%d-%H%M%S}" == folder.id[:15]
    assert [(result.player, result.seat) for result in entry.results] == [("Ann", "south"), ("Bob", "north")]
    assert sum(result.has_won for result in entry.results) == 1
    assert max(entry.results, key=lambda result: result.score).has_won
    assert entry.fault is None


def test_what_was_listed_once_is_not_read_again(catalogue: Catalogue, readings: list[str]) -> None:
    ids = [play(catalogue.store, whole_match()[:number]).id for number in range(3)]
    catalogue.settle()
    readings.clear()
    entries = listed(catalogue)
    assert readings == [], "the writer has put them into the index"
    assert sorted(entry.match_id for entry in entries) == sorted(ids)
    assert entries == surveyed(catalogue)


def test_what_is_appended_shows_at_once_though_nobody_told(catalogue: Catalogue, readings: list[str]) -> None:
    quiet, folder = play(catalogue.store), play(catalogue.store)
    listed(catalogue)
    catalogue.settle()
    readings.clear()
    with folder.open() as match:
        match.append(throw("red", "D6", 1.0))
        entry = next(entry for entry in listed(catalogue) if entry.match_id == folder.id)
        assert entry.lines == 1
        assert entry.results[0] == Result(player="Ann", seat="south", score=entry.results[0].score, has_won=False)
        assert entry.results[0].score > 0
    assert quiet.id not in readings


def test_a_new_clip_shows_at_once(catalogue: Catalogue) -> None:
    folder = play(catalogue.store)
    listed(catalogue)
    (folder.clips_path / "00000300-00001900.mp4").write_bytes(b"film")
    assert [clip.size_bytes for clip in listed(catalogue)[0].clips] == [4]


def test_matches_put_there_or_taken_away_by_hand_are_noticed(catalogue: Catalogue, tmp_path: Path) -> None:
    old = play(catalogue.store, whole_match())
    listed(catalogue)
    dropped = drop(tmp_path / "data", "20200101-120000-abcd", whole_match()[:1])
    assert [entry.match_id for entry in catalogue.rebuild()] == ["20200101-120000-abcd", old.id]
    assert catalogue.index.entries().keys() == {"20200101-120000-abcd", old.id}
    shutil.rmtree(dropped)
    assert [entry.match_id for entry in listed(catalogue)] == [old.id]
    assert catalogue.index.entries().keys() == {old.id}


def test_other_things_named_like_a_match_are_passed_over(catalogue: Catalogue, tmp_path: Path) -> None:
    folder = play(catalogue.store)
    (tmp_path / "data" / "matches" / "20200101-120000-abcd").write_text("a file")
    (tmp_path / "data" / "matches" / "99999999-999999-abcd").mkdir()
    entries = listed(catalogue)
    assert [entry.match_id for entry in entries] == [folder.id, "99999999-999999-abcd"]
    assert entries[1].begun is None
    assert "the log can't be read" in str(entries[1].fault)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("no JSON\n", "line 2"),
        ('{"type":"match","version":1,"game":"chess"}\n', "chess"),
    ],
)
def test_a_match_that_can_not_be_scored_says_why(catalogue: Catalogue, line: str, said: str) -> None:
    folder = play(catalogue.store)
    if said == "chess":
        folder.log_path.write_text(line)
    else:
        with folder.log_path.open("a") as log:
            log.write(line)
    (entry,) = listed(catalogue)
    assert said in str(entry.fault)
    assert (entry.results, entry.phase, entry.source) == ((), None, "usb:0")


def test_a_fault_is_looked_at_again_each_time(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that is not installed may be by the next time, and then no file has changed."""
    folder = play(catalogue.store, head=ANN_AND_BOB)
    with monkeypatch.context() as without_games:
        without_games.setattr("referee.games.GAMES", ())
        catalogue.rebuild()
        assert listed(catalogue)[0].fault is not None
    assert listed(catalogue) == (survey(folder),)
    assert listed(catalogue)[0].fault is None


def test_a_game_that_fails_leaves_the_others_listed(
    catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    good = play(catalogue.store, whole_match())
    drop(tmp_path / "data", "20200101-120000-abcd", whole_match(), header("Ann", "Bob", game="hit-66"))
    monkeypatch.setattr("referee.games.hit_66.Hit66.apply", fails)
    bad, whole = listed(catalogue)
    assert bad.fault == "its rules failed (ZeroDivisionError()): tell whoever made the game"
    assert (whole.match_id, whole.fault) == (good.id, None)


def test_a_log_of_which_nobody_keeps_score(catalogue: Catalogue, tmp_path: Path) -> None:
    head = header("Ann", "Bob")
    drop(tmp_path / "data", "20200101-120000-abcd", [Note(text="hello")], type(head)())
    (entry,) = listed(catalogue)
    assert (entry.game, entry.phase, entry.lines, entry.results, entry.fault) == (None, None, 1, (), None)


def test_a_cut_off_line_is_remembered(catalogue: Catalogue) -> None:
    folder = play(catalogue.store, whole_match()[:2])
    with folder.log_path.open("ab") as log:
        log.write(b'{"type":"no')
    for _ in range(2):
        (entry,) = listed(catalogue)
        assert entry.lines == 2
        assert "was cut off" in entry.warnings[0]


def delete(path: Path) -> None:
    path.unlink()


def spoil(path: Path) -> None:
    path.write_bytes(b"spoilt" * 1000)


def block(path: Path) -> None:
    path.unlink()
    path.mkdir()


def make_old(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE about SET made_by = '0, referee 0.0.1'")
        connection.commit()


@pytest.mark.parametrize("harm", [delete, spoil, block, make_old])
def test_a_match_is_played_and_listed_whatever_becomes_of_the_index(
    catalogue: Catalogue, harm: Callable[[Path], None]
) -> None:
    play(catalogue.store)
    catalogue.settle()
    harm(catalogue.index.path)
    with catalogue.store.create(ANN_AND_BOB, table(), Origin(name="usb:0")) as match:
        match.append(throw("red", "D6", 1.0))
        catalogue.settle()
        if harm is not block:
            harm(catalogue.index.path)
        match.append(throw("blue", "A1", 2.0))
    assert [entry.lines for entry in sorted(listed(catalogue), key=lambda entry: entry.lines)] == [0, 2]
    assert (catalogue.listing().remark is None) == (harm is not block)
    if harm is not block:
        assert tuple(catalogue.index.entries().values()) == surveyed(catalogue)


def test_a_locked_index_holds_nothing_up(catalogue: Catalogue) -> None:
    """The lock is held all the while: whatever waited for it would never come to the end."""
    play(catalogue.store)
    catalogue.settle()
    with closing(sqlite3.connect(catalogue.index.path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        other.execute("DELETE FROM about")
        catalogue.index.patience_s = 3600.0
        with catalogue.store.create(ANN_AND_BOB, table(), Origin(name="usb:0")) as match:
            match.append(throw("red", "D6", 1.0))
            folder = match.folder
        assert folder.log().events == (throw("red", "D6", 1.0),)
        impatient = Catalogue(catalogue.index.path.parent)
        impatient.index.patience_s = 0.0
        without = impatient.listing()
        assert without.entries == surveyed(catalogue)
        assert "the index can't be used now" in str(without.remark)
        with pytest.raises(NoIndex):
            impatient.rebuild()
        other.execute("ROLLBACK")
    catalogue.settle()
    assert tuple(catalogue.index.entries().values()) == surveyed(catalogue)


def test_an_index_that_fails_in_any_way_is_nobodys_trouble(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(catalogue.index, "update", fails)
    folder = play(catalogue.store, whole_match())
    catalogue.settle()
    assert len(folder.log().events) == 12


def test_a_full_disk_for_the_index_alone(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise NoIndex("the index can't be used now, database or disk is full")

    play(catalogue.store, whole_match())
    catalogue.settle()
    catalogue.index.path.unlink()
    monkeypatch.setattr(catalogue.index, "update", full)
    assert catalogue.listing().remark == "the index can't be used now, database or disk is full"
    assert listed(catalogue) == surveyed(catalogue)


def test_an_append_does_nothing_to_the_index(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event is written and synced; that is all that stands between the throw and the disk."""
    done: list[str] = []
    append = LogWriter.append

    def noted(writer: LogWriter, event: Any) -> None:
        done.append("append")
        append(writer, event)

    folder = play(catalogue.store)
    catalogue.settle()
    with folder.open() as match:
        monkeypatch.setattr(LogWriter, "append", noted)
        monkeypatch.setattr(catalogue.index, "update", lambda *_, **__: done.append("index"))
        match.append(throw("red", "D6", 1.0))
        catalogue.settle()
        assert done == ["append"]
    catalogue.settle()
    assert done == ["append", "index"]


def test_changes_that_wait_are_put_in_once(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = play(catalogue.store)
    catalogue.settle()
    updates: list[int] = []
    update = catalogue.index.update

    def slow(entries: Any, **more: Any) -> None:
        if not updates:
            # While this one is being put in, the match is ruled on five more times.
            updates.append(0)
            for _ in range(5):
                folder.open().close()
        updates.append(len(updates))
        update(entries, **more)

    monkeypatch.setattr(catalogue.index, "update", slow)
    folder.open().close()
    catalogue.settle()
    catalogue.settle()
    assert updates == [0, 1, 2]


def test_killing_the_player_at_any_moment_leaves_every_event_and_a_list_that_is_right(tmp_path: Path) -> None:
    data = tmp_path / "data"
    said: list[tuple[str, str]] = []
    for lines_to_wait_for in (1, 9, 10, 28, 61):
        command = [sys.executable, "-c", PLAY_FOR_EVER, str(data)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as player:
            assert player.stdout is not None
            lines = [player.stdout.readline() for _ in range(lines_to_wait_for)]
            player.send_signal(signal.SIGKILL)
            # Half a line is one that was not told.
            lines += [line for line in player.stdout if line.endswith("\n")]
        said += [(words[0], words[1]) for line in lines if (words := line.split())]

        catalogue = Catalogue(data)
        with pytest.MonkeyPatch.context() as unforgiving:
            # What a kill leaves must be a whole index: nothing may have to be thrown away.
            unforgiving.setattr(catalogue.index, "_delete", lambda: pytest.fail("the index was broken"))
            listing = catalogue.listing()
        assert listing.remark is None
        assert listing.entries == surveyed(catalogue)
        assert catalogue.index.fault() is None
        lengths = {entry.match_id: entry.lines for entry in listing.entries}
        assert all(entry.fault is None and entry.warnings == () for entry in listing.entries)
        for match_id in {match_id for _, match_id in said}:
            told = said.count(("written", match_id))
            # The last one may have been written without being told any more.
            assert told <= lengths[match_id] <= told + 1


def test_killing_a_rebuild_leaves_the_old_index_or_the_new_one(catalogue: Catalogue, tmp_path: Path) -> None:
    for number in range(3):
        drop(tmp_path / "data", f"20200101-12000{number}-abcd", whole_match()[:number])
    catalogue.rebuild()
    before = catalogue.index.entries()
    shutil.rmtree(tmp_path / "data" / "matches" / "20200101-120000-abcd")
    program = f"""
import os, signal, sys
from pathlib import Path
import referee.index
from referee.catalogue import Catalogue

write, written = referee.index._write, []
def dies(connection, entry):
    write(connection, entry)
    written.append(entry)
    if len(written) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
referee.index._write = dies
Catalogue(Path({str(tmp_path / "data")!r})).rebuild()
"""
    for number in (1, 2):
        done = subprocess.run([sys.executable, "-c", program, str(number)])
        assert done.returncode == -signal.SIGKILL
        assert catalogue.index.entries() == before
    assert subprocess.run([sys.executable, "-c", program, "3"]).returncode == 0
    assert catalogue.index.entries().keys() == before.keys() - {"20200101-120000-abcd"}


def test_a_match_that_ends_with_the_program_is_left_to_the_next_listing(catalogue: Catalogue) -> None:
    """The interpreter takes no more work for other threads when it ends."""
    program = f"""
import atexit
from pathlib import Path
from referee.catalogue import Catalogue
from tests.archive.matches import play, whole_match

catalogue = Catalogue(Path({str(catalogue.index.path.parent)!r}))
atexit.register(lambda: play(catalogue.store, whole_match()))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    (entry,) = listed(catalogue)
    assert entry.lines == 12


def test_clips_that_can_not_be_looked_at_are_none(catalogue: Catalogue) -> None:
    folder = play(catalogue.store)
    folder.clips_path.rmdir()
    folder.clips_path.write_text("a file")
    assert listed(catalogue)[0].clips == ()


def test_progress_is_told(catalogue: Catalogue, tmp_path: Path) -> None:
    for number in range(4):
        drop(tmp_path / "data", f"20200101-12000{number}-abcd")
    for work in (catalogue.rebuild, catalogue.listing):
        told: list[float] = []
        work(told.append)
        assert told == [0.25, 0.5, 0.75, 1.0]


def test_a_place_where_no_matches_can_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "matches").write_text("a file")
    with pytest.raises(BadStore, match="the stored matches can't be read"):
        Catalogue(tmp_path / "data").listing()
    with pytest.raises(BadStore):
        Catalogue(tmp_path / "data").rebuild()
