"""The surfaces that a ball can meet: table, board, and the board's side."""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from calibration.table import Table
from referee.vision.ballistics import Array

Surface = Literal["table", "board"]

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

    def height_mm(self, surface: Surface) -> float:
        return self.table_z_mm if surface == "table" else self.board_z_mm

    def outside_mm(self, x_mm: float, y_mm: float) -> float:
        """Distance of a place from the board's outline, negative inside."""
        outline = np.array(self.table.layout.outline_mm, dtype=np.float32).reshape(-1, 1, 2)
        return -float(cv2.pointPolygonTest(outline, (float(x_mm), float(y_mm)), True))

    def away(self, x_mm: float, y_mm: float) -> Array:
        """The direction, (2,), in which the distance from the board grows."""
        here = self.outside_mm(x_mm, y_mm)
        return np.array([self.outside_mm(x_mm + 1.0, y_mm) - here, self.outside_mm(x_mm, y_mm + 1.0) - here])

    def surfaces_at(self, px: Array) -> tuple[Surface, ...]:
        """What a ball seen at ``px``, (2,), can be touching: its centre is beside the board for the table, above it
        for the board."""
        table_mm = self.table.camera.to_mm(px[None, :], self.table_z_mm)[0]
        board_mm = self.table.camera.to_mm(px[None, :], self.board_z_mm)[0]
        beside = self.outside_mm(table_mm[0], table_mm[1]) - self.radius_mm
        above = self.outside_mm(board_mm[0], board_mm[1]) - self.radius_mm
        found: list[Surface] = []
        if beside > -EDGE_REACH_MM:
            found.append("table")
        if above < 0:
            found.append("board")
        if not found:
            found.append("table" if abs(beside) < abs(above) else "board")
        return tuple(found)
