"""How a lane is calibrated: from markers, from given corners or by its look alone, and sharpened by its look always."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from calibration.anchors import CORNER_REMEDY
from calibration.errors import BadCalibration
from calibration.lane import FoundLane, find_lane, fit_lane, right_way_round, shows, ways_round
from calibration.lens import Lens
from calibration.markers import SeenMarker
from calibration.parts import Layout
from calibration.planes import Planes
from calibration.slide import slide_of
from calibration.solve import Sighting, refine
from calibration.starts import Found, Start, from_corners, from_markers, rms_px
from calibration.table import Method

NOT_SEEN: Final = "the lane's lines can't be made out; more light would help"
PUSHED: Final = "the box stands {mm:.0f} mm from where the layout has it among the markers; that does no harm"
PUSHED_MM: Final = 1.5
# Markers and camera are fitted in turn so many times.
ROUNDS: Final = 4
MARKERS_OUT: Final = "the markers don't lie around the lane as the layout says: they were left out"


def lane_from_corners(
    corners_px: Sequence[tuple[float, float]], planes: Planes, layout: Layout, lens: Lens | None
) -> Found:
    """The lane whose field has given corners, or whose lid has: whichever shows there.

    Raises BadCalibration where no camera sees either so.
    """
    height_px, width_px = planes.luma.shape
    starts, refused = [], None
    for places in _cornered(layout):
        try:
            starts.append(from_corners(corners_px, layout, width_px, height_px, lens, places_mm=places))
        except BadCalibration as error:
            refused = refused or error
    if not starts:
        raise refused or BadCalibration("no corners are given", "--corners", CORNER_REMEDY)
    fitted = [fit_lane(planes, layout, start.view.camera, lens) for start in starts]
    shown = [lane for lane in fitted if lane is not None and shows(lane)]
    if not shown:
        return _without_look(starts[0])
    return _found(min(shown, key=lambda lane: lane.cost), "corners")


def lane_from_markers(seen: Sequence[SeenMarker], planes: Planes, layout: Layout, lens: Lens | None) -> Found:
    """The lane by its markers and its look; by its look alone where the markers don't lie as the layout says."""
    height_px, width_px = planes.luma.shape
    try:
        start = from_markers(seen, layout, width_px, height_px, lens)
    except BadCalibration:
        found = _by_look(planes, layout, lens, seen, "the markers don't lie as the layout says, and ")
        return replace(found, notes=(*found.notes, MARKERS_OUT))
    # Boxes are pushed by every tap: where this one is among its markers is left to what it shows of itself.
    lane = fit_lane(planes, layout, start.view.camera, lens)
    if lane is None or not shows(lane):
        lane = _placed(planes, layout, lens, seen)
    if lane is None:
        return _without_look(start)
    loose, slid_mm = _loosened(lane, start.anchors, lens)
    if rms_px(loose.view, loose.sightings[0]) > start.limit_px:
        return _found(lane, "board", (*start.notes, MARKERS_OUT))
    pushed = (PUSHED.format(mm=slid_mm),) if slid_mm > PUSHED_MM else ()
    return _found(loose, "markers", (*start.notes, *pushed))


def _loosened(lane: FoundLane, anchors: Sighting, lens: Lens | None) -> tuple[FoundLane, float]:
    """The lane with what markers say of the lens and of how the camera is held, wherever they lie around it.

    And how far it stands from its place among them, in mm.
    """
    view, look = lane.view, lane.look.sightings
    middle = anchors.base_mm.mean(axis=0)
    for _ in range(ROUNDS):
        slide = slide_of([anchors], view.camera)
        if slide is None:
            break
        anchors = slide.moved(anchors)
        view = refine([anchors, *look], view.camera, lens_is_known=lens is not None)
    slid_mm = float(np.linalg.norm(anchors.base_mm.mean(axis=0) - middle))
    return replace(lane, sightings=(anchors, *look), view=view), slid_mm


def lane_by_look(planes: Planes, layout: Layout, lens: Lens | None, tried: str) -> Found:
    """The lane by its look alone, south at the bottom of the picture. Raises BadCalibration where it can't be told."""
    return _by_look(planes, layout, lens, (), tried)


def _by_look(planes: Planes, layout: Layout, lens: Lens | None, seen: Sequence[SeenMarker], tried: str) -> Found:
    lane = find_lane(planes, layout, lens, tried=tried)
    lane = _as_marked(ways_round(lane, planes, layout), seen) if seen else right_way_round(lane, planes, layout)
    return _found(lane, "board", lane.notes)


def _placed(planes: Planes, layout: Layout, lens: Lens | None, seen: Sequence[SeenMarker]) -> FoundLane | None:
    """The lane found by its look and turned as the markers have it; None where it can't be made out."""
    try:
        lane = find_lane(planes, layout, lens)
    except BadCalibration:
        return None
    return _as_marked(ways_round(lane, planes, layout), seen)


def _as_marked(ways: Sequence[FoundLane], seen: Sequence[SeenMarker]) -> FoundLane:
    """Of several ways round the one that has the markers nearest to where they are seen."""

    def away(lane: FoundLane) -> float:
        centres = [np.array([(s.marker.x_mm, s.marker.y_mm, s.marker.z_mm)]) for s in seen]
        misses = [lane.view.camera.to_px(c)[0] - s.corners_px.mean(axis=0) for c, s in zip(centres, seen, strict=True)]
        return float(np.linalg.norm(misses, axis=1).mean())

    return min(ways, key=away)


def _cornered(layout: Layout) -> list[tuple[tuple[float, float, float], ...]]:
    """What people may mean by the corners of a lane: its field's, and its lid's."""
    field = () if layout.lane is None else (layout.lane.corners_mm,)
    return [*field, layout.corners_mm]


def _found(lane: FoundLane, method: Method, notes: tuple[str, ...] = ()) -> Found:
    return Found(method=method, sightings=lane.sightings, view=lane.view, error_px=lane.error_px, notes=notes)


def _without_look(start: Start) -> Found:
    return Found(
        method=start.method,
        sightings=[start.anchors],
        view=start.view,
        error_px=rms_px(start.view, start.anchors),
        notes=(*start.notes, NOT_SEEN),
    )
