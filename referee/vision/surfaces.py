"""What a ball can meet, whatever it belongs to: level surfaces that have an end, and obstacles on and beside them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.footing import Footing, level
from referee.vision.obstacles import Direction, Obstacle, Wall

UPWARDS: Direction = (0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """A level surface at ``z_mm``, within a polygon of (x, y) corners, or without an end (None)."""

    name: str
    z_mm: float
    polygon_mm: tuple[tuple[float, float], ...] | None = None


@dataclass(frozen=True, kw_only=True)
class Terrain:
    """Surfaces as met by a ball of one radius. Where several lie one over the other the smallest is the one that is
    there: a board on a table, a pit in a board."""

    surfaces: tuple[Surface, ...]
    radius_mm: float
    obstacles: tuple[Obstacle, ...] = ()

    def footing(self, index: int) -> Footing:
        """Where the centre of a ball can be that touches a surface, or an obstacle: these come after the surfaces."""
        return self._footings[index]

    @cached_property
    def _footings(self) -> tuple[Footing, ...]:
        return (
            *(level(self.centre_z_mm(index)) for index in range(len(self.surfaces))),
            *(obstacle.footing(self.radius_mm) for obstacle in self.obstacles),
        )

    def touched_by(self, start_mm: Sequence[float], way: Sequence[float]) -> list[tuple[float, float, float]]:
        """Where along a ray, given by a point of it and its direction (3,), a ball would touch each of them."""
        (x_mm, y_mm, z_mm), (dx, dy, dz) = start_mm, way
        shares = [(z_mm - self.centre_z_mm(index)) / (-dz or 1e-9) for index in range(len(self.surfaces))]
        shares += [obstacle.touched_by(start_mm, way, self.radius_mm) for obstacle in self.obstacles]
        return [(x_mm + dx * share, y_mm + dy * share, z_mm + dz * share) for share in shares]

    @cached_property
    def highest_z_mm(self) -> float:
        """Height of the centre of a ball on the highest surface."""
        return max(self.centre_z_mm(index) for index in range(len(self.surfaces)))

    def is_level(self, index: int) -> bool:
        return index < len(self.surfaces)

    def is_upright(self, index: int) -> bool:
        return not self.is_level(index) and isinstance(self.obstacles[index - len(self.surfaces)], Wall)

    def push_at(self, index: int, place_mm: Sequence[float]) -> Direction | None:
        """The direction in which a surface or obstacle pushes a ball centred at a place (3,), where that is
        known."""
        if self.is_level(index):
            return UPWARDS
        return self.obstacles[index - len(self.surfaces)].push_at(place_mm)

    def centre_z_mm(self, index: int) -> float:
        """Height of the centre of a ball that touches a surface from above."""
        return self.surfaces[index].z_mm + self.radius_mm

    def trespass_mm(self, index: int, place_mm: Sequence[float]) -> float:
        """How far a ball, centred at a place (3,), would have to be moved for it to touch a surface or an obstacle, at
        least.

        On a surface it may overhang an edge by half its radius. Beside a higher surface it keeps its radius away, for
        there is a wall; over a lower one it hangs on the rim.
        """
        if not self.is_level(index):
            return self.obstacles[index - len(self.surfaces)].trespass_mm(place_mm, self.radius_mm)
        surface, (x_mm, y_mm, _) = self.surfaces[index], place_mm
        wrong = self._outside_mm(index, x_mm, y_mm) - self.radius_mm / 2
        for other in self._inside_of[index]:
            gap = self._outside_mm(other, x_mm, y_mm)
            is_wall = self.surfaces[other].z_mm > surface.z_mm
            wrong = max(wrong, self.radius_mm - gap if is_wall else -gap - self.radius_mm)
        return max(0.0, wrong)

    def _outside_mm(self, index: int, x_mm: float, y_mm: float) -> float:
        """Distance from a surface's outline, negative within it."""
        outline = self._outlines[index]
        if outline is None:
            return -math.inf
        return -float(cv2.pointPolygonTest(outline, (x_mm, y_mm), True))

    @cached_property
    def _outlines(self) -> tuple[NDArray[np.float32] | None, ...]:
        return tuple(
            None if surface.polygon_mm is None else np.array(surface.polygon_mm, dtype=np.float32).reshape(-1, 1, 2)
            for surface in self.surfaces
        )

    @cached_property
    def _inside_of(self) -> tuple[tuple[int, ...], ...]:
        """For each surface those that cover it or are let into it: of two the smaller, of equal ones the higher."""
        ranks = [
            (-math.inf if outline is None else -float(cv2.contourArea(outline)), surface.z_mm)
            for surface, outline in zip(self.surfaces, self._outlines, strict=True)
        ]
        every: Sequence[int] = range(len(ranks))
        return tuple(tuple(other for other in every if ranks[other] > ranks[one]) for one in every)
