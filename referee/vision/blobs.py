"""Ball-coloured things that differ from the still scene: candidates for balls in motion."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from hardware.frame import Frame, Plane
from referee.vision.background import Background, are_changes
from referee.vision.circles import Circle, fit_circles
from referee.vision.colours import ColourMap
from referee.vision.outlines import Outlines, Tracer
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

SHADOW_SHARE = 0.6
"""Share of shade from which a region is a shadow: a ball over a surface of its colour has a light side too."""

MUCH = 1.5
"""Times what counts as a change by which a red thing that is still red has yet become another: compression and half
shadows change it by less. Its shading makes much of a ball a quarter lighter or darker than what is flat and of its
colour, twenty levels in full light."""

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
    the label of each, and their ``looks``, (6, n): luma, U and V as they are now, and as they were. ``steps``: how much
    luma and chroma may differ without being a change."""

    cells: NDArray[np.intp]
    labels: NDArray[np.uint8]
    looks: NDArray[np.uint8]
    steps: tuple[int, int]


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
        self._tracer = Tracer(self._sizes.shape)

    def recolour(self, colour_map: ColourMap) -> None:
        """Take the same colours as they look in another light."""
        self._map = colour_map

    def coloured(self, frame: Frame, luma_half: Plane, changed: NDArray[np.bool_], background: Background) -> Coloured:
        """What of a picture to look for candidates in: of the pixels that have ``changed`` from the still scene of the
        ``background`` those of a ball's colour; all at the size of the chroma planes."""
        # A decoder's lines may be padded: they are brought together once.
        now = (luma_half, np.ascontiguousarray(frame.u), np.ascontiguousarray(frame.v))
        cells, labels = self._map.coloured(now, changed)
        return Coloured(
            cells=cells,
            labels=labels,
            looks=_looks_at((*now, *background.still), cells),
            steps=background.steps,
        )

    def find(self, pictures: Sequence[Coloured]) -> tuple[tuple[Blob, ...], ...]:
        """Connected regions of one ball colour and a ball's size in each of some pictures, but for shadows.

        For all pictures at once: for the few pixels of one, calling costs more than the arithmetic.
        """
        if not pictures:
            return ()
        blobs: list[list[Blob]] = [[] for _ in pictures]
        regions = self._regions(pictures)
        if regions:
            outlines = 2.0 * np.concatenate([region.outline for region in regions]) + 0.5
            circles = fit_circles(outlines, [len(region.outline) for region in regions])
            for region, circle in zip(regions, circles, strict=True):
                blobs[region.picture].append(_blob(region, circle))
        return tuple(tuple(found) for found in blobs)

    def _regions(self, pictures: Sequence[Coloured]) -> list[_Region]:
        """What has a ball's size in some pictures, in their order."""
        cells, labels = (np.concatenate(parts) for parts in zip(*((p.cells, p.labels) for p in pictures), strict=True))
        if not len(cells):
            return []
        looks = np.concatenate([p.looks for p in pictures], axis=1)
        counts = [len(p.cells) for p in pictures]
        # A layer for each colour in each picture.
        colours = len(self._map.colours)
        layers = (colours * np.arange(len(pictures), dtype=np.uint16)).repeat(counts)
        layers += labels
        layers -= np.uint16(1)
        most = np.array([[min(math.floor(MUCH * step), 255) for step in p.steps] for p in pictures], dtype=np.uint8)
        luma, u, v = cv2.absdiff(looks[:3], looks[3:])
        is_other = ~self._map.have(labels, *looks[3:])
        differ = is_other | are_changes(luma, u, v, *most.repeat(counts, axis=0).T)
        kept = np.flatnonzero(self._specks.are_kept(cells, layers, differ))
        kept = kept.take(np.argsort(layers.take(kept), kind="stable"))
        cells, layers = cells.take(kept), layers.take(kept)
        # 1 is shown for what is drawn, 2 where that may be shade.
        looks = looks.take(kept, axis=1)
        drawn = np.uint8(1) + shaded(looks[:3], looks[3:]).view(np.uint8)
        outlines = self._tracer.traced(cells, layers, drawn, MIN_OUTLINE)
        return [] if outlines is None else self._of_size(outlines)

    def _of_size(self, outlines: Outlines) -> list[_Region]:
        """The outlined regions that have a ball's size, but for shadows."""
        height, width = self._sizes.shape
        left, top, right, bottom = outlines.boxes
        sizes = self._sizes[(top + bottom) // 2, (left + right) // 2].astype(np.float64)
        lows, highs = SIZE_AT_TABLE[0] * sizes, SIZE_AT_TABLE[1] * np.maximum(sizes, 1.0)
        longer, shorter = (extreme(right - left, bottom - top) + EDGE_PX for extreme in (np.maximum, np.minimum))
        is_of_size = (longer > lows) & (shorter <= highs)
        # No rectangle around it is smaller than the smallest, whose shorter side is looked at below.
        is_of_size &= (right - left) * (bottom - top) >= np.maximum(lows - EDGE_PX, 0.0) ** 2
        at_border = (left <= 0) | (top <= 0) | (right >= width - 1) | (bottom >= height - 1)
        regions = []
        which = np.flatnonzero(is_of_size)
        each = (values.take(which).tolist() for values in (outlines.layers, lows, highs, at_border))
        for k, outline, layer, low, high, is_cut in zip(which.tolist(), outlines.of(which), *each, strict=True):
            _, extents, _ = cv2.minAreaRect(outline)
            width_px = min(extents) + EDGE_PX
            if width_px < low or _is_shadow(outlines.drawn(k)):
                continue
            picture, colour = divmod(layer, len(self._map.colours))
            regions.append(
                _Region(
                    picture=picture,
                    colour=self._map.colours[colour].name,
                    outline=outline,
                    length_px=max(extents) + EDGE_PX,
                    width_px=width_px,
                    low=low,
                    high=high,
                    at_border=is_cut,
                )
            )
        return regions


def _is_shadow(drawn: NDArray[np.uint8]) -> bool:
    """Whether most of what is drawn of a region may be shade."""
    shown = cv2.countNonZero(drawn)
    return bool(cv2.sumElems(drawn)[0] - shown > SHADOW_SHARE * shown)


def _looks_at(planes: Sequence[Plane], cells: NDArray[np.intp]) -> NDArray[np.uint8]:
    """Planes at some pixels, flat indices: a row of (n,) for each."""
    looks = np.empty((len(planes), len(cells)), dtype=np.uint8)
    for row, plane in zip(looks, planes, strict=True):
        plane.ravel().take(cells, out=row, mode="clip")
    return looks


def _blob(region: _Region, circle: Circle | None) -> Blob:
    """A region with its circle; where that isn't a ball's, with its middle and half its width, and a share of 0."""
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


def _middle(cells: NDArray[np.int32]) -> tuple[float, float]:
    """Centre of the hull of an outline, in pixels of the full picture."""
    moments = cv2.moments(cv2.convexHull(cells))
    if moments["m00"] <= 0:
        x, y = cells.mean(axis=0)
        return 2.0 * float(x) + 0.5, 2.0 * float(y) + 0.5
    return 2.0 * moments["m10"] / moments["m00"] + 0.5, 2.0 * moments["m01"] / moments["m00"] + 0.5
