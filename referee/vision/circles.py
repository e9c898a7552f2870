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
Places = NDArray[np.complex128]
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
    """Some outlines, each seen from its own first point, in the complex plane."""

    def __init__(self, points: Values, lengths: NDArray[np.intp]) -> None:
        self._lengths = lengths
        self._starts = np.cumsum(lengths) - lengths
        places = np.ascontiguousarray(points).view(np.complex128).ravel()
        self._first = places.take(self._starts)
        self._points = z = places - self._first.repeat(lengths)
        self._squares = z.real * z.real + z.imag * z.imag
        # What the sums are of that the equations of a circle are made of.
        self._terms = np.array([z, z * z, z * self._squares, 1.0 + 1j * self._squares])

    def circles(self) -> list[Circle | None]:
        """The circle of each outline."""
        is_found = self._lengths >= LEAST_POINTS
        middles, radii, shares, near = self._refined(self._terms)
        is_frayed = is_found & (shares < MOST)
        if is_frayed.any():
            on_best = self._on_best_triples(np.flatnonzero(is_frayed))
            is_found &= ~is_frayed | (self._counted(on_best) >= LEAST_NEAR)
            *again, again_near = self._refined(self._terms * on_best)
            middles, radii, shares = (
                np.where(is_frayed, new, old) for new, old in zip(again, (middles, radii, shares), strict=True)
            )
            near = np.where(is_frayed.repeat(self._lengths), again_near, near)
        is_rough = shares < 1.0
        if is_rough.any():
            is_found &= ~is_rough | (self._counted(near) >= LEAST_NEAR)
            *again, _ = self._refined(self._terms * near)
            middles, radii, shares = (
                np.where(is_rough, new, old) for new, old in zip(again, (middles, radii, shares), strict=True)
            )
        each = zip((middles + self._first).tolist(), radii.tolist(), shares.tolist(), is_found.tolist(), strict=True)
        return [
            Circle(x_px=middle.real, y_px=middle.imag, radius_px=radius, share=share) if is_one else None
            for middle, radius, share, is_one in each
        ]

    def _counted(self, points: Mask) -> NDArray[np.intp]:
        """How many of some points each outline has."""
        return np.asarray(np.add.reduceat(points, self._starts, dtype=np.intp))

    def _refined(self, terms: Places) -> tuple[Places, Values, Values, Mask]:
        """The algebraic circle through some points of each outline, of which the ``terms`` are those: its middle, its
        radius, and the share of the outline on it; and which points lie on theirs: none where some are in line.

        A circle about c is |z|^2 = 2 Re(c* z) + k. About the points' own middle least squares have k fall out, and
        leave sum(z |z|^2) = c sum(|z|^2) + c* sum(z^2).
        """
        z, zz, zs, one = np.add.reduceat(terms, self._starts, axis=1)
        n, s = np.maximum(one.real, 1.0), one.imag
        mean = z / n
        spread = s - (z * mean.conj()).real
        zz = zz - z * mean
        zs = zs - s * mean
        det = spread * spread - (zz * zz.conj()).real
        is_round = det > 4 * LEAST_SPREAD * spread * spread
        middles = (zs * spread - zs.conj() * zz) / np.where(is_round, det, 1.0)
        offsets = (s - 2.0 * (middles * z.conj()).real) / n
        radii = np.sqrt(np.maximum(0.0, offsets + (middles * middles.conj()).real))
        # With d the distance from the centre, |d - r| < t is |d² - r² - t²| < 2 r t: no roots are taken.
        within = np.where(is_round, 2 * radii * TOLERANCE_PX, -1.0)
        of, limits = (2.0 * middles.conj()).repeat(self._lengths), (offsets + TOLERANCE_PX**2 + 1j * within)
        limits = limits.repeat(self._lengths)
        near = np.abs(self._squares - (of * self._points).real - limits.real) < limits.imag
        return middles, radii, self._counted(near) / self._lengths, near

    def _on_best_triples(self, outlines: NDArray[np.intp]) -> Mask:
        """Which points of some outlines lie on that of the circles tried which most of theirs lie on."""
        lengths, starts = self._lengths[outlines].tolist(), self._starts[outlines].tolist()
        points = self._points
        chosen = [start + _triples(length) for start, length in zip(starts, lengths, strict=True)]
        first, b, c = points.take(np.array(chosen).swapaxes(0, 1))
        # Seen from the first of three points: the circle through 0, b and c.
        b, c = b - first, c - first
        cross = (b.conj() * c).imag
        is_round = np.abs(cross) > LEAST_CROSS
        spokes = b * c * (b - c).conj() / np.where(is_round, 2j * cross, 1.0)
        middles, radii = first + spokes, np.abs(spokes)
        beyond = (middles * middles.conj()).real - radii**2 - TOLERANCE_PX**2
        circles = np.stack([-2 * middles.real, -2 * middles.imag, beyond, np.ones_like(radii)], axis=2)
        within = np.where(is_round, 2 * radii * TOLERANCE_PX, -1.0)
        linear = np.array([points.real, points.imag, np.ones_like(self._squares), self._squares])
        on_best = np.zeros(len(points), dtype=np.bool_)
        for start, length, circle, reach in zip(starts, lengths, circles, within, strict=True):
            own = slice(start, start + length)
            near = np.abs(circle @ linear[:, own]) < reach[:, None]
            on_best[own] = near[np.add.reduce(near, axis=1, dtype=np.uint16).argmax()]
        return on_best


@lru_cache(maxsize=256)
def _triples(n: int) -> NDArray[np.intp]:
    """Which three of n outline points make each of the circles tried: (3, TRIPLES)."""
    first = np.arange(TRIPLES) * n // TRIPLES
    step = np.array([n // 3, n // 4, n // 5])[np.arange(TRIPLES) % 3]
    return np.stack([first, (first + step) % n, (first + 2 * step) % n])
