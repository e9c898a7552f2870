"""What happened at the table: frozen facts, one closed union, JSON both ways (the contract's event log)."""

from dataclasses import dataclass
from typing import Literal

Seat = Literal["south", "west", "north", "east"]
Surface = Literal["table", "board", "ball"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """What may stand in every event: when, how sure, why a person should look, and the finer evidence as JSON text."""

    t_s: float | None = None
    t_end_s: float | None = None
    confidence: float | None = None
    review: str | None = None
    evidence: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    name: str
    seat: Seat | None = None
    colours: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InHole:
    hole: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OnBoard:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Off:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class OnBall:
    pass


Place = InHole | OnBoard | Off | OnBall


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A ball that a shot moved. ``source``/``target``: a hole, ``"board"``, or (target) None for off the board."""

    colour: str
    source: str
    target: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    colour: str | None
    table_bounces: int
    result: Place
    ball: str | None = None
    side: Seat | None = None
    touched_board: bool | None = None
    moved: tuple[Move, ...] = ()
    player: str | None = None
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class BallAt:
    """A ball of a colour at a hole or ``"board"``."""

    colour: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    balls: tuple[BallAt, ...]
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    balls: tuple[BallAt, ...]
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenBounce:
    colour: str | None
    surface: Surface
    px: tuple[float, float]
    mm: tuple[float, float] | None = None
    side: Seat | None = None
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenBoard:
    """What lies on the board: hole name to colour, and the colours of loose balls on it (``loose_mm``: where)."""

    holes: tuple[tuple[str, str], ...]
    loose: tuple[str, ...] = ()
    loose_mm: tuple[tuple[float, float], ...] = ()
    stamp: Stamp = Stamp()
