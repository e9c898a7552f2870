"""The look of a standing pin's halves, remembered from one picture and looked for in others."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from hardware.frame import Plane
from referee.vision.pins.pin import Pin
from referee.vision.pins.reel import Reel, Still
from referee.vision.pins.zone import pin_height_mm, pin_radius_mm

REACH_MM: Final = 5.0
"""How far from its place a pin is looked for: one that leans further falls."""

LEAST_REACH_PX: Final = 3

SLACK_MM: Final = 2.0
"""What is looked at around a pin: its edges tell most of where it is."""


STAYED: Final = (0.0, 0.0)

UNCHANGED_LEVELS: Final = 0.7
"""Mean difference of a patch, in levels, that is none: rounding and compression leave half of it, a shift more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """Where a patch looks most like itself: pixels of the reel from its place, and the correlation, -1 to 1."""

    x_px: float
    y_px: float
    likeness: float

    @property
    def px(self) -> float:
        """How far from its place."""
        return math.hypot(self.x_px, self.y_px)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patch:
    """A part of a picture: its look, and where its left upper corner is; looked for up to ``reach`` pixels away.

    ``shown``: 255 where it counts, 0 elsewhere; None where all of it does.
    """

    look: Plane
    left: int
    top: int
    reach: int
    shown: Plane | None = None

    def find(self, luma: Plane, moved_px: tuple[float, float] = STAYED, *, slants: bool = False) -> Find | None:
        """Look for it around its place, or where that has moved to; None where this is at the picture's edge.

        ``slants``: whether to reckon with pins that slant in the picture, along which the likeness falls slowly: more
        exact, but led further astray by what hides a part.
        """
        height, width = self.look.shape
        if moved_px == STAYED and self._is_unchanged(luma):
            return Find(x_px=0.0, y_px=0.0, likeness=1.0)
        left, top = (round(at + by) - self.reach for at, by in zip((self.left, self.top), moved_px, strict=True))
        right, bottom = left + width + 2 * self.reach, top + height + 2 * self.reach
        if left < 0 or top < 0 or right > luma.shape[1] or bottom > luma.shape[0]:
            return None
        found = cv2.matchTemplate(luma[top:bottom, left:right], self.look, cv2.TM_CCOEFF_NORMED, mask=self.shown)
        # Where nothing at all is to be seen nothing is alike.
        likeness = np.nan_to_num(np.asarray(found, dtype=np.float64), nan=-1.0, posinf=-1.0, neginf=-1.0)
        _, best, _, (column, row) = cv2.minMaxLoc(likeness)
        around = likeness[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
        if slants and around.shape == (3, 3):
            x, y = _top(around)
        else:
            x, y = (
                _peak(likeness[row, max(column - 1, 0) : column + 2]),
                _peak(likeness[max(row - 1, 0) : row + 2, column]),
            )
        return Find(x_px=left + column + x - self.left, y_px=top + row + y - self.top, likeness=float(best))

    def _is_unchanged(self, luma: Plane) -> bool:
        """Whether it looks just the same in its place, which is quickly seen and mostly so."""
        height, width = self.look.shape
        there = luma[self.top : self.top + height, self.left : self.left + width]
        return bool(cv2.norm(there, self.look, cv2.NORM_L1) < UNCHANGED_LEVELS * height * width)


def halves(pin: Pin, table: Table, reel: Reel, still: Still) -> Sequence[Patch]:
    """The upper and the lower half of a standing pin as it looks in a picture of a reel, where they are in it."""
    per_mm = reel_px_per_mm(pin, table)
    reach = max(LEAST_REACH_PX, round(REACH_MM * per_mm))
    foot, head = reel.inside(np.array([[pin.x_px, pin.y_px], head_px(pin, table)]))
    middle = (foot + head) / 2
    margin = np.array([pin_radius_mm(table) + SLACK_MM, SLACK_MM]) * per_mm
    found = []
    for one, other in ((head, middle), (middle, foot)):
        left, top = (max(0, int(value)) for value in np.minimum(one, other) - margin)
        right, bottom = (int(value) + 1 for value in np.maximum(one, other) + margin)
        look = still.luma[top:bottom, left:right]
        if min(look.shape) > LEAST_REACH_PX:
            found.append(Patch(look=look, left=left, top=top, reach=reach))
    return found


def moved(pin: Pin, finds: Sequence[Find], now: Table) -> Pin:
    """A pin where its halves are found now."""
    x, y = (2 * sum(at) / len(finds) for at in zip(*((find.x_px, find.y_px) for find in finds), strict=True))
    place = now.camera.to_mm(np.array([[pin.x_px + x, pin.y_px + y]]), now.layout.height_mm)[0]
    return replace(
        pin,
        x_px=pin.x_px + x,
        y_px=pin.y_px + y,
        mm=(float(place[0]), float(place[1])),
        head_px=None if pin.head_px is None else (pin.head_px[0] + x, pin.head_px[1] + y),
    )


def ends_px(pins: Sequence[Pin], table: Table) -> NDArray[np.float64]:
    """Feet and heads of pins: (n, 2, 2) px."""
    return np.array([((pin.x_px, pin.y_px), head_px(pin, table)) for pin in pins]).reshape(-1, 2, 2)


def reel_px_per_mm(pin: Pin, table: Table) -> float:
    """Pixels of a reel to a millimetre where a pin stands."""
    foot_mm = table.camera.to_mm(np.array([[pin.x_px, pin.y_px]]), table.layout.height_mm)
    return float(table.camera.radius_px(foot_mm, 1.0)[0]) / 2


def head_px(pin: Pin, table: Table) -> tuple[float, float]:
    """Where the head of a pin is."""
    if pin.head_px is not None:
        return pin.head_px
    foot_mm = table.camera.to_mm(np.array([[pin.x_px, pin.y_px]]), table.layout.height_mm)
    x, y = table.camera.to_px(foot_mm + np.array([0.0, 0.0, pin_height_mm(table)]))[0]
    return float(x), float(y)


def _peak(three: NDArray[np.float64]) -> float:
    """Where the top of a parabola through three values lies, from the middle one; 0 at the window's edge."""
    if len(three) < 3:
        return 0.0
    before, top, after = (float(value) for value in three)
    bend = before - 2 * top + after
    return 0.0 if bend >= 0 else 0.5 * (before - after) / bend


def _top(nine: NDArray[np.float64]) -> tuple[float, float]:
    """Where the top of a paraboloid through nine values lies, (3, 3), x and y from the middle one."""
    columns, rows = nine.mean(axis=0), nine.mean(axis=1)
    x, y = (columns[2] - columns[0]) / 2, (rows[2] - rows[0]) / 2
    xx, yy = (side[0] - 2 * side[1] + side[2] for side in (columns, rows))
    xy = (nine[0, 0] + nine[2, 2] - nine[0, 2] - nine[2, 0]) / 4
    bend = xx * yy - xy * xy
    if bend <= 0 or xx >= 0:
        return 0.0, 0.0
    top = np.clip(((xy * y - yy * x) / bend, (xy * x - xx * y) / bend), -1.0, 1.0)
    return float(top[0]), float(top[1])
