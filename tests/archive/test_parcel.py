"""A match as one file: there and back nothing is lost; and nothing is believed of a file that may come from anybody."""

import hashlib
import io
import json
import signal
import struct
import subprocess
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile, ZipInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import referee.parcel
import referee.unpacking
from calibration.errors import BadLayout, CantSave
from calibration.layout import layout_to_json, load_layout
from hardware.errors import RefereeError
from referee.catalogue import Catalogue
from referee.checkup import check_strangers
from referee.errors import BadLog, BadParcel, BadStore, MatchStored, NoClip
from referee.events import Event, Header, LayoutObject, Note, Option, Ruling
from referee.packing import pack
from referee.recording import Origin, Recording
from referee.replay import Replays, span_around
from referee.score import score_log, standing_to_json
from referee.store import MatchFolder, Store
from referee.stored import StoredMatch
from referee.unpacking import unpack
from tests.archive.matches import ANN_AND_BOB, drop, play, whole_match
from tests.live.scene import even_times, table, throw, write_recording

CLIP = "00000300-00001900.mp4"
Change = Callable[[dict[str, bytes]], None]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "data")


@pytest.fixture
def elsewhere(tmp_path: Path) -> Store:
    """The store of another computer."""
    return Store(tmp_path / "elsewhere")


@pytest.fixture
def folder(store: Store) -> MatchFolder:
    """A whole match with one clip."""
    folder = play(store, whole_match())
    (folder.clips_path / CLIP).write_bytes(b"film" * 1000)
    return folder


@pytest.fixture
def parcel(folder: MatchFolder, tmp_path: Path) -> Path:
    pack(folder, tmp_path / "match.zip")
    return tmp_path / "match.zip"


def files_in(path: Path) -> dict[str, bytes]:
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write_parcel(path: Path, files: Mapping[str, bytes]) -> None:
    """A parcel with these files, its contents being what they say."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)


def restate(files: dict[str, bytes], /, **changes: object) -> None:
    """Make the contents say what is really there, changed as wanted."""
    said = json.loads(files["match.json"])
    said["files"] = [
        {"name": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in files.items()
        if name != "match.json"
    ]
    files["match.json"] = json.dumps({**said, **changes}).encode()


def snapshot_of(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def assert_refused(path: Path, store: Store, said: str, error: type[RefereeError] = BadParcel) -> None:
    """One line with a remedy, and the store is as it was."""
    before = snapshot_of(store.path.parent)
    with pytest.raises(error, match=said) as refusal:
        unpack(path, store)
    assert str(refusal.value).count(": ") >= 1, "no remedy"
    assert "\n" not in str(refusal.value)
    assert snapshot_of(store.path.parent) == before
    assert not store.path.exists() or [path.name for path in store.path.iterdir() if path.name.startswith(".")] == []


def test_there_and_back_nothing_is_lost(folder: MatchFolder, parcel: Path, elsewhere: Store, tmp_path: Path) -> None:
    taken = unpack(parcel, elsewhere)
    assert taken.folder.id == folder.id
    assert (taken.lines, taken.warnings) == (12, ())
    assert taken.folder.log_path.read_bytes() == folder.log_path.read_bytes()
    assert (taken.folder.path / "table.json").read_bytes() == (folder.path / "table.json").read_bytes()
    assert (taken.folder.clips_path / CLIP).read_bytes() == b"film" * 1000
    assert taken.folder.table().layout == table().layout
    assert taken.folder.origin() == Origin(name="usb:0")
    assert {path.name for path in taken.folder.path.iterdir()} == {"events.jsonl", "table.json", "source.json", "clips"}
    assert score_log(taken.folder.log_path) == score_log(folder.log_path)
    assert StoredMatch(taken.folder).snapshot().standing == StoredMatch(folder).snapshot().standing
    pack(taken.folder, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == parcel.read_bytes()


def test_a_parcel_says_what_is_in_it(folder: MatchFolder, parcel: Path) -> None:
    files = files_in(parcel)
    assert list(files) == [
        "match.json",
        "events.jsonl",
        "layout.json",
        "table.json",
        "source.json",
        f"clips/{CLIP}",
    ]
    said = json.loads(files["match.json"])
    assert (said["type"], said["version"], said["match"]) == ("match-parcel", 1, folder.id)
    restated = dict(files)
    restate(restated)
    assert json.loads(restated["match.json"]) == said
    assert json.loads(files["layout.json"]) == layout_to_json(load_layout("grid-7x7"))


def test_where_the_recording_is_stays_at_home(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    film = write_recording(tmp_path / "private.mp4", even_times(3))
    with store.create(ANN_AND_BOB, table(), Origin.of(str(film))) as match:
        folder = match.folder
    pack(folder, tmp_path / "match.zip")
    assert b"private" in files_in(tmp_path / "match.zip")["source.json"]
    assert str(tmp_path).encode() not in b"".join(files_in(tmp_path / "match.zip").values())
    assert unpack(tmp_path / "match.zip", elsewhere).folder.origin() == Origin(name="private.mp4")


def test_a_parcel_can_not_name_a_film_of_this_computer(parcel: Path, elsewhere: Store, tmp_path: Path) -> None:
    film = Recording.of(write_recording(tmp_path / "private.mp4", even_times(3)))
    files = files_in(parcel)
    source = json.loads(files["source.json"])
    source["recording"] = {
        "path": str(film.path),
        "size_bytes": film.size_bytes,
        "changed_ns": str(film.changed_ns),
        "start_s": 0,
    }
    files["source.json"] = json.dumps(source).encode()
    restate(files)
    write_parcel(parcel, files)
    assert unpack(parcel, elsewhere).folder.origin().recording is None


def test_replays_that_came_along_are_shown_and_others_are_not_to_be_had(parcel: Path, elsewhere: Store) -> None:
    folder = unpack(parcel, elsewhere).folder
    replays = Replays(folder.clips_path, None)
    stamp = throw("red", "A1", 1.0).stamp
    assert replays.clip(span_around(stamp)).read_bytes() == b"film" * 1000
    with pytest.raises(NoClip, match="was not recorded here"):
        replays.clip(span_around(throw("red", "A1", 5.0).stamp))


def test_a_match_in_play_can_be_packed(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    with store.create(ANN_AND_BOB, table(), Origin(name="usb:0")) as match:
        match.append(throw("red", "D6", 1.0))
        pack(match.folder, tmp_path / "match.zip")
        match.append(throw("blue", "A1", 2.0))
    assert unpack(tmp_path / "match.zip", elsewhere).lines == 1


def test_a_torn_last_line_comes_along_and_is_said(folder: MatchFolder, elsewhere: Store, tmp_path: Path) -> None:
    with folder.log_path.open("ab") as log:
        log.write(b'{"type":"no')
    pack(folder, tmp_path / "match.zip")
    taken = unpack(tmp_path / "match.zip", elsewhere)
    assert taken.folder.log_path.read_bytes() == folder.log_path.read_bytes()
    assert "was cut off" in taken.warnings[0]


def test_a_board_of_ones_own_comes_along(tmp_path: Path, elsewhere: Store) -> None:
    """Written out in the header, or in a file beside the log, under its own name."""
    board = layout_to_json(load_layout("octagon"))
    text = json.dumps(board, indent=3)
    beside = Header(game="bounce-em-all", players=ANN_AND_BOB.players, layout="my board.json")
    written_out = Header(game="bounce-em-all", players=ANN_AND_BOB.players, layout=LayoutObject(text=json.dumps(board)))
    for number, head in enumerate((beside, written_out)):
        match_id = f"20260101-12000{number}-abcd"
        path = drop(tmp_path / "data", match_id, [throw("red", "A1", 1.0)], head)
        if head is beside:
            (path / "my board.json").write_text(text)
        folder = Store(tmp_path / "data").folder(match_id)
        pack(folder, tmp_path / f"{number}.zip")
        taken = unpack(tmp_path / f"{number}.zip", elsewhere)
        assert score_log(taken.folder.log_path) == score_log(folder.log_path)
        assert (taken.folder.path / "my board.json").exists() == (head is beside)
        assert "can be scored but not shown" in taken.warnings[0]
    assert (elsewhere.folder("20260101-120000-abcd").path / "my board.json").read_text() == text


@pytest.mark.parametrize("name", ["../board.json", "/etc/board.json", ".board.json", "boards/b.json", "table.json"])
def test_a_log_that_reads_files_elsewhere_stays_where_it_is(
    tmp_path: Path, elsewhere: Store, parcel: Path, name: str
) -> None:
    head = Header(game="bounce-em-all", players=ANN_AND_BOB.players, layout=name)
    drop(tmp_path / "data", "20260101-120000-abcd", (), head)
    with pytest.raises(BadParcel, match="layout files of its old place"):
        pack(Store(tmp_path / "data").folder("20260101-120000-abcd"), tmp_path / "out.zip")
    assert not (tmp_path / "out.zip").exists()
    for event in ((), (Ruling(event=0, replace=head),), (Ruling(event=1, replace=Ruling(event=0, replace=head)),)):
        files = files_in(parcel)
        path = drop(tmp_path / "lying", f"2026010{len(event)}-12000{len(str(event)) % 10}-abcd", event or (), head)
        files["events.jsonl"] = (path / "events.jsonl").read_bytes()
        restate(files)
        write_parcel(tmp_path / "lying.zip", files)
        assert_refused(tmp_path / "lying.zip", elsewhere, "layout files of its old place")


def test_a_board_that_has_changed_since_is_said(parcel: Path, elsewhere: Store) -> None:
    files = files_in(parcel)
    files["layout.json"] = json.dumps(layout_to_json(load_layout("octagon"))).encode()
    restate(files)
    write_parcel(parcel, files)
    assert "is another one in this version" in unpack(parcel, elsewhere).warnings[0]


def test_a_game_that_is_not_installed_is_taken_in_and_said(
    parcel: Path, elsewhere: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.games.GAMES", ())
    taken = unpack(parcel, elsewhere)
    assert "it can't be scored here" in taken.warnings[0]
    assert taken.folder.log_path.is_file()


def test_a_match_without_a_picture_of_its_board_is_taken_in_and_said(parcel: Path, elsewhere: Store) -> None:
    files = files_in(parcel)
    for name in ("table.json", "source.json", "layout.json"):
        del files[name]
    restate(files)
    write_parcel(parcel, files)
    taken = unpack(parcel, elsewhere)
    assert taken.warnings == ("there is no table file or no source in it: the match can be scored but not shown",)
    assert score_log(taken.folder.log_path).standing.phase == "finished"


def test_a_match_that_is_there_is_never_overwritten(
    folder: MatchFolder, parcel: Path, store: Store, elsewhere: Store
) -> None:
    assert_refused(parcel, store, "this match is stored already .*nothing was changed", MatchStored)
    unpack(parcel, elsewhere)
    with elsewhere.folder(folder.id).open() as match:
        match.append(Note(text="and on"))
    assert_refused(parcel, elsewhere, "stored already, with another log", MatchStored)


def test_what_comes_there_in_between_is_not_overwritten_either(
    folder: MatchFolder, parcel: Path, elsewhere: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpack(parcel, elsewhere)
    monkeypatch.setattr(referee.unpacking, "_check_is_new", lambda *_: None)
    assert_refused(parcel, elsewhere, "this match is stored already", MatchStored)


def change_log(files: dict[str, bytes]) -> None:
    files["events.jsonl"] += b'{"type":"note","text":"one more"}\n'


def lose(name: str) -> Change:
    def change(files: dict[str, bytes]) -> None:
        del files[name]

    return change


def lose_for_good(name: str) -> Change:
    def change(files: dict[str, bytes]) -> None:
        del files[name]
        restate(files)

    return change


def add(name: str, content: bytes = b"x", *, stated: bool = True) -> Change:
    def change(files: dict[str, bytes]) -> None:
        files[name] = content
        if stated:
            restate(files)

    return change


def state(**changes: object) -> Change:
    return lambda files: restate(files, **changes)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (change_log, "doesn't hold the files that it should"),
        (lose("events.jsonl"), "doesn't hold the files that it should"),
        (lose("match.json"), "is no exported match"),
        (lose(f"clips/{CLIP}"), "doesn't hold the files that it should"),
        (add("clips/00000001-00000002.mp4", stated=False), "doesn't hold the files that it should"),
        (add("events.jsonl", b"nothing\n"), "line 1"),
        (add("events.jsonl", b""), "the log is empty"),
        (add("table.json", b"{}"), "what is in it can't be used"),
        (add("source.json", b"[]"), "what is in it can't be used"),
        (add("layout.json", b"[[["), "what is in it can't be used"),
        (lose_for_good("events.jsonl"), "there is no log in it"),
        (add("match.json", b"nothing", stated=False), "damaged"),
        (add("match.json", b"[" * 100_000, stated=False), "damaged"),
        (add("match.json", b"{}", stated=False), "no match-parcel file"),
        (state(version=2), "of the newer version 2 .*update the program"),
        (state(type="table"), "no match-parcel file"),
        (state(match="../../../etc"), "is no match's name"),
        (state(match="20260101-120000-abcd/../x"), "is no match's name"),
        (state(files=[]), "doesn't hold the files that it should"),
        (state(files=[{"name": "events.jsonl"}]), "bytes is missing"),
    ],
)
def test_what_is_not_whole_is_refused(parcel: Path, elsewhere: Store, change: Change, said: str) -> None:
    files = files_in(parcel)
    change(files)
    write_parcel(parcel, files)
    assert_refused(parcel, elsewhere, said)
    assert not elsewhere.path.exists() or list(elsewhere.path.iterdir()) == []


def test_content_that_does_not_match_its_sum_is_refused(parcel: Path, elsewhere: Store) -> None:
    files = files_in(parcel)
    files[f"clips/{CLIP}"] = b"lmif" * 1000
    write_parcel(parcel, files)
    assert_refused(parcel, elsewhere, "is damaged")


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "/etc/evil",
        "clips/../../../evil.mp4",
        "clips/evil.sh",
        "clips/00000001-00000002.mp4/evil",
        "clips\\00000001-00000002.mp4",
        "lock",
        "CLIPS/00000001-00000002.mp4",
        "clips/",
        "clips",
        "clips/\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660-00000002.mp4",
    ],
)
def test_files_that_belong_to_no_match_are_refused(parcel: Path, elsewhere: Store, tmp_path: Path, name: str) -> None:
    files = files_in(parcel)
    add(name)(files)
    write_parcel(parcel, files)
    outside = {path.name for path in tmp_path.parent.iterdir()}
    assert_refused(parcel, elsewhere, "belongs to no match|doesn't hold")
    assert {path.name for path in tmp_path.parent.iterdir()} == outside
    assert not Path("/etc/evil").exists()


def test_a_link_is_written_as_the_text_that_it_is(parcel: Path, elsewhere: Store) -> None:
    """Archives can hold symbolic links; here nothing is one."""
    files = files_in(parcel)
    files[f"clips/{CLIP}"] = b"/etc/passwd"
    restate(files)
    with ZipFile(parcel, "w") as archive:
        for name, content in files.items():
            entry = ZipInfo(name)
            if name.startswith("clips/"):
                entry.external_attr = 0o120777 << 16
            archive.writestr(entry, content)
    clip = unpack(parcel, elsewhere).folder.clips_path / CLIP
    assert not clip.is_symlink()
    assert clip.read_bytes() == b"/etc/passwd"


def test_a_repacked_parcel_is_taken(parcel: Path, elsewhere: Store) -> None:
    """Other programs pack in another order, and name the directory too."""
    files = files_in(parcel)
    with ZipFile(parcel, "w", ZIP_DEFLATED) as archive:
        archive.writestr("clips/", b"")
        for name in reversed(files):
            archive.writestr(name, files[name])
    assert unpack(parcel, elsewhere).warnings == ()


def test_a_file_that_is_there_twice_is_refused(parcel: Path, elsewhere: Store) -> None:
    files = files_in(parcel)
    with warnings.catch_warnings(), ZipFile(parcel, "w") as archive:
        warnings.simplefilter("ignore")
        for name, content in [*files.items(), ("events.jsonl", b"other")]:
            archive.writestr(name, content)
    assert_refused(parcel, elsewhere, "twice")


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("MOST_LOG_BYTES", "events.jsonl in it has"),
        ("MOST_JSON_BYTES", "json in it has"),
        ("MOST_CLIP_BYTES", "mp4 in it has"),
        ("MOST_BYTES", "larger than any match"),
        ("MOST_FILES", "more than any match has"),
    ],
)
def test_there_is_a_limit_to_everything(
    folder: MatchFolder,
    parcel: Path,
    elsewhere: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    said: str,
) -> None:
    monkeypatch.setattr(referee.parcel, limit, 4)
    assert_refused(parcel, elsewhere, said)
    with pytest.raises(BadParcel, match=said):
        pack(folder, tmp_path / "out.zip")
    assert not (tmp_path / "out.zip").exists()


def test_a_bomb_is_not_unpacked(parcel: Path, elsewhere: Store) -> None:
    """Ten kilobytes that would become ten gigabytes: it says so itself, or it is cut where it said it would end."""
    files = files_in(parcel)
    files["events.jsonl"] = b"\n" * 5_000_000
    restate(files)
    write_parcel(parcel, files)
    data = bytearray(parcel.read_bytes())
    at = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 1)
    assert data[at + 46 : at + 58] == b"events.jsonl"
    honest = bytes(data)
    struct.pack_into("<L", data, at + 24, 10**9)
    parcel.write_bytes(data)
    assert_refused(parcel, elsewhere, "events.jsonl in it has 954 MiB .*at most 64 MiB")
    data = bytearray(honest)
    struct.pack_into("<L", data, at + 24, 10)
    parcel.write_bytes(data)
    assert_refused(parcel, elsewhere, "doesn't hold|damaged")


def test_a_list_without_end_is_not_read(parcel: Path, elsewhere: Store) -> None:
    ending = struct.Struct("<4s4H2LH")
    data = bytearray(parcel.read_bytes())
    for count, list_bytes in ((60_000, 1000), (5, 2**31)):
        struct.pack_into("<2HL", data, len(data) - ending.size + 8, count, count, list_bytes)
        parcel.write_bytes(data)
        assert_refused(parcel, elsewhere, "more files in it than any match has")
    large = bytes(data[: -ending.size]) + b"PK\x06\x07" + b"\0" * 16 + bytes(data[-ending.size :])
    parcel.write_bytes(large)
    assert_refused(parcel, elsewhere, "more files in it than any match has")


def test_what_only_other_programs_can_unpack_is_refused(parcel: Path, elsewhere: Store) -> None:
    files = files_in(parcel)
    with ZipFile(parcel, "w", ZIP_BZIP2) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    assert_refused(parcel, elsewhere, "can't be unpacked")


def test_a_secret_archive_is_refused(parcel: Path, elsewhere: Store) -> None:
    data = bytearray(parcel.read_bytes())
    for mark, flags_at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.index(mark)
        data[at + flags_at] |= 1
    parcel.write_bytes(data)
    assert_refused(parcel, elsewhere, "can't be unpacked")


@pytest.mark.parametrize("content", [b"", b"PK", b"no archive at all", b"PK\x05\x06" + b"\0" * 18])
def test_a_file_that_is_no_parcel_is_refused(tmp_path: Path, elsewhere: Store, content: bytes) -> None:
    (tmp_path / "some.zip").write_bytes(content)
    assert_refused(tmp_path / "some.zip", elsewhere, "no exported match")


def test_a_file_that_is_not_there_is_said(tmp_path: Path, elsewhere: Store) -> None:
    for path in (tmp_path / "none.zip", tmp_path):
        assert_refused(path, elsewhere, "this file can't be read")


def test_a_parcel_that_was_cut_off_is_refused(parcel: Path, elsewhere: Store) -> None:
    whole = parcel.read_bytes()
    for share in (0.1, 0.5, 0.9, 0.99):
        parcel.write_bytes(whole[: int(len(whole) * share)])
        assert_refused(parcel, elsewhere, "end is missing")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_damage_anywhere_is_refused_or_harmless(
    parcel: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Whatever bytes are changed: one clear error and nothing stored, or exactly the match that was packed."""
    whole = parcel.read_bytes()
    damaged = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    place = tmp_path_factory.mktemp("place")
    path = place / "damaged.zip"
    path.write_bytes(damaged)
    target = Store(place / "target")
    try:
        taken = unpack(path, target)
    except RefereeError:
        assert not target.path.exists() or list(target.path.iterdir()) == []
    else:
        with ZipFile(io.BytesIO(whole)) as archive:
            assert taken.folder.log_path.read_bytes() == archive.read("events.jsonl")
        assert StoredMatch(taken.folder).snapshot().standing.phase == "finished"


events = st.lists(
    st.sampled_from([*whole_match(), Note(text="ünd"), Ruling(event=1, replace=None), Note(text="\ud800")]), max_size=9
)


@settings(deadline=None, max_examples=20)
@given(events=events, starter=st.sampled_from(["Ann", "Bob"]))
def test_any_match_goes_there_and_back(
    tmp_path_factory: pytest.TempPathFactory, events: list[Event], starter: str
) -> None:
    place = tmp_path_factory.mktemp("place")
    options = (Option(name="starter", value=json.dumps(starter)),)
    head = Header(game="bounce-em-all", players=ANN_AND_BOB.players, layout="grid-7x7", options=options)
    folder = play(Store(place / "data"), events, head)
    pack(folder, place / "match.zip")
    taken = unpack(place / "match.zip", Store(place / "elsewhere")).folder
    assert taken.log_path.read_bytes() == folder.log_path.read_bytes()
    ours, theirs = score_log(folder.log_path), score_log(taken.log_path)
    assert standing_to_json(ours.standing) == standing_to_json(theirs.standing)
    pack(taken, place / "again.zip")
    assert (place / "again.zip").read_bytes() == (place / "match.zip").read_bytes()


def test_a_match_that_can_not_be_read_is_not_packed(folder: MatchFolder, tmp_path: Path) -> None:
    log = folder.log_path.read_bytes()
    folder.log_path.write_bytes(log + b"no JSON\n")
    with pytest.raises(BadLog):
        pack(folder, tmp_path / "out.zip")
    folder.log_path.write_bytes(log.replace(b'"grid-7x7"', b'"board.json"'))
    with pytest.raises(BadLayout):
        pack(folder, tmp_path / "out.zip")
    assert not (tmp_path / "out.zip").exists()


def test_a_full_disk_leaves_nothing(
    folder: MatchFolder, parcel: Path, elsewhere: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Usage:
        free = 0

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as small:
        small.setattr("shutil.disk_usage", lambda place: Usage)
        assert_refused(parcel, elsewhere, "there is no room for this match", BadStore)
    with monkeypatch.context() as failing:
        failing.setattr(referee.unpacking, "flush_file", full)
        assert_refused(parcel, elsewhere, "the disk is full", BadStore)
    assert list(elsewhere.path.iterdir()) == []
    monkeypatch.setattr("os.fsync", full)
    names = {path.name for path in tmp_path.iterdir()}
    with pytest.raises(CantSave, match="No space left"):
        pack(folder, tmp_path / "out.zip")
    assert {path.name for path in tmp_path.iterdir()} == names


def test_what_is_taken_in_is_in_the_index(parcel: Path, tmp_path: Path) -> None:
    catalogue = Catalogue(tmp_path / "elsewhere")
    folder = unpack(parcel, catalogue.store).folder
    catalogue.settle()
    assert catalogue.index.entries().keys() == {folder.id}


def test_killing_an_import_leaves_no_match_and_nothing_in_the_way(
    folder: MatchFolder, parcel: Path, elsewhere: Store, tmp_path: Path
) -> None:
    program = f"""
import os, signal, sys
from pathlib import Path
import referee.unpacking
from referee.store import Store

flush, flushed = referee.unpacking.flush_file, []
def dies(path):
    flush(path)
    flushed.append(path)
    if len(flushed) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
referee.unpacking.flush_file = dies
referee.unpacking.unpack(Path({str(parcel)!r}), Store(Path({str(tmp_path / "elsewhere")!r})))
"""
    for number in (1, 5):
        done = subprocess.run([sys.executable, "-c", program, str(number)])
        assert done.returncode == -signal.SIGKILL
        assert elsewhere.ids() == ()
    assert {finding.name[1:21] for finding in check_strangers(elsewhere.path)} == {folder.id}
    assert unpack(parcel, elsewhere).folder.log_path.read_bytes() == folder.log_path.read_bytes()
