"""How luma changes over a disc: a ball turns from the light, what is printed is as light all over."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.frame import Plane
from referee.vision.colours import BLACK

DISC: Final = 0.85
"""Part of the radius that is looked at: the outermost edge mixes with what is behind."""

MIN_PIXELS: Final = 12
"""Pixels of a disc from which its shading can be told."""

GLOSS: Final = 0.1
"""Luma off the surface, against the disc's own, from which a pixel is gloss or a smudge and counts less."""


def shading(luma: Plane, column: float, row: float, radius: float) -> NDArray[np.float64] | None:
    """Luma over a disc as a quadratic surface: (5,) growth to the right, growth downwards, curvature along both, twist.

    By the radius, and against the disc's median luma; robust, so that gloss is left out. None where there are too few
    pixels. ``column``, ``row``, ``radius``: in pixels of ``luma``.
    """
    reach = math.ceil(radius)
    left, top = max(0, round(column) - reach), max(0, round(row) - reach)
    part = luma[top : round(row) + reach + 1, left : round(column) + reach + 1].astype(np.float64) - BLACK
    places: NDArray[np.float64] = np.indices(part.shape).astype(np.float64)
    x, y = (places[1] + left - column) / radius, (places[0] + top - row) / radius
    disc = np.hypot(x, y) < DISC
    if np.count_nonzero(disc) < MIN_PIXELS:
        return None
    x, y, part = x[disc], y[disc], part[disc] / max(1.0, float(np.median(part[disc])))
    design = np.column_stack([np.ones_like(x), x, y, x * x, y * y, x * y])
    trust = np.ones(len(part))
    surface: NDArray[np.float64] = np.zeros(6)
    for _ in range(4):
        surface = np.asarray(np.linalg.lstsq(design * trust[:, None], part * trust, rcond=None)[0])
        trust = 1.0 / np.sqrt(1.0 + ((part - design @ surface) / GLOSS) ** 2)
    return np.asarray(surface[1:], dtype=np.float64)
