"""How fast the referee is on a recording: every stage of its work, beside the cost of decoding the same video alone.

All runs in one thread: one for OpenCV, one for the decoder, one for the rest. Times are processor time of that thread,
so that other programs on the machine hardly matter; only the ratio of two times of one run can be compared between
machines, and even that with care.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median
from typing import Final

import cv2

from calibration.table import Table
from hardware.frame import Frame
from hardware.video import VideoFile
from referee.analysis import watcher_for
from referee.events import Header
from referee.stopwatch import Part, timing
from referee.vision import watcher
from referee.vision.background import Background
from referee.vision.blobs import BlobFinder
from referee.vision.board import BoardReader
from referee.vision.caller import Caller
from referee.vision.colours import ColourMap
from referee.vision.exposure import Exposure
from referee.vision.pins import lane_reader, reading, tripod
from referee.vision.pins import watcher as pin_watcher
from referee.vision.pins.box import Box
from referee.vision.pins.halved import Halved
from referee.vision.pins.lookout import Lookout
from referee.vision.pins.reel import Reel
from referee.vision.tracks import Tracker
from referee.vision.veil import Veil
from referee.vision.view import View

BALL_PARTS: Final = (
    Part(stage="shrink", owner=watcher, name="half_luma"),
    Part(stage="light", owner=Exposure, name="evened"),
    Part(stage="background", owner=Background, name="changed"),
    Part(stage="view", owner=View, name="is_suspect"),
    Part(stage="view", owner=View, name="shift"),
    Part(stage="veil", owner=Veil, name="add"),
    Part(stage="labels", owner=ColourMap, name="coloured"),
    Part(stage="labels", owner=ColourMap, name="label"),
    Part(stage="blobs", owner=BlobFinder, name="coloured"),
    Part(stage="blobs", owner=BlobFinder, name="find"),
    Part(stage="tracks", owner=Tracker, name="update"),
    Part(stage="flights", owner=watcher, name="read_throw"),
    Part(stage="board", owner=BoardReader, name="read"),
    Part(stage="calls", owner=Caller, name="look"),
)
"""The stages of watching a board, in the order of the work."""

LANE_PARTS: Final = (
    Part(stage="shrink", owner=Halved, name="whole"),
    Part(stage="shrink", owner=Halved, name="part"),
    Part(stage="lookout", owner=Lookout, name="moves"),
    Part(stage="lookout", owner=Lookout, name="is_covered"),
    Part(stage="lookout", owner=Lookout, name="is_anybody_near"),
    Part(stage="lookout", owner=Lookout, name="differs"),
    Part(stage="reel", owner=Reel, name="add"),
    Part(stage="box", owner=Box, name="__init__"),
    Part(stage="box", owner=Box, name="look"),
    Part(stage="box", owner=Box, name="shift"),
    Part(stage="view", owner=tripod, name="corners_around"),
    Part(stage="view", owner=View, name="__init__"),
    Part(stage="view", owner=View, name="shift"),
    Part(stage="fates", owner=pin_watcher, name="reading_after"),
    Part(stage="touch", owner=pin_watcher, name="touched"),
    Part(stage="set-up", owner=lane_reader, name="PinReader"),
    Part(stage="surface", owner=reading, name="bare_scene"),
    Part(stage="surface", owner=reading, name="part_of_scene"),
    Part(stage="reading", owner=reading.PinReader, name="read"),
)
"""The stages of watching a lane. ``set-up``: what a reader of pins works out before it reads; ``surface``: the picture
compared with the bare lane; ``reading``: the pins in it; ``fates``: what became of those that stood."""

REST: Final = "rest"
"""What the analysis does in no stage."""

ROUNDS: Final = 3
"""How often a recording that isn't repeated is decoded and watched, for the medians of what that takes: what else a
machine does slows one of them now and then."""

HIGH_WATER: Final = Path("/proc/self/status")
FORGET_PEAK: Final = Path("/proc/self/clear_refs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """``decode_ms``: a frame of decoding alone; ``stages_ms``: a frame of analysis by stage. ``peak_mb``: the most
    memory that the process had while it analysed."""

    video: str
    width_px: int
    height_px: int
    frames: int
    duration_s: float
    decode_ms: float
    stages_ms: dict[str, float]
    peak_mb: float

    @property
    def analysis_ms(self) -> float:
        """A frame of analysis, without decoding."""
        return sum(self.stages_ms.values())

    @property
    def ratio(self) -> float:
        """Cost of the analysis against that of decoding."""
        return self.analysis_ms / self.decode_ms

    @property
    def frames_per_s(self) -> float:
        """Frames a second of decoding and analysis together."""
        return 1000.0 / (self.decode_ms + self.analysis_ms)


def bench(
    video: str, table: Table, *, lasting_s: float = 0.0, progress: Callable[[float], None] | None = None
) -> Bench:
    """Decode a recording, and analyse it, by turns; the medians count. Noting the time of every stage costs time too,
    as much as a small stage: what part of the whole each takes is therefore told by another analysis, after that.

    ``lasting_s``: repeat it until it has lasted so long, in one turn. ``progress`` is called now and then with the
    share of all analyses that is done, 0 to 1. Raises what opening and reading it raises.
    """
    with VideoFile(video, threads=1) as camera, _one_core():
        once_s = camera.duration_s or 0.0
        turns_s = [lasting_s] if lasting_s else [once_s] * ROUNDS
        told = _Told(progress=progress, whole_s=sum(turns_s) + once_s)
        decodings_s, turns = [_decode_s(camera)], list[_Watched]()
        _forget_peak()
        for after_s in accumulate(turns_s[:-1], initial=0.0):
            turns.append(_watched(told.of(_repeated(camera, lasting_s), after_s=after_s), table))
            decodings_s.append(_decode_s(camera))
        peak_mb = _peak_mb()
        with timing(parts_for(table)) as watch:
            timed = _watched(told.of(camera, after_s=sum(turns_s)), table)
    stages = {**watch.seconds, REST: timed.feeding_s - sum(watch.seconds.values())}
    frames = turns[0].frames
    analysis_ms = 1000 * median(turn.feeding_s for turn in turns) / frames
    return Bench(
        video=video,
        width_px=camera.width_px,
        height_px=camera.height_px,
        frames=frames,
        duration_s=turns[0].last_s + 1 / camera.frame_rate_hz,
        decode_ms=1000 * median(decodings_s),
        stages_ms={stage: analysis_ms * spent_s / timed.feeding_s for stage, spent_s in stages.items()},
        peak_mb=peak_mb,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Watched:
    """What it took to watch ``frames`` frames, up to the one at ``last_s``."""

    feeding_s: float
    frames: int
    last_s: float


def _watched(pictures: Iterable[Frame], table: Table) -> _Watched:
    """Watch a table, and count the processor time of nothing else."""
    watching = watcher_for(table, Header())
    feeding_s, last_s, frames = 0.0, 0.0, 0
    for frame in pictures:
        begin = time.thread_time()
        watching.feed(frame)
        feeding_s += time.thread_time() - begin
        last_s, frames = frame.t_s, frames + 1
    begin = time.thread_time()
    watching.finish()
    return _Watched(feeding_s=feeding_s + time.thread_time() - begin, frames=frames, last_s=last_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """Who is told how far the work on ``whole_s`` seconds of pictures is; nobody where that isn't known."""

    progress: Callable[[float], None] | None
    whole_s: float

    def of(self, pictures: Iterable[Frame], *, after_s: float = 0.0) -> Iterator[Frame]:
        """The same pictures, which come after so many seconds of others."""
        for number, frame in enumerate(pictures, start=1):
            yield frame
            if self.progress is not None and self.whole_s and number % 64 == 0:
                self.progress(min(1.0, (after_s + frame.t_s) / self.whole_s))


def parts_for(table: Table) -> Sequence[Part]:
    """The stages of watching a table."""
    return LANE_PARTS if table.layout.kind == "lane" else BALL_PARTS


def _decode_s(camera: VideoFile) -> float:
    """Processor time a frame of reading a recording to its end, and doing nothing else."""
    begin, frames = time.thread_time(), 0
    for _ in camera:
        frames += 1
    return (time.thread_time() - begin) / max(1, frames)


def _repeated(camera: VideoFile, lasting_s: float) -> Iterator[Frame]:
    """A recording's frames once, and again until they have lasted so long, as if they were one recording."""
    index, start_s = 0, 0.0
    while True:
        last_s = start_s
        for frame in camera:
            last_s = start_s + frame.t_s
            yield replace(frame, index=index, t_s=last_s)
            index += 1
            if lasting_s and last_s >= lasting_s:
                return
        start_s = last_s + 1 / camera.frame_rate_hz
        if start_s >= lasting_s:
            return


@contextmanager
def _one_core() -> Iterator[None]:
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(threads)


def _forget_peak() -> None:
    """Let the peak of memory begin anew, where the system can; elsewhere it is that of the whole process."""
    try:
        FORGET_PEAK.write_text("5")
    except OSError:
        return


def _peak_mb() -> float:
    try:
        lines = HIGH_WATER.read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return getrusage(RUSAGE_SELF).ru_maxrss / 1024
