"""Rulings on a running match: saved before they count, rescored at once, and refused when they can't stand."""

import errno
import threading
from dataclasses import replace

import pytest

from referee.errors import BadRuling
from referee.events import Event, InHole, Note, Ruling
from referee.log import LogWriter
from referee.store import Store
from tests.live.playing import OPENING, PATIENCE_S, SCRIPT, live, until
from tests.live.scene import (
    ScriptedCamera,
    ScriptedWatcher,
    even_times,
    picture_of_board,
)


def test_a_ruling_during_play_is_on_the_disk_when_it_returns_and_rescores(store: Store) -> None:
    ruled = threading.Event()

    def hold(number: int) -> None:
        if number == 35:
            ruled.wait(PATIENCE_S)

    script = {**SCRIPT, 38: (Note(text="later", by="Ann"),)}
    with live(store, ScriptedCamera(even_times(40)), ScriptedWatcher(script, at_picture=hold)) as running:
        running.start()
        before = until(running, lambda s: len(s.events) == 3)
        assert before.standing.turn == "Ann"

        double = replace(OPENING[0], table_bounces=2)
        after = running.rule(event=2, replace=double, by="Bob", reason="two bounces")

        ruling = Ruling(event=2, replace=double, by="Bob", reason="two bounces")
        assert store.folder(running.match_id).log().events == (*before.events, ruling)
        assert after.events[-1] == ruling
        assert after.version > before.version
        first = after.standing.calls[0]
        assert (first.event, first.call, first.reason) == (2, "foul", "double_bounce")
        assert after.standing.turn == "Bob", "the opening goes to the other"
        assert running.snapshot() is after

        ruled.set()
        running.join()
        assert running.snapshot().events == (*after.events, Note(text="later", by="Ann"))


def test_striking_out_and_a_ruling_on_a_ruling(store: Store) -> None:
    with live(store, ScriptedCamera(even_times(40)), ScriptedWatcher(SCRIPT)) as running:
        running.start().join()
        before = running.snapshot()
        struck = running.rule(event=3, replace=None, by="Ann", reason="a practice throw")
        assert struck.standing.phase == "opening"
        back = running.rule(event=4, replace=None, by="Bob", reason="it was none")
        assert back.standing.calls == before.standing.calls


@pytest.mark.parametrize(
    ("event", "corrected", "said"),
    [
        (99, None, "no such line"),
        (-1, None, "no such line"),
        (0, None, "header can't be struck out"),
        (0, Note(text="x"), "can't be used"),
        (2, replace(OPENING[0], result=InHole(hole="Z9")), "can't be used"),
        (2, replace(OPENING[0], player="Nobody"), "can't be used"),
        (2, replace(OPENING[0], table_bounces=-1), "can't be used"),
        (2, Ruling(event=1, replace=None), "only take the place of a ruling"),
    ],
)
def test_a_ruling_that_can_not_stand_changes_nothing(
    store: Store, event: int, corrected: Event | None, said: str
) -> None:
    with live(store, ScriptedCamera(even_times(40)), ScriptedWatcher(SCRIPT)) as running:
        running.start().join()
        before = running.snapshot()
        bytes_before = store.folder(running.match_id).log_path.read_bytes()
        with pytest.raises(BadRuling, match=said):
            running.rule(event=event, replace=corrected, by="Ann", reason="x")
        assert running.snapshot() is before
        assert store.folder(running.match_id).log_path.read_bytes() == bytes_before


def test_a_missed_throw_is_put_in_place_of_a_picture_of_the_board(store: Store) -> None:
    script: dict[int, tuple[Event, ...]] = {3: (picture_of_board(0.1),), 30: OPENING[1:]}
    with live(store, ScriptedCamera(even_times(40)), ScriptedWatcher(script)) as running:
        running.start().join()
        assert running.snapshot().standing.phase == "opening"
        snapshot = running.rule(event=1, replace=OPENING[0], by="Ann", reason="it was not seen")
        assert (snapshot.standing.phase, snapshot.standing.turn) == ("playing", "Ann")


def test_a_ruling_that_can_not_be_saved_is_told_and_changes_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(writer: LogWriter, event: Event) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with live(store, ScriptedCamera(even_times(40)), ScriptedWatcher(SCRIPT)) as running:
        running.start().join()
        before = running.snapshot()
        monkeypatch.setattr(LogWriter, "append", no_room)
        with pytest.raises(BadRuling, match=r"not saved.*disk is full"):
            running.rule(event=3, replace=None, by="Ann", reason="x")
        assert running.snapshot() is before


def test_after_closing_the_match_takes_no_rulings(store: Store) -> None:
    with live(store, ScriptedCamera(even_times(40)), ScriptedWatcher(SCRIPT)) as running:
        running.start().join()
    with pytest.raises(BadRuling, match="closed"):
        running.rule(event=2, replace=None, by="Ann", reason="x")
