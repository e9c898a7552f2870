"""What lies on the board, from one picture and from several."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.vision.board import BoardReader
from referee.vision.colours import colour_map, half_luma, known_colours
from referee.vision.ground import Ground
from referee.vision.kinds import ball_kinds
from referee.vision.loose import Loose
from referee.vision.readings import BoardReading, HoleReading
from referee.vision.steady import AGREEING, SteadyBoard
from tests.pictures import frame_of_bgr
from tests.vision.scene import PAINT, RADIUS_MM, TOP_MM, picture, seat_mm, table

COLOURS = colour_map(known_colours(tuple(PAINT)))


def read(*images: NDArray[np.uint8]) -> BoardReading:
    """The reading of the last of some pictures."""
    scene = table()
    reader = BoardReader(Ground(table=scene, radius_mm=RADIUS_MM), COLOURS, ball_kinds(scene.layout))
    for image in images:
        shown = frame_of_bgr(image)
        luma = half_luma(shown)
        reading = reader.read(shown, luma)
    return reading


def taken(reading: BoardReading) -> dict[str, str]:
    return {hole.hole: hole.colour for hole in reading.holes if hole.colour is not None}


def test_a_picture_is_read_already_if_it_shows_what_the_last_one_did() -> None:
    scene = table()
    reader = BoardReader(Ground(table=scene, radius_mm=RADIUS_MM), COLOURS, ball_kinds(scene.layout))
    seated = picture(scene, [("red", seat_mm("A3"))])
    noisy = seated.copy()
    noisy[::24, ::24] = 0
    beside = picture(scene, [("red", seat_mm("A3")), ("red", (40.0, -40.0, TOP_MM + RADIUS_MM))])

    def is_read(image: NDArray[np.uint8]) -> bool:
        shown = frame_of_bgr(image)
        return reader.is_read(shown, half_luma(shown), (14, 9))

    assert not is_read(seated)
    shown = frame_of_bgr(seated)
    reader.read(shown, half_luma(shown))
    assert is_read(seated)
    assert is_read(noisy)
    assert not is_read(picture(scene, []))
    assert not is_read(beside)


@pytest.mark.parametrize("colour", sorted(PAINT))
def test_a_ball_in_a_hole_is_read_in_every_hole(colour: str) -> None:
    for hole in table().layout.holes:
        reading = read(picture(table(), [(colour, seat_mm(hole.name))]))
        assert taken(reading) == {hole.name: colour}
        assert reading.loose == ()


def test_what_the_near_rim_hides_of_a_sunken_ball_does_not_count() -> None:
    scene = table()
    bare, filled = picture(scene, []), picture(scene, [("green", seat_mm("B2"))])
    hole = next(hole for hole in scene.layout.holes if hole.name == "B2")
    rows, columns = np.indices(bare.shape[:2])
    places = scene.camera.to_mm(np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64), TOP_MM)
    beyond = np.hypot(places[:, 0] - hole.x_mm, places[:, 1] - hole.y_mm) > hole.radius_mm
    hidden = (beyond & (places[:, 1] < hole.y_mm)).reshape(bare.shape[:2])
    filled[hidden] = bare[hidden]
    (reading,) = (reading for reading in read(filled).holes if reading.hole == "B2")
    assert reading.colour == "green"
    assert reading.share > 0.9


def test_a_hole_so_deep_that_its_ball_is_out_of_sight_is_never_read_as_empty() -> None:
    scene = table()
    deep = replace(scene, layout=replace(scene.layout, height_mm=90.0))
    reader = BoardReader(Ground(table=deep, radius_mm=RADIUS_MM), COLOURS, ball_kinds(deep.layout))
    shown = frame_of_bgr(picture(deep, []))
    assert all(hole.is_covered for hole in reader.read(shown, half_luma(shown)).holes)


def test_an_empty_board_has_nothing_on_it() -> None:
    reading = read(picture(table(), []))
    assert taken(reading) == {}
    assert reading.loose == ()
    assert not any(hole.is_covered for hole in reading.holes)


def test_a_ball_between_the_holes_lies_loose_where_it_is() -> None:
    reading = read(picture(table(), [("green", (40.0, -40.0, TOP_MM + RADIUS_MM)), ("red", seat_mm("A3"))]))
    assert taken(reading) == {"A3": "red"}
    (ball,) = reading.loose
    assert ball.colour == "green"
    assert (ball.x_mm, ball.y_mm) == pytest.approx((40.0, -40.0), abs=2.0)


def test_a_ball_that_half_looks_like_the_board_is_in_the_hole_over_whose_mouth_it_is_seen() -> None:
    scene = table()
    high = replace(scene, layout=replace(scene.layout, hole_floor_mm=25.0))
    x_mm, y_mm, _ = seat_mm("B2")
    place = np.array([[x_mm, y_mm, 25.0 + RADIUS_MM]])
    image, bare = picture(high, [("yellow", place[0].tolist())]), picture(high, [])
    (x_px, y_px), radius_px = high.camera.to_px(place)[0], float(high.camera.radius_px(place, RADIUS_MM)[0])
    rows, columns = np.indices(image.shape[:2])
    in_shade = (np.hypot(columns - x_px, rows - y_px) < 1.1 * radius_px) & (rows > y_px + 0.05 * radius_px)
    image[in_shade] = bare[10, 10]
    reader = BoardReader(Ground(table=high, radius_mm=RADIUS_MM), COLOURS, ball_kinds(high.layout))
    shown = frame_of_bgr(image)
    reading = reader.read(shown, half_luma(shown))
    assert taken(reading) == {"B2": "yellow"}
    assert reading.loose == ()


@pytest.mark.parametrize("colour", ["red", "green", "blue"])
def test_balls_of_the_boards_own_colour_are_told_from_its_dark_holes(colour: str) -> None:
    image = picture(table(), [(colour, seat_mm("B2")), (colour, seat_mm("C1"))])
    face = (image == (215, 215, 210)).all(axis=2)
    inside = (image == (60, 60, 60)).all(axis=2)
    paint = np.array(PAINT[colour])
    grey = np.full(3, paint.mean())
    image[face] = np.round(0.75 * paint + 0.25 * grey).astype(np.uint8)
    image[inside] = np.round(0.3 * paint).astype(np.uint8)
    reading = read(image)
    assert taken(reading) == {"B2": colour, "C1": colour}
    assert reading.loose == ()


def test_a_ball_before_one_of_its_colour_in_a_hole_is_seen() -> None:
    seated = seat_mm("B2")
    camera = table().camera
    x_px, y_px = camera.to_px(np.array([seated]))[0]
    below = np.array([[x_px, y_px + 1.2 * float(camera.radius_px(np.array([seated]), RADIUS_MM)[0])]])
    x_mm, y_mm, _ = camera.to_mm(below, TOP_MM + RADIUS_MM)[0].tolist()
    reading = read(picture(table(), [("green", seated), ("green", (x_mm, y_mm, TOP_MM + RADIUS_MM))]))
    assert taken(reading) == {"B2": "green"}
    (ball,) = reading.loose
    assert (ball.x_mm, ball.y_mm) == pytest.approx((x_mm, y_mm), abs=5.0)


def test_what_is_painted_on_the_board_is_no_ball_though_it_has_its_size() -> None:
    camera, place = table().camera, np.array([[40.0, -40.0, TOP_MM + RADIUS_MM]])
    image = picture(table(), [])
    x_px, y_px = np.rint(camera.to_px(place)[0]).astype(int).tolist()
    cv2.circle(image, (x_px, y_px), round(float(camera.radius_px(place, RADIUS_MM)[0])), PAINT["red"], -1)
    assert read(image).loose == ()


def with_rings(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture with rings in the balls' colours printed on the board around its holes."""
    camera, layout = table().camera, table().layout
    turns = np.linspace(0, 2 * np.pi, 60)
    for hole, colour in zip(layout.holes, 3 * ("red", "green", "yellow"), strict=True):
        x, y = hole.x_mm + 26 * np.cos(turns), hole.y_mm + 26 * np.sin(turns)
        ring = np.round(camera.to_px(np.column_stack([x, y, np.full(60, TOP_MM)]))).astype(np.int32)
        cv2.polylines(image, [ring], True, PAINT[colour], 4)
    return image


def test_rings_printed_around_the_holes_are_neither_balls_nor_hands() -> None:
    balls = [("red", seat_mm("A1")), ("blue", seat_mm("B2"))]
    reading = read(with_rings(picture(table(), balls)))
    assert taken(reading) == {"A1": "red", "B2": "blue"}
    assert reading.loose == ()
    assert not any(hole.is_covered for hole in reading.holes)


def test_a_hand_over_printed_rings_still_covers_holes() -> None:
    covered = picture(table(), [], hand_mm=(0.0, 0.0, TOP_MM))
    shown = with_rings(picture(table(), []))
    hand = np.any(covered != picture(table(), []), axis=2)
    with_hand = np.where(hand[..., None], covered, shown)
    assert "B2" in {hole.hole for hole in read(shown, with_hand).holes if hole.is_covered}


@pytest.mark.parametrize("aside", [(16.0, -16.0), (-20.0, -12.0)])
def test_a_ball_that_lies_just_beside_a_hole_is_not_in_it(aside: tuple[float, float]) -> None:
    reading = read(picture(table(), [("blue", (aside[0], aside[1], TOP_MM + RADIUS_MM))]))
    assert taken(reading) == {}
    (ball,) = reading.loose
    assert (ball.x_mm, ball.y_mm) == pytest.approx(aside, abs=3.0)


@pytest.mark.parametrize("aside", [(-8.0, -17.0), (-10.0, -16.0)])
def test_a_ball_that_hides_a_deep_hole_is_before_it(aside: tuple[float, float]) -> None:
    scene = table()
    deep = replace(scene, layout=replace(scene.layout, hole_floor_mm=1.0))
    reader = BoardReader(Ground(table=deep, radius_mm=RADIUS_MM), COLOURS, ball_kinds(deep.layout))
    shown = frame_of_bgr(picture(scene, [("blue", (*aside, TOP_MM + RADIUS_MM))]))
    reading = reader.read(shown, half_luma(shown))
    assert taken(reading) == {}
    (ball,) = reading.loose
    assert (ball.x_mm, ball.y_mm) == pytest.approx(aside, abs=3.0)
    # One in it, of which its mouth alone shows something, stays in it.
    bare, filled = picture(scene, []), picture(scene, [("blue", (0.0, 0.0, 1.0 + RADIUS_MM))])
    rows, columns = np.indices(bare.shape[:2])
    places = scene.camera.to_mm(np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64), TOP_MM)
    hidden = (np.hypot(places[:, 0], places[:, 1]) > 18.0).reshape(bare.shape[:2])
    filled[hidden] = bare[hidden]
    shown = frame_of_bgr(filled)
    assert taken(reader.read(shown, half_luma(shown))) == {"B2": "blue"}


@pytest.mark.parametrize(("up", "size"), [(0.5, 0.3), (0.5, 0.4), (0.7, 0.3), (0.9, 0.4)])
def test_gloss_on_one_side_leaves_a_ball_in_its_hole(up: float, size: float) -> None:
    scene, centre = table(), np.array([seat_mm("B2")])
    image = picture(scene, [("blue", seat_mm("B2"))])
    (x_px, y_px), radius_px = scene.camera.to_px(centre)[0], float(scene.camera.radius_px(centre, RADIUS_MM)[0])
    aside_px = up * radius_px / 2**0.5
    gloss = (round(x_px - aside_px), round(y_px - aside_px))
    cv2.circle(image, gloss, round(size * radius_px), (235, 235, 235), -1, cv2.LINE_AA)
    reading = read(image)
    assert taken(reading) == {"B2": "blue"}
    assert reading.loose == ()


def test_a_hand_covers_holes_and_they_are_not_read_as_empty() -> None:
    balls = [("red", seat_mm("B2"))]
    reading = read(picture(table(), balls), picture(table(), balls, hand_mm=(0.0, 0.0, TOP_MM)))
    assert [hole.hole for hole in reading.holes if hole.is_covered]
    assert all(hole.is_covered or hole.colour is None for hole in reading.holes)
    assert {hole.hole for hole in reading.holes if hole.is_covered} >= {"B2"}


def hole_reading(colour: str | None, *, is_covered: bool = False) -> BoardReading:
    return BoardReading(holes=(HoleReading(hole="A1", colour=colour, share=1.0, is_covered=is_covered),), loose=())


def test_a_ball_that_passes_over_a_hole_is_not_believed() -> None:
    board = SteadyBoard()
    for colour in (None, "red", "red", None):
        board.update(hole_reading(colour))
    assert board.state.holes == ()


def test_a_ball_that_stays_is_believed_after_some_agreeing_readings() -> None:
    board = SteadyBoard()
    board.update(hole_reading(None))
    for _ in range(AGREEING - 1):
        board.update(hole_reading("red"))
        assert board.is_open({"red"})
        assert not board.is_open({"blue"})
    board.update(hole_reading("red"))
    assert dict(board.state.holes) == {"A1": "red"}
    assert not board.is_open({"red"})


def test_what_a_hand_covers_keeps_what_it_was() -> None:
    board = SteadyBoard()
    for _ in range(AGREEING):
        board.update(hole_reading("red"))
    for _ in range(AGREEING * 2):
        board.update(hole_reading(None, is_covered=True))
    assert dict(board.state.holes) == {"A1": "red"}


def test_a_rolling_ball_is_loose_only_once_it_lies() -> None:
    board = SteadyBoard()
    for k in range(5):
        board.update(BoardReading(holes=(), loose=(loose(20.0 * k),)))
        assert board.state.loose == ()
    for _ in range(AGREEING):
        board.update(BoardReading(holes=(), loose=(loose(80.0),)))
    assert [ball.x_mm for ball in board.state.loose] == [80.0]


def loose(x_mm: float) -> Loose:
    return Loose(colour="red", ball="red", x_px=0.0, y_px=0.0, x_mm=x_mm, y_mm=0.0)
