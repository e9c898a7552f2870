"""``referee look``, and ``referee analyse --layout none``: what is printed, and what is refused."""

import json
from pathlib import Path

import pytest

from referee.cli import main
from referee.commands.arguments import BadUsage
from referee.commands.look import parse_moment
from referee.events import SeenBounce
from referee.log import read_log

SAMPLES = Path(__file__).parents[1] / "sample_videos"
VIDEO = str(SAMPLES / "bii-01.mp4")
LAYOUT = str(SAMPLES / "layouts" / "bii-7x7-a-m.layout.json")
KEYS = ["file", "balls", "pins", "cards", "markers"]


def test_a_moment_of_a_video_is_read_with_its_layout(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["look", f"{VIDEO}@0", "--layout", LAYOUT, "--json"]) == 0

    told = json.loads(capsys.readouterr().out)
    assert list(told) == KEYS
    assert told["file"] == f"{VIDEO}@0"
    holes = {ball["hole"]: ball["colour"] for ball in told["balls"] if ball["hole"]}
    assert holes == {"C3": "red", "F5": "blue", "B6": "green"}
    assert [ball["colour"] for ball in told["balls"] if ball["hole"] is None] == ["blue"] * 6
    assert sorted(marker["id"] for marker in told["markers"]) == [0, 1, 2, 3]
    assert (told["pins"], told["cards"]) == ({"standing": 0, "fallen": 0, "pins": []}, [])


def test_what_cant_be_read_is_told_in_one_line_and_the_rest_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "no.jpg").write_text("no picture")

    assert main(["look", str(tmp_path / "no.jpg"), f"{VIDEO}@5000", f"{VIDEO}@0", "--json"]) == 2

    out, err = capsys.readouterr()
    (told,) = [json.loads(line) for line in out.splitlines()]
    assert list(told) == KEYS
    assert len(err.splitlines()) == 2
    assert all(line.startswith("referee: ") for line in err.splitlines())


def test_without_json_people_can_read_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["look", f"{VIDEO}@0", "--layout", LAYOUT]) == 0
    out = capsys.readouterr().out
    assert "red in C3" in out
    assert "DICT_4X4_50 0, 1, 2, 3" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--table", "t.json", "--layout", LAYOUT],
        ["--layout", "none", "--corners", "1,1 2,2 3,3 4,4"],
        ["--corners", "1,1 2,2 3,3 4,4"],
    ],
)
def test_what_contradicts_itself_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["look", f"{VIDEO}@0", *arguments]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_moments_are_parted_from_names(tmp_path: Path) -> None:
    named = tmp_path / "me@home.jpg"
    named.touch()
    assert parse_moment(str(named)) == (str(named), None)
    assert parse_moment("game.mp4") == ("game.mp4", None)
    assert parse_moment("me@home.mp4@12.5") == ("me@home.mp4", 12.5)
    with pytest.raises(BadUsage, match="no time"):
        parse_moment("game.mp4@noon")


def test_an_uncalibrated_recording_gives_a_log_of_bounces_in_pixels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.jsonl"
    assert main(["analyse", VIDEO, "--layout", "none", "-o", str(log), "--json"]) == 0

    told = json.loads(capsys.readouterr().out)
    bounces = [event for event in read_log(log).events if isinstance(event, SeenBounce)]
    assert (told["shots"], told["bounces"]) == (0, len(bounces))
    # The first throw touches the table at 1.067 s, as red.
    first = bounces[0]
    assert (first.colour, first.stamp.t_s) == ("red", pytest.approx(1.067, abs=0.01))
    assert all(bounce.mm is None and bounce.side is None for bounce in bounces)
    assert read_log(log).header.layout == "none"


def test_a_game_needs_its_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    players = ["--game", "bounce-em-all", "--players", "Ann:south:red,Bob:north:blue"]
    assert main(["analyse", VIDEO, "--layout", "none", "-o", str(tmp_path / "log.jsonl"), *players]) == 2
    assert "needs its board" in capsys.readouterr().err
