"""A view without the bend that a wide lens gives to straight lines, for finding lines and grids, and the way back."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import pinhole_matrix
from calibration.lens import Lens
from calibration.perspective import Projection
from calibration.prints import Chroma

Array = NDArray[np.float64]

# A wide lens such as cameras have, where no other is known: its focal length in picture widths (90 degrees), its radial
# terms. Any wide lens bends lines much more than what is left of it after this one is taken out.
WIDE_FOCAL: Final = 0.5
WIDE_DIST: Final = (-0.25, 0.08, 0.0, 0.0, 0.0)
# What was drawn in at the picture's edges needs room.
SHRINK: Final = 0.8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Straight:
    """A lens and the size of its pictures."""

    matrix: Array
    dist: Array
    width_px: int
    height_px: int

    @classmethod
    def of(cls, lens: Lens | None, width_px: int, height_px: int) -> "Straight":
        """Without a lens the usual wide one."""
        if lens is not None:
            return cls(matrix=lens.matrix, dist=lens.dist, width_px=width_px, height_px=height_px)
        matrix = pinhole_matrix(WIDE_FOCAL * width_px, width_px, height_px)
        return cls(matrix=matrix, dist=np.array(WIDE_DIST), width_px=width_px, height_px=height_px)

    @property
    def shown(self) -> Array:
        """The matrix, (3, 3), of the straight picture."""
        return np.asarray(self.matrix * [[SHRINK, 1, 1], [1, SHRINK, 1], [1, 1, 1]], dtype=np.float64)

    def luma(self, luma: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The straight picture of a plane, (height, width), in its own size."""
        return self._picture(luma, 1.0)

    def chroma(self, chroma: Chroma) -> Chroma:
        return Chroma(u=self._picture(chroma.u, 0.5), v=self._picture(chroma.v, 0.5))

    def to_px(self, points_px: Array) -> Array:
        """Where points of the straight picture, (n, 2), are in the bent one."""
        rays = np.column_stack([points_px, np.ones(len(points_px))]) @ np.linalg.inv(self.shown).T
        out, _ = cv2.projectPoints(rays.reshape(-1, 1, 3), np.zeros(3), np.zeros(3), self.matrix, self.dist)
        return np.asarray(out, dtype=np.float64).reshape(-1, 2)

    def _picture(self, plane: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
        # Pixels are where their middles are.
        to_plane = np.array([[scale, 0, (scale - 1) / 2], [0, scale, (scale - 1) / 2], [0, 0, 1]])
        size = (plane.shape[1], plane.shape[0])
        maps = cv2.initUndistortRectifyMap(
            to_plane @ self.matrix, self.dist, np.eye(3), to_plane @ self.shown, size, cv2.CV_32FC1
        )
        return np.asarray(cv2.remap(plane, *maps, cv2.INTER_LINEAR), dtype=np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BentPlane:
    """A perspective in a straight picture, seen through the lens that bends it."""

    plane: Projection
    straight: Straight

    def to_px(self, points_mm: Array) -> Array:
        return self.straight.to_px(self.plane.to_px(points_mm))
