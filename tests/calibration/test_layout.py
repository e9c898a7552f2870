import copy
import json
from pathlib import Path
from typing import Any

import pytest

from calibration.errors import BadLayout
from calibration.layout import BUILT_IN, layout_from_json, layout_to_json, load_layout

SAMPLES = Path(__file__).parents[2] / "sample_videos" / "layouts"


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_layouts_can_exist_and_have_four_markers(name: str) -> None:
    layout = load_layout(name)

    assert len(layout.markers) >= 4
    assert {(marker.x_mm > 0, marker.y_mm > 0) for marker in layout.markers} == {
        (east, north) for east in (True, False) for north in (True, False)
    }
    assert layout.holes or layout.kind == "lane"
    assert (layout.lane is not None) == (layout.pins is not None) == (layout.kind == "lane")


def test_the_default_board_has_a_name_of_its_own() -> None:
    assert load_layout("bounce-it-in") == load_layout("grid-7x7")


def test_an_octagon_has_eight_corners_and_holes_within() -> None:
    assert len(load_layout("octagon").outline_mm) == 8


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.name)
def test_layout_files_are_read(path: Path) -> None:
    layout = load_layout(str(path))

    assert layout.name == path.name.removesuffix(".layout.json")
    if layout.kind == "board":
        assert {hole.name for hole in layout.holes} >= {"A1", "F6"}
    else:
        assert len(layout.holes) == (1 if layout.kind == "box" else 0)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_layout_survives_the_way_through_json(name: str) -> None:
    layout = load_layout(name)

    assert layout_from_json(json.loads(json.dumps(layout_to_json(layout))), "copy") == layout


def test_rows_are_kept_as_listed() -> None:
    board = layout_to_json(load_layout("grid-6x6"))
    board["rows"] = [["A1", "B1", "C1", "D1", "E1"]]

    layout = layout_from_json(board, "copy")

    assert layout.rows == (("A1", "B1", "C1", "D1", "E1"),)
    assert layout_from_json(layout_to_json(layout), "copy") == layout


def test_what_can_be_derived_may_be_missing() -> None:
    board: dict[str, Any] = layout_to_json(load_layout("grid-6x6"))
    del board["outline_mm"], board["hole_floor_mm"]
    for marker in board["markers"]:
        del marker["z_mm"]

    layout = layout_from_json(board, "copy")

    assert layout.outline_mm == ((-250, -250), (250, -250), (250, 250), (-250, 250))
    assert layout.markers[0].z_mm == 0


def test_a_lane_needs_no_more_than_its_size() -> None:
    layout = layout_from_json({"name": "shoe box", "kind": "lane", "size_mm": [300, 200], "height_mm": 60}, "my.json")

    assert (layout.lane, layout.pins, layout.holes, layout.markers) == (None, None, (), ())
    assert layout_from_json(layout_to_json(layout), "copy") == layout


def test_colours_of_a_lane_and_some_sizes_of_its_pins_may_be_missing() -> None:
    lane = broken((("lane", "border_colour"), None), (("lane", "surface_colour"), None), name="lane")
    lane["pins"] = {"height_mm": 63}

    layout = layout_from_json(lane, "my.json")

    assert layout.lane is not None
    assert (layout.lane.border_colour, layout.lane.surface_colour) == ("", "")
    assert layout.pins is not None
    assert (layout.pins.count, layout.pins.radius_mm, layout.pins.colours) == (10, pytest.approx(10), ())
    assert layout_from_json(layout_to_json(layout), "copy") == layout


def broken(*changes: tuple[tuple[str | int, ...], Any], name: str = "grid-7x7") -> dict[str, Any]:
    """A built-in layout with values replaced, or (None) taken away."""
    layout: dict[str, Any] = copy.deepcopy(layout_to_json(load_layout(name)))
    for path, value in changes:
        place: Any = layout
        for key in path[:-1]:
            place = place[key]
        if value is None:
            del place[path[-1]]
        else:
            place[path[-1]] = value
    return layout


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        ([], r"a JSON object \{ … \} is expected here \(my\.json\)"),
        (broken((("name",), None)), r'name is missing \(my\.json\): add "name"'),
        (broken((("kind",), None)), "kind is missing"),
        (broken((("size_mm",), None)), "size_mm is missing"),
        (broken((("height_mm",), None)), "height_mm is missing"),
        (broken((("ball_radius_mm",), None)), "ball_radius_mm is missing"),
        (broken((("holes",), None)), "holes is missing"),
        (broken((("markers",), None)), "markers is missing"),
        (broken((("holes", 3, "radius_mm"), None)), r"radius_mm is missing \(my\.json: holes\[3\] D1\)"),
        (broken((("markers", 2, "size_mm"), None)), r"size_mm is missing \(my\.json: markers\[2\]\)"),
        (broken((("lane", "corners_mm"), None), name="lane"), "corners_mm is missing"),
        (broken((("kind",), "disc")), "kind 'disc' is unknown.*write board, box or lane"),
        (broken((("size_mm",), [52, 52])), r"size_mm is 52 x 52 .*looks like centimetres.*\(520\)"),
        (broken((("size_mm",), [0.52, 0.52])), "size_mm is 0.52 x 0.52 .*looks like metres"),
        (broken((("size_mm",), [52000, 520])), "write millimetres between 80 and 2000"),
        (broken((("size_mm",), "520 x 520")), "size_mm must list 2 numbers"),
        (broken((("height_mm",), 3)), r"height_mm is 3 .*looks like centimetres.*\(30\)"),
        (broken((("height_mm",), "30 mm")), "height_mm must be a number"),
        (broken((("height_mm",), True)), "height_mm must be a number"),
        (broken((("height_mm",), float("nan"))), "height_mm must be a number"),
        (broken((("holes", 0, "radius_mm"), 1.66)), r"radius_mm is 1\.66 .*holes\[0\] A1.*looks like centimetres"),
        (broken((("ball_radius_mm", "red"), 1.7)), r"red is 1\.7 .*ball_radius_mm.*looks like centimetres"),
        (broken((("ball_radius_mm",), {})), "no ball is given"),
        (broken((("markers", 1, "size_mm"), 6.0)), r"size_mm is 6 .*markers\[1\].*looks like centimetres"),
        (broken((("holes", 1, "mm"), [-170, -186])), r"holes A1 and B1 overlap: centres 16\.0 mm apart"),
        (broken((("holes", 1, "mm"), [-124, -250])), "hole B1 at -124, -250 .*reaches outside the outline"),
        (broken((("holes", 1, "name"), "A1")), "two holes are named A1"),
        (broken((("holes", 1, "name"), "")), "name must be a text"),
        (broken((("holes", 1, "value"), 2.5)), "value must be a whole number"),
        (broken((("holes",), [])), "a board needs holes"),
        (broken((("outline_mm",), [[-26, -26], [26, -26], [26, 26]])), "outline_mm runs from -26 to 26 in x"),
        (broken((("hole_floor_mm",), 40)), "hole_floor_mm is 40"),
        (broken((("markers", 1, "id"), 0)), "two markers are DICT_4X4_50 0"),
        (broken((("markers", 1, "id"), 50)), "marker id 50 isn't in DICT_4X4_50 .*use 0 to 49"),
        (broken((("markers", 1, "dict"), "DICT_9X9_50")), "marker dictionary 'DICT_9X9_50' is unknown"),
        (broken((("markers", 1, "centre_mm"), [31.2, -31.2])), "marker 1 at 31.2, -31.2 would be buried in the board"),
        (broken((("markers", 1, "centre_mm"), [31200, -31200])), "marker 1 lies at 31200, -31200"),
        (broken((("markers", 1, "centre_mm"), [-300, -312])), "markers 0 and 1 overlap"),
        (broken((("outline_mm",), [[-260, -260]] * 401)), r"outline_mm lists 401 \(my\.json\): list at most 400"),
        (broken((("rows",), [["A1", "Z9"]])), "rows name 'Z9', which is no hole"),
        (broken((("rows",), [["A1", "A1"]])), "row A1-A1 lists twice: A1"),
        (broken((("rows",), "A1")), "rows must be a list of lists"),
        (broken((("lane", "corners_mm", 0), [-300, -78, 40]), name="lane"), "lane corner -300, -78 lies outside"),
        (broken((("lane", "corners_mm", 0), [-113, -78, 0]), name="lane"), "isn't on the top face at 40 mm"),
        (broken((("pins", "count"), 0), name="lane"), "count is 0"),
    ],
)
def test_faults_are_named_with_what_to_do(layout: Any, message: str) -> None:
    with pytest.raises(BadLayout, match=message) as refused:
        layout_from_json(layout, "my.json")
    assert "my.json" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"name": "x",}', r"not valid JSON \(.*board\.json, line 1\)"),
        (b"\xff\xfe\x00", "no text file"),
        (b"[" * 100_000, "not valid JSON"),
        (b"9" * 5_000, "not valid JSON"),
        (b" " * 16_000_001, "far too large"),
    ],
)
def test_files_that_are_no_json_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "board.json"
    path.write_bytes(content)

    with pytest.raises(BadLayout, match=message):
        load_layout(str(path))


def test_names_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadLayout, match=r"no such file \(grid7x7\): did you mean grid-7x7\?"):
        load_layout("grid7x7")
    with pytest.raises(BadLayout, match="give a layout file, or one of bounce-it-in"):
        load_layout(str(tmp_path / "board.json"))
    for unreadable in (tmp_path, "/dev/zero", "x" * 5_000):
        with pytest.raises(BadLayout, match="can't be read"):
            load_layout(str(unreadable))
    for no_name in ("a\0b", "a\ud800b"):
        with pytest.raises(BadLayout, match="no such file"):
            load_layout(no_name)
    for name in ("cards", "none"):
        with pytest.raises(BadLayout, match="is no board"):
            load_layout(name)
