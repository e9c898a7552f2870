"""A ball's circle from the outline of what is seen of it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TRIPLES = 24
"""Circles tried, through three outline points each: some triple misses a finger over a third of the ball."""

TOLERANCE_PX = 1.6
"""Distance from the circle, in pixels of the full picture, up to which an outline point lies on it: the outline comes
in steps of two pixels."""

Outline = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle:
    """``share``: of the outline that lies on it, 0 to 1."""

    x_px: float
    y_px: float
    radius_px: float
    share: float


def fit_circle(outline: Outline) -> Circle | None:
    """The circle that most of an outline, (n, 2) pixels, lies on: best of fixed triples (RANSAC without chance,
    Fischler and Bolles 1981), refined on its own points (algebraic fit, Kasa 1976). None for fewer than 6 points."""
    n = len(outline)
    if n < 6:
        return None
    starts = np.arange(TRIPLES) * n // TRIPLES
    spans = np.array([n // 3, n // 4, n // 5])[np.arange(TRIPLES) % 3]
    a, b, c = outline[starts], outline[(starts + spans) % n], outline[(starts + 2 * spans) % n]
    centres, radii, valid = _through(a, b, c)
    if not valid.any():
        return None
    gaps = np.abs(np.hypot(*(outline[None] - centres[:, None]).transpose(2, 0, 1)) - radii[:, None])
    on = (gaps < TOLERANCE_PX) & valid[:, None]
    best = on[int(on.sum(axis=1).argmax())]
    for _ in range(2):
        if best.sum() < 5:
            return None
        centre, radius = _least_squares(outline[best])
        best = np.abs(np.hypot(*(outline - centre).T) - radius) < TOLERANCE_PX
    return Circle(x_px=float(centre[0]), y_px=float(centre[1]), radius_px=radius, share=float(best.mean()))


def _through(a: Outline, b: Outline, c: Outline) -> tuple[Outline, NDArray[np.float64], NDArray[np.bool_]]:
    """Circles through three points each, (m, 2): centres, radii, and whether the points aren't in line."""
    ab, ac = b - a, c - a
    cross = 2.0 * (ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0])
    valid = np.abs(cross) > 1e-6
    scale = np.where(valid, cross, 1.0)
    ab2, ac2 = (ab**2).sum(axis=1), (ac**2).sum(axis=1)
    offset = np.column_stack([ac[:, 1] * ab2 - ab[:, 1] * ac2, ab[:, 0] * ac2 - ac[:, 0] * ab2]) / scale[:, None]
    return a + offset, np.hypot(offset[:, 0], offset[:, 1]), valid


def _least_squares(points: Outline) -> tuple[Outline, float]:
    """Centre (2,) and radius of the algebraic circle through points (n, 2)."""
    middle = points.mean(axis=0)
    local = points - middle
    design = np.column_stack([2.0 * local, np.ones(len(local))])
    solution = np.linalg.lstsq(design, (local**2).sum(axis=1), rcond=None)[0]
    centre = solution[:2]
    return centre + middle, float(np.sqrt(max(solution[2] + centre @ centre, 0.0)))
