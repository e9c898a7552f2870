"""A recording of Wonder Bowling, from the video file to the score, through the commands that people use."""

import json
from pathlib import Path

import pytest

from referee.cli import main

SAMPLES = Path(__file__).parents[1] / "sample_videos"


def test_taps_become_a_log_and_a_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    video, layout = str(SAMPLES / "wb-02.mp4"), str(SAMPLES / "layouts" / "lane-blue.layout.json")
    chips = 'targets={"Ann": [9, 4], "Bob": [7, 6]}'
    words = ["--layout", layout, "--game", "wonder-bowling", "--players", "Ann:south,Bob:west", "--option", chips]
    assert main(["analyse", video, *words]) == 0
    printed = capsys.readouterr().out
    assert "2 taps, 0 to review" in printed
    assert "Tap: nine pins left standing" in printed

    events = [json.loads(line) for line in (tmp_path / "wb-02.jsonl").read_text(encoding="utf-8").splitlines()]
    taps = [event for event in events if event["type"] == "tap"]
    assert [(tap["standing"], tap["direct_touch"]) for tap in taps] == [(9, False), (6, False)]
    assert [tap["t"] for tap in taps] == pytest.approx([1.25, 3.583], abs=0.02)
    readings = [(event["standing"], event["fallen"]) for event in events if event["type"] == "seen.pins"]
    assert readings[0] == (10, 0)
    assert [standing for standing, _ in readings[1:]] == [9, 6]

    assert main(["score", "wb-02.jsonl", "--json"]) == 0
    score = json.loads(capsys.readouterr().out)
    assert [(call["call"], call["player"], call["points"]) for call in score["calls"]] == [
        ("nice_shot", "Ann", 9),
        ("nice_shot", "Bob", 6),
    ]
    assert score["detail"]["standing"] == 6
