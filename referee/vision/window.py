"""The part of the picture that shows the board: its pixels, and what of the board is seen at which of them."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.layout import Hole


class Window:
    """The rectangle of the chroma planes around a board. ``corner``: its first row and column; ``shape``: its size;
    ``area``: it, as an index into a plane. Its pixels are numbered row by row."""

    def __init__(self, camera: CameraModel, outline_mm: NDArray[np.float64], top_mm: float) -> None:
        """``outline_mm``: (n, 3), all that must lie in it; ``top_mm``: height of the board's top face."""
        self._camera, self._top_mm = camera, top_mm
        left, top, width, height = cv2.boundingRect(np.round(camera.to_px(outline_mm) / 2).astype(np.int32))
        rows, columns = (camera.height_px + 1) // 2, (camera.width_px + 1) // 2
        self.corner = (min(max(top, 0), rows), min(max(left, 0), columns))
        self.shape = (
            max(min(top + height, rows) - self.corner[0], 0),
            max(min(left + width, columns) - self.corner[1], 0),
        )
        self.area = tuple(slice(start, start + size) for start, size in zip(self.corner, self.shape, strict=True))

    def disc(self, x_px: float, y_px: float, radius_px: float) -> NDArray[np.intp]:
        """The pixels in a circle, whose centre and radius are in pixels of the full picture."""
        rows, columns = (
            np.arange(max(int((middle - radius_px) / 2), start), min(int((middle + radius_px) / 2) + 2, start + size))
            for middle, start, size in zip((y_px, x_px), self.corner, self.shape, strict=True)
        )
        inside = np.nonzero(np.hypot(2 * columns + 0.5 - x_px, 2 * rows[:, None] + 0.5 - y_px) < radius_px)
        row, column = self.corner
        return np.asarray((rows[inside[0]] - row) * self.shape[1] + columns[inside[1]] - column, dtype=np.intp)

    def places(self, cells: NDArray[np.intp]) -> NDArray[np.float64]:
        """Middles of pixels of the window, in pixels of the full picture: (n, 2)."""
        rows, columns = np.divmod(cells, max(self.shape[1], 1))
        return np.stack([2 * (columns + self.corner[1]) + 0.5, 2 * (rows + self.corner[0]) + 0.5], axis=1)

    def rings(self, holes: Sequence[Hole], inner: float, outer: float) -> list[NDArray[np.intp]]:
        """The pixels between two circles about each hole on the top face, given in its radii, in ascending order."""
        height, width = self.shape
        rings = []
        for inside, around in zip(self.circles(holes, inner), self.circles(holes, outer), strict=True):
            left, top, wide, tall = cv2.boundingRect(around)
            mask = np.zeros((tall, wide), dtype=np.uint8)
            cv2.fillPoly(mask, [around], 1, offset=(-left, -top))
            cv2.fillPoly(mask, [inside], 0, offset=(-left, -top))
            rows, columns = np.nonzero(mask)
            rows, columns = rows + top, columns + left
            is_shown = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
            rings.append((rows * width + columns)[is_shown])
        return rings

    def circles(self, holes: Sequence[Hole], scale: float) -> list[NDArray[np.int32]]:
        """A circle about each hole on the top face, ``scale`` of its radius, in pixels of the window: (32, 1, 2)."""
        if not holes:
            return []
        angles = np.linspace(0.0, 2 * math.pi, 32, endpoint=False)
        centres = np.array([[hole.x_mm, hole.y_mm, self._top_mm] for hole in holes])
        radii = scale * np.array([hole.radius_mm for hole in holes])
        spokes = np.column_stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)])
        points = centres[:, None] + radii[:, None, None] * spokes
        return list(self.to_cells(points.reshape(-1, 3)).reshape(len(holes), -1, 1, 2))

    def to_cells(self, points_mm: NDArray[np.float64]) -> NDArray[np.int32]:
        """World points, (n, 3) mm, to pixels of the window, (n, 1, 2)."""
        cells = np.round(self._camera.to_px(points_mm) / 2) - self.corner[::-1]
        return np.asarray(cells.astype(np.int32).reshape(-1, 1, 2))

    def filled(self, polygons: Sequence[NDArray[np.int32]]) -> NDArray[np.uint8]:
        """1 inside any of the polygons, 0 elsewhere, of the window's shape."""
        mask = np.zeros(self.shape, dtype=np.uint8)
        for polygon in polygons:
            cv2.fillPoly(mask, [polygon], 1)
        return mask


def spread(cells: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """About so many of some pixels at most, evenly taken."""
    return cells[:: 1 + len(cells) // most]
