"""The last seconds of the lane in pictures at half size, to look back at when pins have come to rest."""

from collections import deque
from collections.abc import Sequence
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Plane
from referee.vision.pins.halved import Halved
from referee.vision.pins.zone import Zone

KEPT_S: Final = 5.0
"""How far back is remembered: from the stick's coming until pins are at rest."""

STEP_S: Final = 0.012
"""Time between two pictures that are remembered: pins rock slowly, and memory is dear."""


class Still:
    """The lane at one moment; most of them are never looked at again."""

    def __init__(self, t_s: float, rough: Plane) -> None:
        """``rough``: (h, w) uint8 luma, each pixel two of the full picture wide."""
        self.t_s = t_s
        self._rough = rough

    @cached_property
    def luma(self) -> Plane:
        """The same with its noise smoothed."""
        return np.asarray(cv2.GaussianBlur(self._rough, (3, 3), 0), dtype=np.uint8)


class Reel:
    """``left_px``, ``top_px``: where in the full picture the remembered part begins."""

    def __init__(self, zone: Zone) -> None:
        self.left_px, self.top_px = zone.left, zone.top
        self._rows, self._columns = slice(zone.top // 2, zone.bottom // 2), slice(zone.left // 2, zone.right // 2)
        self._stills: deque[Still] = deque()

    def add(self, t_s: float, halved: Halved) -> None:
        """Take in a picture, unless the last was a moment ago."""
        if self._stills and t_s - self._stills[-1].t_s < STEP_S:
            return
        self._stills.append(Still(t_s, halved.part(self._rows, self._columns)))
        while self._stills[0].t_s < t_s - KEPT_S:
            self._stills.popleft()

    @property
    def newest(self) -> Still:
        """The picture taken in last."""
        return self._stills[-1]

    def between(self, from_s: float, to_s: float) -> Sequence[Still]:
        """What is remembered of a time, both ends included, in order."""
        return [still for still in self._stills if from_s <= still.t_s <= to_s]

    def inside(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels of the full picture, (n, 2), to pixels of what is remembered."""
        return (points_px - (self.left_px, self.top_px) - 0.5) / 2
