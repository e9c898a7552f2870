"""Short ways to write a match of Bouncers, for the tests of its rules."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tests.games.play import NAMES, Json

SEATS: Final = {"Ann": "south", "Bob": "west", "Cem": "north"}
Words = str | Sequence[str]

POINT_CARDS: Final = ["2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "AH", "JH", "QH", "KH"]
LOW: Final = [rank + suit for rank in "23456789T" for suit in "SDC"][:26]
HIGH: Final = ["TC", *(rank + suit for rank in "JQKA" for suit in "SDC")]
"""Thirteen cards, each of which takes a trick from the two low ones of its place."""


def table(**options: object) -> Json:
    """Ann sits in the south, Bob in the west, Cem in the north; Cem deals, so Ann leads."""
    return {
        "type": "match",
        "version": 1,
        "game": "bouncers",
        "players": [{"name": name, "seat": seat} for name, seat in SEATS.items()],
        "options": options,
    }


def point(card: str) -> Json:
    return {"type": "point_card", "card": card}


def card(name: str, value: str) -> Json:
    """A card played from where somebody sits."""
    return {"type": "card", "card": value, "seat": SEATS[name]}


def trick(leader: str, point_card: str, cards: str) -> list[Json]:
    """A point card, and the cards played for it clockwise from the leader on."""
    first = NAMES.index(leader)
    names = (NAMES[(first + step) % 3] for step in range(3))
    return [point(point_card), *(card(name, value) for name, value in zip(names, cards.split(), strict=False))]


def deal(winners: Words, point_cards: Words = POINT_CARDS, leader: str = "Ann") -> list[Json]:
    """The tricks of a deal: who takes which point card, in order; the leader of the first is given."""
    events: list[Json] = []
    taken = zip(_words(winners), _words(point_cards), strict=False)
    for place, (winner, point_card) in enumerate(taken):
        low = iter(LOW[2 * place : 2 * place + 2])
        first = NAMES.index(leader)
        names = [NAMES[(first + step) % 3] for step in range(3)]
        events.append(point(point_card))
        events += [card(name, HIGH[place] if name == winner else next(low)) for name in names]
        leader = winner
    return events


def of(standing: Mapping[str, Any], call: str) -> list[Json]:
    """The calls of one kind."""
    return [said for said in standing["calls"] if said["call"] == call]


def _words(value: Words) -> Sequence[str]:
    return value.split() if isinstance(value, str) else value
