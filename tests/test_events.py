"""Events and headers from JSON and back."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import BadHeader
from referee.events import (
    BadEvent,
    Header,
    LayoutObject,
    Option,
    OtherEvent,
    Player,
    SeenBoard,
    Shot,
    event_from_json,
    event_to_json,
    header_from_json,
    header_to_json,
    type_of,
)

STAMP = {"t": 1.5, "t_end": 2.25, "confidence": 0.9, "review": "hidden", "id": "e1", "evidence": {"gap": [1, None]}}

WRITTEN: list[dict[str, object]] = [
    {
        "type": "shot",
        "player": "Ann",
        "colour": "red",
        "side": "south",
        "table_bounces": 1,
        "touched_board": True,
        "result": {"place": "off"},
        "moved": [{"colour": "blue", "from": "B2", "to": "board"}, {"colour": "red", "from": "board", "to": None}],
    },
    {"type": "shot", "ball": "orange-small", "table_bounces": 0, "result": {"place": "on_ball"}, "moved": []},
    {"type": "shot", "colour": "red", "table_bounces": 2, "result": {"place": "hole", "hole": "C3"}, "moved": []},
    {"type": "shot", "colour": "red", "table_bounces": 2, "result": {"place": "board"}, "moved": []},
    {"type": "removed", "balls": [{"colour": "red", "from": "C3"}]},
    {"type": "placed", "balls": [{"colour": "red", "to": "board"}]},
    {"type": "tap", "player": "Ann", "standing": 7, "direct_touch": True},
    {"type": "rack", "standing": 9, "problems": ["touching 3 4"]},
    {"type": "point_card", "card": "TH"},
    {"type": "card", "card": "QS", "seat": "west"},
    {"type": "decision", "player": "Ann", "choice": "targets", "targets": [4, 7]},
    {"type": "decision", "player": "Ann", "choice": "ready"},
    {"type": "note", "text": "well thrown", "by": "Eve"},
    {"type": "ruling", "event": 3, "replace": None, "by": "Eve", "reason": "seen otherwise"},
    {"type": "ruling", "event": 3, "replace": {"type": "rack", "standing": 10, "problems": []}},
    {
        "type": "ruling",
        "event": 0,
        "replace": {
            "type": "match",
            "version": 1,
            "game": "hit-66",
            "layout": None,
            "players": [{"name": "Ann", "seat": "east", "colours": ["red"]}],
            "options": {"target": 30},
        },
    },
    {
        "type": "seen.bounce",
        "colour": None,
        "surface": "table",
        "side": "north",
        "mm": [1.0, -2.5],
        "px": [3.0, 4.0],
    },
    {"type": "seen.board", "holes": {"C3": "red", "H": ["blue", "orange-small"]}, "loose": ["green"]},
    {"type": "seen.board", "holes": {}, "loose": ["green"], "loose_mm": [[1.0, 2.0]]},
    {"type": "seen.pins", "standing": 1, "fallen": 0, "pins": [{"px": [1.0, 2.0], "state": "standing"}]},
    {"type": "seen.pins", "standing": 0, "fallen": 1, "pins": [{"px": [1, 2], "mm": [-3.5, 4.0], "state": "leaning"}]},
    {"type": "seen.card", "card": "7D", "corners_px": [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], "gone": True},
    {"type": "seen.camera_moved", "px": 12.5, "recovered": False},
    {"type": "seen.hand", "anything": [1, {"x": None}]},
]


@pytest.mark.parametrize("obj", WRITTEN, ids=lambda obj: obj["type"])
def test_what_is_written_is_read_and_written_the_same(obj: dict[str, object]) -> None:
    for line in (obj, {**obj, **STAMP}):
        event = event_from_json(line)
        assert not isinstance(event, BadEvent)
        assert type_of(event) == obj["type"]
        assert event_to_json(event) == line
        assert event_from_json(event_to_json(event)) == event


def test_missing_keys_have_their_defaults() -> None:
    shot = event_from_json({"type": "shot", "colour": "red", "table_bounces": 1.0, "result": {"place": "board"}})
    assert isinstance(shot, Shot)
    assert (shot.moved, shot.side, shot.player, shot.touched_board, shot.table_bounces) == ((), None, None, None, 1)
    assert event_to_json(event_from_json({"type": "tap", "standing": 3}))["direct_touch"] is False
    assert event_to_json(event_from_json({"type": "rack", "standing": 3}))["problems"] == []
    assert event_from_json({"type": "seen.board", "holes": {}}) == SeenBoard(holes=())


def test_what_not_every_game_reads_of_a_shot_may_be_unusable() -> None:
    moved = [{"colour": "red"}]
    obj = {"type": "shot", "colour": "red", "table_bounces": 1, "result": {"place": "board"}, "moved": moved}
    for line in (obj, {**obj, "side": "moon"}):
        shot = event_from_json(line)
        assert isinstance(shot, Shot)
        assert (shot.side, shot.moved) == (None, ())
        assert {unread.key: json.loads(unread.text) for unread in shot.unread} == {
            key: line[key] for key in ("side", "moved") if key in line
        }
        assert event_to_json(shot) == line
        assert event_from_json(event_to_json(shot)) == shot


UNUSABLE: list[tuple[object, str]] = [
    ({"type": "tap", "standing": math.inf}, "standing is no whole number"),
    ({"type": "tap", "standing": -1}, "standing is less than nothing"),
    ({"type": "tap", "standing": 3, "direct_touch": None}, "direct_touch is neither true nor false"),
    ({"type": "rack", "standing": 3, "problems": [1]}, "problems is no text"),
    ({"type": "rack", "standing": 3, "problems": "many"}, "problems is no list"),
    ({"type": "point_card", "card": "11H"}, "'11H' is no card"),
    ({"type": "card", "card": "QS", "seat": "up"}, "seat is none of south, west, north, east"),
    ({"type": "decision", "player": "Ann", "choice": "targets", "targets": [True]}, "a target is no whole number"),
    ({"type": "ruling", "event": 1}, "replace is missing"),
    ({"type": "ruling", "event": 1, "replace": 5}, "replace is no object"),
    ({"type": "ruling", "event": 0, "replace": {"type": "match", "version": 2}}, "version 2 of a log is unknown"),
    ({"type": "seen.bounce", "colour": "red", "surface": "air", "px": [0, 0]}, "surface is none of"),
    ({"type": "seen.bounce", "colour": "red", "surface": "table", "px": [0, math.nan]}, "px is no finite number"),
    ({"type": "seen.bounce", "colour": "red", "surface": "table", "px": [0]}, "px is no"),
    ({"type": "seen.bounce", "colour": "red", "surface": "table", "px": [0, 10**400]}, "px is no finite number"),
    ({"type": "seen.board", "holes": {"A": 5}}, "hole A is no text"),
    ({"type": "seen.board", "holes": []}, "holes is no object"),
    ({"type": "seen.camera_moved", "px": True, "recovered": True}, "px is no finite number"),
    ({"type": "match"}, "may only be the first line"),
    ({"type": None}, "no object with a text in type"),
    ([], "no object with a text in type"),
]


@pytest.mark.parametrize(("obj", "reason"), UNUSABLE, ids=str)
def test_an_unusable_line_says_why_and_keeps_its_text(obj: object, reason: str) -> None:
    event = event_from_json(obj)
    assert isinstance(event, BadEvent)
    assert reason in event.reason
    assert event_from_json(event_to_json(event)) == event
    if isinstance(obj, dict):
        assert event_to_json(event) == json.loads(json.dumps(obj)) or "nan" in str(obj)


def test_an_unusable_line_remembers_whom_it_names_and_when() -> None:
    event = event_from_json({"type": "shot", "player": "Ann", "t": 3})
    assert isinstance(event, BadEvent)
    assert (event.player, event.seat, event.stamp.t_s) == ("Ann", None, 3.0)


def test_an_unusable_card_remembers_where_it_was_played_from() -> None:
    for seat, kept in (("west", "west"), ("up", None), ({}, None)):
        event = event_from_json({"type": "card", "card": "1X", "seat": seat, "player": "Ann"})
        assert isinstance(event, BadEvent)
        assert (event.player, event.seat) == (None, kept)


def test_stamps_that_can_not_be_used_are_left_out() -> None:
    note = {"type": "note", "text": "", "t": math.nan, "t_end": True, "confidence": "high", "review": 1, "id": {}}
    assert event_to_json(event_from_json(note)) == {"type": "note", "text": ""}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_any_json_is_an_event_that_survives_being_written(obj: object) -> None:
    event = event_from_json(obj)
    assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event


@given(st.sampled_from(WRITTEN), st.data())
def test_mutated_events_survive_being_written(obj: dict[str, object], data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(obj)))
    event = event_from_json({**obj, key: data.draw(JSON)})
    assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event


HEADER: dict[str, object] = {
    "type": "match",
    "version": 1,
    "game": "bounce-em-all",
    "layout": "grid-7x7",
    "players": [{"name": "Zoë", "seat": "south", "colours": ["red", "green"]}, {"name": "Bob"}],
    "options": {"starter": "Bob", "rounds": 2, "odd": {"x": [None]}},
}


@pytest.mark.parametrize("layout", ["grid-7x7", "my/board.json", None, {"name": "own", "holes": []}, 5])
def test_headers_are_read_and_written_the_same(layout: object) -> None:
    obj = {**HEADER, "layout": layout}
    header = header_from_json(obj)
    assert header_to_json(header) == obj
    assert header_from_json(header_to_json(header)) == header


def test_what_a_header_says() -> None:
    assert header_from_json({**HEADER, "layout": {"name": "own"}}) == Header(
        game="bounce-em-all",
        players=(Player(name="Zoë", seat="south", colours=("red", "green")), Player(name="Bob")),
        layout=LayoutObject(text='{"name": "own"}'),
        options=(
            Option(name="starter", value='"Bob"'),
            Option(name="rounds", value="2"),
            Option(name="odd", value='{"x": [null]}'),
        ),
    )


def test_a_recording_without_a_game_has_a_header_too() -> None:
    header = header_from_json({"type": "match", "version": 1.0})
    assert header == Header()
    assert header_from_json(header_to_json(header)) == header


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"type": "note"}, "no match header"),
        ({"version": 2}, "version 2 of a log is unknown"),
        ({"version": None}, "version null"),
        ({"version": True}, "version true"),
        ({"game": 7}, "game is no text"),
        ({"players": {}}, "players is no list"),
        ({"players": ["Ann"]}, "a player is no object"),
        ({"players": [{"name": " "}]}, "' ' is no name"),
        ({"players": [{"name": "A\nB"}]}, "is no name"),
        ({"players": [{"name": "\ud800"}]}, "is no name"),
        ({"players": [{"seat": "south"}]}, "name is no text"),
        ({"players": [{"name": "Ann"}, {"name": "Ann"}]}, "two players have the same name"),
        ({"options": [1]}, "options are no object"),
    ],
)
def test_headers_that_can_not_be_used(change: dict[str, object], said: str) -> None:
    with pytest.raises(BadHeader, match=said):
        header_from_json({**HEADER, **change}, "my.jsonl, line 1")


def test_a_first_line_that_is_no_object_is_no_header() -> None:
    with pytest.raises(BadHeader, match=r"my.jsonl, line 1"):
        header_from_json([1], "my.jsonl, line 1")


def test_other_events_keep_their_text() -> None:
    assert event_from_json({"type": "frames_dropped", "n": 3}) == OtherEvent(
        type="frames_dropped", text='{"type": "frames_dropped", "n": 3}'
    )
