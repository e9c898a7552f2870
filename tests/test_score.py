"""From a log file to the score: as JSON, as a table, and in words."""

import json
from pathlib import Path
from typing import Any

import pytest

from calibration.errors import BadLayout
from calibration.layout import layout_to_json, load_layout
from referee.cli import main
from referee.errors import BadHeader, BadLog
from referee.events import Header, event_from_json, header_from_json
from referee.games.game import Call
from referee.score import score_log, scoreboard, standing_to_json
from referee.words import call_words, event_words
from tests.games.play import header, move, placed, play, removed, round_of, ruling, score, shot

MATCH = {**header(starter="Ann"), "layout": "grid-7x7"}


def write(path: Path, *lines: Any) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_the_json_of_a_score(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", MATCH, shot("red", "A1"), shot("blue", "off", moved=[move("red", "A1", None)]))
    scored = score_log(log)
    assert scored.warnings == ()
    assert standing_to_json(scored.standing) == {
        "game": "bounce-em-all",
        "phase": "playing",
        "turn": "Ann",
        "scores": {"Ann": 0, "Bob": 0},
        "winners": [],
        "board": {},
        "calls": [
            {"event": 1, "player": "Ann", "call": "score", "points": 4},
            {"event": 2, "player": "Bob", "call": "foul", "reason": "missed_board"},
            {
                "event": 2,
                "player": "Bob",
                "call": "forfeit",
                "reason": "missed_board",
                "colour": "blue",
                "to": None,
            },
            {"event": 2, "player": "Bob", "call": "forfeit", "reason": "knocked_out", "colour": "red", "to": None},
        ],
        "detail": {},
    }


def test_a_torn_log_is_scored_with_a_warning(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", MATCH, shot("red", "A1"))
    log.write_bytes(log.read_bytes() + b'{"type":"sh')
    scored = score_log(log)
    assert dict(scored.standing.scores) == {"Ann": 4, "Bob": 0}
    assert len(scored.warnings) == 1


def test_the_layout_may_lie_beside_the_log_or_in_its_header(tmp_path: Path) -> None:
    own = layout_to_json(load_layout("grid-7x7"))
    write(tmp_path / "own.json", own)
    for layout in ("own.json", own):
        log = write(tmp_path / "log.jsonl", {**MATCH, "layout": layout}, shot("red", "A1"))
        assert dict(score_log(log).standing.scores)["Ann"] == 4


def test_a_ruling_may_change_the_layout(tmp_path: Path) -> None:
    write(tmp_path / "own.json", layout_to_json(load_layout("grid-6x6")))
    other = {**MATCH, "layout": "own.json"}
    log = write(tmp_path / "log.jsonl", MATCH, shot("red", "G7"), ruling(0, other))
    assert score_log(log).standing.calls[0].reason == "bad_event"
    missing = write(tmp_path / "log.jsonl", MATCH, shot("red", "G7"), ruling(0, {**MATCH, "layout": "none.json"}))
    assert [call.call for call in score_log(missing).standing.calls] == ["score", "refused"]


@pytest.mark.parametrize(
    ("first", "error"),
    [
        ({**MATCH, "layout": "nowhere.json"}, BadLayout),
        ({**MATCH, "layout": {"name": "half"}}, BadLayout),
        ({**MATCH, "layout": "none"}, BadHeader),
        ({**MATCH, "game": "go-fish"}, BadHeader),
        ({**MATCH, "version": 2}, BadHeader),
        ({"type": "note"}, BadHeader),
    ],
    ids=str,
)
def test_logs_that_can_not_be_scored(tmp_path: Path, first: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        score_log(write(tmp_path / "log.jsonl", first, shot("red", "A1")))


def test_a_log_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadLog):
        score_log(tmp_path / "none.jsonl")


def test_the_scoreboard_of_a_running_match() -> None:
    standing = play(header(3, starter="Ann"), shot("red", "A5"), shot("blue", "B2", 2))
    assert scoreboard(standing).splitlines() == [
        "Bounce-Em-All: Cem's turn",
        "  Ann    10  red",
        "  Bob     0  blue",
        "  Cem     0  green",
        "On the board: red A5",
        "Last calls:",
        "  line   1  Ann scores 10 (A5)",
        "  line   2  Foul by Bob: more than one bounce on the table",
        "  line   2  Blue is set aside: more than one bounce on the table",
    ]


def test_the_scoreboard_says_what_the_match_waits_for() -> None:
    assert scoreboard(play(header(3), shot("red", "A5"))).startswith(
        "Bounce-Em-All: opening, still to throw: Bob, Cem\n"
    )
    finished = play(header(starter="Ann"), *round_of(2, ["off"] * 10), shot("red", "A1"), shot("blue", "off"))
    assert scoreboard(finished).startswith("Bounce-Em-All: won by Ann\n")
    nobody = [("red", "board")] * 6 + [("blue", "board")] * 6
    assert scoreboard(play(header(starter="Ann"), placed(*nobody))).startswith("Bounce-Em-All: nobody can throw\n")


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (shot("red", "D6", side="south"), "Red, from south: one bounce on the table, into D6"),
        (shot("red", "board", 0), "Red: no bounce on the table, onto the flat of the board"),
        (shot("blue", "out", 12), "Blue: 12 bounces on the table, off the board again"),
        (shot("blue", "off", 2), "Blue: two bounces on the table, past the board"),
        (
            shot("blue", "on_ball", moved=[move("red", "A1", "board"), move("red", "A2", None)]),
            "Blue: one bounce on the table, onto other balls; red moved from A1 to the flat of the board; "
            "red knocked off from A2",
        ),
        (removed(("red", "A1"), ("blue", "board")), "Taken off: red from A1, blue from the flat of the board"),
        (placed(("red", "A1")), "Put down: red to A1"),
        ({"type": "tap", "standing": 1, "direct_touch": True}, "Tap: one pin left standing, a pin was touched"),
        ({"type": "rack", "standing": 10, "problems": ["outside 7"]}, "Ten pins set up: outside 7"),
        ({"type": "rack", "standing": 10}, "Ten pins set up: all well"),
        ({"type": "point_card", "card": "TH"}, "Point card: 10 of hearts"),
        ({"type": "card", "card": "QS", "seat": "south"}, "Ann plays the queen of spades"),
        ({"type": "card", "card": "7D", "seat": "east"}, "east plays the 7 of diamonds"),
        ({"type": "decision", "player": "Bob", "choice": "ready"}, "Bob: ready"),
        ({"type": "decision", "player": "Bob", "choice": "targets", "targets": [4, 7]}, "Bob: targets 4, 7"),
        ({"type": "note", "text": "rain", "by": "Eve"}, "Eve: rain"),
        ({"type": "note", "text": "rain"}, "Note: rain"),
        (ruling(3, None), "Eve on line 3: struck out (seen otherwise)"),
        (ruling(3, placed(("red", "A1")), reason=None), "Eve on line 3: Put down: red to A1"),
        (ruling(0, header(), by=None), "Somebody on line 0: another header (seen otherwise)"),
        (
            {"type": "seen.bounce", "colour": "red", "surface": "table", "side": "north", "px": [1, 2]},
            "Red touches the table on north's side",
        ),
        ({"type": "seen.bounce", "colour": None, "surface": "board", "px": [1, 2]}, "A ball touches the board"),
        ({"type": "seen.board", "holes": {"A1": "red"}, "loose": ["blue"]}, "On the board: red in A1, blue loose"),
        ({"type": "seen.board", "holes": {}}, "On the board: nothing"),
        ({"type": "seen.pins", "standing": 9, "fallen": 1, "pins": []}, "Seen: nine pins standing, one pin fallen"),
        ({"type": "seen.card", "card": "AS", "corners_px": []}, "The ace of spades lies on the table"),
        ({"type": "seen.card", "card": "AS", "corners_px": [], "gone": True}, "The ace of spades is taken away"),
        ({"type": "seen.camera_moved", "px": 9, "recovered": True}, "The camera was moved and found its place again"),
        ({"type": "seen.camera_moved", "px": 9, "recovered": False}, "The camera was moved and lost its place"),
        ({"type": "seen.hand"}, "seen.hand"),
        ({"type": "tap"}, "Unusable line: standing is no whole number"),
    ],
    ids=str,
)
def test_events_in_words(event: dict[str, object], words: str) -> None:
    assert event_words(event_from_json(event), header_from_json(header())) == words


def test_a_box_ball_in_words() -> None:
    throw = {"type": "shot", "ball": "orange-small", "colour": "orange", "table_bounces": 1, "touched_board": True}
    results = [{"place": "hole", "hole": "H"}, {"place": "board"}, {"place": "off"}]
    assert [event_words(event_from_json({**throw, "result": result}), Header()) for result in results] == [
        "Orange-small: one bounce on the table, into H",
        "Orange-small: one bounce on the table, onto the flat of the box",
        "Orange-small: one bounce on the table, off the box again",
    ]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (Call(player="Ann", call="opening", points=7), "Ann begins, with 7"),
        (Call(player="Ann", call="score", points=5, hole="D6"), "Ann scores 5 (D6)"),
        (Call(player="Ann", call="score", points=19), "Ann scores 19"),
        (Call(player="Ann", call="foul", reason="wrong_side"), "Foul by Ann: bounce on another side of the table"),
        (
            Call(player="Ann", call="forfeit", reason="knocked_out", colour="blue"),
            "Blue is set aside: knocked off the board",
        ),
        (
            Call(player="Ann", call="forfeit", reason="bounced_out", colour="red", to="Bob"),
            "Red goes to Bob: bounced off the board",
        ),
        (Call(player="Ann", call="bonus", points=10), "Ann gets 10 for five in a row"),
        (Call(player="Ann", call="row", reason="A1-E1", points=25), "Ann wins the row A1-E1: 25"),
        (Call(player="Ann", call="stand"), "Ann stands"),
        (Call(player="Bob", call="round", reason="2"), "Round 2: Bob begins"),
        (Call(player="Bob", call="round", reason="tie"), "A tie: another round, Bob begins"),
        (Call(player=None, call="refused", reason="out_of_turn"), "Not counted: out of turn"),
        (Call(player=None, call="refused", reason="cannot_raise"), "Not counted: there is no raising now"),
        (Call(player="Ann", call="refused", reason="cannot_stand"), "Not counted: nobody stands before the last turn"),
        (Call(player=None, call="refused", reason="too_late"), "Not counted: too late"),
        (Call(player="Ann", call="win"), "Ann wins"),
        (Call(player="Ann", call="hit"), "Ann hits"),
        (Call(player="Ann", call="miss"), "Ann misses"),
        (Call(player="Ann", call="raise", points=5), "Ann raises to 5"),
        (Call(player="Ann", call="take", points=20), "Ann takes 20"),
        (Call(player="Ann", call="nice_shot", points=7), "Nice shot by Ann: 7"),
        (Call(player="Ann", call="strike"), "Strike by Ann"),
        (Call(player="Ann", call="penalty", reason="all_pins"), "Penalty for Ann: all pins felled"),
        (Call(player="Ann", call="eliminated"), "Ann is out"),
        (Call(player="Ann", call="rerack"), "Ann sets up all pins again"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.call,
)
def test_calls_in_words(call: Call, words: str) -> None:
    assert call_words(call) == words


def test_every_call_of_the_json_names_its_line() -> None:
    assert [call["event"] for call in score(header(starter="Ann"), shot("red", "A1"), shot("red", "A2"))["calls"]] == [
        1,
        2,
    ]


def test_text_that_the_output_can_not_hold_is_printed_as_an_escape(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = {**MATCH, "players": [{**MATCH["players"][0], "colours": ["\ud800"]}, MATCH["players"][1]]}
    log = write(tmp_path / "log.jsonl", match, shot("\ud800", "A1"))
    assert main(["score", str(log), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["board"] == {"A1": "\ud800"}
