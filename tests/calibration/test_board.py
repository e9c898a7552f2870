"""Boards found by their own look: no markers, no corners."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.blobs import find_blobs, unlike_around
from calibration.camera_model import CameraModel
from calibration.errors import BadCalibration
from calibration.layout import Hole, Layout, load_layout
from calibration.pose import calibrate, still_frames
from calibration.ways import LOOKS_ALIKE
from hardware.frame import Frame
from hardware.video import VideoFile
from tests.calibration.scene import TOP, camera_at, miss_mm, picture

SAMPLES = Path(__file__).parents[2] / "sample_videos"
SEVEN = replace(load_layout("grid-7x7"), markers=())
SIX = replace(load_layout("grid-6x6"), markers=())
OCTAGON = replace(load_layout("octagon"), markers=())
BOX = replace(load_layout("box"), markers=())
SOUTH = camera_at()
CORNER = camera_at(-500, -600, 800, k1=-0.08)
WIDE = camera_at(0, -450, 500, focal_px=560, k1=-0.06)
ABOVE = camera_at(0, -60, 1000)
LOW = camera_at(-200, -1000, 520, focal_px=1200)
EAST = camera_at(750, 100, 900)


def by_hand() -> Layout:
    """A board whose holes lie in no rows."""
    places = [(-170, 150), (-60, 175), (75, 140), (180, 165), (-120, 60), (5, 70), (130, 45), (-185, -30)]
    places += [(-50, -35), (60, -50), (170, -70), (-140, -140), (-20, -150), (100, -165)]
    holes = [
        Hole(name=f"H{i}", x_mm=x, y_mm=y, radius_mm=22 if i % 4 == 0 else 17, colour="red", value=1)
        for i, (x, y) in enumerate(places)
    ]
    return replace(SEVEN, name="by-hand", holes=tuple(holes))


@pytest.mark.parametrize(
    ("layout", "camera"),
    [
        (SEVEN, SOUTH),
        (SEVEN, ABOVE),
        (SEVEN, LOW),
        (SIX, CORNER),
        (OCTAGON, WIDE),
        (OCTAGON, CORNER),
        (BOX, SOUTH),
        (BOX, CORNER),
        (BOX, WIDE),
        (by_hand(), LOW),
        (by_hand(), EAST),
    ],
)
def test_the_board_is_found_by_its_look(layout: Layout, camera: CameraModel) -> None:
    table = calibrate([picture(layout, camera)], layout)

    assert table.method == "board"
    assert miss_mm(table.camera, camera, layout) < 0.5
    assert table.error_px < 0.5
    assert table.uncertainty_mm is not None
    assert table.uncertainty_mm < 4


def test_a_board_that_looks_alike_from_all_sides_has_south_at_the_bottom() -> None:
    table = calibrate([picture(SEVEN, EAST)], SEVEN)

    assert table.notes == (LOOKS_ALIKE,)
    south, north = table.camera.to_px(np.array([(0.0, -260.0, 30.0), (0.0, 260.0, 30.0)]))
    assert south[1] > north[1] + 100


def test_missing_holes_show_which_way_round_it_lies() -> None:
    uneven = replace(SEVEN, holes=tuple(hole for hole in SEVEN.holes if hole.name not in ("A1", "F3")))

    table = calibrate([picture(uneven, EAST)], uneven)

    assert miss_mm(table.camera, EAST, uneven) < 0.5
    assert table.notes == ()


def test_printed_colours_show_which_way_round_it_lies() -> None:
    table = calibrate([with_prints(picture(SEVEN, EAST), SEVEN, EAST)], SEVEN)

    assert miss_mm(table.camera, EAST, SEVEN) < 0.5
    assert table.notes == ()


def with_prints(frame: Frame, layout: Layout, camera: CameraModel) -> Frame:
    """The frame with the printed colour of each hole in all of it, in warm light."""
    colours = {"red": (110, 200), "blue": (190, 115), "green": (105, 100), "yellow": (70, 140)}
    planes = [np.full(plane.shape, middle, dtype=np.uint8) for plane, middle in ((frame.u, 120), (frame.v, 134))]
    angles = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    for hole in layout.holes:
        x_mm, y_mm = hole.x_mm + hole.radius_mm * np.cos(angles), hole.y_mm + hole.radius_mm * np.sin(angles)
        rim = camera.to_px(np.column_stack([x_mm, y_mm, np.full(32, layout.height_mm)]))
        for plane, value in zip(planes, colours[hole.colour], strict=True):
            cv2.fillPoly(plane, [np.rint((rim + 0.5) / 2 - 0.5).astype(np.int32)], value)
    return replace(frame, u=planes[0], v=planes[1])


def test_hands_and_balls_over_some_holes_do_no_harm() -> None:
    view = picture(SEVEN, SOUTH)
    luma = view.y.copy()
    cv2.rectangle(luma, (500, 300), (620, 719), 150, -1)
    for x, y in ((700, 330), (790, 400), (660, 410)):
        cv2.circle(luma, (x, y), 18, 200, -1)

    table = calibrate([replace(view, y=luma)], SEVEN)

    assert miss_mm(table.camera, SOUTH, SEVEN) < 1


@pytest.mark.parametrize("wrong", [SIX, OCTAGON, BOX, by_hand()])
def test_another_board_is_refused(wrong: Layout) -> None:
    with pytest.raises(BadCalibration, match="this board"):
        calibrate([picture(SEVEN, SOUTH)], wrong)


def test_a_part_of_a_larger_board_is_refused() -> None:
    inner = tuple(hole for hole in SEVEN.holes if abs(hole.x_mm) < 150 and abs(hole.y_mm) < 150)

    with pytest.raises(BadCalibration, match="looks like this board"):
        calibrate([picture(SEVEN, SOUTH)], replace(SEVEN, holes=inner))


def test_the_border_tells_where_a_row_of_holes_is_hidden() -> None:
    view = picture(replace(SEVEN, holes=tuple(hole for hole in SEVEN.holes if not hole.name.endswith("7"))), SOUTH)

    table = calibrate([view], SEVEN)

    assert miss_mm(table.camera, SOUTH, SEVEN) < 0.5


def test_two_boards_in_view_are_refused() -> None:
    far = camera_at(0, -1100, 1500)
    view = picture(SIX, far)
    middle = view.y[:, 320:960]

    with pytest.raises(BadCalibration, match="more than one place"):
        calibrate([replace(view, y=np.concatenate([middle, middle], axis=1))], SIX)


@pytest.mark.parametrize(
    ("name", "layout_name", "most_mm"),
    [("bii-01", "bii-7x7-a-m", 0.8), ("bii-02", "bii-6x6-b", 0.9), ("bii-03", "bii-7x7-a-m", 1.0)],
)
def test_recorded_boards_are_found_without_markers(name: str, layout_name: str, most_mm: float) -> None:
    truth = json.loads((SAMPLES / f"{name}.truth.json").read_text())
    layout = replace(load_layout(str(SAMPLES / "layouts" / f"{layout_name}.layout.json")), markers=())
    true = CameraModel(
        matrix=np.array(truth["camera"]["K"]),
        dist=np.array(truth["camera"]["dist"]),
        rotation=np.array(truth["camera"]["R"]),
        translation_mm=np.array(truth["camera"]["t_mm"]),
        width_px=truth["width"],
        height_px=truth["height"],
    )

    with VideoFile(SAMPLES / f"{name}.mp4") as video:
        table = calibrate(still_frames(video), layout)

    assert table.method == "board"
    assert miss_mm(table.camera, true, layout) < most_mm


def test_holes_that_differ_from_the_board_in_colour_alone_stand_out() -> None:
    luma = np.full((240, 320), 90, dtype=np.uint8)
    u, v = (np.full((120, 160), level, dtype=np.uint8) for level in (120, 150))
    cv2.circle(u, (50, 60), 4, 140, -1)
    cv2.circle(luma, (200, 120), 8, 60, -1)
    found = find_blobs(unlike_around(luma, u, v)).centres_px
    for middle in ((100.5, 120.5), (200.0, 120.0)):
        assert np.linalg.norm(found - middle, axis=1).min() < 1.0


def test_a_board_that_ends_where_the_layout_does_is_no_part_of_a_larger_one(monkeypatch: pytest.MonkeyPatch) -> None:
    beyond = [Hole(name=f"X{k}", x_mm=300.0, y_mm=60.0 * k, radius_mm=17.0, colour="red", value=1) for k in (-1, 0, 1)]
    shown = picture(replace(SIX, holes=(*SIX.holes, *beyond)), SOUTH)
    monkeypatch.setattr("calibration.places.rows_beyond", lambda _: [tuple(beyond)])
    table = calibrate([shown], SIX)
    assert miss_mm(table.camera, SOUTH, SIX) < 1.0


def test_shade_at_the_foot_of_a_dark_board_is_not_its_border() -> None:
    luma = 255 - picture(SEVEN, ABOVE).y
    half = SEVEN.size_mm[0] / 2
    for side in ((1, 0), (0, -1)):
        band = np.array([[-half, half], [half, half], [half, half + 7], [-half, half + 7]])
        turned = band @ np.array([[side[1], -side[0]], [side[0], side[1]]])
        px = ABOVE.to_px(np.column_stack([turned, np.full(4, SEVEN.height_mm)]))
        cv2.fillPoly(luma, [np.rint(16 * px).astype(np.int32)], 25, shift=4)
    frame = replace(picture(SEVEN, ABOVE), y=np.asarray(cv2.GaussianBlur(luma, (0, 0), 0.7), dtype=np.uint8))
    table = calibrate([frame], SEVEN)
    assert miss_mm(table.camera, ABOVE, SEVEN) < 1.0
    assert miss_mm(table.camera, ABOVE, SEVEN, above_mm=150) < 1.5


def on_check_cloth(frame: Frame, layout: Layout, camera: CameraModel) -> Frame:
    """The board on a cloth of squares that are in turn lighter and darker than it, and of other colours."""
    rows, columns = np.indices(frame.y.shape)
    places = camera.to_mm(np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64), 0.0)
    squares = np.floor(places[:, :2] / 23.0).sum(axis=1).reshape(frame.y.shape) % 2 == 0
    face = np.zeros(frame.y.shape, dtype=np.uint8)
    outline = np.array([(x, y, layout.height_mm) for x, y in layout.outline_mm])
    cv2.fillPoly(face, [np.rint(16 * camera.to_px(outline)).astype(np.int32)], 1, shift=4)
    y = np.where(face > 0, frame.y, np.where(squares, 225, 150)).astype(np.uint8)
    y = np.asarray(cv2.GaussianBlur(y, (0, 0), 0.7), dtype=np.uint8)
    u = np.where(face[::2, ::2] > 0, 128, np.where(squares[::2, ::2], 110, 150)).astype(np.uint8)
    return replace(frame, y=y, u=u)


def test_a_motley_cloth_does_not_hide_the_border() -> None:
    table = calibrate([on_check_cloth(picture(SIX, SOUTH), SIX, SOUTH)], SIX)
    assert miss_mm(table.camera, SOUTH, SIX) < 1.0


def test_a_board_is_found_by_its_outline_where_few_holes_are_whole() -> None:
    view = picture(SIX, SOUTH)
    luma = view.y.copy()
    # Painted lines run through most of the holes.
    for hole in SIX.holes[::2] + SIX.holes[1::3]:
        ends = [(hole.x_mm - 40, hole.y_mm + 9, SIX.height_mm), (hole.x_mm + 40, hole.y_mm + 9, SIX.height_mm)]
        start, end = np.rint(SOUTH.to_px(np.array(ends))).astype(int).tolist()
        cv2.line(luma, start, end, 60, 5, cv2.LINE_AA)
    table = calibrate([replace(view, y=luma)], SIX)
    assert miss_mm(table.camera, SOUTH, SIX) < 1.0


def beside_alike(frame: Frame, layout: Layout, camera: CameraModel, turn: float) -> Frame:
    """The board on a table that has its colour on two sides of it."""
    half = layout.size_mm[0] / 2
    there = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) * 1.5
    there = (there + half * np.array([0.7, 0.7])) @ np.array(
        [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]
    )
    face = np.zeros(frame.y.shape, dtype=np.uint8)
    outline = np.array([(x, y, layout.height_mm) for x, y in layout.outline_mm])
    cv2.fillPoly(face, [np.rint(16 * camera.to_px(outline)).astype(np.int32)], 1, shift=4)
    cloth = frame.y.copy()
    px = camera.to_px(np.column_stack([there, np.zeros(4)]))
    cv2.fillPoly(cloth, [np.rint(16 * px).astype(np.int32)], TOP, shift=4)
    return replace(frame, y=np.where(face > 0, frame.y, cloth).astype(np.uint8))


def test_a_corner_of_the_border_is_enough_where_the_rims_show() -> None:
    view = beside_alike(picture(SEVEN, SOUTH, noise=0), SEVEN, SOUTH, 0.0)
    table = calibrate([view], SEVEN)
    assert miss_mm(table.camera, SOUTH, SEVEN) < 1.0
    larger = replace(SEVEN, size_mm=(560, 560), outline_mm=((-280, -280), (280, -280), (280, 280), (-280, 280)))
    with pytest.raises(BadCalibration, match="of its border"):
        calibrate([view], larger)


def test_edges_that_set_nothing_off_are_no_border(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.places.border_in_colour", lambda *_: (0.0, 0.1, 0.0, 0.2))
    with pytest.raises(BadCalibration, match="8% of its border"):
        calibrate([picture(SIX, SOUTH)], SIX)


def test_a_box_is_found_through_a_wide_lens() -> None:
    camera = camera_at(30, -180, 280, focal_px=560, k1=-0.27, k2=0.09)
    table = calibrate([picture(BOX, camera)], BOX)
    assert miss_mm(table.camera, camera, BOX) < 0.5


def test_what_is_too_near_to_the_border_is_no_hole_beyond_the_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    half = SIX.size_mm[0] / 2
    beyond = tuple(
        Hole(name=f"X{k}", x_mm=half - 5, y_mm=80.0 * k, radius_mm=17.0, colour="red", value=1) for k in (-1, 0, 1)
    )
    shown = picture(replace(SIX, holes=(*SIX.holes, *beyond)), SOUTH)
    monkeypatch.setattr("calibration.places.rows_beyond", lambda _: [beyond])
    assert miss_mm(calibrate([shown], SIX).camera, SOUTH, SIX) < 1.0
