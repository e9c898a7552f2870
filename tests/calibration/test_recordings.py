"""Calibration of recordings whose true camera is known."""

import json
from pathlib import Path

import numpy as np
import pytest

from calibration.camera_model import CameraModel
from calibration.layout import load_layout
from calibration.pose import calibrate, still_frames
from hardware.video import VideoFile
from tests.calibration.scene import miss_mm

SAMPLES = Path(__file__).parents[2] / "sample_videos"


@pytest.mark.parametrize(
    ("name", "layout_name", "clicked", "most_mm"),
    [
        ("bii-01", "bii-7x7-a-m", False, 0.6),
        ("bii-01", "bii-7x7-a-m", True, 0.8),
        ("bii-02", "bii-6x6-b", True, 0.8),
        ("bii-03", "bii-7x7-a-m", False, 0.6),
    ],
)
def test_recordings_are_calibrated_to_a_millimetre(name: str, layout_name: str, clicked: bool, most_mm: float) -> None:
    truth = json.loads((SAMPLES / f"{name}.truth.json").read_text())
    layout = load_layout(str(SAMPLES / "layouts" / f"{layout_name}.layout.json"))
    corners = [(float(round(x)), float(round(y))) for x, y in truth["board"]["corners_px"]] if clicked else None

    with VideoFile(SAMPLES / f"{name}.mp4") as video:
        table = calibrate(still_frames(video), layout, corners_px=corners)

    true = CameraModel(
        matrix=np.array(truth["camera"]["K"]),
        dist=np.array(truth["camera"]["dist"]),
        rotation=np.array(truth["camera"]["R"]),
        translation_mm=np.array(truth["camera"]["t_mm"]),
        width_px=truth["width"],
        height_px=truth["height"],
    )
    assert miss_mm(table.camera, true, layout) < most_mm
    assert miss_mm(table.camera, true, layout, above_mm=100) < 2 * most_mm
    assert table.error_px < 0.6


def test_the_default_board_is_the_one_of_the_first_recording() -> None:
    with VideoFile(SAMPLES / "bii-01.mp4") as video:
        table = calibrate(still_frames(video), load_layout("bounce-it-in"))

    assert table.error_px < 0.6
