"""How the calls hold when the picture gets worse: the same recordings darkened, noised, tinted, thinned out.

    python -m tests.bench.degrade sample_videos/*.mp4

Prints tables in Markdown, for balls and for pins: calls right, wrong without a word, sent to review, missed, invented,
for each degradation; then, over all of them, how far confidences can be believed. Each call that is wrong or in doubt
is told on standard error.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.table import Table
from hardware.camera import open_camera
from hardware.errors import RefereeError
from referee.analysis import watcher_for
from referee.calls import CALL_HEADINGS, calls_row, count_calls
from referee.comparison import Comparison
from referee.evaluate import Evaluation, calibrate_recording, compare_any
from referee.evaluation_report import remarks
from referee.events import Event, Header
from referee.pin_comparison import PinComparison
from referee.pin_tally import pin_tally
from referee.reliability import HEADINGS, reliability, reliability_row, verdicts
from referee.truth import load_truth
from tests.bench.markdown import markdown_table
from tests.bench.workers import in_processes
from tests.bench.worse import DEGRADATIONS, Degradation, recompressed, scaled

AS_FILMED = Degradation(name="as filmed", change=iter)
CALLS = ("picture", *CALL_HEADINGS[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """All recordings under one degradation."""

    name: str
    comparisons: tuple[Comparison | PinComparison, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """A recording, with the table found in it, under a degradation."""

    video: Path
    table: Table
    degradation: Degradation


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("video", nargs="+", type=Path)
    videos = parser.parse_args().video
    print("\n\n".join(tables(list(judge_all(videos)))))


def judge_all(videos: Sequence[Path]) -> Iterator[Judged]:
    """Each degradation over all recordings, with the tables found in the recordings as they are."""
    tables = dict(zip(videos, in_processes(calibrated, videos), strict=True))
    tasks = [Task(video=v, table=tables[v], degradation=d) for d in (AS_FILMED, *DEGRADATIONS) for v in videos]
    results = in_processes(judge, tasks)
    for degradation in (AS_FILMED, *DEGRADATIONS):
        comparisons = []
        for video in videos:
            comparisons.append(next(results))
            for remark in remarks(Evaluation(video=video, comparison=comparisons[-1])):
                print(f"{degradation.name}: {video.stem}: {remark}", file=sys.stderr, flush=True)
        yield Judged(name=degradation.name, comparisons=tuple(comparisons))


def calibrated(video: Path) -> Table:
    return calibrate_recording(video, load_truth(video)).table


def judge(task: Task) -> Comparison | PinComparison:
    """Referee a degraded recording."""
    video, degradation = task.video, task.degradation
    events: list[Event] = []
    with tempfile.TemporaryDirectory() as folder:
        source = video if degradation.crf is None else recompressed(video, degradation.crf, Path(folder) / video.name)
        table = scaled(task.table, degradation.scale)
        watcher = watcher_for(table, Header(layout=table.layout.name))
        try:
            with open_camera(str(source)) as camera:
                for frame in degradation.change(camera):
                    events += watcher.feed(frame)
            events += watcher.finish()
        except RefereeError as error:
            print(f"{video.name}, {degradation.name}: {error}", file=sys.stderr)
    return compare_any(load_truth(video), events)


def tables(judged: Sequence[Judged]) -> list[str]:
    """Markdown: throws, taps where there are recordings of pins, and confidences."""
    balls = [(each.name, [one for one in each.comparisons if isinstance(one, Comparison)]) for each in judged]
    pins = [(each.name, [one for one in each.comparisons if isinstance(one, PinComparison)]) for each in judged]
    parts = []
    if any(comparisons for _, comparisons in balls):
        parts.append(markdown_table(CALLS, [calls_row(name, count_calls(comparisons)) for name, comparisons in balls]))
    if any(comparisons for _, comparisons in pins):
        rows = [(*calls_row(name, count_calls(comparisons)), *_pin_cells(comparisons)) for name, comparisons in pins]
        parts.append(markdown_table((*CALLS, "set-ups right", "settled moments exact"), rows))
    calls = (verdict for each in judged for one in each.comparisons for verdict in verdicts(one))
    return [*parts, markdown_table(HEADINGS, [reliability_row(each) for each in reliability(calls)])]


def _pin_cells(comparisons: Sequence[PinComparison]) -> tuple[str, ...]:
    counts = pin_tally(comparisons)
    right = sum(rack.is_right for one in comparisons for rack in one.racks_found)
    extra = f" +{counts.racks_invented}" if counts.racks_invented else ""
    return f"{right} of {counts.racks}{extra}", f"{counts.exact} of {counts.moments}"


if __name__ == "__main__":
    main()
