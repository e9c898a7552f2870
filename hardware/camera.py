"""Where pictures come from: a recording, a USB camera or a Raspberry Pi camera, all iterated in the same way."""

from collections.abc import Iterator
from types import TracebackType
from typing import Final, Protocol, Self

from hardware.errors import BadSource
from hardware.frame import Frame
from hardware.picamera import PiCamera
from hardware.usb import UsbCamera
from hardware.video import VideoFile


class Camera(Protocol):
    """An iterable of frames that is closed after use (a context manager).

    ``frame_count`` and ``duration_s``: what a recording claims, None for a live camera. ``warnings``: what went wrong
    without ending the run, filled while frames are read.
    """

    name: str
    width_px: int
    height_px: int
    frame_rate_hz: float
    duration_s: float | None
    warnings: list[str]

    @property
    def frame_count(self) -> int | None: ...

    def __iter__(self) -> Iterator[Frame]: ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


# The first driver that knows the source opens it; files come last.
DRIVERS: Final = (PiCamera, UsbCamera, VideoFile)


def open_camera(source: str) -> Camera:
    """Open ``pi``, ``pi:1``, ``usb:0``, ``/dev/video0`` or the path of a recording or picture.

    Raises BadSource, CameraLost or MissingDriver, each saying what to do.
    """
    for driver in DRIVERS:
        if driver.accepts(source):
            return driver(source)
    raise BadSource("no source was named", "", "give a video file, usb:0 or pi")
