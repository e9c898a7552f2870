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

MOST = 0.9
"""Share of an outline on the circle laid through all of it from which that is the ball's: nothing hides any of it."""

LEAST_SPREAD = 1e-9
"""Spread across points, squared and against that along them, below which they lie in line and on no circle."""

Values = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle:
    """``share``: of the outline that lies on it, 0 to 1."""

    x_px: float
    y_px: float
    radius_px: float
    share: float


def fit_circle(outline: Values) -> Circle | None:
    """The circle that most of an outline, (n, 2) pixels, lies on: through all of it where that fits (algebraic fit,
    Kasa 1976), else the best of fixed triples (RANSAC without chance, Fischler and Bolles 1981), refined on its own
    points. None for fewer than 6 points."""
    if len(outline) < 6:
        return None
    x, y = np.ascontiguousarray(outline[:, 0]), np.ascontiguousarray(outline[:, 1])
    circle, near = _refined(x, y)
    if circle.share < MOST:
        best = _best_triple(x, y)
        if best is None or np.count_nonzero(best) < 5:
            return None
        circle, near = _refined(x[best], y[best], x, y)
    if circle.share < 1.0:
        if np.count_nonzero(near) < 5:
            return None
        circle, _ = _refined(x[near], y[near], x, y)
    return circle


def _refined(x: Values, y: Values, all_x: Values | None = None, all_y: Values | None = None) -> tuple[Circle, Mask]:
    """The circle through some points of an outline, and which of all of them lie on it."""
    x_px, y_px, radius_px = _least_squares(x, y)
    all_x, all_y = (x, y) if all_x is None or all_y is None else (all_x, all_y)
    near = np.abs(np.sqrt((all_x - x_px) ** 2 + (all_y - y_px) ** 2) - radius_px) < TOLERANCE_PX
    return Circle(x_px=x_px, y_px=y_px, radius_px=radius_px, share=np.count_nonzero(near) / len(near)), near


def _best_triple(x: Values, y: Values) -> Mask | None:
    """Which points lie on that of the circles tried which most lie on; None for points in line."""
    centre_x, centre_y, radii, valid = _through(x, y, _triples(len(x)))
    if not valid.any():
        return None
    gaps = np.abs(np.sqrt((x - centre_x[:, None]) ** 2 + (y - centre_y[:, None]) ** 2) - radii[:, None])
    counts = np.where(valid, np.count_nonzero(gaps < TOLERANCE_PX, axis=1), 0)
    return np.asarray(gaps[int(counts.argmax())] < TOLERANCE_PX, dtype=np.bool_)


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
