"""A first view from anchors alone: the layout's markers, or four corners that a person gave."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.anchors import CORNER_REMEDY, MarkerAnchors, corner_sighting, marker_anchors
from calibration.errors import BadCalibration
from calibration.layout import Layout
from calibration.lens import Lens
from calibration.markers import SeenMarker
from calibration.solve import Sighting, View, refine, solve
from calibration.table import Method
from calibration.ways import QUARTERS_DEG, turned

# Misses of given corners beyond which they contradict the layout: in pixels, or as a share of the picture's width.
CORNER_LIMIT_PX: Final = 3.0
CORNER_LIMIT_WIDTHS: Final = 0.0035
# Printers change the size of markers a little, and bright paper eats the edges of what is printed on it.
MARKER_SCALE_LIMIT: Final = 0.04
EATEN_PX: Final = 0.8

TURNED: Final = "marker {} lies turned; that does no harm"
LAYOUT_REMEDY: Final = "give the layout of this board"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """The view in the end, with all that it rests on."""

    method: Method
    sightings: Sequence[Sighting]
    view: View
    error_px: float
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Start:
    """A first view from anchors alone, and the root mean square miss that they may have in the end."""

    method: Method
    anchors: Sighting
    view: View
    limit_px: float
    notes: tuple[str, ...] = ()


def from_corners(
    corners_px: Sequence[tuple[float, float]],
    layout: Layout,
    width_px: int,
    height_px: int,
    lens: Lens | None,
    *,
    places_mm: Sequence[tuple[float, float, float]] | None = None,
) -> Start:
    """The view that has the top face's corners, or other ``places_mm``, at four given ones, SW SE NE NW.

    Raises BadCalibration for what no camera sees so.
    """
    anchors = corner_sighting(corners_px, layout, width_px, height_px, places_mm=places_mm)
    view = solve([anchors], width_px, height_px, lens)
    limit_px = max(CORNER_LIMIT_PX, CORNER_LIMIT_WIDTHS * width_px)
    if view is None or rms_px(view, anchors) > limit_px:
        size = " x ".join(f"{side:g}" for side in layout.size_mm)
        raise BadCalibration(f"no camera sees a board of {size} mm with these corners", "--corners", CORNER_REMEDY)
    return Start(method="corners", anchors=anchors, view=view, limit_px=limit_px)


def from_markers(seen: Sequence[SeenMarker], layout: Layout, width_px: int, height_px: int, lens: Lens | None) -> Start:
    """The view that fits the markers seen; raises BadCalibration where they don't lie as the layout says."""
    markers, turned_ids = marker_anchors(seen)
    markers, view = _settled(markers, layout, width_px, height_px, lens)
    if view is None:
        markers, view = _without_one(markers, layout, width_px, height_px, lens)
    anchors = markers.sighting()
    _check_size(view.scales[0], markers.side_px, layout)
    notes = [TURNED.format(number) for number in turned_ids]
    notes += [f"marker {number} isn't where the layout says and was left out" for number in markers.left_out]
    return Start(method="markers", anchors=anchors, view=view, limit_px=markers.limit_px, notes=tuple(notes))


def from_markers_near(seen: Sequence[SeenMarker], layout: Layout, known: View) -> Start:
    """A view of the board that is known but for the way round, which the markers seen tell, with them as anchors."""
    markers, turned_ids = marker_anchors(seen)
    ways = [replace(known, camera=turned(known.camera, turn), scales=(1.0,)) for turn in QUARTERS_DEG]
    view = min(ways, key=lambda way: rms_px(way, markers.sighting()))
    # The board holds the view: a marker need not be whole to say which way round it lies.
    markers = markers.without_hidden(layout, view.camera).without_odd(view, fewest=2)
    notes = tuple(TURNED.format(number) for number in turned_ids)
    return Start(method="markers", anchors=markers.sighting(), view=view, limit_px=markers.limit_px, notes=notes)


def _check_size(scale: float, side_px: float, layout: Layout) -> None:
    """Markers that lie further apart or nearer than the layout says look too small or too large for their places."""
    if -MARKER_SCALE_LIMIT - EATEN_PX / side_px <= scale - 1 <= MARKER_SCALE_LIMIT:
        return
    wrong = f"the markers look {abs(scale - 1):.0%} {'larger' if scale > 1 else 'smaller'} than the layout says"
    remedy = f"{LAYOUT_REMEDY}, or print the markers at 100 %"
    raise BadCalibration(f"{wrong} for their places", layout.name, remedy)


def _settled(
    markers: MarkerAnchors, layout: Layout, width_px: int, height_px: int, lens: Lens | None
) -> tuple[MarkerAnchors, View | None]:
    """Markers without corners that the board hides or that are odd, and the view that fits the others, if one does."""
    view = solve([markers.sighting()], width_px, height_px, lens)
    for _ in range(2):
        if view is None:
            return markers, None
        seen = markers.without_hidden(layout, view.camera)
        if seen.usable.sum() < 4:
            break
        view = refine([seen.sighting()], view.camera, lens_is_known=lens is not None)
        markers = seen.without_odd(view)
        view = solve([markers.sighting()], width_px, height_px, lens)
    fits = view is not None and rms_px(view, markers.sighting()) <= markers.limit_px
    return markers, view if fits else None


def _without_one(
    markers: MarkerAnchors, layout: Layout, width_px: int, height_px: int, lens: Lens | None
) -> tuple[MarkerAnchors, View]:
    """The markers and their view when one of them lies elsewhere; raises BadCalibration when no three agree."""
    fitting = []
    for number in range(len(markers.seen)) if len(markers.seen) > 3 else ():
        rest, view = _settled(markers.without(number), layout, width_px, height_px, lens)
        if view is not None and rest.left_out == (markers.seen[number].marker.id,):
            fitting.append((rest, view))
    if not fitting:
        remedy = f"check which id lies where, or {LAYOUT_REMEDY}"
        raise BadCalibration("the markers don't lie as the layout says", layout.name, remedy)
    return min(fitting, key=lambda pair: pair[1].cost)


def rms_px(view: View, anchors: Sighting) -> float:
    """How far anchors, the first of the view's sightings, are from where it has them: root mean square."""
    return float(np.sqrt(np.mean(view.errors_px(0, anchors) ** 2)))
