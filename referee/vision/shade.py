"""Shadows on things of a ball's colour: they differ from the still scene, and have that colour, but are no balls."""

import numpy as np
from numpy.typing import NDArray

from referee.vision.colours import BLACK, Planes

SHADE_LUMA = 0.9
"""Luma, against that of the still scene, below which a surface has got darker by more than noise."""

SHADE_CHROMA = 0.25
SHADE_LEVELS = 3.0
"""How far the chroma of a shaded surface may be from its own, scaled down as its luma was: by a share of it, and by
levels."""


def shaded(now: Planes, were: Planes) -> NDArray[np.bool_]:
    """Which pixels, (n,) each, show what the still scene shows there, only darker."""
    luma, u, v = (plane.astype(np.float32) for plane in now)
    was_luma, was_u, was_v = (plane.astype(np.float32) for plane in were)
    share = np.maximum(luma - BLACK, 0.0) / np.maximum(was_luma - BLACK, 1.0)
    was_u, was_v = share * (was_u - 128.0), share * (was_v - 128.0)
    off = np.hypot(u - 128.0 - was_u, v - 128.0 - was_v)
    return np.asarray((share < SHADE_LUMA) & (off < SHADE_LEVELS + SHADE_CHROMA * np.hypot(was_u, was_v)))
