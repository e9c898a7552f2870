"""The commands around calibration: the check picture, the pages to print, a lens."""

import re
from pathlib import Path

import cv2
import pytest

from calibration.table import save_table
from referee.cli import main
from referee.commands.arguments import BoardChoice
from referee.commands.tables import table_told

SAMPLES = Path(__file__).parents[1] / "sample_videos"
LAYOUT = SAMPLES / "layouts" / "bii-6x6-b.layout.json"


def test_without_markers_and_corners_the_board_is_found_and_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "check.jpg"

    status = main(["calibrate", str(SAMPLES / "bii-02.mp4"), "--layout", str(LAYOUT), "--picture", str(drawn)])

    assert status == 0
    said = capsys.readouterr().out
    assert "found by board" in said
    assert re.search(r"focal length +\d+ px, give or take \d+, in pictures of 1280x720", said)
    assert re.search(r"lens, estimated +k1 -?0\.\d+, give or take 0\.\d+; k2 -?0\.\d+, give or take 0\.\d+", said)
    kept = cv2.imread(str(drawn))
    assert kept is not None
    assert kept.shape == (720, 1280, 3)


def test_what_people_should_know_of_a_board_is_said_when_it_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = table_told(str(SAMPLES / "bii-02.mp4"), BoardChoice(layout=str(LAYOUT)))
    assert "note: it looks alike from several sides" in capsys.readouterr().err

    save_table(table, tmp_path / "table.json")
    assert table_told("any.mp4", BoardChoice(table=tmp_path / "table.json")).notes == table.notes
    assert capsys.readouterr().err == ""


def test_a_check_picture_of_another_kind_is_refused_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "nothing.mp4", "--picture", str(tmp_path / "check.txt")]) == 2
    assert "no name of a picture" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_targets_are_written_for_a_layout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print-targets", "--layout", "grid-7x7", "-o", str(tmp_path / "pages")]) == 0

    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == ["lens-sheet.svg", "markers-1.svg"]
    assert "lens-sheet.svg" in capsys.readouterr().out


def test_a_lens_without_its_sheet_in_view_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate-lens", str(SAMPLES / "bii-02.mp4"), "-o", str(tmp_path / "lens.json")]) == 1

    assert "seen in 0 different places" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
