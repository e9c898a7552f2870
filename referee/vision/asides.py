"""Balls that lie on the board just beside a hole: the picture shows them for the most part where one in it would be."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from referee.vision.seats import Seat

TAKEN_SHARE = 0.58
"""Share of a ball's disc that must have its colour. A ball shows 0.7 to 1 of it (gloss and shade take the rest); the
ring printed in an empty hole, seen through it, at most half."""

ASIDE = 0.5
"""How far from its seat, in radii, a ball that only seems to lie there may be looked for: one that lies on the board
just beside the hole covers two thirds of the disc."""

CLEARLY_LESS = 0.5
"""Where a ball is, at most this part as much of the disc lacks its colour as beside it."""

TURNS = 8
"""Directions in which it is looked for."""


class Asides:
    """Discs a little off those of seats, in all directions. ``places_px``: of the pixels of each seat's disc, (n, 2) in
    the full picture; ``shape``: of the window."""

    def __init__(self, seats: Sequence[Seat], places_px: Sequence[NDArray[np.float64]], shape: tuple[int, int]) -> None:
        self._seats, self._places_px, self._shape = seats, places_px, shape
        self._known: dict[int, tuple[NDArray[np.intp], NDArray[np.bool_]]] = {}

    def show_more(self, k: int, label: int, share: float, colours: NDArray[np.uint8]) -> bool:
        """Whether a disc a little off a seat's shows clearly more of a colour than the ``share`` of the seat's, also
        beyond where a ball in the hole ends, for gloss may make that one look so. ``colours``: labels of the window's
        pixels, (h, w)."""
        if k not in self._known:
            self._known[k] = self._about(self._seats[k], self._places_px[k])
        cells, are_beyond = self._known[k]
        if not len(cells):
            return False
        shown = colours.take(cells) == label
        is_clear = 1.0 - shown.mean(axis=1) < CLEARLY_LESS * (1.0 - share)
        beyond, of = (np.count_nonzero(some, axis=1) for some in (shown & are_beyond, are_beyond))
        return bool((is_clear & (beyond >= TAKEN_SHARE * np.maximum(1, of))).any())

    def _about(self, seat: Seat, places_px: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """The pixels of the discs about a seat's that are in the window, flat indices, (d, n), and which of them are
        beyond where a ball in the hole ends."""
        height, width = self._shape
        rows, columns = np.divmod(seat.disc, width)
        reach = ASIDE * seat.radius_px / 2
        steps = [
            (round(reach * math.cos(turn)), round(reach * math.sin(turn)))
            for turn in (2 * math.pi * k / TURNS for k in range(TURNS))
        ]
        within = [
            (right, down)
            for right, down in steps
            if 0 <= rows.min() + down <= rows.max() + down < height
            and 0 <= columns.min() + right <= columns.max() + right < width
        ]
        right, down = np.array(within, dtype=np.intp).reshape(-1, 2, 1).swapaxes(0, 1)
        off_x, off_y = (places_px - (seat.x_px, seat.y_px)).T
        are_beyond = np.hypot(off_x + 2 * right, off_y + 2 * down) > seat.radius_px
        return seat.disc + down * width + right, are_beyond
