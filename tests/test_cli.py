"""Commands as people type them: what they print, how they end, and what they leave behind when they fail."""

import errno
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path

import av
import numpy as np
import pytest

from referee.cli import COMMANDS, main
from referee.evaluate import calibrate_recording
from referee.truth import load_truth
from tests.ending import Ending, Referee, ended

SAMPLES = Path(__file__).parents[1] / "sample_videos"
LAYOUT = SAMPLES / "layouts" / "bii-7x7-a-m.layout.json"
PLAYERS = "Ann:south:red,Bob:west:yellow,Cem:north:blue,Dot:east:green"


@pytest.fixture
def referee(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Referee:
    """Run a command in an empty directory."""
    monkeypatch.chdir(tmp_path)
    return partial(ended, capsys)


def grey_video(path: Path, frames: int = 20, shape: Sequence[int] = (120, 160)) -> Path:
    """A video of an empty wall."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(30))
        stream.height, stream.width = shape
        stream.pix_fmt = "yuv420p"
        for _ in range(frames):
            picture = av.VideoFrame.from_ndarray(np.full((*shape, 3), 120, np.uint8), format="rgb24")
            container.mux(stream.encode(picture))
        container.mux(stream.encode())
    return path


def assert_refused(ending: Ending, *said: str, status: int = 2) -> None:
    """One line with what is wrong, where, and what to do; nothing on standard output."""
    assert ending.status == status
    assert ending.output == ""
    assert len(ending.complaints) == 1, ending.complaints
    line = ending.complaints[0]
    assert line.startswith("referee: ")
    assert "Traceback" not in line
    assert line.count(": ") >= 2, "no remedy"
    for words in said:
        assert words in line


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    printed = capsys.readouterr().out
    assert ended.value.code == 0
    assert f"usage: referee {name}" in printed
    assert "examples:" in printed
    assert "--data" in printed


def test_the_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    printed = capsys.readouterr().out
    assert all(command.name in printed and command.summary.split()[0] in printed for command in COMMANDS)


@pytest.mark.parametrize("words", [["--version"], ["score", "--version"]])
def test_the_version_is_told(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("referee ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "COMMAND"),
        (["juggle"], "juggle"),
        (["analyse"], "VIDEO"),
        (["analyse", "v.mp4", "--colour", "red"], "--colour"),
        (["analyse", "v.mp4", "--play", "Ann"], "--play"),
        (["play", "usb:0", "--port"], "--port"),
        (["play", "usb:0", "--port", "many", "--game", "bounce-em-all", "--players", PLAYERS], "'many' is no port"),
        (["demo", "--port", "-1"], "--port"),
        (["serve", "--port", "70000"], "'70000' is no port"),
    ],
)
def test_bad_usage_is_one_line(referee: Referee, words: list[str], said: str) -> None:
    assert_refused(referee(*words), said)


def test_shared_options_may_stand_anywhere(referee: Referee, tmp_path: Path) -> None:
    before = referee("--data", tmp_path / "here", "doctor")
    after = referee("doctor", "--data", tmp_path / "here")
    assert str(tmp_path / "here") in before.output
    assert before == after


def test_a_missing_file(referee: Referee, tmp_path: Path) -> None:
    for command in (["analyse"], ["calibrate", "--layout", LAYOUT], ["score"], ["evaluate"]):
        assert_refused(referee(*command, "nothing.mp4"), "nothing")
    assert list(tmp_path.iterdir()) == []


def test_a_text_file_named_mp4(referee: Referee, tmp_path: Path) -> None:
    (tmp_path / "v.mp4").write_text("Dear diary,\n" * 50)
    assert_refused(referee("analyse", "v.mp4"), "v.mp4")
    assert [path.name for path in tmp_path.iterdir()] == ["v.mp4"]


@pytest.mark.parametrize("size", [0, 100, 20_000])
def test_a_video_cut_off_before_its_index(referee: Referee, tmp_path: Path, size: int) -> None:
    (tmp_path / "v.mp4").write_bytes((SAMPLES / "bii-03.mp4").read_bytes()[:size])
    assert_refused(referee("analyse", "v.mp4", "--layout", LAYOUT), "v.mp4")
    assert [path.name for path in tmp_path.iterdir()] == ["v.mp4"]


def test_a_video_cut_off_later_is_read_as_far_as_it_goes(referee: Referee, tmp_path: Path) -> None:
    streamed = tmp_path / "streamed.mp4"
    with (
        av.open(str(SAMPLES / "bii-03.mp4")) as source,
        av.open(str(streamed), "w", options={"movflags": "+faststart"}) as copy,
    ):
        stream = copy.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                copy.mux(packet)
    whole = streamed.read_bytes()
    (tmp_path / "v.mp4").write_bytes(whole[: len(whole) * 2 // 3])
    ending = referee("analyse", "v.mp4", "--layout", LAYOUT, "--json")
    said = json.loads(ending.output)
    assert ending.status == 0
    assert 1 <= said["shots"] < 4
    assert said["warnings"]
    types = [json.loads(line)["type"] for line in (tmp_path / "v.jsonl").read_text().splitlines()]
    assert types[0] == "match"
    assert types.count("shot") == said["shots"]


def test_no_board_in_view(referee: Referee, tmp_path: Path) -> None:
    grey_video(tmp_path / "v.mp4")
    assert_refused(referee("analyse", "v.mp4"))
    assert_refused(referee("calibrate", "v.mp4", "-o", "t.json"), status=1)
    assert [path.name for path in tmp_path.iterdir()] == ["v.mp4"]


def test_a_layout_that_does_not_fit(referee: Referee, tmp_path: Path) -> None:
    layout = json.loads(LAYOUT.read_text())
    for marker in layout["markers"]:
        marker["centre_mm"][0] *= 1.4
    (tmp_path / "wrong.json").write_text(json.dumps(layout))
    assert_refused(referee("analyse", SAMPLES / "bii-01.mp4", "--layout", "wrong.json"))
    assert_refused(referee("calibrate", SAMPLES / "bii-01.mp4", "--layout", "wrong.json"), status=1)
    assert [path.name for path in tmp_path.iterdir()] == ["wrong.json"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--layout", "nowhere.json"], "nowhere.json"),
        (["--corners", "1,2 3,4"], "no four corners"),
        (["--table", "t.json", "--layout", "octagon"], "--table already says"),
        (["--table", "t.json"], "t.json"),
        (["--lens", "l.json"], "l.json"),
        (["--players", "Ann:south:red"], "need a game"),
        (["--option", "rounds=2"], "need a game"),
        (["--game", "bounce-em-all"], "who plays"),
        (["--game", "bounce-em-all", "--players", "Ann:up:red"], "'up' is no seat"),
        (["--game", "chess"], "no rules for the game 'chess'"),
        (["--game", "bounce-em-all", "--players", PLAYERS, "--option", "rounds"], "is no option"),
        (["--game", "bounce-em-all", "--players", PLAYERS, "--option", "rounds=many"], "rounds"),
        (["-o", "no/such/directory/log.jsonl"], "no such directory"),
        (["-o", "/dev/null"], "no file"),
    ],
)
def test_what_analyse_can_not_work_with(referee: Referee, tmp_path: Path, words: list[str], said: str) -> None:
    layout = [] if {"--layout", "--table"} & set(words) else ["--layout", LAYOUT]
    assert_refused(referee("analyse", SAMPLES / "bii-03.mp4", *layout, *words), said)
    assert list(tmp_path.iterdir()) == []


def test_a_live_match_needs_a_game_and_a_camera(referee: Referee, tmp_path: Path) -> None:
    match = ["--game", "bounce-em-all", "--players", PLAYERS, "--data", tmp_path / "data"]
    assert_refused(referee("play", "usb:0", "--layout", LAYOUT), "needs a game")
    assert_refused(referee("play", "/dev/video77", "--layout", LAYOUT, *match), "/dev/video77")
    assert_refused(referee("play", "nothing.mp4", "--layout", LAYOUT, *match), "nothing.mp4")
    assert list(tmp_path.iterdir()) == []


def test_two_videos_of_one_name_need_places_of_their_own(referee: Referee, tmp_path: Path) -> None:
    assert_refused(referee("analyse", "a/v.mp4", "b/v.mp4"), "v.jsonl")


def test_a_log_with_rulings_is_not_overwritten(referee: Referee, tmp_path: Path) -> None:
    lines = [
        {"type": "match", "version": 1, "game": None, "layout": None, "players": [], "options": {}},
        {"type": "note", "text": "lamp fell over", "by": "Ann"},
    ]
    log = tmp_path / "bii-03.jsonl"
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    before = log.read_bytes()
    assert_refused(referee("analyse", SAMPLES / "bii-03.mp4", "--layout", LAYOUT), "rulings")
    assert log.read_bytes() == before


def test_calibrating_prints_how_well_and_keeps_the_table(referee: Referee, tmp_path: Path) -> None:
    ending = referee("calibrate", SAMPLES / "bii-01.mp4", "--layout", LAYOUT, "-o", "t.json")
    assert (ending.status, ending.complaints) == (0, [])
    assert "found by markers" in ending.output
    error_px = float(ending.output.split("reprojection error")[1].split("px")[0])
    assert 0 < error_px < 1
    assert json.loads((tmp_path / "t.json").read_text())


def test_corners_take_the_place_of_markers(referee: Referee) -> None:
    layout = SAMPLES / "layouts" / "bii-6x6-b.layout.json"
    corners = "336,481 897,505 845,171 439,159"
    ending = referee("calibrate", SAMPLES / "bii-02.mp4", "--layout", layout, "--corners", corners)
    assert ending.status == 0
    assert "found by corners" in ending.output


def test_doctor_says_what_is_there(referee: Referee, tmp_path: Path) -> None:
    ending = referee("doctor", "--data", tmp_path)
    assert ending.status == 0
    assert ending.complaints == []
    lines = ending.output.splitlines()
    assert {line.split()[0] for line in lines} <= {"ok", "note"}
    assert all(": " in line for line in lines if line.startswith("note ") and "tell" not in line)


def test_doctor_fails_when_nothing_can_be_kept(referee: Referee, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file where the directory should be")
    ending = referee("doctor", "--data", tmp_path / "taken")
    assert ending.status == 1
    assert "missing disk" in " ".join(ending.output.split())


def test_evaluate_needs_the_truth(referee: Referee, tmp_path: Path) -> None:
    assert_refused(referee("evaluate", "v.mp4"), "no such file (v.mp4)")
    shutil.copy(SAMPLES / "bii-03.mp4", tmp_path / "v.mp4")
    assert_refused(referee("evaluate", "v.mp4"), "no truth to compare with")
    shutil.copy(SAMPLES / "bii-03.truth.json", tmp_path / "v.truth.json")
    assert_refused(referee("evaluate", "v.mp4"), "layout 'bii-7x7-a-m' is not there")


def misprinted(folder: Path) -> Path:
    """A recording whose layout gives its markers another size."""
    layout = json.loads(LAYOUT.read_text())
    for marker in layout["markers"]:
        marker["size_mm"] *= 1.4
    (folder / "layouts").mkdir()
    (folder / "layouts" / LAYOUT.name).write_text(json.dumps(layout))
    for name in ("bii-03.mp4", "bii-03.truth.json"):
        shutil.copy(SAMPLES / name, folder)
    return folder / "bii-03.mp4"


def test_evaluate_counts_a_recording_in_which_nothing_is_seen(referee: Referee, tmp_path: Path) -> None:
    video = misprinted(tmp_path)
    truth = json.loads(video.with_suffix(".truth.json").read_text())
    truth["board"]["corners_px"] = [[10, 10], [20, 10], [20, 5], [10, 5]]
    video.with_suffix(".truth.json").write_text(json.dumps(truth))
    ending = referee("evaluate", "bii-03.mp4")
    assert (ending.status, ending.complaints) == (1, [])
    assert "0/4" in ending.output
    assert "nothing seen: " in ending.output
    said = json.loads(referee("evaluate", "bii-03.mp4", "--json").output)
    assert said["total"]["balls"]["missed"] == 4
    assert said["videos"][0]["failure"] in ending.output


def test_evaluate_says_where_a_users_clicks_were_needed(tmp_path: Path) -> None:
    video = misprinted(tmp_path)
    calibrated = calibrate_recording(video, load_truth(video))
    assert calibrated.table.method == "corners"
    assert calibrated.clicked is not None
    assert "markers" in calibrated.clicked


def test_ctrl_c_keeps_what_was_seen_under_another_name(
    referee: Referee, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def pressed_halfway(label: str) -> Iterator[Callable[[float], None]]:
        def progress(done: float) -> None:
            if done > 0.5:
                raise KeyboardInterrupt

        yield progress

    monkeypatch.setattr("referee.commands.analyse.progress_bar", pressed_halfway)
    ending = referee("analyse", SAMPLES / "bii-03.mp4", "--layout", LAYOUT)
    assert (ending.status, ending.output) == (130, "")
    assert len(ending.complaints) == 1
    assert "bii-03.partial.jsonl" in ending.complaints[0]
    assert [path.name for path in tmp_path.iterdir()] == ["bii-03.partial.jsonl"]
    lines = [json.loads(line) for line in (tmp_path / "bii-03.partial.jsonl").read_text().splitlines()]
    assert lines[0]["type"] == "match"
    assert any(line["type"] == "shot" for line in lines)


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = f"{shlex.quote(sys.executable)} -m referee doctor | true"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], stderr=subprocess.PIPE, cwd=SAMPLES.parent)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_fault_of_the_program_is_one_line(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(**_arguments: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr("referee.commands.doctor.run_doctor", fails)
    assert_refused(referee("doctor"), "fault of the program", "ZeroDivisionError")


def test_a_failing_disk_is_one_line(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(**_arguments: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/full/disk")

    monkeypatch.setattr("referee.commands.doctor.run_doctor", fails)
    assert_refused(referee("doctor"), "No space left on device (/full/disk)", "check")
