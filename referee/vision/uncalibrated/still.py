"""Balls in one picture of an unknown view: whole circles of one colour, shaded as balls are."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame, Plane
from referee.vision.colours import BLACK
from referee.vision.still.picture import StillBall
from referee.vision.still.shading import shading
from referee.vision.uncalibrated.names import colour_name

SIZE_PX: Final = 960
"""Longer side of the picture that is searched: larger ones are scaled down, for balls are then still large enough."""

RADII: Final = (5, SIZE_PX // 6)
"""Radii that are looked for, in its pixels: below, all things look round; what fills a third isn't in play."""

ROUND: Final = 0.75
"""How perfect a circle of edges must be for the circle finder (Hough gradient with verification)."""

EDGE: Final = 60.0
"""Gradient from which it takes a pixel for an edge."""

INSIDE: Final = (0.3, 0.6, 0.82)
OUTSIDE: Final = (1.2, 1.35)
SPOKES: Final = 16
"""Circles, in radii, and places on each, where a ball has its colour and where something else has begun."""

MIN_CHROMA: Final = 14.0
"""Chroma of a coloured ball, in levels."""

MIN_GAP: Final = 14.0
"""Distance, in levels of chroma, of a coloured ball from what is around it."""

WHITE_GAP: Final = 40.0
"""Luma by which a white ball is lighter than what is around it."""

WHITE: Final = 130.0
"""Luma above black of a white ball."""

SAME: Final = 0.85
"""Share of a ball that has its colour, and of its surroundings that haven't."""

SAME_WHITE: Final = 0.95
"""The same for a white one: heads and bellies of pins, cups and paper are white as well, but not as round."""

SHADED: Final = 0.12
"""Change of luma over its radius, by slope or by curvature, from which a disc is a ball: flat print has less."""

HOLLOW: Final = 2.0
"""Upward curvature of luma in any direction, against its slope, from which a disc is no ball: light from the side
leaves half of a ball dark, but no light leaves its middle dark."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Disc:
    """A circle and the colours in it and around it, (n, 3) y, u, v each."""

    x: float
    y: float
    radius: float
    inside: NDArray[np.float64]
    outside: NDArray[np.float64]


def unknown_balls(frame: Frame) -> tuple[StillBall, ...]:
    """Balls of any saturated colour and white ones, wherever they are; ``hole`` is never known."""
    scale = min(1.0, SIZE_PX / max(frame.width_px, frame.height_px))
    size = (round(frame.width_px * scale), round(frame.height_px * scale))
    planes = [
        np.asarray(cv2.resize(plane, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        for plane in (frame.y, frame.u, frame.v)
    ]
    found: list[tuple[float, _Disc]] = []
    for x, y, radius in _circles(planes):
        disc = _disc(planes, x, y, radius)
        score = 0.0 if disc is None else max(_coloured(disc), _white(disc))
        if disc is not None and score > 0 and _is_shaded(planes[0], disc):
            found.append((score, disc))
    return tuple(_ball(disc, scale) for disc in _apart(found))


def _circles(planes: Sequence[Plane]) -> list[tuple[float, float, float]]:
    """Circles in luma, and in chroma with its contrast doubled: (column, row, radius) each."""
    found: list[tuple[float, float, float]] = []
    for plane, gain in zip(planes, (1.0, 2.0, 2.0), strict=True):
        strong = np.clip(128.0 + (plane.astype(np.float32) - 128.0) * gain, 0, 255).astype(np.uint8)
        circles = cv2.HoughCircles(
            cv2.GaussianBlur(strong, (3, 3), 0),
            cv2.HOUGH_GRADIENT_ALT,
            1.5,
            RADII[0] + 1,
            param1=EDGE,
            param2=ROUND,
            minRadius=RADII[0],
            maxRadius=RADII[1],
        )
        if circles is not None:
            found += [
                (float(x), float(y), float(r)) for x, y, r, *_ in np.asarray(circles).reshape(-1, circles.shape[-1])
            ]
    return found


def _disc(planes: Sequence[Plane], x: float, y: float, radius: float) -> _Disc | None:
    """The colours of a circle; None where a third of it is outside the picture."""
    inside, outside = _sampled(planes, x, y, radius, INSIDE), _sampled(planes, x, y, radius, OUTSIDE)
    if 3 * len(inside) < 2 * SPOKES * len(INSIDE) or not len(outside):
        return None
    return _Disc(x=x, y=y, radius=radius, inside=inside, outside=outside)


def _sampled(
    planes: Sequence[Plane], x: float, y: float, radius: float, circles: Sequence[float]
) -> NDArray[np.float64]:
    angles = np.arange(SPOKES) * 2 * math.pi / SPOKES
    reach = radius * np.repeat(circles, SPOKES)
    columns = np.round(x + reach * np.tile(np.cos(angles), len(circles))).astype(np.intp)
    rows = np.round(y + reach * np.tile(np.sin(angles), len(circles))).astype(np.intp)
    height, width = planes[0].shape
    seen = (columns >= 0) & (rows >= 0) & (columns < width) & (rows < height)
    return np.stack([plane[rows[seen], columns[seen]] for plane in planes], axis=1).astype(np.float64)


def _coloured(disc: _Disc) -> float:
    """How well a disc is one patch of a saturated colour with another one all round it; 0 where it isn't."""
    own, around = np.median(disc.inside, axis=0), np.median(disc.outside, axis=0)
    gap = float(np.hypot(*(own - around)[1:]))
    if gap < MIN_GAP or float(np.hypot(*(own[1:] - 128.0))) < MIN_CHROMA:
        return 0.0
    filled = float((np.hypot(*(disc.inside - own)[:, 1:].T) < gap / 2).mean())
    bordered = float((np.hypot(*(disc.outside - own)[:, 1:].T) > gap / 2).mean())
    return filled + bordered if min(filled, bordered) >= SAME else 0.0


def _white(disc: _Disc) -> float:
    """The same for a white one, told by its luma."""
    own, around = np.median(disc.inside, axis=0), np.median(disc.outside, axis=0)
    if own[0] - BLACK < WHITE or own[0] - around[0] < WHITE_GAP:
        return 0.0
    # A ball's dark side is still lighter than what is around it.
    gap = own[0] - around[0]
    filled = float((disc.inside[:, 0] > around[0] + gap / 4).mean())
    bordered = float((disc.outside[:, 0] < around[0] + gap / 2).mean())
    return filled + bordered if min(filled, bordered) >= SAME_WHITE else 0.0


def _is_shaded(luma: Plane, disc: _Disc) -> bool:
    surface = shading(luma, disc.x, disc.y, disc.radius)
    if surface is None:
        return False
    slope, middle = float(np.hypot(*surface[:2])), float(surface[2] + surface[3]) / 2
    most_hollow = middle + float(np.hypot((surface[2] - surface[3]) / 2, surface[4] / 2))
    return max(slope, -middle) >= SHADED and most_hollow <= max(SHADED, HOLLOW * slope)


def _apart(found: list[tuple[float, _Disc]]) -> list[_Disc]:
    """Of circles that overlap the best, the larger of equals: a ball's gloss and shadow make circles too."""
    chosen: list[_Disc] = []
    for _, disc in sorted(found, key=lambda pair: (-round(pair[0], 1), -pair[1].radius)):
        if all(math.hypot(disc.x - c.x, disc.y - c.y) > max(disc.radius, c.radius) for c in chosen):
            chosen.append(disc)
    return chosen


def _ball(disc: _Disc, scale: float) -> StillBall:
    luma, u, v = np.median(disc.inside, axis=0).tolist()
    return StillBall(
        colour=colour_name(luma - BLACK, u - 128.0, v - 128.0),
        x_px=(disc.x + 0.5) / scale - 0.5,
        y_px=(disc.y + 0.5) / scale - 0.5,
        radius_px=disc.radius / scale,
    )
