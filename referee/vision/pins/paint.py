"""The colours of the pins in a picture, learned from those that stand out."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.picture import Image

Mask = NDArray[np.bool_]

STEPS: Final = (8.0, 3.0, 3.0)
"""Levels of luma and chroma that are taken together."""

BINS: Final = (32, 40, 40)

COMMON: Final = 0.003
"""Share of the pins' pixels that makes a colour, with its neighbours, one of theirs for sure."""

STRANGE: Final = 0.4
"""Evidence that remains of what is neither lane nor paint of a pin: a print, a tile, or a gloss not seen before."""

NEARBY: Final = 9
LITTLE_TRUST: Final = 0.2
"""Pixels that are nearby: more than a border line is wide; and trust below which those tell nothing either."""

PAINT_WORTH: Final = 0.5
"""Evidence that paint is by itself."""


def paint_of(pixels: Image) -> Image:
    """How common each colour is, ``BINS``: shares of some pixels, (n, 3) as ``Window.planes``, with the colours next to
    it."""
    counts = np.bincount(_bins(pixels), minlength=int(np.prod(BINS))).reshape(BINS).astype(np.float32)
    for axis in range(3):
        counts = counts + np.roll(counts, 1, axis) + np.roll(counts, -1, axis)
    return np.asarray(counts / max(len(pixels), 1), dtype=np.float32)


def looked_at(evidence: Image, planes: Image, pin: Image, lane: Image, is_lid: Mask, beyond: Image) -> Image:
    """Evidence, (h, w), made better by what paint pins and lane have, as ``paint_of`` tells it.

    What looks like one of them alone tells more than how far it is from bare lane; what looks like both tells nothing,
    and is taken for what is around it. Off the lid, (h, w), where there may be anything, what looks like a pin tells
    nothing either way, but where ``beyond`` says, (h, w), 0 to 1, that a pin may stand before something else.
    """
    known = np.minimum(np.maximum(pin, lane) / COMMON, 1.0)
    for_pin = (pin - lane) / np.maximum(pin + lane, 1e-6) * known
    alike = np.minimum(np.minimum(pin, lane) / COMMON, 1.0) * (1 - np.abs(for_pin))
    cells = _bins(planes.reshape(-1, 3))
    like_pin = np.minimum(pin / COMMON, 1.0)
    known, for_pin, alike, like_pin = (
        table.ravel().take(cells).reshape(evidence.shape) for table in (known, for_pin, alike, like_pin)
    )
    trust = np.where(evidence > 0, STRANGE + (1 - STRANGE) * known, 1.0)
    better = np.asarray(np.clip(trust * evidence + PAINT_WORTH * for_pin, -1, 1), dtype=np.float32)
    better = filled(better, np.asarray(1 - alike, dtype=np.float32))
    off_lid = np.minimum(evidence, 0) * (1 - like_pin) + PAINT_WORTH * like_pin * beyond
    return np.where(is_lid, better, np.maximum(better, off_lid)).astype(np.float32)


def filled(evidence: Image, trust: Image) -> Image:
    """Evidence, (h, w), where it isn't trusted (0 to 1) taken from nearby, where it is."""
    size = (NEARBY, NEARBY)
    around = cv2.blur(evidence * trust, size) / (cv2.blur(trust, size) + LITTLE_TRUST)
    return np.asarray(trust * evidence + (1 - trust) * around, dtype=np.float32)


def _bins(pixels: Image) -> NDArray[np.int32]:
    """Which bin each of some pixels, (n, 3), is in: (n,)."""
    found = np.zeros(len(pixels), dtype=np.int32)
    for channel, step, count, middle in zip(pixels.T, STEPS, BINS, (0, BINS[1] // 2, BINS[2] // 2), strict=True):
        place = channel / np.float32(step)
        place += np.float32(middle)
        np.clip(place, 0, count - 1, out=place)
        found *= count
        found += place.astype(np.int32)
    return found
