"""The part of the picture in which pins on a lane are seen: the box and the air above it as high as a pin."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table

MARGIN_MM: Final = 15.0
"""How far around the box: pins that lean over its edge, and what strikes its side, belong to what is watched."""

HEAD_ROOM: Final = 1.2
"""Height that is watched, in heights of a pin: a pin that is knocked jumps a little."""

PIN_HEIGHT_MM: Final = 50.0
PIN_RADIUS_MM: Final = 8.0
"""Size of a pin where the layout tells none."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Zone:
    """``outline_px``: (n, 2) corners of a convex outline in pixels of the full picture, cut at the picture's edge;
    ``above_px``: of the lane's top face and the air above it alone, without what lies around the box.

    ``left``, ``top``, ``right``, ``bottom``: even pixels around it, right and bottom not included.
    """

    outline_px: NDArray[np.float64]
    above_px: NDArray[np.float64]
    left: int
    top: int
    right: int
    bottom: int

    def mask(self, shape: tuple[int, ...], pixels: int, *, only_above: bool = False) -> NDArray[np.uint8]:
        """255 within the outline, in a picture of a shape whose pixels are each ``pixels`` of the full picture wide."""
        outline = self.above_px if only_above else self.outline_px
        mask = np.zeros(shape, dtype=np.uint8)
        cv2.fillConvexPoly(mask, np.round(outline / pixels).astype(np.int32), 255)
        return mask


def pin_height_mm(table: Table) -> float:
    """How high a pin of the table's layout is."""
    return PIN_HEIGHT_MM if table.layout.pins is None else table.layout.pins.height_mm


def pin_radius_mm(table: Table) -> float:
    """Half the width of a pin of the table's layout."""
    return PIN_RADIUS_MM if table.layout.pins is None else table.layout.pins.radius_mm


def zone_of(table: Table) -> Zone:
    """Where pins on a table's lane are seen."""
    layout = table.layout
    high_mm = layout.height_mm + HEAD_ROOM * pin_height_mm(table)
    outline = _hull_px(table, MARGIN_MM, (0.0, high_mm))
    left, top = (2 * int(value // 2) for value in outline.min(axis=0))
    right, bottom = (2 * int(value // 2) for value in outline.max(axis=0))
    return Zone(
        outline_px=outline,
        above_px=_hull_px(table, 0.0, (layout.height_mm, high_mm)),
        left=left,
        top=top,
        right=right,
        bottom=bottom,
    )


def _hull_px(table: Table, margin_mm: float, heights_mm: tuple[float, float]) -> NDArray[np.float64]:
    """Corners of what a block as wide as the box and a margin, between two heights, covers of the picture, (n, 2)."""
    camera = table.camera
    width_mm, depth_mm = (size / 2 + margin_mm for size in table.layout.size_mm)
    corners = [(x, y, z) for z in heights_mm for x in (-width_mm, width_mm) for y in (-depth_mm, depth_mm)]
    hull = cv2.convexHull(camera.to_px(np.array(corners)).astype(np.float32)).reshape(-1, 2)
    return np.clip(hull.astype(np.float64), 0, (camera.width_px, camera.height_px))
