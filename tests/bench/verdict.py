"""How soon a throw is called: from the true moment of the ball's rest to the picture with which the call comes.

    python -m tests.bench.verdict sample_videos/b*.mp4

Prints a table in Markdown. A ball in a hole wobbles long before it is wholly at rest, and a miss is certain before
the ball has rolled off the table: calls may come before the rest.
"""

import argparse
from pathlib import Path
from statistics import median

from hardware.camera import open_camera
from referee.analysis import watcher_for
from referee.evaluate import calibrate_recording
from referee.events import Header, Shot
from referee.truth import BallTruth, load_truth
from tests.bench.markdown import markdown_table

NEAR_S = 0.5
"""How far a throw's begin may be from the true release: it is first seen when it has left the hand."""

LIMIT_S = 0.3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("video", nargs="+", type=Path)
    delays = {video.stem: delays_of(video) for video in parser.parse_args().video}
    rows = [(name, *_cells(found)) for name, found in delays.items()]
    everything = [delay for found in delays.values() for delay in found]
    headings = ("recording", "throws", f"within {LIMIT_S} s", "median, s", "latest, s")
    print(markdown_table(headings, [*rows, ("all", *_cells(everything))]))


def delays_of(video: Path) -> list[float]:
    """Seconds from each throw's rest to its call, in the recording's time; throws that aren't called are left out."""
    truth = load_truth(video)
    if not isinstance(truth, BallTruth):
        return []
    table = calibrate_recording(video, truth).table
    watcher, called = watcher_for(table, Header(layout=table.layout.name)), list[tuple[float, Shot]]()
    with open_camera(str(video)) as camera:
        for frame in camera:
            called += [(frame.t_s, event) for event in watcher.feed(frame) if isinstance(event, Shot)]
    return [
        called_s - shot.t_end_s
        for shot in truth.shots
        for called_s, event in called
        if event.colour == shot.colour and abs((event.stamp.t_s or 0.0) - shot.t_s) < NEAR_S
    ]


def _cells(delays: list[float]) -> tuple[str, ...]:
    if not delays:
        return "0", "0", "-", "-"
    soon = sum(delay <= LIMIT_S for delay in delays)
    return str(len(delays)), str(soon), f"{median(delays):+.2f}", f"{max(delays):+.2f}"


if __name__ == "__main__":
    main()
