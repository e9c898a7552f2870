"""What is seen of a standing pin itself, without what is around it and what is before it.

The box slides away under pins that are knocked, their neighbours fall and take their shadows along: the look of a pin's
surroundings changes, that of its body doesn't.
"""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from calibration.table import Table
from hardware.frame import Plane
from referee.vision.pins.patches import LEAST_REACH_PX, REACH_MM, Patch, head_px, reel_px_per_mm
from referee.vision.pins.pin import Pin, PinSize
from referee.vision.pins.reel import Reel, Still

CORE: Final = 0.85
"""Share of a pin's width that is surely its own: places and sizes are known to half a millimetre."""

AROUND_PX: Final = 1.0
"""How far around a pin that is before others nothing is taken to be theirs."""

LEAST_SHOWN: Final = 0.2
"""Share of a body that must be seen for its look to tell anything."""

FINE: Final = 4
"""Bits of a pixel to which discs are drawn."""


def body(pin: Pin, others: Sequence[Pin], table: Table, size: PinSize, reel: Reel, still: Still) -> Patch | None:
    """The look of a standing pin in a picture of a reel; None where too little of it is seen.

    ``others``: pins of the same reading, of which the nearer ones are before it.
    """
    whole = _drawn(pin, table, size, reel, still.luma.shape, widths=CORE)
    shown = whole.copy()
    for other in others:
        if other is not pin and _distance_mm(other, table) < _distance_mm(pin, table):
            shown[_drawn(other, table, size, reel, shown.shape, more_px=AROUND_PX) > 0] = 0
    if cv2.countNonZero(shown) < max(1.0, LEAST_SHOWN * cv2.countNonZero(whole)):
        return None
    left, top, width, height = cv2.boundingRect(shown)
    part = np.s_[top : top + height, left : left + width]
    reach = max(LEAST_REACH_PX, round(REACH_MM * reel_px_per_mm(pin, table)))
    return Patch(look=still.luma[part], left=left, top=top, reach=reach, shown=shown[part])


def _distance_mm(pin: Pin, table: Table) -> float:
    """How far from the camera a pin stands or lies, on the level."""
    return float(np.hypot(*(np.array(pin.mm or (0.0, 0.0)) - table.camera.centre_mm[:2])))


def _drawn(
    pin: Pin,
    table: Table,
    size: PinSize,
    reel: Reel,
    shape: tuple[int, ...],
    *,
    widths: float = 1.0,
    more_px: float = 0.0,
) -> Plane:
    """What a pin covers of a picture of a reel, so many times as wide, and so much wider: (h, w), 255 or 0."""
    per_mm = reel_px_per_mm(pin, table)
    foot, head = reel.inside(np.array([[pin.x_px, pin.y_px], head_px(pin, table)]))
    drawn = np.zeros(shape, dtype=np.uint8)
    for along, wide in size.profile:
        x, y = np.round((foot + along * (head - foot)) * 2**FINE).astype(int).tolist()
        radius = round((widths * wide * size.radius_mm * per_mm + more_px) * 2**FINE)
        cv2.circle(drawn, (x, y), radius, 255, cv2.FILLED, cv2.LINE_8, FINE)
    return drawn
