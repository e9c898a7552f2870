"""How soon a throw is called: from the true moment of rest to the picture with which the call comes.

    python -m tests.bench.verdict sample_videos/b*.mp4

Prints a table in Markdown. A throw is at rest when the last ball is that it left on the board: a call tells where all
of them lie. A ball in a hole wobbles long before it is wholly at rest, and a miss is certain before the ball has rolled
off the table: calls may come before the rest.
"""

import argparse
import json
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
        called_s - rest_s
        for shot, rest_s in zip(truth.shots, rests_of(video), strict=True)
        for called_s, event in called
        if event.colour == shot.colour and abs((event.stamp.t_s or 0.0) - shot.t_s) < NEAR_S
    ]


def rests_of(video: Path) -> list[float]:
    """When the last ball of each throw that stayed on the board came to rest, in order of the truth."""
    true = json.loads(video.with_suffix(".truth.json").read_text(encoding="utf-8"))
    rests = []
    for shot in true["shots"]:
        rest_s = shot["t_rest"]
        for ball in (moved["ball"] for moved in shot["moved"] if moved["to"] is not None):
            seen_s = [row[0] / true["fps"] for row in true["track"].get(ball, ())]
            until_s = shot["t_release"]
            for t_s in seen_s:
                # Its track goes on as long as it moves; the next throw may set it in motion again.
                if shot["t_release"] < t_s and t_s - max(until_s, shot["t_rest"]) < NEAR_S:
                    until_s = t_s
            rest_s = max(rest_s, until_s)
        rests.append(rest_s)
    return rests


def _cells(delays: list[float]) -> tuple[str, ...]:
    if not delays:
        return "0", "0", "-", "-"
    soon = sum(delay <= LIMIT_S for delay in delays)
    return str(len(delays)), str(soon), f"{median(delays):+.2f}", f"{max(delays):+.2f}"


if __name__ == "__main__":
    main()
