"""How much one picture tells: moments of rest in the recordings as single frames, without what came before.

    python -m tests.bench.stills sample_videos/*.mp4

Prints tables in Markdown: pins standing as read and as they were, in the middle of each time in which nothing moved;
and holes read wrongly in the first and the last picture of recordings of balls. Each picture is calibrated by itself,
as `referee look FILE@SECONDS --layout LAYOUT` does, or where that can't be done, by the beginning of its recording.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.errors import BadCalibration
from calibration.pose import calibrate
from hardware.video import VideoFile
from referee.comparison import wrong_holes
from referee.evaluate import calibrate_recording, find_layout
from referee.events import SeenPin, SeenPins, Stamp
from referee.look import Look, look_at
from referee.pin_comparison import PinComparison, Settled, compare_pins
from referee.pin_tally import pin_tally
from referee.pin_truth import PinTruth
from referee.truth import BallTruth, load_truth
from tests.bench.markdown import markdown_table
from tests.bench.workers import in_processes

END_S = 0.1
"""How long before its end a recording's last picture is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holes:
    """A picture of a board: how many holes are taken, and how many are read as something else than they are."""

    moment: str
    taken: int
    wrong: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("video", nargs="+", type=Path)
    print(report(parser.parse_args().video))


def report(videos: Sequence[Path]) -> str:
    """Tables of pins and of holes, with what they add up to."""
    readings = list(zip(videos, in_processes(read_stills, videos), strict=True))
    pins = [(video, reading) for video, reading in readings if isinstance(reading, PinComparison)]
    holes = [(video, reading) for video, reading in readings if not isinstance(reading, PinComparison)]
    return "\n\n".join([*_pin_parts(pins), *_hole_parts(holes)])


def read_stills(video: Path) -> PinComparison | tuple[Holes, ...]:
    """A recording's moments of rest against its truth."""
    truth = load_truth(video)
    return _pins(video, truth) if isinstance(truth, PinTruth) else tuple(_holes(video, truth))


def _look(video: Path, t_s: float) -> Look:
    truth = load_truth(video)
    with VideoFile(video) as recording:
        frame = recording.frame_at(t_s)
    try:
        table = calibrate([frame], find_layout(video, truth.layout))
    except BadCalibration:
        table = calibrate_recording(video, truth).table
    return look_at(frame, table)


def _pins(video: Path, truth: PinTruth) -> PinComparison:
    events = []
    for span in truth.spans:
        if span.is_settled:
            middle_s = (span.from_s + span.to_s) / 2
            reading = _look(video, middle_s).pins
            pins = tuple(SeenPin(px=(pin.x_px, pin.y_px), state=pin.state) for pin in reading.pins)
            stamp = Stamp(t_s=middle_s, confidence=reading.confidence, review=reading.review)
            events.append(SeenPins(standing=reading.standing, fallen=reading.fallen, pins=pins, stamp=stamp))
    return compare_pins(truth, events)


def _holes(video: Path, truth: BallTruth) -> Iterator[Holes]:
    with VideoFile(video) as recording:
        duration_s = recording.duration_s
    assert duration_s is not None
    for moment, t_s, lies in (("first", 0.0, truth.start), ("last", duration_s - END_S, truth.final)):
        seen = [(ball.hole, ball.colour) for ball in _look(video, t_s).balls if ball.hole is not None]
        yield Holes(moment=moment, taken=len(lies), wrong=wrong_holes(lies, seen))


def _pin_parts(readings: Sequence[tuple[Path, PinComparison]]) -> list[str]:
    counts = pin_tally(reading for _, reading in readings)
    rows = [(video.stem, *_cells(moment)) for video, reading in readings for moment in reading.settled]
    states = [
        (state, f"{each.matched} of {each.true}", str(each.seen - each.matched))
        for state, each in counts.states.items()
    ]
    return [
        markdown_table(("recording", "moment", "stood", "read", "exact", "to review"), rows),
        f"Exact: {counts.exact} of {counts.moments}.",
        markdown_table(("state", "found at their places", "seen where there was none such"), states),
    ]


def _cells(moment: Settled) -> tuple[str, ...]:
    seen = moment.seen
    assert seen is not None
    middle_s = (moment.truth.from_s + moment.truth.to_s) / 2
    exact = "yes" if moment.is_exact else "no"
    return f"{middle_s:.2f} s", str(moment.truth.standing), str(seen.standing), exact, seen.stamp.review or "-"


def _hole_parts(readings: Sequence[tuple[Path, Sequence[Holes]]]) -> list[str]:
    rows = [(video.stem, *(f"{each.wrong} ({each.taken})" for each in holes)) for video, holes in readings]
    wrong = sum(each.wrong for _, holes in readings for each in holes)
    return [
        markdown_table(("recording", "holes wrong (taken), first picture", "last picture"), rows),
        f"Holes read wrongly: {wrong}.",
    ]


if __name__ == "__main__":
    main()
