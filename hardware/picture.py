"""Pictures for people: blue-green-red from the planes. Not for the hot path."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame

# Kr and Kb of ITU-R BT.601 and BT.709; everything else follows from them.
LUMA_WEIGHTS: Final = {False: (0.299, 0.114), True: (0.2126, 0.0722)}


def frame_to_bgr(frame: Frame) -> NDArray[np.uint8]:
    """The picture as OpenCV and image files want it: (height, width, 3) uint8, blue first."""
    size = (frame.width_px, frame.height_px)
    doubled = (frame.u.shape[1] * 2, frame.u.shape[0] * 2)
    u, v = (cv2.resize(p, doubled, interpolation=cv2.INTER_LINEAR)[: size[1], : size[0]] for p in (frame.u, frame.v))
    planes = cv2.merge([np.ascontiguousarray(frame.y), np.ascontiguousarray(u), np.ascontiguousarray(v)])
    return np.asarray(cv2.transform(planes, _to_bgr(frame)), dtype=np.uint8)


def _to_bgr(frame: Frame) -> NDArray[np.float64]:
    """(3, 4): rows blue, green, red; columns factors of y, u, v and a constant."""
    red, blue = LUMA_WEIGHTS[frame.hd_colours]
    green = 1 - red - blue
    luma, chroma, black = (1.0, 1.0, 0.0) if frame.full_range else (255 / 219, 255 / 224, 16.0)
    from_u, from_v = 2 * (1 - blue) * chroma, 2 * (1 - red) * chroma
    factors = np.array(
        [[luma, from_u, 0.0], [luma, -from_u * blue / green, -from_v * red / green], [luma, 0.0, from_v]]
    )
    return np.column_stack([factors, -factors @ [black, 128.0, 128.0]])
