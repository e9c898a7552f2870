"""The house rules of a match in words, each beside the usual one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from referee.events import Header
from referee.games.bounce_it import SUPPLIES, VALUES

Value = object
Usual = Callable[[Header], Value]


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRule:
    """A rule that a match may have otherwise. ``usual``: how it is without a house rule, "" where it is so."""

    name: str
    words: str
    usual: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """An option of a header: its default, and what a value of it means."""

    name: str
    default: Usual
    say: Callable[[Value], str]


def house_rules(header: Header) -> tuple[HouseRule, ...]:
    """What is in force in a match; nothing for games whose options aren't known here."""
    rules = []
    for known in KNOWN.get(header.game or "", ()):
        default = known.default(header)
        value = header.option(known.name, default)
        usual = "" if value == default else known.say(default)
        rules.append(HouseRule(name=known.name, words=known.say(value), usual=usual))
    return tuple(rules)


def _fixed(value: Value) -> Usual:
    return lambda header: value


def _flag(name: str, default: bool, on: str, off: str) -> _Known:
    return _Known(name=name, default=_fixed(default), say=lambda value: on if value else off)


def _count(name: str, default: int, words: str) -> _Known:
    def say(value: Value) -> str:
        return words.format(int(value) if isinstance(value, float) else value)

    return _Known(name=name, default=_fixed(default), say=say)


def _first_named(header: Header) -> Value:
    return header.names[0]


def _last_named(header: Header) -> Value:
    return header.names[-1]


def _usual_supply(header: Header) -> Value:
    counts = SUPPLIES.get(len(header.names), ())
    return {str(value): count for value, count in zip(VALUES, counts, strict=False)}


def _say_opening(value: Value) -> str:
    return "Opening throws decide who begins" if value is None else f"{value} begins, without opening throws"


def _say_supply(value: Value) -> str:
    counts = value if isinstance(value, Mapping) else {}
    chips = [f"{count} of {chip}" for chip, count in counts.items() if count]
    return f"Chips at the start: {', '.join(chips)}"


def _say_no_blue(value: Value) -> str:
    names = [str(name) for name in value] if isinstance(value, list) else []
    return f"No blue ball in the first turn for {', '.join(names)}" if names else "Blue in the first turn for everybody"


OPENING: Final = _Known(name="starter", default=_fixed(None), say=_say_opening)
STARTER: Final = _Known(name="starter", default=_first_named, say=lambda value: f"{value} begins")
WRONG_SIDE: Final = _flag(
    "wrong_side",
    True,
    "A bounce on another player's side is a foul",
    "The bounce may be on any side",
)
FOUL_ROWS: Final = _flag(
    "foul_wins_no_row",
    False,
    "A foul throw wins no row",
    "A foul throw may still win a row that other balls complete",
)
KNOWN: Final[Mapping[str, tuple[_Known, ...]]] = {
    "bounce-em-straight": (OPENING, WRONG_SIDE, FOUL_ROWS),
    "bounce-em-all": (OPENING, WRONG_SIDE, _count("rounds", 1, "Rounds: {}")),
    "hit-66": (OPENING, WRONG_SIDE, FOUL_ROWS, _count("target", 66, "The first with {} points wins")),
    "bounce-21": (
        OPENING,
        WRONG_SIDE,
        _flag(
            "throw_means_stand",
            True,
            "A throw of the next player means that the one in turn stands",
            "Everybody has to say “stand” before the next player throws",
        ),
    ),
    "bounce-it": (
        STARTER,
        _count("target", 42, "The first with {} points wins"),
        _Known(name="supply", default=_usual_supply, say=_say_supply),
        _flag(
            "throw_means_raise",
            True,
            "Throwing on after a hit means raise",
            "After a hit the player has to say “raise” before throwing on",
        ),
        _flag("no_blue_from_21", False, "No blue ball from 21 points on", "Blue also from 21 points on"),
        _Known(name="no_blue_first_turn", default=_fixed([]), say=_say_no_blue),
    ),
    "wonder-bowling": (STARTER,),
    "bouncers": (
        _Known(name="dealer", default=_last_named, say=lambda value: f"{value} deals first"),
        _count("target", 100, "The game ends after the deal in which somebody reaches {}"),
        _flag("show_upcoming", False, "All point cards of a deal lie open", "Point cards are turned up one by one"),
        _flag(
            "special_bouncers",
            False,
            "The king cancels the highest numeral won, the jack the lowest, the queen the one before it",
            "Every bouncer cancels the highest numeral that is left",
        ),
    ),
}
