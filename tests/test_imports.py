"""What may import what, and that nothing needs a Raspberry Pi."""

import subprocess
import sys
from pathlib import Path

from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

ROOT = Path(__file__).parents[1]


def test_imports_point_one_way() -> None:
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == EXIT_STATUS_SUCCESS


def test_every_module_imports_without_a_camera_library() -> None:
    """Each module imports on its own machine: a Pi's camera libraries and a desktop's windows are not there."""
    program = """
import importlib, pkgutil, sys
for name in ("picamera2", "libcamera", "gpiozero"):
    sys.modules[name] = None  # importing it fails, as it does where it isn't installed
for package in ("hardware", "calibration", "referee", "web"):
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, package + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_rules_and_logs_are_read_without_seeing_anything() -> None:
    """A score takes no NumPy, no OpenCV and no Flask, so it is there at once on any machine."""
    program = """
import sys
import referee.commands.score
loaded = {"numpy", "cv2", "av", "flask"} & set(sys.modules)
assert not loaded, loaded
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
