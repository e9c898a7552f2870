from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.check_picture import HOLE, OUTLINE, POST, check_picture, save_check_picture
from calibration.errors import CantSave
from calibration.layout import load_layout
from calibration.table import Table
from hardware.frame import Frame
from hardware.picture import frame_to_bgr
from tests.calibration.lane_scene import lane_camera, lane_frame, lane_layout
from tests.calibration.scene import camera_at, picture

LAYOUT = load_layout("grid-7x7")
TABLE = Table(layout=LAYOUT, camera=camera_at(), method="markers", error_px=0.3)


def near(image: NDArray[np.uint8], place_px: Iterable[float], colour: tuple[int, int, int]) -> bool:
    x, y = (round(float(value)) for value in place_px)
    away = np.abs(image[y - 2 : y + 3, x - 2 : x + 3].astype(int) - colour).max(axis=2)
    return bool(away.min() < 60)


def test_the_layout_is_drawn_where_the_table_says() -> None:
    drawn = check_picture(picture(LAYOUT, TABLE.camera), TABLE)

    assert drawn.shape == (720, 1280, 3)
    south_west = TABLE.camera.to_px(np.array([LAYOUT.corners_mm[0]]))[0]
    assert near(drawn, south_west, OUTLINE)
    for hole in LAYOUT.holes:
        east = np.array([(hole.x_mm + hole.radius_mm, hole.y_mm, LAYOUT.height_mm)])
        assert near(drawn, TABLE.camera.to_px(east)[0], HOLE)


def test_a_lane_has_its_field_drawn_and_posts_as_high_as_its_pins() -> None:
    layout, camera = lane_layout(), lane_camera()
    assert layout.lane is not None
    table = Table(layout=layout, camera=camera, method="board", error_px=0.1)

    drawn = check_picture(lane_frame(layout, camera), table)

    corner = np.array([layout.lane.corners_mm[0]])
    assert near(drawn, camera.to_px(corner + np.array([60.0, 0.0, 0.0]))[0], HOLE)
    assert near(drawn, camera.to_px(corner + np.array([0.0, 0.0, 30.0]))[0], POST)


@pytest.mark.parametrize("suffix", ["jpg", "PNG"])
def test_it_is_kept_as_a_picture(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"check.{suffix}"

    save_check_picture(picture(LAYOUT, TABLE.camera), TABLE, path)

    kept = cv2.imread(str(path))
    assert kept is not None
    assert kept.shape == (720, 1280, 3)


def test_other_kinds_of_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CantSave, match=r"no name of a picture.*\.png"):
        save_check_picture(picture(LAYOUT, TABLE.camera), TABLE, tmp_path / "check.txt")


@pytest.mark.parametrize(
    ("yuv", "hd", "full", "bgr"),
    [
        ((235, 128, 128), False, False, (255, 255, 255)),
        ((16, 128, 128), False, False, (0, 0, 0)),
        ((81, 90, 240), False, False, (0, 0, 255)),
        ((63, 102, 240), True, False, (0, 0, 255)),
        ((76, 85, 255), False, True, (0, 0, 255)),
    ],
)
def test_colours_are_those_of_the_frame(
    yuv: tuple[int, int, int], hd: bool, full: bool, bgr: tuple[int, int, int]
) -> None:
    y, u, v = (
        np.full(shape, value, dtype=np.uint8) for shape, value in zip(((4, 6), (2, 3), (2, 3)), yuv, strict=True)
    )
    frame = Frame(index=0, t_s=0.0, y=y, u=u, v=v, full_range=full, hd_colours=hd)

    assert frame_to_bgr(frame)[1, 1].tolist() == pytest.approx(bgr, abs=3)
