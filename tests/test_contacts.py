"""``referee contacts``: tracks from anywhere to their contacts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.cli import main
from referee.contacts_file import read_track
from referee.errors import BadTrack
from tests.vision.scene import RADIUS_MM, TOP_MM, Throw, table, throw

SQUARE = [[-150, -150], [150, -150], [150, 150], [-150, 150]]
ONE_BOUNCE = throw(start_mm=(60.0, -420.0, 250.0), speed_mm_s=(-60.0, 720.0, -1200.0), rate_hz=60.0, duration_s=0.6)


def track(thrown: Throw = ONE_BOUNCE, *, noise_px: float = 0.4) -> dict[str, Any]:
    camera = table().camera
    px = camera.to_px(thrown.places_mm) + np.random.default_rng(5).normal(0.0, noise_px, (len(thrown.t_s), 2))
    return {
        "camera": {
            "K": camera.matrix.tolist(),
            "dist": [],
            "R": camera.rotation.tolist(),
            "t_mm": camera.translation_mm.tolist(),
        },
        "ball_radius_mm": RADIUS_MM,
        "surfaces": [
            {"name": "table", "z_mm": 0, "polygon_mm": None},
            {"name": "board", "z_mm": TOP_MM, "polygon_mm": SQUARE},
        ],
        "points": [{"t": t, "px": place} for t, place in zip(thrown.t_s.tolist(), px.tolist(), strict=True)],
    }


def contacts(
    asked: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> list[tuple[str, float, float, float, float]]:
    path = tmp_path / "track.json"
    path.write_text(json.dumps(asked))
    assert main(["contacts", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["contacts"]
    return [(each["surface"], each["t"], *each["mm"], each["confidence"]) for each in found]


def check(found: list[tuple[str, float, float, float, float]]) -> None:
    assert [name for name, *_ in found[:2]] == ["table", "board"]
    for (_, t_s, x_mm, y_mm, confidence), (true_s, _, true_x, true_y) in zip(found, ONE_BOUNCE.contacts, strict=False):
        assert t_s == pytest.approx(true_s, abs=0.003)
        assert (x_mm, y_mm) == pytest.approx((true_x, true_y), abs=5.0)
        assert 0.5 <= confidence <= 1.0


def test_contacts_are_timed_placed_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(contacts(track(), tmp_path, capsys))


def test_a_fast_ball_near_the_far_edge_is_on_the_board_not_on_the_table_behind_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Seen 30 times a second it is never lower than some way above the board, on rays that meet the table far behind it.
    fast = throw(start_mm=(30.0, 276.0, 450.0), speed_mm_s=(-100.0, -1200.0, -2800.0), rate_hz=30.0, duration_s=0.5)
    ((surface, t_s, _, y_mm, _),) = contacts(track(fast), tmp_path, capsys)
    assert surface == "board"
    assert t_s == pytest.approx(fast.contacts[0][0], abs=0.002)
    assert y_mm == pytest.approx(fast.contacts[0][3], abs=3.0)


def test_points_may_come_in_any_order_with_gaps_sizes_and_nulls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = track()
    points = [point | {"r_px": 10.2} for k, point in enumerate(asked["points"]) if k % 7 != 3]
    points[4]["r_px"] = None
    asked["points"] = [*points[::-2], *points[-2::-2], {"t": 9.0, "px": None}, points[3]]
    check(contacts(asked, tmp_path, capsys))


def test_one_wild_point_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = track()
    asked["points"][9]["px"] = [20.0, 20.0]
    check(contacts(asked, tmp_path, capsys))


def test_a_lens_is_taken_into_account(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import cv2

    asked, camera = track(), table().camera
    dist = np.array([-0.2, 0.05, 0.0, 0.0])
    turn, _ = cv2.Rodrigues(camera.rotation)
    bent, _ = cv2.projectPoints(ONE_BOUNCE.places_mm, turn, camera.translation_mm, camera.matrix, dist)
    asked["camera"]["dist"] = dist.tolist()
    for point, px in zip(asked["points"], np.asarray(bent).reshape(-1, 2).tolist(), strict=True):
        point["px"] = px
    check(contacts(asked, tmp_path, capsys))


def test_a_ball_that_only_flies_has_no_contacts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tossed = throw(start_mm=(0.0, -300.0, 300.0), speed_mm_s=(0.0, 300.0, 900.0), rate_hz=60.0, duration_s=0.25)
    assert contacts(track(tossed), tmp_path, capsys) == []


def test_air_changes_nothing_for_a_slow_ball_of_wood(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(contacts(track() | {"ball_mass_g": 14}, tmp_path, capsys))


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_hardly_any_points_are_no_error(count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = track()
    asked["points"] = asked["points"][:count]
    assert contacts(asked, tmp_path, capsys) == []
    assert contacts(asked | {"ball_mass_g": 14}, tmp_path, capsys) == []


def test_people_get_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "track.json"
    path.write_text(json.dumps(track()))
    assert main(["contacts", str(path)]) == 0
    heading, first, *_ = capsys.readouterr().out.splitlines()
    assert heading.split() == ["time", "s", "surface", "x", "mm", "y", "mm", "confidence"]
    assert first.split()[1] == "table"


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t: t.pop("camera"), "camera is missing"),
        (lambda t: t["camera"].update(K=[[1, 0, 0], [0, 1, 0]]), "K "),
        (lambda t: t["camera"].update(R=[[1, 0, 0], [0, 1, 0], [0, 0, 2]]), "R is no rotation"),
        (lambda t: t["camera"].update(R=[[1, 0, 0], [0, 1, 0], [0, 0, -1]]), "R is no rotation"),
        (lambda t: t["camera"].update(dist=[0.1]), "dist is no list"),
        (lambda t: t["camera"].update(t_mm="far"), "t_mm must list 3 numbers"),
        (lambda t: t.update(ball_radius_mm=0), "ball_radius_mm is 0"),
        (lambda t: t.update(ball_mass_g=0), "ball_mass_g is 0"),
        (lambda t: t.update(ball_mass_g=0.02), "ball_mass_g is 0.02"),
        (lambda t: t.update(ball_mass_g="light"), "ball_mass_g must be a number"),
        (lambda t: t.update(surfaces=[]), "surfaces is empty"),
        (lambda t: t["surfaces"][1].update(polygon_mm=[[0, 0], [1, 1]]), "at least 3 points"),
        (lambda t: t["surfaces"][0].update(z_mm=None), "z_mm must be a number"),
        (lambda t: t["points"][2].pop("t"), "t is missing"),
        (lambda t: t["points"][2].pop("px"), "px is missing"),
        (lambda t: t["points"][2].update(px=[1, float("nan")]), "px must be a number"),
        (lambda t: t.update(points={}), "points must be a list"),
    ],
)
def test_what_makes_no_sense_is_named(change: Change, said: str, tmp_path: Path) -> None:
    asked = track()
    change(asked)
    path = tmp_path / "track.json"
    path.write_text(json.dumps(asked))
    with pytest.raises(BadTrack, match=said) as raised:
        read_track(path)
    assert str(path) in str(raised.value)
    assert main(["contacts", str(path)]) == 2


def test_a_missing_file_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["contacts", str(tmp_path / "none.json")]) == 2
    assert capsys.readouterr().err.startswith("referee: there is no such file")
