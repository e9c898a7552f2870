"""The index alone: it gives back what was put in, and heals itself; what can't be healed is said."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import referee.index
from referee.errors import NoIndex
from referee.index import Index
from referee.survey import Entry, KeptClip, Mark, Result

MARK = Mark(log_bytes=1, log_changed_ns=2, clips_changed_ns=3)

stored_texts = st.text(st.characters(codec="utf-8"), max_size=20)
wholes = st.integers(0, 2**63 - 1)
results = st.builds(
    Result,
    player=st.text(st.characters(codec="utf-8").filter(str.isprintable), min_size=1, max_size=5),
    seat=st.sampled_from(["south", None]),
    score=st.integers(-(10**30), 10**300),
    has_won=st.booleans(),
)
entries = st.builds(
    Entry,
    match_id=stored_texts,
    mark=st.builds(Mark, log_bytes=wholes, log_changed_ns=wholes, clips_changed_ns=wholes),
    game=st.none() | stored_texts,
    phase=st.sampled_from(["opening", "playing", "finished", None]),
    source=stored_texts,
    lines=wholes,
    results=st.lists(results, max_size=4).map(tuple),
    clips=st.lists(
        st.builds(KeptClip, name=stored_texts, size_bytes=wholes), max_size=3, unique_by=lambda clip: clip.name
    ).map(lambda clips: tuple(sorted(clips, key=lambda clip: clip.name))),
    warnings=st.sampled_from([(), ("one",), ("one", "two")]),
    fault=st.none() | stored_texts,
)


def entry(match_id: str, *names: str) -> Entry:
    won = tuple(Result(player=name, seat=None, score=1, has_won=False) for name in names)
    return Entry(match_id=match_id, mark=MARK, results=won)


@contextmanager
def opened(index: Index) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(index.path, isolation_level=None)) as connection:
        yield connection


@settings(max_examples=30, deadline=None)
@given(st.lists(entries, max_size=4, unique_by=lambda entry: entry.match_id))
def test_what_was_put_in_is_there(tmp_path_factory: pytest.TempPathFactory, all_of_them: list[Entry]) -> None:
    index = Index(tmp_path_factory.mktemp("data"))
    index.replace(all_of_them)
    assert index.entries() == {entry.match_id: entry for entry in all_of_them}
    index.update(all_of_them)
    assert index.entries() == {entry.match_id: entry for entry in all_of_them}
    assert index.fault() is None


def test_entries_are_renewed_and_taken_out(tmp_path: Path) -> None:
    index = Index(tmp_path)
    index.update([entry("a", "Ann", "Bob"), entry("b", "Bob", "Cem")])
    index.update([entry("a", "Dot", "Bob")], gone=["b", "never there"])
    assert index.entries() == {"a": entry("a", "Dot", "Bob")}
    with opened(index) as connection:
        names = connection.execute("SELECT name FROM players ORDER BY name").fetchall()
        (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    assert names == [("Bob",), ("Dot",)]
    assert mode == "wal"


def test_texts_that_utf8_can_not_hold_are_kept_as_escapes(tmp_path: Path) -> None:
    index = Index(tmp_path)
    index.update([Entry(match_id="a", mark=MARK, game="\ud800", source="\udcff", fault="no \ud800")])
    kept = index.entries()["a"]
    assert (kept.game, kept.source, kept.fault) == ("\\ud800", "\\udcff", "no \\ud800")


def test_a_time_beyond_all_times_does_no_harm(tmp_path: Path) -> None:
    index = Index(tmp_path)
    index.update([Entry(match_id="a", mark=Mark(log_bytes=1, log_changed_ns=2**70, clips_changed_ns=2**70))])
    assert index.entries()["a"].mark.log_changed_ns == 2**63 - 1


def test_without_an_index_nothing_is_known_and_nothing_is_made(tmp_path: Path) -> None:
    index = Index(tmp_path / "data")
    assert index.entries() == {}
    assert index.fault() == "there is no index yet"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "content",
    [b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000, b"\0" * 8192],
)
def test_a_file_that_is_no_index_is_replaced(tmp_path: Path, content: bytes) -> None:
    index = Index(tmp_path)
    index.path.write_bytes(content)
    assert index.fault() is not None
    assert index.entries() == {}
    index.update([entry("a", "Ann")])
    assert index.entries() == {"a": entry("a", "Ann")}
    assert index.fault() is None


def test_an_empty_file_is_an_index_that_knows_nothing_yet(tmp_path: Path) -> None:
    index = Index(tmp_path)
    index.path.touch()
    assert index.fault() is None
    assert index.entries() == {}


@pytest.mark.parametrize("at", [100, 3000, 5000, 9000, 13000, 20000])
def test_damage_in_the_middle_never_gives_an_error(tmp_path: Path, at: int) -> None:
    index = Index(tmp_path)
    all_of_them = [entry(f"match {number}", "Ann", "Bob") for number in range(200)]
    index.update(all_of_them)
    with opened(index) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(index.path.read_bytes())
    data[at : at + 1500] = b"\xaa" * len(data[at : at + 1500])
    index.path.write_bytes(data)
    index.entries()
    index.replace(all_of_them)
    assert index.entries() == {entry.match_id: entry for entry in all_of_them}


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE matches SET phase = 'dreaming'",
        "UPDATE results SET score = 'many'",
        "UPDATE matches SET warnings = x'ff'",
        "UPDATE matches SET source = CAST(x'ff' AS TEXT)",
        "ALTER TABLE matches ADD COLUMN more",
        "DROP TABLE clips",
        "DROP TABLE players",
        "DELETE FROM about",
    ],
)
def test_an_index_that_somebody_changed_is_replaced(tmp_path: Path, change: str) -> None:
    index = Index(tmp_path)
    index.update([entry("a", "Ann")])
    with opened(index) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(change)
    assert index.entries() == {}
    index.update([entry("b", "Bob")])
    assert index.entries() == {"b": entry("b", "Bob")}


def test_an_index_of_another_version_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index(tmp_path)
    with monkeypatch.context() as older:
        older.setattr(referee.index, "MADE_BY", "0, referee 0.0.1")
        older.setattr(referee.index, "TABLES", ("CREATE TABLE about (made_by TEXT)", "CREATE TABLE matches (name)"))
        index.replace([])
    assert index.fault() == "the index was made by another version of the program"
    assert index.entries() == {}
    assert index.fault() is None
    index.update([entry("a", "Ann")])
    assert index.entries() == {"a": entry("a", "Ann")}


def test_readers_do_not_wait_for_a_writer(tmp_path: Path) -> None:
    index = Index(tmp_path)
    index.update([entry("a", "Ann")])
    with opened(index) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM results")
        assert index.entries() == {"a": entry("a", "Ann")}
        writer.execute("ROLLBACK")


def test_a_locked_index_is_said_and_left_as_it_is(tmp_path: Path) -> None:
    index = Index(tmp_path)
    index.patience_s = 0.0
    index.update([entry("a", "Ann")])
    with opened(index) as writer:
        writer.execute("BEGIN IMMEDIATE")
        with pytest.raises(NoIndex, match="locked"):
            index.update([entry("b", "Bob")])
        with pytest.raises(NoIndex, match="locked"):
            index.replace([])
        writer.execute("ROLLBACK")
    assert index.entries() == {"a": entry("a", "Ann")}


def test_a_directory_in_the_place_of_the_index_is_said(tmp_path: Path) -> None:
    index = Index(tmp_path)
    index.path.mkdir()
    with pytest.raises(NoIndex, match=r"the index can't be used now, .*: done without"):
        index.entries()
    with pytest.raises(NoIndex):
        index.update([])
    assert index.fault() is not None


def test_a_place_that_can_not_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(NoIndex):
        Index(tmp_path / "data").update([entry("a", "Ann")])
