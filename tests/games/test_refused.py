"""What can't be used gives one call and changes nothing, whatever it is."""

import math

import pytest

from tests.games.play import Json, calls, header, last_call, move, placed, play, removed, round_of, score, shot

MATCH = header(starter="Ann")
OPENING = header()
FINISHED = [*round_of(2, ["off"] * 10), shot("red", "B2"), shot("blue", "C1")]

BAD: list[object] = [
    5,
    None,
    [1],
    "shot",
    {},
    {"type": 7},
    {"type": "match", "version": 1},
    header(),
    {"type": "shot"},
    shot("red", "Z9"),
    shot("red", "A1", moved=[move("red", "Z9", "A2")]),
    shot("red", "A1", moved=[move("red", "A1", "Z9")]),
    shot("red", "A1", moved=[{"colour": "red", "from": None, "to": "A1"}]),
    shot("red", "A1", moved=[{"colour": "red", "from": "A1"}]),
    shot("red", "A1", moved=[{"from": "A1", "to": None}]),
    shot("red", "A1", moved="A1"),
    shot("red", "A1", moved=None),
    shot("red", "A1", moved=[7]),
    shot("red", "A1", 1.5),
    shot("red", "A1", -1),
    shot("red", "A1", math.nan),
    shot("red", "A1", math.inf),
    shot("red", "A1", True),
    shot("red", "A1", "1"),
    shot("red", "A1", side="up"),
    shot("red", "A1", side=math.nan),
    shot("red", "A1", player="Zed"),
    shot("red", "A1", player=5),
    shot("red", "off", touched_board=None),
    shot("red", "off", touched_board=1),
    {**shot("red", "off"), "result": {"place": "off"}, "touched_board": "no"},
    {"type": "shot", "colour": "red", "table_bounces": 1, "result": {"place": "off"}},
    {"type": "shot", "colour": "red", "table_bounces": 1, "result": {"place": "hole"}},
    {"type": "shot", "colour": "red", "table_bounces": 1, "result": {"place": "moon"}},
    {"type": "shot", "colour": "red", "table_bounces": 1, "result": "board"},
    {"type": "shot", "colour": "red", "table_bounces": 1},
    {"type": "shot", "colour": "red", "result": {"place": "board"}},
    {"type": "shot", "table_bounces": 1, "result": {"place": "board"}},
    {"type": "shot", "colour": 3, "table_bounces": 1, "result": {"place": "board"}},
    {"type": "shot", "ball": "blue", "table_bounces": 1, "result": {"place": "board"}},
    {"type": "removed"},
    {"type": "removed", "balls": [{"colour": "red"}]},
    removed(("red", "Z9")),
    {"type": "placed", "balls": {}},
    placed(("red", "Z9")),
    {"type": "placed", "balls": [{"colour": "red", "to": None}]},
    {"type": "decision", "player": "Ann"},
    {"type": "decision", "choice": "ready"},
    {"type": "decision", "player": "Zed", "choice": "ready"},
    {"type": "decision", "player": "Ann", "choice": "stand"},
    {"type": "decision", "player": "Ann", "choice": "raise"},
    {"type": "decision", "player": "Ann", "choice": "dance"},
    {"type": "ruling", "event": 0},
    {"type": "ruling", "event": 99, "replace": None},
    {"type": "ruling", "event": -1, "replace": None},
    {"type": "ruling", "event": 0, "replace": None},
    {"type": "ruling", "event": True, "replace": None},
    {"type": "ruling", "event": math.nan, "replace": None},
    {"type": "ruling", "event": 0, "replace": {"type": "note", "text": "no header"}},
    {"type": "ruling", "event": 0, "replace": {"type": "match", "version": 2}},
    {"type": "ruling", "event": 0, "replace": 7},
    {"type": "ruling", "event": 0, "replace": {"text": "no type"}},
    {"type": "ruling", "replace": None},
]


@pytest.mark.parametrize("event", BAD, ids=str)
@pytest.mark.parametrize("match", [MATCH, OPENING], ids=["playing", "opening"])
def test_bad_event(match: Json, event: object) -> None:
    named = event.get("player") if isinstance(event, dict) else None
    player = named if named in ("Ann", "Bob") else play(match).turn
    assert last_call(match, event) == {"event": 1, "player": player, "call": "refused", "reason": "bad_event"}
    assert score(match, event) == {**score(match), "calls": score(match, event)["calls"]}


@pytest.mark.parametrize("event", BAD, ids=str)
def test_bad_event_is_looked_for_before_the_end_of_the_match(event: object) -> None:
    assert last_call(MATCH, *FINISHED, event)["reason"] == "bad_event"


HARMLESS: list[object] = [
    {"type": "seen.bounce"},
    {"type": "seen.ghost", "px": math.nan},
    {"type": "note"},
    {"type": "hand", "over": "board"},
    {"type": "tap"},
    {"type": "tap", "standing": 3, "player": "Zed"},
    {"type": "rack", "standing": math.inf},
    {"type": "point_card", "card": "1X"},
    {"type": "card", "card": "7H", "seat": "moon"},
    {"type": "decision", "player": "Bob", "choice": "ready"},
    {"type": "removed", "balls": []},
    {"type": "placed", "balls": []},
    {"type": "ruling", "event": 0, "replace": MATCH},
]


@pytest.mark.parametrize("event", HARMLESS, ids=str)
def test_what_the_game_has_no_use_for_passes_by(event: object) -> None:
    assert score(MATCH, event) == score(MATCH)
    assert score(MATCH, *FINISHED, event) == score(MATCH, *FINISHED)


@pytest.mark.parametrize(
    "more",
    [
        {"table_bounces": 1.0},
        {"t": math.nan, "t_end": "late", "confidence": math.inf, "review": 5, "id": 7, "evidence": {"x": math.nan}},
        {"player": None, "side": None},
        {"ball": 5, "speed": math.nan},
        {"touched_board": "what"},
    ],
    ids=str,
)
def test_keys_that_the_rules_do_not_read_may_hold_anything(more: Json) -> None:
    assert last_call(MATCH, {**shot("red", "A2"), **more})["call"] == "score"


def test_game_over() -> None:
    end = score(MATCH, *FINISHED)
    assert last_call(MATCH, *FINISHED, shot("green", "A1")) == {
        "event": 13,
        "player": None,
        "call": "refused",
        "reason": "game_over",
    }
    assert last_call(MATCH, *FINISHED, shot("red", "A1", player="Bob"))["player"] == "Bob"
    assert score(MATCH, *FINISHED, shot("red", "A1"))["calls"][:-1] == end["calls"]


@pytest.mark.parametrize("match", [MATCH, OPENING], ids=["playing", "opening"])
def test_no_such_ball_is_a_colour_in_nobodys_group(match: Json) -> None:
    taken = shot("green", "A1", player="Bob", moved=[move("red", "A1", "A2")])
    assert last_call(match, taken) == {"event": 1, "player": "Bob", "call": "refused", "reason": "no_such_ball"}


def test_out_of_turn_is_a_colour_that_the_player_in_turn_does_not_hold() -> None:
    contradiction = [move("red", "A1", "A2")]
    assert last_call(MATCH, shot("blue", "A1", moved=contradiction)) == {
        "event": 1,
        "player": "Ann",
        "call": "refused",
        "reason": "out_of_turn",
    }


def test_out_of_turn_is_another_player() -> None:
    assert last_call(MATCH, shot("red", "A1", player="Bob")) == {
        "event": 1,
        "player": "Bob",
        "call": "refused",
        "reason": "out_of_turn",
    }


@pytest.mark.parametrize(
    "throw",
    [
        shot("red", "C3"),
        shot("red", "C3", 2),
        shot("red", "C3", moved=[move("blue", "D3", "D4")]),
        shot("red", "off", moved=[move("red", "D3", None)]),
        shot("red", "off", moved=[move("green", "D3", None)]),
        shot("red", "off", moved=[move("red", "A5", None)]),
        shot("red", "off", moved=[move("red", "board", None)]),
        shot("red", "off", moved=[move("blue", "D3", "C3")]),
        shot("red", "off", moved=[move("blue", "D3", "A1"), move("red", "C3", "A1")]),
        shot("red", "A1", moved=[move("blue", "D3", "A1")]),
        shot("red", "off", moved=[move("blue", "D3", "A1"), move("blue", "D3", "A2")]),
    ],
    ids=str,
)
def test_impossible_shots_are_refused_as_a_whole(throw: Json) -> None:
    before = [shot("red", "C3"), shot("blue", "D3")]
    assert last_call(MATCH, *before, throw)["reason"] == "impossible"
    after = score(MATCH, *before, throw)
    assert {**after, "calls": after["calls"][:-1]} == score(MATCH, *before)


def test_impossible_in_the_opening() -> None:
    assert last_call(OPENING, shot("red", "A1"), shot("blue", "A1"))["reason"] == "impossible"
    assert calls(OPENING, shot("red", "A1"), shot("blue", "A1"), shot("blue", "A2"))[0]["call"] == "opening"
