"""A recording or a still picture as a camera: planes and times straight from the decoder."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import av
from av.container import InputContainer
from av.error import FFmpegError
from av.packet import Packet
from av.stream import Disposition
from av.video.stream import VideoStream

from hardware.closing import Closing
from hardware.errors import BadSource
from hardware.frame import Frame
from hardware.planes import frame_from_picture, quarter_turns
from hardware.timeline import Timeline

REMEDY: Final = "give a video that a player can play (MP4, MOV, MKV …) or a JPEG or PNG picture"
FALLBACK_RATE_HZ: Final = 30.0
STILL_FORMATS: Final = ("image2", "_pipe")
TEXT_FORMATS: Final = frozenset({"tty", "bin", "xbin", "adf", "idf"})
# A file may end this much before the length it claims: sound outlasts the picture, and clocks are rounded.
LENGTH_TOLERANCE_S: Final = 0.5


class VideoFile(Closing):
    """A recorded video (or a picture: a video of one frame), read from its start each time it is iterated.

    ``frame_count`` and ``duration_s`` are what the file claims, None where it doesn't. ``warnings`` are filled while
    the file is read: a recording cut short, broken pictures, missing times. Pictures are turned as the file asks for.
    """

    def __init__(self, path: str | Path, *, threads: int = 2) -> None:
        """Open a file and look at its first picture; raises BadSource for what is no video."""
        self.path = Path(path)
        self.name = self.path.name
        self.warnings: list[str] = []
        self._threads = threads
        _check_file(self.path)
        with self._open() as container:
            stream = self._stream(container)
            self.is_still = any(kind in container.format.name for kind in STILL_FORMATS)
            self.frame_rate_hz = _rate_hz(stream)
            self.duration_s = None if self.is_still else _duration_s(container, stream)
            self._declared = 1 if self.is_still else stream.frames
            first = next(self._pictures(container, stream), None)
            if first is None:
                raise BadSource("not one picture can be read from this file", str(self.path), REMEDY)
            self._turns = quarter_turns(first)
            self._coded_size = (first.width, first.height)
            self._first_stamp_s = _stamp_s(first)
        self.width_px, self.height_px = self._coded_size[::-1] if self._turns % 2 else self._coded_size
        self.warnings.clear()

    @classmethod
    def accepts(cls, source: str) -> bool:
        """Whatever no other driver claims is a file."""
        return bool(source)

    @property
    def frame_count(self) -> int | None:
        """How many pictures the file should hold; an estimate from its length where it doesn't say."""
        if self._declared:
            return self._declared
        return None if self.duration_s is None else max(1, round(self.duration_s * self.frame_rate_hz))

    def __iter__(self) -> Iterator[Frame]:
        self.warnings.clear()
        timeline = Timeline(period_s=1 / self.frame_rate_hz)
        with self._open() as container:
            stream = self._stream(container)
            for index, picture in enumerate(self._pictures(container, stream)):
                yield self._frame(picture, index=index, t_s=timeline.next_s(_stamp_s(picture)))
        if timeline.mended:
            self._warn(f"{timeline.mended} pictures had no usable time; it was filled in from the frame rate")
        if self.duration_s is not None and not self._declared:
            self._check_length(timeline.ends_s)

    def frame_at(self, t_s: float) -> Frame:
        """The picture on show at a time (its index holds for a constant frame rate); BadSource beyond the end."""
        if not math.isfinite(t_s) or t_s < 0:
            raise BadSource(f"{t_s:g} s is no time in a recording", str(self.path), "give seconds from its start")
        last: Frame | None = None
        for frame in self.frames_from(t_s):
            if last is not None and frame.t_s > t_s:
                return last
            last = frame
        if last is None or t_s > last.t_s + 1.5 / self.frame_rate_hz:
            ends_s = 0.0 if last is None else last.t_s
            raise BadSource(f"the recording has no picture at {t_s:g} s", str(self.path), f"it ends at {ends_s:.2f} s")
        return last

    def frames_from(self, t_s: float) -> Iterator[Frame]:
        """Frames from at or before a time on: from the nearest key picture where the file's index helps."""
        jumped = self._frames_from_key_picture(t_s)
        first = next(jumped, None)
        if first is None or first.t_s > t_s:
            yield from self
            return
        yield first
        yield from jumped

    def close(self) -> None:
        """Nothing stays open between readings."""

    def _frames_from_key_picture(self, t_s: float) -> Iterator[Frame]:
        if self._first_stamp_s is None or self.is_still:
            return
        with self._open() as container:
            stream = self._stream(container)
            try:
                container.seek(round((t_s + self._first_stamp_s) * av.time_base))
            except FFmpegError:
                return
            for picture in self._pictures(container, stream):
                stamp_s = _stamp_s(picture)
                if stamp_s is None:
                    return
                since_start_s = stamp_s - self._first_stamp_s
                yield self._frame(picture, index=round(since_start_s * self.frame_rate_hz), t_s=since_start_s)

    def _frame(self, picture: av.VideoFrame, *, index: int, t_s: float) -> Frame:
        if (picture.width, picture.height) != self._coded_size:
            self._warn("the picture size changes within the recording; all pictures were brought to the first one's")
            picture = picture.reformat(*self._coded_size)
        return frame_from_picture(picture, index=index, t_s=t_s, turns=self._turns)

    def _open(self) -> InputContainer:
        try:
            # The prefix keeps names with colons from being read as network addresses.
            return av.open(f"file:{self.path}")
        except (FFmpegError, OSError) as error:
            raise BadSource("this file is no video or picture, or it is broken", str(self.path), REMEDY) from error

    def _stream(self, container: InputContainer) -> VideoStream:
        streams = [s for s in container.streams.video if not s.disposition & Disposition.attached_pic]
        if not streams or container.format.name in TEXT_FORMATS:
            raise BadSource("there is no picture in this file", str(self.path), REMEDY)
        stream = streams[0]
        stream.thread_type = "AUTO"
        stream.codec_context.thread_count = self._threads
        return stream

    def _pictures(self, container: InputContainer, stream: VideoStream) -> Iterator[av.VideoFrame]:
        """Decode what can be decoded; broken pictures are left out and a cut recording ends, both with a warning."""
        packets = broken = 0
        for packet in self._packets(container, stream):
            packets += packet.size > 0
            try:
                pictures = packet.decode()
            except FFmpegError:
                broken += 1
                continue
            for picture in pictures:
                if not isinstance(picture, av.VideoFrame):
                    continue
                if picture.is_corrupt:
                    broken += 1
                else:
                    yield picture
        if broken:
            self._warn("a broken picture was left out" if broken == 1 else f"{broken} broken pictures were left out")
        if packets < stream.frames and not self.is_still:
            self._warn(f"the recording ends early: {packets} of {stream.frames} pictures could be read")

    def _packets(self, container: InputContainer, stream: VideoStream) -> Iterator["Packet[VideoStream]"]:
        packets = container.demux(stream)
        while True:
            try:
                packet = next(packets, None)
            except FFmpegError as error:
                self._warn(f"the recording breaks off: {error.strerror}")
                return
            if packet is None:
                return
            yield packet

    def _check_length(self, ends_s: float) -> None:
        if self.duration_s is not None and ends_s < self.duration_s - LENGTH_TOLERANCE_S:
            self._warn(f"the recording ends early: {ends_s:.1f} of {self.duration_s:.1f} s could be read")

    def _warn(self, text: str) -> None:
        if text not in self.warnings:
            self.warnings.append(text)


def _check_file(path: Path) -> None:
    if path.is_dir():
        raise BadSource("this is a directory", str(path), "name the video file in it")
    if not path.exists():
        raise BadSource("there is no such file", str(path), "check the name, or give usb:0 or pi for a camera")
    if not path.is_file():
        raise BadSource("this is no file", str(path), REMEDY)
    try:
        with path.open("rb") as file:
            empty = not file.read(1)
    except OSError as error:
        raise BadSource("this file can't be read", str(path), "check its permissions") from error
    if empty:
        raise BadSource("this file is empty", str(path), "record or copy it again")


def _stamp_s(picture: av.VideoFrame) -> float | None:
    if picture.pts is None or picture.time_base is None:
        return None
    return float(picture.pts * picture.time_base)


def _rate_hz(stream: VideoStream) -> float:
    rate = stream.average_rate or stream.guessed_rate or stream.base_rate
    return float(rate) if rate else FALLBACK_RATE_HZ


def _duration_s(container: InputContainer, stream: VideoStream) -> float | None:
    if stream.duration and stream.time_base:
        return float(stream.duration * stream.time_base)
    return container.duration / av.time_base if container.duration else None
