"""Ball-coloured things that differ from the still scene: candidates for balls in motion."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from calibration.table import Table
from hardware.frame import Frame, Plane
from referee.vision.background import Background
from referee.vision.circles import fit_circle
from referee.vision.colours import ColourMap, Planes, planes_at
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
    back = np.array([[1 / GRID, 0, 0], [0, 1 / GRID, 0]])
    sizes = cv2.warpAffine(coarse, back, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return np.asarray(sizes, dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coloured:
    """The pixels of a picture that have changed and have a ball's colour: their flat indices, (n,), in ascending order,
    the label of each, how they look ``now`` and how they ``were``, and whether they differ ``much`` from that."""

    cells: NDArray[np.intp]
    labels: NDArray[np.uint8]
    now: Planes
    were: Planes
    much: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Region:
    """An outlined region of a picture, the number of which is given, that has a ball's size: its radius as a ball's is
    from ``low`` to ``high``."""

    picture: int
    colour: str
    outline: NDArray[np.int32]
    length_px: float
    width_px: float
    low: float
    high: float
    at_border: bool


class BlobFinder:
    """Finds the candidates of some ball colours in the pictures of one table."""

    def __init__(self, table: Table, radius_mm: float, colour_map: ColourMap) -> None:
        self._map = colour_map
        self._sizes = sizes_on_table(table, radius_mm)
        self._specks = SpeckFilter(SHOWN * self._sizes)
        # One picture for all regions; what one drew is wiped out after it.
        self._shown = np.zeros(self._sizes.shape, dtype=np.uint8)

    def recolour(self, colour_map: ColourMap) -> None:
        """Take the same colours as they look in another light."""
        self._map = colour_map

    def coloured(self, frame: Frame, luma_half: Plane, changed: NDArray[np.bool_], background: Background) -> Coloured:
        """What of a picture to look for candidates in: of the pixels that have ``changed`` from the still scene of the
        ``background`` those of a ball's colour; all at the size of the chroma planes."""
        now = (luma_half, frame.u, frame.v)
        cells, labels = self._map.coloured(now, np.flatnonzero(changed))
        return Coloured(
            cells=cells,
            labels=labels,
            now=planes_at(now, cells),
            were=planes_at(background.still, cells),
            much=background.is_much(cells),
        )

    def find(self, pictures: Sequence[Coloured]) -> tuple[tuple[Blob, ...], ...]:
        """Connected regions of one ball colour and a ball's size in each of some pictures, but for shadows.

        For all pictures at once: for the few pixels of one, calling costs more than the arithmetic.
        """
        if not pictures:
            return ()
        blobs: list[list[Blob]] = [[] for _ in pictures]
        for region in self._regions(pictures):
            blobs[region.picture].append(_blob(region))
        return tuple(tuple(found) for found in blobs)

    def _regions(self, pictures: Sequence[Coloured]) -> Iterator[_Region]:
        """What has a ball's size in some pictures, in their order."""
        cells, labels = (np.concatenate(parts) for parts in zip(*((p.cells, p.labels) for p in pictures), strict=True))
        now, were = _joined([p.now for p in pictures]), _joined([p.were for p in pictures])
        # A layer for each colour in each picture.
        colours = len(self._map.colours)
        layers = np.repeat(colours * np.arange(len(pictures)), [len(p.cells) for p in pictures]) + labels - 1
        differ = ~self._map.have(labels, *were) | np.concatenate([p.much for p in pictures])
        kept = np.flatnonzero(self._specks.are_kept(cells, layers, differ))
        kept = kept.take(np.argsort(layers.take(kept), kind="stable"))
        cells, layers = cells.take(kept), layers.take(kept)
        # 1 is shown for what is drawn, 2 where that may be shade.
        drawn = np.uint8(1) + shaded(planes_at(now, kept), planes_at(were, kept)).view(np.uint8)
        counts = np.bincount(layers)
        ends = np.cumsum(counts)
        for layer in np.flatnonzero(counts >= MIN_OUTLINE).tolist():
            own = slice(ends[layer] - counts[layer], ends[layer])
            picture, colour = divmod(layer, colours)
            yield from self._drawn(picture, self._map.colours[colour].name, cells[own], drawn[own])

    def _drawn(self, picture: int, colour: str, cells: NDArray[np.intp], drawn: NDArray[np.uint8]) -> Iterator[_Region]:
        """The regions of one colour in a picture."""
        self._shown.ravel()[cells] = drawn
        _, width = self._sizes.shape
        columns = cells % width
        left, right = int(columns.min()), int(columns.max()) + 1
        top, bottom = int(cells[0]) // width, int(cells[-1]) // width + 1
        contours: Sequence[MatLike]
        contours, _ = cv2.findContours(
            self._shown[top:bottom, left:right], cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=(left, top)
        )
        for contour in contours:
            region = self._region(picture, colour, contour)
            if region is not None:
                yield region
        self._shown.ravel()[cells] = 0

    def _region(self, picture: int, colour: str, contour: MatLike) -> _Region | None:
        """An outlined region that is shown; None for what has another size than a ball, or is a shadow."""
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
        shown = self._shown[top : top + tall, left : left + wide]
        if np.count_nonzero(shown > 1) > SHADOW_SHARE * np.count_nonzero(shown):
            return None
        height, width = self._sizes.shape
        return _Region(
            picture=picture,
            colour=colour,
            outline=np.asarray(contour, dtype=np.int32).reshape(-1, 2),
            length_px=max(extents) + EDGE_PX,
            width_px=min(extents) + EDGE_PX,
            low=low,
            high=high,
            at_border=left <= 0 or top <= 0 or left + wide >= width or top + tall >= height,
        )


def _joined(looks: Sequence[Planes]) -> Planes:
    luma, u, v = (np.concatenate(planes) for planes in zip(*looks, strict=True))
    return luma, u, v


def _blob(region: _Region) -> Blob:
    """A region with its circle; where that isn't a ball's, with its middle and half its width, and a share of 0."""
    circle = fit_circle(2.0 * region.outline.astype(np.float64) + 0.5)
    if circle is not None and circle.share >= CIRCLE_SHARE and region.low < circle.radius_px + EDGE_PX < region.high:
        x_px, y_px, radius_px, share = circle.x_px, circle.y_px, circle.radius_px + EDGE_PX, circle.share
    else:
        x_px, y_px, radius_px, share = *_middle(region.outline), region.width_px, 0.0
    return Blob(
        colour=region.colour,
        x_px=x_px,
        y_px=y_px,
        radius_px=radius_px,
        length_px=region.length_px,
        width_px=region.width_px,
        share=share,
        at_border=region.at_border,
    )


def _is_long(contour: MatLike, sizes: NDArray[np.float32]) -> bool:
    """Whether an outline can be as long as a ball's there: it runs there and back.

    Along every edge in the picture noise makes small regions, hundreds of them: this is the cheapest thing to ask.
    """
    column, row = contour[0, 0]
    return len(contour) > 2 * (NEARLY * SIZE_AT_TABLE[0] * float(sizes[row, column]) - EDGE_PX)


def _middle(cells: NDArray[np.int32]) -> tuple[float, float]:
    """Centre of the hull of an outline, in pixels of the full picture."""
    moments = cv2.moments(cv2.convexHull(cells))
    if moments["m00"] <= 0:
        x, y = cells.mean(axis=0)
        return 2.0 * float(x) + 0.5, 2.0 * float(y) + 0.5
    return 2.0 * moments["m10"] / moments["m00"] + 0.5, 2.0 * moments["m01"] / moments["m00"] + 0.5
