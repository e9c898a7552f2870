"""What is the bare board, in light and shade, and what is not."""

import math

import numpy as np
import pytest

from referee.vision.bare import BareBoard

FACE = 400


def others(board: tuple[float, float, int], *more: tuple[float, float, int]) -> list[bool]:
    """Which of some pixels are not board; pixels are hue in degrees, chroma, and luma."""
    random = np.random.default_rng(3)
    pixels = np.array([board] * FACE + list(more))
    turns = np.radians(pixels[:, 0])
    u, v = (128 + pixels[:, 1] * turn for turn in (np.cos(turns), np.sin(turns)))
    planes = [np.rint(plane + random.normal(0, 1.0, len(pixels))).astype(np.uint8) for plane in (u, v, pixels[:, 2])]
    board_face = BareBoard(np.arange(FACE), light=1.0)
    board_face.learn(*planes)
    return list(board_face.are_other(*planes)[FACE:].tolist())


@pytest.mark.parametrize("hue_deg", [-18.0, 103.0, -122.0], ids=["blue", "red", "green"])
def test_a_painted_board_is_told_from_a_ball_of_its_hue_by_chroma(hue_deg: float) -> None:
    assert others((hue_deg, 22, 90), (hue_deg, 36, 100)) == [True]


@pytest.mark.parametrize("hue_deg", [-18.0, 103.0, -122.0], ids=["blue", "red", "green"])
def test_the_walls_of_a_painted_boards_holes_are_board(hue_deg: float) -> None:
    assert others((hue_deg, 42, 95), (hue_deg, 17, 39), (hue_deg + 8, 24, 40), (hue_deg, 40, 60)) == [False] * 3


def test_walls_that_light_each_other_are_board_though_they_have_more_chroma() -> None:
    assert others((152.0, 36, 188), (146.0, 44, 149)) == [False]


def test_other_hues_on_a_painted_board_are_not_board() -> None:
    assert others((-18.0, 22, 90), (103.0, 30, 70), (-122.0, 16, 50), (161.0, 50, 150)) == [True] * 3


def test_grey_board_is_board_in_any_light() -> None:
    assert others((0.0, 2, 180), (-30.0, 6, 60), (90.0, 6, 120), (math.degrees(2), 30, 90)) == [False, False, True]
