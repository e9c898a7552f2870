"""Pictures made worse: darkened, noised, tinted, thinned out, shrunk, recompressed."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np
from av.video.stream import VideoStream
from numpy.typing import NDArray

from calibration.table import Table
from hardware.frame import Frame, Plane

Change = Callable[[Iterable[Frame]], Iterator[Frame]]

SEED: Final = 7
LIGHT: Final = 0.5
NOISE: Final = (8.0, 4.0)
"""Standard deviation of luma and of chroma, in levels."""
HUE_DEG: Final = 10.0
DROPPED: Final = 0.05
CRF: Final = 32
MARGIN: Final = 64
"""By how much noise is shifted from frame to frame, at most, in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Degradation:
    """``scale``: of the picture's size; ``crf``: recompressed at that quality first."""

    name: str
    change: Change
    scale: float = 1.0
    crf: int | None = None


def each(change: Callable[[Frame], Frame]) -> Change:
    return partial(map, change)


def darkened(frame: Frame) -> Frame:
    """Half the light: luma and chroma shrink together."""
    luma = cv2.convertScaleAbs(frame.y, alpha=LIGHT, beta=16 * (1 - LIGHT))
    chroma = [cv2.convertScaleAbs(plane, alpha=LIGHT, beta=128 * (1 - LIGHT)) for plane in (frame.u, frame.v)]
    return replace(frame, y=_plane(luma), u=_plane(chroma[0]), v=_plane(chroma[1]))


def noised(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Gaussian noise, another in each frame: a large sheet of it, laid on at another place."""
    rng = np.random.default_rng(SEED)
    sheets: list[NDArray[np.int16]] = []
    for frame in frames:
        planes = (frame.y, frame.u, frame.v)
        if not sheets:
            sheets = [_noise(rng, plane, NOISE[min(i, 1)]) for i, plane in enumerate(planes)]
        y, u, v = (_noisy(rng, plane, sheet) for plane, sheet in zip(planes, sheets, strict=True))
        yield replace(frame, y=y, u=u, v=v)


def _noise(rng: np.random.Generator, plane: Plane, sigma: float) -> NDArray[np.int16]:
    shape = (plane.shape[0] + MARGIN, plane.shape[1] + MARGIN)
    return np.rint(rng.normal(0.0, sigma, shape)).astype(np.int16)


def _noisy(rng: np.random.Generator, plane: Plane, sheet: NDArray[np.int16]) -> Plane:
    row, column = rng.integers(0, MARGIN, 2)
    part = sheet[row : row + plane.shape[0], column : column + plane.shape[1]]
    return _plane(cv2.add(plane, part, dtype=cv2.CV_8U))


def hue_shifted(degrees: float, frame: Frame) -> Frame:
    """Colours turned around grey."""
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    u, v = frame.u.astype(np.float32) - 128, frame.v.astype(np.float32) - 128
    turned = [np.clip(part + 128, 0, 255) for part in (u * cosine - v * sine, u * sine + v * cosine)]
    return replace(frame, u=turned[0].astype(np.uint8), v=turned[1].astype(np.uint8))


def halved_rate(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Every second frame, as a camera of half the rate would number them."""
    return _numbered(frame for frame in frames if frame.index % 2 == 0)


def dropped(frames: Iterable[Frame]) -> Iterator[Frame]:
    """One frame in twenty is missing, at random; the others keep their times."""
    rng = np.random.default_rng(SEED)
    return _numbered(frame for frame in frames if rng.random() >= DROPPED)


def _numbered(frames: Iterable[Frame]) -> Iterator[Frame]:
    return (replace(frame, index=index) for index, frame in enumerate(frames))


def halved_size(frame: Frame) -> Frame:
    def half(plane: Plane) -> Plane:
        height, width = plane.shape
        return _plane(cv2.resize(plane, (width // 2, height // 2), interpolation=cv2.INTER_AREA))

    return replace(frame, y=half(frame.y), u=half(frame.u), v=half(frame.v))


DEGRADATIONS: Final = (
    Degradation(name="half the light", change=each(darkened)),
    Degradation(name="noise", change=noised),
    Degradation(name=f"hue +{HUE_DEG:.0f}°", change=each(partial(hue_shifted, HUE_DEG))),
    Degradation(name=f"hue -{HUE_DEG:.0f}°", change=each(partial(hue_shifted, -HUE_DEG))),
    Degradation(name="half the frame rate", change=halved_rate),
    Degradation(name="half the size", change=each(halved_size), scale=0.5),
    Degradation(name="5 % of frames dropped", change=dropped),
    Degradation(name=f"recompressed at crf {CRF}", change=iter, crf=CRF),
)


def scaled(table: Table, scale: float) -> Table:
    """The table as seen in a picture of another size."""
    camera = table.camera
    matrix = camera.matrix.copy()
    matrix[:2, :2] *= scale
    # The centre of the first pixel is 0, its edge -0.5.
    matrix[:2, 2] = (matrix[:2, 2] + 0.5) * scale - 0.5
    size = (round(camera.width_px * scale), round(camera.height_px * scale))
    return replace(table, camera=replace(camera, matrix=matrix, width_px=size[0], height_px=size[1]))


def recompressed(video: Path, crf: int, out: Path) -> Path:
    """The video encoded anew as H.264."""
    with av.open(str(video)) as source, av.open(str(out), "w") as target:
        pictures = source.streams.video[0]
        stream = target.add_stream("libx264", rate=pictures.average_rate)
        assert isinstance(stream, VideoStream)
        stream.width, stream.height, stream.pix_fmt = pictures.width, pictures.height, "yuv420p"
        stream.options = {"crf": str(crf), "preset": "fast"}
        for picture in source.decode(pictures):
            target.mux(stream.encode(picture))
        target.mux(stream.encode())
    return out


def _plane(values: object) -> Plane:
    return np.asarray(values, dtype=np.uint8)
