"""Corners on the table around the box, spread wide: what shifts only when the camera does, and by how much."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Plane
from referee.vision.pins.zone import Zone
from referee.vision.view import MOVED_PX, Shift

CELLS: Final = (9, 6)
"""The picture is parted into so many cells, each with one corner: shadows of box and pins fill a few, not most."""

BLOCK: Final = 3
"""Pixels of a quarter-size picture over which a corner is told."""

LEAST_CLEARNESS: Final = 4e-6
"""Least eigenvalue of a corner (cv2.cornerMinEigenVal of luma from 0 to 1) that stands out from a camera's noise."""

MOVING_SHARE: Final = 0.6
"""Share of the table's corners that shift the same way when the camera moves; hands hide some. Without it, shadows of
the box and of hands shift fewer."""


def corners_around(zone: Zone, luma_half: Plane) -> NDArray[np.float32]:
    """The clearest corner of each cell that has one outside the zone of the pins: (n, 1, 2) pixels of ``luma_half``."""
    height, width = (length // 2 for length in luma_half.shape)
    small = cv2.resize(luma_half[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_AREA)
    clearness = np.asarray(cv2.cornerMinEigenVal(cv2.GaussianBlur(small, (3, 3), 0), BLOCK))
    clearness[zone.mask(clearness.shape, 4) > 0] = 0
    edge = 2 * BLOCK
    inside = np.zeros_like(clearness)
    inside[edge:-edge, edge:-edge] = clearness[edge:-edge, edge:-edge]
    found = []
    for row in range(CELLS[1]):
        for column in range(CELLS[0]):
            top, left = row * height // CELLS[1], column * width // CELLS[0]
            cell = inside[top : (row + 1) * height // CELLS[1], left : (column + 1) * width // CELLS[0]]
            y, x = np.unravel_index(int(cell.argmax()), cell.shape)
            if cell[y, x] > LEAST_CLEARNESS:
                found.append((2 * (left + x) + 0.5, 2 * (top + y) + 0.5))
    return np.array(found, dtype=np.float32).reshape(-1, 1, 2)


def shift_of_all_px(shift: Shift) -> float:
    """How far most of the table has shifted in the picture, all the same way; 0 where it hasn't."""
    moves = shift.new_px - shift.old_px
    middle = np.median(moves, axis=0)
    length = float(np.hypot(*middle))
    alike = np.hypot(*(moves - middle).T) < max(MOVED_PX, length / 2)
    return length if alike.mean() > MOVING_SHARE else 0.0
