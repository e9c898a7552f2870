"""Planes out of decoded pictures: as they lie in memory, turned the way the picture is meant to be seen."""

from dataclasses import dataclass
from typing import Final

import av
import numpy as np
from av.sidedata.sidedata import Type as SideData
from av.video.plane import VideoPlane
from av.video.reformatter import ColorRange, Colorspace

from hardware.frame import Frame, Plane

PLANAR: Final = frozenset({"yuv420p", "yuvj420p"})
SEMI_PLANAR: Final = frozenset({"nv12", "nv21"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Orientation:
    """How stored pictures are turned for viewing: transposed first, then mirrored left-right and top-bottom."""

    transposed: bool = False
    mirrored_x: bool = False
    mirrored_y: bool = False

    @property
    def is_upright(self) -> bool:
        return not (self.transposed or self.mirrored_x or self.mirrored_y)

    def turned(self, plane: Plane) -> Plane:
        """The plane as it is meant to be seen; the same array where nothing has to be done."""
        if self.is_upright:
            return plane
        out = plane.T if self.transposed else plane
        out = out[:, ::-1] if self.mirrored_x else out
        out = out[::-1] if self.mirrored_y else out
        return np.ascontiguousarray(out)


UPRIGHT: Final = Orientation()


def orientation_of(picture: av.VideoFrame) -> Orientation:
    """Read the display matrix that phones write when they are held sideways (also EXIF orientation of a photo).

    The matrix maps stored to shown places, x' = a x + c y and y' = b x + d y; it is taken to the nearest quarter turn.
    """
    notes = (picture.side_data[i] for i in range(len(picture.side_data)))
    found = [note for note in notes if note.type is SideData.DISPLAYMATRIX]
    if not found:
        return UPRIGHT
    matrix = np.frombuffer(memoryview(found[0]), dtype=np.int32)
    if len(matrix) < 9:
        return UPRIGHT
    a, b, c, d = (int(matrix[i]) for i in (0, 1, 3, 4))
    if abs(b) + abs(c) > abs(a) + abs(d):
        return Orientation(transposed=True, mirrored_x=c < 0, mirrored_y=b < 0)
    return Orientation(mirrored_x=a < 0, mirrored_y=d < 0)


def frame_from_picture(picture: av.VideoFrame, *, index: int, t_s: float, turn: Orientation = UPRIGHT) -> Frame:
    """Wrap a decoded picture without converting or copying it where it is 4:2:0 already and upright."""
    full_range = _is_full_range(picture)
    if picture.format.name not in PLANAR | SEMI_PLANAR:
        picture = picture.reformat(format="yuvj420p" if full_range else "yuv420p")
    if picture.format.name in SEMI_PLANAR:
        y, chroma = (_plane(p, channels) for p, channels in zip(picture.planes, (1, 2), strict=True))
        u, v = np.ascontiguousarray(chroma[:, 0::2]), np.ascontiguousarray(chroma[:, 1::2])
        if picture.format.name == "nv21":
            u, v = v, u
    else:
        y, u, v = (_plane(p, 1) for p in picture.planes[:3])
    return Frame(
        index=index,
        t_s=t_s,
        y=turn.turned(y),
        u=turn.turned(u),
        v=turn.turned(v),
        full_range=full_range,
        hd_colours=picture.colorspace == Colorspace.ITU709,
    )


def _plane(plane: VideoPlane, channels: int) -> Plane:
    """The lines of a plane as an array on the decoder's own memory, without the padding at their ends."""
    lines = np.frombuffer(memoryview(plane), dtype=np.uint8)[: plane.line_size * plane.height]
    return lines.reshape(plane.height, plane.line_size)[:, : plane.width * channels]


def _is_full_range(picture: av.VideoFrame) -> bool:
    return picture.format.name.startswith("yuvj") or picture.color_range == ColorRange.JPEG
