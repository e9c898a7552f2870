"""Shadows on things of a ball's colour: they differ from the still scene, and have that colour, but are no balls."""

import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame, Plane
from referee.vision.background import Planes
from referee.vision.colours import BLACK

SHADE_LUMA = 0.9
"""Luma, against that of the still scene, below which a surface has got darker by more than noise."""

SHADE_CHROMA = 0.25
SHADE_LEVELS = 3.0
"""How far the chroma of a shaded surface may be from its own, scaled down as its luma was: by a share of it, and by
levels."""


def shaded(cells: NDArray[np.intp], frame: Frame, luma_half: Plane, still: Planes) -> NDArray[np.bool_]:
    """Which pixels of the chroma planes, as flat indices, show what the still scene shows there, only darker."""
    luma, u, v = (plane.ravel()[cells].astype(np.float32) for plane in (luma_half, frame.u, frame.v))
    was_luma, was_u, was_v = (plane.ravel()[cells].astype(np.float32) for plane in still)
    share = np.maximum(luma - BLACK, 0.0) / np.maximum(was_luma - BLACK, 1.0)
    was_u, was_v = share * (was_u - 128.0), share * (was_v - 128.0)
    off = np.hypot(u - 128.0 - was_u, v - 128.0 - was_v)
    is_shaded = (share < SHADE_LUMA) & (off < SHADE_LEVELS + SHADE_CHROMA * np.hypot(was_u, was_v))
    return np.asarray(is_shaded, dtype=np.bool_)
