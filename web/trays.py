"""What only one game has, as small things in rows: balls in a corral, chips, cards, pins."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from referee.games.bounce_21 import GOAL, Shots
from referee.games.bounce_it import VALUES, BounceItDetail
from referee.games.bouncers import BouncersDetail
from referee.games.game import ToldDetail
from referee.games.row_game import Corrals
from referee.games.wonder_bowling import PINS, WonderBowlingDetail
from referee.match import Standing
from referee.words import card_words
from web.colours import colour_class

SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
# What the big number beside a name counts.
UNITS = {
    "bounce-em-straight": "balls",
    "bounce-21": "of 21",
    "wonder-bowling": "to turn",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A small thing. ``text``: what stands on it; ``css``: its looks; ``words``: for those who hear the page."""

    text: str
    css: str
    words: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Tray:
    """A row of small things with its name; ``note``: what is to be said about it, or instead of them."""

    label: str
    tokens: tuple[Token, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trays:
    """``table``: what belongs to nobody; ``players`` and ``remarks``: by name; ``unit``: of the score."""

    table: tuple[Tray, ...] = ()
    players: Mapping[str, tuple[Tray, ...]] = field(default_factory=dict)
    remarks: Mapping[str, str] = field(default_factory=dict)
    unit: str = ""


def trays_of(standing: Standing, marks: Mapping[str, str]) -> Trays:
    """What the game of a match has beside its score. ``marks``: the balls' marks, by colour."""
    unit = UNITS.get(standing.game, "")
    match standing.detail:
        case Corrals() as corrals:
            own = {player.name: player.colours for player in standing.header.players}
            players = {name: (_corral(own[name], colours, marks),) for name, colours in corrals.colours}
            return Trays(players=players, unit=unit)
        case Shots() as shots:
            over = {name: "over 21" for name, points in standing.scores if points > GOAL}
            players = {name: (Tray(label="Balls thrown", note=str(count)),) for name, count in shots.shots}
            return Trays(players=players, remarks=over, unit=unit)
        case BounceItDetail() as detail:
            return _bounce_it(detail, marks)
        case WonderBowlingDetail() as detail:
            return _wonder_bowling(detail, standing.turn if standing.expected.action == "tap" else None, unit)
        case BouncersDetail() as detail:
            return _bouncers(detail)
        case ToldDetail() as detail:
            lines = (line.partition(": ") for line in detail.to_words())
            return Trays(table=tuple(Tray(label=label, note=rest) for label, _, rest in lines))
        case _:
            return Trays()


def _corral(own: Sequence[str], colours: Sequence[str], marks: Mapping[str, str]) -> Tray:
    """The player's own colours first."""
    counts = Counter(colours)
    order = sorted(counts, key=lambda colour: (colour not in own, colour))
    balls = tuple(
        Token(text=marks.get(colour, ""), css=f"ball-token {colour_class(colour)}", words=colour, count=counts[colour])
        for colour in order
    )
    return Tray(label="Corral", tokens=balls, note="" if balls else "empty")


def _bounce_it(detail: BounceItDetail, marks: Mapping[str, str]) -> Trays:
    chips = zip(detail.names, detail.chips, strict=True)
    players = {
        name: (Tray(label="Chips", tokens=tuple(map(_chip, taken)), note="" if taken else "none yet"),)
        for name, taken in chips
    }
    counts = zip(VALUES, detail.supply.counts, strict=True)
    supply = tuple(_chip(value, count) for value, count in counts if count)
    table = [Tray(label="Tray", tokens=supply, note="" if supply else "empty")]
    if detail.current is not None:
        table.insert(0, Tray(label="Platform", tokens=(_chip(detail.current),)))
        balls = tuple(
            Token(text=marks.get(ball, ball[:1].upper()), css=f"ball-token {colour_class(ball)}", words=ball)
            for ball in detail.balls_left
        )
        table.insert(1, Tray(label="Balls left", tokens=balls))
    return Trays(table=tuple(table), players=players)


def _chip(value: int, count: int = 1) -> Token:
    return Token(text=str(value), css=f"chip-token chip-{value}", words=f"chip of {value}", count=count)


def _wonder_bowling(detail: WonderBowlingDetail, turn: str | None, unit: str) -> Trays:
    """``turn``: who taps next."""
    players, nice = {}, list[int]()
    for name, hand in zip(detail.names, detail.hands, strict=True):
        if name == turn:
            nice = sorted({number for number in hand.targets if number < detail.standing})
        strikes = [Token(text="✕", css="chip-token chip-strike", words="strike chip", count=hand.strikes)]
        targets = (_target(number, is_due=name == turn and number in nice) for number in sorted(hand.targets))
        tokens = (*(strikes if hand.strikes else ()), *targets)
        players[name] = (Tray(label="Chips", tokens=tokens, note="" if tokens else "nothing"),)
    left = detail.penalty_left
    table = [
        Tray(label="Pins standing", tokens=_pins(detail.standing), note=str(detail.standing)),
        Tray(label="Penalty chips", note="none left: the next penalty eliminates" if detail.is_survival else str(left)),
    ]
    if turn is not None:
        wanted = [f"{_or(map(str, nice))} for a nice shot"] if nice else []
        strike = ["1 for a strike"] if detail.standing > 1 else []
        table.insert(1, Tray(label=f"{turn} wants", note=", ".join([*wanted, *strike]) or "all pins set up"))
    return Trays(table=tuple(table), players=players, remarks=dict.fromkeys(detail.eliminated, "out"), unit=unit)


def _target(number: int, *, is_due: bool) -> Token:
    words = f"target chip {number}, a nice shot now" if is_due else f"target chip {number}"
    return Token(text=str(number), css="chip-token chip-target" + (" is-due" if is_due else ""), words=words)


def _pins(standing: int) -> tuple[Token, ...]:
    up, down = (
        Token(text="", css=css, words=words) for css, words in (("pin", "standing"), ("pin pin-down", "felled"))
    )
    return (up,) * standing + (down,) * max(0, PINS - standing)


def _bouncers(detail: BouncersDetail) -> Trays:
    players = {}
    for name, taken, cost in zip(detail.names, detail.taken, detail.tentative, strict=True):
        cards = Tray(label="Taken", tokens=tuple(map(card_token, taken)), note="" if taken else "nothing yet")
        players[name] = (cards, Tray(label="This deal so far", note=str(cost)))
    return Trays(players=players)


def card_token(card: str) -> Token:
    """A playing card: its rank and suit."""
    rank, suit = card[:1].replace("T", "10"), card[1:]
    css = "card-token card-red" if suit in "HD" else "card-token card-black"
    return Token(text=f"{rank}{SUIT_SIGNS.get(suit, suit)}", css=css, words=card_words(card))


def _or(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
