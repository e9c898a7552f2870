"""``referee bench``: every stage is measured, and nothing of the measuring stays behind."""

import json
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from referee.bench import BALL_PARTS, LANE_PARTS, REST, Bench
from referee.cli import main
from referee.commands.bench import format_benches
from referee.stopwatch import Part, timing

SAMPLES = Path(__file__).parent.parent / "sample_videos"
SAMPLE = SAMPLES / "bii-01.mp4"


def burn(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


@pytest.mark.parametrize(
    ("name", "more", "parts", "frames"),
    [("bii-01", ["--seconds", "8"], BALL_PARTS, 481), ("wb-01", [], LANE_PARTS, 254)],
    ids=["board, repeated", "lane"],
)
def test_every_stage_of_a_recording_is_measured(
    name: str,
    more: list[str],
    parts: Sequence[Part],
    frames: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[float] = []
    monkeypatch.setattr("referee.commands.bench.progress_bar", lambda label: nullcontext(told.append))
    untouched = [getattr(part.owner, part.name) for part in parts]
    assert main(["bench", str(SAMPLES / f"{name}.mp4"), *more, "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["videos"]
    stages = result["stages_ms"]
    assert set(stages) == {"decode", REST, *(part.stage for part in parts)}
    assert all(ms > 0 for ms in stages.values())
    assert result["analysis_ms"] == pytest.approx(sum(stages.values()) - stages["decode"], abs=0.01)
    assert result["ratio"] == pytest.approx(result["analysis_ms"] / result["decode_ms"], abs=0.01)
    assert result["frames"] == frames
    assert result["peak_mb"] > 10
    assert told == sorted(told)
    assert (told[0] < 0.25, 0.75 < told[-1] <= 1.0) == (True, True)
    assert [getattr(part.owner, part.name) for part in parts] == untouched


def test_people_see_a_table_for_each_kind_of_recording() -> None:
    board = Bench(
        video="some/board.mp4",
        width_px=1280,
        height_px=720,
        frames=60,
        duration_s=1.0,
        decode_ms=1.0,
        stages_ms={"tracks": 0.25, REST: 0.5},
        peak_mb=150.4,
    )
    lane = replace(board, video="lane.mp4", stages_ms={"box": 0.5, REST: 1.5})
    heading, row, _, lane_heading, lane_row, *_ = format_benches([board, lane]).splitlines()
    assert " ".join(heading.split()) == "recording size frames decode tracks rest all ratio frames/s peak MB"
    assert " ".join(row.split()) == "board 1280x720 60 1.00 0.25 0.50 0.75 0.75 571 150"
    assert ("box" in heading, "box" in lane_heading) == (False, True)
    assert lane_row.split()[-3:] == ["2.00", "333", "150"]


@pytest.mark.parametrize("seconds", ["soon", "-1", "inf"])
def test_a_length_that_is_none_is_bad_usage(seconds: str) -> None:
    assert main(["bench", str(SAMPLE), f"--seconds={seconds}"]) == 2


def test_time_within_another_stage_counts_there_alone() -> None:
    place = SimpleNamespace(inner=lambda: burn(0.02))

    def outer() -> None:
        burn(0.01)
        place.inner()

    place.outer = outer
    parts = [Part(stage="in", owner=place, name="inner"), Part(stage="out", owner=place, name="outer")]
    with timing(parts) as watch:
        place.outer()
    assert watch.seconds["in"] == pytest.approx(0.02, abs=0.005)
    assert watch.seconds["out"] == pytest.approx(0.01, abs=0.005)


def test_a_stage_that_fails_leaves_nothing_behind() -> None:
    def broken() -> None:
        raise ValueError("broken")

    place = SimpleNamespace(run=broken)
    with timing([Part(stage="run", owner=place, name="run")]), pytest.raises(ValueError, match="broken"):
        place.run()
    assert place.run is broken
