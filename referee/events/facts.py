"""The facts: what happened at the table, frozen; ``Event`` is the closed union of all of them."""

from dataclasses import dataclass
from typing import Literal

from referee.events.header import Header, Seat

Surface = Literal["table", "board", "ball"]
Choice = Literal["raise", "stop", "stand", "strike", "targets", "ready"]

BOARD = "board"
"""The place of a ball that lies on the board but in no hole, where places are texts."""


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
class Unread:
    """A key of an event that stands there but can't be read, and its JSON text; a game that needs it refuses it."""

    key: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A ball was thrown. ``side``: the seat's side of the first table bounce, else where it was thrown from.

    ``colour`` is None only in Bounce It!, which tells its balls apart by ``ball``; ``touched_board`` is known of balls
    that went off. ``unread``: of ``side`` and ``moved``, which not every game reads, those that can't be used.
    """

    colour: str | None
    table_bounces: int
    result: Place
    ball: str | None = None
    side: Seat | None = None
    touched_board: bool | None = None
    moved: tuple[Move, ...] = ()
    player: str | None = None
    unread: tuple[Unread, ...] = ()
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class BallAt:
    """A ball of a colour at a hole or ``"board"``."""

    colour: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """Balls were taken off the board by hand."""

    balls: tuple[BallAt, ...]
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Balls were put onto the board by hand, or lay there when the recording began."""

    balls: tuple[BallAt, ...]
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tap:
    """The box under the pins was struck; ``standing`` pins were left."""

    standing: int
    direct_touch: bool = False
    player: str | None = None
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rack:
    """The pins were set up; ``problems`` such as "touching 3 4"."""

    standing: int
    problems: tuple[str, ...] = ()
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class PointCard:
    """The point card turned up, such as "7H"."""

    card: str
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card was played to the trick."""

    card: str
    seat: Seat
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A player said what to do; ``targets``: the numbers turned (Wonder Bowling), None when left out."""

    player: str
    choice: Choice
    targets: tuple[int, ...] | None = None
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A remark; it has no effect on the score."""

    text: str
    by: str | None = None
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenBounce:
    """A ball touched something in flight."""

    colour: str | None
    surface: Surface
    px: tuple[float, float]
    mm: tuple[float, float] | None = None
    side: Seat | None = None
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenBoard:
    """What lies on the board: hole name to colour, and the colours of loose balls on it (``loose_mm``: where).

    The one hole of a box may hold several balls: then its name stands several times.
    """

    holes: tuple[tuple[str, str], ...]
    loose: tuple[str, ...] = ()
    loose_mm: tuple[tuple[float, float], ...] = ()
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPin:
    """A pin in the picture: its foot, and "standing", "fallen", "leaning" …; ``mm``: from the middle of the lane."""

    px: tuple[float, float]
    state: str
    mm: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPins:
    """The pins in a settled picture."""

    standing: int
    fallen: int
    pins: tuple[SeenPin, ...] = ()
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenCard:
    """A card lies on the table, or (``gone``) was taken away."""

    card: str
    corners_px: tuple[tuple[float, float], ...]
    gone: bool = False
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenCameraMoved:
    """The view shifted by ``px``; ``recovered``: it was found again."""

    px: float
    recovered: bool
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherEvent:
    """An event of a type that nothing here reads; ``text`` is its JSON."""

    type: str
    text: str
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class BadEvent:
    """A line that can't be used: its type ("" when it has none), what is wrong, whom it names, and its JSON.

    ``player``: by name; ``seat``: by where the card was played from.
    """

    type: str
    reason: str
    text: str
    player: str | None = None
    seat: Seat | None = None
    stamp: Stamp = Stamp()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """People corrected a line of the log (the header is line 0): how it should read, or None to strike it out."""

    event: int
    replace: "Event | Header | None"
    by: str | None = None
    reason: str | None = None
    stamp: Stamp = Stamp()


Event = (
    Shot
    | Removed
    | Placed
    | Tap
    | Rack
    | PointCard
    | Card
    | Decision
    | Ruling
    | Note
    | SeenBounce
    | SeenBoard
    | SeenPins
    | SeenCard
    | SeenCameraMoved
    | OtherEvent
    | BadEvent
)
