"""A match that grows with its log stands as a fold of the whole log, and plays no more of it anew than it must."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from calibration.layout import Layout
from referee.errors import BadHeader
from referee.events import Event, Header, Note, Ruling, event_from_json
from referee.games.bounce_em_all import BounceEmAll
from referee.games.game import Step
from referee.log import Log, layout_of, read_log
from referee.match import Match, fold, history
from referee.match.corrections import CorrectedLog
from tests.games.golden import logs
from tests.games.play import BOARD, NOTE, Json, grid, header, move, placed, removed, ruling, shot, start
from tests.match.plain import plain_match

PLACES = ("A1", "A2", "B2", "C3", "D1", "E5", "board")
IDS = st.sampled_from([{}, {}, {}, {"id": "a"}, {"id": "b"}])
HEADERS = st.sampled_from(
    [
        header(starter="Ann"),
        header(3),
        header(3, starter="Cem", rounds=2),
        {**header(starter="Bob"), "layout": "smaller"},
        {**header(starter="Bob"), "layout": "unknown"},
        header(1),
        {**header(), "game": None},
    ]
)
SHOTS = st.builds(
    shot,
    st.sampled_from(["red", "red", "blue", "blue", "green", "purple"]),
    st.sampled_from([*PLACES, "off", "out", "on_ball", "Z9"]),
    st.sampled_from([0, 1, 1, 1, 2]),
    moved=st.just([]) | st.lists(st.builds(move, st.just("red"), st.sampled_from(PLACES), st.none()), max_size=1),
)
HANDS = st.builds(
    lambda hand, colour, place: hand((colour, place)),
    st.sampled_from([removed, placed]),
    st.sampled_from(["red", "blue"]),
    st.sampled_from(PLACES),
)
ODD = st.sampled_from([NOTE, {"type": "shot"}, {"type": "seen.hand"}, 5, {"type": "ruling", "event": 1}])
PLAIN = st.one_of(SHOTS, SHOTS, HANDS, ODD)


def find_layout(ruled: Header) -> Layout | None:
    return {"test": BOARD, "smaller": grid("AB", 3)}.get(str(ruled.layout))


class GrowingMatch(RuleBasedStateMachine):
    """Lines of all sorts come to a match, one by one and several at once, most of them rulings on earlier ones."""

    rulings = Bundle("rulings")

    @initialize(begun=st.sampled_from([header(), header(starter="Ann"), header(3, starter="Bob", rounds=3)]))
    def begin(self, begun: Json) -> None:
        self.header = start(begun)
        self.match = Match.of(self.header, BOARD, (), find_layout)
        self.older = self.match

    def add(self, *lines: object) -> None:
        self.match = self.match.grown([event_from_json(line) for line in lines])

    @rule(line=PLAIN, more=IDS)
    def one_line(self, line: object, more: Json) -> None:
        self.add({**line, **more} if isinstance(line, dict) else line)

    @rule(result=st.sampled_from([*PLACES, "off"]))
    def a_throw_of_who_is_in_turn(self, result: str) -> None:
        standing = self.match.standing()
        colours = {player.name: player.colours[0] for player in standing.header.players}
        if standing.expected.players:
            self.add(shot(colours[standing.expected.players[0]], result))

    @rule(lines=st.lists(PLAIN, max_size=5))
    def several_lines(self, lines: list[object]) -> None:
        self.add(*lines)

    @rule(target=rulings, data=st.data(), replace=st.none() | PLAIN | HEADERS, more=IDS)
    def a_ruling(self, data: st.DataObject, replace: Json | None, more: Json) -> int:
        last = len(self.match.events) + 1
        self.add(ruling(data.draw(st.integers(0, last + 1)), replace, **more))
        return last

    @rule(target=rulings, earlier=rulings, data=st.data())
    def a_ruling_that_puts_another_in_place_of_one(self, earlier: int, data: st.DataObject) -> int:
        about, replace = data.draw(st.integers(0, earlier)), data.draw(st.none() | SHOTS | HEADERS)
        self.add(ruling(earlier, ruling(about, replace)))
        return len(self.match.events)

    @rule(earlier=consumes(rulings))
    def a_ruling_that_strikes_one_out(self, earlier: int) -> None:
        self.add(ruling(earlier, None))

    @rule(data=st.data())
    def rulings_and_throws_at_once(self, data: st.DataObject) -> None:
        last = len(self.match.events)
        about = data.draw(st.lists(st.integers(0, last + 3), min_size=1, max_size=3))
        self.add(data.draw(SHOTS), *(ruling(line, data.draw(st.none() | SHOTS)) for line in about), data.draw(SHOTS))

    @rule()
    def look_back_later(self) -> None:
        self.older = self.match

    @rule(line=PLAIN)
    def an_older_match_grows_otherwise(self, line: object) -> None:
        events = (*self.older.events, event_from_json(line))
        assert self.older.grown(events[-1:]).standing() == plain_match(self.header, BOARD, events, find_layout)

    @invariant()
    def it_stands_as_the_plain_reading_of_its_log(self) -> None:
        plain = plain_match(self.header, BOARD, self.match.events, find_layout)
        assert self.match.standing() == plain
        assert fold(self.header, BOARD, self.match.events, find_layout) == plain
        for line in range(len(self.match.events) + 1):
            assert list(plain.calls_of(line)) == [call for call in plain.calls if call.event == line]


def test_a_match_that_grows_stands_as_the_plain_reading_of_its_log(monkeypatch: pytest.MonkeyPatch) -> None:
    # So close together that also the short matches of this test keep moments and give some up.
    monkeypatch.setattr(history, "KEPT_EVERY", 2)
    monkeypatch.setattr(history, "KEPT_CLOSE", 2)
    run_state_machine_as_test(GrowingMatch, settings=settings(max_examples=30, stateful_step_count=25, deadline=None))


def ruled_at_random(log: Log, dice: random.Random) -> Iterator[Event]:
    """The lines of a log, with rulings thrown in: some strike out, some put one line in place of another."""
    written: list[Event] = []
    for event in log.events:
        written.append(event)
        yield event
        while dice.random() < 0.15:
            about = dice.choice([0, *range(1, len(written) + 1)])
            replacement = dice.choice([None, Note(text="a remark"), *written])
            written.append(Ruling(event=about, replace=replacement if about else log.header, by="Eve"))
            yield written[-1]


@pytest.mark.parametrize("path", logs(), ids=lambda path: path.stem)
def test_golden_matches_with_rulings_grow_as_they_are_read_plainly(path: Path) -> None:
    log, dice = read_log(path), random.Random(path.stem)
    layout = layout_of(log.header, path.parent)
    match = Match.of(log.header, layout)
    looks = sorted(dice.sample(range(1, len(log.events)), 5))
    for event in ruled_at_random(log, dice):
        match = match.grown([event])
        if looks and len(match.events) == looks[0]:
            looks.pop(0)
            assert match.standing() == plain_match(log.header, layout, match.events)
    assert not looks
    assert match.standing() == plain_match(log.header, layout, match.events)


@given(throws=st.lists(SHOTS, min_size=1, max_size=20), data=st.data())
def test_striking_a_line_out_equals_never_having_had_it(throws: list[Json], data: st.DataObject) -> None:
    line = data.draw(st.integers(1, len(throws)))
    never = [*throws[: line - 1], NOTE, *throws[line:]]
    struck, without = (
        Match.of(start(header()), BOARD, [event_from_json(event) for event in events]) for events in (throws, never)
    )
    strike = event_from_json(ruling(line, None))
    assert struck.grown([strike]).standing() == without.standing()
    back = event_from_json(ruling(len(throws) + 1, None))
    assert struck.grown([strike, back]).standing() == struck.standing()


class Plays:
    """Counts the lines that a game is given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        really = BounceEmAll.apply

        def counted(state: BounceEmAll, event: Event) -> Step:
            self.count += 1
            return really(state, event)

        monkeypatch.setattr(BounceEmAll, "apply", counted)

    def of(self, match: Match, *events: Event) -> int:
        """How many lines are played when these come to a match."""
        self.count = 0
        match.grown(events)
        return self.count


@pytest.fixture
def plays(monkeypatch: pytest.MonkeyPatch) -> Plays:
    return Plays(monkeypatch)


ENDLESS = start(header(starter="Ann", rounds=10**9))
OFF = event_from_json(shot("red", "off"))
STRUCK = Note(text="it was a practice throw")


@cache
def long_match(length: int) -> Match:
    """A match of throws alone, most of them out of turn."""
    return Match.of(ENDLESS, BOARD, [OFF] * length)


def strike(line: int) -> Ruling:
    return Ruling(event=line, replace=None, by="Eve")


def test_every_line_is_played_once(plays: Plays) -> None:
    match = Match.of(ENDLESS, BOARD)
    for count in range(1, 1_001):
        match = match.grown([OFF])
        assert plays.count == count
    plays.count = 0
    assert fold(ENDLESS, BOARD, [OFF] * 1_000) == match.standing()
    assert plays.count == 1_000


@pytest.mark.parametrize("back", [1, 10, 63, 64, 65, 100, 1_000, 1_100, 2_000, 5_000, 9_999, 10_000])
def test_a_ruling_plays_little_more_than_what_came_after_its_line(plays: Plays, back: int) -> None:
    length = 10_000
    match = long_match(length)
    played = plays.of(match, strike(length - back + 1))
    assert back - 1 <= played <= back + max(history.KEPT_EVERY, back // 7)


def test_a_ruling_on_the_newest_line_costs_the_same_in_a_long_match(plays: Plays) -> None:
    assert plays.of(long_match(640), strike(640)) == plays.of(long_match(12_800), strike(12_800))


def test_a_ruling_that_changes_nothing_plays_nothing_anew(plays: Plays) -> None:
    match = long_match(500)
    assert plays.of(match, Ruling(event=1, replace=OFF)) == 0
    assert plays.of(match, Ruling(event=900, replace=None)) == 0
    assert plays.of(match, Ruling(event=0, replace=None)) == 0


def test_several_rulings_at_once_play_a_line_once(plays: Plays) -> None:
    assert plays.of(long_match(640), strike(630), strike(10), strike(320)) == 640 - 3


def test_a_ruling_on_a_ruling_goes_back_to_what_that_was_about(plays: Plays) -> None:
    match = long_match(640).grown([strike(300), *[OFF] * 64])
    assert 640 + 64 - 300 <= plays.of(match, strike(641)) <= 640 + 64 - 300 + history.KEPT_EVERY


def test_another_header_plays_all_anew(plays: Plays) -> None:
    ruled = start(header(3, starter="Cem", rounds=10**9))
    match = long_match(640).grown([OFF, strike(600)])
    assert plays.of(match, Ruling(event=0, replace=ruled)) == 640


def test_what_is_struck_in_the_lines_that_come_with_it_is_never_played(plays: Plays) -> None:
    assert plays.of(long_match(640), OFF, strike(641), OFF) == 1


def test_a_line_takes_no_longer_for_all_the_rulings_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    match = long_match(200).grown([strike(line) for line in range(1, 101)])
    looks: list[int] = []
    really = CorrectedLog.__getitem__

    def watched(log: CorrectedLog, line: int) -> Event | None:
        looks.append(line)
        return really(log, line)

    monkeypatch.setattr(CorrectedLog, "__getitem__", watched)
    match.grown([OFF])
    assert looks == [301]


def test_long_matches_keep_few_moments() -> None:
    for length, most in ((0, 1), (64, 2), (1_024, 17), (100_000, 80)):
        match = Match.of(ENDLESS, BOARD, [STRUCK] * length)
        lines = [moment.line for moment in match.kept]
        assert lines[0] == 0
        assert len(lines) <= most
        assert all(
            after - before <= max(history.KEPT_EVERY, (length - before) // 7) for before, after in pairwise(lines)
        )


def test_what_grew_line_by_line_keeps_the_same_moments() -> None:
    match = Match.of(ENDLESS, BOARD)
    for _ in range(3_000):
        match = match.grown([STRUCK])
    assert match.kept == Match.of(ENDLESS, BOARD, [STRUCK] * 3_000).kept


def test_a_match_whose_header_was_ruled_can_not_go_back_to_one_that_is_unusable() -> None:
    unusable, usable = start({**header(), "game": "chess"}), start(header(starter="Ann"))
    with pytest.raises(BadHeader, match="chess"):
        Match.of(unusable, BOARD)
    match = Match.of(unusable, BOARD, [OFF, Ruling(event=0, replace=usable)])
    assert match.standing().turn == "Bob"
    with pytest.raises(BadHeader, match="chess"):
        match.grown([OFF, strike(2)])
    assert match.grown([event_from_json(shot("blue", "off"))]).standing().turn == "Ann"


def test_calls_are_found_by_their_line() -> None:
    standing = long_match(4).standing()
    assert [[call.call for call in standing.calls_of(line)] for line in range(6)] == [
        [],
        ["foul", "forfeit"],
        ["refused"],
        ["refused"],
        ["refused"],
        [],
    ]
