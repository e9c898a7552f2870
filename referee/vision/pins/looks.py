"""Small pictures of the whole view, and how two of them differ, whatever the light."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame, Plane

PIXELS: Final = 4
"""Pixels of the full picture to a side of a watched one: a pin is several of them wide, and noise averages out."""

ABOUT: Final = np.ones((3, 3), dtype=np.uint8)
"""A pixel and those next to it."""

NEAREST: Final = cv2.INTER_NEAREST
REPEATED: Final = cv2.BORDER_REPLICATE

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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Around:
    """A picture of which it isn't known to the pixel where it is: the least and the most that is at or next to each."""

    least: Look
    most: Look


class Light:
    """How much brighter one picture is than others: here and there, and what is usual in each row of them."""

    def __init__(self, now: Look, *then: Look) -> None:
        """``then``: the others, of which the first is the one that is compared."""
        self._ratios = np.concatenate([now.light / look.light for look in then])
        middle = self._ratios.shape[1] // 2
        # Plain numbers: there are too few rows for arrays to be quicker.
        self._rows: list[float] = np.partition(self._ratios, middle, axis=1)[:, middle].tolist()
        self._count = len(now.light)

    @property
    def swing(self) -> float:
        """How far the light has been from what it is now, as a share: in the row that changed most of those that can
        tell."""
        swung = [row for row, usual in enumerate(self._rows) if abs(usual - 1) > SAME_LIGHT]
        return max((abs(self._rows[row] - 1) for row in self._telling(swung)), default=0.0)

    def relit(self, luma: Plane) -> Plane:
        """Luma of the first of the others as it would be in the light of the one: lamps that pulse change it by one
        factor along each row."""
        ordered = sorted(self._rows[: self._count])
        factor = ordered[self._count // 2]
        if max(ordered[-1] - factor, factor - ordered[0]) <= BANDED:
            return luma if abs(factor - 1) < SAME_LIGHT else np.asarray(cv2.convertScaleAbs(luma, alpha=factor))
        told = self._telling(range(self._count))
        if not told:
            return luma
        places = [COARSE * (row + 0.5) for row in told]
        factors = np.interp(np.arange(len(luma)), places, [self._rows[row] for row in told])
        relit = cv2.multiply(luma, np.repeat(factors[:, None], luma.shape[1], axis=1), dtype=cv2.CV_8U)
        return np.asarray(relit, dtype=np.uint8)

    def _telling(self, rows: Sequence[int]) -> Sequence[int]:
        """Those rows of which most agrees with what is usual there."""
        if not rows:
            return ()
        usual = np.array([[self._rows[row]] for row in rows], dtype=np.float32)
        agree = np.abs(self._ratios.take(rows, axis=0) - usual) < AGREEING
        tells = np.count_nonzero(agree, axis=1) >= LEAST_SHARE * agree.shape[1]
        return [row for row, is_so in zip(rows, tells.tolist(), strict=True) if is_so]


def look_of(frame: Frame, luma_half: Plane) -> Look:
    """A frame at a quarter of its size; ``luma_half``: its luma at half of it."""
    # Halving twice is ten times as fast as quartering, and as halving what is odd.
    height, width = (length // 2 for length in frame.u.shape)
    y, u, v = (
        np.asarray(cv2.resize(plane, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)
        for plane in (whole[: 2 * height, : 2 * width] for whole in (luma_half, frame.u, frame.v))
    )
    light = np.add(y[COARSE // 2 :: COARSE, COARSE // 2 :: COARSE], 1, dtype=np.float32)
    return Look(t_s=frame.t_s, y=y, u=u, v=v, light=light)


def moved(look: Look, moved_px: NDArray[np.float64]) -> Around:
    """A picture as it would be with all in it moved; ``moved_px``: (2, 3), in pixels of the full picture.

    Lines hardly wider than a pixel look another where they have moved by a part of one.
    """
    scaled = moved_px.copy()
    scaled[:, 2] /= PIXELS

    def spread(way: Callable[[Plane, Plane], Any]) -> Look:
        y, u, v = (
            np.asarray(
                cv2.warpAffine(way(plane, ABOUT), scaled, plane.shape[::-1], flags=NEAREST, borderMode=REPEATED),
                dtype=np.uint8,
            )
            for plane in (look.y, look.u, look.v)
        )
        return replace(look, y=y, u=u, v=v)

    return Around(least=spread(cv2.erode), most=spread(cv2.dilate))


def differences(now: Look, then: Look, light: Light) -> tuple[Plane, Plane]:
    """The differences in luma, in one light, and in both chroma planes; ``light``: of the one against the other."""
    luma = cv2.absdiff(now.y, light.relit(then.y))
    chroma = cv2.add(cv2.absdiff(now.u, then.u), cv2.absdiff(now.v, then.v))
    return np.asarray(luma, dtype=np.uint8), np.asarray(chroma, dtype=np.uint8)


def beyond(now: Look, then: Around, light: Light) -> tuple[Plane, Plane]:
    """How far luma, in one light, and both chroma planes together are beyond what was there; ``light``: as before."""
    luma = cv2.max(cv2.subtract(now.y, light.relit(then.most.y)), cv2.subtract(light.relit(then.least.y), now.y))
    u, v = (
        cv2.max(cv2.subtract(seen, most), cv2.subtract(least, seen))
        for seen, least, most in ((now.u, then.least.u, then.most.u), (now.v, then.least.v, then.most.v))
    )
    return np.asarray(luma, dtype=np.uint8), np.asarray(cv2.add(u, v), dtype=np.uint8)
