"""A loose ball that in the picture overlaps a ball of its colour in a hole behind it: together they are one patch."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

LEAST_REST = 0.3
"""Share of a ball's disc that it shows at least beside the seated one."""

FILLED = 0.85
"""Share of its disc that has the colour, the part over the seated ball included."""

CUT = 0.9
"""Share of its pixels that a ball that overlaps shows at most beside the seated one; another is seen as it is."""

NEARLY = 0.05
"""Shares of a disc that say nothing, at the edge of it."""

BEYOND = 2.5
"""How far from the seated ball, in its radii, the other one is looked for."""


def overlapping_disc(
    labels: NDArray[np.uint8], rest: NDArray[np.uint8], label: int, seat: tuple[float, float], radius: float
) -> tuple[float, float, int] | None:
    """Column, row and number of own pixels of the disc of ``radius`` that explains what is beside a seated ball.

    ``labels``: colours of the pixels, (h, w) uint8, ``rest``: without the seated balls', ``label``: the seated ball's
    colour, ``seat``: column and row of its middle. None where nothing of a ball's shape overlaps it and is before it.
    """
    reach = round(BEYOND * radius)
    left, top = (max(0, round(middle) - reach) for middle in seat)
    there = (slice(top, round(seat[1]) + reach + 1), slice(left, round(seat[0]) + reach + 1))
    beside = rest[there] == label
    least = LEAST_REST * np.pi * radius**2
    if np.count_nonzero(beside) < least:
        return None
    disc = _disc(radius)
    filled, explained = (
        cv2.filter2D(plane.astype(np.float32), cv2.CV_32F, disc, borderType=cv2.BORDER_CONSTANT)
        for plane in (labels[there] == label, beside)
    )
    explained[filled < FILLED * disc.sum()] = 0
    # Of discs that explain nearly as much the fullest one.
    filled[explained < explained.max() - NEARLY * disc.sum()] = 0
    row, column = np.unravel_index(int(filled.argmax()), filled.shape)
    is_cut = explained[row, column] < CUT * filled[row, column]
    if explained[row, column] < least or not is_cut or row + top <= seat[1]:
        return None
    return float(column + left), float(row + top), int(filled[row, column])


@lru_cache(maxsize=256)
def _disc(radius: float) -> NDArray[np.float32]:
    """1 within a circle about the middle, 0 elsewhere."""
    size = round(radius)
    off = np.hypot(*np.mgrid[-size : size + 1, -size : size + 1])
    return np.asarray(off <= radius, dtype=np.float32)
