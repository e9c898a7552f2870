"""Events and calls in people's words."""

from collections.abc import Iterable
from typing import Final, assert_never

from referee.events import (
    BOARD,
    BadEvent,
    Card,
    Decision,
    Event,
    Header,
    InHole,
    Move,
    Note,
    Off,
    OnBall,
    OnBoard,
    OtherEvent,
    Placed,
    PointCard,
    Rack,
    Removed,
    Ruling,
    SeenBoard,
    SeenBounce,
    SeenCameraMoved,
    SeenCard,
    SeenPins,
    Shot,
    Tap,
)
from referee.games.game import Call

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
RANKS: Final = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
SUITS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
REASONS: Final = {
    "no_bounce": "no bounce on the table",
    "double_bounce": "more than one bounce on the table",
    "wrong_side": "bounce on another side of the table",
    "missed_board": "missed the board",
    "bounced_out": "bounced off the board",
    "landed_on_ball": "on top of other balls",
    "knocked_out": "knocked off the board",
    "bad_event": "this line can't be used",
    "game_over": "the match is over",
    "no_such_ball": "nobody has such a ball to throw",
    "out_of_turn": "out of turn",
    "no_point_card": "no point card lies open",
    "cannot_stand": "nobody stands before the last turn",
    "blue_not_allowed": "the blue ball may not be used",
    "decide_first": "there is something to decide first",
    "cannot_raise": "there is no raising now",
    "cannot_stop": "there is no stopping now",
    "no_choice": "there is nothing to choose",
    "bad_rack": "the pins do not stand as they must",
    "no_pins": "no pin felled",
    "all_pins": "all pins felled",
    "direct_touch": "a pin was touched",
    "impossible": "it contradicts what was there",
}


def event_words(event: Event, header: Header) -> str:
    """What happened, as a person would say it: "Red, from south: one bounce on the table, into D6"."""
    match event:
        case Shot():
            return _shot_words(event)
        case Removed(balls=balls):
            return "Taken off: " + (_listed(f"{ball.colour} from {_place(ball.at)}" for ball in balls) or "nothing")
        case Placed(balls=balls):
            return "Put down: " + (_listed(f"{ball.colour} to {_place(ball.at)}" for ball in balls) or "nothing")
        case Tap():
            touch = ", a pin was touched" if event.direct_touch else ""
            return f"Tap: {_count(event.standing, 'pin')} left standing{touch}"
        case Rack():
            return _sentence(f"{_count(event.standing, 'pin')} set up: {', '.join(event.problems) or 'all well'}")
        case PointCard():
            return f"Point card: {card_words(event.card)}"
        case Card():
            player = next((player.name for player in header.players if player.seat == event.seat), event.seat)
            return f"{player} plays the {card_words(event.card)}"
        case Decision():
            return f"{event.player}: {event.choice} {_listed(map(str, event.targets or ()))}".rstrip()
        case Ruling():
            return _ruling_words(event, header)
        case Note():
            return f"{event.by or 'Note'}: {event.text}"
        case OtherEvent():
            return event.type.strip() or "An event without a name"
        case BadEvent():
            return f"Unusable line: {event.reason}"
        case _:
            return _seen_words(event)


def call_words(call: Call) -> str:
    """What the referee says: "Ann scores 5 (D6)"."""
    who = call.player or "Nobody"
    why = REASONS.get(call.reason or "", (call.reason or "").replace("_", " "))
    match call.call:
        case "opening":
            return f"{who} begins, with {call.points}"
        case "score":
            return f"{who} scores {call.points}" + (f" ({call.hole})" if call.hole else "")
        case "foul":
            return f"Foul by {who}: {why}"
        case "forfeit":
            to = f"goes to {call.to}" if call.to else "is set aside"
            return _sentence(f"{call.colour} {to}: {why}")
        case "row":
            return f"{who} wins the row {call.reason}: {call.points}"
        case "stand":
            return f"{who} stands"
        case "bonus":
            return f"{who} gets {call.points} for five in a row"
        case "round" if call.reason == "tie":
            return f"A tie: another round, {who} begins"
        case "round":
            return f"Round {call.reason}: {who} begins"
        case "trick" if call.reason:
            return f"{who} wins the trick and takes the {card_words(call.reason)}"
        case "renege" if call.reason:
            unfollowed, _, showing = call.reason.partition(",")
            return f"Renege by {who}: did not follow in trick {unfollowed}, but had the suit in trick {showing}"
        case "refused":
            return f"Not counted: {why}"
        case "hit":
            return f"{who} hits"
        case "miss":
            return f"{who} misses"
        case "raise":
            return f"{who} raises to {call.points}"
        case "take":
            return f"{who} takes {call.points}"
        case "nice_shot":
            return f"Nice shot by {who}: {call.points}"
        case "strike":
            return f"Strike by {who}"
        case "penalty":
            return f"Penalty for {who}: {why}"
        case "eliminated":
            return f"{who} is out"
        case "rerack":
            return f"{who} sets up all pins again"
        case "win":
            return f"{who} wins"
        case other:
            parts = (who, other.replace("_", " "), why, "" if call.points is None else str(call.points))
            return " ".join(filter(None, parts))


def card_words(card: str) -> str:
    """A card by its whole name: "7H" is the "7 of hearts"."""
    rank, suit = card[:1], card[1:]
    return f"{RANKS.get(rank, rank)} of {SUITS.get(suit, suit)}"


def _shot_words(shot: Shot) -> str:
    ball = _sentence(shot.ball or shot.colour or "a ball")
    side = f", from {shot.side}" if shot.side else ""
    moved = "".join(f"; {_move_words(move)}" for move in shot.moved)
    bounces = "no bounce" if shot.table_bounces == 0 else _count(shot.table_bounces, "bounce")
    return f"{ball}{side}: {bounces} on the table, {_result_words(shot)}{moved}"


def _result_words(shot: Shot) -> str:
    aim = "box" if shot.ball else "board"
    match shot.result:
        case InHole(hole=hole):
            return f"into {hole}"
        case OnBoard():
            return f"onto the flat of the {aim}"
        case Off():
            return f"off the {aim} again" if shot.touched_board else f"past the {aim}"
        case OnBall():
            return "onto other balls"
        case _:
            assert_never(shot.result)


def _move_words(move: Move) -> str:
    if move.target is None:
        return f"{move.colour} knocked off from {_place(move.source)}"
    return f"{move.colour} moved from {_place(move.source)} to {_place(move.target)}"


def _ruling_words(ruling: Ruling, header: Header) -> str:
    match ruling.replace:
        case None:
            ruled = "struck out"
        case Header():
            ruled = "another header"
        case replacement:
            ruled = event_words(replacement, header)
    reason = f" ({ruling.reason})" if ruling.reason else ""
    return f"{ruling.by or 'Somebody'} on line {ruling.event}: {ruled}{reason}"


def _seen_words(event: SeenBounce | SeenBoard | SeenPins | SeenCard | SeenCameraMoved) -> str:
    match event:
        case SeenBounce():
            where = f" on {event.side}'s side" if event.side else ""
            return f"{_sentence(event.colour or 'a ball')} touches the {event.surface}{where}"
        case SeenBoard():
            balls = [f"{colour} in {hole}" for hole, colour in event.holes]
            return "On the board: " + (_listed([*balls, *(f"{colour} loose" for colour in event.loose)]) or "nothing")
        case SeenPins():
            return f"Seen: {_count(event.standing, 'pin')} standing, {_count(event.fallen, 'pin')} fallen"
        case SeenCard():
            return f"The {card_words(event.card)} " + ("is taken away" if event.gone else "lies on the table")
        case SeenCameraMoved():
            found = "found its place again" if event.recovered else "lost its place"
            return f"The camera was moved and {found}"
        case _:
            assert_never(event)


def _place(place: str) -> str:
    return "the flat of the board" if place == BOARD else place


def _count(number: int, thing: str) -> str:
    words = NUMBERS[number] if number < len(NUMBERS) else str(number)
    return f"{words} {thing}" + ("" if number == 1 else "s")


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(parts)
