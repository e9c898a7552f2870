"""The border of a board's top face in the picture: straight edges where a camera expects them."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.edges import find_edges
from calibration.parts import Layout
from calibration.perspective import Projection
from calibration.planes import Planes
from calibration.solve import Sighting
from calibration.strips import Strip, see_strip

Array = NDArray[np.float64]

SAMPLES: Final = 48
# Corners are rounded: sides are looked at between these shares of their length.
FROM: Final = 0.05
TO: Final = 0.95
# How well an edge across a side is found, and how well people measure a board.
SIGMA_PX: Final = 0.5
SIZE_SPREAD: Final = 0.004
# Points of one side err together (bevels, shadows): each side counts as this many.
INDEPENDENT: Final = 3
# Slower changes of brightness, in levels a pixel, are no edge.
FAINT: Final = 0.7
# Edge points this near to one straight line agree; a side on which fewer than this share do isn't used.
AGREE_PX: Final = 0.7
LEAST_SHARE: Final = 0.5
# How far off a border may be by which a place is judged, as a share of the board's width, and how much beside it is
# looked at.
NEAR: Final = 0.008
BESIDE_MM: Final = 14.0
# Sides shorter than this in the picture say nothing.
SHORT_PX: Final = 12.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Borders:
    """Edge points on the sides that show; ``shares``: of each side in view, which part of its points agree."""

    sighting: Sighting
    shares: tuple[float, ...]

    @property
    def share(self) -> float:
        """Which part of the border shows, 0 to 1."""
        return float(np.mean(self.shares)) if self.shares else 0.0


def see_borders(luma: NDArray[np.float32], layout: Layout, camera: Projection, reach_mm: float) -> Borders:
    """Look for each side of the top face within ``reach_mm`` of where a camera expects it, in (height, width) luma."""
    corners = np.array([(x, y, layout.height_mm) for x, y in layout.outline_mm])
    along = np.linspace(FROM, TO, SAMPLES)[:, None]
    base, spread, seen, across, shares = [], [], [], [], []
    middle = np.array([0.0, 0.0, layout.height_mm])
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        places = start + (end - start) * along
        places_px = camera.to_px(places)
        direction = (end - start) / np.linalg.norm(end - start)
        outwards_px = camera.to_px(places + np.array([direction[1], -direction[0], 0.0])) - places_px
        tangents = np.gradient(places_px, axis=0)
        normals = np.column_stack([-tangents[:, 1], tangents[:, 0]])
        normals *= np.sign((normals * outwards_px).sum(axis=1, keepdims=True))
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
        reach_px = np.maximum(reach_mm * np.abs((outwards_px * normals).sum(axis=1)), 1.5)
        limits = (luma.shape[1] - 3, luma.shape[0] - 3)
        inside = ((places_px > 2) & (places_px < limits)).all(axis=1)
        if inside.sum() < SAMPLES / 3 or np.linalg.norm(places_px[-1] - places_px[0]) < SHORT_PX:
            continue
        edges = find_edges(luma, places_px, normals, reach_px)
        good = inside & (np.abs(edges.slope) >= FAINT)
        good &= _agree(along[:, 0], edges.offset_px, edges.slope, good)
        shares.append(float(good.sum() / inside.sum()))
        if shares[-1] < LEAST_SHARE:
            continue
        base.append(np.repeat(middle[None], good.sum(), axis=0))
        spread.append(places[good] - middle)
        seen.append((places_px + normals * edges.offset_px[:, None])[good])
        across.append(normals[good])
    sighting = Sighting(
        base_mm=np.concatenate([np.zeros((0, 3)), *base]),
        spread_mm=np.concatenate([np.zeros((0, 3)), *spread]),
        seen_px=np.concatenate([np.zeros((0, 2)), *seen]),
        across=np.concatenate([np.zeros((0, 2)), *across]),
        sigma_px=SIGMA_PX,
        share=INDEPENDENT / SAMPLES,
        scale_spread=SIZE_SPREAD,
    )
    return Borders(sighting=sighting, shares=tuple(shares))


def border_in_colour(planes: Planes, layout: Layout, camera: Projection) -> tuple[float, ...]:
    """Which part of each side of the top face sets it off from what is beside it, in light or in colour, 0 to 1."""
    corners = np.array([(x, y, layout.height_mm) for x, y in layout.outline_mm])
    sides = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
    strip = Strip(
        sides_mm=sides,
        cuts_mm=(0.0,),
        reaches_mm=(NEAR * min(layout.size_mm),) * len(sides),
        context_mm=BESIDE_MM,
        spread_mm=np.zeros_like(sides),
        scale_spread=SIZE_SPREAD,
        loose_mm=0.0,
    )
    return see_strip(planes, strip, camera).shares


def _agree(along: Array, offset_px: Array, slope: Array, good: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which edge points, (n,), lie on the straight line, bright on the same side, that most lie on."""
    best = np.zeros_like(good)
    for bright in (1, -1):
        usable = good & (np.sign(slope) == bright)
        numbers = np.flatnonzero(usable)
        if len(numbers) < 2:
            continue
        one, other = (grid.ravel() for grid in np.meshgrid(numbers, numbers, indexing="ij"))
        far = along[other] - along[one] > 0.25
        one, other = one[far], other[far]
        rise = (offset_px[other] - offset_px[one]) / (along[other] - along[one])
        lines = offset_px[one, None] + rise[:, None] * (along[None] - along[one, None])
        agreed = usable & (np.abs(offset_px - lines) < AGREE_PX)
        counts = agreed.sum(axis=1)
        if counts.size and counts.max() > best.sum():
            best = agreed[int(counts.argmax())]
    return best
