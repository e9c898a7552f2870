"""A flat face in perspective: homographies from millimetres on it to pixels."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Projection(Protocol):
    """What shows places of the world, (n, 3) mm, as pixels, (n, 2): a camera, or a perspective of one face."""

    def to_px(self, points_mm: Array) -> Array: ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plane:
    """A perspective, (3, 3), of the face that everything lies on; heights don't matter to it."""

    homography: Array

    def to_px(self, points_mm: Array) -> Array:
        return map_places(self.homography, points_mm[:, :2])


def map_places(homography: Array, places: Array) -> Array:
    """Places, (n, 2), through a perspective, (3, 3)."""
    mapped = np.column_stack([places, np.ones(len(places))]) @ homography.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(mapped[:, :2] / mapped[:, 2:], dtype=np.float64)


def turn_matrix(turn_deg: float) -> Array:
    """Counter-clockwise, (2, 2)."""
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    return np.array([[c, -s], [s, c]])


def misshapen(ratios: Array) -> Array:
    """How different two ellipses are whose shapes have a ratio, (..., 2, 2): the larger log ratio of squared axes."""
    half = (ratios[..., 0, 0] + ratios[..., 1, 1]) / 2
    product = ratios[..., 0, 0] * ratios[..., 1, 1] - ratios[..., 0, 1] * ratios[..., 1, 0]
    root = np.sqrt(np.maximum(half**2 - product, 0))
    large = np.maximum(half + root, 1e-12)
    return np.asarray(np.maximum(np.abs(np.log(large)), np.abs(np.log(np.maximum(product, 1e-12) / large))))
