"""The surfaces that a ball can meet: table, board, and the board's side."""

import math
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from calibration.layout import Hole
from calibration.table import Table
from referee.vision.ballistics import Array

Surface = Literal["table", "board", "pit"]
"""A pit is a hole that a ball falls into and bounces about in."""

PIT_RADII = 1.5
"""From how many ball radii a hole is a pit."""

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

    def height_mm(self, surface: Surface) -> float:
        """Height of the centre of a ball that touches a surface from above."""
        return {"table": self.table_z_mm, "board": self.board_z_mm, "pit": self.pit_z_mm}[surface]

    def outside_mm(self, x_mm: float, y_mm: float) -> float:
        """Distance of a place from the board's outline, negative inside."""
        outline = np.array(self.table.layout.outline_mm, dtype=np.float32).reshape(-1, 1, 2)
        return -float(cv2.pointPolygonTest(outline, (float(x_mm), float(y_mm)), True))

    def pit_at(self, x_mm: float, y_mm: float) -> Hole | None:
        """The pit that a place lies in, if any."""
        return next((p for p in self.pits if math.hypot(x_mm - p.x_mm, y_mm - p.y_mm) < p.radius_mm), None)

    def away(self, x_mm: float, y_mm: float) -> Array:
        """The direction, (2,), in which the distance from the board grows."""
        here = self.outside_mm(x_mm, y_mm)
        return np.array([self.outside_mm(x_mm + 1.0, y_mm) - here, self.outside_mm(x_mm, y_mm + 1.0) - here])

    def surfaces_at(self, px: Array) -> tuple[Surface, ...]:
        """What a ball seen at ``px``, (2,), can be touching: its centre is beside the board for the table, above it
        for the board, inside it for a pit."""
        table_mm = self.table.camera.to_mm(px[None, :], self.table_z_mm)[0]
        board_mm = self.table.camera.to_mm(px[None, :], self.board_z_mm)[0]
        beside = self.outside_mm(table_mm[0], table_mm[1]) - self.radius_mm
        above = self.outside_mm(board_mm[0], board_mm[1]) - self.radius_mm
        found: list[Surface] = []
        if beside > -EDGE_REACH_MM:
            found.append("table")
        if above < 0:
            found.append("board")
        if self.pit_at(*self.table.camera.to_mm(px[None, :], self.pit_z_mm)[0, :2]) is not None:
            found.append("pit")
        if not found:
            found.append("table" if abs(beside) < abs(above) else "board")
        return tuple(found)
