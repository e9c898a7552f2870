"""Parting what touches by hue: a ball from the hand that holds it, whatever its colour."""

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Plane
from referee.vision.colours import BLACK

BINS: Final = 36
"""Hues that are told apart: ten degrees each."""

WIDE: Final = 2
"""Bins to either side that belong to a hue: light and shade move it by so much."""

COLOURED: Final = 0.13
"""Chroma against luma from which a pixel has a hue."""

VIVID: Final = 0.6
"""Chroma against luma, by that of a hue's most vivid pixels, of what is painted: skin has a ball's hue, but paler."""

DARK: Final = 12.0
"""Luma above black below which chroma is noise."""

LEAST_SHARE: Final = 0.06
"""Share of the coloured pixels that have changed which a hue must have to be looked at."""


def regions_of_one_hue(luma: Plane, u: Plane, v: Plane, changed: NDArray[np.bool_]) -> Iterator[NDArray[np.uint8]]:
    """Masks, (h, w) uint8, of the pixels of each hue that is frequent among those that have changed: first of all of
    them, then of the vivid ones alone. All arguments are of one shape."""
    du, dv = u.astype(np.float32) - 128, v.astype(np.float32) - 128
    saturation = np.hypot(du, dv) / np.maximum(luma.astype(np.float32) - BLACK, DARK)
    bins = ((np.arctan2(dv, du) / (2 * np.pi) % 1.0) * BINS).astype(np.intp) % BINS
    hued = saturation >= COLOURED
    counts = np.bincount(bins[hued & changed], minlength=BINS).astype(np.float64)
    if counts.sum() == 0:
        return
    wide = sum(np.roll(counts, shift) for shift in range(-WIDE, WIDE + 1))
    for hue in _peaks(np.asarray(wide), LEAST_SHARE * float(counts.sum())):
        away = np.abs((bins - hue + BINS // 2) % BINS - BINS // 2)
        region = hued & (away <= WIDE)
        yield _closed(region)
        vivid = VIVID * float(np.percentile(saturation[region], 90))
        yield _closed(region & (saturation >= vivid))


def _peaks(counts: NDArray[np.float64], least: float) -> list[int]:
    """Hues with more pixels than those beside them."""
    return [
        hue
        for hue in np.argsort(-counts, kind="stable").tolist()
        if counts[hue] >= least and counts[hue] >= max(counts[(hue - 1) % BINS], counts[(hue + 1) % BINS])
    ]


def _closed(region: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """A region with its gaps of a pixel closed: gloss, stripes, noise."""
    return np.asarray(cv2.morphologyEx(region.view(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
