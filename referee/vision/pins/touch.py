"""Did a pin move before the box was struck? Each pin's look is followed back through the last pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from calibration.table import Table
from referee.vision.pins.patches import Find, halves, reel_px_per_mm
from referee.vision.pins.pin import Pin
from referee.vision.pins.reel import Reel, Still

MOVED_MM: Final = 0.6
"""Shift of a pin's upper half that is motion: five times what it is measured off."""

LEAST_SWING_MM: Final = 1.1
"""How far a touched pin is seen to swing: a shadow that passes over it seems to shift it by less."""

LEAST_PX: Final = 0.5
"""``MOVED_MM`` in pixels of the half-size picture, where those are coarser."""

ALIKE: Final = 0.9
"""Correlation from which a part of a pin is seen: a stick or a hand before it leaves less. A share of what it had at
first: in the dark noise leaves less than 1."""

CLEARLY_ALIKE: Final = 0.97
"""The same for parts by which a pin is said to rock: the edge of a shadow seems to shift them, and leaves less."""

AT_ONCE_S: Final = 0.08
"""Time between two pictures in which a pin that rocks is away from its place: it passes through it quickly."""

LEAST_ALIKE: Final = 0.6
"""Correlation below which noise hides all."""

Where = Literal["in place", "moved", "stirred", "unseen"]
"""``moved``: both halves are clearly seen to have moved as a rocking pin's do; ``stirred``: one half is seen away from
its place, or something at the edge of a stick, a hand or a shadow looks like it."""

LEAD_S: Final = 0.3
"""How long before the lane first changes pins are looked at: whatever touches one is near it by then."""

CALM_PICTURES: Final = 3
"""Pictures from which it is known how clearly a pin is seen."""

UNSEEN_S: Final = 0.1
"""How long before the last picture a pin may last have been seen in place: no stick touches it in less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """Where a pin is in one picture; ``x_mm``, ``y_mm``: how far its upper half has moved, along the picture's sides,
    None where it isn't clearly seen."""

    t_s: float
    where: Where
    x_mm: float | None = None
    y_mm: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Where a pin was seen, picture by picture."""

    sights: tuple[Sight, ...]

    @property
    def moved_s(self) -> float | None:
        """When it began to move; None when it wasn't seen to in two pictures shortly after another, in one clearly."""
        moved = [sight.t_s for sight in self.sights if sight.where == "moved"]
        away = [sight.t_s for sight in self.sights if sight.where in ("moved", "stirred")]
        first = next((t for t in moved if any(0 < abs(t - other) <= 2 * AT_ONCE_S for other in away)), None)
        if first is None:
            return None
        for t in reversed(away):
            if first - AT_ONCE_S <= t < first:
                first = t
        return first

    @property
    def swing_mm(self) -> float:
        """How far its upper half was clearly seen to go to and fro."""
        places = np.array([(s.x_mm, s.y_mm) for s in self.sights if s.x_mm is not None], dtype=np.float64)
        return float(np.ptp(places, axis=0).max()) if len(places) else 0.0

    @property
    def in_place_s(self) -> float | None:
        """When it was last seen in its place; None when it never was."""
        return next((sight.t_s for sight in reversed(self.sights) if sight.where == "in place"), None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Footage:
    """``still``: a settled picture; ``calm``: some before anything happened; ``later``: those to be looked through."""

    reel: Reel
    still: Still
    calm: Sequence[Still]
    later: Sequence[Still]


def footage_of(reel: Reel, still: Still, began_s: float, until_s: float, *, longest_s: float) -> Footage:
    """What was seen since a settled picture, from shortly before something moved, and not longer than so long."""
    return Footage(
        reel=reel,
        still=still,
        calm=reel.between(began_s - LEAD_S, began_s)[:CALM_PICTURES],
        later=reel.between(max(began_s - LEAD_S, until_s - longest_s), until_s),
    )


def trace(pin: Pin, table: Table, footage: Footage) -> Trace:
    """Follow a pin that stood in the settled picture through the later ones."""
    per_mm = reel_px_per_mm(pin, table)
    patches = halves(pin, table, footage.reel, footage.still)
    clear = [_clear([patch.find(picture.luma) for picture in footage.calm]) for patch in patches]
    sights = (
        _sight(picture.t_s, [patch.find(picture.luma) for patch in patches], clear, per_mm) for picture in footage.later
    )
    return Trace(sights=tuple(sights))


def _clear(finds: Sequence[Find | None]) -> float:
    """How much a patch looks like itself while nothing happens to it."""
    return float(np.median([0.0 if find is None else find.likeness for find in finds])) if finds else 1.0


def _sight(t_s: float, finds: Sequence[Find | None], clear: Sequence[float], per_mm: float) -> Sight:
    seen = [
        (find, find.likeness / full)
        for find, full in zip(finds, clear, strict=True)
        if find is not None and full >= LEAST_ALIKE and find.likeness >= ALIKE * full
    ]
    if not seen:
        return Sight(t_s=t_s, where="unseen")
    is_away = max(find.px for find, _ in seen) > max(LEAST_PX, MOVED_MM * per_mm)
    if len(seen) < 2 or min(share for _, share in seen) < CLEARLY_ALIKE:
        return Sight(t_s=t_s, where="stirred" if is_away else "in place")
    (upper, _), (lower, _) = seen
    where: Where = "in place" if not is_away else "moved" if _is_rocking(upper, lower) else "stirred"
    return Sight(t_s=t_s, where=where, x_mm=upper.x_px / per_mm, y_mm=upper.y_px / per_mm)


def _is_rocking(upper: Find, lower: Find) -> bool:
    """Whether the halves move as those of one pin: the same way, the upper one further."""
    return upper.x_px * lower.x_px + upper.y_px * lower.y_px >= 0 and lower.px <= upper.px + LEAST_PX


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """``pin``: where it stood; ``t_s``: when it began to move while nobody had struck the box; ``swing_mm``: how far it
    was clearly seen to rock."""

    pin: Pin
    t_s: float
    swing_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """Of ``pins`` that were watched, how many, those that moved, and those that were out of sight at the end."""

    pins: int = 0
    moved: tuple[Touch, ...] = ()
    unseen: tuple[Pin, ...] = ()


NOTHING_TOUCHED: Final = Touched()


def touched(pins: Sequence[Pin], table: Table, footage: Footage) -> Touched:
    """Follow pins that stood in the settled picture through the later ones, while nobody had struck the box."""
    moved: list[Touch] = []
    unseen: list[Pin] = []
    for pin in pins:
        path = trace(pin, table, footage)
        if path.moved_s is not None and path.swing_mm >= LEAST_SWING_MM:
            moved.append(Touch(pin=pin, t_s=path.moved_s, swing_mm=path.swing_mm))
        elif path.sights and (path.in_place_s is None or path.sights[-1].t_s - path.in_place_s > UNSEEN_S):
            unseen.append(pin)
    return Touched(pins=len(pins), moved=tuple(moved), unseen=tuple(unseen))
