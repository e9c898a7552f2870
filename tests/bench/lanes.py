"""How well lanes are found: cameras from first pictures, whole and made worse, against the true ones.

    python -m tests.bench.lanes sample_videos/wb-*.mp4

Prints tables in Markdown: how far off places on the field are, and heads of pins above it; the focal length; how long
it takes. Then how far off the box is when it is found again at rest, after it was pushed.
"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from calibration.camera_model import CameraModel
from calibration.errors import BadCalibration
from calibration.layout import Layout
from calibration.pose import calibrate, still_frames
from calibration.table import Table
from hardware.frame import Frame
from hardware.video import VideoFile
from referee.evaluate import find_layout
from referee.vision.pins.box import Box
from tests.bench.markdown import markdown_table
from tests.bench.worse import darkened, halved_size, noised, scaled

PIN_MM: Final = 50.0
HALF: Final = 0.5


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("videos", nargs="+", type=Path)
    videos = parser.parse_args(arguments).videos
    found = [row for video in videos for row in _found(video)]
    print(markdown_table(("recording", "pictures", "by", "field, mm", "heads, mm", "focal, %", "s"), found))
    print()
    print(markdown_table(("recording", "pictures at rest", "found again", "median mm", "most mm"), map(_again, videos)))


def _found(video: Path) -> Iterator[tuple[str, ...]]:
    """One row for each way in which the pictures were changed, then for the bare layout without its markers."""
    truth = json.loads(video.with_suffix(".truth.json").read_text(encoding="utf-8"))
    layout = find_layout(video, truth["layout"])
    bare = replace(layout, markers=())
    with VideoFile(video) as source:
        frames = still_frames(source)
    true = _true_camera(truth)
    ways = [("as they are", frames, layout, true)] if layout.markers else []
    ways += [
        ("without markers" if layout.markers else "as they are", frames, bare, true),
        ("half the light", [darkened(frame) for frame in frames], bare, true),
        ("one, with noise", list(noised(frames[:1])), bare, true),
        ("half the size", [halved_size(frame) for frame in frames], bare, _halved(true, bare)),
    ]
    for name, pictures, sought, camera in ways:
        yield (video.stem, name, *_measured(pictures, sought, camera))


def _measured(frames: Sequence[Frame], layout: Layout, true: CameraModel) -> tuple[str, ...]:
    begun = time.process_time()
    try:
        table = calibrate(frames, layout)
    except BadCalibration as refused:
        return ("refused", str(refused).split(" (")[0], "", "", "")
    taken_s = time.process_time() - begun
    off = partial(_off_mm, table.camera, true, layout)
    focal = 100 * (table.camera.focal_px / true.focal_px - 1)
    return (table.method, f"{off(0.0):.2f}", f"{off(PIN_MM):.2f}", f"{focal:+.1f}", f"{taken_s:.1f}")


def _off_mm(found: CameraModel, true: CameraModel, layout: Layout, above_mm: float) -> float:
    """How far off corners of the field, and places half-way to them, are on average, at a height above the lid."""
    z_mm = layout.height_mm + above_mm
    corners = layout.corners_mm if layout.lane is None else layout.lane.corners_mm
    places = np.array([(x * share, y * share, z_mm) for share in (1.0, 0.5) for x, y, _ in corners])
    return float(np.linalg.norm(found.to_mm(true.to_px(places), z_mm) - places, axis=1).mean())


def _again(video: Path) -> tuple[str, ...]:
    """Where the box is found in pictures at rest, five a second, against where the taps before have pushed it."""
    truth = json.loads(video.with_suffix(".truth.json").read_text(encoding="utf-8"))
    layout = find_layout(video, truth["layout"])
    with VideoFile(video) as source:
        table = calibrate(still_frames(source), layout)
    rest = [(segment["from_t"], segment["to_t"]) for segment in truth["segments"] if segment["state"] == "settled"]
    box: Box | None = None
    off_mm: list[float | None] = []
    with VideoFile(video) as source:
        for frame in source:
            if frame.index % max(round(truth["fps"] / 5), 1) == 0 and any(a <= frame.t_s < b for a, b in rest):
                box = box or Box(table, frame)
                off_mm.append(_pushed_off_mm(box, frame, truth))
    seen = [value for value in off_mm if value is not None]
    return (video.stem, str(len(off_mm)), str(len(seen)), f"{np.median(seen):.2f}", f"{max(seen):.2f}")


def _pushed_off_mm(box: Box, frame: Frame, truth: dict[str, Any]) -> float | None:
    shift = box.shift(frame)
    if shift is None:
        return None
    pushes = [tap["lane_shift_mm"] for tap in truth["taps"] if tap["t_box_hit"] < frame.t_s]
    true_mm = np.sum([[0.0, 0.0], *pushes], axis=0)
    return float(np.linalg.norm(np.array([shift.x_mm, shift.y_mm]) - true_mm))


def _true_camera(truth: dict[str, Any]) -> CameraModel:
    camera = truth["camera"]
    return CameraModel(
        matrix=np.array(camera["K"]),
        dist=np.array(camera["dist"]),
        rotation=np.array(camera["R"]),
        translation_mm=np.array(camera["t_mm"]),
        width_px=truth["width"],
        height_px=truth["height"],
    )


def _halved(camera: CameraModel, layout: Layout) -> CameraModel:
    """The camera of pictures half as wide."""
    return scaled(Table(layout=layout, camera=camera, method="table", error_px=0.0), HALF).camera


if __name__ == "__main__":
    main()
