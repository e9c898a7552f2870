"""The shape of a pin: a solid of revolution, told as balls strung along its axis, in any pose."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.pin import PinSize

Array = NDArray[np.float64]

PROFILE: Final = (
    (0.055, 0.66),
    (0.13, 0.82),
    (0.22, 0.95),
    (0.30, 1.00),
    (0.38, 0.97),
    (0.46, 0.83),
    (0.54, 0.62),
    (0.62, 0.47),
    (0.69, 0.43),
    (0.77, 0.46),
    (0.84, 0.52),
    (0.915, 0.53),
)
"""Centres of the balls as shares of the height, and their radii as shares of the belly's: a bowling pin as its rules
draw it (38.1 cm high, belly 12.1 cm, neck 4.6 cm, head 6.5 cm), which toy pins copy."""


def balls_of(poses: Array, size: PinSize) -> tuple[Array, Array]:
    """Balls that fill pins: centres, (n, k, 3) mm, and radii, (k,) mm.

    ``poses``: (n, 5): foot x, y, z mm, direction in which the head leans (radians from east to north), and tilt
    (0 upright, pi / 2 lying). A tilted pin rests on the edge of its foot, a lying one on its belly.
    """
    heights = np.array([share for share, _ in PROFILE]) * size.height_mm
    radii = np.array([share for _, share in PROFILE]) * size.radius_mm
    foot, lean, tilt = poses[:, :3], poses[:, 3], poses[:, 4]
    axis = np.stack([np.sin(tilt) * np.cos(lean), np.sin(tilt) * np.sin(lean), np.cos(tilt)], axis=1)
    centres = foot[:, None, :] + axis[:, None, :] * heights[None, :, None]
    # Nothing of a pin is below what it rests on: lift it until its lowest ball touches.
    lowest = (centres[:, :, 2] - radii[None, :]).min(axis=1)
    sunk = np.minimum(lowest - foot[:, 2] + LOWEST * size.radius_mm * np.cos(np.minimum(tilt, np.pi / 2)), 0.0)
    centres[:, :, 2] -= sunk[:, None]
    return centres, radii


LOWEST: Final = 0.31
"""How far the lowest ball of an upright pin reaches below its foot, in radii of the belly: the foot is flat, a ball
is round."""
