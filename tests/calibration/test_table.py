import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.errors import BadLayout, BadLens, BadTable, CantSave
from calibration.layout import load_layout
from calibration.lens import Lens, load_lens, save_lens
from calibration.solve import LensSpread
from calibration.table import Table, load_table, save_table
from tests.calibration.scene import camera_at


def a_table() -> Table:
    return Table(
        layout=load_layout("octagon"),
        camera=camera_at(k1=-0.07),
        method="markers",
        error_px=0.31,
        uncertainty_mm=0.6,
        lens_spread=LensSpread(focal_px=4.0, k1=0.01, k2=0.02),
        notes=("marker 3 lies turned; that does no harm",),
    )


def a_lens() -> Lens:
    camera = camera_at()
    return Lens(matrix=camera.matrix, dist=np.array([-0.1, 0.02, 0, 0, 0]), width_px=1280, height_px=720, error_px=0.2)


def test_a_table_survives_its_file(tmp_path: Path) -> None:
    table = a_table()

    save_table(table, tmp_path / "table.json")
    back = load_table(tmp_path / "table.json")

    assert back.layout == table.layout
    for name in ("matrix", "dist", "rotation", "translation_mm"):
        assert np.array_equal(getattr(back.camera, name), getattr(table.camera, name))
    assert (back.camera.width_px, back.camera.height_px) == (1280, 720)
    assert (back.method, back.error_px, back.uncertainty_mm) == ("markers", 0.31, 0.6)
    assert (back.notes, back.lens_spread) == (table.notes, table.lens_spread)


def test_a_table_may_leave_out_what_is_not_known(tmp_path: Path) -> None:
    save_table(replace(a_table(), uncertainty_mm=None, lens_spread=None, notes=()), tmp_path / "table.json")

    back = load_table(tmp_path / "table.json")

    assert (back.uncertainty_mm, back.lens_spread, back.notes) == (None, None, ())


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("type", "lens", r"this is no table file \(.*table\.json\)"),
        ("version", 2, "newer version 2.*update"),
        ("version", 0, "no version 0"),
        ("method", "guess", "method 'guess' is unknown"),
        ("error_px", "small", "error_px must be a number"),
        ("camera", None, "a JSON object"),
    ],
)
def test_files_that_are_no_tables_are_refused(tmp_path: Path, key: str, value: object, message: str) -> None:
    path = tmp_path / "table.json"
    save_table(a_table(), path)
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))

    with pytest.raises(BadTable, match=message):
        load_table(path)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("R", [[1, 0, 0], [0, 1, 0], [0, 0, 2]], "R is no rotation"),
        ("K", [[0, 0, 0], [0, 0, 0], [0, 0, 1]], "K is no camera matrix"),
        ("dist", [0, 0], "dist must list 5 numbers"),
    ],
)
def test_cameras_that_can_not_be_are_refused(tmp_path: Path, key: str, value: object, message: str) -> None:
    path = tmp_path / "table.json"
    save_table(a_table(), path)
    table = json.loads(path.read_text())
    table["camera"][key] = value
    path.write_text(json.dumps(table))

    with pytest.raises(BadTable, match=message):
        load_table(path)


def test_a_bad_layout_in_a_table_is_named(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    save_table(a_table(), path)
    table = json.loads(path.read_text())
    table["layout"]["height_mm"] = 3
    path.write_text(json.dumps(table))

    with pytest.raises(BadLayout, match=r"height_mm is 3 \(.*table\.json: layout\)"):
        load_table(path)


def test_a_missing_or_cut_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    with pytest.raises(BadTable, match=r"no such file.*referee calibrate"):
        load_table(path)
    save_table(a_table(), path)
    path.write_text(path.read_text()[:500])
    with pytest.raises(BadTable, match="not valid JSON"):
        load_table(path)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.json"
    save_table(a_table(), path)
    before = path.read_text()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CantSave, match="No space left"):
        save_table(replace(a_table(), error_px=9.0), path)

    assert path.read_text() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["table.json"]


def test_a_place_that_is_not_there_can_not_be_written(tmp_path: Path) -> None:
    with pytest.raises(CantSave, match="can't be written"):
        save_table(a_table(), tmp_path / "none" / "table.json")


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "seat"),
    [(0, -400, "south"), (0, 400, "north"), (-400, 0, "west"), (400, 0, "east"), (-300, -290, "west")],
)
def test_the_side_of_a_place_is_that_of_the_seat_before_it(x_mm: float, y_mm: float, seat: str) -> None:
    assert a_table().side_at(x_mm, y_mm) == seat


def test_a_lens_survives_its_file(tmp_path: Path) -> None:
    save_lens(a_lens(), tmp_path / "lens.json")
    back = load_lens(tmp_path / "lens.json")

    assert np.array_equal(back.matrix, a_lens().matrix)
    assert np.array_equal(back.dist, a_lens().dist)
    assert (back.width_px, back.height_px, back.error_px) == (1280, 720, 0.2)


def test_files_that_are_no_lenses_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadLens, match="no such file"):
        load_lens(tmp_path / "lens.json")
    save_table(a_table(), tmp_path / "table.json")
    with pytest.raises(BadLens, match="this is no lens file"):
        load_lens(tmp_path / "table.json")


def test_a_lens_fits_larger_pictures_of_the_same_shape() -> None:
    larger = a_lens().scaled(1920, 1080)

    assert larger.matrix[0, 0] == pytest.approx(1500)
    assert larger.matrix[0, 2] == pytest.approx((1920 - 1) / 2)
    with pytest.raises(BadLens, match="measured at 1280 x 720 and the picture is 640 x 480"):
        a_lens().scaled(640, 480)
