import shutil
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.errors import BadSource
from hardware.video import VideoFile
from tests.hardware.recordings import shade, write_sound, write_video


def test_every_picture_comes_with_its_planes_and_its_time(tmp_path: Path) -> None:
    video = VideoFile(write_video(tmp_path / "a.mp4"))

    frames = list(video)

    assert [frame.index for frame in frames] == list(range(10))
    assert [frame.t_s for frame in frames] == pytest.approx([i / 30 for i in range(10)], abs=1e-3)
    assert [int(frame.y[-1, -1]) for frame in frames] == pytest.approx([shade(i) for i in range(10)], abs=2)
    assert all(frame.y.shape == (48, 64) and frame.u.shape == frame.v.shape == (24, 32) for frame in frames)
    assert (video.width_px, video.height_px, video.frame_rate_hz, video.frame_count) == (64, 48, 30.0, 10)
    assert video.duration_s == pytest.approx(1 / 3, abs=0.01)
    assert video.warnings == []


def test_reading_twice_gives_the_same(tmp_path: Path) -> None:
    video = VideoFile(write_video(tmp_path / "a.mp4"))

    first, second = list(video), list(video)

    assert all(np.array_equal(a.y, b.y) and a.t_s == b.t_s for a, b in zip(first, second, strict=True))


def test_a_variable_frame_rate_is_read_from_the_time_stamps(tmp_path: Path) -> None:
    stamps = (0, 33, 50, 200, 201, 1200)
    video = VideoFile(write_video(tmp_path / "a.mkv", stamps=stamps, time_base=Fraction(1, 1000)))

    assert [frame.t_s for frame in video] == pytest.approx([stamp / 1000 for stamp in stamps], abs=1e-3)
    assert video.warnings == []


def test_time_starts_with_the_first_picture_shown(tmp_path: Path) -> None:
    video = VideoFile(write_video(tmp_path / "a.mkv", stamps=(3000, 3040, 3080), time_base=Fraction(1, 1000)))

    assert [frame.t_s for frame in video] == pytest.approx([0.0, 0.04, 0.08], abs=1e-3)


def test_odd_sizes_round_the_colour_planes_up(tmp_path: Path) -> None:
    video = VideoFile(write_video(tmp_path / "a.mkv", size=(35, 27), codec="ffv1"))

    frame = next(iter(video))

    assert frame.y.shape == (27, 35)
    assert frame.u.shape == frame.v.shape == (14, 18)
    assert frame.y[0, 0] == 220
    assert frame.y[-1, -1] == shade(0)


@pytest.mark.parametrize(
    ("rotation_deg", "size", "bright"),
    [(90, (48, 64), (-2, 1)), (180, (64, 48), (-2, -2)), (270, (48, 64), (1, -2))],
)
def test_pictures_are_turned_as_the_file_asks(
    tmp_path: Path, rotation_deg: float, size: tuple[int, int], bright: tuple[int, int]
) -> None:
    video = VideoFile(write_video(tmp_path / "a.mp4", rotation_deg=rotation_deg))

    frame = next(iter(video))

    assert (video.width_px, video.height_px) == size == (frame.width_px, frame.height_px)
    assert frame.u.shape == (size[1] // 2, size[0] // 2)
    assert frame.y[bright] > 210
    assert np.count_nonzero(frame.y > 150) == pytest.approx(64 * 48 / 4, rel=0.1)


@pytest.mark.parametrize("pix_fmt", ["yuv444p", "yuv422p", "yuv420p10le"])
def test_other_pixel_formats_become_420(tmp_path: Path, pix_fmt: str) -> None:
    frame = next(iter(VideoFile(write_video(tmp_path / "a.mkv", codec="ffv1", pix_fmt=pix_fmt))))

    assert frame.y.dtype == np.uint8
    assert frame.u.shape == (24, 32)
    assert int(frame.y[0, 0]) > 150 > int(frame.y[-1, -1])


def test_a_recording_cut_short_gives_what_can_be_read_and_says_so(tmp_path: Path) -> None:
    whole = write_video(tmp_path / "a.mp4", stamps=range(40), options={"movflags": "faststart"})
    data = whole.read_bytes()
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(data[: len(data) * 7 // 10])

    video = VideoFile(cut)
    frames = list(video)

    assert 10 < len(frames) < 40
    assert any("ends early" in warning and "of 40" in warning for warning in video.warnings)
    assert int(frames[5].y[-1, -1]) == pytest.approx(shade(5), abs=2)


def test_a_cut_recording_whose_end_held_the_index_is_refused(tmp_path: Path) -> None:
    data = write_video(tmp_path / "a.mp4", stamps=range(40)).read_bytes()
    (tmp_path / "cut.mp4").write_bytes(data[: len(data) // 2])

    with pytest.raises(BadSource, match=r"no video or picture, or it is broken.*cut\.mp4"):
        VideoFile(tmp_path / "cut.mp4")


def test_a_cut_matroska_file_is_measured_against_its_length(tmp_path: Path) -> None:
    whole = write_video(tmp_path / "a.mkv", stamps=range(0, 4000, 40), time_base=Fraction(1, 1000))
    data = whole.read_bytes()
    cut = tmp_path / "cut.mkv"
    cut.write_bytes(data[: len(data) // 2])

    video = VideoFile(cut)
    frames = list(video)

    assert 20 < len(frames) < 90
    assert any("ends early" in warning for warning in video.warnings)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("words.mp4", b"These are words and no pictures.\n" * 20, "no video or picture"),
        ("words.txt", b"These are words and no pictures.\n" * 20, "no picture in this file"),
        ("empty.mp4", b"", "this file is empty"),
    ],
)
def test_files_that_are_no_videos_are_refused(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)

    with pytest.raises(BadSource, match=message) as refused:
        VideoFile(tmp_path / name)
    assert name in str(refused.value)
    assert "\n" not in str(refused.value)


def test_missing_files_directories_and_sound_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="there is no such file"):
        VideoFile(tmp_path / "none.mp4")
    with pytest.raises(BadSource, match="this is a directory"):
        VideoFile(tmp_path)
    with pytest.raises(BadSource, match="no picture in this file"):
        VideoFile(write_sound(tmp_path / "sound.mp4"))


def test_names_may_hold_colons(tmp_path: Path) -> None:
    odd = tmp_path / "http:game 1.mp4"
    shutil.move(write_video(tmp_path / "a.mp4"), odd)

    assert len(list(VideoFile(odd))) == 10


def test_the_picture_at_a_time_is_the_one_on_show(tmp_path: Path) -> None:
    video = VideoFile(write_video(tmp_path / "a.mp4", stamps=range(20)))

    assert video.frame_at(0.0).index == 0
    shown = video.frame_at(11.6 / 30)
    assert (shown.index, int(shown.y[-1, -1])) == (11, pytest.approx(shade(11), abs=2))
    assert video.frame_at(19.5 / 30).index == 19
    for t_s in (1.5, -0.1, float("nan")):
        with pytest.raises(BadSource, match=r"a\.mp4"):
            video.frame_at(t_s)


@pytest.mark.parametrize("name", ["still.jpg", "still.png"])
def test_a_picture_is_a_recording_of_one_frame(tmp_path: Path, name: str) -> None:
    picture = np.full((47, 63, 3), (200, 60, 30), dtype=np.uint8)
    cv2.imwrite(str(tmp_path / name), picture)

    still = VideoFile(tmp_path / name)
    frames = list(still)

    assert still.is_still
    assert (len(frames), still.frame_count, still.duration_s) == (1, 1, None)
    assert (frames[0].width_px, frames[0].height_px, frames[0].t_s) == (63, 47, 0.0)
    assert still.frame_at(0.0).full_range
    assert still.warnings == []
