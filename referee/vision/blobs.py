"""Ball-coloured things that differ from the still scene: candidates for balls in motion."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from calibration.table import Table
from hardware.frame import Frame, Plane
from referee.vision.background import Background
from referee.vision.circles import fit_circle
from referee.vision.colours import ColourMap, Planes
from referee.vision.shade import is_shadow
from referee.vision.specks import SpeckFilter

MIN_OUTLINE = 6
"""Outline points, in chroma pixels, that a candidate needs: a ball of 3 px radius in the full picture has 8."""

SIZE_AT_TABLE = (0.55, 3.0)
"""Size of a candidate against a ball on the table at that place in the picture: higher means nearer, so larger; half
hidden means smaller."""

SHOWN = 0.8
"""Part of its width that a ball in full view shows at least: blur and gloss take its edge."""

CIRCLE_SHARE = 0.55
"""Share of the outline on one circle from which that circle is the ball; below, its middle is taken."""

EDGE_PX = 1.0
"""An outline runs through the centres of its two-pixel cells, half a cell inside the ball's edge."""

NEARLY = 0.8
"""How much less the size at one end of a candidate may be than that at its middle."""

GRID = 16
"""Step, in chroma pixels, at which the size of a ball on the table is computed; between, it hardly changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """A candidate in one frame, in pixels of the full picture.

    ``radius_px``: of its circle; ``length_px``, ``width_px``: half its longer and its shorter extent; ``share``: of
    its outline that lies on the circle; ``at_border``: touches the picture's edge.
    """

    colour: str
    x_px: float
    y_px: float
    radius_px: float
    length_px: float
    width_px: float
    share: float
    at_border: bool


def sizes_on_table(table: Table, radius_mm: float) -> NDArray[np.float32]:
    """Radius in pixels of a ball on the table wherever it is seen, at the size of the chroma planes, float32.

    0 where the ray meets no table.
    """
    camera = table.camera
    height, width = (camera.height_px + 1) // 2, (camera.width_px + 1) // 2
    xs, ys = np.arange(0, width + GRID, GRID), np.arange(0, height + GRID, GRID)
    grid = np.stack(np.meshgrid(2.0 * xs, 2.0 * ys), axis=-1).reshape(-1, 2)
    depth = camera.depth_mm(camera.to_mm(grid, radius_mm))
    size = np.where(depth > 0, camera.focal_px * radius_mm / np.maximum(depth, 1.0), 0.0)
    coarse = size.reshape(len(ys), len(xs)).astype(np.float32)
    rows, columns = np.indices((height, width), dtype=np.float32) / GRID
    return np.asarray(cv2.remap(coarse, columns, rows, cv2.INTER_LINEAR), dtype=np.float32)


class BlobFinder:
    """Finds the candidates of some ball colours in the pictures of one table."""

    def __init__(self, table: Table, radius_mm: float, colour_map: ColourMap) -> None:
        self._map = colour_map
        self._sizes = sizes_on_table(table, radius_mm)
        self._specks = SpeckFilter(SHOWN * self._sizes)
        self._shown = np.zeros(self._sizes.shape, dtype=np.uint8)

    def recolour(self, colour_map: ColourMap) -> None:
        """Take the same colours as they look in another light."""
        self._map = colour_map

    def find(
        self, frame: Frame, luma_half: Plane, changed: NDArray[np.bool_], background: Background
    ) -> tuple[Blob, ...]:
        """Connected regions of one ball colour and a ball's size among the pixels that have ``changed`` from the still
        scene of the ``background``, but for shadows on it; all at the size of the chroma planes."""
        now = (luma_half, frame.u, frame.v)
        cells, labels = self._coloured(now, np.flatnonzero(changed), background)
        # One picture for all frames, in which what a frame drew is wiped out after it: a fresh one costs more.
        self._shown.ravel()[cells] = labels
        blobs = [
            blob
            for label in np.flatnonzero(np.bincount(labels) >= MIN_OUTLINE).tolist()
            for contour in self._contours(cells.take(np.flatnonzero(labels == label)), label)
            if (blob := self._blob(label, contour, now, background.still)) is not None
        ]
        self._shown.ravel()[cells] = 0
        return tuple(blobs)

    def _coloured(
        self, now: Planes, changed: NDArray[np.intp], background: Background
    ) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
        """Those of the changed pixels, flat indices, that have a ball's colour, and its label: without specks, and
        without things that had that colour before and differ little."""
        cells, labels = self._map.coloured(now, changed)
        differ = ~self._map.have(labels, *background.still_at(cells)) | background.is_much(cells)
        kept = np.flatnonzero(self._specks.are_kept(cells, labels, differ))
        return cells.take(kept), labels.take(kept)

    def _contours(self, cells: NDArray[np.intp], label: int) -> Sequence[MatLike]:
        """Outlines of the connected regions of a label, whose cells are given as flat indices in ascending order."""
        _, width = self._sizes.shape
        columns = cells % width
        left, right = int(columns.min()), int(columns.max()) + 1
        top, bottom = int(cells[0]) // width, int(cells[-1]) // width + 1
        mask = (self._shown[top:bottom, left:right] == label).view(np.uint8)
        contours: Sequence[MatLike]
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=(left, top))
        return contours

    def _blob(self, label: int, contour: MatLike, now: Planes, still: Planes) -> Blob | None:
        """An outlined region as a candidate; None for what has another size than a ball, or is a shadow."""
        if len(contour) < MIN_OUTLINE or not _is_long(contour, self._sizes):
            return None
        left, top, wide, tall = cv2.boundingRect(contour)
        size = float(self._sizes[top + (tall - 1) // 2, left + (wide - 1) // 2])
        low, high = SIZE_AT_TABLE[0] * size, SIZE_AT_TABLE[1] * max(size, 1.0)
        if max(wide, tall) - 1 + EDGE_PX <= low or min(wide, tall) - 1 + EDGE_PX > high:
            return None
        _, extents, _ = cv2.minAreaRect(contour)
        if min(extents) + EDGE_PX < low:
            return None
        area = (slice(top, top + tall), slice(left, left + wide))
        own = self._shown[area] == label
        if is_shadow(_chosen(now, area, own), _chosen(still, area, own)):
            return None
        height, width = self._sizes.shape
        x_px, y_px, radius_px, share = _circle(np.asarray(contour, dtype=np.int32), min(extents) + EDGE_PX, low, high)
        return Blob(
            colour=self._map.colours[label - 1].name,
            x_px=x_px,
            y_px=y_px,
            radius_px=radius_px,
            length_px=max(extents) + EDGE_PX,
            width_px=min(extents) + EDGE_PX,
            share=share,
            at_border=left <= 0 or top <= 0 or left + wide >= width or top + tall >= height,
        )


def _chosen(planes: Planes, area: tuple[slice, slice], own: NDArray[np.bool_]) -> Planes:
    luma, u, v = (plane[area][own] for plane in planes)
    return luma, u, v


def _is_long(contour: MatLike, sizes: NDArray[np.float32]) -> bool:
    """Whether an outline can be as long as a ball's there: it runs there and back.

    Along every edge in the picture noise makes small regions, hundreds of them: this is the cheapest thing to ask.
    """
    column, row = contour[0, 0]
    return len(contour) > 2 * (NEARLY * SIZE_AT_TABLE[0] * float(sizes[row, column]) - EDGE_PX)


def _circle(outline: NDArray[np.int32], width_px: float, low: float, high: float) -> tuple[float, float, float, float]:
    """Centre and radius of a candidate's circle, and the share of its outline on that; where it has none of a ball's
    size, between ``low`` and ``high``, its middle and half its width, and 0."""
    circle = fit_circle(2.0 * outline[:, 0].astype(np.float64) + 0.5)
    if circle is not None and circle.share >= CIRCLE_SHARE and low < circle.radius_px + EDGE_PX < high:
        return circle.x_px, circle.y_px, circle.radius_px + EDGE_PX, circle.share
    return *_middle(outline), width_px, 0.0


def _middle(cells: NDArray[np.int32]) -> tuple[float, float]:
    """Centre of the hull of an outline, in pixels of the full picture."""
    moments = cv2.moments(cv2.convexHull(cells))
    if moments["m00"] <= 0:
        x, y = cells[:, 0].mean(axis=0)
        return 2.0 * float(x) + 0.5, 2.0 * float(y) + 0.5
    return 2.0 * moments["m10"] / moments["m00"] + 0.5, 2.0 * moments["m01"] / moments["m00"] + 0.5
