"""Names of colours for things whose colours nobody announced."""

import math
from typing import Final

BANDS: Final = (
    (85.0, "purple"),
    (116.0, "red"),
    (146.0, "orange"),
    (190.0, "yellow"),
    (300.0, "green"),
    (365.0, "blue"),
    (445.0, "purple"),
)
"""Up to which hue, atan2(V - 128, U - 128) in degrees, a name holds: between the hues of saturated paints."""

WHITE_CHROMA: Final = 0.14
"""Chroma against luma up to which a thing has no hue."""

PALE: Final = 0.45
"""The same up to which a light red or purple is called pink."""

LIGHT: Final = 120.0
"""Luma above black from which a thing is light."""

BLACK_LUMA: Final = 36.0
"""Luma above black up to which a thing without a hue is black."""


def colour_name(luma: float, u: float, v: float) -> str:
    """What people call a colour. ``luma``: levels above black; ``u``, ``v``: chroma levels from grey."""
    chroma = math.hypot(u, v)
    if chroma < WHITE_CHROMA * max(luma, BLACK_LUMA):
        return "black" if luma < BLACK_LUMA else "white" if luma > LIGHT else "grey"
    hue = math.degrees(math.atan2(v, u)) % 360.0
    name = next(name for end, name in BANDS if hue < end)
    return "pink" if name in ("red", "purple") and luma > LIGHT and chroma < PALE * luma else name
