"""Pictures put into the light of the first: lamps flicker, cameras expose anew, the day ends."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame, Plane
from referee.vision.colours import BLACK

STEP = 8
"""Chroma pixels between those that are compared: a few dozen in each row are enough for a mean."""

LEAST_LUMA = 16.0
"""Levels above black from which a pixel tells how much light there is."""

CLIPPED = 235
"""Luma from which a pixel may be brighter than it can show."""

LEAST_CHANGE = 0.03
"""Change of the light that is let be: half of what makes a bright thing look changed."""

ODD = 0.25
"""Change, against its row's, from which a pixel shows something else than before."""

LEAST_SHARE = 0.25
"""Share of a row that must look as before for the row to tell its light; others take their neighbours'."""

RANGE = (0.4, 2.5)
"""Changes of the light that are made up for: beyond them nothing is left to see, or all is glare."""


class Exposure:
    """Remembers how bright a still scene was, row by row, and evens later pictures out to that.

    Row by row, because a rolling shutter reads the rows one after the other: under a lamp that pulses with the mains
    bands of light and dark wander over the picture.
    """

    def __init__(self, luma_half: Plane) -> None:
        """``luma_half``: (h, w) uint8, luma at the size of the chroma planes."""
        self._first = _sampled(luma_half)
        self._tells = (self._first > LEAST_LUMA) & (self._first < CLIPPED - BLACK)
        self._sums = self._first.sum(axis=1)
        self._rows = np.arange(len(luma_half)) / STEP

    def evened(self, frame: Frame, luma_half: Plane, changed: NDArray[np.bool_] | None) -> tuple[Frame, Plane]:
        """A frame's chroma, and its luma at that size, as they would be in the first picture's light.

        ``changed``: (h, w) bool, where the last picture differed from the still scene: hands tell nothing of the light.
        """
        change = self._change(luma_half, changed)
        if change is None:
            return frame, luma_half
        gain = (1.0 / np.interp(self._rows, np.arange(len(change)), change)).astype(np.float32)[:, None]
        planes = ((luma_half, BLACK), (frame.u, 128), (frame.v, 128))
        luma, u, v = (_scaled(plane, gain, zero) for plane, zero in planes)
        return replace(frame, u=u, v=v), luma

    def _change(self, luma_half: Plane, changed: NDArray[np.bool_] | None) -> NDArray[np.float64] | None:
        """The light of each sampled row against the first picture's; None where it is the same, or can't be told."""
        now = _sampled(luma_half)
        if np.all(np.abs(now.sum(axis=1) - self._sums) < LEAST_CHANGE * self._sums):
            return None  # the usual case, at little cost
        still = self._tells if changed is None else self._tells & ~changed[::STEP, ::STEP]
        if still.mean() < LEAST_SHARE * self._tells.mean():
            still = self._tells  # all is different: a lamp was switched, or the camera exposes anew
        rough = _ratio(now, self._first, still)[:, None]
        still = still & (np.abs(now - rough * self._first) < ODD * rough * self._first)
        rows = np.flatnonzero(still.mean(axis=1) >= LEAST_SHARE)
        if not len(rows):
            return None
        change = np.interp(np.arange(len(now)), rows, _ratio(now, self._first, still)[rows])
        return None if np.abs(change - 1.0).max() < LEAST_CHANGE else np.clip(change, *RANGE)


def _sampled(luma_half: Plane) -> NDArray[np.float32]:
    return luma_half[::STEP, ::STEP].astype(np.float32) - BLACK


def _ratio(now: NDArray[np.float32], first: NDArray[np.float32], chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Light of each row, over its chosen pixels, against the first picture's: (rows,), 1 where none is chosen."""
    before, after = (np.where(chosen, values, 0.0).sum(axis=1) for values in (first, now))
    return np.where(before > 0, after / np.maximum(before, 1.0), 1.0)


def _scaled(plane: Plane, gain: NDArray[np.float32], zero: int) -> Plane:
    levels = np.clip((plane.astype(np.float32) - zero) * gain + (zero + 0.5), 0, 255)
    return np.asarray(levels, dtype=np.uint8)
