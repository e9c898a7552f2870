"""What may have hidden a ball a moment ago: the changed parts of the last pictures, coarsely."""

import math
from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

CELL = 4
"""Chroma pixels to a cell's side: a cell is smaller than a ball."""

CELL_PX = 2.0 * CELL
"""The same in pixels of the full picture."""

KEPT_S = 5.0
"""How far back is remembered: a throw is read when it has ended, a few seconds after it left the hand."""


HAND_DISCS = 6.0
"""Area, in discs of a ball, from which a changed region that reaches a ball is a hand: a ball in flight with its blur
and its shadow makes half as much, fingers alone twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A round place in the full picture."""

    x_px: float
    y_px: float
    radius_px: float


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
        mask = self._nearest(t_s)
        if mask is None:
            return False
        row, column = int(y_px // CELL_PX), int(x_px // CELL_PX)
        if not (0 <= row < mask.shape[0] and 0 <= column < mask.shape[1]):
            return True
        return bool(mask[row, column])

    def _nearest(self, t_s: float) -> NDArray[np.uint8] | None:
        """The mask of the picture nearest to a time, if that is remembered."""
        if not self._kept or not self._kept[0][0] <= t_s <= self._kept[-1][0]:
            return None
        # Asked about are the newest pictures, most often.
        later = self._kept[-1]
        for earlier in reversed(self._kept):
            if earlier[0] <= t_s:
                return min(earlier, later, key=lambda kept: abs(kept[0] - t_s))[1]
            later = earlier
        return later[1]

    def is_hand(self, t_s: float, x_px: float, y_px: float, ball_px: float) -> bool:
        """Whether what had changed around a ball, of that radius in the picture, was of a hand's size at a time."""
        mask = self._nearest(t_s)
        return mask is not None and _reaches(mask, Spot(x_px=x_px, y_px=y_px, radius_px=ball_px), _least_cells(ball_px))

    def hand_was_at(self, from_s: float, to_s: float, place: Spot, ball_px: float) -> bool:
        """Whether, between two times, something of a hand's size reached a place; ``ball_px``: a ball's radius there.

        Where nothing of that time is remembered any more there may have been a hand.
        """
        kept = [mask for t_s, mask in self._kept if from_s <= t_s <= to_s]
        return not kept or any(_reaches(mask, place, _least_cells(ball_px)) for mask in kept)


def _least_cells(ball_px: float) -> float:
    """Area of a hand, in cells, where a ball has that radius."""
    return HAND_DISCS * math.pi * (ball_px / CELL_PX) ** 2


def _reaches(mask: NDArray[np.uint8], place: Spot, least_cells: float) -> bool:
    """Whether a connected region of at least so many cells comes to a place."""
    column, row = round(place.x_px / CELL_PX), round(place.y_px / CELL_PX)
    reach = max(1, round(place.radius_px / CELL_PX))
    rows, columns = (slice(max(0, middle - reach), max(0, middle + reach + 1)) for middle in (row, column))
    # Few of the pictures that are asked have anything there.
    if not mask[rows, columns].any() or cv2.countNonZero(mask) < least_cells:
        return False
    around = np.zeros_like(mask)
    cv2.circle(around, (column, row), reach, 1, -1)
    _, parts, stats, _ = cv2.connectedComponentsWithStats(mask, ltype=cv2.CV_16U)
    there = np.unique(parts[(around > 0) & (mask > 0)])
    return bool((stats[there, cv2.CC_STAT_AREA] >= least_cells).any())
