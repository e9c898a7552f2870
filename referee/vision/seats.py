"""Where balls are seen that lie in the holes of a board."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from calibration.layout import Hole


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seat:
    """Where a ball in a hole is seen: centre and radius in pixels of the full picture, depth from the camera.

    Its cells, as flat indices into the window of the chroma planes that is read: the ball's ``disc``, the ``middle`` of
    it, and the ``ring`` of board around the hole.
    """

    hole: Hole
    x_px: float
    y_px: float
    radius_px: float
    depth_mm: float
    disc: NDArray[np.intp]
    middle: NDArray[np.intp]
    ring: NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patches:
    """The pixels of many patches in one list, ``cells`` (n,), and which patch each belongs to, ``owner`` (n,)."""

    cells: NDArray[np.intp]
    owner: NDArray[np.intp]

    @classmethod
    def of(cls, patches: Sequence[NDArray[np.intp]]) -> Self:
        """All patches, one after the other."""
        return cls(
            cells=np.concatenate([np.zeros(0, dtype=np.intp), *patches]),
            owner=np.repeat(np.arange(len(patches)), [len(patch) for patch in patches]),
        )


def seat_z_mm(hole: Hole, *, top_mm: float, floor_mm: float, radius_mm: float) -> float:
    """Height of the centre of a ball in a hole: on its floor, or on its rim where it is too big to fall in."""
    if radius_mm <= hole.radius_mm:
        return floor_mm + radius_mm
    return top_mm + math.sqrt(radius_mm**2 - hole.radius_mm**2)
