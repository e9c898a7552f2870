"""A lens measured from pictures of the printed sheet (Zhang's method, as OpenCV has it)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import BadCalibration
from calibration.lens import Lens
from calibration.targets import charuco_board
from hardware.frame import Frame

Array = NDArray[np.float64]

# A view counts with so many corners of the sheet, and with this much of the picture's width between it and others.
LEAST_CORNERS: Final = 10
APART: Final = 0.02
MOST_VIEWS: Final = 40
FEWEST_VIEWS: Final = 6
# The corners of all views together reach over this share of the picture's width and height.
LEAST_SPREAD: Final = 0.6
# Beyond this the sheet was bent, blurred or printed out of shape.
LIMIT_PX: Final = 1.0
REMEDY: Final = "hold the printed sheet flat, at many places and slants, near enough to fill half of the picture"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _SheetView:
    """Corners of the sheet in one picture: (n, 3) mm and (n, 2) pixels, float32."""

    corners_mm: NDArray[np.float32]
    seen_px: NDArray[np.float32]


def measure_lens(frames: Iterable[Frame]) -> Lens:
    """The lens from pictures in which the sheet lies differently; pictures without it do no harm.

    Raises BadCalibration where there are too few, they are alike, or they contradict each other.
    """
    detector = cv2.aruco.CharucoDetector(charuco_board())
    views: list[_SheetView] = []
    size: tuple[int, int] | None = None
    for frame in frames:
        if size is not None and size != (frame.width_px, frame.height_px):
            raise BadCalibration("the pictures differ in size", "", "give pictures of one camera")
        size = (frame.width_px, frame.height_px)
        view = _sheet(detector, frame)
        if view is not None and all(_is_apart(view, other, frame.width_px) for other in views):
            views.append(view)
        if len(views) == MOST_VIEWS:
            break
    if size is None or len(views) < FEWEST_VIEWS:
        wrong = f"the sheet is seen in {len(views)} different places, {FEWEST_VIEWS} are needed"
        raise BadCalibration(wrong, "", REMEDY)
    spread = np.ptp(np.concatenate([view.seen_px for view in views]), axis=0) / size
    if spread.min() < LEAST_SPREAD:
        raise BadCalibration("the sheet is never near the picture's border", "", REMEDY)
    return _solved(views, size)


def _solved(views: list[_SheetView], size: tuple[int, int]) -> Lens:
    error_px, matrix, dist, _, _ = cv2.calibrateCamera(
        [view.corners_mm for view in views],
        [view.seen_px for view in views],
        size,
        np.eye(3),
        np.zeros(5),
        flags=cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_FIX_K3,
    )
    if not np.isfinite(error_px) or error_px > LIMIT_PX:
        raise BadCalibration(f"the pictures contradict each other by {error_px:.1f} px", "", REMEDY)
    return Lens(
        matrix=np.asarray(matrix, dtype=np.float64),
        dist=np.asarray(dist, dtype=np.float64).ravel()[:5],
        width_px=size[0],
        height_px=size[1],
        error_px=float(error_px),
    )


def _sheet(detector: cv2.aruco.CharucoDetector, frame: Frame) -> _SheetView | None:
    corners, ids, _, _ = detector.detectBoard(np.ascontiguousarray(frame.y))
    if corners is None or ids is None or len(ids) < LEAST_CORNERS:
        return None
    known = np.asarray(detector.getBoard().getChessboardCorners(), dtype=np.float32)
    numbers = np.asarray(ids).ravel()
    return _SheetView(
        corners_mm=known[numbers].reshape(-1, 3), seen_px=np.asarray(corners, dtype=np.float32).reshape(-1, 2)
    )


def _is_apart(one: _SheetView, other: _SheetView, width_px: int) -> bool:
    """Whether the sheet has moved or turned between two views: by its corners' places and their spread."""
    moved = np.abs(one.seen_px.mean(axis=0) - other.seen_px.mean(axis=0)).max()
    stretched = np.abs(np.ptp(one.seen_px, axis=0) - np.ptp(other.seen_px, axis=0)).max()
    return bool(max(moved, stretched) > APART * width_px)
