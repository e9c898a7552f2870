"""What throws did to the board: where each thrown ball ended, and which balls were moved, from before and after."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.events import BOARD, BallAt, InHole, Move, Off, OnBall, OnBoard, Place
from referee.vision.board import Loose, Seat
from referee.vision.ground import Ground
from referee.vision.steady import BoardState
from referee.vision.throws import Throw

NEAR_RADII = 1.6
"""How far, in its radii, a ball's last sighting may lie from where it was found: it sinks into a hole unseen."""


NUDGE_MM = 15.0
"""A loose ball that moved less, under a ball's radius, still lies where it lay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Where a thrown ball ended. ``is_near``: its last sighting is where it was found."""

    place: Place
    is_near: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A ball that the board has now and hadn't before."""

    colour: str
    at: str
    x_px: float
    y_px: float
    place: Place


def outcomes(
    throws: Sequence[Throw], before: BoardState, after: BoardState, seats: Sequence[Seat], ground: Ground
) -> tuple[tuple[Outcome, ...], tuple[Move, ...]]:
    """Each throw's outcome, in order, and what else moved."""
    came = _came(before, after, seats, ground)
    went = _gone(before, after)
    results: list[Outcome] = []
    for throw in throws:
        options = [ball for ball in came if ball.colour == throw.colour]
        best = min(options, key=lambda ball: _distance(throw, ball), default=None)
        if best is None:
            results.append(Outcome(place=Off(), is_near=not (throw.rests and _is_on_board(throw, ground))))
            continue
        came.remove(best)
        results.append(Outcome(place=best.place, is_near=_distance(throw, best) <= NEAR_RADII * throw.end_radius_px))
    moves: list[Move] = []
    for ball in went:
        target = next((other for other in came if other.colour == ball.colour), None)
        if target is not None:
            came.remove(target)
        moves.append(Move(colour=ball.colour, source=ball.at, target=target.at if target is not None else None))
    return tuple(results), tuple(moves)


def by_hand(before: BoardState, after: BoardState) -> tuple[tuple[BallAt, ...], tuple[BallAt, ...]]:
    """Balls that went from and came to the board without a throw: removed and placed."""
    return tuple(_gone(before, after)), tuple(_gone(after, before))


def _gone(before: BoardState, after: BoardState) -> list[BallAt]:
    """Balls of ``before`` that are no longer where they were."""
    kept = set(after.holes)
    gone = [BallAt(colour=colour, at=hole) for hole, colour in before.holes if (hole, colour) not in kept]
    loose = list(after.loose)
    for ball in before.loose:
        same = next((other for other in loose if is_same(ball, other)), None)
        if same is None:
            gone.append(BallAt(colour=ball.colour, at=BOARD))
        else:
            loose.remove(same)
    return gone


def _came(before: BoardState, after: BoardState, seats: Sequence[Seat], ground: Ground) -> list[_Found]:
    places = {seat.hole.name: seat for seat in seats}
    kept = set(before.holes)
    came = [
        _Found(colour=colour, at=hole, x_px=places[hole].x_px, y_px=places[hole].y_px, place=InHole(hole=hole))
        for hole, colour in after.holes
        if (hole, colour) not in kept
    ]
    for ball in after.loose:
        if not any(is_same(ball, other) for other in before.loose):
            place = OnBall() if _is_on_others(ball, after, places, ground) else OnBoard()
            came.append(_Found(colour=ball.colour, at=BOARD, x_px=ball.x_px, y_px=ball.y_px, place=place))
    return came


def is_same(ball: Loose, other: Loose) -> bool:
    """Whether two readings of a loose ball show it at the same place."""
    return ball.colour == other.colour and math.hypot(ball.x_mm - other.x_mm, ball.y_mm - other.y_mm) < NUDGE_MM


def _is_on_others(ball: Loose, state: BoardState, places: dict[str, Seat], ground: Ground) -> bool:
    """Whether a loose ball overlaps, seen from above, balls in holes: it can't lie beside them on the top face."""
    return any(
        math.hypot(ball.x_mm - places[hole].hole.x_mm, ball.y_mm - places[hole].hole.y_mm) < 1.5 * ground.radius_mm
        for hole, _ in state.holes
    )


def _distance(throw: Throw, ball: _Found) -> float:
    return math.hypot(throw.end_px[0] - ball.x_px, throw.end_px[1] - ball.y_px)


def _is_on_board(throw: Throw, ground: Ground) -> bool:
    place = ground.table.camera.to_mm(np.array([throw.end_px]), ground.board_z_mm)[0]
    return ground.outside_mm(float(place[0]), float(place[1])) < 0
