"""The pinhole camera with lens distortion: world millimetres to pixels and back."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def pinhole_matrix(focal_px: float, width_px: int, height_px: int) -> Array:
    """The matrix, (3, 3), of a camera that is centred behind its lens."""
    return np.array([[focal_px, 0.0, (width_px - 1) / 2], [0.0, focal_px, (height_px - 1) / 2], [0.0, 0.0, 1.0]])


@dataclass(frozen=True, kw_only=True, eq=False)
class CameraModel:
    """OpenCV's model (x right, y down, z forward): p_cam = R @ p_world + t_mm, pixels by K and dist.

    ``matrix``: (3, 3), ``dist``: k1, k2, p1, p2, k3, ``rotation``: (3, 3), ``translation_mm``: (3,), all float64.
    """

    matrix: Array
    dist: Array
    rotation: Array
    translation_mm: Array
    width_px: int
    height_px: int

    @cached_property
    def centre_mm(self) -> Array:
        """Where the camera is in the world, (3,)."""
        return np.asarray(-self.rotation.T @ self.translation_mm, dtype=np.float64)

    @property
    def focal_px(self) -> float:
        return float(self.matrix[0, 0] + self.matrix[1, 1]) / 2

    def to_px(self, points_mm: Array) -> Array:
        """Project world points, (n, 3) mm, to pixels, (n, 2)."""
        points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 1, 3)
        if len(points) == 0:
            return np.zeros((0, 2))
        rvec, _ = cv2.Rodrigues(self.rotation)
        out, _ = cv2.projectPoints(points, rvec, self.translation_mm, self.matrix, self.dist)
        return np.asarray(out, dtype=np.float64).reshape(-1, 2)

    def undistort(self, points_px: Array) -> Array:
        """Pixels, (n, 2), to normalised image coordinates (x/z, y/z in the camera frame), (n, 2)."""
        points = np.asarray(points_px, dtype=np.float64).reshape(-1, 1, 2)
        if len(points) == 0:
            return np.zeros((0, 2))
        criteria = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 20, 1e-8)
        out = cv2.undistortPoints(points, self.matrix, self.dist, criteria=criteria)
        return np.asarray(out, dtype=np.float64).reshape(-1, 2)

    def to_mm(self, points_px: Array, z_mm: float | Array) -> Array:
        """Where the rays through pixels, (n, 2), meet the horizontal plane ``z_mm``, or each its own of
        (n,): (n, 3) mm."""
        xy = self.undistort(points_px)
        rays = np.column_stack([xy, np.ones(len(xy))]) @ self.rotation
        scale = (z_mm - self.centre_mm[2]) / rays[:, 2]
        return np.asarray(self.centre_mm + rays * scale[:, None], dtype=np.float64)

    def depth_mm(self, points_mm: Array) -> Array:
        """Distance along the optical axis of world points, (n, 3): (n,)."""
        points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3)
        return np.asarray(points @ self.rotation[2] + self.translation_mm[2], dtype=np.float64)

    def radius_px(self, points_mm: Array, radius_mm: float) -> Array:
        """Apparent radius of balls centred at world points, (n, 3): (n,) pixels (small-ball approximation)."""
        return np.asarray(self.focal_px * radius_mm / self.depth_mm(points_mm), dtype=np.float64)
