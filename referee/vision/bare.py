"""Which pixels show the bare board: its own chroma, as it is or in the shade."""

import math

import numpy as np
from numpy.typing import NDArray

from hardware.frame import Plane
from referee.vision.colours import BLACK

BOARD_CHROMA = 14.0
"""Chroma levels about the board's own, in full light, within which a pixel is board, in light or shade."""

SHADED_CHROMA = 0.25
"""Chroma, relative to the board's own, by which shaded board may differ from it once the light is made equal."""

PAINTED = 15.0
"""Chroma, in full light, from which a board has a hue: then a ball of that hue is told from it by more chroma."""

SPREADS = 4.0
"""Chroma beyond the board's own, in deviations of it over the board, that is no board: grain and noise stay within."""

LEAST_MORE = 5.0
"""The same in levels, in full light, however even the board is."""

LIT = 0.95
"""Luma, relative to the board's own, from which more chroma is no board: walls of holes, which light each other, are
darker and have more of it, too."""

FLANK = 0.2
"""Across a painted board's hue against along it: within, and with less chroma and light, is the wall of a hole."""


class BareBoard:
    """The look of one board, learned from its face in each picture. ``face``: pixels of the window that show it, flat
    indices; ``light``: share of full light."""

    def __init__(self, face: NDArray[np.intp], light: float) -> None:
        self.reach = light * BOARD_CHROMA
        self._face, self._light = face, light
        self._spread = 0.0
        self._look: tuple[float, float, float] | None = None

    @property
    def look(self) -> tuple[float, float, float]:
        """The board's own U and V, from grey, and luma, from black."""
        assert self._look is not None, "no picture was learned from"
        return self._look

    @property
    def is_painted(self) -> bool:
        """Whether the board has a hue of its own."""
        return math.hypot(*self.chroma) >= self._light * PAINTED

    @property
    def chroma(self) -> tuple[float, float]:
        """The board's own U and V, from grey."""
        return (0.0, 0.0) if self._look is None else self._look[:2]

    def are_other(self, u: Plane, v: Plane, luma: Plane) -> NDArray[np.bool_]:
        """Which of some pixels, (n,) each, have not the board's own chroma (the median between the holes), as it is or
        scaled down by shade."""
        own_u, own_v, own_y = self.look
        own = math.hypot(own_u, own_v)
        off = np.square(u - np.float32(128 + own_u)) + np.square(v - np.float32(128 + own_v))
        is_other = off >= self.reach**2
        is_painted = own >= self._light * PAINTED
        most = own + max(SPREADS * self._spread, self._light * LEAST_MORE)
        if is_painted:
            along = u * np.float32(own_u / own) + v * np.float32(own_v / own)
            is_other |= (along > most + 128 * (own_u + own_v) / own) & (luma >= BLACK + LIT * own_y)
        other = np.flatnonzero(is_other)
        # Most of a board is seen in its own light: shade is looked for in the rest alone.
        there_u, there_v, shade = (
            plane.take(other).astype(np.float32) - np.float32(zero)
            for plane, zero in ((u, 128), (v, 128), (luma, BLACK))
        )
        light = np.float32(own_y) / np.maximum(shade, np.float32(8.0))
        off = np.square(there_u * light - np.float32(own_u)) + np.square(there_v * light - np.float32(own_v))
        is_other = off >= (SHADED_CHROMA * own) ** 2
        if is_painted:
            along, across = (there_u * own_u + there_v * own_v) / own, (there_v * own_u - there_u * own_v) / own
            is_other &= (shade > own_y) | (along > most) | (np.abs(across) > FLANK * along)
        found = np.zeros(u.shape, dtype=np.bool_)
        found[other] = is_other
        return found

    def learn(self, u: Plane, v: Plane, luma: Plane) -> None:
        """Take the board's look from the pixels of the window, (n,) each.

        With each reading anew, but not from under a hand: only while most of the board still looks as it did.
        """
        there = [plane.take(self._face) for plane in (u, v, luma)]
        look = (median_of(there[0]) - 128, median_of(there[1]) - 128, median_of(there[2]) - BLACK)
        if self._look is not None and math.dist(look[:2], self._look[:2]) >= self.reach / 2:
            return
        self._look = look
        own = max(math.hypot(look[0], look[1]), 1.0)
        along = (there[0] * np.float32(look[0] / own)) + there[1] * np.float32(look[1] / own)
        # Balls and what is printed are the tails.
        along.sort()
        low, high = (float(along[round(share * (len(along) - 1))]) for share in (0.16, 0.84))
        self._spread = (high - low) / 2


def median_of(levels: Plane) -> float:
    """The median, the same as NumPy's, at half its cost for a few thousand levels."""
    low, high = (len(levels) - 1) // 2, len(levels) // 2
    ordered = np.partition(levels, (low, high))
    return (float(ordered[low]) + float(ordered[high])) / 2
