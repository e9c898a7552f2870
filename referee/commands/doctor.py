"""``referee doctor``: what this machine has for refereeing and what it lacks; each lack with its remedy."""

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

import av
from av.codec import Codec
from av.error import FFmpegError

from referee.commands.endings import DONE, NOT_SO

PACKAGES: Final = ("numpy", "opencv-python-headless", "av", "flask", "waitress", "openskill")
DECODERS: Final = {"h264": "phones, most cameras", "hevc": "newer phones", "mjpeg": "USB cameras", "vp9": "browsers"}
FREE_BYTES: Final = 2 * 1024**3
"""An evening of recording at 5 Mbit/s."""
HOT_C: Final = 80.0
"""A Raspberry Pi slows itself down from here."""

Verdict = Literal["ok", "missing", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line: what was looked at, how it is, and what to do about it. ``missing`` is needed, ``note`` is not."""

    verdict: Verdict
    what: str
    state: str
    remedy: str = ""


def run_doctor(*, data_dir: Path) -> int:
    """A line for each thing, with the remedy; 1 when something that is needed is missing."""
    findings = examine(data_dir)
    print(format_findings(findings))
    return NOT_SO if any(finding.verdict == "missing" for finding in findings) else DONE


def examine(data_dir: Path) -> tuple[Finding, ...]:
    """Look at this machine; changes nothing."""
    return (*_versions(), *_codecs(), _disk(data_dir), *_cameras(), *_temperature())


def format_findings(findings: tuple[Finding, ...]) -> str:
    """One line a finding."""
    width = max(len(finding.what) for finding in findings)
    return "\n".join(
        f"{finding.verdict:<7} {finding.what:<{width}}  {finding.state}"
        + (f": {finding.remedy}" if finding.remedy else "")
        for finding in findings
    )


def _versions() -> Iterator[Finding]:
    running = f"{platform.python_version()} on {platform.machine()}, {platform.system()}"
    if sys.version_info[:2] > (3, 13):
        yield Finding(verdict="note", what="Python", state=running, remedy="tested up to 3.13 only")
    else:
        yield Finding(verdict="ok", what="Python", state=running)
    for name in PACKAGES:
        try:
            yield Finding(verdict="ok", what=name, state=version(name))
        except PackageNotFoundError:
            yield Finding(verdict="missing", what=name, state="not installed", remedy=f"pip install {name}")


def _codecs() -> Iterator[Finding]:
    library = ".".join(str(part) for part in av.library_versions["libavcodec"])
    for name, used_by in DECODERS.items():
        if _has_codec(name, "r"):
            yield Finding(verdict="ok", what=f"{name} video", state=f"can be read (libavcodec {library})")
        else:
            yield Finding(
                verdict="missing" if name == "h264" else "note",
                what=f"{name} video",
                state=f"can't be read ({used_by})",
                remedy="pip install --force-reinstall av",
            )
    if _has_codec("libx264", "w"):
        yield Finding(verdict="ok", what="replays", state="can be cut (H.264 encoder)")
    else:
        yield Finding(
            verdict="missing",
            what="replays",
            state="no H.264 encoder in PyAV",
            remedy="install PyAV from its wheel: pip install --force-reinstall --only-binary av av",
        )


def _has_codec(name: str, mode: Literal["r", "w"]) -> bool:
    try:
        Codec(name, mode)
    except (FFmpegError, ValueError):
        return False
    return True


def _disk(data_dir: Path) -> Finding:
    place = data_dir
    while not place.exists() and place != place.parent:
        place = place.parent
    free = shutil.disk_usage(place).free
    what, state = "disk", f"{free / 1024**3:.1f} GiB free for {data_dir}"
    if not place.is_dir() or not os.access(place, os.W_OK):
        return Finding(
            verdict="missing",
            what=what,
            state=f"{place} can't be written to",
            remedy="choose another place: --data DIR",
        )
    if free < FREE_BYTES:
        return Finding(verdict="note", what=what, state=state, remedy="make room, or choose another place: --data DIR")
    return Finding(verdict="ok", what=what, state=state)


def _cameras() -> Iterator[Finding]:
    by_id = sorted(Path("/dev/v4l/by-id").glob("*")) if Path("/dev/v4l/by-id").is_dir() else []
    devices = [str(path) for path in by_id or sorted(Path("/dev").glob("video*"))]
    if devices:
        yield Finding(verdict="ok", what="USB cameras", state=", ".join(devices))
    else:
        yield Finding(
            verdict="note", what="USB cameras", state="none found", remedy="plug one in; recordings need none"
        )
    for device in devices:
        if not os.access(device, os.R_OK | os.W_OK):
            yield Finding(
                verdict="note",
                what="USB cameras",
                state=f"{device} may not be opened",
                remedy="sudo usermod -aG video $USER, then log in again",
            )
    if find_spec("picamera2"):
        yield Finding(verdict="ok", what="Pi camera", state="Picamera2 is installed")
    else:
        yield Finding(
            verdict="note",
            what="Pi camera",
            state="Picamera2 is not installed",
            remedy="only for a Raspberry Pi camera: sudo apt install python3-picamera2, or pip install 'referee[pi]'",
        )


def _temperature() -> Iterator[Finding]:
    readings = [_celsius(path) for path in sorted(Path("/sys/class/thermal").glob("thermal_zone*/temp"))]
    known = [reading for reading in readings if reading is not None]
    if not known:
        yield Finding(verdict="note", what="temperature", state="this machine doesn't tell")
    elif max(known) >= HOT_C:
        yield Finding(
            verdict="note",
            what="temperature",
            state=f"{max(known):.0f} °C: too hot to run at full speed",
            remedy="cool it: a fan, a heat sink, shade",
        )
    else:
        yield Finding(verdict="ok", what="temperature", state=f"{max(known):.0f} °C")


def _celsius(path: Path) -> float | None:
    try:
        return int(path.read_text(encoding="ascii")) / 1000
    except (OSError, ValueError):
        return None
