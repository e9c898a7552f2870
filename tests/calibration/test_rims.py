"""Rims of holes that are neither darker nor brighter than the board all round."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.layout import load_layout
from calibration.pose import calibrate
from hardware.frame import Frame
from tests.calibration.scene import camera_at, miss_mm, picture

MARKED = load_layout("grid-7x7")
CAMERA = camera_at(60, -120, 900)


def dark_board() -> Frame:
    """A dark board; its holes' walls are darker still, and what is seen of their floors is bright."""
    frame = picture(MARKED, CAMERA)
    rows, columns = np.indices(frame.y.shape)
    pixels = np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64)
    on_board = np.abs(CAMERA.to_mm(pixels, MARKED.height_mm)[:, :2]).max(axis=1) < MARKED.size_mm[0] / 2
    mouths, floors = (within_holes(pixels[on_board], z_mm) for z_mm in (MARKED.height_mm, MARKED.hole_floor_mm))
    luma = frame.y.ravel().copy()
    luma[on_board] = np.where(mouths == 0, 80, np.where(mouths == floors, 190, 40))
    return replace(frame, y=luma.reshape(frame.y.shape))


def within_holes(pixels: NDArray[np.float64], z_mm: float) -> NDArray[np.intp]:
    """The hole, from 1, that each ray is in at a height; 0: none."""
    places = CAMERA.to_mm(pixels, z_mm)
    found = np.zeros(len(pixels), dtype=np.intp)
    for number, hole in enumerate(MARKED.holes, start=1):
        found[np.hypot(places[:, 0] - hole.x_mm, places[:, 1] - hole.y_mm) < hole.radius_mm] = number
    return found


def test_holes_with_dark_walls_and_bright_floors_in_a_dark_board_are_found() -> None:
    table = calibrate([dark_board()], MARKED)
    assert table.notes == ()
    assert miss_mm(table.camera, CAMERA, MARKED) < 1.0
