"""Which chroma is a ball of which colour."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.vision.colours import calmed, colour_map, half_luma, known_colours, noise_of
from tests.pictures import frame_of_bgr
from tests.vision.scene import PAINT

NAMES = ("red", "blue", "green", "yellow")


def named(bgr: tuple[int, int, int], names: tuple[str, ...] = NAMES) -> str | None:
    image = np.full((360, 640, 3), bgr, np.uint8)
    shown = frame_of_bgr(image)
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


def test_brown_wood_in_warm_shade_is_no_yellow_ball_at_rest() -> None:
    shown = frame_of_bgr(np.full((360, 640, 3), (35, 62, 85), np.uint8))
    lit = frame_of_bgr(np.full((360, 640, 3), PAINT["yellow"], np.uint8))
    moving, at_rest = (colour_map(known_colours(NAMES), at_rest=still) for still in (False, True))
    assert moving.label(half_luma(shown), shown.u, shown.v).any()  # a ball's smear may look like this
    assert not at_rest.label(half_luma(shown), shown.u, shown.v).any()
    assert at_rest.label(half_luma(lit), lit.u, lit.v).all()


def test_orange_is_told_from_nothing_but_blue_in_a_box_game() -> None:
    assert named((20, 110, 230), ("orange-small", "orange-large", "blue")) == "orange"
    assert [colour.name for colour in known_colours(("orange-small", "orange-large", "blue"))] == ["orange", "blue"]


def test_luma_is_halved_to_the_size_of_the_chroma_planes() -> None:
    image = np.zeros((360, 640, 3), np.uint8)
    cv2.rectangle(image, (0, 0), (319, 359), (255, 255, 255), -1)
    half = half_luma(frame_of_bgr(image))
    assert half.shape == (180, 320)
    assert int(half[:, :160].min()) > 230 > 20 > int(half[:, 160:].max())


def test_noise_is_measured_whatever_the_picture_shows() -> None:
    ramp = np.tile(np.linspace(40, 200, 320).astype(np.uint8), (180, 1))
    noise = np.random.default_rng(3).normal(0.0, 4.0, ramp.shape)
    assert noise_of(ramp) < 0.5
    assert noise_of(np.clip(ramp + noise, 0, 255).astype(np.uint8)) == pytest.approx(4.0, rel=0.1)


def test_averaging_calms_chroma_and_keeps_the_picture() -> None:
    rng = np.random.default_rng(4)
    shown = frame_of_bgr(np.full((360, 640, 3), PAINT["red"], np.uint8))
    noisy = replace(shown, u=np.clip(shown.u + rng.normal(0.0, 5.0, shown.u.shape), 0, 255).astype(np.uint8))
    calm, _ = calmed(noisy, half_luma(noisy))
    assert noise_of(calm.u) < noise_of(noisy.u) / 3
    assert abs(float(calm.u.mean()) - float(shown.u.mean())) < 1.0
