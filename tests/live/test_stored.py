"""Stored matches: what was ruled stays, what others write is followed, what is broken doesn't hide the rest."""

import logging
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from referee.desk import Source
from referee.errors import BadLog, BadRuling, NoClip
from referee.events import Note, Ruling
from referee.log import write_log
from referee.match import Match, fold
from referee.recording import Origin
from referee.scorebook import Scorebook
from referee.store import MatchFolder, Store
from referee.stored import StoredMatch, StoredMatches
from tests.live.scene import HEADER, picture_of_board, table, throw

PATIENCE_S = 60.0
THROWS = (throw("red", "D6", 0.5), throw("blue", "A1", 1.0))


@pytest.fixture
def folder(store: Store, recording: Path) -> MatchFolder:
    with store.create(HEADER, table(), Origin.of(str(recording))) as match:
        for event in THROWS:
            match.append(event)
        return match.folder


def test_rulings_are_there_after_every_restart(folder: MatchFolder) -> None:
    before = StoredMatch(folder).snapshot()
    assert (before.standing.phase, before.standing.turn) == ("playing", "Ann")

    double = replace(THROWS[0], table_bounces=2)
    ruled = StoredMatch(folder).rule(event=1, replace=double, by="Bob", reason="two bounces")
    assert ruled.standing.turn == "Bob"

    again = StoredMatch(folder)
    assert again.snapshot().standing == ruled.standing
    assert again.snapshot().events[-1] == Ruling(event=1, replace=double, by="Bob", reason="two bounces")
    again.rule(event=3, replace=None, by="Ann", reason="it was one")
    assert StoredMatch(folder).snapshot().standing == before.standing


def test_a_stored_match_says_where_it_came_from(folder: MatchFolder) -> None:
    source = StoredMatch(folder).snapshot().source
    assert (source.name, source.state, source.message) == ("game.mp4", "ended", None)
    assert source.t_s == pytest.approx(1.2)


def test_calls_of_stored_matches_have_replays(folder: MatchFolder) -> None:
    clip = StoredMatch(folder).clip(2)
    assert clip.read_bytes()[4:8] == b"ftyp"
    assert StoredMatch(folder).clip(2) == clip
    with pytest.raises(NoClip):
        StoredMatch(folder).clip(0)


def test_a_ruling_that_can_not_stand_is_refused_and_not_kept(folder: MatchFolder) -> None:
    desk = StoredMatch(folder)
    with pytest.raises(BadRuling, match="no such line"):
        desk.rule(event=9, replace=None, by="Ann", reason="x")
    assert folder.log().events == THROWS


def test_a_match_that_is_being_played_elsewhere_can_be_followed_but_not_ruled(folder: MatchFolder) -> None:
    desk = StoredMatch(folder)
    with folder.open() as playing:
        known = desk.snapshot()
        playing.append(Note(text="hello", by="Ann"))
        followed = desk.wait(known.version, PATIENCE_S)
        assert followed.events[-1] == Note(text="hello", by="Ann")
        with pytest.raises(BadRuling, match=r"not saved.*another referee is writing this match"):
            desk.rule(event=1, replace=None, by="Ann", reason="x")
    assert desk.rule(event=1, replace=None, by="Ann", reason="x").events[:-1] == followed.events


def test_a_ruling_is_counted_from_what_is_in_the_log_by_then(folder: MatchFolder) -> None:
    desk, other = StoredMatch(folder), StoredMatch(folder)
    desk.rule(event=1, replace=None, by="Ann", reason="first")
    snapshot = other.rule(event=3, replace=None, by="Bob", reason="not so")
    assert [type(event) for event in snapshot.events[2:]] == [Ruling, Ruling]
    assert snapshot.standing == StoredMatch(folder).snapshot().standing


def test_all_who_wait_are_woken_by_a_ruling(folder: MatchFolder) -> None:
    desk = StoredMatch(folder)
    known = desk.snapshot().version
    woken: list[int] = []
    pages = [threading.Thread(target=lambda: woken.append(desk.wait(known, PATIENCE_S).version)) for _ in range(5)]
    for page in pages:
        page.start()
    ruled = desk.rule(event=1, replace=None, by="Ann", reason="x")
    for page in pages:
        page.join(PATIENCE_S)
    assert woken == [ruled.version] * 5


def test_a_page_that_read_the_log_just_before_a_ruling_does_not_undo_it(folder: MatchFolder) -> None:
    layout = table().layout
    source = Source(name="game.mp4", state="ended", t_s=0.0, duration_s=None, message=None)
    book = Scorebook(match_id=folder.id, match=Match.of(HEADER, layout, THROWS), layout=layout, source=source)
    ruled = book.rule(Ruling(event=1, replace=None, by="Ann", reason="x"), lambda event: None)
    book.follow(THROWS, first=1)
    assert book.snapshot() is ruled


def test_looking_does_not_make_a_new_version(folder: MatchFolder) -> None:
    desk = StoredMatch(folder)
    desk.rule(event=1, replace=None, by="Ann", reason="x")
    snapshot = desk.snapshot()
    assert desk.snapshot() is snapshot
    assert desk.wait(snapshot.version, 0.0) is snapshot


def test_a_match_that_vanishes_is_shown_as_it_was_last_known(folder: MatchFolder) -> None:
    desk = StoredMatch(folder)
    snapshot = desk.snapshot()
    folder.path.rename(folder.path.with_name("elsewhere"))
    assert desk.snapshot() is snapshot
    with pytest.raises(BadRuling, match="not saved"):
        desk.rule(event=1, replace=None, by="Ann", reason="x")


def test_all_matches_are_listed_newest_first_and_new_ones_appear(store: Store, folder: MatchFolder) -> None:
    matches = StoredMatches(store)
    assert list(matches) == [folder.id]
    with store.create(HEADER, table(), Origin(name="usb:0")) as later:
        pass
    assert sorted(matches, reverse=True) == list(matches)
    assert set(matches) == {folder.id, later.folder.id}
    assert len(matches) == 2
    assert matches[folder.id] is matches[folder.id]
    assert matches.get("nothing") is None
    assert matches.get("../x") is None


def test_a_broken_match_does_not_hide_the_others(
    store: Store, folder: MatchFolder, caplog: pytest.LogCaptureFixture
) -> None:
    with store.create(HEADER, table(), Origin(name="usb:0")) as broken:
        pass
    broken.folder.log_path.write_text("{nonsense\n")
    with pytest.raises(BadLog):
        StoredMatch(broken.folder)

    matches = StoredMatches(store)
    with caplog.at_level(logging.WARNING):
        assert list(matches) == [folder.id]
        assert list(matches) == [folder.id]
    assert [broken.folder.id in record.getMessage() for record in caplog.records] == [True]


def test_what_others_write_is_read_on_without_reading_all_again(
    folder: MatchFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = StoredMatch(folder)
    monkeypatch.setattr(MatchFolder, "log", lambda _: pytest.fail("the whole log is read again"))
    board = picture_of_board(2.0)
    with folder.open() as playing:
        playing.append(board)
        assert desk.snapshot().board == board
        playing.append(Ruling(event=1, replace=None, by="Ann"))
        playing.append(Note(text="hello"))
        snapshot = desk.snapshot()
    assert snapshot.events == (*THROWS, board, Ruling(event=1, replace=None, by="Ann"), Note(text="hello"))
    assert snapshot.board == board
    assert snapshot.standing == fold(HEADER, table().layout, snapshot.events)
    desk.rule(event=5, replace=None, by="Ann", reason="x")
    assert len(desk.snapshot().events) == 6, "the own ruling is there once"


def test_a_line_that_can_not_be_read_is_waited_for(folder: MatchFolder) -> None:
    desk = StoredMatch(folder)
    known = desk.snapshot()
    written = folder.log_path.read_bytes()
    folder.log_path.write_bytes(written + b"{nonsense\n")
    assert desk.snapshot() is known
    folder.log_path.write_bytes(written + b'{"type":"note","text":"mended"}\n')
    assert desk.snapshot().events == (*THROWS, Note(text="mended"))


def test_a_log_that_is_another_than_before_is_shown_anew(folder: MatchFolder) -> None:
    with folder.open() as playing:
        playing.append(picture_of_board(2.0))
    desk = StoredMatch(folder)
    assert desk.snapshot().board is not None
    write_log(folder.log_path, HEADER, THROWS[:1])
    snapshot = desk.snapshot()
    assert (snapshot.events, snapshot.board) == (THROWS[:1], None)
    assert snapshot.standing == fold(HEADER, table().layout, THROWS[:1])
    with folder.open() as playing:
        playing.append(Note(text="and on"))
    assert desk.snapshot().events == (THROWS[0], Note(text="and on"))


def test_a_ruling_without_which_nothing_can_be_played_stays(folder: MatchFolder) -> None:
    unusable = replace(HEADER, players=HEADER.players[:1])
    write_log(folder.log_path, unusable, (*THROWS, Ruling(event=0, replace=HEADER, by="Ann")))
    desk = StoredMatch(folder)
    known = desk.snapshot()
    assert known.standing.header == HEADER
    with pytest.raises(BadRuling, match=r"can't be played without.*2 to 4 players"):
        desk.rule(event=3, replace=None, by="Ann", reason="x")
    assert desk.snapshot() is known
    with folder.open() as playing:
        playing.append(Ruling(event=3, replace=None, by="Eve"))
    assert desk.snapshot() is known, "what another writes that can't be played is left aside"
    with folder.open() as playing:
        playing.append(Ruling(event=4, replace=None, by="Eve"))
    assert desk.snapshot().standing.header == HEADER
    assert len(desk.snapshot().events) == 5
