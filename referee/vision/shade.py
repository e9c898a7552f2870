"""Shadows on things of a ball's colour: they differ from the still scene, and have that colour, but are no balls."""

import numpy as np
from numpy.typing import NDArray

from referee.vision.colours import BLACK

SHADE_LUMA = 0.9
"""Luma, against that of the still scene, below which a surface has got darker by more than noise."""

SHADE_CHROMA = 0.25
SHADE_LEVELS = 3.0
"""How far the chroma of a shaded surface may be from its own, scaled down as its luma was: by a share of it, and by
levels."""


def shaded(now: NDArray[np.uint8], were: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which pixels show what the still scene shows there, only darker: (n,). ``now``, ``were``: luma, U and V of the
    pixels, and of the still scene, (3, n)."""
    luma, was_luma = ((np.maximum(looks[0], BLACK) - np.uint8(BLACK)).astype(np.float32) for looks in (now, were))
    share = luma / np.maximum(was_luma, 1.0)
    is_shaded = share < SHADE_LUMA
    darker = np.flatnonzero(is_shaded)
    there, were_there = (looks[1:].take(darker, axis=1).astype(np.float32) - np.float32(128.0) for looks in (now, were))
    were_there *= share.take(darker)
    off, was = np.square(there - were_there), np.square(were_there)
    most = SHADE_LEVELS + SHADE_CHROMA * np.sqrt(was[0] + was[1])
    is_shaded[darker] = off[0] + off[1] < np.square(most)
    return np.asarray(is_shaded, dtype=np.bool_)
