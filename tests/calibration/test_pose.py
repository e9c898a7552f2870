from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from calibration.camera_model import CameraModel
from calibration.errors import BadCalibration
from calibration.layout import load_layout
from calibration.lens import Lens
from calibration.pose import calibrate, still_frames
from tests.calibration.scene import HEIGHT_PX, WIDTH_PX, camera_at, corners_px, miss_mm, moved, picture

LAYOUT = load_layout("grid-7x7")
UNMARKED = replace(LAYOUT, markers=())


@pytest.mark.parametrize(
    "camera",
    [
        camera_at(),
        camera_at(-500, -600, 800, k1=-0.08),
        camera_at(700, 200, 1000, focal_px=1100),
        camera_at(0, -450, 500, focal_px=560, k1=-0.06),
    ],
    ids=["south", "corner", "east", "wide"],
)
@pytest.mark.parametrize("name", ["grid-7x7", "grid-6x6", "octagon", "box"])
def test_markers_tell_where_the_camera_is(camera: CameraModel, name: str) -> None:
    layout = load_layout(name)

    table = calibrate([picture(layout, camera)], layout)

    assert table.method == "markers"
    assert miss_mm(table.camera, camera, layout) < 0.6
    assert miss_mm(table.camera, camera, layout, above_mm=100) < 1.2
    assert table.camera.focal_px == pytest.approx(camera.focal_px, rel=0.015)
    assert table.error_px < 0.5
    assert table.uncertainty_mm is not None
    assert table.uncertainty_mm < 2
    assert table.notes == ()


def test_a_lane_is_found_by_its_markers() -> None:
    layout, camera = load_layout("lane"), camera_at(60, -350, 450)

    table = calibrate([picture(layout, camera)], layout)

    corners = np.array(layout.corners_mm)
    assert table.camera.to_px(corners) == pytest.approx(camera.to_px(corners), abs=0.5)


@pytest.mark.parametrize("camera", [camera_at(), camera_at(-500, -600, 800, k1=-0.08)], ids=["south", "corner"])
def test_four_given_corners_are_enough(camera: CameraModel) -> None:
    table = calibrate([picture(UNMARKED, camera)], UNMARKED, corners_px=corners_px(UNMARKED, camera))

    assert table.method == "corners"
    assert miss_mm(table.camera, camera, LAYOUT) < 0.6
    assert miss_mm(table.camera, camera, LAYOUT, above_mm=100) < 2
    assert table.error_px < 1


def test_the_holes_mend_clicks_that_are_pixels_off() -> None:
    camera = camera_at()
    clicks = [
        (x + dx, y + dy)
        for (x, y), dx, dy in zip(corners_px(UNMARKED, camera), (2, -2, 1, -2), (-1, 2, 2, -2), strict=True)
    ]

    table = calibrate([picture(UNMARKED, camera)], UNMARKED, corners_px=clicks)

    assert miss_mm(table.camera, camera, LAYOUT) < 0.6


def test_without_holes_to_see_the_corners_stand_alone() -> None:
    camera = camera_at()
    unlit = picture(UNMARKED, camera, contrast=0.0)

    table = calibrate([unlit], UNMARKED, corners_px=corners_px(UNMARKED, camera))

    assert miss_mm(table.camera, camera, LAYOUT) < 4
    assert table.notes == ("the holes can't be made out; more light would help",)


@pytest.mark.parametrize("seen", [(0,), (0, 2), (2, 3), (1, 2, 3)])
def test_some_markers_may_be_hidden(seen: tuple[int, ...]) -> None:
    camera = camera_at(-150, -750, 950)
    markers = [marker for marker in LAYOUT.markers if marker.id in seen]

    table = calibrate([picture(LAYOUT, camera, markers=markers)], LAYOUT)

    assert miss_mm(table.camera, camera, LAYOUT) < 0.6


def test_the_boards_look_helps_where_one_marker_does_not_lead_to_its_holes() -> None:
    camera = camera_at(0, -450, 350, focal_px=600, k1=-0.2, k2=0.07)

    table = calibrate([picture(LAYOUT, camera, markers=LAYOUT.markers[2:3])], LAYOUT)

    assert table.method == "markers"
    assert miss_mm(table.camera, camera, LAYOUT) < 1


def test_beside_a_single_marker_the_border_helps() -> None:
    camera = camera_at(-100, -800, 500, focal_px=900, k1=-0.1, k2=0.03)

    table = calibrate([picture(LAYOUT, camera, markers=LAYOUT.markers[:1])], LAYOUT)

    assert miss_mm(table.camera, camera, LAYOUT, above_mm=150) < 0.6


def test_a_refusal_names_the_markers_that_are_not_in_view() -> None:
    camera = camera_at()
    other = replace(LAYOUT, holes=tuple(replace(hole, x_mm=0.8 * hole.x_mm + 15) for hole in LAYOUT.holes))

    with pytest.raises(BadCalibration, match=r"bring its markers 1, 2, 3 into view.*or give the four --corners"):
        calibrate([picture(other, camera, markers=LAYOUT.markers[:1])], LAYOUT)


def test_other_markers_are_ignored() -> None:
    camera = camera_at()
    other = replace(LAYOUT.markers[0], id=17, x_mm=0.0, y_mm=-330.0)

    table = calibrate([picture(LAYOUT, camera, markers=(*LAYOUT.markers, other))], LAYOUT)

    assert miss_mm(table.camera, camera, LAYOUT) < 0.6


def test_markers_may_lie_turned() -> None:
    camera = camera_at()

    table = calibrate([picture(LAYOUT, camera, turned=(0, 3))], LAYOUT)

    assert miss_mm(table.camera, camera, LAYOUT) < 0.6
    assert table.notes == ("marker 0 lies turned; that does no harm", "marker 3 lies turned; that does no harm")


def test_a_marker_that_was_pushed_away_is_left_out() -> None:
    camera = camera_at()
    markers = (*LAYOUT.markers[:3], moved(LAYOUT.markers[3], -25, 18))

    table = calibrate([picture(LAYOUT, camera, markers=markers)], LAYOUT)

    assert miss_mm(table.camera, camera, LAYOUT) < 0.8
    assert table.notes == ("marker 3 isn't where the layout says and was left out",)


def test_a_hand_in_some_pictures_does_no_harm() -> None:
    camera = camera_at()
    free = picture(LAYOUT, camera)
    luma = free.y.copy()
    luma[300:, 200:700] = 150
    hand = replace(free, y=luma)

    table = calibrate([hand, free, free, hand, free], LAYOUT)

    assert miss_mm(table.camera, camera, LAYOUT) < 0.6


def test_a_known_lens_is_taken_as_it_is() -> None:
    camera = camera_at(k1=-0.08)
    matrix = camera.matrix / 2
    matrix[2, 2] = 1
    matrix[0, 2], matrix[1, 2] = WIDTH_PX / 4 - 0.5, HEIGHT_PX / 4 - 0.5
    lens = Lens(matrix=matrix, dist=camera.dist, width_px=WIDTH_PX // 2, height_px=HEIGHT_PX // 2, error_px=0.1)

    table = calibrate([picture(LAYOUT, camera)], LAYOUT, lens=lens)

    assert table.camera.matrix == pytest.approx(camera.matrix)
    assert table.camera.dist == pytest.approx(camera.dist)
    assert miss_mm(table.camera, camera, LAYOUT, above_mm=100) < 0.6


def test_without_markers_in_view_it_says_what_to_do() -> None:
    nothing = replace(LAYOUT, holes=(), outline_mm=((-1, -1), (1, -1), (1, 1), (-1, 1)))

    with pytest.raises(BadCalibration, match=r"none of the markers 0, 1, 2, 3 is in view, and nothing .*--corners"):
        calibrate([picture(nothing, camera_at(), markers=())], LAYOUT)
    with pytest.raises(BadCalibration, match="there are 17 instead"):
        calibrate([picture(nothing, camera_at(), markers=[replace(LAYOUT.markers[0], id=17)])], LAYOUT)
    with pytest.raises(BadCalibration, match=r"nothing in view looks like this board.*--corners"):
        calibrate([picture(nothing, camera_at(), markers=())], UNMARKED)


def test_a_mirrored_picture_is_refused() -> None:
    with pytest.raises(BadCalibration, match="the picture is mirrored"):
        calibrate([picture(LAYOUT, camera_at(), mirrored=True)], LAYOUT)


@pytest.mark.parametrize("other", ["grid-6x6", "octagon", "box"])
def test_a_layout_of_another_board_is_refused(other: str) -> None:
    wrong, camera = load_layout(other), camera_at()
    view = picture(LAYOUT, camera)

    with pytest.raises(BadCalibration, match="layout"):
        calibrate([view], wrong)
    with pytest.raises(BadCalibration, match="layout"):
        calibrate([view], wrong, corners_px=corners_px(LAYOUT, camera))


def test_swapped_markers_are_refused() -> None:
    zero, one, *rest = LAYOUT.markers
    swapped = (replace(zero, id=1), replace(one, id=0), *rest)

    with pytest.raises(BadCalibration, match="markers don't lie as the layout says"):
        calibrate([picture(LAYOUT, camera_at(), markers=swapped)], LAYOUT)


def test_markers_printed_too_small_are_refused() -> None:
    small = [replace(marker, size_mm=52.0) for marker in LAYOUT.markers]

    with pytest.raises(BadCalibration, match=r"look 13% smaller.*print the markers at 100 %"):
        calibrate([picture(LAYOUT, camera_at(), markers=small)], LAYOUT)


def clicks(*numbers: int) -> list[tuple[float, float]]:
    corners = corners_px(LAYOUT, camera_at())
    return [corners[number] for number in numbers]


@pytest.mark.parametrize(
    ("corners", "message"),
    [
        (clicks(0, 1, 2), "3 corners are given, four are needed"),
        (clicks(3, 2, 1, 0), "wrong way round"),
        (clicks(0, 2, 1, 3), "cross over"),
        (clicks(0, 0, 2, 3), "nearly the same place"),
        ([*clicks(0, 1, 2), (2000.0, 30.0)], "corner NW at 2000,30 lies outside the picture of 1280x720"),
        ([*clicks(0, 1, 2), (float("nan"), 30.0)], "corner NW is no place"),
        ([(100.0, 700.0), (1200.0, 710.0), (640.0, 30.0), (600.0, 650.0)], "cross over or bend inwards"),
        ([(100.0, 500.0), (1200.0, 690.0), (640.0, 300.0), (550.0, 280.0)], "no camera sees a board of 520 x 520 mm"),
    ],
)
def test_corners_that_no_board_has_are_refused(corners: Sequence[tuple[float, float]], message: str) -> None:
    with pytest.raises(BadCalibration, match=message):
        calibrate([picture(UNMARKED, camera_at())], UNMARKED, corners_px=corners)


def test_pictures_have_to_be_there_and_of_one_size() -> None:
    view = picture(LAYOUT, camera_at())

    with pytest.raises(BadCalibration, match="no picture"):
        calibrate([], LAYOUT)
    with pytest.raises(BadCalibration, match="differ in size"):
        calibrate([view, replace(view, y=view.y[:100])], LAYOUT)


def test_still_frames_are_spread_over_the_first_second() -> None:
    view = picture(LAYOUT, camera_at())
    source = (replace(view, index=index) for index in range(1000))

    assert [frame.index for frame in still_frames(source)] == [0, 5, 10, 15, 20, 25, 30, 35, 40]
    assert next(source).index < 60
