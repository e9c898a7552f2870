"""Single pictures: balls in holes, in pits, on the board and beside it; balls of unknown views; printed markers."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.layout import Hole
from calibration.table import Table
from referee.look import look_at, look_to_json
from referee.vision.still.balls import StillBalls
from referee.vision.still.markers import find_all_markers
from referee.vision.still.shading import shading
from referee.vision.uncalibrated.names import colour_name
from referee.vision.uncalibrated.still import unknown_balls
from tests.pictures import frame_of_bgr
from tests.vision.scene import PAINT, RADIUS_MM, TOP_MM, picture, seat_mm, table


def shaded(image: np.ndarray, x: float, y: float, radius: float, paint: tuple[int, int, int]) -> None:
    """A ball with light from above."""
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    disc = np.hypot(columns - x, rows - y) <= radius
    light = np.clip(1.0 - 0.45 * (rows[disc] - y) / radius, 0.3, 1.5)
    image[disc] = np.clip(light[:, None] * np.array(paint), 0, 255)


def beside_px(scene: Table, x_mm: float, y_mm: float) -> tuple[float, float, float]:
    place = np.array([[x_mm, y_mm, RADIUS_MM]])
    (x, y), radius = scene.camera.to_px(place)[0], scene.camera.radius_px(place, RADIUS_MM)[0]
    return float(x), float(y), float(radius)


def test_balls_are_told_by_where_they_lie() -> None:
    scene = table()
    image = picture(scene, [("red", seat_mm("B2")), ("blue", (40.0, 40.0, TOP_MM + RADIUS_MM))]).astype(np.uint8)
    x, y, radius = beside_px(scene, 230.0, -40.0)
    shaded(image, x, y, radius, PAINT["green"])

    balls = StillBalls(scene).read(frame_of_bgr(image))

    assert [(ball.colour, ball.hole) for ball in balls] == [("red", "B2"), ("blue", None), ("green", None)]
    assert (balls[2].x_px, balls[2].y_px) == pytest.approx((x, y), abs=2.0)
    assert balls[2].radius_px == pytest.approx(radius, rel=0.1)


def test_flat_discs_stripes_and_cups_beside_the_board_are_no_balls() -> None:
    scene = table()
    image = picture(scene, []).astype(np.uint8)
    x, y, radius = beside_px(scene, 230.0, -40.0)
    cv2.circle(image, (round(x), round(y)), round(radius), PAINT["red"], -1)
    cv2.line(image, (20, 100), (120, 340), PAINT["blue"], round(2 * radius))
    shaded(image, 560.0, 60.0, 2.6 * radius, PAINT["green"])

    assert StillBalls(scene).read(frame_of_bgr(image)) == ()


def test_several_balls_lie_in_the_pit_of_a_box() -> None:
    scene = table()
    pit = Hole(name="A1", x_mm=0.0, y_mm=0.0, radius_mm=80.0, colour="blue", value=1)
    layout = replace(scene.layout, kind="box", height_mm=60.0, hole_floor_mm=0.0, holes=(pit,))
    scene = replace(scene, layout=layout)
    image = np.full((360, 640, 3), (90, 120, 150), np.uint8)
    camera = scene.camera
    angles = np.linspace(0, 2 * np.pi, 60)
    rim = np.column_stack([80 * np.cos(angles), 80 * np.sin(angles), np.full(60, 60.0)])
    cv2.fillPoly(image, [np.round(camera.to_px(rim)).astype(np.int32)], (50, 60, 70))
    for colour, x_mm, y_mm in (("red", -30.0, 20.0), ("yellow", 35.0, 30.0)):
        shaded(image, *beside_px(scene, x_mm, y_mm), PAINT[colour])

    balls = StillBalls(scene).read(frame_of_bgr(image))

    assert sorted((ball.colour, ball.hole) for ball in balls) == [("red", "A1"), ("yellow", "A1")]


def test_balls_of_an_unknown_view_have_a_colour_and_a_place() -> None:
    image = np.full((480, 640, 3), (95, 110, 100), np.uint8)
    for x, paint in ((150, (40, 30, 190)), (320, (225, 230, 230)), (480, (150, 60, 30))):
        shaded(image, x, 240, 30, paint)
    cv2.circle(image, (320, 100), 30, (40, 30, 190), -1)

    found = {ball.colour: ball for ball in unknown_balls(frame_of_bgr(image))}

    assert set(found) == {"red", "white", "blue"}
    assert (found["red"].x_px, found["red"].y_px, found["red"].radius_px) == pytest.approx((150, 240, 30), abs=5.0)


def test_a_painted_eye_and_the_belly_of_a_pin_are_no_balls() -> None:
    image = np.full((480, 640, 3), (70, 80, 75), np.uint8)
    rows, columns = np.mgrid[:480, :640]
    away = np.hypot(columns - 150, rows - 240) / 30
    # An eye: a disc of one paint that is darkest in its middle.
    image[away <= 1] = np.clip((0.45 + 0.55 * away[away <= 1, None] ** 2) * np.array((60, 130, 230)), 0, 255)
    # A pin from above: its white belly goes on into its neck.
    shaded(image, 420, 240, 30, (200, 200, 200))
    cv2.rectangle(image, (408, 160), (432, 220), (210, 210, 210), -1)

    assert unknown_balls(frame_of_bgr(image)) == ()


@pytest.mark.parametrize(
    ("name", "luma", "u", "v"),
    [("red", 60, -20, 80), ("yellow", 150, -80, 20), ("blue", 50, 60, -20), ("white", 190, 2, 3), ("black", 8, 1, 1)],
)
def test_colours_have_names(name: str, luma: float, u: float, v: float) -> None:
    assert colour_name(luma, u, v) == name


def test_shading_tells_a_ball_from_print() -> None:
    image = np.full((100, 100, 3), 120, np.uint8)
    shaded(image, 50, 50, 20, (120, 120, 120))
    lit = shading(np.ascontiguousarray(image[:, :, 0]), 50, 50, 20)
    flat = shading(np.full((100, 100), 120, np.uint8), 50, 50, 20)
    assert lit is not None
    assert lit[1] < -0.3
    assert flat is not None
    assert np.abs(flat).max() < 0.01


def test_markers_are_read_whatever_set_they_are_of_and_other_print_is_not() -> None:
    image = np.full((400, 700), 230, np.uint8)
    for x, name, number in ((50, "DICT_4X4_50", 7), (250, "DICT_6X6_250", 203), (450, "DICT_6X6_250", 40)):
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
        image[100:220, x : x + 120] = cv2.aruco.generateImageMarker(dictionary, number, 120)
    cv2.putText(image, "FRAGILE", (60, 330), cv2.FONT_HERSHEY_SIMPLEX, 2.0, 0, 8)

    found = {(marker.dictionary, marker.id) for marker in find_all_markers(image)}

    assert found == {("DICT_4X4_50", 7), ("DICT_6X6_250", 203), ("DICT_6X6_250", 40)}


def test_a_look_has_all_its_keys_when_nothing_is_there() -> None:
    told = look_to_json("grey.jpg", look_at(frame_of_bgr(np.full((240, 320, 3), 128, np.uint8)), None))

    assert told == {
        "file": "grey.jpg",
        "balls": [],
        "pins": {"standing": 0, "fallen": 0, "pins": []},
        "cards": [],
        "markers": [],
    }
