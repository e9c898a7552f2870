"""Pictures made for tests, as the cameras would give them."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame


def frame_of_bgr(image: NDArray[Any], index: int = 0, t_s: float = 0.0) -> Frame:
    """A frame out of a picture (height, width, 3), blue first, of even height and width; values beyond 0 to 255 are
    cut off."""
    height, width = image.shape[:2]
    planes = np.asarray(cv2.cvtColor(np.clip(image, 0, 255).astype(np.uint8), cv2.COLOR_BGR2YUV_I420), dtype=np.uint8)
    u, v = planes[height:].reshape(2, height // 2, width // 2)
    return Frame(index=index, t_s=t_s, y=planes[:height], u=u, v=v)
