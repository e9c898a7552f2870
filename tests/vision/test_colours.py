"""Which chroma is a ball of which colour."""

import cv2
import numpy as np
import pytest

from referee.vision.colours import colour_map, half_luma, known_colours
from tests.vision.scene import PAINT, frame

NAMES = ("red", "blue", "green", "yellow")


def named(bgr: tuple[int, int, int], names: tuple[str, ...] = NAMES) -> str | None:
    image = np.full((360, 640, 3), bgr, np.uint8)
    shown = frame(image)
    colours = colour_map(known_colours(names))
    label = int(colours.label(half_luma(shown), shown.u, shown.v)[0, 0])
    return colours.colours[label - 1].name if label else None


@pytest.mark.parametrize("colour", NAMES)
@pytest.mark.parametrize("light", [1.0, 0.6, 0.35])
def test_a_ball_keeps_its_colour_in_light_and_shade(colour: str, light: float) -> None:
    blue, green, red = (round(light * part) for part in PAINT[colour])
    assert named((blue, green, red)) == colour


@pytest.mark.parametrize(
    ("what", "bgr"),
    [
        ("pale skin", (135, 165, 215)),
        ("dark skin", (45, 65, 100)),
        ("oak", (110, 150, 185)),
        ("paper", (235, 240, 245)),
        ("shade", (40, 42, 45)),
    ],
)
def test_pale_and_grey_things_are_no_balls(what: str, bgr: tuple[int, int, int]) -> None:
    assert named(bgr) is None, what


def test_orange_is_told_from_nothing_but_blue_in_a_box_game() -> None:
    assert named((20, 110, 230), ("orange-small", "orange-large", "blue")) == "orange"
    assert [colour.name for colour in known_colours(("orange-small", "orange-large", "blue"))] == ["orange", "blue"]


def test_luma_is_halved_to_the_size_of_the_chroma_planes() -> None:
    image = np.zeros((360, 640, 3), np.uint8)
    cv2.rectangle(image, (0, 0), (319, 359), (255, 255, 255), -1)
    half = half_luma(frame(image))
    assert half.shape == (180, 320)
    assert int(half[:, :160].min()) > 230 > 20 > int(half[:, 160:].max())
