"""Where a board may be by its outline, where its holes don't tell: perspectives that put it onto straight lines."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.evidence import REACHES
from calibration.lane_seeds import bent, distinct, met
from calibration.lens import Lens
from calibration.parts import Layout
from calibration.perspective import Plane
from calibration.planes import Planes
from calibration.quads import find_faces, find_quads, find_segments
from calibration.rims import see_rims

# Four-sided figures that are looked at, perspectives of them that are compared, those looked at for rims, and closely.
MOST_QUADS: Final = 400
FIRST: Final = 200
HOPEFUL: Final = 12
KEPT: Final = 5
# A camera sees right angles and sides as long as they are; lenses bend them by no more than this (radians, log ratio).
BENT: Final = 0.2
CORNERS: Final = 4


def match_outline(planes: Planes, layout: Layout, lens: Lens | None) -> list[Plane]:
    """Perspectives, mm on the top face to pixels, of a four-sided board, in all turns: those that show most rims."""
    outline = np.array(layout.outline_mm)
    if len(outline) != CORNERS:
        return []
    height_px, width_px = planes.luma.shape
    whole = [np.clip(plane, 0, 255).astype(np.uint8) for plane in (planes.luma, planes.u, planes.v)]
    segments = np.concatenate([find_segments(plane, width_px) for plane in whole])
    free = np.full((height_px, width_px), 255, dtype=np.uint8)
    cv2.polylines(free, list(np.rint(segments).astype(np.int32)), False, 0, 1)
    away_px = np.asarray(cv2.distanceTransform(free, cv2.DIST_L2, 5))
    rated: list[tuple[float, Plane]] = []
    for quads in (find_quads(segments, width_px, height_px)[:MOST_QUADS], find_faces(whole, width_px, height_px)):
        found: list[Plane] = []
        for turn in range(CORNERS):
            homographies = _homographies(quads, np.roll(outline, turn, axis=0))
            homographies = homographies[bent(homographies, width_px, height_px, lens) < BENT]
            order = np.argsort(-met(homographies, away_px, [outline]), kind="stable")[:FIRST]
            found += distinct([Plane(homography=homographies[number]) for number in order], layout, HOPEFUL)
        rated += [(see_rims(planes.luma, layout, plane, REACHES[0].rims).agreed, plane) for plane in found]
    rated.sort(key=lambda each: -each[0])
    return [plane for _, plane in rated[:KEPT]]


def _homographies(quads: NDArray[np.float64], outline: NDArray[np.float64]) -> NDArray[np.float64]:
    """Perspectives, (n, 3, 3), that put an outline, (4, 2) mm, onto each figure, (n, 4, 2)."""
    return np.array(
        [cv2.getPerspectiveTransform(outline.astype(np.float32), quad.astype(np.float32)) for quad in quads]
    ).reshape(-1, 3, 3)
