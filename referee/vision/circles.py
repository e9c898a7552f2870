"""Balls' circles from the outlines of what is seen of them."""

from collections.abc import Sequence
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


def fit_circles(points: Values, lengths: Sequence[int]) -> list[Circle | None]:
    """For each of some outlines the circle that most of it lies on: through all of it where that fits (algebraic fit,
    Kasa 1976), else the best of fixed triples (RANSAC without chance, Fischler and Bolles 1981), refined on its own
    points. None for an outline of fewer than 6 points.

    ``points``: of all outlines, one after the other, (n, 2) pixels; ``lengths``: how many each has, at least one. All
    are fitted at once: for the few points of one, calling costs more than the arithmetic.
    """
    return _Outlines(points, np.array(lengths, dtype=np.intp)).circles() if len(lengths) else []


class _Outlines:
    """Some outlines, each seen from its own first point."""

    def __init__(self, points: Values, lengths: NDArray[np.intp]) -> None:
        self._lengths = lengths
        self._starts = np.cumsum(lengths) - lengths
        self._owner = np.repeat(np.arange(len(lengths)), lengths)
        self._first = points.T.take(self._starts, axis=1)
        x, y = points.T - self._first.take(self._owner, axis=1)
        # What a circle is linear in, and what the sums are of that its equations are made of.
        square = x * x + y * y
        self._terms = np.array([x, y, np.ones_like(x), square])
        self._products = np.array([*self._terms, x * x, x * y, y * y, x * square, y * square])

    def circles(self) -> list[Circle | None]:
        """The circle of each outline."""
        is_found = self._lengths >= LEAST_POINTS
        circles, near = self._refined(np.ones(len(self._owner), dtype=np.bool_))
        is_frayed = is_found & (circles[3] < MOST)
        if is_frayed.any():
            on_best = self._on_best_triples(np.flatnonzero(is_frayed))
            is_found &= ~is_frayed | (self._counted(on_best) >= LEAST_NEAR)
            again, again_near = self._refined(on_best)
            circles = np.where(is_frayed, again, circles)
            near = np.where(is_frayed.take(self._owner), again_near, near)
        is_rough = circles[3] < 1.0
        if is_rough.any():
            is_found &= ~is_rough | (self._counted(near) >= LEAST_NEAR)
            circles = np.where(is_rough, self._refined(near)[0], circles)
        circles[:2] += self._first
        return [
            Circle(x_px=x, y_px=y, radius_px=radius, share=share) if is_one else None
            for x, y, radius, share, is_one in zip(*circles.tolist(), is_found.tolist(), strict=True)
        ]

    def _counted(self, points: Mask) -> NDArray[np.intp]:
        """How many of some points each outline has."""
        return np.asarray(np.add.reduceat(points, self._starts, dtype=np.intp))

    def _refined(self, some: Mask) -> tuple[Values, Mask]:
        """The algebraic circle through ``some`` points of each outline, (4, n): its centre, its radius, and the share
        of the outline on it; and which points lie on theirs: none where ``some`` are in line."""
        x, y, n, s, xx, xy, yy, xs, ys = np.add.reduceat(self._products * some, self._starts, axis=1)
        n = np.maximum(n, 1.0)
        # About their own middle the normal equations fall apart: two are for the centre.
        xx, xy, yy, xs, ys = xx - x * x / n, xy - x * y / n, yy - y * y / n, xs - x * s / n, ys - y * s / n
        det = xx * yy - xy * xy
        is_round = det > LEAST_SPREAD * (xx + yy) ** 2
        det = np.where(is_round, det, 1.0)
        right, down = (yy * xs - xy * ys) / det, (xx * ys - xy * xs) / det  # twice the centre
        offset = (s - right * x - down * y) / n
        radius = np.sqrt(np.maximum(0.0, offset + (right * right + down * down) / 4))
        # With d the distance from the centre, |d - r| < t is |d² - r² - t²| < 2 r t: no roots are taken.
        within = np.where(is_round, 2 * radius * TOLERANCE_PX, -1.0)
        each = np.array([right, down, offset + TOLERANCE_PX**2, within])
        right_of, down_of, beyond, within = each.repeat(self._lengths, axis=1)
        x, y, _, s = self._terms
        near = np.abs(s - right_of * x - down_of * y - beyond) < within
        return np.array([right / 2, down / 2, radius, self._counted(near) / self._lengths]), near

    def _on_best_triples(self, outlines: NDArray[np.intp]) -> Mask:
        """Which points of some outlines lie on that of the circles tried which most of theirs lie on."""
        lengths, starts = self._lengths[outlines].tolist(), self._starts[outlines].tolist()
        points = self._terms[0] + 1j * self._terms[1]
        chosen = [start + _triples(length) for start, length in zip(starts, lengths, strict=True)]
        first, b, c = points.take(np.array(chosen).swapaxes(0, 1))
        # In the complex plane, seen from the first of three points: the circle through 0, b and c.
        b, c = b - first, c - first
        cross = (b.conj() * c).imag
        is_round = np.abs(cross) > LEAST_CROSS
        spokes = b * c * (b - c).conj() / np.where(is_round, 2j * cross, 1.0)
        middles, radii = first + spokes, np.abs(spokes)
        beyond = (middles * middles.conj()).real - radii**2 - TOLERANCE_PX**2
        circles = np.stack([-2 * middles.real, -2 * middles.imag, beyond, np.ones_like(radii)], axis=2)
        within = np.where(is_round, 2 * radii * TOLERANCE_PX, -1.0)
        on_best = np.zeros(len(points), dtype=np.bool_)
        for start, length, circle, reach in zip(starts, lengths, circles, within, strict=True):
            own = slice(start, start + length)
            near = np.abs(circle @ self._terms[:, own]) < reach[:, None]
            on_best[own] = near[np.add.reduce(near, axis=1, dtype=np.uint16).argmax()]
        return on_best


@lru_cache(maxsize=256)
def _triples(n: int) -> NDArray[np.intp]:
    """Which three of n outline points make each of the circles tried: (3, TRIPLES)."""
    first = np.arange(TRIPLES) * n // TRIPLES
    step = np.array([n // 3, n // 4, n // 5])[np.arange(TRIPLES) % 3]
    return np.stack([first, (first + step) % n, (first + 2 * step) % n])
