"""Planes out of decoded pictures: as they lie in memory, turned the way the picture is meant to be seen."""

from typing import Final

import av
import numpy as np
from av.video.plane import VideoPlane
from av.video.reformatter import ColorRange, Colorspace

from hardware.frame import Frame, Plane

PLANAR: Final = frozenset({"yuv420p", "yuvj420p"})
INTERLEAVED: Final = "nv12"


def quarter_turns(picture: av.VideoFrame) -> int:
    """How often a stored picture must be turned a quarter counter-clockwise to be seen as meant.

    Phones that are held sideways write that beside the picture (display matrix of a video, EXIF of a photo).
    """
    return round(picture.rotation / 90) % 4


def frame_from_picture(picture: av.VideoFrame, *, index: int, t_s: float, turns: int = 0) -> Frame:
    """Wrap a decoded picture without converting or copying it where it is 4:2:0 already and upright.

    ``turns``: quarter turns counter-clockwise.
    """
    full_range = _is_full_range(picture)
    if picture.format.name not in PLANAR | {INTERLEAVED}:
        picture = picture.reformat(format="yuvj420p" if full_range else "yuv420p")
    if picture.format.name == INTERLEAVED:
        y, chroma = (_plane(p, channels) for p, channels in zip(picture.planes, (1, 2), strict=True))
        u, v = np.ascontiguousarray(chroma[:, 0::2]), np.ascontiguousarray(chroma[:, 1::2])
    else:
        y, u, v = (_plane(p, 1) for p in picture.planes[:3])
    return Frame(
        index=index,
        t_s=t_s,
        y=_turned(y, turns),
        u=_turned(u, turns),
        v=_turned(v, turns),
        full_range=full_range,
        hd_colours=picture.colorspace == Colorspace.ITU709,
    )


def _plane(plane: VideoPlane, channels: int) -> Plane:
    """The lines of a plane as an array on the decoder's own memory, without the padding at their ends."""
    lines = np.frombuffer(memoryview(plane), dtype=np.uint8)[: plane.line_size * plane.height]
    return lines.reshape(plane.height, plane.line_size)[:, : plane.width * channels]


def _turned(plane: Plane, turns: int) -> Plane:
    return np.ascontiguousarray(np.rot90(plane, turns)) if turns else plane


def _is_full_range(picture: av.VideoFrame) -> bool:
    return picture.format.name.startswith("yuvj") or picture.color_range == ColorRange.JPEG
