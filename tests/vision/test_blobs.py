"""Which of the things that changed could be balls."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.frame import Frame
from referee.vision.background import Background
from referee.vision.blobs import Blob, BlobFinder
from referee.vision.colours import colour_map, half_luma, known_colours
from tests.pictures import frame_of_bgr
from tests.vision.scene import PAINT, RADIUS_MM, picture, table

PRINT_MM = (40.0, -240.0, RADIUS_MM)


def found(still: NDArray[np.uint8], now: Frame) -> tuple[Blob, ...]:
    """What is found in a frame that follows on a still picture."""
    background, finder = Background(), BlobFinder(table(), RADIUS_MM, colour_map(known_colours(tuple(PAINT))))
    blobs: tuple[Blob, ...] = ()
    for shown in (frame_of_bgr(still), now):
        luma = half_luma(shown)
        (blobs,) = finder.find([finder.coloured(shown, luma, background.changed(shown, luma), background)])
    return blobs


def noisy(image: NDArray[np.uint8], chroma: float, seed: int) -> Frame:
    """A frame whose chroma is noisy."""
    shown, rng = frame_of_bgr(image, 1, 0.02), np.random.default_rng(seed)
    u, v = (
        np.clip(plane + rng.normal(0.0, chroma, plane.shape), 0, 255).astype(np.uint8) for plane in (shown.u, shown.v)
    )
    return replace(shown, u=u, v=v)


def test_every_ball_is_found_where_it_is_and_nothing_else() -> None:
    balls = [(colour, (-120.0 + 80.0 * k, -230.0, 60.0 * k + RADIUS_MM)) for k, colour in enumerate(PAINT)]
    blobs = found(picture(table(), []), frame_of_bgr(picture(table(), balls), 1, 0.02))
    assert sorted(blob.colour for blob in blobs) == sorted(PAINT)
    for blob in blobs:
        place = next(place for colour, place in balls if colour == blob.colour)
        x_px, y_px = table().camera.to_px(np.array([place]))[0]
        assert np.hypot(blob.x_px - x_px, blob.y_px - y_px) < 1.0
        assert blob.share > 0.8


@pytest.mark.parametrize("count", range(1, 6))
def test_a_few_pixels_are_no_ball(count: int) -> None:
    still = picture(table(), [])
    now = frame_of_bgr(still, 1, 0.02)
    u, v = now.u.copy(), now.v.copy()
    u[40, 60 : 60 + count], v[40, 60 : 60 + count] = 90, 230
    assert found(still, replace(now, u=u, v=v)) == ()


def test_a_red_thing_that_flickers_is_no_ball() -> None:
    still = picture(table(), [("red", PRINT_MM)])
    for seed in range(5):
        assert found(still, noisy(still, 5.0, seed)) == ()


def test_a_red_ball_is_found_where_it_passes_a_red_thing() -> None:
    still = picture(table(), [("red", PRINT_MM)])
    x, y, z = PRINT_MM
    beside = picture(table(), [("red", PRINT_MM), ("red", (x + 25.0, y, z + 20.0))])
    (blob,) = found(still, frame_of_bgr(beside, 1, 0.02))
    assert blob.colour == "red"
    assert blob.x_px > table().camera.to_px(np.array([PRINT_MM]))[0, 0]
