"""The surfaces that a ball can meet: table, board, and the board's side."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from calibration.layout import Hole
from calibration.table import Table
from referee.vision.ballistics import Array
from referee.vision.obstacles import Ball, walls_of
from referee.vision.surfaces import Surface as Level
from referee.vision.surfaces import Terrain

Surface = Literal["table", "board", "pit", "side", "ball"]
"""A pit is a hole that a ball falls into and bounces about in; a side is the board's own; a ball one that lay there."""

TABLE, BOARD = 0, 1
"""Indices of table and board in a ground's terrain."""

PIT_RADII = 1.5
"""From how many ball radii a hole is a pit."""

CORNERS = 24
"""Corners of a polygon for a round hole: it is nowhere a hundredth of the radius off."""

EDGE_REACH_MM = 12.0
"""How far from touching the board's side a table contact may seem for both to have been one knock: what the ball moves
in a frame or two at the end of a throw."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ground:
    """The surfaces of a table as met by a ball of one radius."""

    table: Table
    radius_mm: float

    @property
    def table_z_mm(self) -> float:
        """Height of the centre of a ball that lies on the table."""
        return self.radius_mm

    @property
    def board_z_mm(self) -> float:
        """Height of the centre of a ball that lies on the board, in no hole."""
        return self.table.layout.height_mm + self.radius_mm

    @property
    def pits(self) -> tuple[Hole, ...]:
        """The holes that are pits."""
        return tuple(hole for hole in self.table.layout.holes if hole.radius_mm > PIT_RADII * self.radius_mm)

    @property
    def pit_z_mm(self) -> float:
        """Height of the centre of a ball that lies on the floor of a pit."""
        return self.table.layout.hole_floor_mm + self.radius_mm

    def terrain(self, balls: Sequence[Ball] = ()) -> Terrain:
        """The table, the board, the floors of the pits, the board's sides, and the ``balls`` that lie there.
        ``kind_of`` tells which is which."""
        layout = self.table.layout
        return Terrain(
            surfaces=(
                Level(name="table", z_mm=0.0),
                Level(name="board", z_mm=layout.height_mm, polygon_mm=layout.outline_mm),
                *(Level(name=pit.name, z_mm=layout.hole_floor_mm, polygon_mm=_circle_mm(pit)) for pit in self.pits),
            ),
            radius_mm=self.radius_mm,
            obstacles=(*walls_of(layout.outline_mm, layout.height_mm), *balls),
        )

    def kind_of(self, index: int) -> Surface:
        """What the surface or obstacle of that index in the terrain is."""
        if index <= BOARD:
            return "table" if index == TABLE else "board"
        if index <= BOARD + len(self.pits):
            return "pit"
        return "side" if index <= BOARD + len(self.pits) + len(self.table.layout.outline_mm) else "ball"

    def outside_mm(self, x_mm: float, y_mm: float) -> float:
        """Distance of a place from the board's outline, negative inside."""
        outline = np.array(self.table.layout.outline_mm, dtype=np.float32).reshape(-1, 1, 2)
        return -float(cv2.pointPolygonTest(outline, (float(x_mm), float(y_mm)), True))

    def radius_px(self, x_px: float, y_px: float) -> float:
        """Radius in the picture of a ball seen there, if it lies on the board."""
        camera = self.table.camera
        return float(camera.radius_px(camera.to_mm(np.array([(x_px, y_px)]), self.board_z_mm), self.radius_mm)[0])

    def pit_at(self, x_mm: float, y_mm: float) -> Hole | None:
        """The pit that a place lies in, if any."""
        return next((p for p in self.pits if math.hypot(x_mm - p.x_mm, y_mm - p.y_mm) < p.radius_mm), None)

    def away(self, x_mm: float, y_mm: float) -> Array:
        """The direction, (2,), in which the distance from the board grows."""
        here = self.outside_mm(x_mm, y_mm)
        return np.array([self.outside_mm(x_mm + 1.0, y_mm) - here, self.outside_mm(x_mm, y_mm + 1.0) - here])


def _circle_mm(hole: Hole) -> tuple[tuple[float, float], ...]:
    turns = (2 * math.pi * k / CORNERS for k in range(CORNERS))
    return tuple((hole.x_mm + hole.radius_mm * math.cos(a), hole.y_mm + hole.radius_mm * math.sin(a)) for a in turns)
