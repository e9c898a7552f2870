"""What the scene looks like when nothing moves, and what differs from it now."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame, Plane
from referee.vision.colours import Planes

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
        self._still: Planes | None = None

    @property
    def still(self) -> Planes:
        """The still scene, once a frame was taken in."""
        assert self._still is not None, "no frame was taken in"
        return self._still

    def changed(self, frame: Frame, luma_half: Plane) -> NDArray[np.bool_]:
        """Where the picture differs from the still scene: (h, w) bool at the size of the chroma planes."""
        now = (luma_half, frame.u, frame.v)
        if self._still is None:
            self._begin(now, frame.t_s)
            return np.zeros(frame.u.shape, dtype=np.bool_)
        if frame.t_s - self._last_s >= SAMPLE_S:
            self._learn(now, self._still, frame.t_s)
        luma, chroma = self._differ(now, self._still)
        luma_step, chroma_step = self.steps
        cv2.threshold(luma, luma_step, 0, cv2.THRESH_TOZERO, luma)
        cv2.threshold(chroma, chroma_step, 0, cv2.THRESH_TOZERO, chroma)
        return np.asarray(np.logical_or(luma, chroma))

    @property
    def steps(self) -> tuple[int, int]:
        """Differences of luma and of chroma, summed over both planes, that are no change yet: the largest."""
        luma, chroma = self._noise
        # Levels are whole numbers, so are these.
        return (
            math.floor(max(self._light * LUMA_STEP, NOISE_SIGMAS * luma)),
            math.floor(max(self._light * CHROMA_STEP, NOISE_SIGMAS * chroma)),
        )

    def _begin(self, now: Planes, t_s: float) -> None:
        luma, u, v = now
        self._still = (luma.copy(), u.copy(), v.copy())
        self._last, self._last_s = now, t_s
        # Memory that is written anew for each frame: taking fresh memory costs more than the arithmetic.
        self._luma, self._chroma, self._steady = (np.zeros(u.shape, dtype=np.uint8) for _ in range(3))
        self._ones = np.ones(u.shape, dtype=np.uint8)

    def _differ(self, now: Planes, then: Planes) -> tuple[Plane, Plane]:
        """Sizes of the differences of luma and, summed, of both chroma planes; they hold until the next call."""
        luma, chroma = self._luma, self._chroma
        cv2.absdiff(now[1], then[1], chroma)
        cv2.absdiff(now[2], then[2], luma)
        cv2.add(chroma, luma, chroma)
        cv2.absdiff(now[0], then[0], luma)
        return luma, chroma

    def _learn(self, now: Planes, still: Planes, t_s: float) -> None:
        luma, chroma = self._differ(now, self._last)
        self._noise = (spread_of(luma[::4, ::4]), spread_of(chroma[::4, ::4]))
        level = math.floor(max(STILL_LEVELS, NOISE_SIGMAS * max(self._noise)))
        same, steady = cv2.max(luma, chroma, luma), self._steady
        cv2.threshold(same, level, 255, cv2.THRESH_BINARY_INV, same)
        # Counts end at 255, where this addition saturates.
        cv2.add(steady, self._ones, steady)
        cv2.bitwise_and(steady, same, steady)
        _, take = cv2.threshold(steady, round(ABSORB_S / SAMPLE_S) - 1, 255, cv2.THRESH_BINARY, chroma)
        for plane, kept in zip(now, still, strict=True):
            cv2.copyTo(plane, take, kept)
        self._last, self._last_s = now, t_s


def are_changes(luma: Plane, u: Plane, v: Plane, luma_step: Plane | int, chroma_step: Plane | int) -> NDArray[np.bool_]:
    """Which differences of luma, and of both planes of chroma together, all of one shape, are more than their steps."""
    return np.asarray((luma > luma_step) | (np.add(u, v, dtype=np.uint16) > chroma_step), dtype=np.bool_)


def spread_of(difference: Plane) -> float:
    """Standard deviation of the noise in a difference of two pictures, or in some of its pixels, from its quieter part.

    The mean of the lowest four fifths of the sizes of a Gaussian is 0.47 of its deviation.
    """
    sizes = np.ascontiguousarray(difference)
    quiet = max(1, round(QUIET_SHARE * sizes.size))
    # A sum of sizes is how many are above 0, and how many above 1, and so on: few levels in most pictures.
    total = 0
    for level in range(256):
        above = int(np.count_nonzero(sizes > level)) - (sizes.size - quiet)
        if above <= 0:
            break
        total += above
    return total / quiet / 0.47
