"""What a lane looks like without pins: each of its parts a smooth field of colour, in light and in shade."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.picture import Array, Image, Window

FIELD, LINE, RIM, SIDE, TABLE, MARKER = range(1, 7)
"""Parts of the picture: the field inside the border line, the line, the lid around it, the box's sides, the table, and
markers, which look like anything."""

PAPER: Final = 1.35
"""Size of the sheet that a marker is printed on, in sizes of the marker."""

Parts = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """Where a part of a picture begins, and the shape of the whole; None where it is the whole."""

    left: int = 0
    top: int = 0
    shape: tuple[int, int] | None = None


WHOLE: Final = Within()

BRIGHTEST: Final = 1.12
DARKEST: Final = 0.12
"""How bright a surface may be, as a share of its smooth field: grain lightens a little, shadows darken a lot."""

SHADOW: Final = 0.77
LIT_SHARE: Final = 0.3
"""How dark the commonest colour is where it is a shadow, and how much of the surface is brighter then: shadows are
smoother than what they fall on, but pins cover less than this."""

NOISE_FLOOR: Final = (3.0, 1.6)
"""Least deviation of luma and chroma, in levels, of what is one colour: compression leaves as much."""

NEAR_SPREADS: Final = 2.5
"""Deviations within which pixels are of the lit surface: faint shadows lie little further off."""

SHADE_GREY: Final = 0.012
SHADE_COLOUR: Final = 0.07
"""Chroma, per level of luma and of chroma that the shade takes away, by which light in the shade may differ."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Bare:
    """``distance``: (h, w) float32, how unlike the bare surface each pixel is, in deviations of the surface itself,
    whatever the shade. ``shade``: (h, w) float32, how bright it is there as a share of the surface in full light, 1 on
    markers. ``seams``: (h, w), where two surfaces meet. ``fields``: what its parts look like."""

    distance: Image
    shade: Image
    seams: NDArray[np.bool_]
    fields: Mapping[int, "Field"]


def parts_of(window: Window, shift_mm: tuple[float, float] = (0.0, 0.0)) -> Parts:
    """Which part of the empty lane is seen at each pixel of the window: (h, w) uint8; ``shift_mm``: of the lane."""
    layout = window.table.layout
    moved = np.array([*shift_mm, 0.0])
    parts = np.full(window.shape, TABLE, dtype=np.uint8)
    lid = np.array([(x, y, layout.height_mm) for x, y in layout.outline_mm])
    hull = cv2.convexHull(_cells(window, np.vstack([lid, lid * (1.0, 1.0, 0.0)]) + moved))
    cv2.fillConvexPoly(parts, hull, SIDE, lineType=cv2.LINE_8, shift=FINE)
    cv2.fillPoly(parts, [_cells(window, lid + moved)], RIM, lineType=cv2.LINE_8, shift=FINE)
    if layout.lane is not None:
        corners = np.array(layout.lane.corners_mm)
        outward = np.sign(corners - corners.mean(axis=0)) * (1.0, 1.0, 0.0)
        outer = corners + outward * layout.lane.border_mm
        cv2.fillPoly(parts, [_cells(window, outer + moved)], LINE, lineType=cv2.LINE_8, shift=FINE)
        cv2.fillPoly(parts, [_cells(window, corners + moved)], FIELD, lineType=cv2.LINE_8, shift=FINE)
    for marker in layout.markers:
        paper = np.array(marker.corners_mm)
        centre = paper.mean(axis=0)
        cv2.fillPoly(
            parts, [_cells(window, centre + PAPER * (paper - centre))], MARKER, lineType=cv2.LINE_8, shift=FINE
        )
    return parts


FINE: Final = 4
"""Bits of a pixel to which outlines are drawn."""


def bare(planes: Image, parts: Parts, known: Mapping[int, "Field"] | None = None, within: Within = WHOLE) -> Bare:
    """Compare a picture, as ``Window.planes`` gives it, with its own surfaces, or with ``known`` ones of the picture
    that it is ``within``.

    Along the seams between them, where colours mix, the likelier one counts, and nothing is sure.
    """
    fields: dict[int, Field] = {}
    distance = np.full(parts.size, np.inf, dtype=np.float32)
    shade = np.ones(parts.size, dtype=np.float32)
    kernel = np.ones((3, 3), dtype=np.uint8)
    pixels = planes.reshape(-1, 3)
    # Markers have no smooth colour, and stay at no distance.
    for part, degree in ((FIELD, 2), (RIM, 1), (LINE, 1), (SIDE, 1), (TABLE, 2)):
        own = (parts == part).view(np.uint8)
        count = cv2.countNonZero(own)
        if count < LEAST_PIXELS if known is None else part not in known or not count:
            continue
        every = np.flatnonzero(cv2.dilate(own, kernel).view(np.bool_))
        is_own = own.ravel().view(np.bool_)
        if known is None:
            some = every[is_own[every]][:: max(1, count // SAMPLE)]
            field = _field(pixels[some], _terms(some, parts.shape, degree))
        else:
            field = known[part]
        fields[part] = field
        for cells in np.split(every, range(AT_ONCE, len(every), AT_ONCE)):
            seen, expected = pixels.take(cells, axis=0), field.at(cells, parts.shape, degree, within)
            distance[cells] = np.minimum(distance[cells], _compare(seen, expected, field))
            inner = is_own[cells]
            shade[cells[inner]] = (seen[:, 0] / np.maximum(expected[0], 4.0))[inner]
    distance[~np.isfinite(distance)] = 0.0
    seams = cv2.morphologyEx(parts, cv2.MORPH_GRADIENT, kernel) > 0
    return Bare(distance=distance.reshape(parts.shape), shade=shade.reshape(parts.shape), seams=seams, fields=fields)


AT_ONCE: Final = 8192
"""Pixels that are compared at once: all in between fits into the processor's own memory."""

SAMPLE: Final = 1500
"""Pixels, or up to twice as many, from which a surface is told."""

LEAST_PIXELS: Final = 60


@dataclass(frozen=True, kw_only=True, eq=False)
class Field:
    """A smooth field of colour: ``weights``, (k, 3), of its terms, and the deviations of luma and chroma from it."""

    weights: Image
    luma_sigma: float
    chroma_sigma: float

    def at(self, cells: NDArray[np.intp], shape: tuple[int, int], degree: int, within: Within = WHOLE) -> Image:
        """What it is at flat indices of a picture of some shape, (3, n); ``degree``: of its polynomial; ``within``:
        of which picture that is a part.

        Not as a product of matrices, for which several processors are woken.
        """
        whole = within.shape or shape
        y, x = (
            np.arange(first, first + length, dtype=np.float32) / np.float32(most)
            for first, length, most in zip((within.top, within.left), shape, whole, strict=True)
        )
        weights = self.weights[:, :, None]
        rows, columns = weights[0] + weights[2] * y, weights[1] * x
        if degree > 1:
            rows, columns = rows + weights[5] * y * y, columns + weights[3] * x * x
        row = cells.astype(np.int32) // np.int32(shape[1])
        column = cells - row * shape[1]
        out = rows.take(row, axis=1)
        out += columns.take(column, axis=1)
        if degree > 1:
            out += weights[4] * (y.take(row) * x.take(column))
        return np.asarray(out, dtype=np.float32)


def _compare(pixels: Image, expected: Image, field: Field) -> Image:
    """How unlike a surface pixels, (n, 3), are, in any shade: (n,); ``expected``: (3, n), of it in full light."""
    y, u, v = pixels.T
    full = np.maximum(expected[0], 4.0)
    light = np.clip(y / full, DARKEST, BRIGHTEST)
    luma = (y - light * full) / (2 * field.luma_sigma)
    chroma = np.sqrt(expected[1] * expected[1] + expected[2] * expected[2])
    tint = field.chroma_sigma + np.maximum(1 - light, 0.0) * (SHADE_GREY * full + SHADE_COLOUR * chroma)
    off_u, off_v = u - light * expected[1], v - light * expected[2]
    return np.asarray(np.sqrt(luma * luma + (off_u * off_u + off_v * off_v) / (tint * tint)), dtype=np.float32)


def _field(sample: Image, basis: Image) -> Field:
    """The lit surface that most of some pixels, (n, 3), show; ``basis``: (k, n), the terms of each."""
    start = _lit(sample)
    seen = np.ascontiguousarray(sample.T)
    weights = np.zeros((len(basis), 3), dtype=np.float32)
    weights[0] = start
    luma_sigma, chroma_sigma = NOISE_FLOOR
    slack = np.array([0.22 * start[0] + 6, 8.0, 8.0], dtype=np.float32)
    is_near = np.zeros(len(sample), dtype=np.bool_)
    for _ in range(6):
        off = np.abs(seen - weights.T @ basis)
        before, is_near = is_near, (off[0] < slack[0]) & (off[1] < slack[1]) & (off[2] < slack[2])
        near = np.flatnonzero(is_near)
        # From the same pixels as before nothing new is learned.
        if len(near) < 4 * len(basis) or np.array_equal(is_near, before):
            break
        own, these = basis[:, near], seen[:, near]
        normal = own @ own.T + 1e-3 * np.eye(len(basis), dtype=np.float32)
        weights = np.linalg.solve(normal, own @ these.T).astype(np.float32)
        left = np.abs(these - weights.T @ own)
        spread = 1.4826 * np.partition(left, left.shape[1] // 2, axis=1)[:, left.shape[1] // 2]
        luma_sigma = max(float(spread[0]), NOISE_FLOOR[0])
        chroma_sigma = max(float(spread[1:].max()), NOISE_FLOOR[1])
        slack = np.maximum(NEAR_SPREADS * spread, [8.0, 4.0, 4.0]).astype(np.float32)
    return Field(weights=weights, luma_sigma=luma_sigma, chroma_sigma=chroma_sigma)


def _lit(pixels: Image) -> Image:
    """The colour of a surface in the light, (3,): the commonest, unless that is but a shadow of a brighter one."""
    start = _commonest(pixels)
    times = pixels[:, 0] / max(float(start[0]), 4.0)
    off = np.hypot(*(pixels[:, 1:] - times[:, None] * start[1:]).T)
    brighter = (times > 1 / SHADOW) & (off < NOISE_FLOOR[1] * 2 + 0.12 * pixels[:, 0])
    return _commonest(pixels[brighter]) if brighter.mean() > LIT_SHARE else start


def _commonest(pixels: Image) -> Image:
    """The colour that most pixels have, (3,)."""
    bins = np.floor(pixels / np.array([12.0, 6.0, 6.0], dtype=np.float32)).astype(np.int32) + 64
    keys = (bins[:, 0] << 20) | (bins[:, 1] << 10) | bins[:, 2]
    _, firsts, counts = np.unique(keys, return_index=True, return_counts=True)
    luma, blue, red = np.ascontiguousarray(bins.T.astype(np.int16))
    near = np.zeros(len(pixels), dtype=np.bool_)
    # Grain spreads over several bins, which count together.
    for first in firsts[np.argsort(-counts)[:8]]:
        around = np.abs(luma - luma[first]) <= 1
        around &= np.abs(blue - blue[first]) <= 1
        around &= np.abs(red - red[first]) <= 1
        near = around if around.sum() > near.sum() else near
    return np.array([np.median(channel) for channel in pixels[near].T], dtype=np.float32)


def _terms(cells: NDArray[np.intp], shape: tuple[int, int], degree: int) -> Image:
    """Terms of a polynomial in the picture's rows and columns at flat indices: (3, n) or (6, n)."""
    y, x = (cells // shape[1]) / np.float32(shape[0]), (cells % shape[1]) / np.float32(shape[1])
    rows = [np.ones_like(x), x, y] + ([x * x, x * y, y * y] if degree > 1 else [])
    return np.stack(rows).astype(np.float32)


def _cells(window: Window, points_mm: Array) -> NDArray[np.int32]:
    """World points to the window's pixels, in steps of a 16th: (n, 1, 2)."""
    return np.round(window.to_px(points_mm) * 2**FINE).astype(np.int32).reshape(-1, 1, 2)
