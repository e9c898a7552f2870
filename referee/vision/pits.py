"""Balls in a pit: they roll about and hide each other, and its near wall hides them; what came in stays until taken."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from calibration.layout import Hole
from referee.vision.ground import Ground
from referee.vision.loose import Loose
from referee.vision.steady import BoardState
from referee.vision.throws import Throw

LEFT_S = 0.35
"""How long ago a hand must have left a pit for readings of it to agree again."""


def with_hidden(state: BoardState, before: BoardState, was_reached: Callable[[str], bool]) -> BoardState:
    """A reading with the balls that were in a pit before, under their names, whether they are seen now or not.

    ``was_reached``: whether a hand was at that pit of late: if it then looks empty, it is.
    """
    # In the order of the reading: a set would put pits in another order in another run.
    pits = dict.fromkeys(ball.hole for ball in (*before.loose, *state.loose) if ball.hole is not None)
    if not pits:
        return state
    loose = [ball for ball in state.loose if ball.hole is None]
    for pit in pits:
        seen = [ball for ball in state.loose if ball.hole == pit]
        if seen or not was_reached(pit):
            loose += _kept([ball for ball in before.loose if ball.hole == pit], seen)
    return replace(state, loose=tuple(loose))


def came_and_left(hand_was_there: Callable[[float, float], bool], told_s: float, t_s: float) -> bool:
    """Whether a hand was at a pit since what lies there was last told, at ``told_s``, and has left it since: what lies
    under one that is still there isn't seen. ``hand_was_there``: whether one was between two times."""
    left_s = t_s - LEFT_S
    return told_s < left_s and hand_was_there(told_s, left_s) and not hand_was_there(left_s, t_s)


def with_thrown(state: BoardState, before: BoardState, throws: Sequence[Throw], ground: Ground) -> BoardState:
    """A reading made by ``with_hidden`` with each ball that was thrown into a pit, seen there or not."""
    loose = list(state.loose)
    known = list(before.loose)
    for throw in throws:
        pit = pit_of(throw, ground)
        if pit is None:
            continue
        thrown = Loose(
            colour=throw.kind.colour,
            ball=throw.kind.name,
            x_px=throw.end_px[0],
            y_px=throw.end_px[1],
            x_mm=pit.x_mm,
            y_mm=pit.y_mm,
            hole=pit.name,
        )
        earlier = sum(_are_alike(ball, thrown) for ball in known)
        new = [i for i, ball in enumerate(loose) if _are_alike(ball, thrown)][earlier:]
        if new:
            loose[new[0]] = replace(loose[new[0]], ball=thrown.ball)
        else:
            loose.append(thrown)
        known.append(thrown)
    return replace(state, loose=tuple(loose))


def pit_of(throw: Throw, ground: Ground) -> Hole | None:
    """The pit in which a throw's ball was last seen."""
    place = ground.table.camera.to_mm(np.array([throw.end_px]), ground.pit_z_mm)[0]
    return ground.pit_at(float(place[0]), float(place[1]))


def _kept(known: Sequence[Loose], seen: Sequence[Loose]) -> Iterator[Loose]:
    """The balls known to be in a pit, where they are seen now if they are, then those that are seen besides."""
    left = list(seen)
    for ball in known:
        same = next((other for other in left if other.colour == ball.colour), None)
        if same is not None:
            left.remove(same)
        yield ball if same is None else replace(same, ball=ball.ball)
    yield from left


def _are_alike(ball: Loose, other: Loose) -> bool:
    return (ball.hole, ball.colour) == (other.hole, other.colour)
