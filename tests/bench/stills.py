"""How much one picture tells: each settled moment of the recordings as a single frame, without what came before.

    python -m tests.bench.stills sample_videos/*.mp4

Prints a table in Markdown: pins standing as read and as they were, in the middle of each time in which nothing moved.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from hardware.video import VideoFile
from referee.evaluate import calibrate_recording
from referee.events import SeenPin, SeenPins, Stamp
from referee.pin_comparison import PinComparison, Settled, compare_pins
from referee.pin_tally import pin_tally
from referee.pin_truth import PinTruth
from referee.truth import load_truth
from referee.vision.pins.pin import PinReading
from referee.vision.pins.reading import PinReader
from tests.bench.markdown import markdown_table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("video", nargs="+", type=Path)
    print(report(parser.parse_args().video))


def report(videos: Sequence[Path]) -> str:
    """One line a settled moment, then the share of exact counts and what was seen of pins by state."""
    rows: list[tuple[str, ...]] = []
    comparisons = []
    for video in videos:
        truth = load_truth(video)
        if isinstance(truth, PinTruth):
            comparisons.append(read_stills(video, truth))
            rows += [(video.stem, *_cells(moment)) for moment in comparisons[-1].settled]
    counts = pin_tally(comparisons)
    states = [
        (state, f"{each.matched} of {each.true}", str(each.seen - each.matched))
        for state, each in counts.states.items()
    ]
    return "\n\n".join(
        [
            markdown_table(("recording", "moment", "stood", "read", "exact", "to review"), rows),
            f"Exact: {counts.exact} of {counts.moments}.",
            markdown_table(("state", "found at their places", "seen where there was none such"), states),
        ]
    )


def read_stills(video: Path, truth: PinTruth) -> PinComparison:
    """Every settled moment of a recording by itself, against the truth."""
    reader = PinReader(calibrate_recording(video, truth).table)
    events = []
    with VideoFile(video) as recording:
        for span in truth.spans:
            if span.is_settled:
                middle_s = (span.from_s + span.to_s) / 2
                events.append(_event(reader.read(recording.frame_at(middle_s)), middle_s))
    return compare_pins(truth, events)


def _event(reading: PinReading, t_s: float) -> SeenPins:
    return SeenPins(
        standing=reading.standing,
        fallen=reading.fallen,
        pins=tuple(SeenPin(px=(pin.x_px, pin.y_px), state=pin.state) for pin in reading.pins),
        stamp=Stamp(t_s=t_s, confidence=reading.confidence, review=reading.review),
    )


def _cells(moment: Settled) -> tuple[str, ...]:
    seen = moment.seen
    assert seen is not None
    middle_s = (moment.truth.from_s + moment.truth.to_s) / 2
    exact = "yes" if moment.is_exact else "no"
    return f"{middle_s:.2f} s", str(moment.truth.standing), str(seen.standing), exact, seen.stamp.review or "-"


if __name__ == "__main__":
    main()
