"""What may have hidden a ball a moment ago: the changed parts of the last pictures, coarsely."""

import math
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass
from functools import cache
from operator import itemgetter

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


ALONE = 2
"""How far around a ball, in its radii, it is looked whether it is all that is there."""


EIGHT_NEIGHBOURS = 8
"""Cells that touch at a corner are joined, too."""


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
        """Take in the changes of a frame, at the size of the chroma planes; frames may come in any order."""
        height, width = changed.shape
        size = ((width + CELL - 1) // CELL, (height + CELL - 1) // CELL)
        coarse = cv2.resize(changed.view(np.uint8), size, interpolation=cv2.INTER_NEAREST)
        self._kept.insert(bisect_left(self._kept, t_s, key=itemgetter(0)), (t_s, np.asarray(coarse, dtype=np.uint8)))
        while self._kept[0][0] < t_s - KEPT_S:
            self._kept.popleft()

    def could_hide(self, t_s: float, x_px: float, y_px: float) -> bool:
        """Whether a ball at these pixels of the full picture could have gone unseen: outside it, or where it changed.

        A time that is no longer remembered tells nothing, and hides nothing.
        """
        kept = self._nearest(t_s)
        if kept is None:
            return False
        mask = kept[1]
        row, column = int(y_px // CELL_PX), int(x_px // CELL_PX)
        if not (0 <= row < mask.shape[0] and 0 <= column < mask.shape[1]):
            return True
        return bool(mask[row, column])

    def _nearest(self, t_s: float) -> tuple[float, NDArray[np.uint8]] | None:
        """The picture nearest to a time, if that is remembered."""
        if not self._kept or not self._kept[0][0] <= t_s <= self._kept[-1][0]:
            return None
        later = bisect_left(self._kept, t_s, key=itemgetter(0))
        return min(self._kept[max(0, later - 1)], self._kept[later], key=lambda kept: abs(kept[0] - t_s))

    def is_hand(self, t_s: float, x_px: float, y_px: float, ball_px: float) -> bool:
        """Whether what had changed around a ball, of that radius in the picture, was of a hand's size at a time."""
        kept = self._nearest(t_s)
        return kept is not None and _reaches(kept[1], Spot(x_px=x_px, y_px=y_px, radius_px=ball_px), ball_px)

    def hand_was_at(self, from_s: float, to_s: float, place: Spot, ball_px: float) -> bool:
        """Whether, between two times, something of a hand's size reached a place; ``ball_px``: a ball's radius there.

        Where nothing of that time is remembered any more there may have been a hand.
        """
        kept = [then for then in self._kept if from_s <= then[0] <= to_s]
        return not kept or any(_reaches(mask, place, ball_px) for _, mask in kept)


def _reaches(mask: NDArray[np.uint8], place: Spot, ball_px: float) -> bool:
    """Whether a connected region of a hand's size comes to a place."""
    column, row = round(place.x_px / CELL_PX), round(place.y_px / CELL_PX)
    reach = max(1, round(place.radius_px / CELL_PX))
    rows, columns = (slice(max(0, middle - reach), max(0, middle + reach + 1)) for middle in (row, column))
    there = mask[rows, columns]
    # In few of the pictures that are asked there is anything, or more than a ball.
    if not there.any():
        return False
    least_cells = HAND_DISCS * math.pi * (ball_px / CELL_PX) ** 2
    if not _may_reach(mask, row, column, reach, least_cells):
        return False
    # The part of the disc that is in the picture.
    disc = _disc(reach)[max(0, reach - row) :, max(0, reach - column) :][: there.shape[0], : there.shape[1]]
    return _are_joined(mask, (rows.start, columns.start), disc, least_cells)


def _are_joined(mask: NDArray[np.uint8], corner: tuple[int, int], disc: NDArray[np.uint8], least_cells: float) -> bool:
    """Whether a connected region of so many cells comes to a disc, whose first row and column in the mask are given."""
    left = mask.copy()
    top, first = corner
    there = left[top : top + disc.shape[0], first : first + disc.shape[1]]
    while True:
        shown = there & disc
        row, column = divmod(int(shown.argmax()), shown.shape[1])
        if not shown[row, column]:
            return False
        area, *_ = cv2.floodFill(left, None, (first + column, top + row), 0, flags=EIGHT_NEIGHBOURS)
        if area >= least_cells:
            return True


def _may_reach(mask: NDArray[np.uint8], row: int, column: int, reach: int, least_cells: float) -> bool:
    """Whether what comes near a place may be of a size: it goes on farther around, or there is enough near by."""
    counts = []
    for far in (ALONE * reach, ALONE * reach + 1):
        rows, columns = (slice(max(0, middle - far), max(0, middle + far + 1)) for middle in (row, column))
        counts.append(cv2.countNonZero(mask[rows, columns]))
    return counts[0] >= least_cells or (counts[1] > counts[0] and cv2.countNonZero(mask) >= least_cells)


@cache
def _disc(reach: int) -> NDArray[np.uint8]:
    """A disc of that radius, 1 within it."""
    square = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    return np.asarray(cv2.circle(square, (reach, reach), reach, 1, -1), dtype=np.uint8)
