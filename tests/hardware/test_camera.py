import subprocess
import sys
from pathlib import Path

import pytest

from hardware.camera import open_camera
from hardware.errors import BadSource, CameraLost, MissingDriver, RefereeError
from tests.hardware.recordings import write_video


def test_a_path_opens_a_recording(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mp4")

    with open_camera(str(path)) as camera:
        assert camera.name == "a.mp4"
        assert len(list(camera)) == 10


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        ("", BadSource, "no source was named"),
        ("pi:x", BadSource, "no Raspberry Pi camera"),
        ("usb:x", BadSource, "no USB camera"),
        ("usb:97", CameraLost, "no such camera"),
        ("/dev/video97", CameraLost, "no such camera"),
        ("/dev/null", BadSource, "no USB camera"),
    ],
)
def test_sources_that_are_not_there_are_named(source: str, error: type[RefereeError], message: str) -> None:
    with pytest.raises(error, match=message):
        open_camera(source)


def test_a_pi_camera_without_its_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)

    with pytest.raises(MissingDriver, match=r"Picamera2.*'pi'"):
        open_camera("pi")


def test_importing_loads_no_camera_library() -> None:
    code = "import sys, hardware.camera, calibration.pose; sys.exit('picamera2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
