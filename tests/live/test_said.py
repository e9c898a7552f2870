"""What people say at the table: decisions and missed throws are in the log before anybody is told so."""

import errno
import json

import pytest

from referee.errors import NotCounted
from referee.events import Decision, Event, Header, InHole, Player, SeenPins, Shot, Stamp, Tap
from referee.games.wonder_bowling import WonderBowlingDetail
from referee.log import LogWriter
from referee.recording import Origin
from referee.store import MatchFolder, Store
from referee.stored import StoredMatch
from tests.live.playing import PATIENCE_S, live
from tests.live.scene import ScriptedCamera, ScriptedWatcher, even_times, table, throw

PLAYERS = (Player(name="Ann"), Player(name="Bob"))
HIT = Shot(ball="orange-small", colour="orange", table_bounces=1, result=InHole(hole="A1"))


def stored(store: Store, game: str, *events: Event) -> MatchFolder:
    with store.create(Header(game=game, players=PLAYERS), table(), Origin(name="usb:0")) as match:
        for event in events:
            match.append(event)
        return match.folder


def test_a_decision_is_scored_and_there_after_a_restart(store: Store) -> None:
    folder = stored(store, "bounce-it", HIT)
    decided = StoredMatch(folder).decide(player="Ann", choice="stop")
    assert dict(decided.standing.scores) == {"Ann": 1, "Bob": 0}
    again = StoredMatch(folder).snapshot()
    assert again.events == (HIT, Decision(player="Ann", choice="stop"))
    assert again.standing == decided.standing


def test_chips_to_be_turned_are_named(store: Store) -> None:
    folder = stored(store, "wonder-bowling", Tap(standing=1))
    desk = StoredMatch(folder)
    before = dict(desk.snapshot().standing.scores)
    detail = desk.snapshot().standing.detail
    assert isinstance(detail, WonderBowlingDetail)
    after = desk.decide(player="Ann", choice="targets", targets=detail.hands[0].targets[::-1])
    assert dict(after.standing.scores) == {**before, "Ann": before["Ann"] - 2}


def test_what_the_rules_refuse_is_told_and_not_kept(store: Store) -> None:
    folder = stored(store, "bounce-it", HIT)
    desk = StoredMatch(folder)
    with pytest.raises(NotCounted, match="out of turn"):
        desk.decide(player="Bob", choice="stop")
    with pytest.raises(NotCounted, match="this line can't be used"):
        desk.decide(player="Ann", choice="stand")
    with pytest.raises(NotCounted, match="this line can't be used"):
        desk.add(event=Decision(player="Ann", choice="targets", targets=(-1,)), by="Bob", reason="x")
    desk.decide(player="Ann", choice="stop")
    with pytest.raises(NotCounted, match="there is no stopping now"):
        desk.decide(player="Bob", choice="stop")
    assert len(folder.log().events) == 2


def test_a_missed_throw_is_added_with_who_said_so(store: Store) -> None:
    folder = stored(store, "bounce-it")
    desk = StoredMatch(folder)
    added = desk.add(event=HIT, by="Zoë", reason="nobody stood in front of the camera").events[-1]
    assert isinstance(added, Shot)
    assert json.loads(added.stamp.evidence or "") == {"by": "Zoë", "reason": "nobody stood in front of the camera"}
    assert folder.log().events == (added,)
    assert desk.snapshot().standing.calls_of(1)[0].call == "hit"


def test_nothing_is_said_in_a_match_that_another_process_writes(store: Store) -> None:
    folder = stored(store, "bounce-it", HIT)
    desk = StoredMatch(folder)
    with folder.open(), pytest.raises(NotCounted, match=r"not saved.*another referee is writing this match"):
        desk.decide(player="Ann", choice="stop")


def test_a_running_table_takes_what_is_said_before_and_after_the_recording_too(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with live(store, ScriptedCamera(even_times(40)), ScriptedWatcher({})) as running:
        before = running.add(event=throw("red", "D6", 0.3), by="Ann", reason="x").events[-1]
        assert before.stamp.t_s is None, "the recording has not begun"
        running.start()
        assert running.join(PATIENCE_S)
        log = store.folder(running.match_id).log()
        assert log.events == (before,)
        with pytest.raises(NotCounted, match="this line can't be used"):
            running.decide(player="Ann", choice="stand")

        def full(writer: LogWriter, event: Event) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(LogWriter, "append", full)
        known = running.snapshot()
        with pytest.raises(NotCounted, match=r"not saved.*the disk is full"):
            running.add(event=throw("blue", "A1", 0.6), by="Ann", reason="x")
        assert running.snapshot().standing == known.standing


def test_the_newest_picture_of_the_pins_is_shown(store: Store) -> None:
    folder = stored(store, "wonder-bowling", SeenPins(standing=10, fallen=0))
    desk = StoredMatch(folder)
    newer = SeenPins(standing=7, fallen=3, stamp=Stamp(t_s=2.0))
    with folder.open() as match:
        match.append(newer)
        match.append(Tap(standing=7))
    assert desk.snapshot().pins == newer
    assert desk.snapshot().camera is not None
