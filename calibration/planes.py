"""The planes of a still picture, as calibration looks at them."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Percentiles of a plane that are stretched over a range of levels, by no more than a gain.
MOST_OF: Final = (1.0, 99.0)
RANGE: Final = 200.0
MOST_GAIN: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Planes:
    """Luma (height, width) and both chroma planes of half that size, float32."""

    luma: NDArray[np.float32]
    u: NDArray[np.float32]
    v: NDArray[np.float32]

    def eased(self, blur_px: float) -> "Planes":
        """The same with less noise and more contrast, for finding out what is there; and less sharp."""
        return Planes(luma=_eased(self.luma, blur_px), u=_eased(self.u, blur_px), v=_eased(self.v, blur_px))


def _eased(plane: NDArray[np.float32], blur_px: float) -> NDArray[np.float32]:
    soft = cv2.GaussianBlur(plane, (0, 0), blur_px)
    dark, bright = np.percentile(soft[::4, ::4], MOST_OF)
    gain = float(np.clip(RANGE / max(bright - dark, 1.0), 1.0, MOST_GAIN))
    return np.asarray((soft - dark) * gain, dtype=np.float32)


def levels_at(plane: NDArray[np.uint8] | NDArray[np.float32], points_px: Array, scale: float) -> Array:
    """What a plane, ``scale`` times as large as the picture, shows at pixels of the picture, (n, 2), between its own:
    (n,); beyond its edge what is there."""
    x, y = ((points_px + 0.5) * scale - 0.5).astype(np.float32).T
    seen = cv2.remap(plane, x[:, None], y[:, None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen[:, 0], dtype=np.float64)
