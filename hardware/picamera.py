"""The Raspberry Pi camera by Picamera2, which is imported only when such a camera is asked for."""

import importlib
import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from hardware.closing import Closing
from hardware.errors import BadSource, CameraLost, MissingDriver
from hardware.frame import Frame, Plane

NAMED: Final = re.compile(r"pi(?::(\d+))?")
SIZE_PX: Final = (1280, 720)
RATE_HZ: Final = 60.0
# As many as Picamera2 takes for video: the sensor goes on while a picture is being looked at.
BUFFERS: Final = 6


class PiCamera(Closing):
    """A live Raspberry Pi camera at ``pi`` or ``pi:N``; times are the sensor's own. Iterate it once."""

    duration_s: float | None = None
    frame_count: int | None = None
    frame_rate_hz = RATE_HZ

    def __init__(self, source: str) -> None:
        """Start the camera; raises MissingDriver without Picamera2, CameraLost without a camera."""
        named = NAMED.fullmatch(source)
        if named is None:
            raise BadSource("this names no Raspberry Pi camera", source, "give pi, or pi:1 for the second one")
        self.name = source
        self.warnings: list[str] = []
        self._camera = _start(int(named.group(1) or 0), source)
        main = self._camera.camera_configuration()["main"]
        self.width_px, self.height_px = (int(side) for side in main["size"])
        self._stride = int(main["stride"])

    @classmethod
    def accepts(cls, source: str) -> bool:
        """Say whether this names a Raspberry Pi camera."""
        return source == "pi" or source.startswith("pi:")

    def __iter__(self) -> Iterator[Frame]:
        first_ns: int | None = None
        index = 0
        while True:
            # One request carries the pixels and their own metadata; asking for each in turn would cost two pictures.
            try:
                request = self._camera.capture_request()
                try:
                    stamp_ns = int(request.get_metadata()["SensorTimestamp"])
                    buffer = np.asarray(request.make_buffer("main"), dtype=np.uint8)
                finally:
                    request.release()
            except (RuntimeError, OSError, KeyError) as error:
                raise CameraLost("the camera stopped giving pictures", self.name, "check its ribbon cable") from error
            first_ns = stamp_ns if first_ns is None else first_ns
            y, u, v = _planes(buffer, self.width_px, self.height_px, self._stride)
            yield Frame(index=index, t_s=(stamp_ns - first_ns) / 1e9, y=y, u=u, v=v)
            index += 1

    def close(self) -> None:
        """Stop the camera and let go of it."""
        self._camera.stop()
        self._camera.close()


def _start(number: int, source: str) -> Any:  # Picamera2 has no types.
    try:
        library = importlib.import_module("picamera2")
    except ImportError as error:
        raise MissingDriver(
            "Picamera2, which drives Raspberry Pi cameras, isn't installed",
            source,
            "install the extra 'pi' (pip install 'referee[pi]'), on Raspberry Pi OS also apt install python3-picamera2",
        ) from error
    try:
        camera = library.Picamera2(number)
        period_us = round(1e6 / RATE_HZ)
        camera.configure(
            camera.create_video_configuration(
                main={"size": SIZE_PX, "format": "YUV420"},
                buffer_count=BUFFERS,
                controls={"FrameDurationLimits": (period_us, period_us)},
            )
        )
        camera.start()
    except (RuntimeError, OSError, IndexError) as error:
        raise CameraLost(
            "the Raspberry Pi camera can't be started", source, "check its cable and that no other program uses it"
        ) from error
    return camera


def _planes(buffer: Plane, width_px: int, height_px: int, stride: int) -> tuple[Plane, Plane, Plane]:
    """Views of the three planes in one buffer, whose lines are ``stride`` bytes (chroma: half of it) apart."""
    half_stride, half_height, half_width = stride // 2, (height_px + 1) // 2, (width_px + 1) // 2
    luma, chroma = stride * height_px, half_stride * half_height
    y = buffer[:luma].reshape(height_px, stride)[:, :width_px]
    u = buffer[luma : luma + chroma].reshape(half_height, half_stride)[:, :half_width]
    v = buffer[luma + chroma : luma + 2 * chroma].reshape(half_height, half_stride)[:, :half_width]
    return y, u, v
