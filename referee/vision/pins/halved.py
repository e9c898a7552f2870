"""A frame's luma at half its size: of most frames only a part is looked at, as all of it costs more than that look."""

import cv2
import numpy as np

from hardware.frame import Frame, Plane
from referee.vision.colours import half_luma


class Halved:
    """Works out what it is asked for, all of it only once."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._whole: Plane | None = None

    def whole(self) -> Plane:
        """All of it, (ceil(h / 2), ceil(w / 2)) uint8."""
        if self._whole is None:
            self._whole = half_luma(self._frame)
        return self._whole

    def part(self, rows: slice, columns: slice) -> Plane:
        """Some rows and columns of it, in memory of their own."""
        luma = self._frame.y
        is_odd = any(length % 2 for length in luma.shape)
        if self._whole is not None or is_odd:
            return self.whole()[rows, columns].copy()
        full = luma[2 * rows.start : 2 * rows.stop, 2 * columns.start : 2 * columns.stop]
        size = (columns.stop - columns.start, rows.stop - rows.start)
        return np.asarray(cv2.resize(full, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
