"""Layouts: the physical object on the table, read from JSON or built in under a name."""

import json
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Final

from calibration.errors import BadLayout
from calibration.layout_check import check_layout
from calibration.parts import Hole, Kind, Lane, Layout, Marker, Pins
from calibration.record import Record, Span, read_json

__all__ = [
    "BUILT_IN",
    "Hole",
    "Kind",
    "Lane",
    "Layout",
    "Marker",
    "Pins",
    "layout_from_json",
    "layout_to_json",
    "load_layout",
]

BUILT_IN: Final = ("bounce-it-in", "grid-7x7", "grid-6x6", "octagon", "box", "lane")
DEFAULT: Final = "bounce-it-in"
ALIASES: Final = {DEFAULT: "grid-7x7"}
# Names that the commands understand as no board at all.
RESERVED: Final = ("cards", "none")

# What a person can have on a table and throw at; outside of it the unit is wrong or a digit slipped.
SIDE: Final = Span(low_mm=80, high_mm=2000)
HEIGHT: Final = Span(low_mm=5, high_mm=400)
HOLE_RADIUS: Final = Span(low_mm=4, high_mm=500)
BALL_RADIUS: Final = Span(low_mm=4, high_mm=80)
MARKER_SIZE: Final = Span(low_mm=8, high_mm=400)
PIN_HEIGHT: Final = Span(low_mm=10, high_mm=400)
PIN_RADIUS: Final = Span(low_mm=2, high_mm=100)
BORDER: Final = Span(low_mm=0, high_mm=100)
# Wonder Bowling is played with ten pins; pins are so many times as high as the radius of their belly.
USUAL_PINS: Final = 10
PIN_SLIMNESS: Final = 6.3
LANES_MAY_LACK: Final = ("ball_radius_mm", "holes", "markers")
# Boards usually stand on a thin base plate, which then is the floor of their holes.
BASE_PLATE_MM: Final = 5.0


def load_layout(name_or_path: str) -> Layout:
    """A built-in layout by its name, or one from a JSON file; raises BadLayout with what to do."""
    if name_or_path in BUILT_IN:
        name = ALIASES.get(name_or_path, name_or_path)
        text = files("calibration").joinpath("layouts", f"{name}.json").read_text(encoding="utf-8")
        return layout_from_json(json.loads(text), f"built-in layout {name}")
    if name_or_path in RESERVED:
        raise BadLayout(f"'{name_or_path}' is no board", "--layout", f"name a board: {', '.join(BUILT_IN)}, or a file")
    near = get_close_matches(name_or_path, BUILT_IN, n=1)
    hint = f"did you mean {near[0]}?" if near else f"give a layout file, or one of {', '.join(BUILT_IN)}"
    return layout_from_json(read_json(Path(name_or_path), BadLayout, hint), name_or_path)


def layout_from_json(value: object, where: str) -> Layout:
    """Make a layout of a parsed JSON object and check that it can exist; ``where`` names its source in messages.

    A lane needs no more than its size: without ``lane`` all of its lid is the field, without ``pins`` their size is
    whatever they show.
    """
    record = Record.of(value, where, BadLayout)
    kind = _kind(record)
    size_mm = _size_mm(record)
    height_mm = record.length_mm("height_mm", HEIGHT)
    is_lane = kind == "lane"
    plain = frozenset(key for key in LANES_MAY_LACK if is_lane and not record.values.get(key))
    layout = Layout(
        name=record.text("name"),
        kind=kind,
        size_mm=size_mm,
        height_mm=height_mm,
        outline_mm=_outline_mm(record, size_mm),
        hole_floor_mm=_hole_floor_mm(record, height_mm),
        ball_radius_mm=() if "ball_radius_mm" in plain else _ball_radii(record.record("ball_radius_mm")),
        holes=() if "holes" in plain else tuple(_hole(hole) for hole in record.records("holes")),
        markers=() if "markers" in plain else tuple(_marker(marker) for marker in record.records("markers")),
        rows=_rows(record),
        lane=_lane(record.record("lane")) if is_lane and record.has("lane") else None,
        pins=_pins(record.record("pins")) if is_lane and record.has("pins") else None,
    )
    check_layout(layout, where)
    return layout


def layout_to_json(layout: Layout) -> dict[str, object]:
    """The JSON object of a layout; ``layout_from_json`` gives the same layout back."""
    out: dict[str, object] = {
        "name": layout.name,
        "kind": layout.kind,
        "size_mm": list(layout.size_mm),
        "height_mm": layout.height_mm,
        "outline_mm": [list(point) for point in layout.outline_mm],
        "hole_floor_mm": layout.hole_floor_mm,
        "ball_radius_mm": dict(layout.ball_radius_mm),
        "holes": [
            {"name": h.name, "mm": [h.x_mm, h.y_mm], "radius_mm": h.radius_mm, "colour": h.colour, "value": h.value}
            for h in layout.holes
        ],
        "markers": [
            {"dict": m.dictionary, "id": m.id, "size_mm": m.size_mm, "centre_mm": [m.x_mm, m.y_mm], "z_mm": m.z_mm}
            for m in layout.markers
        ],
    }
    if layout.rows is not None:
        out["rows"] = [list(row) for row in layout.rows]
    if layout.lane is not None:
        lane = layout.lane
        corners = [list(corner) for corner in lane.corners_mm]
        named = (("border_colour", lane.border_colour), ("surface_colour", lane.surface_colour))
        colours = {key: colour for key, colour in named if colour}
        out["lane"] = {"corners_mm": corners, "border_mm": lane.border_mm, **colours}
    if layout.pins is not None:
        pins = layout.pins
        sizes = {"height_mm": pins.height_mm, "radius_mm": pins.radius_mm}
        out["pins"] = {"count": pins.count, **sizes, "colours": list(pins.colours)}
    return out


def _kind(record: Record) -> Kind:
    kinds: dict[str, Kind] = {"board": "board", "box": "box", "lane": "lane"}
    kind = record.text("kind")
    if kind not in kinds:
        raise record.fault(f"kind '{kind}' is unknown", "write board, box or lane")
    return kinds[kind]


def _size_mm(record: Record) -> tuple[float, float]:
    width, depth = record.numbers("size_mm", 2)
    for side in (width, depth):
        if side not in SIDE:
            raise record.fault(f"size_mm is {width:g} x {depth:g}", SIDE.remedy(side))
    return width, depth


def _outline_mm(record: Record, size_mm: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    if record.has("outline_mm"):
        return tuple((x, y) for x, y in record.points("outline_mm", 2, 3))
    x, y = size_mm[0] / 2, size_mm[1] / 2
    return ((-x, -y), (x, -y), (x, y), (-x, y))


def _hole_floor_mm(record: Record, height_mm: float) -> float:
    if not record.has("hole_floor_mm"):
        return min(BASE_PLATE_MM, height_mm)
    floor_mm = record.number("hole_floor_mm")
    if not 0 <= floor_mm <= height_mm:
        remedy = f"write how high it lies above the table, from 0 to height_mm ({height_mm:g})"
        raise record.fault(f"hole_floor_mm is {floor_mm:g}", remedy)
    return floor_mm


def _ball_radii(record: Record) -> tuple[tuple[str, float], ...]:
    if not record.values:
        raise record.fault("no ball is given", 'write each kind of ball with its radius, like {"red": 17}')
    return tuple((kind, record.length_mm(kind, BALL_RADIUS)) for kind in record.values)


def _hole(record: Record) -> Hole:
    name = record.text("name")
    named = Record(values=record.values, where=f"{record.where} {name}", error=record.error)
    x_mm, y_mm = named.numbers("mm", 2)
    return Hole(
        name=name,
        x_mm=x_mm,
        y_mm=y_mm,
        radius_mm=named.length_mm("radius_mm", HOLE_RADIUS),
        colour=named.text("colour"),
        value=named.whole("value"),
    )


def _marker(record: Record) -> Marker:
    x_mm, y_mm = record.numbers("centre_mm", 2)
    return Marker(
        dictionary=record.text("dict"),
        id=record.whole("id"),
        size_mm=record.length_mm("size_mm", MARKER_SIZE),
        x_mm=x_mm,
        y_mm=y_mm,
        z_mm=record.number("z_mm") if record.has("z_mm") else 0.0,
    )


def _rows(record: Record) -> tuple[tuple[str, ...], ...] | None:
    if not record.has("rows"):
        return None
    rows = record.values["rows"]
    if not isinstance(rows, list):
        raise record.fault("rows must be a list of lists of hole names", 'write it like [["A1", "B1", "C1"]]')
    named = {f"rows[{i}]": row for i, row in enumerate(rows)}
    return tuple(Record(values=named, where=record.where, error=record.error).texts(key) for key in named)


def _lane(record: Record) -> Lane:
    corners = tuple((x, y, z) for x, y, z in record.points("corners_mm", 3, 4))
    if len(corners) != 4:
        raise record.fault(f"corners_mm lists {len(corners)} points", "write four: SW, SE, NE, NW")
    return Lane(
        corners_mm=corners,
        border_mm=record.length_mm("border_mm", BORDER) if record.has("border_mm") else 0.0,
        border_colour=record.text("border_colour") if record.has("border_colour") else "",
        surface_colour=record.text("surface_colour") if record.has("surface_colour") else "",
    )


def _pins(record: Record) -> Pins | None:
    count = record.whole("count") if record.has("count") else USUAL_PINS
    if not 1 <= count <= 50:
        raise record.fault(f"count is {count}", "write how many pins there are, 1 to 50")
    height_mm = record.length_mm("height_mm", PIN_HEIGHT) if record.has("height_mm") else None
    radius_mm = record.length_mm("radius_mm", PIN_RADIUS) if record.has("radius_mm") else None
    if height_mm is None:
        if radius_mm is None:
            return None
        height_mm = radius_mm * PIN_SLIMNESS
    return Pins(
        count=count,
        height_mm=height_mm,
        radius_mm=height_mm / PIN_SLIMNESS if radius_mm is None else radius_mm,
        colours=record.texts("colours") if record.has("colours") else (),
    )
