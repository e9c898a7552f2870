import av
import numpy as np
import pytest

from hardware.picture import frame_to_bgr
from hardware.planes import frame_from_picture


@pytest.mark.parametrize("size", [(64, 48), (35, 27)])
@pytest.mark.parametrize("bgr", [(0, 0, 255), (0, 255, 0), (255, 0, 0), (255, 255, 255), (20, 120, 70)])
def test_colours_survive_the_way_through_planes(size: tuple[int, int], bgr: tuple[int, int, int]) -> None:
    width, height = size
    whole = av.VideoFrame.from_ndarray(np.full((height, width, 3), bgr, dtype=np.uint8), format="bgr24")

    frame = frame_from_picture(whole, index=0, t_s=0.0)

    picture = frame_to_bgr(frame)
    assert picture.shape == (height, width, 3)
    assert np.abs(picture.astype(int) - bgr).max() <= 3


def test_limited_range_is_stretched() -> None:
    black = av.VideoFrame.from_ndarray(np.array([[16] * 8] * 8 + [[128] * 8] * 4, dtype=np.uint8), format="yuv420p")
    white = av.VideoFrame.from_ndarray(np.array([[235] * 8] * 8 + [[128] * 8] * 4, dtype=np.uint8), format="yuv420p")

    assert frame_to_bgr(frame_from_picture(black, index=0, t_s=0.0)).max() == 0
    assert frame_to_bgr(frame_from_picture(white, index=0, t_s=0.0)).min() >= 254


def test_interleaved_colour_planes_are_split() -> None:
    planes = np.full((12, 8), 90, dtype=np.uint8)
    planes[8:, 0::2], planes[8:, 1::2] = 50, 200

    frame = frame_from_picture(av.VideoFrame.from_ndarray(planes, format="nv12"), index=0, t_s=0.0)

    assert (frame.y == 90).all()
    assert (frame.u == 50).all()
    assert (frame.v == 200).all()
    assert frame.u.shape == frame.v.shape == (4, 4)


def test_planes_are_not_copied() -> None:
    picture = av.VideoFrame(64, 48, "yuv420p")

    frame = frame_from_picture(picture, index=0, t_s=0.0)

    assert np.shares_memory(frame.y, np.frombuffer(memoryview(picture.planes[0]), dtype=np.uint8))


def test_padding_at_the_end_of_lines_is_no_picture() -> None:
    picture = av.VideoFrame(34, 18, "yuv420p")
    assert picture.planes[0].line_size > 34

    frame = frame_from_picture(picture, index=0, t_s=0.0)

    assert frame.y.shape == (18, 34)
    assert frame.u.shape == (9, 17)
