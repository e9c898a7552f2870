"""Small pictures of the whole view, and how two of them differ, whatever the light."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame, Plane

PIXELS: Final = 4
"""Pixels of the full picture to a side of a watched one: a pin is several of them wide, and noise averages out."""

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
class Light:
    """How much brighter one picture is than another: ``ratios`` here and there, in rows and columns, and ``rows``, what
    is usual in each row of them."""

    ratios: NDArray[np.float32]
    rows: NDArray[np.float32]

    @classmethod
    def of(cls, now: Look, then: Look) -> "Light":
        ratios = now.light / then.light
        middle = ratios.shape[1] // 2
        return cls(ratios=ratios, rows=np.partition(ratios, middle, axis=1)[:, middle])

    @property
    def factor(self) -> float:
        """What is usual."""
        return float(np.partition(self.rows, len(self.rows) // 2)[len(self.rows) // 2])

    @property
    def tells(self) -> NDArray[np.bool_]:
        """In which rows most agree with what is usual there."""
        agree = np.abs(self.ratios - self.rows[:, None]) < AGREEING
        return np.asarray(np.count_nonzero(agree, axis=1) >= LEAST_SHARE * agree.shape[1])

    @property
    def swing(self) -> float:
        """How much the light has changed, as a share: in the row that changed most of those that can tell."""
        return float(np.abs(self.rows - 1)[self.tells].max(initial=0.0))

    def relit(self, luma: Plane) -> Plane:
        """Luma of the other picture as it would be in the light of the one: lamps that pulse change it by one factor
        along each row."""
        factor = self.factor
        if np.abs(self.rows - factor).max() <= BANDED:
            return luma if abs(factor - 1) < SAME_LIGHT else np.asarray(cv2.convertScaleAbs(luma, alpha=factor))
        tells = self.tells
        if not tells.any():
            return luma
        factors = np.interp(np.arange(len(luma)), COARSE * (np.flatnonzero(tells) + 0.5), self.rows[tells])
        relit = cv2.multiply(luma, np.repeat(factors[:, None], luma.shape[1], axis=1), dtype=cv2.CV_8U)
        return np.asarray(relit, dtype=np.uint8)


def look_of(frame: Frame, luma_half: Plane) -> Look:
    """A frame at a quarter of its size; ``luma_half``: its luma at half of it."""
    # Halving twice is ten times as fast as quartering, and as halving what is odd.
    height, width = (length // 2 for length in frame.u.shape)
    y, u, v = (
        np.asarray(cv2.resize(plane, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)
        for plane in (whole[: 2 * height, : 2 * width] for whole in (luma_half, frame.u, frame.v))
    )
    light = y[COARSE // 2 :: COARSE, COARSE // 2 :: COARSE].astype(np.float32) + 1
    return Look(t_s=frame.t_s, y=y, u=u, v=v, light=light)


def moved(look: Look, moved_px: NDArray[np.float64]) -> Look:
    """A picture as it would be with all in it moved; ``moved_px``: (2, 3), in pixels of the full picture."""
    scaled = moved_px.copy()
    scaled[:, 2] /= PIXELS
    size = look.y.shape[::-1]
    y, u, v = (
        np.asarray(cv2.warpAffine(plane, scaled, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)
        for plane in (look.y, look.u, look.v)
    )
    return Look(t_s=look.t_s, y=y, u=u, v=v, light=look.light)


def differences(now: Look, then: Look) -> tuple[Plane, Plane]:
    """The differences in luma, in one light, and in both chroma planes."""
    luma = cv2.absdiff(now.y, Light.of(now, then).relit(then.y))
    chroma = cv2.add(cv2.absdiff(now.u, then.u), cv2.absdiff(now.v, then.v))
    return np.asarray(luma, dtype=np.uint8), np.asarray(chroma, dtype=np.uint8)
