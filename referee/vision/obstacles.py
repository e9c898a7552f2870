"""What a ball can strike besides level surfaces: upright faces, and balls that lie there."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from referee.vision.ballistics import Array
from referee.vision.footing import Footing, near, upright

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

    def trespass_mm(self, place_mm: Array, radius_mm: float) -> float:
        """How far a ball centred at a place (3,) would have to be moved to touch the face, at least."""
        rest = place_mm[:2] - self.start_mm
        along, length = self._along(rest), math.dist(self.start_mm, self.end_mm)
        off = abs(float(rest @ self.away) - radius_mm)
        over = max(-along, along - length, float(place_mm[2]) - self.top_mm, 0.0) - OVER_RADII * radius_mm
        return max(off, over, radius_mm - float(place_mm[2]), 0.0)

    def push_at(self, place_mm: Array) -> Array | None:
        """The direction, (3,), in which it pushes a ball."""
        return np.array([*self.away, 0.0])

    def touched_by(self, start_mm: Array, way: Array, radius_mm: float) -> Array:
        """Where along a ray, given by a point of it and its direction (3,), a ball would touch the face, or would be
        nearest to that: (3,)."""
        out = float(way[:2] @ self.away)
        rest = radius_mm - float((start_mm[:2] - self.start_mm) @ self.away)
        z_mm = float(start_mm[2] + way[2] * rest / out) if abs(out) > 1e-9 else radius_mm
        z_mm = min(max(z_mm, radius_mm), self.top_mm + OVER_RADII * radius_mm)
        return np.asarray(start_mm + way * ((z_mm - start_mm[2]) / way[2]), dtype=np.float64)

    def _along(self, rest: Array) -> float:
        way = np.subtract(self.end_mm, self.start_mm)
        return float(rest @ way) / math.hypot(*way)


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

    def trespass_mm(self, place_mm: Array, radius_mm: float) -> float:
        """How far a ball centred at a place (3,) would have to be moved to touch this one, at least."""
        aside, up = math.hypot(place_mm[0] - self.x_mm, place_mm[1] - self.y_mm), float(place_mm[2]) - self.z_mm
        apart_mm = self.radius_mm + radius_mm
        nearest = math.hypot(max(0.0, aside - self.roams_mm), up)
        return max(nearest - apart_mm, apart_mm - math.hypot(aside + self.roams_mm, up), 0.0)

    def push_at(self, place_mm: Array) -> Array | None:
        """The direction, (3,), in which it pushes a ball centred at a place (3,); None where it may have rolled off."""
        apart = place_mm - np.array([self.x_mm, self.y_mm, self.z_mm])
        return None if self.roams_mm else np.asarray(apart / max(float(np.linalg.norm(apart)), 1.0), dtype=np.float64)

    def touched_by(self, start_mm: Array, way: Array, radius_mm: float) -> Array:
        """Where along a ray, given by a point of it and its direction (3,), a ball would be nearest to touching."""
        centre = np.array([self.x_mm, self.y_mm, self.z_mm])
        apart_mm, steps = self.radius_mm + radius_mm, float(way @ way)
        middle = start_mm + way * float((centre - start_mm) @ way) / steps
        back = math.sqrt(max(0.0, apart_mm**2 - float((middle - centre) @ (middle - centre))) / steps)
        # Of the two places where it would touch, the upper one is seen.
        return np.asarray(middle + way * math.copysign(back, float(way[2])), dtype=np.float64)


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
