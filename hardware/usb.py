"""A USB camera by Video4Linux: opened only when it is asked for."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import av
from av.container import InputContainer
from av.error import FFmpegError
from av.video.stream import VideoStream

from hardware.closing import Closing
from hardware.errors import BadSource, CameraLost
from hardware.frame import Frame
from hardware.planes import frame_from_picture
from hardware.timeline import Timeline

NAMED: Final = re.compile(r"usb:(\d+)|(/dev/(?:video\d+|v4l/.+))")
# Motion JPEG is the one format in which nearly every USB camera reaches 720 lines at 30 pictures a second or more.
WISHES: Final[tuple[dict[str, str], ...]] = (
    {"input_format": "mjpeg", "video_size": "1280x720", "framerate": "60"},
    {"input_format": "mjpeg", "video_size": "1280x720", "framerate": "30"},
    {"video_size": "640x480"},
    {},
)


class UsbCamera(Closing):
    """A live camera at ``usb:N`` or a device path; times are the driver's own. Iterate it once."""

    duration_s: float | None = None
    frame_count: int | None = None

    def __init__(self, source: str) -> None:
        """Open the device; raises CameraLost when it can't be."""
        self.path = _device(source)
        self.name = source
        self.warnings: list[str] = []
        self._container = _open(self.path)
        self._stream: VideoStream = self._container.streams.video[0]
        self.width_px, self.height_px = self._stream.codec_context.width, self._stream.codec_context.height
        rate = self._stream.average_rate or self._stream.guessed_rate
        self.frame_rate_hz = float(rate) if rate else 30.0

    @classmethod
    def accepts(cls, source: str) -> bool:
        """Say whether this names a Video4Linux camera."""
        return source.startswith("usb:") or source.startswith("/dev/")

    def __iter__(self) -> Iterator[Frame]:
        timeline = Timeline(period_s=1 / self.frame_rate_hz)
        try:
            for index, picture in enumerate(self._container.decode(self._stream)):
                stamp_s = (
                    None if picture.pts is None or picture.time_base is None else float(picture.pts * picture.time_base)
                )
                yield frame_from_picture(picture, index=index, t_s=timeline.next_s(stamp_s))
        except FFmpegError as error:
            raise CameraLost(
                "the camera stopped giving pictures", self.name, "check its cable, then start again"
            ) from error

    def close(self) -> None:
        """Let go of the device."""
        self._container.close()


def _device(source: str) -> Path:
    named = NAMED.fullmatch(source)
    if named is None:
        raise BadSource("this names no USB camera", source, "give usb:0 or a path like /dev/video0")
    number, path = named.groups()
    device = Path(path or f"/dev/video{number}")
    if not device.exists():
        raise CameraLost("there is no such camera", str(device), "plug it in, or give another number")
    return device


def _open(device: Path) -> InputContainer:
    reason: FFmpegError | None = None
    for options in WISHES:
        try:
            return av.open(str(device), format="v4l2", options=dict(options))
        except FFmpegError as error:
            reason = error
    why = "" if reason is None else f": {reason.strerror}"
    raise CameraLost(f"the camera can't be opened{why}", str(device), "close other programs that use it") from reason
