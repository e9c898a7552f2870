"""What people would use instead, on the same frames: how long it takes, and how often it finds a ball in motion.

    python -m tests.bench.compare sample_videos/*.mp4

HSV masks with contours for each colour, MOG2 with contours, and the trackers of the packages `norfair` and `trackers`
(with `supervision`), fed with the detections of this project. These packages are no dependencies: what isn't installed
is left out. Prints a table in Markdown. One thread; times are processor time and include no decoding.
"""

import argparse
import json
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from hardware.frame import Frame
from hardware.video import VideoFile
from referee.evaluate import calibrate_recording
from referee.truth import load_truth
from referee.vision.background import Background
from referee.vision.blobs import Blob, BlobFinder
from referee.vision.colours import colour_map, half_luma, known_colours, light_of
from referee.vision.kinds import ball_kinds
from referee.vision.tracks import MAX_SPEED_MM_S, Tracker

NEAR_PX = 5.0
MOVED_PX = 1.0
"""Least step of a ball from one frame to the next to count as in motion."""

VISIBLE = 0.5
LEAST_AREA_PX = 30.0
HUES = {
    "red": ((0, 8), (172, 179)),
    "orange": ((9, 20),),
    "yellow": ((21, 34),),
    "green": ((40, 88),),
    "blue": ((95, 130),),
}
"""Hue ranges, 0 to 179, as tutorials give them; saturation from 90 and value from 60."""

Places = list[tuple[float, float]]


@dataclass(slots=True)
class Score:
    """``found`` of ``shown`` true places were within ``NEAR_PX`` of a place that the method gave."""

    seconds: float = 0.0
    frames: int = 0
    found: int = 0
    shown: int = 0


@dataclass(slots=True)
class Contest:
    """Scores by method, over all recordings."""

    scores: dict[str, Score] = field(default_factory=dict)

    def run(self, name: str, method: Callable[[], Places], truth: Sequence[tuple[float, float]]) -> None:
        score = self.scores.setdefault(name, Score())
        begin = time.thread_time()
        places = method()
        score.seconds += time.thread_time() - begin
        score.frames += 1
        score.shown += len(truth)
        score.found += sum(any(np.hypot(x - u, y - v) <= NEAR_PX for u, v in places) for x, y in truth)


class Ours:
    """This project's steps up to blobs, and its tracker."""

    def __init__(self, table: Table, first: Frame) -> None:
        kinds = ball_kinds(table.layout)
        light = light_of(first)
        radius_mm = float(np.median([kind.radius_mm for kind in kinds]))
        self._background = Background(light)
        colours = known_colours([kind.colour for kind in kinds])
        self._finder = BlobFinder(table, radius_mm, colour_map(colours, light))
        nearest_mm = float(table.camera.depth_mm(np.zeros((1, 3)))[0]) / 2
        self._tracker = Tracker()
        self._tracker.max_speed_px_s = MAX_SPEED_MM_S * table.camera.focal_px / nearest_mm
        self.blobs: tuple[Blob, ...] = ()

    def detect(self, frame: Frame) -> Places:
        luma = half_luma(frame)
        changed = self._background.changed(frame, luma)
        (self.blobs,) = self._finder.find([self._finder.coloured(frame, luma, changed, self._background)])
        return [(blob.x_px, blob.y_px) for blob in self.blobs]

    def track(self, frame: Frame) -> Places:
        self._tracker.update(frame.index, frame.t_s, self.blobs, lambda blob: False)
        return [
            (track.last.blob.x_px, track.last.blob.y_px)
            for track in self._tracker.open
            if track.last.index == frame.index and len(track.sightings) > 1
        ]


def hsv_contours(frame: Frame, colours: Sequence[str]) -> Places:
    hsv = cv2.cvtColor(bgr_of(frame), cv2.COLOR_BGR2HSV)
    kernel = np.ones((3, 3), np.uint8)
    places: Places = []
    for colour in colours:
        mask = np.zeros(hsv.shape[:2], np.uint8)
        for low, high in HUES[colour]:
            mask |= np.asarray(cv2.inRange(hsv, np.array([low, 90, 60]), np.array([high, 255, 255])), np.uint8)
        places += centres(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel))
    return places


def mog2_contours(frame: Frame, subtractor: cv2.BackgroundSubtractorMOG2) -> Places:
    mask = subtractor.apply(bgr_of(frame))
    return centres(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))


def centres(mask: Any) -> Places:
    """Centres of the circles around what is large enough."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = [cv2.minEnclosingCircle(c)[0] for c in contours if cv2.contourArea(c) >= LEAST_AREA_PX]
    return [(float(x), float(y)) for x, y in found]


def bgr_of(frame: Frame) -> NDArray[np.uint8]:
    """What other programs start from."""
    planes = np.concatenate([frame.y.ravel(), frame.u.ravel(), frame.v.ravel()])
    return np.asarray(cv2.cvtColor(planes.reshape(-1, frame.width_px), cv2.COLOR_YUV2BGR_I420), np.uint8)


class Norfair:
    """`norfair` with its Euclidean distance, a reach of 100 pixels and an identity from the second sighting on."""

    def __init__(self) -> None:
        import norfair

        self._make = norfair.Detection
        self._tracker = norfair.Tracker(distance_function="euclidean", distance_threshold=100, initialization_delay=1)

    def track(self, blobs: Sequence[Blob]) -> Places:
        seen = self._tracker.update([self._make(np.array([[blob.x_px, blob.y_px]])) for blob in blobs])
        return [(float(t.estimate[0, 0]), float(t.estimate[0, 1])) for t in seen]


class BoxTracker:
    """A tracker of boxes of the package `trackers`, with its own settings."""

    def __init__(self, name: str) -> None:
        import supervision
        import trackers

        self._make = supervision.Detections
        self._tracker = getattr(trackers, name)()

    def track(self, blobs: Sequence[Blob]) -> Places:
        boxes = [
            (b.x_px - b.radius_px, b.y_px - b.radius_px, b.x_px + b.radius_px, b.y_px + b.radius_px) for b in blobs
        ]
        detections = self._make(
            xyxy=np.array(boxes, dtype=np.float32).reshape(-1, 4),
            confidence=np.ones(len(boxes), dtype=np.float32),
            class_id=np.zeros(len(boxes), dtype=int),
        )
        seen = self._tracker.update(detections)
        return [
            (float(left + right) / 2, float(top + bottom) / 2)
            for (left, top, right, bottom), number in zip(seen.xyxy, seen.tracker_id, strict=True)
            if number >= 0
        ]


def true_places(video: Path) -> dict[int, Places]:
    """Where balls in motion are seen, by frame."""
    tracks = json.loads(video.with_suffix(".truth.json").read_text())["track"]
    places: dict[int, Places] = {}
    for rows in tracks.values():
        for (frame, x, y, *_), (later, u, v, *rest) in pairwise(rows):
            if later == frame + 1 and rest[-1] >= VISIBLE and np.hypot(u - x, v - y) > MOVED_PX:
                places.setdefault(int(later), []).append((float(u), float(v)))
    return places


def trackers_at_hand() -> dict[str, Callable[[], Norfair | BoxTracker]]:
    found: dict[str, Callable[[], Norfair | BoxTracker]] = {}
    if find_spec("norfair"):
        found["norfair, Euclidean"] = Norfair
    if find_spec("trackers") and find_spec("supervision"):
        found["trackers, SORT"] = partial(BoxTracker, "SORTTracker")
        found["trackers, ByteTrack"] = partial(BoxTracker, "ByteTrackTracker")
    return found


def run(video: Path, contest: Contest) -> None:
    table = calibrate_recording(video, load_truth(video)).table
    colours = list(dict.fromkeys(kind.colour for kind in ball_kinds(table.layout)))
    places = true_places(video)
    others = {name: make() for name, make in trackers_at_hand().items()}
    subtractor = cv2.createBackgroundSubtractorMOG2(detectShadows=False)
    ours: Ours | None = None
    for frame in VideoFile(video, threads=1):
        ours = ours or Ours(table, frame)
        _one_frame(frame, places.get(frame.index, []), ours, others, subtractor, colours, contest)


def _one_frame(
    frame: Frame,
    true: Places,
    ours: Ours,
    others: dict[str, Norfair | BoxTracker],
    subtractor: cv2.BackgroundSubtractorMOG2,
    colours: Sequence[str],
    contest: Contest,
) -> None:
    contest.run("referee: detections", lambda: ours.detect(frame), true)
    contest.run("HSV masks, contours per colour", lambda: hsv_contours(frame, colours), true)
    contest.run("MOG2, contours", lambda: mog2_contours(frame, subtractor), true)
    contest.run("referee: tracks", lambda: ours.track(frame), true)
    for name, other in others.items():
        contest.run(name, partial(other.track, ours.blobs), true)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("videos", metavar="VIDEO", nargs="+", type=Path, help="a video with its truth beside it")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    warnings.simplefilter("ignore")
    contest = Contest()
    for video in arguments.videos:
        run(video, contest)
    print("| method | ms a frame | true places found |\n| --- | --- | --- |")
    for name, score in contest.scores.items():
        print(f"| {name} | {1000 * score.seconds / score.frames:.2f} | {100 * score.found / score.shown:.1f} % |")
    (shown,) = {score.shown for score in contest.scores.values()}
    print(f"\n{shown} places of balls in motion.")


if __name__ == "__main__":
    main()
