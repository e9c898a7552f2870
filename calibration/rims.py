"""The rims of a board's holes in the picture: dozens of known places that no one has to click."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.edges import BLUR_PX, find_edges
from calibration.parts import Layout
from calibration.perspective import Projection
from calibration.solve import Sighting

Array = NDArray[np.float64]

SAMPLES: Final = 32
# How well an edge across a rim is found, and how well people measure the radius of a hole.
SIGMA_PX: Final = 0.4
RADIUS_SPREAD: Final = 0.02
# Points of one rim err together (light, bevels): each rim counts as this many.
INDEPENDENT: Final = 4
# Points of the rims that are this many samples apart or nearer look the same way out of their holes.
ARC: Final = 3
# Slower changes of brightness, in levels a pixel, are no edge of a rim.
FAINT: Final = 0.7
# Points of a rim that lie this near to one shifted ellipse agree; a rim on which fewer than this share do isn't used.
AGREE_PX: Final = 0.5
LEAST_SHARE: Final = 0.5
# An edge that no one could miss changes this fast. A face with such edges on more than this share of it has holes or
# prints that can be seen; its own border is left out.
PLAIN_EDGE: Final = 4.0
EDGY: Final = 0.02
FACE: Final = 0.94
# A slope of one level a pixel gives this in OpenCV's 3 x 3 Sobel filter.
SOBEL_GAIN: Final = 8.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rims:
    """Edge points on rims near where they are expected; ``found`` of the ``expected`` holes in view show theirs.

    ``reach``: how far they were looked for, in radii of the holes."""

    sighting: Sighting
    found: int
    expected: int
    reach: float

    @property
    def agreed(self) -> float:
        """Which part of all rims shows, 0 to 1: a rim that is found may be partly hidden or faint."""
        return min(1.0, len(self.sighting.seen_px) / (SAMPLES * self.expected)) if self.expected else 0.0

    @property
    def share(self) -> float:
        """Which part of the holes shows its rim, 0 to 1."""
        return self.found / self.expected if self.expected else 0.0


def see_rims(luma: NDArray[np.float32], layout: Layout, camera: Projection, reach: float) -> Rims:
    """Look for each hole's rim within ``reach`` radii of where a camera expects it; faint edges are left out.

    Holes that reach out of the picture are skipped.
    """
    angles = np.arange(SAMPLES) * (2 * np.pi / SAMPLES)
    round_ = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(SAMPLES)])
    centres = np.array([(h.x_mm, h.y_mm, layout.height_mm) for h in layout.holes]).reshape(-1, 3)
    radii = np.array([h.radius_mm for h in layout.holes])
    base = np.repeat(centres, SAMPLES, axis=0)
    spread = (radii[:, None, None] * round_[None]).reshape(-1, 3)
    rim_px = camera.to_px(base + spread)
    outer_px = camera.to_px(base + 1.01 * spread)
    normals = outer_px - rim_px
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    # A rim seen at a slant is narrow: look no further than a share of its smaller half axis.
    to_centre = np.abs(((rim_px - camera.to_px(base)) * normals).sum(axis=1))
    edges = find_edges(luma, rim_px, normals, np.maximum(reach * to_centre, 1.0))
    limits = np.array([luma.shape[1], luma.shape[0]])
    inside = ((rim_px > 2) & (rim_px < limits - 3)).all(axis=1)
    good = inside & (np.abs(edges.slope) >= FAINT)
    good &= _is_usual(np.sign(edges.slope), good)
    good &= _agree(edges.offset_px, normals, good)
    sighting = Sighting(
        base_mm=base[good],
        spread_mm=spread[good],
        seen_px=(rim_px + normals * edges.offset_px[:, None])[good],
        across=normals[good],
        sigma_px=SIGMA_PX,
        share=INDEPENDENT / SAMPLES,
        scale_spread=RADIUS_SPREAD,
    )
    whole = inside.reshape(-1, SAMPLES).all(axis=1)
    found = good.reshape(-1, SAMPLES).any(axis=1)
    return Rims(sighting=sighting, found=int(found.sum()), expected=int((whole | found).sum()), reach=reach)


def has_edges(luma: NDArray[np.float32], layout: Layout, camera: CameraModel) -> bool:
    """Whether the top face shows edges at all, such as rims have, wherever they lie."""
    outline = np.array([(x, y, layout.height_mm) for x, y in layout.outline_mm]) * (FACE, FACE, 1)
    face = np.zeros(luma.shape, dtype=np.uint8)
    cv2.fillPoly(face, [np.rint(camera.to_px(outline)).astype(np.int32)], 1)
    blurred = cv2.GaussianBlur(luma, (0, 0), BLUR_PX)
    slope = np.hypot(cv2.Sobel(blurred, cv2.CV_32F, 1, 0), cv2.Sobel(blurred, cv2.CV_32F, 0, 1)) / SOBEL_GAIN
    on_face = slope[face > 0]
    return on_face.size > 0 and float((on_face >= PLAIN_EDGE).mean()) > EDGY


def _is_usual(sign: Array, good: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which edge points, (n,), get brighter outwards, or darker, as most do on that part of the rims.

    Holes of one board look alike: in most light all is darker within, but the wall of a dark board may be darker than
    the top and the floor before it brighter.
    """
    votes = np.where(good, sign, 0.0).reshape(-1, SAMPLES).sum(axis=0)
    around = sum(np.roll(votes, k) for k in range(-ARC, ARC + 1))
    return np.asarray(sign == np.tile(np.sign(around), len(sign) // SAMPLES), dtype=np.bool_)


def _agree(offset_px: Array, normals: Array, good: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which edge points, (n,), lie on the rim and not on a shadow or print inside: those that most agree with.

    A hole that is seen a little off its place shifts all points of its rim alike: offset = normal . shift. Shifts that
    fit two points are tried for each hole; the one that most points agree with holds.
    """
    offset = offset_px.reshape(-1, SAMPLES)
    usable = good.reshape(-1, SAMPLES)
    normal = normals.reshape(-1, SAMPLES, 2)
    best = np.zeros_like(usable)
    for apart in (5, 8, 11):
        other, other_offset = np.roll(normal, apart, axis=1), np.roll(offset, apart, axis=1)
        area = normal[..., 0] * other[..., 1] - normal[..., 1] * other[..., 0]
        area = np.where(np.abs(area) < 0.1, np.inf, area)
        x = (offset * other[..., 1] - normal[..., 1] * other_offset) / area
        y = (normal[..., 0] * other_offset - offset * other[..., 0]) / area
        for i in range(SAMPLES):
            away = offset - normal[..., 0] * x[:, i, None] - normal[..., 1] * y[:, i, None]
            agreed = usable & (np.abs(away) < AGREE_PX)
            better = agreed.sum(axis=1) > best.sum(axis=1)
            best[better] = agreed[better]
    best[best.sum(axis=1) < LEAST_SHARE * SAMPLES] = False
    return best.ravel()
