"""What is refused before a game is asked, and whom a refusal names."""

import pytest

from referee.score import standing_to_json
from tests.games.play import NOTE, Json, header, play, ruling, shot

MATCH = header(3, starter="Bob")
CARDS: Json = {
    "type": "match",
    "version": 1,
    "game": "bouncers",
    "players": [{"name": "Ann", "seat": "south"}, {"name": "Bob", "seat": "west"}, {"name": "Cem", "seat": "north"}],
}


@pytest.mark.parametrize(
    ("event", "player"),
    [
        (5, "Bob"),
        ({"text": "no type"}, "Bob"),
        ({"type": "match", "version": 1, "game": "bounce-em-all"}, "Bob"),
        ({"type": "shot", "colour": "red"}, "Bob"),
        ({"type": "shot", "colour": "red", "player": "Ann"}, "Ann"),
        ({"type": "shot", "colour": "red", "player": "Zed"}, "Bob"),
        (shot("blue", "A1", player="Zed"), "Bob"),
        (shot("blue", "Z9", player="Cem"), "Cem"),
        ({"type": "decision", "player": "Zed", "choice": "ready"}, "Bob"),
        ({"type": "decision", "player": "Ann", "choice": "stand"}, "Ann"),
        ({"type": "decision", "player": "Ann", "choice": "dance"}, "Ann"),
        ({"type": "decision", "choice": "ready"}, "Bob"),
        ({"type": "ruling", "event": 0}, "Bob"),
        (ruling(0, {**MATCH, "players": 3}), "Bob"),
        (ruling(9, None), "Bob"),
    ],
)
def test_what_nothing_can_be_made_of_is_refused_and_names_whom_it_can(event: object, player: str) -> None:
    standing = play(MATCH, event)
    (refused,) = standing.calls
    assert (refused.call, refused.reason, refused.player, refused.event) == ("refused", "bad_event", player, 1)
    assert {**standing_to_json(standing), "calls": []} == standing_to_json(play(MATCH, NOTE))


@pytest.mark.parametrize(
    "event",
    [
        {"type": "decision", "player": "Ann", "choice": "ready"},
        {"type": "tap"},
        {"type": "tap", "standing": 3, "player": "Zed"},
        {"type": "card", "card": "7H", "seat": "attic"},
        {"type": "seen.board", "holes": 7},
        {"type": "unheard_of", "player": 7},
        NOTE,
    ],
)
def test_what_the_game_has_no_use_for_passes_it_by(event: Json) -> None:
    assert play(MATCH, event) == play(MATCH)


@pytest.mark.parametrize(("seat", "player"), [("south", "Ann"), ("north", "Cem"), ("east", "Ann")])
def test_a_refused_card_names_who_sits_there(seat: str, player: str) -> None:
    for card in ("7S", "nonsense"):
        (refused,) = play(CARDS, {"type": "card", "card": card, "seat": seat}).calls
        assert (refused.call, refused.player) == ("refused", player)


def test_nobody_is_named_when_nobody_is_in_turn() -> None:
    (refused,) = play(header(), {"type": "shot"}).calls
    assert (refused.player, play(header()).phase) == (None, "opening")
