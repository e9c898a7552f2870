"""What holds for every match of Bounce It-In, whatever is in its log."""

import json
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.errors import RefereeError
from referee.events import event_from_json, header_from_json
from referee.games import find_game
from referee.games.bounce_it_in_match import BounceItInMatch
from referee.games.game import Refused, State
from referee.log import read_log, write_log
from referee.match import Standing, fold
from referee.score import score_log, standing_to_json
from tests.games.play import BOARD, COLOURS, NOTE, Json, header, move, placed, play, removed, ruling, score, shot, stand

HOLES = st.sampled_from(["A1", "A2", "B2", "B3", "C3", "D1", "E5"])
PLACES = HOLES | st.just("board")
PLAYED = st.sampled_from(COLOURS[:3])
BALLS = st.lists(st.tuples(PLAYED | st.just("purple"), PLACES), max_size=3)
MOVES = st.lists(st.builds(move, PLAYED, PLACES, PLACES | st.none()), max_size=2)
SHOTS = st.builds(
    shot,
    PLAYED,
    HOLES | st.sampled_from(["board", "off", "out", "on_ball"]),
    st.sampled_from([0, 1, 1, 1, 2]),
    side=st.sampled_from([None, "south", "north", "west"]),
    moved=st.just([]) | MOVES,
    player=st.sampled_from([None, None, "Ann", "Bob"]),
)
HANDS = st.builds(lambda balls: removed(*balls), BALLS) | st.builds(lambda balls: placed(*balls), BALLS)
STANDS = st.builds(stand, st.sampled_from(["Ann", "Bob", "Cem"]))
ODD = st.sampled_from([NOTE, {"type": "shot"}, {"type": "seen.hand"}, 5, {"type": "tap", "standing": 3}])
GAMES = st.sampled_from(["bounce-em-straight", "bounce-em-all", "hit-66", "bounce-21"])
OPTIONS: st.SearchStrategy[Json] = st.sampled_from(
    [
        {},
        {"starter": "Ann"},
        {"starter": "Bob", "rounds": 2, "wrong_side": False, "foul_wins_no_row": True, "target": 10},
        {"starter": "Ann", "throw_means_stand": False},
    ]
)


def throwable(match: Json, events: list[object]) -> list[str]:
    """The colours that may be thrown next; red if there are none."""
    own = {player["name"]: player["colours"] for player in match["players"]}
    corrals = score(match, *events)["detail"].get("corral", own)
    due = play(match, *events).expected.players
    return [colour for player in due for colour in corrals[player]] or ["red"]


@st.composite
def logs(draw: st.DrawFn, rulings: bool = True, games: st.SearchStrategy[str] = GAMES) -> tuple[Json, list[object]]:
    """A match and the lines of its log: mostly throws of whoever may throw, with all sorts of other lines between."""
    match = header(draw(st.sampled_from([2, 3])), draw(games), **draw(OPTIONS))
    events: list[object] = []
    for _ in range(draw(st.integers(0, 24))):
        kind = draw(st.integers(0, 9))
        if kind < 6:
            events.append({**draw(SHOTS), "colour": draw(st.sampled_from(throwable(match, events))), "player": None})
        elif kind < 9 or not rulings or not events:
            events.append(draw(SHOTS | HANDS | STANDS | ODD))
        else:
            events.append(ruling(draw(st.integers(0, len(events))), draw(SHOTS | st.none() | st.just(NOTE))))
    return match, events


def position(standing: Standing) -> Json:
    """How a match stands, without how it came to be."""
    return {**standing_to_json(standing), "calls": None}


@given(logs(rulings=False))
def test_balls_are_neither_lost_nor_made(log: tuple[Json, list[object]]) -> None:
    match, events = log
    state: State = find_game(match["game"]).start(header_from_json(match), BOARD)
    colours = [colour for player in match["players"] for colour in player["colours"]]
    for event in events:
        try:
            after = state.apply(event_from_json(event)).state
        except Refused:
            continue
        assert isinstance(after, BounceItInMatch)
        state, balls = after, after.balls
        found = Counter((*sum(balls.corrals, ()), *(ball.colour for ball in balls.lying), *balls.aside))
        assert found == dict.fromkeys(colours, 6)
        holes = [hole for hole, _ in balls.in_holes]
        assert len(set(holes)) == len(holes)


@given(logs())
def test_a_refused_event_changes_nothing(log: tuple[Json, list[object]]) -> None:
    match, events = log
    for count, event in enumerate(events, start=1):
        now = play(match, *events[:count])
        refused = any(call.event == count and call.call == "refused" for call in now.calls)
        if refused and not (isinstance(event, dict) and event.get("type") == "ruling"):
            before = play(match, *events[: count - 1])
            assert position(now) == position(before)
            assert now.calls[:-1] == before.calls


@given(logs(), st.data())
def test_striking_an_event_out_equals_never_having_had_it(log: tuple[Json, list[object]], data: st.DataObject) -> None:
    match, events = log
    if not events:
        return
    line = data.draw(st.integers(1, len(events)))
    never = [*events[: line - 1], NOTE, *events[line:]]
    assert play(match, *events, ruling(line, None)) == play(match, *never, ruling(line, NOTE))


@given(logs(rulings=False), st.data())
def test_replacing_an_event_equals_having_had_the_other(log: tuple[Json, list[object]], data: st.DataObject) -> None:
    match, events = log
    if not events:
        return
    line = data.draw(st.integers(1, len(events)))
    other = data.draw(SHOTS | HANDS)
    assert play(match, *events, ruling(line, other)) == play(match, *events[: line - 1], other, *events[line:])


@given(logs())
def test_a_player_never_scores_out_of_turn(log: tuple[Json, list[object]]) -> None:
    match, events = log
    turns = [play(match, *events[:count]).turn for count in range(len(events) + 1)]
    if not any(isinstance(event, dict) and event.get("type") == "ruling" for event in events):
        calls = play(match, *events).calls
        stood = {(call.event, call.player) for call in calls if call.call == "stand"}
        for call in calls:
            if call.call in ("score", "forfeit", "row"):
                in_turn = turns[call.event - 1]
                assert (call.player != in_turn) == ((call.event, in_turn) in stood)


@given(logs(games=st.just("bounce-em-all")))
def test_the_score_of_a_first_round_is_what_lies_on_the_board(log: tuple[Json, list[object]]) -> None:
    match, events = log
    standing = play(match, *events)
    if standing.phase == "opening" or any(call.call in ("round", "bonus") for call in standing.calls):
        return
    owners = {colour: player["name"] for player in match["players"] for colour in player["colours"]}
    holes = {hole.name: hole for hole in BOARD.holes}
    points = dict.fromkeys(owners.values(), 0)
    for hole, colour in standing.board:
        points[owners[colour]] += holes[hole].value * (1 + (holes[hole].colour == colour))
    assert dict(standing.scores) == points


@given(logs())
def test_the_phase_says_who_may_act(log: tuple[Json, list[object]]) -> None:
    match, events = log
    standing = play(match, *events)
    assert bool(standing.winners) <= (standing.phase == "finished")
    if standing.game in ("bounce-em-all", "hit-66"):
        assert standing.winners or standing.phase != "finished"
    assert [call.player for call in standing.calls if call.call == "win"] == list(standing.winners)
    assert (standing.turn is None) or standing.expected.players == (standing.turn,)
    assert (standing.phase == "finished") <= (standing.turn is None and not standing.expected.players)
    assert all(0 < call.event <= len(events) for call in standing.calls)
    json.dumps(standing_to_json(standing), allow_nan=False)


@settings(max_examples=50)
@given(logs())
def test_a_log_survives_being_written(tmp_path_factory: pytest.TempPathFactory, log: tuple[Json, list[object]]) -> None:
    match, lines = log
    head, events = header_from_json(match), tuple(map(event_from_json, lines))
    path = tmp_path_factory.mktemp("log") / "log.jsonl"
    write_log(path, head, events)
    read = read_log(path)
    assert (read.header, read.events, read.warnings) == (head, events, ())
    assert fold(read.header, BOARD, read.events) == play(match, *lines)


def mutated(data: st.DataObject, text: bytes) -> bytes:
    """A log with bytes overwritten, taken out or put in."""
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 3))
        put = data.draw(
            st.binary(max_size=3) | st.sampled_from([b"NaN", b"1e999", b"null", b"[", b'"', b"\n", b"-0.0"])
        )
        text = text[:at] + put + text[at + cut :]
    return text


def check_hostile(path: Path, text: bytes) -> None:
    """Whatever a log holds, it gives a score or one clear error."""
    path.write_bytes(text)
    with suppress(RefereeError):
        json.dumps(standing_to_json(score_log(path).standing), allow_nan=False)


@settings(max_examples=200)
@given(log=logs(), data=st.data())
def test_mutated_logs_give_a_score_or_a_clear_error(
    tmp_path_factory: pytest.TempPathFactory, log: tuple[Json, list[object]], data: st.DataObject
) -> None:
    match, lines = log
    text = "".join(json.dumps(line) + "\n" for line in ({**match, "layout": "grid-7x7"}, *lines)).encode()
    check_hostile(tmp_path_factory.getbasetemp() / "mutated.jsonl", mutated(data, text))


@given(text=st.binary(max_size=200))
def test_random_bytes_give_a_clear_error(tmp_path_factory: pytest.TempPathFactory, text: bytes) -> None:
    check_hostile(tmp_path_factory.getbasetemp() / "random.jsonl", text)
