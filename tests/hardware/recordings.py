"""Small recordings made for tests: each picture is one shade of grey, so that it can be told which one was read."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np


def shade(number: int) -> int:
    """The luma of picture ``number``."""
    return 40 + 10 * (number % 15)


def write_video(
    path: Path,
    *,
    stamps: Sequence[int] = tuple(range(10)),
    time_base: Fraction = Fraction(1, 30),
    size: tuple[int, int] = (64, 48),
    codec: str = "libx264",
    pix_fmt: str = "yuv420p",
    rotation_deg: float = 0.0,
    options: dict[str, str] | None = None,
) -> Path:
    """A recording with a picture at each time stamp, in units of ``time_base``; the top left quarter is brighter."""
    width, height = size
    with av.open(path, "w", options=options or {}) as container:
        stream = container.add_stream(codec, rate=round(1 / time_base))
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = width, height, pix_fmt
        stream.time_base = time_base
        stream.codec_context.time_base = time_base
        if codec == "libx264":
            # Kept exactly, and cut into pieces small enough that a broken end leaves the start readable.
            stream.options = {"qp": "1", "g": "4", "bf": "0", "tune": "zerolatency"}
        if rotation_deg:
            stream.set_display_rotation(rotation_deg)
        for number, stamp in enumerate(stamps):
            picture = av.VideoFrame.from_ndarray(_picture(number, width, height), format="gray")
            picture = picture.reformat(format=pix_fmt, src_color_range="JPEG", dst_color_range="JPEG")
            picture.pts, picture.time_base = stamp, time_base
            container.mux(stream.encode(picture))
        container.mux(stream.encode())
    return path


def write_sound(path: Path) -> Path:
    """A file with sound alone."""
    with av.open(path, "w") as container:
        stream = container.add_stream("aac", rate=48000)
        stream.layout = "mono"
        sound = av.AudioFrame.from_ndarray(np.zeros((1, 4096), dtype=np.float32), format="fltp", layout="mono")
        sound.sample_rate, sound.pts = 48000, 0
        container.mux(stream.encode(sound))
        container.mux(stream.encode())
    return path


def _picture(number: int, width: int, height: int) -> np.ndarray:
    picture = np.full((height, width), shade(number), dtype=np.uint8)
    picture[: height // 2, : width // 2] = 220
    return picture
