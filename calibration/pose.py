"""Calibration: where the camera stands above a layout, from pictures of the still view."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.board import find_board
from calibration.borders import see_borders
from calibration.camera_model import pinhole_matrix
from calibration.errors import BadCalibration
from calibration.lane_pose import lane_by_look, lane_from_corners, lane_from_markers
from calibration.layout import Layout
from calibration.lens import Lens
from calibration.markers import SeenMarker, find_markers, find_other_ids
from calibration.places import LEAST_BORDER
from calibration.planes import Planes
from calibration.prints import Chroma
from calibration.rims import Rims, has_edges, see_rims
from calibration.solve import Sighting, View, lens_spread, refine, solve, uncertainty_mm
from calibration.starts import LAYOUT_REMEDY, Found, Start, from_corners, from_markers, from_markers_near, rms_px
from calibration.table import Table
from hardware.frame import Frame

# Enough pictures to average noise and to see past a passing hand.
PICTURES: Final = 9
# Rims are looked for within these shares of a hole's radius, wide at first.
WIDE_REACHES: Final = (0.5, 0.3, 0.8, 0.15, 0.1)
REACHES: Final = (0.3, 0.2, 0.15, 0.15)
# Focal lengths to try, in picture widths, when the first finds no holes.
FOCAL_SPAN: Final = (0.35, 1.8)
FOCAL_STEPS: Final = 41
HOPEFUL: Final = 6
# With fewer holes than this share where they should be, the layout is another board's.
FEWEST_HOLES: Final = 0.3
# Of fewer corners of markers than this (two markers) the border, if enough of it shows, helps: it is looked for as near
# as this.
MANY_CORNERS: Final = 9
BORDER_REACHES_MM: Final = (9.0, 6.0)
# Places on the board that may be further off than this aren't worth calling bounces on.
UNCERTAINTY_LIMIT_MM: Final = 10.0


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
    if layout.kind == "lane":
        found = _lane(frames, quiet, layout, corners_px, seen, known)
    elif corners_px is not None:
        found = _sharpened(from_corners(corners_px, layout, width_px, height_px, known), quiet, layout, known)
    elif seen:
        found = _from_markers(seen, frames, quiet, layout, known)
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
        lens_spread=lens_spread(sightings, view) if known is None else None,
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


def _lane(
    frames: Sequence[Frame],
    quiet: NDArray[np.uint8],
    layout: Layout,
    corners_px: Sequence[tuple[float, float]] | None,
    seen: Sequence[SeenMarker],
    lens: Lens | None,
) -> Found:
    u, v = (quiet_picture(planes).astype(np.float32) for planes in ([f.u for f in frames], [f.v for f in frames]))
    planes = Planes(luma=quiet.astype(np.float32), u=u, v=v)
    if corners_px is not None:
        return lane_from_corners(corners_px, planes, layout, lens)
    if seen:
        return lane_from_markers(seen, planes, layout, lens)
    return lane_by_look(planes, layout, lens, _tried(quiet, layout))


def _tried(quiet: NDArray[np.uint8], layout: Layout) -> str:
    """What to say of markers that aren't seen; raises BadCalibration where a mirror is the reason."""
    if not layout.markers:
        return ""
    if find_markers([np.ascontiguousarray(quiet[:, ::-1])], layout.markers):
        raise BadCalibration("the picture is mirrored", layout.name, "turn the camera's mirror setting off")
    others = find_other_ids(quiet, layout.markers)
    instead = f" (there are {', '.join(map(str, others))} instead)" if others else ""
    return f"none of the markers {', '.join(str(m.id) for m in layout.markers)} is in view{instead}, and "


def _from_markers(
    seen: Sequence[SeenMarker], frames: Sequence[Frame], quiet: NDArray[np.uint8], layout: Layout, lens: Lens | None
) -> Found:
    """The view that fits markers and holes: where the markers in view are too few or too near to each other to lead to
    the holes, it begins at the board's own look, and the markers have to agree."""
    height_px, width_px = quiet.shape
    start = from_markers(seen, layout, width_px, height_px, lens)
    try:
        return _sharpened(start, quiet, layout, lens)
    except BadCalibration as wrong:
        try:
            board = find_board(quiet, _chroma(frames), layout, lens)
            return _sharpened(from_markers_near(seen, layout, board.view), quiet, layout, lens)
        except BadCalibration:
            missing = [
                str(marker.id) for marker in layout.markers if marker.id not in {each.marker.id for each in seen}
            ]
            if not missing:
                raise wrong from None
            others = f"bring its markers {', '.join(missing)} into view, which aren't seen, or give the four --corners"
            raise BadCalibration(f"{wrong}; or {others}") from None


def _chroma(frames: Sequence[Frame]) -> Chroma:
    return Chroma(u=quiet_picture([frame.u for frame in frames]), v=quiet_picture([frame.v for frame in frames]))


def _from_look(frames: Sequence[Frame], quiet: NDArray[np.uint8], layout: Layout, lens: Lens | None) -> Found:
    board = find_board(quiet, _chroma(frames), layout, lens, tried=_tried(quiet, layout))
    errors_px = np.concatenate([board.view.errors_px(i, sighting) for i, sighting in enumerate(board.sightings)])
    return Found(
        method="board",
        sightings=board.sightings,
        view=board.view,
        error_px=float(np.sqrt(np.mean(errors_px**2))),
        notes=board.notes,
    )


def _sharpened(start: Start, quiet: NDArray[np.uint8], layout: Layout, lens: Lens | None) -> Found:
    """A view from anchors, made better by the rims; raises BadCalibration where the two contradict each other."""
    sightings, view, notes = _with_rims(start, quiet.astype(np.float32), layout, lens)
    error_px = rms_px(view, start.anchors)
    if error_px > start.limit_px:
        wrong = (
            f"the holes and the {start.method} contradict each other by {error_px:.1f} px, so the layout doesn't fit"
        )
        raise BadCalibration(wrong, layout.name, f"{LAYOUT_REMEDY}, with all places and sizes measured")
    return Found(method=start.method, sightings=sightings, view=view, error_px=error_px, notes=(*start.notes, *notes))


def _with_rims(
    start: Start, luma: NDArray[np.float32], layout: Layout, lens: Lens | None
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
    # Where only a narrow look shows the rims, a wide one takes for them what is printed around the holes.
    widest = rims.reach
    for reach in REACHES:
        sightings = [start.anchors, rims.sighting]
        view = refine(sightings, view.camera, lens_is_known=lens is not None)
        rims = see_rims(luma, layout, view.camera, min(reach, widest))
    if rims.share < FEWEST_HOLES:
        wrong = f"only {rims.found} of {rims.expected} holes in view are where the layout says"
        raise BadCalibration(wrong, layout.name, f"{LAYOUT_REMEDY}, with all places and sizes measured")
    if start.method == "markers" and len(start.anchors.seen_px) < MANY_CORNERS:
        for reach in BORDER_REACHES_MM:
            borders = see_borders(luma, layout, view.camera, reach)
            if borders.share < LEAST_BORDER:
                break
            sightings = [start.anchors, rims.sighting, borders.sighting]
            view = refine(sightings, view.camera, lens_is_known=lens is not None)
            rims = see_rims(luma, layout, view.camera, min(REACHES[-1], widest))
    return sightings, view, ()


def _first_rims(luma: NDArray[np.float32], layout: Layout, view: View) -> Rims:
    """Rims for a view that may be some pixels off; small holes need a narrow look, a bad start a wide one."""
    return max((see_rims(luma, layout, view.camera, reach) for reach in WIDE_REACHES), key=lambda rims: rims.share)


def _other_views(start: Start, luma: NDArray[np.float32], layout: Layout) -> list[tuple[Rims, View]]:
    """Views of other focal lengths: few markers close together hardly tell them apart, but the holes do.

    The few that show most holes are improved by what they show.
    """
    height_px, width_px = luma.shape
    found = []
    for focal in np.geomspace(*FOCAL_SPAN, FOCAL_STEPS) * width_px:
        matrix = pinhole_matrix(focal, width_px, height_px)
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
