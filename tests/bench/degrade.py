"""How the calls hold when the picture gets worse: the same recordings darkened, noised, tinted, thinned out.

    python -m tests.bench.degrade sample_videos/*.mp4

Prints a table in Markdown: calls right, wrong without a word, sent to review, missed, invented, for each degradation.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import av
import cv2
import numpy as np
from av.video.stream import VideoStream

from calibration.table import Table
from hardware.camera import open_camera
from hardware.errors import RefereeError
from hardware.frame import Frame, Plane
from referee.commands.tables import calibrate_source
from referee.comparison import Comparison, compare
from referee.evaluate import clicks, find_layout
from referee.events import Event
from referee.truth import load_truth
from referee.vision.watcher import BallWatcher

Change = Callable[[Iterable[Frame]], Iterator[Frame]]
SEED = 7
HUE_DEG = 10.0
CRF = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Degradation:
    """``scale``: of the picture's size; ``crf``: recompressed at that quality."""

    name: str
    change: Change
    scale: float = 1.0
    crf: int | None = None


def each(change: Callable[[Frame], Frame]) -> Change:
    return lambda frames: map(change, frames)


def darkened(frame: Frame) -> Frame:
    """Half the light: luma and chroma shrink together."""
    luma = np.asarray(16 + (frame.y.astype(np.float32) - 16) * 0.5, dtype=np.uint8)
    return replace(frame, y=luma, u=_scaled(frame.u, 0.5), v=_scaled(frame.v, 0.5))


def noised(frame: Frame) -> Frame:
    """Gaussian noise of 8 levels of luma and 4 of chroma, another in each frame."""
    rng = np.random.default_rng(SEED + frame.index)
    planes = [
        np.clip(plane + rng.normal(0.0, sigma, plane.shape), 0, 255).astype(np.uint8)
        for plane, sigma in ((frame.y, 8.0), (frame.u, 4.0), (frame.v, 4.0))
    ]
    return replace(frame, y=planes[0], u=planes[1], v=planes[2])


def hue_shifted(degrees: float) -> Callable[[Frame], Frame]:
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))

    def shifted(frame: Frame) -> Frame:
        u, v = frame.u.astype(np.float32) - 128, frame.v.astype(np.float32) - 128
        turned = [
            np.clip(part + 128, 0, 255).astype(np.uint8) for part in (u * cosine - v * sine, u * sine + v * cosine)
        ]
        return replace(frame, u=turned[0], v=turned[1])

    return shifted


def halved_rate(frames: Iterable[Frame]) -> Iterator[Frame]:
    return (frame for frame in frames if frame.index % 2 == 0)


def halved_size(frame: Frame) -> Frame:
    def half(plane: Plane) -> Plane:
        height, width = plane.shape
        return np.asarray(cv2.resize(plane, (width // 2, height // 2), interpolation=cv2.INTER_AREA), dtype=np.uint8)

    return replace(frame, y=half(frame.y), u=half(frame.u), v=half(frame.v))


def dropped(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Every twentieth frame is missing, at random."""
    rng = np.random.default_rng(SEED)
    return (frame for frame in frames if rng.random() >= 0.05)


DEGRADATIONS = (
    Degradation(name="as filmed", change=iter),
    Degradation(name="half the light", change=each(darkened)),
    Degradation(name="noise", change=each(noised)),
    Degradation(name=f"hue +{HUE_DEG:.0f}°", change=each(hue_shifted(HUE_DEG))),
    Degradation(name=f"hue -{HUE_DEG:.0f}°", change=each(hue_shifted(-HUE_DEG))),
    Degradation(name="half the frame rate", change=halved_rate),
    Degradation(name="half the size", change=each(halved_size), scale=0.5),
    Degradation(name="5 % of frames dropped", change=dropped),
    Degradation(name=f"recompressed at crf {CRF}", change=iter, crf=CRF),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("video", nargs="+", type=Path)
    videos = parser.parse_args().video
    print("| picture | right | wrong | to review | missed | invented |")
    print("| --- | --- | --- | --- | --- | --- |")
    for degradation in DEGRADATIONS:
        results = [judged(video, degradation) for video in videos]
        found = [shot for result in results for shot in result.found]
        asked = [shot for shot in found if shot.shot.stamp.review is not None]
        right = sum(shot.is_right for shot in found if shot not in asked)
        total = sum(len(result.found) + len(result.missed) for result in results)
        print(
            f"| {degradation.name} | {right} of {total} | {len(found) - len(asked) - right} | {len(asked)} "
            f"| {sum(len(result.missed) for result in results)} | {sum(len(result.invented) for result in results)} |",
            flush=True,
        )


def judged(video: Path, degradation: Degradation) -> Comparison:
    """Referee a degraded recording with the table found in the recording as it is."""
    truth = load_truth(video)
    table = calibrate_source(str(video), find_layout(video, truth.layout), corners_px=clicks(truth))
    with tempfile.TemporaryDirectory() as folder:
        source = video if degradation.crf is None else recompressed(video, degradation.crf, Path(folder) / video.name)
        events: list[Event] = []
        watcher = BallWatcher(scaled(table, degradation.scale))
        try:
            with open_camera(str(source)) as camera:
                for frame in degradation.change(camera):
                    events += watcher.feed(frame)
            events += watcher.finish()
        except RefereeError as error:
            print(f"{video.name}, {degradation.name}: {error}", file=sys.stderr)
    return compare(truth, events)


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


def _scaled(chroma: Plane, factor: float) -> Plane:
    return np.asarray(128 + (chroma.astype(np.float32) - 128) * factor, dtype=np.uint8)


if __name__ == "__main__":
    main()
