"""What every game has to keep to, those of this project and those of others.

A package with a game of its own can run these tests on it too: it only has to be installed.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.layout import Layout
from referee.errors import BadHeader
from referee.events import (
    Choice,
    Decision,
    Note,
    Shot,
    Tap,
    event_from_json,
    event_to_json,
    header_from_json,
    header_to_json,
    type_of,
)
from referee.events.reading import READERS
from referee.games import GAMES, find_game, game_names
from referee.games.game import Action, CallKind, Game, Phase
from referee.log import read_log, write_log
from referee.match import Match, Standing, fold
from referee.score import scoreboard, standing_to_json
from referee.words import call_words, event_words
from tests.games.lines import ANY_EVENT, begin, board_of, grown, logs, match_of, played_out, with_one
from tests.games.play import BOARD, COLOURS, NAMES, NOTE, SEATS, Json, ruling
from tests.games.plugins import SKITTLES, installed

pytestmark = pytest.mark.usefixtures("skittles")

CHECKED = (*(game.name for game in GAMES), "skittles")
every_game = pytest.mark.parametrize("name", CHECKED)


def some_matches(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test on matches that are made up as it goes; fewer of each game, for there are many games."""
    return settings(max_examples=25)(given(data=st.data())(test))


@pytest.fixture(scope="module")
def skittles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with installed(tmp_path_factory.mktemp("site"), SKITTLES):
        yield


def position(standing: Standing) -> Json:
    """How a match stands, without how it came to be."""
    return {**standing_to_json(standing), "calls": None}


def test_all_games_are_checked() -> None:
    assert set(CHECKED) <= set(game_names())
    assert len(set(CHECKED)) == len(CHECKED)


@every_game
def test_what_a_game_says_of_itself(name: str) -> None:
    game = find_game(name)
    assert game.name == name
    assert name == name.lower().strip()
    assert game.title.strip()
    assert game.uses
    assert all(kind not in ("", "match", "ruling", "decision", "note") for kind in game.uses)
    assert {kind for kind in game.uses if kind in READERS}.isdisjoint({"note"})
    assert game.choices <= set(get_args(Choice)) - {"ready"}


@every_game
def test_a_match_begins_with_nothing_won(name: str) -> None:
    game = find_game(name)
    standing = begin(game).standing()
    assert standing.game == name
    assert standing.phase in ("opening", "playing")
    assert (standing.winners, standing.board, tuple(standing.calls)) == ((), (), ())
    assert standing.expected.action != "nothing"
    assert standing.expected.players


@every_game
def test_a_match_begins_the_same_every_time(name: str) -> None:
    game = find_game(name)
    assert begin(game).standing() == begin(game).standing()
    header = header_from_json(match_of(game))
    drawn = game.draw(header)
    assert game.draw(drawn) == drawn
    assert drawn.players == header.players
    assert header_from_json(header_to_json(drawn)) == drawn
    assert fold(drawn, board_of(game), ()).detail == fold(header, board_of(game), ()).detail


@every_game
@some_matches
def test_headers_start_a_match_or_say_what_is_wrong(name: str, data: st.DataObject) -> None:
    game = find_game(name)
    value = (
        st.none()
        | st.booleans()
        | st.integers(-2, 200)
        | st.sampled_from(["Ann", "Zed", 1.5, [], {}, [2, 3], {"1": 2}])
    )
    players = [
        {"name": f"P{place}", "seat": data.draw(st.sampled_from([*SEATS, None])), "colours": colours}
        for place, colours in enumerate(data.draw(st.lists(st.lists(st.sampled_from(COLOURS), max_size=2), max_size=7)))
    ]
    options = data.draw(st.dictionaries(st.sampled_from(OPTIONS), value, max_size=2))
    layout: Layout | None = data.draw(st.sampled_from([None, BOARD]))
    header = header_from_json({**match_of(game), "players": players, "options": options})
    with suppress(BadHeader):
        state = game.start(header, layout)
        assert tuple(player for player, _ in state.outcome().scores) == header.names


OPTIONS = [
    "starter",
    "wrong_side",
    "foul_wins_no_row",
    "rounds",
    "target",
    "throw_means_stand",
    "supply",
    "no_blue_from_21",
    "no_blue_first_turn",
    "throw_means_raise",
    "targets",
    "penalty_chips",
    "seed",
    "dealer",
    "show_upcoming",
    "special_bouncers",
    "turns",
    "colour of the sky",
]


@every_game
@some_matches
def test_a_state_never_changes(name: str, data: st.DataObject) -> None:
    game = find_game(name)
    lines = data.draw(logs(game, rulings=False))
    umpire = begin(game).umpire
    state = umpire.start
    for line in lines:
        before = repr(state)
        steps = [umpire.take(state, event_from_json(line)) for _ in range(2)]
        assert steps[0] == steps[1]
        assert repr(state) == before
        check_frozen(state)
        state = steps[0].state


def check_frozen(state: object) -> None:
    assert is_dataclass(state)
    with pytest.raises(FrozenInstanceError):
        setattr(state, fields(state)[0].name, None)


@every_game
@some_matches
def test_what_a_game_does_not_read_leaves_its_state_alone(name: str, data: st.DataObject) -> None:
    game = find_game(name)
    match = grown(begin(game), *data.draw(logs(game, rulings=False, most=8)))
    for event in (Note(text="x"), event_from_json(data.draw(ANY_EVENT))):
        if type_of(event) not in game.uses and type_of(event) != "decision":
            assert match.now.state.apply(event).state == match.now.state
            assert position(match.grown([event]).standing()) == position(match.standing())


@every_game
@some_matches
def test_the_standing_is_whole_after_every_line(name: str, data: st.DataObject) -> None:
    game = find_game(name)
    match = begin(game)
    for line in data.draw(logs(game)):
        match = grown(match, line)
        check_standing(match.standing(), len(match.events))


def check_standing(standing: Standing, lines: int) -> None:
    names = standing.header.names
    assert standing.phase in get_args(Phase)
    assert tuple(name for name, _ in standing.scores) == names
    assert standing.turn in (None, *names)
    assert standing.expected.action in get_args(Action)
    assert set(standing.expected.players) <= set(names)
    assert (standing.expected.action == "nothing") == (not standing.expected.players)
    assert standing.turn is None or standing.expected.players in ((standing.turn,), ())
    assert set(standing.expected.choices) <= set(get_args(Choice))
    assert len({hole for hole, _ in standing.board}) == len(standing.board)
    if standing.phase == "finished":
        assert (standing.turn, standing.expected.action) == (None, "nothing")
    else:
        assert standing.winners == ()
    assert [call.player for call in standing.calls if call.call == "win"] == list(standing.winners)
    assert list(standing.winners) == [name for name in names if name in standing.winners]
    assert [call.event for call in standing.calls] == sorted(call.event for call in standing.calls)
    for call in standing.calls:
        assert call.call in get_args(CallKind)
        assert call.player in (None, *names)
        assert 0 < call.event <= lines
    assert json.loads(json.dumps(standing_to_json(standing), allow_nan=False)) == standing_to_json(standing)


@every_game
@some_matches
def test_everything_can_be_said_in_words(name: str, data: st.DataObject) -> None:
    game = find_game(name)
    match = grown(begin(game), *data.draw(logs(game)))
    standing = match.standing()
    said = [
        *(call_words(call) for call in standing.calls),
        *(event_words(event, standing.header) for event in match.events),
    ]
    assert all(words == words.strip() and words and "\n" not in words for words in said)
    assert not any("_" in call_words(call) for call in standing.calls)
    assert scoreboard(standing).startswith(f"{game.title}: ")


@every_game
@some_matches
def test_a_refused_event_changes_nothing(name: str, data: st.DataObject) -> None:
    game = find_game(name)
    match = begin(game)
    for line in data.draw(logs(game, rulings=False)):
        before, match = match, grown(match, line)
        called = match.standing().calls_of(len(match.events))
        if any(call.call == "refused" for call in called):
            assert len(called) == 1
            assert match.now.state == before.now.state


@every_game
@some_matches
def test_the_kept_state_equals_the_fold_of_the_log(name: str, data: st.DataObject) -> None:
    game = find_game(name)
    lines = data.draw(logs(game))
    match = begin(game)
    for line in lines:
        match = grown(match, line)
    assert match.standing() == whole(game, lines)


def whole(game: Game, lines: list[object]) -> Standing:
    """The score of a log, read in one go."""
    events = [event_from_json(line) for line in lines]
    return fold(header_from_json(match_of(game)), board_of(game), events, lambda header: board_of(game))


@every_game
@some_matches
def test_striking_an_event_out_equals_never_having_had_it(name: str, data: st.DataObject) -> None:
    game = find_game(name)
    lines = data.draw(logs(game).filter(bool))
    line = data.draw(st.integers(1, len(lines)))
    struck = grown(begin(game), *lines, ruling(line, None)).standing()
    assert struck == grown(begin(game), *with_one(lines, line, NOTE), ruling(line, NOTE)).standing()


@every_game
@some_matches
def test_replacing_an_event_equals_having_had_the_other(name: str, data: st.DataObject) -> None:
    game = find_game(name)
    lines = data.draw(logs(game, rulings=False).filter(bool))
    line, other = data.draw(st.integers(1, len(lines))), data.draw(ANY_EVENT)
    replaced = grown(begin(game), *lines, ruling(line, other)).standing()
    assert replaced == grown(begin(game), *with_one(lines, line, other)).standing()


@every_game
@some_matches
def test_nothing_comes_of_what_somebody_does_out_of_turn(name: str, data: st.DataObject) -> None:
    game = find_game(name)
    # A throw of the next player may mean that the one in turn is done; not here.
    match = begin(game, match_of(game, throw_means_stand=False))
    for line in data.draw(logs(game, rulings=False, throw_means_stand=False)):
        before, match = match, grown(match, line)
        turn, event = before.standing().turn, match.events[-1]
        if turn is not None and isinstance(event, Shot | Tap | Decision) and event.player not in (None, turn):
            called = match.standing().calls_of(len(match.events))
            assert {call.call for call in called} <= {"refused"}
            assert match.now.state == before.now.state


@every_game
@some_matches
def test_a_log_survives_being_written(name: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    game = find_game(name)
    lines = data.draw(logs(game))
    header, events = header_from_json(match_of(game)), tuple(map(event_from_json, lines))
    path = tmp_path_factory.getbasetemp() / f"{name}.jsonl"
    write_log(path, header, events)
    log = read_log(path)
    assert (log.header, log.events, log.warnings) == (header, events, ())
    text = path.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in text] == [header_to_json(header), *map(event_to_json, events)]
    assert fold(log.header, board_of(game), log.events, lambda _: board_of(game)) == whole(game, lines)


@every_game
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_games_end(name: str, seed: int) -> None:
    game = find_game(name)
    match = played_out(game, seed)
    standing = match.standing()
    assert standing.phase == "finished"
    check_standing(standing, len(match.events))


@every_game
def test_after_the_end_nothing_is_scored(name: str) -> None:
    game = find_game(name)
    match = played_out(game, 1)
    end = match.standing()
    for kind in sorted(game.uses - {"removed", "placed"}):
        after = grown(match, AFTER_THE_END[kind]).standing()
        assert position(after) == position(end)
        assert [call.reason for call in after.calls_of(len(match.events) + 1)] == ["game_over"]
    for kind in sorted(game.uses & {"removed", "placed"}):
        balls = [{"colour": "red", "from": "A1", "to": "A1"}]
        assert grown(match, {"type": kind, "balls": balls}).standing() == end
    assert grown(match, {"type": "decision", "player": "Ann", "choice": "ready"}).standing() == end


AFTER_THE_END: dict[str, Json] = {
    "shot": {"type": "shot", "colour": "red", "ball": "blue", "table_bounces": 1, "result": {"place": "board"}},
    "tap": {"type": "tap", "standing": 3},
    "rack": {"type": "rack", "standing": 10},
    "point_card": {"type": "point_card", "card": "7H"},
    "card": {"type": "card", "card": "QS", "seat": SEATS[0]},
    "whistle": {"type": "whistle"},
}


@every_game
def test_a_ruling_reopens_a_finished_game(name: str) -> None:
    game = find_game(name)
    match = played_out(game, 1)
    last = len(match.events)
    assert match.standing().phase == "finished"
    reopened = grown(match, ruling(last, None)).standing()
    assert reopened.phase != "finished"
    assert position(reopened) == position(Match.of(match.umpire.header, board_of(game), match.events[:-1]).standing())


@every_game
def test_lines_that_can_not_be_used_are_refused(name: str) -> None:
    game = find_game(name)
    start = begin(game)
    unusable = [5, {}, {"type": "match", "version": 1}, {"type": "decision", "player": NAMES[0], "choice": "dance"}]
    unusable += [{"type": kind} for kind in sorted(game.uses & READERS.keys())]
    for line in unusable:
        after = grown(start, line).standing()
        assert [(call.call, call.reason) for call in after.calls] == [("refused", "bad_event")]
        assert position(after) == position(start.standing())
    for choice in set(get_args(Choice)) - game.choices - {"ready"}:
        after = grown(start, {"type": "decision", "player": NAMES[0], "choice": choice}).standing()
        assert [(call.player, call.reason) for call in after.calls] == [(NAMES[0], "bad_event")]
