"""``referee bench``: every stage is measured, and nothing of the measuring stays behind."""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from referee.bench import BALL_PARTS, LANE_PARTS, REST
from referee.cli import main
from referee.stopwatch import Part, timing

SAMPLES = Path(__file__).parent.parent / "sample_videos"
SAMPLE = SAMPLES / "bii-01.mp4"


def burn(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


@pytest.mark.parametrize(
    ("name", "parts", "frames"), [("bii-01", BALL_PARTS, 428), ("wb-01", LANE_PARTS, 254)], ids=["board", "lane"]
)
def test_every_stage_of_a_recording_is_measured(
    name: str, parts: Sequence[Part], frames: int, capsys: pytest.CaptureFixture[str]
) -> None:
    untouched = [getattr(part.owner, part.name) for part in parts]
    assert main(["bench", str(SAMPLES / f"{name}.mp4"), "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["videos"]
    stages = result["stages_ms"]
    assert set(stages) == {"decode", REST, *(part.stage for part in parts)}
    assert all(ms > 0 for ms in stages.values())
    assert result["analysis_ms"] == pytest.approx(sum(stages.values()) - stages["decode"], abs=0.01)
    assert result["ratio"] == pytest.approx(result["analysis_ms"] / result["decode_ms"], abs=0.01)
    assert result["frames"] == frames
    assert result["peak_mb"] > 10
    assert [getattr(part.owner, part.name) for part in parts] == untouched


def test_a_recording_can_be_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", str(SAMPLE), "--seconds", "8"]) == 0
    heading, row, *_ = capsys.readouterr().out.splitlines()
    shown = dict(zip(heading.split(), row.split(), strict=False))
    assert int(shown["frames"]) == 481


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
