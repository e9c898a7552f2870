import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import av
import numpy as np
import pytest

from hardware import usb
from hardware.camera import open_camera
from hardware.errors import CameraLost
from tests.hardware.recordings import shade, write_video

WIDTH, HEIGHT, STRIDE = 1280, 720, 1344


@dataclass
class PiRequest:
    stamp_ns: int
    released: bool = False

    def get_metadata(self) -> dict[str, int]:
        assert not self.released
        return {"SensorTimestamp": self.stamp_ns, "ExposureTime": 2000}

    def make_buffer(self, name: str) -> Any:
        assert name == "main"
        lines = np.zeros((HEIGHT * 3 // 2, STRIDE), dtype=np.uint8)
        lines[:HEIGHT, :WIDTH] = 100
        chroma = lines[HEIGHT:].reshape(2, HEIGHT // 2, STRIDE // 2)
        chroma[0, :, : WIDTH // 2], chroma[1, :, : WIDTH // 2] = 60, 190
        return lines.ravel()

    def release(self) -> None:
        self.released = True


@dataclass
class Picamera2:
    """Stands in for the library's camera: three pictures, then the cable is pulled."""

    number: int
    requests: list[PiRequest] = field(default_factory=list)
    closed: bool = False

    def create_video_configuration(self, **wishes: Any) -> dict[str, Any]:
        return wishes

    def configure(self, configuration: dict[str, Any]) -> None:
        assert configuration["main"]["format"] == "YUV420"

    def start(self) -> None:
        if self.number > 1:
            raise RuntimeError("no such camera")

    def camera_configuration(self) -> dict[str, Any]:
        return {"main": {"size": (WIDTH, HEIGHT), "stride": STRIDE}}

    def capture_request(self) -> PiRequest:
        if len(self.requests) == 3:
            raise RuntimeError("camera frontend has timed out")
        self.requests.append(PiRequest(stamp_ns=7_000_000_000 + 16_666_667 * len(self.requests)))
        return self.requests[-1]

    def stop(self) -> None: ...

    def close(self) -> None:
        self.closed = True


def test_a_pi_camera_that_is_lost_is_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Picamera2] = []

    def make(number: int) -> Picamera2:
        made.append(Picamera2(number))
        return made[-1]

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=make))

    with open_camera("pi:1") as camera, pytest.raises(CameraLost, match="stopped giving pictures"):
        list(camera)

    assert made[0].number == 1
    assert made[0].closed
    assert [request.released for request in made[0].requests] == [True] * 3


def test_a_pi_camera_gives_planes_without_padding_and_the_sensors_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Picamera2))
    camera = open_camera("pi")
    pictures = iter(camera)

    frames = [next(pictures) for _ in range(3)]

    assert [frame.t_s for frame in frames] == pytest.approx([0, 1 / 60, 2 / 60], abs=1e-6)
    assert frames[0].y.shape == (HEIGHT, WIDTH)
    assert (frames[0].y == 100).all()
    assert (frames[0].u == 60).all()
    assert (frames[0].v == 190).all()
    assert (camera.frame_count, camera.duration_s) == (None, None)


def test_a_pi_camera_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Picamera2))

    with pytest.raises(CameraLost, match="can't be started"):
        open_camera("pi:7")


def test_a_usb_camera_is_read_by_its_drivers_clock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    recording = write_video(tmp_path / "a.mkv", codec="ffv1", stamps=(4, 5, 7))
    monkeypatch.setattr(usb, "_device", lambda source: tmp_path)
    monkeypatch.setattr(usb, "_open", lambda device: av.open(recording))

    with open_camera("usb:0") as camera:
        frames = list(camera)

    assert [frame.t_s for frame in frames] == pytest.approx([0, 1 / 30, 3 / 30], abs=1e-3)
    assert [int(frame.y[-1, -1]) for frame in frames] == [shade(i) for i in range(3)]


def test_a_device_that_is_no_camera_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = tmp_path / "video0"
    words.write_text("no camera")
    monkeypatch.setattr(usb, "_device", lambda source: words)

    with pytest.raises(CameraLost, match="can't be opened"):
        open_camera("usb:0")
