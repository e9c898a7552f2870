"""What throws did to the board: where each thrown ball ended, and which balls were moved, from before and after."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, permutations

import numpy as np

from referee.events import BOARD, BallAt, InHole, Move, Off, OnBall, OnBoard, Place
from referee.vision.ground import Ground
from referee.vision.loose import Loose
from referee.vision.meetings import may_be_swapped
from referee.vision.pits import pit_of
from referee.vision.seats import Seat
from referee.vision.steady import BoardState
from referee.vision.throws import Throw
from referee.vision.tracks import Track

NEAR_RADII = 1.6
"""How far, in its radii, a ball's last sighting may lie from where it was found: it sinks into a hole unseen."""

ROLLED_RADII = 3.0
"""The same where no other ball of its colour came or went, and no hand was there: it rolls on unseen, at most to the
next hole."""

TOUCH_RADII = 3.0
"""How near, in radii, the way of a thrown ball over the board must come to a ball to have touched it: to two of them,
and what hops and readings are off."""

NUDGE_MM = 15.0
"""A loose ball that moved less, under a ball's radius, still lies where it lay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Where a thrown ball ended, and which others it ``moved``. ``is_near``: it was found where it was last seen;
    ``saw_leave``: every ball that it moved off the board was seen in motion; ``is_own``: no other ball that ended
    elsewhere may have been taken for it; ``tells_all``: no other ball came to the board that nobody put there."""

    place: Place
    is_near: bool
    moved: tuple[Move, ...] = ()
    saw_leave: bool = True
    is_own: bool = True
    tells_all: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Aftermath:
    """What became of throws: the outcome of each, in their order, and balls that hands ``placed`` or ``removed``."""

    outcomes: tuple[Outcome, ...]
    placed: tuple[BallAt, ...]
    removed: tuple[BallAt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A ball that the board has now and hadn't before."""

    colour: str
    ball: BallAt
    x_px: float
    y_px: float
    place: Place


def outcomes(
    throws: Sequence[Throw],
    before: BoardState,
    after: BoardState,
    seats: Sequence[Seat],
    ground: Ground,
    knocked: Sequence[Track] = (),
    hand_was_at: Callable[[BallAt], bool] = lambda ball: False,
) -> Aftermath:
    """What throws, one after the other, made of the board.

    ``knocked``: tracks of balls that lay on the board before; ``hand_was_at``: whether a hand took it, as far as is
    seen. A ball that is gone from where a hand was, and away from where the throws met the board, was taken.
    """
    new, gone = _came(before, after, seats, ground), _gone(before, after)
    results: list[Outcome] = []
    places = [InHole(hole=pit.name) if (pit := pit_of(throw, ground)) is not None else None for throw in throws]
    found = _found_of(throws, places, new)
    came = [ball for k, ball in enumerate(new) if k not in found.values()]
    for i, (throw, place) in enumerate(zip(throws, places, strict=True)):
        best = new[found[i]] if i in found else None
        if place is not None:
            results.append(Outcome(place=place, is_near=True))
        elif best is None:
            is_seen = throw.is_gone or (throw.rests and not _is_on_board(throw, ground))
            results.append(Outcome(place=Off(), is_near=is_seen))
        else:
            colours = [*(other.kind.colour for other in throws), *(ball.colour for ball in new), *map(_colour_of, gone)]
            is_alone = colours.count(best.colour) == 2  # the throw's and this one
            reach = ROLLED_RADII if is_alone and not hand_was_at(best.ball) else NEAR_RADII
            is_near = _distance(throw, best) <= reach * throw.end_radius_px
            results.append(Outcome(place=best.place, is_near=is_near))
    for i, j in permutations(range(len(throws)), 2):
        if results[i].place != results[j].place and may_be_swapped(throws[i], throws[j]):
            results[i] = replace(results[i], is_own=False)
    removed = []
    for ball in gone:
        mover, near_mm = _mover_of(ball, throws, before, ground)
        if near_mm > TOUCH_RADII * ground.radius_mm and hand_was_at(ball):
            removed.append(ball)
            continue
        target = next((other for other in came if other.ball.colour == ball.colour), None)
        if target is not None:
            came.remove(target)
        move = Move(colour=ball.colour, source=ball.at, target=target.ball.at if target is not None else None)
        saw_leave = target is not None or any(track.colour == _colour_of(ball) for track in knocked)
        results[mover] = replace(
            results[mover],
            moved=(*results[mover].moved, move),
            saw_leave=results[mover].saw_leave and saw_leave,
        )
    return Aftermath(outcomes=tuple(results), placed=tuple(ball.ball for ball in came), removed=tuple(removed))


def _found_of(throws: Sequence[Throw], places: Sequence[Place | None], came: Sequence[_Found]) -> dict[int, int]:
    """Which ball that came each throw's is, by their indices: the nearer one was to where another was last seen, the
    sooner. ``places``: where a throw is known to have ended."""
    pairs = sorted(
        (_distance(throw, ball), i, k)
        for i, throw in enumerate(throws)
        for k, ball in enumerate(came)
        if ball.colour == throw.kind.colour and places[i] in (None, ball.place)
    )
    found: dict[int, int] = {}
    for _, i, k in pairs:
        if i not in found and k not in found.values():
            found[i] = k
    return found


def by_hand(before: BoardState, after: BoardState) -> tuple[tuple[BallAt, ...], tuple[BallAt, ...]]:
    """Balls that went from and came to the board without a throw: removed and placed."""
    if before == after:
        return (), ()
    return tuple(_gone(before, after)), tuple(_gone(after, before))


def _mover_of(ball: BallAt, throws: Sequence[Throw], before: BoardState, ground: Ground) -> tuple[int, float]:
    """Index of the throw that moved a ball, and how near it came: that whose way over the board is nearest to it."""
    holes = [(hole.x_mm, hole.y_mm) for hole in ground.table.layout.holes if hole.name == ball.at]
    lay = holes or [(other.x_mm, other.y_mm) for other in before.loose if _ball_at(other) == ball]
    nearest: list[float] = []
    for throw in throws:
        end_mm = ground.table.camera.to_mm(np.array([throw.end_px]), ground.board_z_mm)[0]
        met = [(c.x_mm, c.y_mm) for c in throw.flight.contacts if c.surface != "table"]
        met += [(float(end_mm[0]), float(end_mm[1]))] if met else []
        nearest.append(min((_to_way_mm(place, way) for way in pairwise(met) for place in lay), default=math.inf))
    return nearest.index(min(nearest)), min(nearest)


def _to_way_mm(place: tuple[float, float], way: tuple[tuple[float, float], tuple[float, float]]) -> float:
    """Distance of a place from the straight way between two others."""
    (x0, y0), (x1, y1) = way
    dx, dy = x1 - x0, y1 - y0
    length2 = dx * dx + dy * dy
    share = 0.0 if length2 == 0 else ((place[0] - x0) * dx + (place[1] - y0) * dy) / length2
    share = min(1.0, max(0.0, share))
    return math.hypot(place[0] - x0 - share * dx, place[1] - y0 - share * dy)


def _gone(before: BoardState, after: BoardState) -> list[BallAt]:
    """Balls of ``before`` that are no longer where they were; within a pit they may move about."""
    kept = set(after.holes)
    gone = [BallAt(colour=colour, at=hole) for hole, colour in before.holes if (hole, colour) not in kept]
    loose = list(after.loose)
    for ball in before.loose:
        same = next((other for other in loose if is_same(ball, other)), None)
        if same is None:
            gone.append(_ball_at(ball))
        else:
            loose.remove(same)
    return gone


def _colour_of(ball: BallAt) -> str:
    return ball.colour.partition("-")[0]


def _ball_at(ball: Loose) -> BallAt:
    return BallAt(colour=ball.ball, at=ball.hole or BOARD)


def _came(before: BoardState, after: BoardState, seats: Sequence[Seat], ground: Ground) -> list[_Found]:
    places = {seat.hole.name: seat for seat in seats}
    kept = set(before.holes)
    came = [
        _Found(
            colour=colour,
            ball=BallAt(colour=colour, at=hole),
            x_px=places[hole].x_px,
            y_px=places[hole].y_px,
            place=InHole(hole=hole),
        )
        for hole, colour in after.holes
        if (hole, colour) not in kept
    ]
    known = list(before.loose)
    for ball in after.loose:
        same = next((other for other in known if is_same(ball, other)), None)
        if same is not None:
            known.remove(same)
            continue
        place: Place = OnBall() if _is_on_others(ball, after, places, ground) else OnBoard()
        if ball.hole is not None:
            place = InHole(hole=ball.hole)
        came.append(_Found(colour=ball.colour, ball=_ball_at(ball), x_px=ball.x_px, y_px=ball.y_px, place=place))
    return came


def is_same(ball: Loose, other: Loose) -> bool:
    """Whether two readings of a loose ball show it at the same place; in a pit it rolls about."""
    if ball.colour != other.colour or ball.hole != other.hole:
        return False
    return ball.hole is not None or math.hypot(ball.x_mm - other.x_mm, ball.y_mm - other.y_mm) < NUDGE_MM


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
