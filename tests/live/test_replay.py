"""Replays: the right pictures at their own times, in a file that browsers play, or a reason why not."""

import threading
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest

import referee.replay
from hardware.video import VideoFile
from referee.errors import NoClip
from referee.events import Stamp
from referee.recording import Recording
from referee.replay import KEY_EVERY, LEAD_S, LONGEST_S, Replays, Span, cut_clip, span_around
from tests.live.scene import even_times, number_in, turn_recording, write_recording


@dataclass(frozen=True)
class Clip:
    times_s: list[float]
    decoding_times_s: list[float]
    keys: list[bool]
    codec: str
    pixels: str
    size_px: tuple[int, int]


def read_clip(path: Path) -> Clip:
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        packets = [packet for packet in container.demux(stream) if packet.size]
        base = stream.time_base
        assert base is not None
        times_s = sorted(float(packet.pts * base) for packet in packets if packet.pts is not None)
        decoding_times_s = [float(packet.dts * base) for packet in packets if packet.dts is not None]
        keys = [packet.is_keyframe for packet in packets]
        found = stream.codec_context
        codec, pixels, size_px = found.name, found.pix_fmt or "", (found.width, found.height)
    return Clip(times_s, decoding_times_s, keys, codec, pixels, size_px)


def numbers_in(path: Path) -> list[int]:
    return [number_in(frame.y) for frame in VideoFile(path)]


def test_a_clip_holds_the_pictures_of_its_span_and_no_others(tmp_path: Path) -> None:
    recording = write_recording(tmp_path / "game.mp4", even_times(100))

    cut_clip(recording, 1.5, 2.5, tmp_path / "clip.mp4")

    assert numbers_in(tmp_path / "clip.mp4") == list(range(45, 76))


def test_a_clip_is_what_browsers_play_and_step_through(tmp_path: Path) -> None:
    recording = write_recording(tmp_path / "game.mp4", even_times(60))

    cut_clip(recording, 0.2, 1.8, tmp_path / "clip.mp4")

    clip = read_clip(tmp_path / "clip.mp4")
    assert (clip.codec, clip.pixels) == ("h264", "yuv420p")
    assert clip.decoding_times_s == clip.times_s, "pictures are stored in another order than they are shown"
    keys = [index for index, is_key in enumerate(clip.keys) if is_key]
    assert keys[0] == 0
    assert all(later - earlier <= KEY_EVERY for earlier, later in pairwise(keys))
    data = (tmp_path / "clip.mp4").read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat"), "the index must come first (faststart)"


def test_pictures_keep_their_own_times_where_the_frame_rate_varies(tmp_path: Path) -> None:
    steps_s = np.random.default_rng(3).choice([0.011, 0.02, 0.04, 0.15], 80)
    times_s = [0.0, *np.cumsum(steps_s).round(3).tolist()]
    recording = write_recording(tmp_path / "game.mp4", times_s)
    start_s, end_s = times_s[20], times_s[60]

    cut_clip(recording, start_s, end_s + 0.001, tmp_path / "clip.mp4")

    clip = read_clip(tmp_path / "clip.mp4")
    assert numbers_in(tmp_path / "clip.mp4") == list(range(20, 61))
    assert clip.times_s == pytest.approx([t_s - start_s for t_s in times_s[20:61]], abs=2e-5)


def test_a_time_in_the_clip_is_a_time_in_the_recording_also_between_two_pictures(tmp_path: Path) -> None:
    recording = write_recording(tmp_path / "game.mp4", [0.0, 0.1, 0.2, 0.5, 0.6, 0.7])

    cut_clip(recording, 0.3, 0.65, tmp_path / "clip.mp4")

    assert numbers_in(tmp_path / "clip.mp4") == [2, 3, 4]
    assert read_clip(tmp_path / "clip.mp4").times_s == pytest.approx([0.0, 0.2, 0.3], abs=2e-5)


def test_a_recording_of_a_phone_held_upright_is_shown_upright(tmp_path: Path) -> None:
    recording = write_recording(tmp_path / "game.mp4", even_times(30))
    turn_recording(recording, width_px=192)

    cut_clip(recording, 0.2, 0.6, tmp_path / "clip.mp4")

    assert VideoFile(recording).width_px == 64
    clip = read_clip(tmp_path / "clip.mp4")
    assert clip.size_px == (64, 192)
    first = next(iter(VideoFile(tmp_path / "clip.mp4")))
    assert number_in(np.rot90(first.y)) == 6


def test_odd_sizes_lose_a_line_and_a_column(tmp_path: Path) -> None:
    odd = av.VideoFrame.from_ndarray(np.full((63, 191, 3), 90, np.uint8), format="rgb24")
    with av.open(str(tmp_path / "odd.avi"), "w") as container:
        stream = container.add_stream("png", rate=10)
        stream.width, stream.height, stream.pix_fmt = 191, 63, "rgb24"
        for _ in range(5):
            container.mux(stream.encode(odd))
        container.mux(stream.encode(None))

    cut_clip(tmp_path / "odd.avi", 0.0, 1.0, tmp_path / "clip.mp4")

    clip = read_clip(tmp_path / "clip.mp4")
    assert clip.size_px == (190, 62)
    assert len(clip.times_s) == 5


def test_a_webcams_full_range_of_brightness_is_brought_to_what_players_expect(tmp_path: Path) -> None:
    recording = write_recording(tmp_path / "game.avi", even_times(20), codec="mjpeg")
    assert next(iter(VideoFile(recording))).full_range

    cut_clip(recording, 0.0, 0.5, tmp_path / "clip.mp4")

    first = next(iter(VideoFile(tmp_path / "clip.mp4")))
    assert not first.full_range
    assert np.median(first.y[32:]) == pytest.approx(120, abs=2)


def test_big_pictures_are_brought_to_a_size_that_phones_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recording = write_recording(tmp_path / "game.mp4", even_times(10))
    monkeypatch.setattr(referee.replay, "LONGEST_SIDE_PX", 101)

    cut_clip(recording, 0.0, 1.0, tmp_path / "clip.mp4")

    assert read_clip(tmp_path / "clip.mp4").size_px == (100, 32)


def test_what_is_around_an_event_is_shown_but_nothing_before_the_start() -> None:
    span = span_around(Stamp(t_s=5.0, t_end_s=6.5))
    assert (span.start_s, span.end_s) == pytest.approx((5.0 - LEAD_S, 6.5 + LEAD_S))
    assert span_around(Stamp(t_s=0.1)) == Span(start_s=0.0, end_s=0.1 + LEAD_S)


def test_an_endless_event_shows_its_beginning() -> None:
    span = span_around(Stamp(t_s=5.0, t_end_s=500.0))
    assert span.end_s - span.start_s == pytest.approx(LONGEST_S)
    assert span.start_s == pytest.approx(5.0 - LEAD_S)


def test_an_event_without_a_time_has_no_clip() -> None:
    with pytest.raises(NoClip, match="no time"):
        span_around(Stamp())


def test_a_span_beyond_the_recording_ends_with_it(tmp_path: Path) -> None:
    recording = write_recording(tmp_path / "game.mp4", even_times(30))

    cut_clip(recording, 0.8, 99.0, tmp_path / "clip.mp4")

    assert numbers_in(tmp_path / "clip.mp4") == list(range(24, 30))


@pytest.mark.parametrize(
    ("name", "said"),
    [("gone.mp4", "no such file"), ("text.mp4", "no video"), ("game.mp4", "nothing after")],
)
def test_a_clip_that_can_not_be_cut_says_why_and_leaves_nothing(tmp_path: Path, name: str, said: str) -> None:
    write_recording(tmp_path / "game.mp4", even_times(10))
    (tmp_path / "text.mp4").write_text("this is no video\n" * 50)

    with pytest.raises(NoClip, match=said):
        cut_clip(tmp_path / name, 50.0, 51.0, tmp_path / "clips" / "clip.mp4")

    assert list((tmp_path / "clips").iterdir()) == []


def test_a_clip_that_can_not_be_written_says_so(tmp_path: Path) -> None:
    recording = write_recording(tmp_path / "game.mp4", even_times(10))
    (tmp_path / "clips").write_text("not a directory")

    with pytest.raises(NoClip, match="can't be written"):
        cut_clip(recording, 0.0, 1.0, tmp_path / "clips" / "clip.mp4")


def test_a_changed_or_missing_recording_is_noticed(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "game.mp4", even_times(10))
    replays = Replays(tmp_path / "clips", Recording.of(path))
    write_recording(path, even_times(12))
    with pytest.raises(NoClip, match="has changed"):
        replays.clip(Span(start_s=0.0, end_s=1.0))

    path.unlink()
    with pytest.raises(NoClip, match="no longer there"):
        replays.clip(Span(start_s=0.0, end_s=1.0))


def test_a_match_from_a_camera_has_no_replays(tmp_path: Path) -> None:
    with pytest.raises(NoClip, match="not recorded"):
        Replays(tmp_path / "clips", None).clip(Span(start_s=0.0, end_s=1.0))


def test_a_clip_once_cut_outlives_its_recording(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "game.mp4", even_times(20))
    replays = Replays(tmp_path / "clips", Recording.of(path))
    clip = replays.clip(Span(start_s=0.0, end_s=0.5))
    path.unlink()

    assert replays.clip(Span(start_s=0.0, end_s=0.5)) == clip


def test_where_the_match_began_within_its_recording_counts(tmp_path: Path) -> None:
    path = write_recording(tmp_path / "game.mp4", even_times(60))
    plain = Recording.of(path)
    later = Recording(path=plain.path, size_bytes=plain.size_bytes, changed_ns=plain.changed_ns, start_s=1.0)

    clip = Replays(tmp_path / "clips", later).clip(Span(start_s=0.2, end_s=0.5))

    assert numbers_in(clip) == list(range(36, 46))


def test_many_who_ask_at_once_get_one_clip_that_is_cut_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_recording(tmp_path / "game.mp4", even_times(30))
    replays = Replays(tmp_path / "clips", Recording.of(path))
    asked = threading.Barrier(5)
    cuts: list[Path] = []

    def cut_slowly(recording: Path, start_s: float, end_s: float, out: Path) -> None:
        cuts.append(out)
        cut_clip(recording, start_s, end_s, out)

    monkeypatch.setattr(referee.replay, "cut_clip", cut_slowly)
    found: list[Path] = []

    def ask() -> None:
        asked.wait()
        found.append(replays.clip(Span(start_s=0.1, end_s=0.8)))

    threads = [threading.Thread(target=ask) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(set(found)) == 1
    assert len(found) == 5
    assert len(cuts) == 1
