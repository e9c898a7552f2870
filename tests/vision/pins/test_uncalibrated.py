"""Pins in pictures of which nothing is known."""

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame
from referee.vision.pins.profiles import BOWLING
from referee.vision.pins.reading import read_uncalibrated
from tests.pictures import frame_of_bgr

WIDTH_PX, HEIGHT_PX = 640, 360


def picture(pins: list[tuple[int, int, int]]) -> Frame:
    """White pins (foot x, foot y, height, px) before a brown wall."""
    image = np.full((HEIGHT_PX, WIDTH_PX, 3), (50, 80, 110), np.uint8)
    for x, y, height in sorted(pins, key=lambda pin: pin[1]):
        _pin(image, x, y, height)
    return frame_of_bgr(image)


def _pin(image: NDArray[np.uint8], x: int, y: int, height: int) -> None:
    for share, radius in BOWLING:
        centre = (x, round(y - share * height))
        cv2.circle(image, centre, round(radius * height / 6.3), (235, 235, 235), -1, cv2.LINE_AA)


def test_pins_are_found_with_their_feet_and_heads() -> None:
    pins = [(120, 200, 100), (330, 260, 125), (520, 210, 104)]
    reading = read_uncalibrated(picture(pins))
    assert reading.standing == 3
    for (x, y, height), pin in zip(pins, sorted(reading.pins, key=lambda pin: pin.x_px), strict=True):
        assert pin.head_px is not None
        assert np.hypot(pin.x_px - x, pin.y_px - y) < 0.12 * height
        assert abs(pin.head_px[1] - (y - height)) < 0.12 * height
        assert pin.mm is None


def test_nothing_is_found_where_nothing_stands() -> None:
    assert read_uncalibrated(picture([])).pins == ()


def test_a_count_by_look_alone_is_for_people_to_check() -> None:
    reading = read_uncalibrated(picture([(320, 250, 120)]))
    assert reading.standing == 1
    assert reading.review is not None
    assert reading.confidence < 0.8
