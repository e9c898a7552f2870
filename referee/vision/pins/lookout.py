"""Does anything move on the lane, does a hand reach over it? Told of every picture, at a quarter of its size."""

import math
from collections import deque
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame, Plane
from referee.vision.background import spread_of
from referee.vision.pins.looks import ABOUT, PIXELS, Around, Light, beyond, differences, look_of, moved
from referee.vision.pins.zone import Zone

LAG_S: Final = 0.1
"""Time between two pictures that are compared: what rolls at a few millimetres a second shows."""

MOVED_LEVELS: Final = 6.0
"""Difference, in levels of luma or of both chroma planes together, that is motion: averaged over sixteen pixels,
compression leaves half of it."""

LEAST_LEVELS: Final = (MOVED_LEVELS, MOVED_LEVELS)

NOISE_SIGMAS: Final = 5.0
"""Differences that noise makes in one pixel of a million."""

BRIGHT: Final = 150.0
"""Luma of bright things: where the light swings, compression leaves parts of them in that of a moment ago."""

NOISE_STEP_S: Final = 0.06
"""Time between two looks at how much noise there is: it changes with the light."""

CLEAR: Final = 2.0
"""How much more than motion something differs that covers what is behind it."""

LEAST_CELLS: Final = 3
"""Changed cells that are something: a wobbling pin's edge has more."""

LEAST_PART: Final = 0.5
"""What of a pin shows at least, in squares of its radius: a twentieth."""

UNMOVED_PX: Final = np.eye(2, 3)
UNMOVED_BY: Final = 1e-3

HAND_REST_S: Final = 1.0
"""No hand in the air keeps still for so long."""


class Lookout:
    """Compares each picture with one a moment before, and with the one that was called settled."""

    def __init__(self, zone: Zone, frame: Frame, luma_half: Plane) -> None:
        """``frame``: the picture to compare with until another is; ``luma_half``: its luma at half its size."""
        look = look_of(frame, luma_half)
        self._around = tuple(
            slice(first // PIXELS, -(-last // PIXELS))
            for first, last in ((zone.top, zone.bottom), (zone.left, zone.right))
        )
        self._zone = zone.mask(look.y.shape, PIXELS)[self._around]
        self._above = zone.mask(look.y.shape, PIXELS, only_above=True)
        self._above_cells = np.flatnonzero(self._above)
        self._still = look
        self._moved: tuple[NDArray[np.float64], Around] | None = None
        self._changes: dict[bytes, Plane] = {}
        self._now = look
        self._past = deque([look])
        self._measured = LEAST_LEVELS
        self._unmeasured: tuple[Plane, Plane, Light] | None = None
        self._moving = np.zeros_like(self._zone)
        self._lasts = False
        self._stirred_s = frame.t_s
        self._measured_s = -math.inf

    def moves(self, frame: Frame, luma_half: Plane) -> bool:
        """Take in the next frame: whether something on or above the lane isn't where it was a moment ago."""
        self._now = look_of(frame, luma_half)
        self._changes.clear()
        self._past.append(self._now)
        while len(self._past) > 2 and self._past[1].t_s <= frame.t_s - LAG_S:
            self._past.popleft()
        light = Light(self._now, *(look for look in self._past if look is not self._now))
        luma, chroma = differences(self._now, self._past[0], light)
        if frame.t_s - self._measured_s >= NOISE_STEP_S:
            self._measured_s = frame.t_s
            self._unmeasured = (luma, chroma, light)
        changed = _over(luma, chroma, LEAST_LEVELS)
        # Where nothing is over the least levels, nobody asks how high they are.
        if cv2.countNonZero(changed) >= LEAST_CELLS:
            changed = _over(luma, chroma, self._levels)
            if cv2.countNonZero(changed) >= LEAST_CELLS:
                self._stirred_s = frame.t_s
        before = self._moving
        self._moving = np.asarray(cv2.bitwise_and(changed[self._around], self._zone), dtype=np.uint8)
        moves = cv2.countNonZero(self._moving) >= LEAST_CELLS
        self._lasts = (
            moves and cv2.countNonZero(cv2.bitwise_and(self._moving, cv2.dilate(before, ABOUT))) >= LEAST_CELLS
        )
        return moves

    @property
    def t_s(self) -> float:
        """When it was looked at last."""
        return self._now.t_s

    @property
    def lasts(self) -> bool:
        """Whether what moves in the newest picture moved in the one before, there or next to there: what compression
        makes of a pattern flickers from one picture to the next."""
        return self._lasts

    def differs(self, moved_px: NDArray[np.float64]) -> bool:
        """Whether the lane looks otherwise than when it was last called settled; ``moved_px`` as for ``is_covered``."""
        return cv2.countNonZero(cv2.bitwise_and(self._changed(moved_px), self._above)) >= LEAST_CELLS

    def changed_px(
        self, moved_px: NDArray[np.float64], pins_px: NDArray[np.float64], radius_px: float
    ) -> NDArray[np.float64]:
        """Where the picture looks otherwise than when it was last called settled, but for what is less than a pin
        shows: (n, 2) pixels of the full picture.

        ``pins_px``: (k, 2, 2), feet and heads of pins that stand as they stood, whose edges may have moved a little;
        ``radius_px``: of a pin.
        """
        changed = self._changed(moved_px).copy()
        thickness = 2 * math.ceil(radius_px / PIXELS) + 1
        for foot, head in np.round(pins_px / PIXELS).astype(int).tolist():
            cv2.line(changed, foot, head, 0, thickness)
        least = max(LEAST_CELLS, LEAST_PART * (radius_px / PIXELS) ** 2)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
        is_large = stats[:, cv2.CC_STAT_AREA] >= least
        is_large[0] = False
        rows, columns = np.nonzero(is_large[labels])
        return np.asarray(PIXELS * np.stack([columns + 0.5, rows + 0.5], axis=1), dtype=np.float64)

    def is_covered(self, moved_px: NDArray[np.float64]) -> bool:
        """Whether something that reaches in from the picture's edge is over the lane: a hand, its stick, its shadow.

        ``moved_px``: (2, 3) from the full picture's pixels to where what was there is now, if the box has shifted.
        When nothing has moved anywhere for a while it is no hand, but what a hand that has gone hid before.
        """
        return self._is_stirring and self._reaching(moved_px) >= LEAST_CELLS

    def is_anybody_near(self) -> bool:
        """Whether something that wasn't there reaches in from the picture's edge, over the lane or not."""
        return self._is_stirring and self._reaching(None) >= LEAST_CELLS

    def settle(self) -> None:
        """Compare with the newest picture from now on."""
        self._still, self._moved = self._now, None
        self._changes.clear()

    @property
    def _levels(self) -> tuple[float, float]:
        """Differences of luma and chroma that are motion, by the newest picture in which noise was to be measured."""
        if self._unmeasured is not None:
            luma, chroma, light = self._unmeasured
            left = BRIGHT * light.swing
            self._measured, self._unmeasured = (_level(luma) + left, _level(chroma) + left), None
        return self._measured

    @property
    def _is_stirring(self) -> bool:
        return self._now.t_s - self._stirred_s < HAND_REST_S

    def _changed(self, moved_px: NDArray[np.float64] | None) -> Plane:
        """255 where the picture is clearly another than the settled one, be it moved or not."""
        place = b"" if moved_px is None else moved_px.tobytes()
        if place not in self._changes:
            self._changes[place] = self._compared(moved_px)
        return self._changes[place]

    def _compared(self, moved_px: NDArray[np.float64] | None) -> Plane:
        light = Light(self._now, self._still)
        levels = (CLEAR * self._levels[0], CLEAR * self._levels[1])
        if moved_px is None or np.abs(moved_px - UNMOVED_PX).max() < UNMOVED_BY:
            return _over(*differences(self._now, self._still, light), levels)
        changed = self._changed(None)
        # Where nothing is another, nothing is when moved.
        if cv2.countNonZero(changed) < LEAST_CELLS:
            return changed
        also = _over(*beyond(self._now, self._still_at(moved_px), light), levels)
        return np.asarray(cv2.bitwise_and(changed, also), dtype=np.uint8)

    def _still_at(self, moved_px: NDArray[np.float64]) -> Around:
        """The settled picture, moved: a box stays where a blow has left it."""
        if self._moved is None or not np.array_equal(self._moved[0], moved_px):
            self._moved = (moved_px, moved(self._still, moved_px))
        return self._moved[1]

    def _reaching(self, moved_px: NDArray[np.float64] | None) -> int:
        """Cells of what is connected with the picture's edge: those over the lane; without ``moved_px`` all of them."""
        changed = self._changed(moved_px)
        if moved_px is not None and cv2.countNonZero(cv2.bitwise_and(changed, self._above)) < LEAST_CELLS:
            return 0
        count, labels = cv2.connectedComponents(changed, connectivity=8, ltype=cv2.CV_16U)
        is_reaching = np.zeros(count, dtype=np.bool_)
        for edge in (labels[0], labels[-1], labels[:, 0], labels[:, -1]):
            is_reaching[edge] = True
        is_reaching[0] = False
        cells = np.asarray(labels, dtype=np.uint16).ravel()
        cells = cells if moved_px is None else cells.take(self._above_cells)
        return int(np.count_nonzero(is_reaching.take(cells)))


def _over(luma: Plane, chroma: Plane, levels: tuple[float, float]) -> Plane:
    """255 where one of two differences is over its level."""
    parts = [
        cv2.threshold(plane, math.floor(level), 255, cv2.THRESH_BINARY)[1]
        for plane, level in zip((luma, chroma), levels, strict=True)
    ]
    return np.asarray(cv2.bitwise_or(*parts), dtype=np.uint8)


def _level(difference: Plane) -> float:
    """The difference that is motion, by the noise in a difference of two pictures."""
    return max(MOVED_LEVELS, NOISE_SIGMAS * spread_of(difference[::5, ::5]))
