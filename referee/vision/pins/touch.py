"""Did a pin move before the box was struck? Each pin's look is followed back through the last pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from hardware.frame import Plane
from referee.vision.pins.pin import Pin
from referee.vision.pins.reel import Reel, Still
from referee.vision.pins.zone import pin_height_mm, pin_radius_mm

MOVED_MM: Final = 0.8
"""Shift of a pin's head that is a touch: a shaken table or a shadow's edge makes a third of it."""

LEAST_PX: Final = 0.5
"""The same in pixels of the half-size picture, where those are coarser."""

ALIKE: Final = 0.9
"""Correlation from which a part of a pin is seen: a stick or a hand before it leaves less."""

REACH_MM: Final = 5.0
"""How far from its place a pin is looked for: one that leans further falls."""

SLACK_MM: Final = 2.0
"""What is looked at around a pin: its edges tell most of where it is."""

Where = Literal["in place", "moved", "unseen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Where a pin was seen, picture by picture: ``t_s`` and ``where`` are equally long."""

    t_s: tuple[float, ...]
    where: tuple[Where, ...]

    @property
    def moved_s(self) -> float | None:
        """When it was first seen away from its place, twice in a row; None when it never was."""
        pairs = zip(self.where, self.where[1:], strict=False)
        first = next((i for i, pair in enumerate(pairs) if pair == ("moved", "moved")), None)
        return None if first is None else self.t_s[first]

    @property
    def in_place_s(self) -> float | None:
        """When it was last seen in its place; None when it never was."""
        return next((t for t, where in zip(self.t_s[::-1], self.where[::-1], strict=True) if where == "in place"), None)


def trace(pin: Pin, table: Table, reel: Reel, still: Still, later: Sequence[Still]) -> Trace:
    """Follow a pin that stood in ``still`` through what came ``later``."""
    per_mm = _half_px_per_mm(pin, table)
    least_px = max(LEAST_PX, MOVED_MM * per_mm)
    reach = max(3, round(REACH_MM * per_mm))
    parts = [_Part.of(corners, still.luma, reach) for corners in _part_corners(pin, table, reel, per_mm)]
    seen = [part for part in parts if part is not None]
    where = tuple(_where(seen, picture.luma, least_px) for picture in later)
    return Trace(t_s=tuple(picture.t_s for picture in later), where=where)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Part:
    """A part of a standing pin: its look, and the window, ``reach`` pixels larger, in which it is looked for."""

    look: Plane
    rows: slice
    columns: slice
    reach: int

    @classmethod
    def of(cls, corners: NDArray[np.float64], luma: Plane, reach: int) -> "_Part | None":
        """None where too little of it is in the picture."""
        left, top = (int(value) for value in np.floor(corners.min(axis=0)))
        right, bottom = (int(value) + 1 for value in np.ceil(corners.max(axis=0)))
        if left < reach or top < reach or right + reach > luma.shape[1] or bottom + reach > luma.shape[0]:
            return None
        return cls(
            look=luma[top:bottom, left:right],
            rows=slice(top - reach, bottom + reach),
            columns=slice(left - reach, right + reach),
            reach=reach,
        )

    def shift_px(self, luma: Plane) -> float | None:
        """How far it is from its place; None when it isn't seen."""
        window = luma[self.rows, self.columns]
        likeness = np.asarray(cv2.matchTemplate(window, self.look, cv2.TM_CCOEFF_NORMED), dtype=np.float64)
        _, best, _, (column, row) = cv2.minMaxLoc(likeness)
        if best < ALIKE:
            return None
        x = column + _peak(likeness[row, max(column - 1, 0) : column + 2]) - self.reach
        y = row + _peak(likeness[max(row - 1, 0) : row + 2, column]) - self.reach
        return float(np.hypot(x, y))


def _where(parts: Sequence[_Part], luma: Plane, least_px: float) -> Where:
    """A stick before a pin hides one part of it; of a pin that rocks on its foot the other may be in place."""
    shifts = [shift for part in parts if (shift := part.shift_px(luma)) is not None]
    if not shifts:
        return "unseen"
    return "moved" if max(shifts) > least_px else "in place"


def _part_corners(pin: Pin, table: Table, reel: Reel, per_mm: float) -> Sequence[NDArray[np.float64]]:
    """Corners of the upper and of the lower half of a pin, (2, 2) pixels of the reel each."""
    foot, head = reel.inside(np.array([[pin.x_px, pin.y_px], _head_px(pin, table)]))
    middle = (foot + head) / 2
    margin = np.array([pin_radius_mm(table) + SLACK_MM, SLACK_MM]) * per_mm
    return [
        np.array([np.minimum(a, b) - margin, np.maximum(a, b) + margin]) for a, b in ((head, middle), (middle, foot))
    ]


def _head_px(pin: Pin, table: Table) -> tuple[float, float]:
    if pin.head_px is not None:
        return pin.head_px
    foot_mm = table.camera.to_mm(np.array([[pin.x_px, pin.y_px]]), table.layout.height_mm)
    x, y = table.camera.to_px(foot_mm + np.array([0.0, 0.0, pin_height_mm(table)]))[0]
    return float(x), float(y)


def _half_px_per_mm(pin: Pin, table: Table) -> float:
    foot_mm = table.camera.to_mm(np.array([[pin.x_px, pin.y_px]]), table.layout.height_mm)
    return float(table.camera.radius_px(foot_mm, 1.0)[0]) / 2


def _peak(three: NDArray[np.float64]) -> float:
    """Where the top of a parabola through three values lies, from the middle one; 0 at the window's edge."""
    if len(three) < 3:
        return 0.0
    before, top, after = (float(value) for value in three)
    bend = before - 2 * top + after
    return 0.0 if bend >= 0 else 0.5 * (before - after) / bend


UNSEEN_S: Final = 0.1
"""How long before the last picture a pin may last have been seen in place: no stick touches it in less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """``pin``: where it stood; ``t_s``: when it was first seen to move while nobody had struck the box."""

    pin: Pin
    t_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """Of ``pins`` that were watched, how many, those that moved, and those that were out of sight at the end."""

    pins: int = 0
    moved: tuple[Touch, ...] = ()
    unseen: tuple[Pin, ...] = ()


NOTHING_TOUCHED: Final = Touched()


def touched(pins: Sequence[Pin], table: Table, reel: Reel, still: Still, later: Sequence[Still]) -> Touched:
    """Follow pins that stood in ``still`` through what came ``later``, while nobody had struck the box."""
    moved: list[Touch] = []
    unseen: list[Pin] = []
    for pin in pins:
        path = trace(pin, table, reel, still, later)
        if path.moved_s is not None:
            moved.append(Touch(pin=pin, t_s=path.moved_s))
        elif later and (path.in_place_s is None or later[-1].t_s - path.in_place_s > UNSEEN_S):
            unseen.append(pin)
    return Touched(pins=len(pins), moved=tuple(moved), unseen=tuple(unseen))
