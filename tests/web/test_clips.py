"""Clips as players ask for them: in ranges, kept, and with the times of their pictures."""

from pathlib import Path

import av
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.web.conftest import CLIP_TICK, CLIP_TICKS
from tests.web.fake import FOUL, FakeDesk
from web.clip_times import read_frame_times

CLIP = f"/match/evening/call/{FOUL}/clip.mp4"


def get(client: FlaskClient, **headers: str) -> TestResponse:
    """The whole answer; the file behind it is closed again."""
    answer = client.get(CLIP, headers={name.replace("_", "-"): value for name, value in headers.items()}, buffered=True)
    answer.close()
    return answer


def test_a_clip_is_an_mp4_that_may_be_kept(client: FlaskClient, clip_file: Path) -> None:
    answer = get(client)
    assert answer.status_code == 200
    assert answer.mimetype == "video/mp4"
    assert answer.headers["Accept-Ranges"] == "bytes"
    assert answer.headers["Cache-Control"] == "private, max-age=86400"
    assert answer.data == clip_file.read_bytes()
    again = get(client, If_None_Match=answer.headers["ETag"])
    assert again.status_code == 304


@pytest.mark.parametrize(
    ("asked", "begin", "end"), [("bytes=0-1", 0, 2), ("bytes=100-199", 100, 200), ("bytes=-50", -50, None)]
)
def test_a_range_is_answered_with_that_range(
    client: FlaskClient, clip_file: Path, asked: str, begin: int, end: int | None
) -> None:
    answer = get(client, Range=asked)
    assert answer.status_code == 206
    assert answer.data == clip_file.read_bytes()[begin:end]
    assert answer.headers["Content-Range"].endswith(f"/{clip_file.stat().st_size}")


def test_a_range_beyond_the_end_is_refused(client: FlaskClient) -> None:
    assert get(client, Range="bytes=99999999-").status_code == 416


def test_a_clip_that_cannot_be_had_is_explained(client: FlaskClient, desk: FakeDesk) -> None:
    desk.clip_path = None
    answer = get(client, Accept="application/json")
    assert answer.status_code == 404
    assert answer.get_json() == {"error": "There is no clip: this match was not recorded."}


def test_the_times_of_the_pictures_are_the_true_ones(client: FlaskClient) -> None:
    times = client.get(f"/match/evening/call/{FOUL}/clip.json").get_json()["frames_s"]
    assert times == pytest.approx([float(tick * CLIP_TICK) for tick in CLIP_TICKS], abs=1e-4)


def test_pictures_that_are_stored_out_of_order_are_told_in_order(tmp_path: Path) -> None:
    path = tmp_path / "b-frames.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 64, "yuv420p"
        stream.codec_context.max_b_frames = 2
        for index in range(10):
            frame = av.VideoFrame(64, 64, "yuv420p")
            frame.pts = index
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    assert read_frame_times(path) == pytest.approx([index / 25 for index in range(10)], abs=1e-4)


@pytest.mark.parametrize("content", [b"", b"not a video at all", b"\x00\x00\x00\x08moov", b"\x00\x00\x00\x00moov"])
def test_a_file_without_an_index_has_no_times(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "clip.mp4"
    path.write_bytes(content)
    assert read_frame_times(path) == ()
