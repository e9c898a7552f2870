"""Whether the camera still looks where it did, and where it looks after a knock."""

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.table import Table
from hardware.frame import Plane
from referee.vision.ground import Ground

FEATURES = 80
"""Corners that are watched: a hand hides many, a dozen are enough to find the view again."""

LEAST_FEATURES = 12

SPACING = 12
"""Least distance between two corners, in chroma pixels: spread wide, they fix rotation as well as shift."""

MOVED_PX = 1.5
"""Median shift of the corners, in pixels of the full picture, from which the camera was moved: holes and bounces are
read to about a pixel, and noise shifts the median by a tenth of one."""

SUSPECT_PX = 0.3
"""The same by a first estimate from a few pixels about each corner: from it on a closer look is worth its time. A still
camera stays below 0.25 even in the dark, and no shift, however large, looks smaller."""

PATCH = 3
"""Pixels on either side of a corner that the first estimate looks at."""

STILL_PX = 0.4
"""Shift between two looks up to which the camera has come to rest."""

INLIER_PX = 2.0
"""Distance from where a corner should be up to which it belongs to table or board; hands and passers-by don't."""

RANSAC_TRIES = 200
"""Draws of a few corners: enough to meet one without a hand in it when half of the corners are hidden."""

REACH = 2.0
"""How far from the middle of the board corners are taken, in board sizes: beyond the table's edge nothing is known."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shift:
    """How the picture moved: corners in the old picture and in the new, (n, 2) pixels each."""

    old_px: NDArray[np.float64]
    new_px: NDArray[np.float64]

    @property
    def px(self) -> float:
        """Median length."""
        return float(np.median(np.hypot(*(self.new_px - self.old_px).T)))

    @property
    def homography(self) -> NDArray[np.float64]:
        """(3, 3) from the old picture's pixels to the new; the mean shift where no better agrees with the corners."""
        found, _ = cv2.findHomography(self.old_px, self.new_px, cv2.RANSAC, INLIER_PX)
        if found is None:
            found = np.eye(3)
            found[:2, 2] = (self.new_px - self.old_px).mean(axis=0)
        return np.asarray(found, dtype=np.float64)


class View:
    """Fixed corners of a scene, with the table that they were seen from."""

    def __init__(self, table: Table, luma_half: Plane, corners: NDArray[np.float32] | None = None) -> None:
        """``corners``: which to watch, (n, 1, 2) pixels of ``luma_half``; None: the clearest on and near the board."""
        self.table = table
        self._luma = luma_half
        self._before = luma_half
        self._corners = _clearest(table, luma_half) if corners is None else corners
        self._cells = _about(self._corners, luma_half.shape)
        looks = luma_half.astype(np.float32).ravel()
        steps = (1, luma_half.shape[1])
        slopes = [_levelled(0.5 * (looks.take(self._cells + step) - looks.take(self._cells - step))) for step in steps]
        # Slopes are levelled, so that what all pixels of a patch share, as light does, makes no shift.
        self._shift_of = np.linalg.pinv(np.stack(slopes, axis=2)).astype(np.float32)
        self._shift_before = self._shift_seen(luma_half)

    def is_suspect(self, luma_half: Plane) -> bool:
        """Whether the picture may have shifted, so that ``shift`` is worth its time: by the first step of the method of
        Lucas and Kanade, which takes the picture for linear, at a tenth of the whole method's cost."""
        if len(self._cells) < LEAST_FEATURES:
            return False
        right, down = 2.0 * (self._shift_seen(luma_half) - self._shift_before)
        return bool(2 * np.count_nonzero(right * right + down * down > SUSPECT_PX**2) > len(right))

    def _shift_seen(self, luma_half: Plane) -> NDArray[np.float32]:
        """The shift of each corner, (2, n), in chroma pixels, from what only the difference of two pictures tells."""
        looks = luma_half.ravel().take(self._cells).astype(np.float32)
        return np.asarray(np.einsum("nip,np->in", self._shift_of, looks), dtype=np.float32)

    def shift(self, luma_half: Plane) -> Shift | None:
        """How far the picture is from the remembered one; None when too little of it is seen to tell."""
        pair = self._followed(self._luma, luma_half, self._corners)
        return None if pair is None else Shift(old_px=pair[0], new_px=pair[1])

    def is_settled(self, luma_half: Plane) -> bool:
        """Whether the picture is the same as at the last call."""
        pair = self._followed(self._before, luma_half, self._corners)
        self._before = luma_half
        return pair is not None and float(np.median(np.hypot(*(pair[1] - pair[0]).T))) < STILL_PX

    def found_again(self, luma_half: Plane) -> Table | None:
        """The table as seen from where the camera is now; None when too few corners agree on one place.

        The lens is the same; the pose follows from where corners of table and board, whose places in millimetres the
        old view tells, are seen now (perspective-n-point with RANSAC, then least squares).
        """
        pair = self._followed(self._luma, luma_half, self._corners)
        if pair is None:
            return None
        old, new = pair
        camera = self.table.camera
        places = _places_mm(self.table, old)
        before = np.asarray(cv2.Rodrigues(camera.rotation)[0]), camera.translation_mm.reshape(3, 1)
        ok, turn, move, _ = cv2.solvePnPRansac(
            places,
            new,
            camera.matrix,
            camera.dist,
            before[0],
            before[1].copy(),
            useExtrinsicGuess=True,
            iterationsCount=RANSAC_TRIES,
            reprojectionError=INLIER_PX,
        )
        # OpenCV lists only some of the points that agree with the pose that it found.
        chosen = self._agree(places, new, turn, move) if ok else np.zeros(len(new), dtype=np.bool_)
        if chosen.sum() < LEAST_FEATURES:
            # A few places on one plane hardly tell a pose; but all that shift alike in the picture do.
            _, alike = cv2.findHomography(old, new, cv2.RANSAC, INLIER_PX)
            chosen, (turn, move) = np.asarray(alike).ravel() == 1, before
            if chosen.sum() < LEAST_FEATURES:
                return None
        # The pose that it starts from is overwritten.
        turn, move = cv2.solvePnPRefineLM(
            places[chosen], new[chosen], camera.matrix, camera.dist, turn.copy(), move.copy()
        )
        if self._agree(places, new, turn, move).sum() < LEAST_FEATURES:
            return None
        moved = CameraModel(
            matrix=camera.matrix,
            dist=camera.dist,
            rotation=np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64),
            translation_mm=np.asarray(move, dtype=np.float64).reshape(3),
            width_px=camera.width_px,
            height_px=camera.height_px,
        )
        return replace(self.table, camera=moved)

    def _agree(
        self, places_mm: NDArray[np.float64], px: NDArray[np.float64], turn: Any, move: Any
    ) -> NDArray[np.bool_]:
        """Which places are seen where a pose has them."""
        camera = self.table.camera
        seen, _ = cv2.projectPoints(places_mm, turn, move, camera.matrix, camera.dist)
        return np.asarray(np.hypot(*(np.asarray(seen).reshape(-1, 2) - px).T) < INLIER_PX)

    def _followed(
        self, before: Plane, now: Plane, corners: NDArray[np.float32]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Corners that could be followed from one picture to another: (n, 2) pixels of the full picture each."""
        if len(corners) < LEAST_FEATURES:
            return None
        moved, found, _ = cv2.calcOpticalFlowPyrLK(before, now, corners, corners.copy(), winSize=(15, 15), maxLevel=3)
        seen = np.asarray(found).ravel() == 1
        if seen.sum() < LEAST_FEATURES:
            return None
        old, new = corners[seen].reshape(-1, 2), np.asarray(moved)[seen].reshape(-1, 2)
        return 2.0 * old.astype(np.float64) + 0.5, 2.0 * new.astype(np.float64) + 0.5


def _clearest(table: Table, luma_half: Plane) -> NDArray[np.float32]:
    near = _near_board(table, luma_half.shape)
    left, top, width, height = cv2.boundingRect(near)
    part = np.s_[top : top + height, left : left + width]
    found = cv2.goodFeaturesToTrack(luma_half[part], FEATURES, 0.02, SPACING, mask=near[part])
    return np.asarray(np.zeros((0, 1, 2)) if found is None else np.add(found, (left, top)), dtype=np.float32)


def _about(corners: NDArray[np.float32], shape: tuple[int, ...]) -> NDArray[np.intp]:
    """The pixels about each corner but those at the picture's edge, as flat indices, (n, pixels)."""
    places = np.round(corners.reshape(-1, 2)).astype(np.intp)
    inside = (places > PATCH).all(axis=1) & (places < np.array(shape[::-1]) - PATCH - 1).all(axis=1)
    steps = np.arange(-PATCH, PATCH + 1)
    about = (steps[:, None] * shape[1] + steps).ravel()
    return np.asarray(places[inside, 1, None] * shape[1] + places[inside, 0, None] + about, dtype=np.intp)


def _levelled(patches: NDArray[np.float32]) -> NDArray[np.float32]:
    """Patches, (n, pixels), less the mean of each: it changes with the light."""
    return np.asarray(patches - patches.mean(axis=1, keepdims=True), dtype=np.float32)


def _near_board(table: Table, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """1 on the table around the board, at the size of the chroma planes."""
    width_mm, depth_mm = (REACH * size / 2 for size in table.layout.size_mm)
    corners = np.array([[x, y, 0.0] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]) * (width_mm, depth_mm, 1.0)
    mask = np.zeros(shape, dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.round(table.camera.to_px(corners) / 2).astype(np.int32), 1)
    return mask


def _places_mm(table: Table, px: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where corners seen at pixels are: on the board's top face within its outline there, else on the table."""
    on_top = table.camera.to_mm(px, table.layout.height_mm)
    on_table = table.camera.to_mm(px, 0.0)
    ground = Ground(table=table, radius_mm=0.0)
    is_top = np.array([ground.outside_mm(x, y) < 0 for x, y, _ in on_top])
    return np.where(is_top[:, None], on_top, on_table)
