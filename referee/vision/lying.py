"""The balls that lie on the board: where they are in space and in the picture."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.layout import Hole
from referee.vision.blobs import Blob
from referee.vision.forms import HAND_LENGTH, HAND_WIDTH
from referee.vision.ground import Ground
from referee.vision.kinds import BallKind
from referee.vision.obstacles import Ball
from referee.vision.seats import seat_z_mm
from referee.vision.steady import BoardState

KNOCKED_RADII = 1.5
"""How far, in its radii, from where it lay a knocked ball may be when it is first told from the still scene."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LyingBall:
    """A ball at rest. ``x_mm``, ``y_mm``, ``z_mm``: its centre; ``pit``: name of the pit it lies in, where it rolls
    about; ``x_px``, ``y_px``, ``radius_px``: as the picture shows it."""

    kind: BallKind
    x_mm: float
    y_mm: float
    z_mm: float
    pit: str | None
    x_px: float
    y_px: float
    radius_px: float

    def may_show_as(self, blob: Blob) -> bool:
        """Whether what is seen can be this ball, just knocked: near its place, and no larger than it is."""
        if blob.colour != self.kind.colour or blob.radius_px > HAND_WIDTH * self.radius_px:
            return False
        apart_px = math.hypot(blob.x_px - self.x_px, blob.y_px - self.y_px)
        return apart_px < KNOCKED_RADII * blob.radius_px and blob.length_px <= HAND_LENGTH * self.radius_px


def obstacles_of(lying: Sequence[LyingBall], ground: Ground) -> tuple[Ball, ...]:
    """Lying balls as obstacles to another; of those that roll about in a pit the largest stands for all."""
    pits = {pit.name: pit for pit in ground.pits}
    largest = {ball.pit: ball for ball in sorted(lying, key=lambda ball: ball.kind.radius_mm) if ball.pit in pits}
    still = [
        Ball(x_mm=ball.x_mm, y_mm=ball.y_mm, z_mm=ball.z_mm, radius_mm=ball.kind.radius_mm)
        for ball in lying
        if ball.pit not in pits
    ]
    rolling = [
        Ball(
            x_mm=pit.x_mm,
            y_mm=pit.y_mm,
            z_mm=ball.z_mm,
            radius_mm=ball.kind.radius_mm,
            roams_mm=max(0.0, pit.radius_mm - ball.kind.radius_mm),
        )
        for name, pit in pits.items()
        if (ball := largest.get(name)) is not None
    ]
    return (*still, *rolling)


def lying_balls(
    board: BoardState, holes: Sequence[Hole], kinds: Sequence[BallKind], ground: Ground
) -> tuple[LyingBall, ...]:
    """The balls of a board as last told, in its small ``holes`` and loose ones."""
    layout, named = ground.table.layout, {kind.name: kind for kind in kinds}
    by_colour, places = {kind.colour: kind for kind in kinds}, {hole.name: hole for hole in holes}
    found: list[tuple[BallKind, tuple[float, float, float], str | None]] = []
    for name, colour in board.holes:
        kind, hole = by_colour[colour], places[name]
        z_mm = seat_z_mm(hole, top_mm=layout.height_mm, floor_mm=layout.hole_floor_mm, radius_mm=kind.radius_mm)
        found.append((kind, (hole.x_mm, hole.y_mm, z_mm), None))
    for ball in board.loose:
        kind = named[ball.ball]
        z_mm = (layout.height_mm if ball.hole is None else layout.hole_floor_mm) + kind.radius_mm
        found.append((kind, (ball.x_mm, ball.y_mm, z_mm), ball.hole))
    if not found:
        return ()
    centres = np.array([centre for _, centre, _ in found])
    camera = ground.table.camera
    px_per_mm = camera.radius_px(centres, 1.0).tolist()
    return tuple(
        LyingBall(
            kind=kind,
            x_mm=centre[0],
            y_mm=centre[1],
            z_mm=centre[2],
            pit=pit,
            x_px=x_px,
            y_px=y_px,
            radius_px=kind.radius_mm * mm_px,
        )
        for (kind, centre, pit), (x_px, y_px), mm_px in zip(
            found, camera.to_px(centres).tolist(), px_per_mm, strict=True
        )
    )
