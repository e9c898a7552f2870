"""Round things in a picture that may be holes seen at a slant: blobs that are shaped like ellipses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Half axes of holes worth looking for, in picture widths: a board that fills a third of a small picture, or all of it.
SMALL: Final = (0.0022, 0.03)
LARGE: Final = (0.025, 0.2)
# Neighbourhoods that brightness is compared with, in picture widths, and by how many levels it must differ.
WINDOWS: Final = (0.04, 0.1)
CONTRASTS: Final = (6, 18)
# Neighbourhoods are large: a smaller picture is fine enough for them.
COARSER: Final = 4
LEVELS: Final = 30
# Chroma changes less than luma does where another paint begins.
CHROMA_GAIN: Final = 2
# A circle seen from 20 degrees above its plane is this much narrower than wide; shading narrows it further.
NARROWEST: Final = 0.25
# How much of the ellipse of equal moments a blob fills at least, and how much of its convex hull.
FILLED: Final = 0.78
CONVEX: Final = 0.8
# Blobs this near to each other, in half axes, and this alike in size (a log ratio) are one.
SAME: Final = 0.5
ALIKE: Final = 0.5
MOST: Final = 700


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Blobs:
    """n ellipses: ``centres_px``, (n, 2), and ``shapes_px2``, (n, 2, 2): each maps a direction to a half axis squared.

    A circle's shape is its radius squared times the unit matrix.
    """

    centres_px: Array
    shapes_px2: Array

    def first(self, count: int) -> "Blobs":
        """The first ones alone."""
        return Blobs(centres_px=self.centres_px[:count], shapes_px2=self.shapes_px2[:count])


def together(several: Sequence[Blobs]) -> Blobs:
    """Blobs of several pictures, taking turns, without those that are nearly the same as one before."""
    rows = [
        np.column_stack([b.centres_px, b.shapes_px2[:, 0, 0], b.shapes_px2[:, 0, 1], b.shapes_px2[:, 1, 1], order])
        for b in several
        for order in (np.arange(len(b.centres_px)),)
    ]
    return _distinct(np.concatenate([np.zeros((0, 6)), *rows]))


def find_large_blobs(plane: NDArray[np.uint8], width_px: int) -> Blobs:
    """Larger ones, that stand out at one of many levels of a plane, (height, width) uint8; in a picture's pixels."""
    size = (width_px // COARSER, round(plane.shape[0] * width_px / plane.shape[1]) // COARSER)
    small = cv2.GaussianBlur(cv2.resize(plane, size, interpolation=cv2.INTER_AREA), (3, 3), 0)
    found = [np.zeros((0, 6))]
    limits = (LARGE[0] * size[0], LARGE[1] * size[0])
    for level in np.linspace(int(small.min()), int(small.max()), LEVELS + 2)[1:-1]:
        # Holes of the mask have contours too: dark blobs and bright ones are found at once.
        found.append(_ellipses((small > level).astype(np.uint8), limits))
    rows = np.concatenate(found)
    rows[:, :2] = (rows[:, :2] + 0.5) * COARSER - 0.5
    rows[:, 2:5] *= COARSER**2
    return _distinct(rows)


def find_blobs(luma: NDArray[np.uint8]) -> Blobs:
    """Blobs darker or brighter than what is around them, (height, width) uint8, the most elliptic first."""
    smooth = cv2.GaussianBlur(luma, (3, 3), 0)
    small = cv2.resize(luma, None, fx=1 / COARSER, fy=1 / COARSER, interpolation=cv2.INTER_AREA)
    limits = (SMALL[0] * luma.shape[1], SMALL[1] * luma.shape[1])
    closing = np.ones((3, 3), dtype=np.uint8)
    found = [np.zeros((0, 6))]
    for window in WINDOWS:
        # Holes cover less than half of a board, so that the median is the brightness of its face.
        size = max(3, round(window * small.shape[1]) | 1)
        around = cv2.resize(cv2.medianBlur(small, size), luma.shape[::-1], interpolation=cv2.INTER_LINEAR)
        darker, brighter = cv2.subtract(around, smooth), cv2.subtract(smooth, around)
        for contrast in CONTRASTS:
            dark, bright = (darker > contrast).astype(np.uint8), (brighter > contrast).astype(np.uint8)
            # A hole's wall may be in the shade and its floor in the light.
            either = np.asarray(cv2.morphologyEx(dark | bright, cv2.MORPH_CLOSE, closing), dtype=np.uint8)
            found += [_ellipses(mask, limits) for mask in (dark, bright, either)]
    return _distinct(np.concatenate(found))


def unlike_around(luma: NDArray[np.uint8], u: NDArray[np.uint8], v: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """How alike each pixel is to what is around, by brightness or colour: (height, width) uint8, things are dark.

    The median around a pixel is the board's face: holes cover less than half of it.
    """
    height, width = luma.shape
    half = np.asarray(cv2.resize(luma, (u.shape[1], u.shape[0]), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    window = max(3, round(WINDOWS[1] * u.shape[1]) | 1)
    apart = np.zeros(u.shape, dtype=np.uint8)
    for plane, gain in ((half, 1), (u, CHROMA_GAIN), (v, CHROMA_GAIN)):
        away = cv2.absdiff(plane, cv2.medianBlur(plane, window))
        apart = np.maximum(apart, cv2.convertScaleAbs(away, alpha=gain))
    return np.asarray(255 - cv2.resize(apart, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def _ellipses(mask: NDArray[np.uint8], limits_px: tuple[float, float]) -> Array:
    """Rows of centre x and y, shape xx, xy and yy, and how much the blob lacks of its hull, (n, 6)."""
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    low, high = limits_px
    out = []
    for contour in contours:
        if not 4 * low < len(contour) < 8 * high:
            continue
        moments = cv2.moments(contour)
        area = moments["m00"]
        if area < 3 * low * low:
            continue
        xx, xy, yy = (4 * moments[name] / area for name in ("mu20", "mu11", "mu02"))
        middle, apart = (xx + yy) / 2, float(np.hypot((xx - yy) / 2, xy))
        long, short = (middle + apart) ** 0.5, max(middle - apart, 1e-9) ** 0.5
        if not (low < long < high and short > NARROWEST * long) or area < FILLED * np.pi * long * short:
            continue
        hull = cv2.contourArea(cv2.convexHull(contour))
        if area >= CONVEX * hull:
            # The contour runs through the middles of the outermost pixels: the blob is half a pixel larger.
            grow = (1 + 0.5 / long) ** 2
            centre = (moments["m10"] / area, moments["m01"] / area)
            out.append((*centre, xx * grow, xy * grow, yy * grow, 1 - area / hull))
    return np.array(out).reshape(-1, 6)


def _distinct(found: Array) -> Blobs:
    """Of blobs that are nearly the same the most elliptic one."""
    rows = found[np.argsort(found[:, 5], kind="stable")]
    size_px = np.sqrt((rows[:, 2] + rows[:, 4]) / 2)
    kept: list[int] = []
    taken = np.zeros(len(rows), dtype=bool)
    for i in range(len(rows)):
        if taken[i]:
            continue
        kept.append(i)
        if len(kept) == MOST:
            break
        near = np.hypot(*(rows[:, :2] - rows[i, :2]).T) < SAME * size_px[i]
        taken |= near & (np.abs(np.log(size_px / size_px[i])) < ALIKE)
    shapes = rows[kept][:, [2, 3, 3, 4]].reshape(-1, 2, 2)
    return Blobs(centres_px=rows[kept, :2], shapes_px2=shapes)
