"""One picture of a calibrated table, ready to be searched for balls."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame, Plane
from referee.vision.colours import NOISY, BallColour, calmed, half_luma, light_of, noise_of
from referee.vision.ground import Ground
from referee.vision.kinds import BallKind


@dataclass(frozen=True, slots=True, kw_only=True)
class StillBall:
    """A ball in a picture. ``colour``: its name, which tells balls of one colour and several sizes apart; ``hole``:
    the hole that holds it, None elsewhere."""

    colour: str
    x_px: float
    y_px: float
    radius_px: float
    hole: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Picture:
    """``luma``: (h, w) uint8 at the size of the chroma planes. ``kinds``, ``colours``: the balls that may lie there.
    ``light``: share of full light."""

    frame: Frame
    luma: Plane
    ground: Ground
    kinds: tuple[BallKind, ...]
    colours: tuple[BallColour, ...]
    light: float


def picture_of(frame: Frame, ground: Ground, kinds: tuple[BallKind, ...], colours: tuple[BallColour, ...]) -> Picture:
    """A frame as it is searched: a noisy one is averaged."""
    light, luma = light_of(frame), half_luma(frame)
    if noise_of(frame.u) > NOISY:
        frame, luma = calmed(frame, luma)
    return Picture(frame=frame, luma=luma, ground=ground, kinds=kinds, colours=colours, light=light)


def filled(px: NDArray[np.float64], shape: tuple[int, ...]) -> Plane:
    """1 within a polygon, (n, 2) pixels of the full picture, at the size of the chroma planes; 0 elsewhere."""
    mask = np.zeros(shape, dtype=np.uint8)
    cv2.fillPoly(mask, [np.round(px / 2).astype(np.int32)], 1)
    return mask


def to_cells(px: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pixels of the full picture as places in the chroma planes."""
    return px / 2 - 0.25
