"""Did a pin move before the box was struck? Each pin's look is followed back through the last pictures."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from calibration.table import Table
from hardware.frame import Plane
from referee.vision.pins.patches import Patch, halves, reel_px_per_mm
from referee.vision.pins.pin import Pin
from referee.vision.pins.reel import Reel, Still

MOVED_MM: Final = 0.8
"""Shift of a pin's head that is a touch: a shaken table or a shadow's edge makes a third of it."""

LEAST_PX: Final = 0.5
"""The same in pixels of the half-size picture, where those are coarser."""

ALIKE: Final = 0.9
"""Correlation from which a part of a pin is seen: a stick or a hand before it leaves less."""

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
    least_px = max(LEAST_PX, MOVED_MM * reel_px_per_mm(pin, table))
    patches = halves(pin, table, reel, still)
    where = tuple(_where(patches, picture.luma, least_px) for picture in later)
    return Trace(t_s=tuple(picture.t_s for picture in later), where=where)


def _where(patches: Sequence[Patch], luma: Plane, least_px: float) -> Where:
    """A stick before a pin hides one part of it; of a pin that rocks on its foot the other may be in place."""
    found = [found for patch in patches if (found := patch.find(luma)) is not None and found.likeness >= ALIKE]
    if not found:
        return "unseen"
    return "moved" if max(math.hypot(one.x_px, one.y_px) for one in found) > least_px else "in place"


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
