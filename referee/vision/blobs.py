"""Ball-coloured things that differ from the still scene: candidates for balls in motion."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from calibration.table import Table
from hardware.frame import Frame, Plane
from referee.vision.background import Background, Planes
from referee.vision.circles import fit_circle
from referee.vision.colours import ColourMap
from referee.vision.shade import shaded
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

SHADOW_SHARE = 0.6
"""Share of shade from which a region is a shadow: a ball over a surface of its colour has a light side too."""

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

    def recolour(self, colour_map: ColourMap) -> None:
        """Take the same colours as they look in another light."""
        self._map = colour_map

    def find(
        self, frame: Frame, luma_half: Plane, changed: NDArray[np.bool_], background: Background
    ) -> tuple[Blob, ...]:
        """Connected regions of one ball colour and a ball's size among the pixels that have ``changed`` from the still
        scene of the ``background``, but for shadows on it; all at the size of the chroma planes."""
        cells, labels = self._coloured((luma_half, frame.u, frame.v), np.flatnonzero(changed), background)
        is_shade = shaded(cells, frame, luma_half, background.still)
        width = changed.shape[1]
        blobs: list[Blob] = []
        for label in np.flatnonzero(np.bincount(labels) >= MIN_OUTLINE).tolist():
            own = np.flatnonzero(labels == label)
            own_cells, own_shade = cells[own], is_shade[own]
            for contour in _contours(own_cells, width=width):
                if len(contour) >= MIN_OUTLINE and _is_long(contour, self._sizes):
                    outline = np.asarray(contour, dtype=np.int32).reshape(-1, 2)
                    if _share_within(outline, own_cells, own_shade, width) > SHADOW_SHARE:
                        continue
                    blob = _blob(self._map.colours[label - 1].name, outline, self._sizes)
                    blobs += [blob] if blob is not None else []
        return tuple(blobs)

    def _coloured(
        self, planes: Planes, changed: NDArray[np.intp], background: Background
    ) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
        """Those of the changed pixels, flat indices, that have a ball's colour, and its label: without specks, and
        without things that had that colour before and differ little."""
        luma, u, v = (plane.ravel()[changed] for plane in planes)
        labels = self._map.label(luma, u, v)
        # Few pixels change, and of these few have a ball's colour: nothing is computed for all the others.
        coloured = np.flatnonzero(labels)
        cells, labels = changed[coloured], labels[coloured]
        now, still = (luma[coloured], u[coloured], v[coloured]), background.still_at(cells)
        differ = (self._map.label(*still) != labels) | background.is_much(now, still)
        kept = self._specks.are_kept(cells, labels, differ)
        return cells[kept], labels[kept]


def _contours(cells: NDArray[np.intp], *, width: int) -> Sequence[MatLike]:
    """Outlines of the connected regions of some cells, given as flat indices in ascending order."""
    rows = cells // width
    columns = cells - rows * width
    top, left = int(rows[0]), int(columns.min())
    mask = np.zeros((int(rows[-1]) - top + 1, int(columns.max()) - left + 1), dtype=np.uint8)
    mask[rows - top, columns - left] = 1
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=(left, top))
    return contours


def _share_within(outline: NDArray[np.int32], cells: NDArray[np.intp], chosen: NDArray[np.bool_], width: int) -> float:
    """Share of the ``chosen`` among those cells that lie within the bounds of an outline."""
    if not chosen.any():
        return 0.0
    left, top, wide, tall = cv2.boundingRect(outline)
    rows, columns = np.divmod(cells, width)
    inside = (rows >= top) & (rows < top + tall) & (columns >= left) & (columns < left + wide)
    return float(chosen[inside].mean())


def _is_long(contour: MatLike, sizes: NDArray[np.float32]) -> bool:
    """Whether an outline can be as long as a ball's there: it runs there and back.

    Along every edge in the picture noise makes small regions, hundreds of them: this is the cheapest thing to ask.
    """
    column, row = contour[0, 0]
    return len(contour) > 2 * (NEARLY * SIZE_AT_TABLE[0] * float(sizes[row, column]) - EDGE_PX)


def _blob(colour: str, cells: NDArray[np.int32], sizes: NDArray[np.float32]) -> Blob | None:
    height, width = sizes.shape
    left, top, wide, tall = cv2.boundingRect(cells)
    right, bottom = left + wide - 1, top + tall - 1
    size = float(sizes[(top + bottom) // 2, (left + right) // 2])
    low, high = SIZE_AT_TABLE[0] * size, SIZE_AT_TABLE[1] * max(size, 1.0)
    if not low < max(right - left, bottom - top) + EDGE_PX or min(right - left, bottom - top) + EDGE_PX > high:
        return None
    _, extents, _ = cv2.minAreaRect(cells)
    if min(extents) + EDGE_PX < low:
        return None
    outline = np.asarray(2.0 * cells + 0.5, dtype=np.float64)
    circle = fit_circle(outline)
    x_px, y_px, radius_px, share = *_middle(cells), min(extents) + EDGE_PX, 0.0
    if circle is not None and circle.share >= CIRCLE_SHARE and low < circle.radius_px + EDGE_PX < high:
        x_px, y_px, radius_px, share = circle.x_px, circle.y_px, circle.radius_px + EDGE_PX, circle.share
    return Blob(
        colour=colour,
        x_px=x_px,
        y_px=y_px,
        radius_px=radius_px,
        length_px=max(extents) + EDGE_PX,
        width_px=min(extents) + EDGE_PX,
        share=share,
        at_border=bool(left <= 0 or top <= 0 or right >= width - 1 or bottom >= height - 1),
    )


def _middle(cells: NDArray[np.int32]) -> tuple[float, float]:
    """Centre of the hull of an outline, in pixels of the full picture."""
    moments = cv2.moments(cv2.convexHull(cells))
    if moments["m00"] <= 0:
        x, y = cells.mean(axis=0)
        return 2.0 * float(x) + 0.5, 2.0 * float(y) + 0.5
    return 2.0 * moments["m10"] / moments["m00"] + 0.5, 2.0 * moments["m01"] / moments["m00"] + 0.5
