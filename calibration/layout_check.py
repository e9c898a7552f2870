"""Can this object exist? Checks of a layout as a whole, each fault named with its remedy."""

import math
from collections.abc import Iterable
from itertools import combinations
from typing import Final

from calibration.errors import BadLayout
from calibration.outline import room_mm
from calibration.parts import Hole, Layout, Marker

# Sizes of OpenCV's predefined dictionaries: ids run from 0 to one less.
DICTIONARY_SIZES: Final = {
    **{f"DICT_{bits}X{bits}_{size}": size for bits in (4, 5, 6, 7) for size in (50, 100, 250, 1000)},
    "DICT_ARUCO_ORIGINAL": 1024,
    "DICT_APRILTAG_16h5": 30,
    "DICT_APRILTAG_25h9": 35,
    "DICT_APRILTAG_36h10": 2320,
    "DICT_APRILTAG_36h11": 587,
    "DICT_ARUCO_MIP_36h12": 250,
}
# Drawings are rounded; less than this is no contradiction.
SLACK_MM: Final = 0.5
# A marker further out than this many sizes of the board was written in another unit.
FAR: Final = 6.0
# More holes, markers or corners than any object has; each is compared with every other.
MOST: Final = 400


def check_layout(layout: Layout, where: str) -> None:
    """Raise BadLayout for the first thing that contradicts another."""
    for fault in _faults(layout):
        wrong, remedy = fault
        raise BadLayout(wrong, where, remedy)


def _faults(layout: Layout) -> Iterable[tuple[str, str]]:
    yield from _number_faults(layout)
    yield from _outline_faults(layout)
    yield from _hole_faults(layout)
    yield from _marker_faults(layout)
    yield from _row_faults(layout)
    yield from _lane_faults(layout)


def _number_faults(layout: Layout) -> Iterable[tuple[str, str]]:
    listed = (("holes", len(layout.holes)), ("markers", len(layout.markers)), ("outline_mm", len(layout.outline_mm)))
    for key, number in listed:
        if number > MOST:
            yield f"{key} lists {number}", f"list at most {MOST}"


def _outline_faults(layout: Layout) -> Iterable[tuple[str, str]]:
    for axis, side_mm, name in ((0, layout.size_mm[0], "x"), (1, layout.size_mm[1], "y")):
        values = [point[axis] for point in layout.outline_mm]
        low, high = min(values), max(values)
        slack = max(2 * SLACK_MM, side_mm / 100)
        if abs(low + side_mm / 2) > slack or abs(high - side_mm / 2) > slack:
            wrong = f"outline_mm runs from {low:g} to {high:g} in {name}, but size_mm says {side_mm:g}"
            yield wrong, f"let it run from {-side_mm / 2:g} to {side_mm / 2:g}, with 0 at the centre"


def _hole_faults(layout: Layout) -> Iterable[tuple[str, str]]:
    if not layout.holes and layout.kind != "lane":
        yield f"a {layout.kind} needs holes, and none is listed", "list them under holes (a box: one)"
    yield from _twice((hole.name for hole in layout.holes), "two holes are named", "give each a name of its own")
    for hole in layout.holes:
        room = room_mm((hole.x_mm, hole.y_mm), layout.outline_mm)
        if room < hole.radius_mm - SLACK_MM:
            wrong = f"hole {hole.name} at {hole.x_mm:g}, {hole.y_mm:g} with radius {hole.radius_mm:g} mm"
            yield f"{wrong} reaches outside the outline", "check its place, its radius and the outline, all in mm"
    for one, other in combinations(layout.holes, 2):
        apart_mm = _apart_mm(one, other)
        if apart_mm < one.radius_mm + other.radius_mm - SLACK_MM:
            wrong = f"holes {one.name} and {other.name} overlap: centres {apart_mm:.1f} mm apart"
            radii = f"radii {one.radius_mm:g} and {other.radius_mm:g} mm"
            yield f"{wrong}, {radii}", "check places and radii, all in mm"


def _marker_faults(layout: Layout) -> Iterable[tuple[str, str]]:
    names = (f"{marker.dictionary} {marker.id}" for marker in layout.markers)
    yield from _twice(names, "two markers are", "print another id for one of them")
    for marker in layout.markers:
        size = DICTIONARY_SIZES.get(marker.dictionary)
        if size is None:
            yield f"marker dictionary '{marker.dictionary}' is unknown", "write one of OpenCV's, like DICT_4X4_50"
        elif not 0 <= marker.id < size:
            yield f"marker id {marker.id} isn't in {marker.dictionary}", f"use 0 to {size - 1}"
        yield from _place_faults(marker, layout)
    for one, other in combinations(layout.markers, 2):
        gap_mm = max(abs(one.x_mm - other.x_mm), abs(one.y_mm - other.y_mm))
        if gap_mm < (one.size_mm + other.size_mm) / 2 - SLACK_MM:
            yield f"markers {one.id} and {other.id} overlap", "check centre_mm and size_mm, all in mm"


def _place_faults(marker: Marker, layout: Layout) -> Iterable[tuple[str, str]]:
    far_mm = FAR * max(layout.size_mm)
    if max(abs(marker.x_mm), abs(marker.y_mm)) > far_mm:
        yield f"marker {marker.id} lies at {marker.x_mm:g}, {marker.y_mm:g}", f"write millimetres, at most {far_mm:g}"
    lies_within = room_mm((marker.x_mm, marker.y_mm), layout.outline_mm) > 0
    if lies_within and layout.kind != "box" and marker.z_mm < layout.height_mm - 2 * SLACK_MM:
        wrong = f"marker {marker.id} at {marker.x_mm:g}, {marker.y_mm:g} would be buried in the {layout.kind}"
        yield wrong, f"write its centre_mm in mm, or z_mm {layout.height_mm:g} where it lies on top"
    if marker.z_mm < -2 * SLACK_MM:
        yield f"marker {marker.id} lies below the table top (z_mm {marker.z_mm:g})", "write z_mm 0 for the table top"


def _row_faults(layout: Layout) -> Iterable[tuple[str, str]]:
    names = {hole.name for hole in layout.holes}
    for row in layout.rows or ():
        for name in row:
            if name not in names:
                yield f"rows name '{name}', which is no hole", "use the names under holes"
        yield from _twice(row, f"row {'-'.join(row)} lists twice:", "list each hole once")


def _lane_faults(layout: Layout) -> Iterable[tuple[str, str]]:
    if layout.lane is None:
        return
    for x_mm, y_mm, z_mm in layout.lane.corners_mm:
        if room_mm((x_mm, y_mm), layout.outline_mm) < -SLACK_MM:
            yield f"lane corner {x_mm:g}, {y_mm:g} lies outside the outline", "check lane.corners_mm, all in mm"
        if abs(z_mm - layout.height_mm) > layout.height_mm / 2:
            wrong = f"lane corner at z {z_mm:g} isn't on the top face at {layout.height_mm:g} mm"
            yield wrong, "write height_mm as the z of the corners"


def _twice(names: Iterable[str], wrong: str, remedy: str) -> Iterable[tuple[str, str]]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield f"{wrong} {name}", remedy
        seen.add(name)


def _apart_mm(one: Hole, other: Hole) -> float:
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
