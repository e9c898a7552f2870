"""One picture of a camera: YUV 4:2:0 planes and the time the sensor took it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """A picture as planes; nobody writes into them.

    ``y``: (height, width) uint8, ``u`` and ``v``: (ceil(height / 2), ceil(width / 2)) uint8, as decoded (limited or
    full range). ``t_s``: seconds since the first picture of the source, by the source's own clock.
    """

    index: int
    t_s: float
    y: Plane
    u: Plane
    v: Plane

    @property
    def width_px(self) -> int:
        return int(self.y.shape[1])

    @property
    def height_px(self) -> int:
        return int(self.y.shape[0])
