"""A ball's circle from the outline of what is seen of it."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

TRIPLES = 24
"""Circles tried, through three outline points each: some triple misses a finger over a third of the ball."""

TOLERANCE_PX = 1.6
"""Distance from the circle, in pixels of the full picture, up to which an outline point lies on it: the outline comes
in steps of two pixels."""

LEAST_SPREAD = 1e-9
"""Spread across points, squared and against that along them, below which they lie in line and on no circle."""

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle:
    """``share``: of the outline that lies on it, 0 to 1."""

    x_px: float
    y_px: float
    radius_px: float
    share: float


def fit_circle(outline: Values) -> Circle | None:
    """The circle that most of an outline, (n, 2) pixels, lies on: best of fixed triples (RANSAC without chance,
    Fischler and Bolles 1981), refined on its own points (algebraic fit, Kasa 1976). None for fewer than 6 points."""
    n = len(outline)
    if n < 6:
        return None
    x, y = np.ascontiguousarray(outline[:, 0]), np.ascontiguousarray(outline[:, 1])
    centre_x, centre_y, radii, valid = _through(x, y, _triples(n))
    if not valid.any():
        return None
    gaps = np.abs(np.sqrt((x - centre_x[:, None]) ** 2 + (y - centre_y[:, None]) ** 2) - radii[:, None])
    counts = np.where(valid, np.count_nonzero(gaps < TOLERANCE_PX, axis=1), 0)
    best = gaps[int(counts.argmax())] < TOLERANCE_PX
    for _ in range(2):
        if np.count_nonzero(best) < 5:
            return None
        x_px, y_px, radius_px = _least_squares(x[best], y[best])
        best = np.abs(np.sqrt((x - x_px) ** 2 + (y - y_px) ** 2) - radius_px) < TOLERANCE_PX
    return Circle(x_px=x_px, y_px=y_px, radius_px=radius_px, share=np.count_nonzero(best) / n)


@lru_cache(maxsize=256)
def _triples(n: int) -> NDArray[np.intp]:
    """Which three of n outline points make each of the circles tried: (3, TRIPLES)."""
    first = np.arange(TRIPLES) * n // TRIPLES
    step = np.array([n // 3, n // 4, n // 5])[np.arange(TRIPLES) % 3]
    return np.stack([first, (first + step) % n, (first + 2 * step) % n])


def _through(x: Values, y: Values, triples: NDArray[np.intp]) -> tuple[Values, Values, Values, NDArray[np.bool_]]:
    """Circles through three points each: x and y of the centres, radii, and whether the points aren't in line."""
    (ax, bx, cx), (ay, by, cy) = x[triples], y[triples]
    bx, by, cx, cy = bx - ax, by - ay, cx - ax, cy - ay
    cross = 2.0 * (bx * cy - by * cx)
    valid = np.abs(cross) > 1e-6
    scale = np.where(valid, cross, 1.0)
    b2, c2 = bx**2 + by**2, cx**2 + cy**2
    right, down = (cy * b2 - by * c2) / scale, (bx * c2 - cx * b2) / scale
    return ax + right, ay + down, np.sqrt(right**2 + down**2), valid


def _least_squares(x: Values, y: Values) -> tuple[float, float, float]:
    """Centre and radius of the algebraic circle through points; an infinite radius for points in line."""
    mean_x, mean_y = float(x.mean()), float(y.mean())
    x, y = x - mean_x, y - mean_y
    # About their own middle the points sum to zero, so that the normal equations fall apart: two are for the centre.
    square = x**2 + y**2
    xx, xy, yy = float(x @ x), float(x @ y), float(y @ y)
    det = xx * yy - xy * xy
    if det < LEAST_SPREAD * (xx + yy) ** 2:
        return mean_x, mean_y, math.inf
    sx, sy = float(square @ x) / 2, float(square @ y) / 2
    right, down = (yy * sx - xy * sy) / det, (xx * sy - xy * sx) / det
    return mean_x + right, mean_y + down, math.sqrt(float(square.mean()) + right**2 + down**2)
