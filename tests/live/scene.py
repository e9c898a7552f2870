"""Small recordings whose pictures say their own number, scripted watchers, and a match to play."""

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from threading import Event as Flag
from typing import Self

import av
import numpy as np
from av.video.reformatter import ColorRange
from av.video.stream import VideoStream
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.layout import load_layout
from calibration.table import Table
from hardware.frame import Frame
from referee.events import Event, Header, InHole, Player, SeenBoard, Shot, Stamp

BITS = 10
BLOCK_PX = 16
TICKS_HZ = 90_000
HEADER = Header(
    game="bounce-em-all",
    layout="grid-7x7",
    players=(
        Player(name="Ann", seat="south", colours=("red",)),
        Player(name="Bob", seat="north", colours=("blue",)),
    ),
)


def numbered_picture(number: int, width_px: int, height_px: int) -> NDArray[np.uint8]:
    """YUV 4:2:0 of an even size, one array; the number stands at the top left in black and white blocks."""
    luma = np.full((height_px, width_px), 120, np.uint8)
    for bit in range(BITS):
        luma[:BLOCK_PX, bit * BLOCK_PX : (bit + 1) * BLOCK_PX] = 220 if number >> bit & 1 else 30
    chroma = np.full(height_px * width_px // 2, 128, np.uint8)
    return np.concatenate([luma.ravel(), chroma]).reshape(height_px * 3 // 2, width_px)


def number_in(luma: NDArray[np.uint8]) -> int:
    """The number that a picture shows."""
    half = BLOCK_PX // 2
    return sum(int(luma[half, bit * BLOCK_PX + half] > 125) << bit for bit in range(BITS))


def write_recording(
    path: Path, times_s: Sequence[float], *, width_px: int = 192, height_px: int = 64, codec: str = "libx264"
) -> Path:
    """A video with one numbered picture at each time, key pictures every 30, B-frames between as phones write them."""
    full_range = codec == "mjpeg"
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=30)
        assert isinstance(stream, VideoStream)
        stream.width, stream.height = width_px, height_px
        stream.pix_fmt = "yuvj420p" if full_range else "yuv420p"
        stream.codec_context.time_base = Fraction(1, TICKS_HZ)
        stream.codec_context.gop_size = 30
        for number, t_s in enumerate(times_s):
            picture = av.VideoFrame.from_ndarray(numbered_picture(number, width_px, height_px), format="yuv420p")
            if full_range:
                picture = picture.reformat(
                    format="yuvj420p", src_color_range=ColorRange.MPEG, dst_color_range=ColorRange.JPEG
                )
            picture.pts = round(t_s * TICKS_HZ)
            picture.time_base = Fraction(1, TICKS_HZ)
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))
    return path


def turn_recording(path: Path, *, width_px: int) -> None:
    """Write into an MP4 that its pictures are to be turned by a quarter clockwise, as phones do."""
    data = bytearray(path.read_bytes())
    at = data.index(b"tkhd") + 4 + 40
    data[at : at + 36] = struct.pack(">9i", 0, 1 << 16, 0, -(1 << 16), 0, 0, width_px << 16, 0, 1 << 30)
    path.write_bytes(bytes(data))


def even_times(count: int, rate_hz: float = 30.0) -> list[float]:
    return [index / rate_hz for index in range(count)]


def table() -> Table:
    """A camera 1 m above the middle of the built-in board, looking straight down."""
    camera = CameraModel(
        matrix=np.array([[500.0, 0, 96], [0, 500.0, 32], [0, 0, 1]]),
        dist=np.zeros(5),
        rotation=np.diag([1.0, -1.0, -1.0]),
        translation_mm=np.array([0.0, 0.0, 1000.0]),
        width_px=192,
        height_px=64,
    )
    return Table(layout=load_layout("grid-7x7"), camera=camera, method="corners", error_px=0.3)


def throw(colour: str, hole: str, t_s: float) -> Shot:
    return Shot(
        colour=colour,
        table_bounces=1,
        result=InHole(hole=hole),
        side="south" if colour == "red" else "north",
        stamp=Stamp(t_s=t_s, t_end_s=t_s + 0.2, confidence=0.9),
    )


def picture_of_board(t_s: float, *holes: tuple[str, str]) -> SeenBoard:
    return SeenBoard(holes=holes, stamp=Stamp(t_s=t_s, t_end_s=t_s))


class ScriptedWatcher:
    """Says what the script has for a picture's number; ``at_picture`` is called before, with the number."""

    def __init__(
        self,
        script: Mapping[int, Sequence[Event]],
        *,
        last: Sequence[Event] = (),
        at_picture: Callable[[int], None] = lambda number: None,
    ) -> None:
        self._script = script
        self._last = last
        self._at_picture = at_picture
        self.seen: list[int] = []

    def feed(self, frame: Frame) -> Sequence[Event]:
        self._at_picture(frame.index)
        self.seen.append(frame.index)
        return self._script.get(frame.index, ())

    def finish(self) -> Sequence[Event]:
        return self._last


class ScriptedCamera:
    """A camera of small grey pictures at given times that ends with an error, if one is given."""

    name = "a scripted camera"
    width_px, height_px = 4, 2
    frame_rate_hz = 30.0
    frame_count = None
    duration_s: float | None = None

    def __init__(self, times_s: Sequence[float], *, error: Exception | None = None, warning: str | None = None) -> None:
        self._times_s = times_s
        self._error = error
        self._warning = warning
        self.warnings: list[str] = []
        self.is_closed = False

    def __iter__(self) -> Iterator[Frame]:
        for index, t_s in enumerate(self._times_s):
            luma, chroma = np.zeros((2, 4), np.uint8), np.zeros((1, 2), np.uint8)
            yield Frame(index=index, t_s=t_s, y=luma, u=chroma, v=chroma)
        if self._warning is not None:
            self.warnings.append(self._warning)
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        self.is_closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class FakeClock:
    """Time passes only by waiting, and by what ``spend`` adds."""

    def __init__(self) -> None:
        self.t_s = 100.0
        self.pauses_s: list[float] = []

    def now_s(self) -> float:
        return self.t_s

    def pause(self, seconds: float, interrupt: Flag) -> None:
        self.pauses_s.append(seconds)
        self.t_s += seconds

    def spend(self, seconds: float) -> None:
        self.t_s += seconds
