"""Lanes found by their own look, by corners, by few markers, and again after their box slid."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.camera_model import CameraModel
from calibration.errors import BadCalibration
from calibration.lane_field import share_of_one_look
from calibration.layout import Layout, load_layout
from calibration.planes import Planes
from calibration.pose import calibrate, still_frames
from hardware.frame import Frame
from hardware.video import VideoFile
from tests.calibration.lane_scene import (
    BLACK,
    BLUE,
    CREAM,
    RED,
    WHITE,
    Look,
    lane_camera,
    lane_frame,
    lane_layout,
)

SAMPLES = Path(__file__).parents[2] / "sample_videos"
PINS = (
    (-70.0, -40.0),
    (-20.0, -50.0),
    (30.0, -45.0),
    (70.0, -20.0),
    (-50.0, 0.0),
    (0.0, 5.0),
    (40.0, 30.0),
    (-10.0, 50.0),
)
PIN_MM = 50.0


def miss_mm(found: CameraModel, true: CameraModel, layout: Layout, *, above_mm: float = 0.0) -> float:
    """How far off the worst place on the field, or above it, is when its pixels are taken to its height."""
    height_mm = layout.height_mm + above_mm
    corners = layout.corners_mm if layout.lane is None else layout.lane.corners_mm
    places = np.array([(x * share, y * share, height_mm) for share in (1.0, 0.5) for x, y, _ in corners])
    return float(np.linalg.norm(found.to_mm(true.to_px(places), height_mm) - places, axis=1).max())


@pytest.mark.parametrize(
    ("layout", "camera", "look"),
    [
        pytest.param(lane_layout(), lane_camera(), Look(table=(120, 60, 40), tartan=WHITE), id="tartan cloth"),
        pytest.param(
            lane_layout(200, 200), lane_camera(20, -30, 560), Look(lid=WHITE, field=BLUE, border=RED), id="overhead"
        ),
        pytest.param(
            lane_layout(),
            lane_camera(60, -250, 300, focal_px=640, k1=-0.22),
            Look(lid=CREAM, field=CREAM, border=BLACK),
            id="wide lens",
        ),
        pytest.param(lane_layout(border_mm=1.0), lane_camera(), Look(light=0.2), id="thin line in the dark"),
        pytest.param(lane_layout(border_mm=6.0, rim_mm=0.0), lane_camera(), Look(), id="line at the edge"),
        pytest.param(lane_layout(border_mm=0.0, rim_mm=0.0), lane_camera(), Look(border=None), id="plain lid"),
    ],
)
def test_a_lane_is_found_by_its_look(layout: Layout, camera: CameraModel, look: Look) -> None:
    table = calibrate([lane_frame(layout, camera, look, pins_mm=PINS)], layout)

    assert table.method == "board"
    assert miss_mm(table.camera, camera, layout) < 1.0
    assert miss_mm(table.camera, camera, layout, above_mm=PIN_MM) < 1.5
    assert table.error_px < 0.6
    assert any("at the bottom of the picture is taken for south" in note for note in table.notes)


def test_a_field_off_the_middle_tells_which_way_round_it_lies() -> None:
    layout = lane_layout(rim_mm=30.0, shift_mm=(0.0, -25.0))
    camera = lane_camera(60, 330, 430)

    table = calibrate([lane_frame(layout, camera)], layout)

    assert miss_mm(table.camera, camera, layout) < 1.0
    assert table.notes == ()


@pytest.mark.parametrize("lid", [False, True], ids=["field", "lid"])
def test_corners_may_be_those_of_the_field_or_of_the_lid(lid: bool) -> None:
    layout, camera = lane_layout(), lane_camera()
    assert layout.lane is not None
    clicked = camera.to_px(np.array(layout.corners_mm if lid else layout.lane.corners_mm))
    corners = [(float(round(x)), float(round(y))) for x, y in clicked.tolist()]

    table = calibrate([lane_frame(layout, camera, pins_mm=PINS)], layout, corners_px=corners)

    assert (table.method, table.notes) == ("corners", ())
    assert miss_mm(table.camera, camera, layout) < 1.0


def test_corners_alone_do_where_nothing_can_be_made_out() -> None:
    layout, camera = lane_layout(), lane_camera()
    assert layout.lane is not None
    corners = [(x, y) for x, y in camera.to_px(np.array(layout.lane.corners_mm)).tolist()]
    grey = np.full((720, 1280), 90, dtype=np.uint8)
    frame = Frame(index=0, t_s=0.0, y=grey, u=grey[::2, ::2], v=grey[::2, ::2])

    table = calibrate([frame], layout, corners_px=corners)

    assert "can't be made out" in table.notes[0]
    assert miss_mm(table.camera, camera, layout) < 3.0


def test_what_is_no_lane_or_another_one_is_refused() -> None:
    camera = lane_camera()
    seen = lane_frame(lane_layout(), camera, pins_mm=PINS)
    bare = lane_frame(replace(lane_layout(10.0, 10.0), lane=None), camera)

    with pytest.raises(BadCalibration, match="looks like this lane"):
        calibrate([seen], lane_layout(250.0, 120.0))
    with pytest.raises(BadCalibration, match=r"nothing in view looks like this lane .*--corners"):
        calibrate([bare], lane_layout())


def test_of_two_lanes_alike_none_is_chosen() -> None:
    layout = lane_layout(120.0, 100.0, height_mm=25.0, rim_mm=5.0, border_mm=2.0)
    frame = lane_frame(layout, lane_camera(0, -330, 430), slid_mm=(-100.0, 0.0), extra_boxes_mm=((100.0, 0.0),))

    with pytest.raises(BadCalibration, match="more than one place"):
        calibrate([frame], layout)


def test_only_a_field_of_one_colour_is_a_field() -> None:
    layout, camera = lane_layout(), lane_camera()
    frame = lane_frame(layout, camera, Look(tartan=CREAM), pins_mm=PINS)
    luma, u, v = (plane.astype(np.float32) for plane in (frame.y, frame.u, frame.v))
    planes = Planes(luma=luma, u=u, v=v)
    assert share_of_one_look(planes, layout, camera) > 0.85
    # Partly on a cloth with lines that cross everywhere.
    assert share_of_one_look(planes, layout, at(camera, 60.0, 60.0)) < 0.5


def at(camera: CameraModel, x_mm: float, y_mm: float) -> CameraModel:
    """The camera as a box sees it that was pushed."""
    return replace(camera, translation_mm=camera.translation_mm + camera.rotation @ np.array([x_mm, y_mm, 0.0]))


def true_camera(name: str) -> tuple[CameraModel, str]:
    """The camera of a sample recording, and the name of its layout."""
    truth = json.loads((SAMPLES / f"{name}.truth.json").read_text())
    camera = CameraModel(
        matrix=np.array(truth["camera"]["K"]),
        dist=np.array(truth["camera"]["dist"]),
        rotation=np.array(truth["camera"]["R"]),
        translation_mm=np.array(truth["camera"]["t_mm"]),
        width_px=truth["width"],
        height_px=truth["height"],
    )
    return camera, truth["layout"]


@pytest.mark.parametrize(("name", "method"), [("wb-02", "board"), ("wb-03", "markers")])
def test_recorded_lanes_are_found_to_a_fraction_of_a_millimetre(name: str, method: str) -> None:
    camera, layout_name = true_camera(name)
    layout = load_layout(str(SAMPLES / "layouts" / f"{layout_name}.layout.json"))
    with VideoFile(SAMPLES / f"{name}.mp4") as video:
        table = calibrate(still_frames(video, count=3), layout)

    assert table.method == method
    assert miss_mm(table.camera, camera, layout) < 0.5
    assert miss_mm(table.camera, camera, layout, above_mm=PIN_MM) < 1.2


def test_a_pushed_box_is_where_it_shows_and_not_where_its_markers_have_it() -> None:
    camera, layout_name = true_camera("wb-01")
    layout = load_layout(str(SAMPLES / "layouts" / f"{layout_name}.layout.json"))
    with VideoFile(SAMPLES / "wb-01.mp4") as video:
        table = calibrate([video.frame_at(2.7)], layout)

    assert table.method == "markers"
    assert table.notes == ("the box stands 3 mm from where the layout has it among the markers; that does no harm",)
    assert miss_mm(table.camera, at(camera, 0.0, 2.91), layout) < 0.4
