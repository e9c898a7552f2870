"""The match: rulings of people, headers, games that there are."""

import pytest

from calibration.layout import Layout
from referee.errors import BadHeader
from referee.events import BadEvent, Header, Note, Ruling, event_from_json
from referee.match import corrected, fold
from tests.games.play import (
    BOARD,
    NOTE,
    Json,
    calls,
    grid,
    header,
    play,
    removed,
    round_of,
    ruling,
    score,
    shot,
    start,
)

MATCH = header(starter="Ann")
RED = shot("red", "A1")
BLUE = shot("blue", "B2")


def without_event_numbers(standing: Json) -> Json:
    return {**standing, "calls": [{**call, "event": None} for call in standing["calls"]]}


def test_a_ruling_replaces_an_event_at_its_own_line() -> None:
    ruled = score(MATCH, RED, BLUE, ruling(1, shot("red", "C3")))
    assert ruled == score(MATCH, shot("red", "C3"), BLUE)
    assert ruled["calls"][0] == {"event": 1, "player": "Ann", "call": "score", "points": 3}


def test_a_ruling_gives_no_call_of_its_own() -> None:
    assert calls(MATCH, RED, BLUE, ruling(1, None)) == []


def test_striking_out_makes_the_event_unhappened() -> None:
    struck = score(MATCH, RED, BLUE, shot("red", "C3"), ruling(2, None))
    assert without_event_numbers(struck) == without_event_numbers(score(MATCH, RED, NOTE, shot("red", "C3")))
    assert struck["calls"][-1]["reason"] == "out_of_turn"


def test_a_missed_event_is_inserted_at_a_note_or_a_seen_line() -> None:
    for line in (NOTE, {"type": "seen.board", "holes": {}}, {"type": "unheard_of"}):
        missed = score(MATCH, line, BLUE, ruling(1, RED))
        assert missed == score(MATCH, RED, BLUE)


def test_what_then_no_longer_fits_is_refused() -> None:
    ruled = score(MATCH, RED, shot("blue", "C3"), ruling(1, shot("red", "C3")))
    assert ruled["calls"][-1] == {"event": 2, "player": "Bob", "call": "refused", "reason": "impossible"}


def test_what_was_refused_may_fit_then() -> None:
    assert play(MATCH, BLUE, RED, ruling(1, None)).calls[-1].call == "score"


def test_an_unusable_line_may_be_corrected() -> None:
    assert score(MATCH, {"type": "shot"}, BLUE, ruling(1, RED)) == score(MATCH, RED, BLUE)
    assert score(MATCH, 5, BLUE, ruling(1, RED)) == score(MATCH, RED, BLUE)


def test_an_unusable_replacement_is_refused_at_the_corrected_line() -> None:
    standing = score(MATCH, RED, ruling(1, {"type": "shot", "colour": "red"}))
    assert standing["calls"] == [{"event": 1, "player": "Ann", "call": "refused", "reason": "bad_event"}]


def test_a_header_in_place_of_an_event_is_unusable() -> None:
    standing = score(MATCH, RED, ruling(1, MATCH))
    assert standing["calls"] == [{"event": 1, "player": "Ann", "call": "refused", "reason": "bad_event"}]


def test_of_several_rulings_on_a_line_the_last_holds() -> None:
    several = [RED, BLUE, ruling(1, None), ruling(1, shot("red", "C3")), ruling(1, shot("red", "D4"))]
    assert score(MATCH, *several) == score(MATCH, shot("red", "D4"), BLUE)


def test_striking_the_last_ruling_brings_back_the_one_before() -> None:
    events = [RED, BLUE, ruling(1, shot("red", "C3")), ruling(1, shot("red", "D4"))]
    assert score(MATCH, *events, ruling(4, None)) == score(MATCH, shot("red", "C3"), BLUE)
    assert score(MATCH, *events, ruling(4, None), ruling(3, None)) == score(MATCH, RED, BLUE)
    assert score(MATCH, *events, ruling(4, None), ruling(5, None)) == score(MATCH, shot("red", "D4"), BLUE)


def test_a_ruling_may_be_replaced_by_another() -> None:
    events = [RED, BLUE, ruling(1, None), ruling(3, ruling(2, shot("blue", "C3")))]
    assert score(MATCH, *events) == score(MATCH, RED, shot("blue", "C3"))


def test_a_ruling_replaced_by_an_event_is_no_ruling() -> None:
    events = [RED, BLUE, ruling(1, None), ruling(3, shot("red", "C3"))]
    assert score(MATCH, *events) == score(MATCH, RED, BLUE, shot("red", "C3"))


def test_a_ruling_put_in_place_of_a_note_must_be_about_an_earlier_line_than_the_note() -> None:
    good = [RED, NOTE, BLUE, ruling(2, ruling(1, shot("red", "C3")))]
    assert play(MATCH, *good).board == play(MATCH, shot("red", "C3"), BLUE).board
    bad = [RED, NOTE, BLUE, ruling(2, ruling(3, None))]
    assert score(MATCH, *bad)["calls"][1] == {"event": 2, "player": "Bob", "call": "refused", "reason": "bad_event"}


def test_a_bad_ruling_may_be_struck_out() -> None:
    assert score(MATCH, RED, ruling(7, None), ruling(2, None)) == score(MATCH, RED)


def test_a_bad_ruling_does_not_hide_the_good_one_before() -> None:
    standing = score(MATCH, RED, ruling(1, shot("red", "C3")), {"type": "ruling", "event": 1})
    assert standing["board"] == {"C3": "red"}
    assert standing["calls"][-1]["reason"] == "bad_event"


def test_rulings_work_after_the_end_and_may_reopen_the_match() -> None:
    events = [*round_of(2, ["off"] * 10), shot("red", "B2"), shot("blue", "C1")]
    assert score(MATCH, *events, ruling(12, shot("blue", "C5")))["winners"] == ["Bob"]
    reopened = score(MATCH, *events, ruling(12, None))
    assert (reopened["phase"], reopened["turn"], reopened["winners"]) == ("playing", "Bob", [])
    again = score(MATCH, *events, ruling(12, None), shot("blue", "D3"))
    assert again["calls"][-1] == {"event": 14, "player": "Bob", "call": "win"}


def test_a_ruling_works_across_the_opening() -> None:
    opening = [shot("red", "A3"), shot("blue", "B1"), shot("red", "C1")]
    assert play(header(), *opening).turn == "Bob"
    ruled = score(header(), *opening, ruling(2, shot("blue", "B4")))
    assert [call["call"] for call in ruled["calls"]] == ["opening", "refused"]
    assert ruled["turn"] == "Bob"


def test_the_header_may_be_replaced() -> None:
    other = header(3, starter="Cem")
    standing = play(MATCH, RED, shot("green", "B1"), ruling(0, other))
    assert standing.header == start(other)
    assert [(call.call, call.player) for call in standing.calls] == [("refused", "Cem"), ("score", "Cem")]


def test_an_unusable_header_is_refused_and_the_one_before_holds() -> None:
    for unusable in (header(3, starter="Zed"), {**header(), "game": "chess"}, header(1), header(rounds=0)):
        standing = score(MATCH, RED, ruling(0, header(3, starter="Ann")), ruling(0, unusable))
        assert list(standing["scores"]) == ["Ann", "Bob", "Cem"]
        assert standing["calls"][-1] == {"event": 3, "player": "Bob", "call": "refused", "reason": "bad_event"}


def test_striking_a_header_ruling_brings_back_the_header() -> None:
    assert score(MATCH, RED, ruling(0, header(3, starter="Ann")), ruling(2, None)) == score(MATCH, RED)


def test_another_layout_of_a_ruled_header_is_asked_for() -> None:
    smaller = {**MATCH, "layout": "smaller"}
    events = [event_from_json(event) for event in (RED, ruling(0, smaller))]

    def find_layout(header: Header) -> Layout | None:
        return grid("A", 1) if header.layout == "smaller" else None

    standing = fold(start(MATCH), BOARD, events, find_layout)
    assert standing.layout == grid("A", 1)
    assert standing.calls[0].points == 2
    refused = fold(start(MATCH), BOARD, events)
    assert (refused.layout, refused.calls[-1].reason) == (BOARD, "bad_event")


def test_corrected_gives_the_events_as_they_count() -> None:
    events = [event_from_json(event) for event in (RED, BLUE, ruling(1, NOTE), ruling(2, None), ruling(8, None))]
    first, second, third, fourth, fifth = corrected(events)
    assert isinstance(first, Note)
    assert second is None
    assert third == events[2]
    assert isinstance(fourth, Ruling)
    assert isinstance(fifth, BadEvent)


def test_the_same_id_twice_counts_once() -> None:
    first = {**RED, "id": "a"}
    assert score(MATCH, first, first, BLUE)["calls"] == score(MATCH, first, NOTE, BLUE)["calls"]
    again = [{**removed(("red", "A1")), "id": "b"}, {"type": "seen.hand", "id": "b"}]
    assert score(MATCH, RED, *again, {"type": "shot", "id": "c"}, {**BLUE, "id": "c"})["calls"][-1]["player"] == "Bob"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "chess"}, "no rules for the game 'chess'"),
        ({"game": None}, "no game"),
        ({"players": []}, "2 to 4 players, not 0"),
        ({"options": {"starter": "Zed"}}, 'starter can\'t be "Zed"'),
        ({"options": {"starter": None}}, "starter can't be null"),
        ({"options": {"rounds": 0}}, "rounds can't be 0"),
        ({"options": {"rounds": True}}, "rounds can't be true"),
        ({"options": {"rounds": 1.5}}, "rounds can't be 1.5"),
        ({"options": {"wrong_side": 1}}, "wrong_side can't be 1"),
    ],
)
def test_headers_that_can_not_start_a_match(change: Json, said: str) -> None:
    with pytest.raises(BadHeader, match=said):
        play({**MATCH, **change})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seat": None}, "Ann has no seat"),
        ({"seat": "moon"}, "Ann has no seat"),
        ({"seat": "north"}, "same seat"),
        ({"colours": []}, "Ann has no balls"),
        ({"colours": "red"}, "Ann has no balls"),
        ({"colours": [5]}, "Ann has no balls"),
        ({"colours": ["blue"]}, "colour is given twice"),
        ({"colours": ["red", "red"]}, "colour is given twice"),
    ],
)
def test_players_that_can_not_play(change: Json, said: str) -> None:
    match = header(starter="Ann")
    match["players"][0].update(change)
    with pytest.raises(BadHeader, match=said):
        play(match)


def test_a_board_game_needs_its_layout() -> None:
    with pytest.raises(BadHeader, match="needs a board"):
        fold(start(MATCH), None, [])


def test_unknown_options_are_ignored() -> None:
    assert score(header(starter="Ann", target=None, tune="loud"), RED) == score(MATCH, RED)


def test_whole_numbers_of_options_may_be_written_as_decimals() -> None:
    assert play(header(starter="Ann", rounds=1.0), *round_of(2, ["off"] * 11), BLUE).phase == "finished"
