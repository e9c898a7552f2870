"""One picture of a camera: YUV 4:2:0 planes and the time the sensor took it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """A picture as planes; nobody writes into them.

    ``y``: (height, width) uint8, ``u`` and ``v``: (ceil(height / 2), ceil(width / 2)) uint8, as decoded: luma 16 to
    235 and chroma 16 to 240, or 0 to 255 where ``full_range``. Lines may be padded in memory. ``t_s``: seconds since
    the first picture of the source, by the source's own clock. ``hd_colours``: the planes follow BT.709, else BT.601.
    """

    index: int
    t_s: float
    y: Plane
    u: Plane
    v: Plane
    full_range: bool = False
    hd_colours: bool = False

    @property
    def width_px(self) -> int:
        return int(self.y.shape[1])

    @property
    def height_px(self) -> int:
        return int(self.y.shape[0])
