"""Whole recordings, from the video file to the score, through the commands that people use."""

import json
from pathlib import Path

import pytest

from referee.cli import main

SAMPLES = Path(__file__).parents[1] / "sample_videos"
LAYOUT = SAMPLES / "layouts" / "bii-7x7-a-m.layout.json"
WORDS = [
    *("--layout", str(LAYOUT), "--game", "bounce-em-all", "--option", "starter=Ann", "--option", "wrong_side=false"),
    *("--players", "Ann:south:red,Bob:west:yellow,Cem:north:blue,Dot:east:green"),
]


def test_a_recording_becomes_a_log_and_a_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    video = str(SAMPLES / "bii-01.mp4")
    assert main(["analyse", video, *WORDS, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["file"] == video
    assert said["events"] == "bii-01.jsonl"
    assert (said["shots"], said["taps"], said["cards"], said["warnings"]) == (3, 0, 0, [])

    log = (tmp_path / "bii-01.jsonl").read_bytes()
    lines = [json.loads(line) for line in log.splitlines()]
    assert lines[0]["type"] == "match"
    assert {line["type"] for line in lines[1:3]} == {"seen.board", "placed"}
    shots = [line for line in lines if line["type"] == "shot"]
    assert [(s["colour"], s["table_bounces"], s["result"]["hole"]) for s in shots] == [
        ("red", 1, "D6"),
        ("yellow", 1, "D3"),
        ("blue", 0, "E6"),
    ]
    fouls = [(call["player"], call["reason"]) for call in said["score"]["calls"] if call["call"] == "foul"]
    assert fouls == [("Cem", "no_bounce")]
    assert said["score"]["turn"] == "Dot"

    assert main(["score", "bii-01.jsonl", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == said["score"]

    assert main(["analyse", video, *WORDS, "-o", "again.jsonl"]) == 0
    assert "3 shots" in capsys.readouterr().out
    assert (tmp_path / "again.jsonl").read_bytes() == log


def test_the_demo_ends_with_the_score_and_keeps_the_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--once", "--port", "0", "--data", str(tmp_path)]) == 0
    printed = capsys.readouterr()
    assert "http://localhost:" in printed.err
    assert "Dot's turn" in printed.out
    assert "Foul by Cem" in printed.out
    (log,) = tmp_path.glob("matches/*/events.jsonl")
    assert main(["score", str(log)]) == 0
    assert capsys.readouterr().out == printed.out
