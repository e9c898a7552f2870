"""The kinds of events that people may write into a log by hand, each as the fields of a form, and back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, get_args

from referee.desk import Snapshot
from referee.events import (
    BOARD,
    BallAt,
    Card,
    Decision,
    Event,
    Placed,
    PointCard,
    Rack,
    Removed,
    Shot,
    Tap,
)
from referee.events import (
    Choice as Said,
)
from referee.games import find_game
from referee.words import SUITS, card_words
from web.fields import NOTHING, TICKED, Choice, Field, FormPart, Reading, Values, named
from web.shot_fields import SEATS, ball_colours, read_shot, repeated, shot_part, shot_values

MOST_PINS = 10
CHIPS_AT_ONCE = 2
CHOICE_WORDS: Final[Mapping[Said, str]] = {
    "raise": "raises",
    "stop": "stops and takes the chip",
    "stand": "stands",
    "strike": "turns a strike chip",
    "targets": "turns target chips",
    "ready": "is ready",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EventKind:
    """``values``: an event of this kind as texts; ``part``: the fields filled with texts; ``read`` raises BadForm."""

    name: str
    words: str
    type: type[Event]
    values: Callable[[Event], dict[str, str]]
    part: Callable[[Snapshot, Values], FormPart]
    read: Callable[[Snapshot, Values], Event]


def kinds_of(snapshot: Snapshot) -> tuple[EventKind, ...]:
    """What may happen in this match's game, the most usual first."""
    game = find_game(snapshot.standing.game)
    uses = {*game.uses, *(["decision"] if game.choices else [])}
    return tuple(kind for kind in KINDS if kind.name in uses)


def kind_of(event: Event | None) -> EventKind | None:
    """The kind of an event that people may write; None for notes and what is only seen."""
    return next((kind for kind in KINDS if isinstance(event, kind.type)), None)


def _values_of_tap(event: Event) -> dict[str, str]:
    assert isinstance(event, Tap)
    touch = TICKED if event.direct_touch else ""
    return {"standing": str(event.standing), "direct_touch": touch, "player": event.player or ""}


def _tap_part(snapshot: Snapshot, values: Values) -> FormPart:
    in_turn = Choice(value="", words="whoever is in turn")
    return FormPart(
        fields=(
            _number("standing", "Pins standing after it", values, MOST_PINS),
            _chosen("player", "Tapped by", (in_turn, *named(snapshot.standing.header.names)), values),
            _tick("direct_touch", "A pin was touched directly", values),
        )
    )


def _read_tap(snapshot: Snapshot, values: Values) -> Tap:
    reading = Reading(values)
    names = snapshot.standing.header.names
    tap = Tap(
        standing=reading.whole("standing", MOST_PINS),
        direct_touch=reading.tick("direct_touch"),
        player=reading.one_of("player", ("", *names), "Please choose one of the players.") or None,
    )
    reading.check()
    return tap


def _values_of_rack(event: Event) -> dict[str, str]:
    assert isinstance(event, Rack)
    return {"standing": str(event.standing), "has_problems": TICKED if event.problems else ""}


def _rack_part(snapshot: Snapshot, values: Values) -> FormPart:
    standing = _number("standing", "Pins standing", {"standing": str(MOST_PINS), **values}, MOST_PINS)
    return FormPart(fields=(standing, _tick("has_problems", "They do not stand as they must", values)))


def _read_rack(snapshot: Snapshot, values: Values) -> Rack:
    reading = Reading(values)
    problems = ("not as they must",) if reading.tick("has_problems") else ()
    rack = Rack(standing=reading.whole("standing", MOST_PINS), problems=problems)
    reading.check()
    return rack


def _values_of_card(event: Event) -> dict[str, str]:
    assert isinstance(event, Card)
    return {"card": event.card, "seat": event.seat}


def _card_part(snapshot: Snapshot, values: Values) -> FormPart:
    players = snapshot.standing.header.players
    seats = tuple(Choice(value=player.seat, words=f"{player.name}, {player.seat}") for player in players if player.seat)
    return FormPart(
        fields=(_chosen("card", "Card", _cards("SDC"), values), _chosen("seat", "Played by", seats, values))
    )


def _read_card(snapshot: Snapshot, values: Values) -> Card:
    reading = Reading(values)
    card = _read_card_name(reading)
    seat = reading.one_of("seat", SEATS, "Please choose who played it.")
    reading.check()
    return Card(card=card, seat=next(known for known in SEATS if known == seat))


def _values_of_point_card(event: Event) -> dict[str, str]:
    assert isinstance(event, PointCard)
    return {"card": event.card}


def _point_card_part(snapshot: Snapshot, values: Values) -> FormPart:
    return FormPart(fields=(_chosen("card", "Card", _cards("H"), values),))


def _read_point_card(snapshot: Snapshot, values: Values) -> PointCard:
    reading = Reading(values)
    card = _read_card_name(reading)
    reading.check()
    return PointCard(card=card)


def _values_of_decision(event: Event) -> dict[str, str]:
    assert isinstance(event, Decision)
    targets = {f"target_{index}": str(number) for index, number in enumerate(event.targets or ())}
    return {"player": event.player, "choice": event.choice, **targets}


def _decision_part(snapshot: Snapshot, values: Values) -> FormPart:
    known = find_game(snapshot.standing.game).choices
    said = tuple(Choice(value=choice, words=words) for choice, words in CHOICE_WORDS.items() if choice in known)
    fields = (
        _chosen("player", "Player", named(snapshot.standing.header.names), values),
        _chosen("choice", "Said", said, values),
    )
    numbers = (NOTHING, *named(str(number) for number in range(2, 10)))
    chips = tuple(
        _chosen(f"target_{index}", f"Target chip {index + 1}, if any", numbers, values)
        for index in range(CHIPS_AT_ONCE)
    )
    return FormPart(fields=(*fields, *chips) if "targets" in known else fields)


def _read_decision(snapshot: Snapshot, values: Values) -> Decision:
    reading = Reading(values)
    player = reading.one_of("player", snapshot.standing.header.names, "Please choose one of the players.")
    known = find_game(snapshot.standing.game).choices
    text = reading.one_of("choice", known, "Please choose what was said.")
    chips = [f"target_{index}" for index in range(CHIPS_AT_ONCE) if reading.text(f"target_{index}")]
    targets = tuple(reading.whole(chip, 9) for chip in chips)
    reading.check()
    choice = next(choice for choice in get_args(Said) if choice == text)
    return Decision(player=player, choice=choice, targets=targets if choice == "targets" and targets else None)


def _values_of_balls(event: Event) -> dict[str, str]:
    assert isinstance(event, Placed | Removed)
    values: dict[str, str] = {}
    for index, ball in enumerate(event.balls):
        values |= {f"ball_colour_{index}": ball.colour, f"ball_at_{index}": ball.at}
    return values


def _balls_part(title: str) -> Callable[[Snapshot, Values], FormPart]:
    def part(snapshot: Snapshot, values: Values) -> FormPart:
        holes = named(hole.name for hole in snapshot.layout.holes)
        places = (NOTHING, *holes, Choice(value=BOARD, words="the board, in no hole"))
        columns = (
            ("ball_colour", "Ball", (NOTHING, *named(ball_colours(snapshot)))),
            ("ball_at", "at", places),
        )
        return FormPart(rows=repeated("balls", title, columns, values))

    return part


def _read_balls(snapshot: Snapshot, values: Values) -> tuple[BallAt, ...]:
    reading = Reading(values)
    holes = [hole.name for hole in snapshot.layout.holes]
    rows = reading.rows("ball_colour", "ball_at")
    if not rows or not all(colour and at in (BOARD, *holes) for colour, at in rows):
        reading.errors["balls"] = "Please say for each ball its colour, and which hole or the board."
    reading.check()
    return tuple(BallAt(colour=colour, at=at) for colour, at in rows)


def _values_of_shot(event: Event) -> dict[str, str]:
    assert isinstance(event, Shot)
    return shot_values(event)


def _read_card_name(reading: Reading) -> str:
    return reading.one_of("card", (rank + suit for rank in RANK_ORDER for suit in SUITS), "Please choose the card.")


def _cards(suits: str) -> tuple[Choice, ...]:
    cards = (rank + suit for suit in suits for rank in RANK_ORDER)
    return (NOTHING, *(Choice(value=card, words=card_words(card)) for card in cards))


def _chosen(name: str, label: str, choices: tuple[Choice, ...], values: Values) -> Field:
    return Field(name=name, label=label, kind="choice", value=values.get(name, ""), choices=choices)


def _number(name: str, label: str, values: Values, most: int) -> Field:
    return Field(name=name, label=label, kind="number", value=values.get(name, ""), most=most)


def _tick(name: str, label: str, values: Values) -> Field:
    return Field(name=name, label=label, kind="tick", value=values.get(name, ""))


RANK_ORDER: Final = "A23456789TJQK"
KINDS: Final = (
    EventKind(name="shot", words="a throw", type=Shot, values=_values_of_shot, part=shot_part, read=read_shot),
    EventKind(name="tap", words="a tap", type=Tap, values=_values_of_tap, part=_tap_part, read=_read_tap),
    EventKind(name="card", words="a card played", type=Card, values=_values_of_card, part=_card_part, read=_read_card),
    EventKind(
        name="point_card",
        words="a point card turned up",
        type=PointCard,
        values=_values_of_point_card,
        part=_point_card_part,
        read=_read_point_card,
    ),
    EventKind(
        name="decision",
        words="something said",
        type=Decision,
        values=_values_of_decision,
        part=_decision_part,
        read=_read_decision,
    ),
    EventKind(name="rack", words="pins set up", type=Rack, values=_values_of_rack, part=_rack_part, read=_read_rack),
    EventKind(
        name="placed",
        words="balls put down by hand",
        type=Placed,
        values=_values_of_balls,
        part=_balls_part("Balls put down"),
        read=lambda snapshot, values: Placed(balls=_read_balls(snapshot, values)),
    ),
    EventKind(
        name="removed",
        words="balls taken off by hand",
        type=Removed,
        values=_values_of_balls,
        part=_balls_part("Balls taken off"),
        read=lambda snapshot, values: Removed(balls=_read_balls(snapshot, values)),
    ),
)
