"""The picture that pins are read in: the lane and what is around it, undistorted, always at the same size of a pin."""

import math
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from hardware.frame import Frame
from referee.vision.pins.pin import PinSize

Array = NDArray[np.float64]
Image = NDArray[np.float32]

BELLY_PX: Final = 9.0
"""Radius of a standing pin's belly in the working picture: enough to tell its neck, little enough to be quick."""

AROUND: Final = 1.3
"""How far around the lane is looked at, in heights of a pin: fallen pins roll off."""

FULL_LIGHT: Final = 190.0
MOST_GAIN: Final = 4.0
"""Luma of the brightest things of a well lit scene, and how much a dim one is brightened at most."""

BEYOND_PX: Final = 4
"""What is looked at around a part of a picture, so that its edge is as sharp as the rest."""

SHARP: Final = 0.75
"""By how much a picture may be made smaller from single pixels."""

MOST_PX: Final = 700
"""Longest side of the working picture."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Window:
    """A pinhole camera's picture of the lane, cut out of the camera's own.

    ``projection``: (3, 4), world millimetres to its pixels. ``to_x``, ``to_y``: where its pixels lie in a plane of
    the camera's picture that was scaled by ``factor``. ``left``, ``top``: of a part of a window, where it begins.
    """

    table: Table
    projection: Array
    centre_mm: Array
    focal_px: float
    factor: float
    to_x: Image
    to_y: Image
    left: int = 0
    top: int = 0
    is_part: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        return self.to_x.shape[0], self.to_x.shape[1]

    def to_px(self, points_mm: Array) -> Array:
        """World points, (..., 3) mm, to the window's pixels, (..., 2)."""
        return self.to_px_and_depth(points_mm)[0]

    def to_px_and_depth(self, points_mm: Array) -> tuple[Array, Array]:
        """The same, and how far they are along the optical axis: (...,) mm."""
        if not points_mm.size:
            return np.zeros((*points_mm.shape[:-1], 2)), np.zeros(points_mm.shape[:-1])
        homogeneous = np.asarray(cv2.transform(points_mm.reshape(-1, 1, 3), self.projection), dtype=np.float64)
        depths = homogeneous[:, 0, 2]
        pixels = homogeneous[:, 0, :2] / depths[:, None]
        return pixels.reshape(*points_mm.shape[:-1], 2), depths.reshape(points_mm.shape[:-1])

    def part(self, rows: slice, columns: slice) -> "Window":
        """Some rows and columns of the window."""
        moved = np.array([[1.0, 0.0, -columns.start], [0.0, 1.0, -rows.start], [0.0, 0.0, 1.0]])
        return replace(
            self,
            projection=moved @ self.projection,
            to_x=self.to_x[rows, columns],
            to_y=self.to_y[rows, columns],
            left=self.left + columns.start,
            top=self.top + rows.start,
            is_part=True,
        )

    def planes(self, frame: Frame) -> Image:
        """Luma above black and both chroma planes about neutral, as seen through the window: (h, w, 3) float32."""
        black = 0.0 if frame.full_range else 16.0
        rows, height, to_y = self._cut(self.to_y, frame.height_px)
        columns, width, to_x = self._cut(self.to_x, frame.width_px)
        halves = tuple(slice(one.start // 2, (one.stop + 1) // 2) for one in (rows, columns))
        cut = []
        for plane in (frame.y[rows, columns], frame.u[halves], frame.v[halves]):
            shrinks = width < plane.shape[1]
            way = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
            cut.append(cv2.resize(plane, (width, height), interpolation=way))
        seen = cv2.remap(cv2.merge(cut), to_x, to_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        levels = np.array([black, 128.0, 128.0, 0.0])
        return np.asarray(cv2.subtract(seen, levels, dtype=cv2.CV_32F), dtype=np.float32)

    def _cut(self, places: Image, length: int) -> tuple[slice, int, Image]:
        """Rows or columns of a picture of some length that places, (h, w), in it when scaled, are among; how many they
        are when scaled; and the places in those."""
        whole = max(1, round(length * self.factor))
        if not self.is_part:
            return slice(0, length), whole, places
        scale = whole / length
        first = max(0, int(float(places.min()) / scale) - BEYOND_PX) // 2 * 2
        # Even, as a pixel of chroma is two wide.
        last = min(length, int(float(places.max()) / scale) // 2 * 2 + BEYOND_PX + 2)
        count = max(last - first, 2)
        scaled = max(1, round(count * scale))
        moved = ((places + 0.5) / scale - first) * (scaled / count) - 0.5
        return slice(first, first + count), scaled, np.asarray(moved, dtype=np.float32)


def lit(planes: Image) -> float:
    """By how much a dim picture, as ``Window.planes`` gives it, is made brighter, to be as one in full light: so that a
    level means the same in both."""
    brightest = float(np.percentile(planes[::4, ::4, 0], 99.0))
    return min(max(FULL_LIGHT / max(brightest, 1.0), 1.0), MOST_GAIN)


def window_of(table: Table, size: PinSize) -> Window:
    """Where the lane of a table is looked at, with all that pins on and around it can cover."""
    camera, layout = table.camera, table.layout
    top_mm = layout.height_mm
    middle = np.array([[0.0, 0.0, top_mm + size.height_mm / 2]])
    scale = BELLY_PX / size.radius_mm * float(camera.depth_mm(middle)[0])
    around = AROUND * size.height_mm
    ring = np.array([(x, y) for x, y in layout.outline_mm], dtype=np.float64)
    outward = ring * (1 + around / np.maximum(np.hypot(ring[:, 0], ring[:, 1]), 1.0))[:, None]
    seen = np.vstack(
        [
            np.column_stack([ring, np.full(len(ring), top_mm + size.height_mm)]),
            np.column_stack([outward, np.zeros(len(ring))]),
            np.column_stack([outward, np.full(len(ring), top_mm)]),
        ]
    )
    seen = seen[camera.depth_mm(seen) > size.height_mm]
    rays = (seen @ camera.rotation.T + camera.translation_mm)[:, :2] / camera.depth_mm(seen)[:, None]
    edges = camera.undistort(_border(camera.width_px, camera.height_px))
    low = np.maximum(rays.min(axis=0), edges.min(axis=0))
    high = np.minimum(rays.max(axis=0), edges.max(axis=0))
    scale = min(scale, MOST_PX / max(float((high - low).max()), 1e-6))
    width, height = (max(8, int(v)) for v in np.ceil((high - low) * scale))
    matrix = np.array([[scale, 0.0, -low[0] * scale], [0.0, scale, -low[1] * scale], [0.0, 0.0, 1.0]])
    factor = _factor(scale / camera.focal_px)
    inner = camera.matrix.copy()
    inner[:2] *= factor
    inner[:2, 2] += 0.5 * (factor - 1)
    to_x, to_y = cv2.initUndistortRectifyMap(inner, camera.dist, np.eye(3), matrix, (width, height), cv2.CV_32FC1)
    extrinsic = np.column_stack([camera.rotation, camera.translation_mm])
    return Window(
        table=table,
        projection=matrix @ extrinsic,
        centre_mm=camera.centre_mm,
        focal_px=scale,
        factor=factor,
        to_x=np.asarray(to_x, dtype=np.float32),
        to_y=np.asarray(to_y, dtype=np.float32),
    )


def _factor(scale: float) -> float:
    """How large the camera's picture is made that is seen through the window: as large as it is there, or a little more
    if that is a whole part, of which the chroma planes may be halves already."""
    if scale >= SHARP:
        return 1.0
    whole = 1 / math.floor(1 / scale)
    return whole if scale > SHARP * whole else scale


def _border(width_px: int, height_px: int) -> Array:
    """Pixels along the edge of a picture, (n, 2)."""
    x, y = np.linspace(0, width_px - 1, 16), np.linspace(0, height_px - 1, 16)
    top, bottom = np.column_stack([x, np.zeros(16)]), np.column_stack([x, np.full(16, height_px - 1)])
    left, right = np.column_stack([np.zeros(16), y]), np.column_stack([np.full(16, width_px - 1), y])
    return np.vstack([top, bottom, left, right])
