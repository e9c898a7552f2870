"""What the scene looks like when nothing moves, and what differs from it now."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame, Plane

SAMPLE_S = 0.1
"""Time between two looks at what stays the same."""

ABSORB_S = 0.8
"""How long a changed pixel must stay the same before it becomes background: longer than a ball pauses in a bounce or
on a rim, shorter than the time between two shots."""

STILL_LEVELS = 6
"""Difference between two looks up to which a pixel counts as the same: noise and compression, not motion."""

CHROMA_STEP = 9.0
LUMA_STEP = 14.0
"""Differences from the background that count as a change in full light: sums over both chroma planes, and luma."""

NOISE_SIGMAS = 4.5
"""Differences that noise makes in one pixel of a hundred thousand: fewer than two in a picture."""

QUIET_SHARE = 0.8
"""Share of the picture taken to be still when its noise is measured: hands cover less than the rest."""


class Background:
    """Remembers the still scene at the size of the chroma planes and takes in what has stayed the same for a while."""

    def __init__(self, light: float = 1.0) -> None:
        """``light``: share of full light: in the dark differences shrink."""
        self._light = light
        self._noise = (0.0, 0.0)
        self._still: tuple[Plane, Plane, Plane] | None = None
        self._last: tuple[Plane, Plane, Plane] | None = None
        self._last_s = 0.0
        self._steady: NDArray[np.uint8] | None = None

    def changed(self, frame: Frame, luma_half: Plane) -> NDArray[np.bool_]:
        """Where the picture differs from the still scene: (h, w) bool at the size of the chroma planes."""
        now = (luma_half, frame.u, frame.v)
        if self._still is None or self._steady is None:
            self._still = (luma_half.copy(), frame.u.copy(), frame.v.copy())
            self._last, self._last_s = now, frame.t_s
            self._steady = np.zeros(frame.u.shape, dtype=np.uint8)
            return np.zeros(frame.u.shape, dtype=np.bool_)
        if frame.t_s - self._last_s >= SAMPLE_S:
            self._learn(now, frame.t_s)
        luma = cv2.absdiff(now[0], self._still[0])
        chroma = cv2.add(cv2.absdiff(now[1], self._still[1]), cv2.absdiff(now[2], self._still[2]))
        # Levels are whole numbers: so are the steps, which spares conversions.
        luma_step = math.floor(max(self._light * LUMA_STEP, NOISE_SIGMAS * self._noise[0]))
        chroma_step = math.floor(max(self._light * CHROMA_STEP, NOISE_SIGMAS * self._noise[1]))
        return np.asarray((chroma > chroma_step) | (luma > luma_step), dtype=np.bool_)

    def _learn(self, now: tuple[Plane, Plane, Plane], t_s: float) -> None:
        assert self._still is not None and self._last is not None and self._steady is not None
        luma = cv2.absdiff(now[0], self._last[0])
        chroma = cv2.add(cv2.absdiff(now[1], self._last[1]), cv2.absdiff(now[2], self._last[2]))
        self._noise = (_spread(np.asarray(luma, dtype=np.uint8)), _spread(np.asarray(chroma, dtype=np.uint8)))
        level = max(STILL_LEVELS, NOISE_SIGMAS * max(self._noise))
        _, same = cv2.threshold(cv2.max(luma, chroma), math.floor(level), 255, cv2.THRESH_BINARY_INV)
        # Counts end at 255, where this addition saturates.
        self._steady = np.asarray(
            cv2.bitwise_and(cv2.add(self._steady, np.ones_like(self._steady)), same), dtype=np.uint8
        )
        _, take = cv2.threshold(self._steady, round(ABSORB_S / SAMPLE_S) - 1, 255, cv2.THRESH_BINARY)
        for still, plane in zip(self._still, now, strict=True):
            cv2.copyTo(plane, take, still)
        self._last, self._last_s = now, t_s


def _spread(difference: NDArray[np.uint8]) -> float:
    """Standard deviation of the noise in a difference of two pictures, from its quieter part.

    The mean of the lowest four fifths of the sizes of a Gaussian is 0.47 of its deviation.
    """
    sizes = difference[::4, ::4]
    # How many of each size, and how many of these belong to the quieter part.
    counts = np.bincount(sizes.ravel(), minlength=256)
    quiet = max(1, round(QUIET_SHARE * sizes.size))
    taken = np.diff(np.minimum(np.cumsum(counts), quiet), prepend=0)
    return float(taken @ np.arange(256)) / quiet / 0.47
