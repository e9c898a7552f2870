"""What may have hidden a ball a moment ago: the changed parts of the last pictures, coarsely."""

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

CELL = 4
"""Chroma pixels to a cell's side: a cell is smaller than a ball."""

KEPT_S = 5.0
"""How far back is remembered: a throw is read when it has ended, a few seconds after it left the hand."""


HAND_RADII = 2.0
"""Half the width, in ball radii, of the square about a place in which a hand is looked for."""

HAND_SHARE = 0.6
"""Share of that square that a hand at the place changes: a ball and its shadow change less than half of it."""


class Veil:
    """Remembers where the picture differed from the still scene: hands, arms, and whatever they carry."""

    def __init__(self) -> None:
        self._kept: deque[tuple[float, NDArray[np.uint8]]] = deque()

    def add(self, t_s: float, changed: NDArray[np.bool_]) -> None:
        """Take in the changes of a frame, at the size of the chroma planes."""
        height, width = changed.shape
        size = ((width + CELL - 1) // CELL, (height + CELL - 1) // CELL)
        self._kept.append((t_s, np.asarray(cv2.resize(changed.view(np.uint8), size, interpolation=cv2.INTER_NEAREST))))
        while self._kept[0][0] < t_s - KEPT_S:
            self._kept.popleft()

    def could_hide(self, t_s: float, x_px: float, y_px: float) -> bool:
        """Whether a ball at these pixels of the full picture could have gone unseen: outside it, or where it changed.

        A time that is no longer remembered tells nothing, and hides nothing.
        """
        if not self._kept or not self._kept[0][0] <= t_s <= self._kept[-1][0]:
            return False
        _, mask = min(self._kept, key=lambda kept: abs(kept[0] - t_s))
        row, column = int(y_px // (2 * CELL)), int(x_px // (2 * CELL))
        if not (0 <= row < mask.shape[0] and 0 <= column < mask.shape[1]):
            return True
        return bool(mask[row, column])

    def hand_was_at(self, from_s: float, to_s: float, x_px: float, y_px: float, radius_px: float) -> bool:
        """Whether, between two times, more than a ball of that radius changed at these pixels of the full picture.

        Where nothing of that time is remembered any more there may have been a hand.
        """
        reach = HAND_RADII * radius_px
        low, high = ((np.array([y_px, x_px]) + sign * reach) // (2 * CELL) for sign in (-1, 1))
        (top, left), (bottom, right) = np.maximum(low, 0).astype(int), high.astype(int) + 1
        patches = [mask[top:bottom, left:right] for t_s, mask in self._kept if from_s <= t_s <= to_s]
        return not patches or any(patch.size and float(patch.mean()) >= HAND_SHARE for patch in patches)
