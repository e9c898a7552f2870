"""The shape of a pin: a solid of revolution, told as balls strung along its axis, in any pose."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.pin import PinSize

Array = NDArray[np.float64]


def balls_of(poses: Array, size: PinSize) -> tuple[Array, Array]:
    """Balls that fill pins: centres, (n, k, 3) mm, and radii, (k,) mm.

    ``poses``: (n, 5): foot x, y, z mm, direction in which the head leans (radians from east to north), and tilt
    (0 upright, pi / 2 lying). A tilted pin rests on the edge of its foot, a lying one on its belly.
    """
    heights, radii = heights_of(size)
    feet, axes = axes_of(poses, size)
    return feet.T[:, None] + axes.T[:, None] * heights[:, None], radii


def axes_of(poses: Array, size: PinSize) -> tuple[Array, Array]:
    """Where the axes of pins begin, (3, n) mm, and their directions, (3, n), of length 1."""
    heights, radii = heights_of(size)
    x, y, z, lean, tilt = poses.T
    axes = np.empty((3, len(poses)))
    across = np.sin(tilt)
    axes[0], axes[1], axes[2] = across * np.cos(lean), across * np.sin(lean), np.cos(tilt)
    # Nothing of a pin is below what it rests on: lift it until its lowest ball touches.
    lowest = (axes[2] * heights[:, None] - radii[:, None]).min(axis=0)
    # The foot is flat, a ball is round: upright, the lowest one reaches below it.
    below = max(float((radii - heights).max()), 0.0)
    sunk = np.minimum(lowest + below * np.cos(np.minimum(tilt, np.pi / 2)), 0.0)
    return np.stack([x, y, z - sunk]), axes


@lru_cache(maxsize=64)
def heights_of(size: PinSize) -> tuple[Array, Array]:
    """Heights of a pin's balls above its foot, and their radii, (k,) mm."""
    shares = np.array(size.profile)
    heights, radii = shares[:, 0] * size.height_mm, shares[:, 1] * size.radius_mm
    # They are shared by all who ask.
    heights.flags.writeable = radii.flags.writeable = False
    return heights, radii
