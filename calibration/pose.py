"""Calibration: where the camera stands above a layout, from pictures of the still view."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.anchors import CORNER_REMEDY, MarkerAnchors, corner_sighting, marker_anchors
from calibration.board import find_board
from calibration.errors import BadCalibration
from calibration.layout import Layout
from calibration.lens import Lens
from calibration.markers import SeenMarker, find_markers, find_other_ids
from calibration.prints import Chroma
from calibration.rims import Rims, has_edges, see_rims
from calibration.solve import Sighting, View, refine, solve, uncertainty_mm
from calibration.table import Method, Table
from hardware.frame import Frame

# Enough pictures to average noise and to see past a passing hand.
PICTURES: Final = 9
# Misses of given corners beyond which they contradict the layout: in pixels, or as a share of the picture's width.
CORNER_LIMIT_PX: Final = 3.0
CORNER_LIMIT_WIDTHS: Final = 0.0035
# Printers change the size of markers a little, and bright paper eats the edges of what is printed on it.
MARKER_SCALE_LIMIT: Final = 0.04
EATEN_PX: Final = 0.8
# Rims are looked for within these shares of a hole's radius, wide at first.
WIDE_REACHES: Final = (0.5, 0.3, 0.8)
REACHES: Final = (0.3, 0.2, 0.15, 0.15)
# Focal lengths to try, in picture widths, when the first finds no holes.
FOCAL_SPAN: Final = (0.35, 1.8)
FOCAL_STEPS: Final = 41
HOPEFUL: Final = 6
# With fewer holes than this share where they should be, the layout is another board's.
FEWEST_HOLES: Final = 0.3
# Places on the board that may be further off than this aren't worth calling bounces on.
UNCERTAINTY_LIMIT_MM: Final = 10.0

LAYOUT_REMEDY: Final = "give the layout of this board"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Found:
    """The view in the end, with all that it rests on."""

    method: Method
    sightings: Sequence[Sighting]
    view: View
    error_px: float
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Start:
    """A first view from anchors alone, and the root mean square miss that they may have in the end."""

    method: Method
    anchors: Sighting
    view: View
    limit_px: float
    notes: tuple[str, ...] = ()


def still_frames(frames: Iterable[Frame], *, count: int = PICTURES, every: int = 5) -> list[Frame]:
    """The pictures to calibrate from: a few of a source's first ones, some time apart."""
    return list(islice(frames, 0, count * every, every))


def calibrate(
    frames: Sequence[Frame],
    layout: Layout,
    *,
    corners_px: Sequence[tuple[float, float]] | None = None,
    lens: Lens | None = None,
) -> Table:
    """Find the camera from pictures of one unmoved view, by the layout's markers, else by the board's own look.

    ``corners_px``: SW SE NE NW of the board's top face; they are used instead of both. Without a lens its focal
    length and first radial term are estimated too. Hole rims seen near where they are expected sharpen the result.
    Raises BadCalibration where the view can't be trusted, saying why and what to do.
    """
    pictures = [frame.y for frame in frames]
    quiet = quiet_picture(pictures)
    height_px, width_px = quiet.shape
    known = None if lens is None else lens.scaled(width_px, height_px)
    seen = () if corners_px is not None else find_markers([*pictures, quiet], layout.markers)
    if corners_px is not None:
        found = _sharpened(_from_corners(corners_px, layout, quiet, known), quiet, layout, known)
    elif seen:
        found = _sharpened(_from_markers(seen, layout, width_px, height_px, known), quiet, layout, known)
    else:
        found = _from_look(frames, quiet, layout, known)
    sightings, view = found.sightings, found.view
    face_mm = np.array(layout.corners_mm)
    uncertain_mm = uncertainty_mm(sightings, view, face_mm, lens_is_known=known is not None)
    if uncertain_mm > UNCERTAINTY_LIMIT_MM:
        wrong = f"what is in view fixes places on the board to {uncertain_mm:.0f} mm only"
        raise BadCalibration(wrong, layout.name, "bring more markers into view, or give the four --corners")
    return Table(
        layout=layout,
        camera=view.camera,
        method=found.method,
        error_px=found.error_px,
        uncertainty_mm=uncertain_mm,
        notes=found.notes,
    )


def quiet_picture(pictures: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """The still view without noise and passing hands: the median of each pixel, (height, width) uint8."""
    if not pictures:
        raise BadCalibration("there is no picture to calibrate from", "", "give a video or picture of the board")
    if len({picture.shape for picture in pictures}) > 1:
        raise BadCalibration("the pictures differ in size", "", "give pictures of one camera")
    if len(pictures) == 1:
        return pictures[0]
    return np.asarray(np.median(np.stack(pictures), axis=0), dtype=np.uint8)


def _from_corners(
    corners_px: Sequence[tuple[float, float]], layout: Layout, quiet: NDArray[np.uint8], lens: Lens | None
) -> _Start:
    height_px, width_px = quiet.shape
    anchors = corner_sighting(corners_px, layout, width_px, height_px)
    view = solve([anchors], width_px, height_px, lens)
    limit_px = max(CORNER_LIMIT_PX, CORNER_LIMIT_WIDTHS * width_px)
    if view is None or _rms_px(view, anchors) > limit_px:
        size = " x ".join(f"{side:g}" for side in layout.size_mm)
        raise BadCalibration(f"no camera sees a board of {size} mm with these corners", "--corners", CORNER_REMEDY)
    return _Start(method="corners", anchors=anchors, view=view, limit_px=limit_px)


def _from_look(frames: Sequence[Frame], quiet: NDArray[np.uint8], layout: Layout, lens: Lens | None) -> _Found:
    if layout.kind == "lane" and not layout.markers:
        remedy = "give its four --corners, SW SE NE NW in pixels, or lay printed markers and list them in it"
        raise BadCalibration(f"layout {layout.name} has no markers", "--layout", remedy)
    tried = ""
    if layout.markers:
        if find_markers([np.ascontiguousarray(quiet[:, ::-1])], layout.markers):
            raise BadCalibration("the picture is mirrored", layout.name, "turn the camera's mirror setting off")
        others = find_other_ids(quiet, layout.markers)
        instead = f" (there are {', '.join(map(str, others))} instead)" if others else ""
        tried = f"none of the markers {', '.join(str(m.id) for m in layout.markers)} is in view{instead}, and "
    chroma = Chroma(u=quiet_picture([frame.u for frame in frames]), v=quiet_picture([frame.v for frame in frames]))
    board = find_board(quiet, chroma, layout, lens, tried=tried)
    errors_px = np.concatenate([board.view.errors_px(i, sighting) for i, sighting in enumerate(board.sightings)])
    return _Found(
        method="board",
        sightings=board.sightings,
        view=board.view,
        error_px=float(np.sqrt(np.mean(errors_px**2))),
        notes=board.notes,
    )


def _from_markers(
    seen: Sequence[SeenMarker], layout: Layout, width_px: int, height_px: int, lens: Lens | None
) -> _Start:
    markers, turned = marker_anchors(seen)
    markers, view = _settled(markers, layout, width_px, height_px, lens)
    if view is None:
        markers, view = _without_one(markers, layout, width_px, height_px, lens)
    anchors = markers.sighting()
    _check_size(view.scales[0], markers.side_px, layout)
    notes = [f"marker {number} lies turned; that does no harm" for number in turned]
    notes += [f"marker {number} isn't where the layout says and was left out" for number in markers.left_out]
    return _Start(method="markers", anchors=anchors, view=view, limit_px=markers.limit_px, notes=tuple(notes))


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
    fits = view is not None and _rms_px(view, markers.sighting()) <= markers.limit_px
    return markers, view if fits else None


def _without_one(
    markers: MarkerAnchors, layout: Layout, width_px: int, height_px: int, lens: Lens | None
) -> tuple[MarkerAnchors, View]:
    """The markers and their view when one of them lies elsewhere; raises BadCalibration when no three agree."""
    fitting = []
    for number in range(len(markers.seen)) if len(markers.seen) > 3 else ():
        rest, view = _settled(markers.without(number), layout, width_px, height_px, lens)
        if view is not None:
            fitting.append((rest, view))
    if not fitting:
        remedy = f"check which id lies where, or {LAYOUT_REMEDY}"
        raise BadCalibration("the markers don't lie as the layout says", layout.name, remedy)
    return min(fitting, key=lambda pair: pair[1].cost)


def _sharpened(start: _Start, quiet: NDArray[np.uint8], layout: Layout, lens: Lens | None) -> _Found:
    """A view from anchors, made better by the rims; raises BadCalibration where the two contradict each other."""
    sightings, view, notes = _with_rims(start, quiet.astype(np.float32), layout, lens)
    error_px = _rms_px(view, start.anchors)
    if error_px > start.limit_px:
        wrong = (
            f"the holes and the {start.method} contradict each other by {error_px:.1f} px, so the layout doesn't fit"
        )
        raise BadCalibration(wrong, layout.name, f"{LAYOUT_REMEDY}, with all places and sizes measured")
    return _Found(method=start.method, sightings=sightings, view=view, error_px=error_px, notes=(*start.notes, *notes))


def _with_rims(
    start: _Start, luma: NDArray[np.float32], layout: Layout, lens: Lens | None
) -> tuple[list[Sighting], View, tuple[str, ...]]:
    """Sharpen a view by the holes' rims; raises BadCalibration where the holes plainly are elsewhere."""
    sightings, view = [start.anchors], start.view
    if not layout.holes:
        return sightings, view, ()
    rims = _first_rims(luma, layout, view)
    if rims.share < FEWEST_HOLES and lens is None and start.method == "markers":
        rims, view = max(_other_views(start, luma, layout), key=lambda pair: pair[0].share, default=(rims, view))
    if rims.share < FEWEST_HOLES:
        if has_edges(luma, layout, start.view.camera):
            wrong = f"only {rims.found} of {rims.expected} holes in view are where the layout says"
            raise BadCalibration(wrong, layout.name, f"{LAYOUT_REMEDY}, and check its markers or the corners given")
        return sightings, start.view, ("the holes can't be made out; more light would help",)
    for reach in REACHES:
        sightings = [start.anchors, rims.sighting]
        view = refine(sightings, view.camera, lens_is_known=lens is not None)
        rims = see_rims(luma, layout, view.camera, reach)
    if rims.share < FEWEST_HOLES:
        wrong = f"only {rims.found} of {rims.expected} holes in view are where the layout says"
        raise BadCalibration(wrong, layout.name, f"{LAYOUT_REMEDY}, with all places and sizes measured")
    return sightings, view, ()


def _first_rims(luma: NDArray[np.float32], layout: Layout, view: View) -> Rims:
    """Rims for a view that may be some pixels off; small holes need a narrow look, a bad start a wide one."""
    return max((see_rims(luma, layout, view.camera, reach) for reach in WIDE_REACHES), key=lambda rims: rims.share)


def _other_views(start: _Start, luma: NDArray[np.float32], layout: Layout) -> list[tuple[Rims, View]]:
    """Views of other focal lengths: few markers close together hardly tell them apart, but the holes do.

    The few that show most holes are improved by what they show.
    """
    height_px, width_px = luma.shape
    found = []
    for focal in np.geomspace(*FOCAL_SPAN, FOCAL_STEPS) * width_px:
        matrix = np.array([[focal, 0, (width_px - 1) / 2], [0, focal, (height_px - 1) / 2], [0, 0, 1]])
        lens = Lens(matrix=matrix, dist=np.zeros(5), width_px=width_px, height_px=height_px, error_px=0.0)
        view = solve([start.anchors], width_px, height_px, lens)
        if view is not None:
            found.append((_first_rims(luma, layout, view), view))
    found.sort(key=lambda pair: pair[0].share, reverse=True)
    improved = []
    for rims, view in found[:HOPEFUL]:
        for _ in range(4):
            view = refine([start.anchors, rims.sighting], view.camera, lens_is_known=False)
            rims = _first_rims(luma, layout, view)
        improved.append((rims, view))
    return improved


def _rms_px(view: View, anchors: Sighting) -> float:
    return float(np.sqrt(np.mean(view.errors_px(0, anchors) ** 2)))
