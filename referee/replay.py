"""Replays: short clips around what was called, cut from the recording when somebody asks, and kept."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, count
from pathlib import Path
from threading import Lock
from typing import Final

import av
import numpy as np
from av.container import OutputContainer
from av.error import FFmpegError
from av.video.reformatter import ColorRange, Colorspace
from av.video.stream import VideoStream

from hardware.errors import RefereeError
from hardware.frame import Frame
from hardware.video import VideoFile
from referee.durable import flush_file
from referee.errors import NoClip
from referee.events import Stamp
from referee.recording import Recording

# A throw is followed with the eyes from a little before it begins until it has come to rest.
LEAD_S: Final = 0.7
# An event that went on for longer shows its beginning: what is disputed is the throw.
LONGEST_S: Final = 15.0
# Players seek to key pictures; with one this often stepping and slow motion land where they should on every browser.
KEY_EVERY: Final = 8
# Bigger pictures are brought to this, which every phone's decoder plays.
LONGEST_SIDE_PX: Final = 1920
TICKS_HZ: Final = 90_000
ENCODER: Final = {"preset": "veryfast", "crf": "20"}

_temporary_names = count()


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of a recording, by the recording's own time."""

    start_s: float
    end_s: float


def span_around(stamp: Stamp) -> Span:
    """What a replay of an event shows; raises NoClip for an event without a time."""
    if stamp.t_s is None:
        raise NoClip("no picture belongs to this line", "it has no time", "replay the throw that it is about")
    ends_s = stamp.t_s if stamp.t_end_s is None else max(stamp.t_s, stamp.t_end_s)
    start_s = max(0.0, stamp.t_s - LEAD_S)
    return Span(start_s=start_s, end_s=min(ends_s + LEAD_S, start_s + LONGEST_S))


class Replays:
    """The clips of one match. A clip is cut by the first who asks; the others wait for it and get the same file."""

    def __init__(self, folder: Path, recording: Recording | None) -> None:
        """``recording`` None: only the clips that are there already can be had."""
        self._folder = folder
        self._recording = recording
        self._cutting = Lock()

    def clip(self, span: Span) -> Path:
        """The file that holds a stretch of the recording; raises NoClip with the reason when there can be none."""
        out = self._folder / f"{round(span.start_s * 1000):08d}-{round(span.end_s * 1000):08d}.mp4"
        if out.exists():
            return out
        if self._recording is None:
            raise NoClip("this match was not recorded here", "only replays that came with it can be seen")
        with self._cutting:
            if not out.exists():
                self._recording.check()
                offset_s = self._recording.start_s
                cut_clip(self._recording.path, span.start_s + offset_s, span.end_s + offset_s, out)
        return out


def cut_clip(recording: Path, start_s: float, end_s: float, out: Path) -> None:
    """Write the pictures from ``start_s`` to ``end_s`` of a recording as an H.264 MP4 that any browser plays.

    The pictures stand upright and keep their own times: 0 in the clip is ``start_s`` in the recording. The file appears
    under its name only when it is whole. Raises NoClip when the recording can't be read, has nothing there, or the clip
    can't be written.
    """
    temporary = out.with_name(f".{out.name}.{os.getpid()}-{next(_temporary_names)}")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with VideoFile(recording) as video:
            _write_clip(_pictures(video, start_s, end_s), video.frame_rate_hz, temporary)
        flush_file(temporary)
        temporary.replace(out)
    except NoClip:
        raise
    except RefereeError as error:
        raise NoClip(f"the clip can't be cut, {error}") from error
    except (FFmpegError, OSError) as error:
        raise NoClip(f"the clip can't be written, {error.strerror}", str(out), "check the disk's space") from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _pictures(video: VideoFile, start_s: float, end_s: float) -> Iterator[Frame]:
    """The picture on show at the start, as if taken just then, and those that follow."""
    on_show: Frame | None = None
    for frame in video.frames_from(start_s):
        if frame.t_s <= start_s:
            on_show = frame
            continue
        if on_show is not None:
            yield replace(on_show, t_s=start_s)
            on_show = None
        if frame.t_s > end_s:
            return
        yield frame
    if on_show is not None:
        ends_s = on_show.t_s
        raise NoClip(f"the recording has nothing after {start_s:.2f} s", str(video.path), f"it ends at {ends_s:.2f} s")


def _write_clip(frames: Iterator[Frame], rate_hz: float, path: Path) -> None:
    first = next(frames)
    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        stream = _add_stream(container, first, rate_hz)
        for frame in chain((first,), frames):
            container.mux(stream.encode(_to_picture(frame, stream, first.t_s)))
        container.mux(stream.encode(None))


def _add_stream(container: OutputContainer, first: Frame, rate_hz: float) -> VideoStream:
    """``rate_hz`` sets how long the last picture stays; all others have their own times."""
    stream = container.add_stream("libx264", rate=Fraction(rate_hz).limit_denominator(1001), options=ENCODER)
    stream.width, stream.height = _clip_size(first)
    stream.pix_fmt = "yuv420p"
    coder = stream.codec_context
    coder.time_base = Fraction(1, TICKS_HZ)
    coder.gop_size = KEY_EVERY
    coder.max_b_frames = 0
    coder.color_range = ColorRange.MPEG
    coder.colorspace = Colorspace.ITU709 if first.hd_colours else Colorspace.ITU601
    return stream


def _to_picture(frame: Frame, stream: VideoStream, zero_s: float) -> av.VideoFrame:
    picture = _even_picture(frame).reformat(
        width=stream.width,
        height=stream.height,
        format="yuv420p",
        src_color_range=ColorRange.JPEG if frame.full_range else ColorRange.MPEG,
        dst_color_range=ColorRange.MPEG,
    )
    picture.pts = round((frame.t_s - zero_s) * TICKS_HZ)
    picture.time_base = Fraction(1, TICKS_HZ)
    return picture


def _even_picture(frame: Frame) -> av.VideoFrame:
    """The planes as the encoder takes them; an odd last column or line is left off, as 4:2:0 has only even sizes."""
    width, height = frame.width_px // 2 * 2, frame.height_px // 2 * 2
    half = (slice(height // 2), slice(width // 2))
    planes = [frame.y[:height, :width].ravel(), frame.u[half].ravel(), frame.v[half].ravel()]
    return av.VideoFrame.from_ndarray(np.concatenate(planes).reshape(-1, width), format="yuv420p")


def _clip_size(frame: Frame) -> tuple[int, int]:
    shrink = min(1.0, LONGEST_SIDE_PX / max(frame.width_px, frame.height_px))
    return int(frame.width_px * shrink) // 2 * 2, int(frame.height_px * shrink) // 2 * 2
