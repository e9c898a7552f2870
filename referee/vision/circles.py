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

LEAST_CROSS = 1e-6
"""Twice the area between three points, in square pixels, below which they are in line."""

LEAST_POINTS = 6
LEAST_NEAR = 5
"""Points of an outline, and of these on a circle, below which any circle will do."""

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
    if len(outline) < LEAST_POINTS:
        return None
    terms = _terms(outline)
    circle, near = _refined(terms, terms)
    if circle.share < MOST:
        best = _best_triple(terms)
        if best is None or np.count_nonzero(best) < LEAST_NEAR:
            return None
        circle, near = _refined(terms[best], terms)
    if circle.share < 1.0:
        if np.count_nonzero(near) < LEAST_NEAR:
            return None
        circle, _ = _refined(terms[near], terms)
    x_px, y_px = outline[0].tolist()
    return Circle(x_px=x_px + circle.x_px, y_px=y_px + circle.y_px, radius_px=circle.radius_px, share=circle.share)


def _terms(outline: Values) -> Values:
    """What a circle is linear in, (n, 4): x, y, 1, x² + y² of each point, seen from the first."""
    terms = np.ones((len(outline), 4))
    x, y, square = terms[:, 0], terms[:, 1], terms[:, 3]
    np.subtract(outline, outline[0], out=terms[:, :2])
    np.add(x * x, y * y, out=square)
    return terms


def _refined(some: Values, every: Values) -> tuple[Circle, Mask]:
    """The algebraic circle through ``some`` points of an outline, and which of ``every`` one lie on it: none where they
    are in line."""
    ((xx, xy, x, xs), (_, yy, y, ys), (_, _, n, s), _) = (some.T @ some).tolist()
    # About their own middle the normal equations fall apart: two are for the centre.
    xx, xy, yy, xs, ys = xx - x * x / n, xy - x * y / n, yy - y * y / n, xs - x * s / n, ys - y * s / n
    det = xx * yy - xy * xy
    if det < LEAST_SPREAD * (xx + yy) ** 2:
        return Circle(x_px=x / n, y_px=y / n, radius_px=math.inf, share=0.0), np.zeros(len(every), dtype=np.bool_)
    right, down = (yy * xs - xy * ys) / det, (xx * ys - xy * xs) / det  # twice the centre
    offset = (s - right * x - down * y) / n
    radius_px = math.sqrt(max(0.0, offset + (right * right + down * down) / 4))
    # With d the distance from the centre, |d - r| < t is |d² - r² - t²| < 2 r t, for which there are no roots to take.
    beyond = every @ np.array([-right, -down, -offset - TOLERANCE_PX**2, 1.0])
    near = np.abs(beyond) < 2 * radius_px * TOLERANCE_PX
    share = np.count_nonzero(near) / len(near)
    return Circle(x_px=right / 2, y_px=down / 2, radius_px=radius_px, share=share), near


def _best_triple(terms: Values) -> Mask | None:
    """Which points lie on that of the circles tried which most lie on; None for points in line."""
    points = terms[:, 0] + 1j * terms[:, 1]
    first, *others = points[_triples(len(points))]
    # In the complex plane, seen from the first of three points: the circle through 0, b and c.
    b, c = (other - first for other in others)
    cross = (b.conj() * c).imag
    if not np.all(np.abs(cross) > LEAST_CROSS):
        first, b, c, cross = (values[np.abs(cross) > LEAST_CROSS] for values in (first, b, c, cross))
    if not len(cross):
        return None
    spokes = b * c * (b - c).conj() / (2j * cross)
    near = np.abs(np.abs(points[:, None] - (first + spokes)) - np.abs(spokes)) < TOLERANCE_PX
    return np.asarray(near[:, int(near.sum(axis=0).argmax())], dtype=np.bool_)


@lru_cache(maxsize=256)
def _triples(n: int) -> NDArray[np.intp]:
    """Which three of n outline points make each of the circles tried: (3, TRIPLES)."""
    first = np.arange(TRIPLES) * n // TRIPLES
    step = np.array([n // 3, n // 4, n // 5])[np.arange(TRIPLES) % 3]
    return np.stack([first, (first + step) % n, (first + 2 * step) % n])
