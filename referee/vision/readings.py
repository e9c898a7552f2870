"""What is read of a board in one picture, and what loose balls say of holes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.vision.loose import Loose
from referee.vision.seats import Seat

PLACE_SIGMA_MM = 3.0
"""How well the place of a ball on the board is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HoleReading:
    """``colour``: of the ball in it, or None. ``share``: of the predicted disc in the likeliest colour.
    ``is_covered``: something else is over it, so that it can't be read."""

    hole: str
    colour: str | None
    share: float
    is_covered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardReading:
    holes: tuple[HoleReading, ...]
    loose: tuple[Loose, ...]


def emptied(holes: Sequence[HoleReading], are_empty: Sequence[bool]) -> tuple[HoleReading, ...]:
    """The readings with some holes empty."""
    if not any(are_empty):
        return tuple(holes)
    return tuple(replace(hole, colour=None) if empty else hole for hole, empty in zip(holes, are_empty, strict=True))


def filled(hole: HoleReading, colour: str | None) -> HoleReading:
    """The reading, with a ball of that colour, if any, where a hole that can be read looks empty."""
    is_empty = hole.colour is None and not hole.is_covered
    return replace(hole, colour=colour) if colour is not None and is_empty else hole


def lies_beside(loose: Sequence[Loose], seat: Seat, colour: str | None) -> bool:
    """Whether a loose ball of a colour is seen within a seat's ball, and lies where it doesn't fall into the hole."""
    return any(
        ball.colour == colour and is_part(ball, seat) and over_mm(ball, seat) > seat.hole.radius_mm - PLACE_SIGMA_MM
        for ball in loose
    )


def over_mm(ball: Loose, seat: Seat) -> float:
    """How far a loose ball, if it lies on the board, is from the middle of a hole."""
    return math.hypot(ball.x_mm - seat.hole.x_mm, ball.y_mm - seat.hole.y_mm)


def is_part(ball: Loose, seat: Seat) -> bool:
    """Whether a loose ball is seen within a seat's ball."""
    return math.hypot(ball.x_px - seat.x_px, ball.y_px - seat.y_px) < seat.radius_px
