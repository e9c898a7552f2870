"""Does anything move on the lane, does a hand reach over it? Told of every picture, at a quarter of its size."""

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame, Plane
from referee.vision.background import spread_of
from referee.vision.pins.zone import Zone

PIXELS: Final = 4
"""Pixels of the full picture to a side of a watched one: a pin is several of them wide, and noise averages out."""

LAG_S: Final = 0.1
"""Time between two pictures that are compared: what rolls at a few millimetres a second shows."""

MOVED_LEVELS: Final = 6.0
"""Difference, in levels of luma or of both chroma planes together, that is motion: averaged over sixteen pixels,
compression leaves half of it."""

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

ABOUT: Final = np.ones((3, 3), dtype=np.uint8)
"""A cell and those next to it."""

UNMOVED_PX: Final = np.eye(2, 3)

HAND_REST_S: Final = 1.0
"""No hand in the air keeps still for so long."""

COARSE: Final = 10
"""Distance of the pixels by which the light is compared: their median is that of what doesn't move."""

SAME_LIGHT: Final = 0.002
"""Change of the light that changes no pixel by a level."""

BANDED: Final = 0.01
AGREEING: Final = 0.03
LEAST_SHARE: Final = 0.6
"""A rolling shutter under a lamp that pulses with the mains takes rows in another light each: by so much they differ
then; in a row so many pixels agree within such a share, unless something passes there."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """A picture at a quarter of its size: luma and both chroma planes, (h, w) uint8; ``light``: luma here and there, in
    rows and columns."""

    t_s: float
    y: Plane
    u: Plane
    v: Plane
    light: NDArray[np.float32]


class Lookout:
    """Compares each picture with one a moment before, and with the one that was called settled."""

    def __init__(self, zone: Zone, frame: Frame, luma_half: Plane) -> None:
        """``frame``: the picture to compare with until another is; ``luma_half``: its luma at half its size."""
        look = _look(frame, luma_half)
        self._zone = zone.mask(look.y.shape, PIXELS)
        self._above = zone.mask(look.y.shape, PIXELS, only_above=True)
        self._still = look
        self._now = look
        self._past = deque([look])
        self._levels = (MOVED_LEVELS, MOVED_LEVELS)
        self._moving = np.zeros_like(look.y)
        self._lasts = False
        self._stirred_s = frame.t_s
        self._measured_s = -math.inf

    def moves(self, frame: Frame, luma_half: Plane) -> bool:
        """Take in the next frame: whether something on or above the lane isn't where it was a moment ago."""
        self._now = _look(frame, luma_half)
        self._past.append(self._now)
        while len(self._past) > 2 and self._past[1].t_s <= frame.t_s - LAG_S:
            self._past.popleft()
        luma, chroma = _differences(self._now, self._past[0])
        if frame.t_s - self._measured_s >= NOISE_STEP_S:
            self._measured_s = frame.t_s
            left = BRIGHT * _swing(self._now, self._past)
            self._levels = (_level(luma) + left, _level(chroma) + left)
        changed = _over(luma, chroma, self._levels)
        if cv2.countNonZero(changed) >= LEAST_CELLS:
            self._stirred_s = frame.t_s
        before, self._moving = self._moving, np.asarray(cv2.bitwise_and(changed, self._zone), dtype=np.uint8)
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
        changed = self._changed(moved_px)
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
        self._still = self._now

    @property
    def _is_stirring(self) -> bool:
        return self._now.t_s - self._stirred_s < HAND_REST_S

    def _changed(self, moved_px: NDArray[np.float64] | None) -> Plane:
        """255 where the picture is clearly another than the settled one, be it moved or not."""
        levels = (CLEAR * self._levels[0], CLEAR * self._levels[1])
        changed = _over(*_differences(self._now, self._still), levels)
        if moved_px is None or np.allclose(moved_px, UNMOVED_PX, atol=1e-3):
            return changed
        also = _over(*_differences(self._now, _moved(self._still, moved_px)), levels)
        return np.asarray(cv2.bitwise_and(changed, also), dtype=np.uint8)

    def _reaching(self, moved_px: NDArray[np.float64] | None) -> int:
        """Cells of what is connected with the picture's edge: those over the lane; without ``moved_px`` all of them."""
        changed = self._changed(moved_px)
        if moved_px is not None and not cv2.countNonZero(cv2.bitwise_and(changed, self._above)):
            return 0
        count, labels = cv2.connectedComponents(changed, connectivity=8, ltype=cv2.CV_16U)
        is_reaching = np.zeros(count, dtype=np.bool_)
        for edge in (labels[0], labels[-1], labels[:, 0], labels[:, -1]):
            is_reaching[edge] = True
        is_reaching[0] = False
        reaching = is_reaching[labels]
        return int(np.count_nonzero(reaching if moved_px is None else reaching & (self._above > 0)))


def _look(frame: Frame, luma_half: Plane) -> Look:
    # Halving twice is ten times as fast as quartering.
    size = (frame.u.shape[1] // 2, frame.u.shape[0] // 2)
    y, u, v = (
        np.asarray(cv2.resize(plane, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        for plane in (luma_half, frame.u, frame.v)
    )
    light = y[COARSE // 2 :: COARSE, COARSE // 2 :: COARSE].astype(np.float32) + 1
    return Look(t_s=frame.t_s, y=y, u=u, v=v, light=light)


def _moved(look: Look, moved_px: NDArray[np.float64]) -> Look:
    """A picture as it would be with all in it moved; ``moved_px``: (2, 3), in pixels of the full picture."""
    scaled = moved_px.copy()
    scaled[:, 2] /= PIXELS
    size = look.y.shape[::-1]
    y, u, v = (
        np.asarray(cv2.warpAffine(plane, scaled, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)
        for plane in (look.y, look.u, look.v)
    )
    return Look(t_s=look.t_s, y=y, u=u, v=v, light=look.light)


def _differences(now: Look, then: Look) -> tuple[Plane, Plane]:
    """The differences in luma and in both chroma planes; lamps that pulse change luma by one factor along each row."""
    ratios = now.light / then.light
    factor = float(np.partition(ratios.ravel(), ratios.size // 2)[ratios.size // 2])
    rows = _usual(ratios)
    if np.abs(rows - factor).max() > BANDED:
        luma = cv2.absdiff(now.y, _relit(then.y, ratios, rows))
    else:
        luma = cv2.absdiff(now.y, then.y if abs(factor - 1) < SAME_LIGHT else cv2.convertScaleAbs(then.y, alpha=factor))
    chroma = cv2.add(cv2.absdiff(now.u, then.u), cv2.absdiff(now.v, then.v))
    return np.asarray(luma, dtype=np.uint8), np.asarray(chroma, dtype=np.uint8)


def _swing(now: Look, past: Iterable[Look]) -> float:
    """How far the light has been from what it is now, as a share: the farthest row that can tell."""
    ratios = np.concatenate([now.light / look.light for look in past])
    rows = _usual(ratios)
    return float(np.abs(rows - 1)[_tells(ratios, rows)].max(initial=0.0))


def _usual(ratios: NDArray[np.float32]) -> NDArray[np.float32]:
    """The median of each row."""
    middle = ratios.shape[1] // 2
    return np.asarray(np.partition(ratios, middle, axis=1)[:, middle])


def _tells(ratios: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.bool_]:
    """In which rows most agree with what is usual there."""
    return np.asarray((np.abs(ratios - rows[:, None]) < AGREEING).mean(axis=1) >= LEAST_SHARE)


def _relit(luma: Plane, ratios: NDArray[np.float32], rows: NDArray[np.float32]) -> Plane:
    """Luma in another light: ``ratios`` as seen here and there, ``rows``, what is usual in each row of them."""
    tells = _tells(ratios, rows)
    if not tells.any():
        return luma
    factors = np.interp(np.arange(len(luma)), COARSE * (np.flatnonzero(tells) + 0.5), rows[tells])
    relit = cv2.multiply(luma, np.repeat(factors[:, None], luma.shape[1], axis=1), dtype=cv2.CV_8U)
    return np.asarray(relit, dtype=np.uint8)


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
