"""Shadows on things of a ball's colour: they differ from the still scene, and have that colour, but are no balls."""

import numpy as np

from referee.vision.colours import BLACK, Planes

SHADE_LUMA = 0.9
"""Luma, against that of the still scene, below which a surface has got darker by more than noise."""

SHADE_CHROMA = 0.25
SHADE_LEVELS = 3.0
"""How far the chroma of a shaded surface may be from its own, scaled down as its luma was: by a share of it, and by
levels."""

SHADOW_SHARE = 0.6
"""Share of shade from which a region is a shadow: a ball over a surface of its colour has a light side too."""


def is_shadow(now: Planes, still: Planes) -> bool:
    """Whether the pixels of a region, (n,) each, show what the still scene shows there, only darker."""
    luma, was_luma = (planes[0].astype(np.float32) - BLACK for planes in (now, still))
    share = np.maximum(luma, 0.0) / np.maximum(was_luma, 1.0)
    is_darker = share < SHADE_LUMA
    least = SHADOW_SHARE * len(share)
    if np.count_nonzero(is_darker) <= least:
        return False
    u, v, was_u, was_v = (plane.astype(np.float32) - 128.0 for planes in (now, still) for plane in planes[1:])
    was_u, was_v = share * was_u, share * was_v
    near = SHADE_LEVELS + SHADE_CHROMA * np.hypot(was_u, was_v)
    return bool(np.count_nonzero(is_darker & (np.hypot(u - was_u, v - was_v) < near)) > least)
