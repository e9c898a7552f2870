"""What a ball can strike besides level surfaces: upright faces, and balls that lie there."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from referee.vision.footing import Footing, near, upright

Direction = tuple[float, float, float]

OVER_RADII = 0.5
"""How far over a face's ends and edge, in its radii, a ball may meet it: so far its edge is nearly a face."""

HIGHER = 0.6
"""How high a ball strikes another as a rule, as a share of the distance of their centres: from the side it is hidden by
the board or other balls as often as not, and comes down from above."""

HEIGHTS = 0.4
"""Spread of that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """An upright face of a board or box: from the table to ``top_mm``, between two corners (x, y). ``away``: the level
    direction, of length 1, that leads out of it."""

    start_mm: tuple[float, float]
    end_mm: tuple[float, float]
    top_mm: float
    away: tuple[float, float]

    def footing(self, radius_mm: float) -> Footing:
        x_mm, y_mm = (self.start_mm[axis] + radius_mm * self.away[axis] for axis in range(2))
        return upright(x_mm, y_mm, np.array(self.away))

    def trespass_mm(self, place_mm: Sequence[float], radius_mm: float) -> float:
        """How far a ball centred at a place (3,) would have to be moved to touch the face, at least."""
        x_mm, y_mm, z_mm = place_mm
        along, out = self._from_start(x_mm, y_mm)
        over = max(-along, along - math.dist(self.start_mm, self.end_mm), z_mm - self.top_mm, 0.0)
        return max(abs(out - radius_mm), over - OVER_RADII * radius_mm, radius_mm - z_mm, 0.0)

    def push_at(self, place_mm: Sequence[float]) -> Direction | None:
        """The direction in which it pushes a ball."""
        return (*self.away, 0.0)

    def touched_by(self, start_mm: Sequence[float], way: Sequence[float], radius_mm: float) -> float:
        """Where on a ray, given by a point of it and its direction (3,), a ball would touch the face, or would be
        nearest to that: in units of that direction."""
        (x_mm, y_mm, z_mm), (dx, dy, dz) = start_mm, way
        speed_out = dx * self.away[0] + dy * self.away[1]
        rest = radius_mm - self._from_start(x_mm, y_mm)[1]
        touch_mm = z_mm + dz * rest / speed_out if abs(speed_out) > 1e-9 else radius_mm
        return float((min(max(touch_mm, radius_mm), self.top_mm + OVER_RADII * radius_mm) - z_mm) / dz)

    def _from_start(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """How far along the face from its start, and how far out of it, a place is."""
        x, y = x_mm - self.start_mm[0], y_mm - self.start_mm[1]
        to_x, to_y = self.end_mm[0] - self.start_mm[0], self.end_mm[1] - self.start_mm[1]
        return (x * to_x + y * to_y) / math.hypot(to_x, to_y), x * self.away[0] + y * self.away[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ball:
    """A ball at rest, by its centre; in a pit it may have rolled ``roams_mm`` from there."""

    x_mm: float
    y_mm: float
    z_mm: float
    radius_mm: float
    roams_mm: float = 0.0

    def footing(self, radius_mm: float) -> Footing:
        apart_mm = self.radius_mm + radius_mm
        return near(self.z_mm + HIGHER * apart_mm, HEIGHTS * apart_mm)

    def trespass_mm(self, place_mm: Sequence[float], radius_mm: float) -> float:
        """How far a ball centred at a place (3,) would have to be moved to touch this one, at least."""
        aside, up = math.hypot(place_mm[0] - self.x_mm, place_mm[1] - self.y_mm), place_mm[2] - self.z_mm
        apart_mm = self.radius_mm + radius_mm
        nearest = math.hypot(max(0.0, aside - self.roams_mm), up)
        return max(nearest - apart_mm, apart_mm - math.hypot(aside + self.roams_mm, up), 0.0)

    def push_at(self, place_mm: Sequence[float]) -> Direction | None:
        """The direction in which it pushes a ball centred at a place (3,); None where it may have rolled off."""
        if self.roams_mm:
            return None
        x, y, z = place_mm[0] - self.x_mm, place_mm[1] - self.y_mm, place_mm[2] - self.z_mm
        length = max(math.hypot(x, y, z), 1.0)
        return x / length, y / length, z / length

    def touched_by(self, start_mm: Sequence[float], way: Sequence[float], radius_mm: float) -> float:
        """Where on a ray, given by a point of it and its direction (3,), a ball would be nearest to touching: in units
        of that direction."""
        (dx, dy, dz), apart_mm = way, self.radius_mm + radius_mm
        x, y, z = self.x_mm - start_mm[0], self.y_mm - start_mm[1], self.z_mm - start_mm[2]
        steps = dx * dx + dy * dy + dz * dz
        middle = (x * dx + y * dy + z * dz) / steps
        aside2 = x * x + y * y + z * z - middle**2 * steps
        back = math.sqrt(max(0.0, apart_mm**2 - aside2) / steps)
        # Of the two places where it would touch, the upper one is seen.
        return middle + math.copysign(back, dz)


Obstacle = Wall | Ball


def walls_of(outline_mm: Sequence[tuple[float, float]], top_mm: float) -> tuple[Wall, ...]:
    """The upright faces below an outline, in whichever direction its corners go round."""
    corners = [*outline_mm, outline_mm[0]]
    turn = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairwise(corners))
    walls = []
    for start, end in pairwise(corners):
        length = math.dist(start, end)
        if length > 0:
            sign = math.copysign(1.0, turn) / length
            away = (sign * (end[1] - start[1]), sign * (start[0] - end[0]))
            walls.append(Wall(start_mm=start, end_mm=end, top_mm=top_mm, away=away))
    return tuple(walls)
