"""What a game is to the rest of the program: it starts from a header and takes one event after the other."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from calibration.layout import Layout
from referee.events import Choice, Event, Header

Phase = Literal["opening", "playing", "finished"]
Action = Literal["throw", "tap", "choose", "turn_up", "play", "nothing"]
CallKind = Literal[
    "opening",
    "score",
    "foul",
    "forfeit",
    "row",
    "bonus",
    "stand",
    "hit",
    "miss",
    "raise",
    "take",
    "nice_shot",
    "strike",
    "penalty",
    "eliminated",
    "rerack",
    "trick",
    "renege",
    "round",
    "refused",
    "win",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What the referee says. ``event``: the line of the log that caused it, filled in by the match.

    ``reason``: a foul's name, why an event was refused, a round's number …; ``to``: who gets a forfeited ``colour``
    (None: set aside); ``hole``: where a ball scored.
    """

    player: str | None
    call: CallKind
    reason: str | None = None
    points: int | None = None
    colour: str | None = None
    to: str | None = None
    hole: str | None = None
    event: int = -1


class Refused(Exception):
    """An event that a game can't take; the text is the reason that the call gives."""


class Detail(Protocol):
    """What only one game shows."""

    def to_json(self) -> dict[str, object]: ...


@runtime_checkable
class ToldDetail(Detail, Protocol):
    """What only one game shows, and also tells people below the points, line by line."""

    def to_words(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NoDetail:
    def to_json(self) -> dict[str, object]:
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a game stands. ``board``: hole and colour of every ball in a hole."""

    phase: Phase
    turn: str | None
    scores: tuple[tuple[str, int], ...]
    winners: tuple[str, ...] = ()
    board: tuple[tuple[str, str], ...] = ()
    detail: Detail = NoDetail()


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What comes next: who may act, and what they do ("nothing" after the end or when nobody can).

    ``choices``: what they may say, in place of the action or, with the action "choose", before anything else goes on.
    """

    players: tuple[str, ...]
    action: Action
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What an event did: the state after it and the calls, in order."""

    state: "State"
    calls: tuple[Call, ...] = ()


class State(Protocol):
    """A moment of a match: a frozen value."""

    def apply(self, event: Event) -> Step:
        """The next moment; raises Refused for an event that can't be used, and then nothing has changed."""
        ...

    def outcome(self) -> Outcome: ...

    def expected(self) -> Expected: ...


def _without_chance(header: Header) -> Header:
    return header


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game's rules: ``uses``: the event types it reads, all others pass it by; ``choices``: the decisions it knows;
    ``reads_layout``: it can't be ruled without one.

    ``start`` gives the first state of a match; it raises BadHeader for players or house rules it can't play with.
    ``draw`` writes out in a header what chance decides at the start, so that it no longer hangs on this program.
    """

    name: str
    title: str
    uses: frozenset[str]
    reads_layout: bool
    choices: frozenset[Choice]
    start: Callable[[Header, Layout | None], State]
    draw: Callable[[Header], Header] = _without_chance
