"""A table: a layout seen by a camera. What calibration makes and everything after it reads."""

from dataclasses import dataclass
from typing import Literal

from calibration.camera_model import CameraModel
from calibration.layout import Layout

Seat = Literal["south", "west", "north", "east"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """``method``: how the pose was found. ``error_px``: root mean square reprojection error."""

    layout: Layout
    camera: CameraModel
    method: Literal["markers", "board", "corners", "table"]
    error_px: float

    def side_at(self, x_mm: float, y_mm: float) -> Seat:
        """The seat whose side of the table a place lies on: the quarter between the board's diagonals."""
        across, along = x_mm / self.layout.size_mm[0], y_mm / self.layout.size_mm[1]
        if abs(across) > abs(along):
            return "east" if across > 0 else "west"
        return "north" if along > 0 else "south"
