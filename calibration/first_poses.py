"""First poses for a fit: a scan over focal lengths with the two poses that each allows.

Those are found by IPPE (Collins and Bartoli 2014).
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel, pinhole_matrix
from calibration.lens import Lens

Array = NDArray[np.float64]

SCAN: Final = tuple(float(f) for f in np.geomspace(0.25, 2.0, 13))
STARTS: Final = 5
# Objects this flat are handled as flat at first; the fit then takes every height as it is.
FLAT_MM: Final = 1.0


def first_cameras(points: Array, seen: Array, width_px: int, height_px: int, lens: Lens | None) -> list[CameraModel]:
    """The most promising cameras above the table for points, (n, 3) mm, seen at pixels, (n, 2), best first.

    Without a lens, pinhole cameras of many focal lengths.
    """
    found: list[tuple[float, CameraModel]] = []
    for share in SCAN if lens is None else (0.0,):
        pinhole = pinhole_matrix(share * width_px, width_px, height_px)
        matrix, dist = (pinhole, np.zeros(5)) if lens is None else (lens.matrix, lens.dist)
        for rotation, translation_mm in _poses(points, seen, matrix, dist):
            camera = CameraModel(
                matrix=matrix,
                dist=dist,
                rotation=rotation,
                translation_mm=translation_mm,
                width_px=width_px,
                height_px=height_px,
            )
            if camera.centre_mm[2] > 0 and camera.depth_mm(points).min() > 0:
                found.append((float(((camera.to_px(points) - seen) ** 2).mean()), camera))
    found.sort(key=lambda entry: entry[0])
    return [camera for _, camera in found[:STARTS]]


def _poses(points_mm: Array, seen_px: Array, matrix: Array, dist: Array) -> list[tuple[Array, Array]]:
    """Rotations (3, 3) and translations (3,) that may show points, (n, 3), at pixels, (n, 2)."""
    # OpenCV wants flat objects at height 0.
    level_mm = np.array([0.0, 0.0, points_mm[:, 2].mean()])
    is_flat = float(np.ptp(points_mm[:, 2])) < FLAT_MM
    method = cv2.SOLVEPNP_IPPE if is_flat else cv2.SOLVEPNP_SQPNP
    points = (points_mm - level_mm) * (1, 1, 0 if is_flat else 1)
    try:
        _, rvecs, tvecs, _ = cv2.solvePnPGeneric(points, seen_px, matrix, dist, flags=method)
    except cv2.error:
        return []
    rotations = [np.asarray(cv2.Rodrigues(rvec)[0], dtype=np.float64) for rvec in rvecs]
    translations = [np.asarray(tvec, dtype=np.float64).ravel() for tvec in tvecs]
    return [(r, t - r @ level_mm) for r, t in zip(rotations, translations, strict=True)]
