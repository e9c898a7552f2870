"""The last seconds of the lane in pictures at half size, to look back at when pins have come to rest."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Plane
from referee.vision.pins.zone import Zone

KEPT_S: Final = 5.0
"""How far back is remembered: from the stick's coming until pins are at rest."""

STEP_S: Final = 0.012
"""Time between two pictures that are remembered: pins rock slowly, and memory is dear."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Still:
    """The lane at one moment: (h, w) uint8 luma, each pixel two of the full picture wide, its noise smoothed."""

    t_s: float
    luma: Plane


class Reel:
    """``left_px``, ``top_px``: where in the full picture the remembered part begins."""

    def __init__(self, zone: Zone) -> None:
        self.left_px, self.top_px = zone.left, zone.top
        self._rows, self._columns = slice(zone.top // 2, zone.bottom // 2), slice(zone.left // 2, zone.right // 2)
        self._stills: deque[Still] = deque()

    def add(self, t_s: float, luma_half: Plane) -> None:
        """Take in a picture's luma at half its size, unless the last was a moment ago."""
        if self._stills and t_s - self._stills[-1].t_s < STEP_S:
            return
        luma = cv2.GaussianBlur(luma_half[self._rows, self._columns], (3, 3), 0)
        self._stills.append(Still(t_s=t_s, luma=np.asarray(luma, dtype=np.uint8)))
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
