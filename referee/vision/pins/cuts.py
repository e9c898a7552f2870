"""Short cuts across the lines of a box: the edges of its top and the border line."""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table

Array = NDArray[np.float64]

SPACING_MM: Final = 20.0
"""Distance between two cuts: closer than pins stand, so that most are free of them."""

TURN_ARM_MM: Final = 100.0
"""Turns are reckoned as the shift at this distance from the middle."""


def cuts_of(table: Table) -> tuple[Array, Array, Array, NDArray[np.bool_]]:
    """Middles, (n, 2) px, and directions, (n, 2), of the cuts; how many pixels along its direction each moves; and
    which of all cuts, (all,), these are: those in the picture.

    The third, (n, 3), by a millimetre east, one north, and a turn that shifts by a millimetre at ``TURN_ARM_MM``.
    """
    layout, camera = table.layout, table.camera
    outlines = [tuple((x, y, layout.height_mm) for x, y in layout.outline_mm)]
    if layout.lane is not None:
        outlines.append(tuple(layout.lane.corners_mm))
    places, edges = (np.concatenate(parts) for parts in zip(*(_along(outline) for outline in outlines), strict=True))
    middles = camera.to_px(places)
    tangents = camera.to_px(places + edges) - middles
    normals = np.column_stack([tangents[:, 1], -tangents[:, 0]]) / np.hypot(*tangents.T)[:, None]
    east, north = (((camera.to_px(places + step) - middles) * normals).sum(axis=1) for step in np.eye(3)[:2])
    turn = (places[:, 0] * north - places[:, 1] * east) / TURN_ARM_MM
    is_in = (middles > 0) & (middles < (camera.width_px - 1, camera.height_px - 1))
    inside = np.asarray(is_in.all(axis=1), dtype=np.bool_)
    return middles[inside], normals[inside], np.column_stack([east, north, turn])[inside], inside


@lru_cache(maxsize=8)
def _along(outline: tuple[tuple[float, float, float], ...]) -> tuple[Array, Array]:
    """Places along the sides of a polygon, (n, 3) mm, and the directions of the sides there, (n, 3)."""
    places, edges = [], []
    corners = np.array(outline)
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = end - start
        length_mm = float(np.hypot(side[0], side[1]))
        count = max(2, round(length_mm / SPACING_MM))
        for share in (np.arange(count) + 0.5) / count:
            places.append(start + share * side)
            edges.append(side / length_mm)
    return np.array(places), np.array(edges)
