"""Level surfaces that a ball can meet, whatever they belong to: a height, and where it ends."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray


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

    def centre_z_mm(self, index: int) -> float:
        """Height of the centre of a ball that touches a surface from above."""
        return self.surfaces[index].z_mm + self.radius_mm

    def trespass_mm(self, index: int, x_mm: float, y_mm: float) -> float:
        """How far a ball that touches a surface at a place would have to be moved for that to be possible, at least.

        It may overhang an edge by half its radius. Beside a higher surface it keeps its radius away, for there is a
        wall; over a lower one it hangs on the rim.
        """
        surface = self.surfaces[index]
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
        return -float(cv2.pointPolygonTest(outline, (float(x_mm), float(y_mm)), True))

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
