"""The colours of the pins in a picture, learned from those that stand out."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.picture import Image

STEPS: Final = (12.0, 6.0, 6.0)
"""Levels of luma and chroma that are taken together."""

BINS: Final = (24, 48, 48)

COMMON: Final = 0.004
"""Share of the pins' pixels that makes a colour, with its neighbours, one of theirs for sure."""

STRANGE: Final = 0.4
"""Evidence that remains of what is neither lane nor paint of a pin: a print, a tile, or a gloss not seen before."""


def paint_of(pixels: Image) -> Image:
    """How much each colour is one of the pins', ``BINS``: 0 to 1; ``pixels``: (n, 3) of pins, as ``Window.planes``."""
    counts = np.bincount(_bins(pixels), minlength=int(np.prod(BINS))).reshape(BINS).astype(np.float32)
    for axis in range(3):
        counts = counts + np.roll(counts, 1, axis) + np.roll(counts, -1, axis)
    return np.asarray(np.minimum(counts / max(COMMON * len(pixels), 1e-6), 1.0), dtype=np.float32)


def looked_at(evidence: Image, planes: Image, paint: Image) -> Image:
    """Evidence, (h, w), made better by the pins' paint: what looks like lane and pin alike tells nothing."""
    likeness = paint.ravel()[_bins(planes.reshape(-1, 3))].reshape(evidence.shape)
    for_pin = np.where(evidence > 0, evidence * (STRANGE + (1 - STRANGE) * likeness), evidence * (1 - likeness))
    return np.asarray(for_pin, dtype=np.float32)


def _bins(pixels: Image) -> NDArray[np.int64]:
    steps = np.floor(pixels / STEPS).astype(np.int64) + np.array([0, BINS[1] // 2, BINS[2] // 2])
    y, u, v = np.clip(steps, 0, np.array(BINS) - 1).T
    return np.asarray((y * BINS[1] + u) * BINS[2] + v, dtype=np.int64)
