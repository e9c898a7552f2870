"""Does the field of a lane look like one surface? Stripes of a cloth make lines and corners too, but not this."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.parts import Layout
from calibration.perspective import Projection
from calibration.planes import Planes, levels_at

Array = NDArray[np.float64]

# Places that are looked at: so many along each side of the field, so far within it, away from its corners.
SAMPLES: Final = 60
FROM: Final = 0.06
WITHIN_MM: Final = (3.0, 5.0, 8.0)
# Luma of black in video.
BLACK: Final = 16.0
# One surface, in any shade down to this, is no brighter than its commonest look times this, and so many levels.
DARKEST: Final = 0.12
BRIGHTER: Final = 1.3
BRIGHTER_LEVELS: Final = 8.0
# Levels by which its chroma may be off: noise, grain (a share of its chroma), other light in the shade (of its luma).
NOISE: Final = 5.0
GRAIN: Final = 0.1
OTHER_LIGHT: Final = 0.03


def share_of_one_look(planes: Planes, layout: Layout, seen_by: Projection) -> float:
    """Which part of the field, along its four sides, has one colour in light or shade, 0 to 1; pins hide the rest."""
    corners = np.array(layout.corners_mm if layout.lane is None else layout.lane.corners_mm)
    middle = corners.mean(axis=0)
    along = np.linspace(FROM, 1 - FROM, SAMPLES)[:, None]
    places = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        inwards = middle - (start + end) / 2
        inwards /= np.linalg.norm(inwards)
        places += [start + (end - start) * along + within * inwards for within in WITHIN_MM]
    looks = _looks(planes, seen_by.to_px(np.concatenate(places)))
    look = np.median(looks, axis=0)
    light = np.clip(looks[:, 0] / max(float(look[0]), 4.0), DARKEST, BRIGHTER)
    tint = np.hypot(*(looks[:, 1:] - light[:, None] * look[1:]).T)
    slack = NOISE + GRAIN * np.hypot(*look[1:]) + OTHER_LIGHT * look[0] * np.maximum(1 - light, 0.0)
    return float(((tint < slack) & (looks[:, 0] < BRIGHTER * look[0] + BRIGHTER_LEVELS)).mean())


def _looks(planes: Planes, points_px: Array) -> Array:
    """Luma above black and both chroma planes about neutral at points, (n, 2): (n, 3)."""
    out = np.empty((len(points_px), 3))
    for k, (plane, offset) in enumerate(((planes.luma, BLACK), (planes.u, 128.0), (planes.v, 128.0))):
        out[:, k] = levels_at(plane, points_px, plane.shape[1] / planes.luma.shape[1]) - offset
    return out
