"""The board found by its own look: its holes or its pit and its border, which way round, and how sure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.blobs import find_blobs, unlike_around
from calibration.board_seeds import match_outline
from calibration.camera_model import CameraModel
from calibration.errors import BadCalibration
from calibration.evidence import REACHES, Pose, look
from calibration.lens import Lens
from calibration.parts import Layout
from calibration.pattern import FEWEST, match_holes
from calibration.perspective import Plane, Projection
from calibration.pit import match_pit
from calibration.places import REMEDY, Place, check_places
from calibration.planes import Planes
from calibration.prints import Chroma
from calibration.seeds import distances
from calibration.solve import Sighting, View, refine, solve
from calibration.straight import BentPlane, Straight
from calibration.ways import right_way_round, ways_round

Array = NDArray[np.float64]


# A first guess counts for this many rounds, and is right to so many pixels: at holes, and at corners.
GUESS_ROUNDS: Final = 3
HOLE_PX: Final = 2.0
CORNER_PX: Final = 4.0
SOFTER_PX: Final = 1.2
# A border that is this far, on average, from where the rims put it isn't that of the face: it then counts as known to
# the second. So often both are looked for anew.
CONTRADICTION_PX: Final = 0.7
NEARLY_PX: Final = 2.0
BY_RIMS_ROUNDS: Final = 3
# Guesses worth less than this share of the best one, or than this for each hole, aren't looked at.
HOPEFUL: Final = 0.75
LEAST_WORTH: Final = 0.2
# Guesses nearer to each other than this, as a share of the board's width, need not both be followed; ways round are
# tried later.
SAME_GUESS: Final = 0.01


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoundBoard:
    """A board in view: what was seen of it, the camera that sees it so, and what people should know."""

    sightings: tuple[Sighting, ...]
    view: View
    notes: tuple[str, ...]


def find_board(
    luma: NDArray[np.uint8], chroma: Chroma, layout: Layout, lens: Lens | None, *, tried: str = ""
) -> FoundBoard:
    """Find the layout's board without markers or corners in a still view, luma (height, width).

    ``tried``: what was in vain before, in words that go before a reason. Raises BadCalibration where nothing looks like
    the board, or more than one thing does, or it shows too little to be sure.
    """
    if not layout.holes:
        raise BadCalibration(f"{tried}without holes it can't be told from other things", layout.name, REMEDY)
    try:
        return _found(luma, _guesses(luma, luma, chroma, layout), chroma, layout, lens, tried)
    except BadCalibration:
        for shown, guesses in _further_guesses(luma, chroma, layout, lens):
            try:
                return _found(shown, guesses, chroma, layout, lens, tried)
            except BadCalibration:
                continue
        raise


def _further_guesses(
    luma: NDArray[np.uint8], chroma: Chroma, layout: Layout, lens: Lens | None
) -> Iterator[tuple[NDArray[np.uint8], list["_Guess"]]]:
    """Guesses for boards whose holes aren't plain to see, and the luma in which to look closely."""
    # Noise hides faint edges; a softer picture has less of it, and places that are a little less exact.
    soft = np.asarray(cv2.GaussianBlur(luma, (0, 0), SOFTER_PX), dtype=np.uint8)
    yield soft, _guesses(soft, soft, chroma, layout)
    if len(layout.holes) >= FEWEST:
        # Holes that are part bright, part dark, and balls of the board's brightness stand out by colour and light both.
        yield luma, _guesses(luma, unlike_around(luma, chroma.u, chroma.v), chroma, layout)
        # Prints and balls may leave too few whole holes; the outline is there all the same.
        yield luma, [_at_corners(plane, layout) for plane in match_outline(_planes(luma, chroma), layout, lens)]
    yield luma, _unbent_guesses(luma, chroma, layout, lens)


def _unbent_guesses(luma: NDArray[np.uint8], chroma: Chroma, layout: Layout, lens: Lens | None) -> list["_Guess"]:
    """Guesses for boards whose sides a wide lens bends so much that no straight lines are left."""
    straight = Straight.of(lens, luma.shape[1], luma.shape[0])
    shown, colours = straight.luma(luma), straight.chroma(chroma)
    guesses = _guesses(shown, shown, colours, layout)
    if len(layout.holes) >= FEWEST:
        unbent = None if lens is None else replace(lens, matrix=straight.shown, dist=np.zeros(5))
        guesses += [_at_corners(plane, layout) for plane in match_outline(_planes(shown, colours), layout, unbent)]
    return [
        _Guess(
            seen_by=BentPlane(plane=guess.seen_by, straight=straight),
            points=replace(guess.points, seen_px=straight.to_px(guess.points.seen_px)),
        )
        for guess in guesses
    ]


def _found(
    luma: NDArray[np.uint8],
    guesses: Sequence["_Guess"],
    chroma: Chroma,
    layout: Layout,
    lens: Lens | None,
    tried: str,
) -> FoundBoard:
    """The board at the best of some guesses."""
    sharp = luma.astype(np.float32)
    poses = [pose for guess in _distinct(guesses, layout) if (pose := _settle(guess, sharp, layout, lens))]
    if not poses:
        raise BadCalibration(f"{tried}nothing in view looks like this board", layout.name, REMEDY)
    planes = _planes(luma, chroma)
    places = [Place.of(ways_round(pose, sharp, layout, lens), planes, layout) for pose in poses]
    places.sort(key=lambda place: place.least + place.most, reverse=True)
    check_places(places, sharp, layout, tried)
    pose, notes = right_way_round(places[0].ways, chroma, layout)
    sightings, view = _by_rims(pose, sharp, layout, lens)
    return FoundBoard(sightings=sightings, view=view, notes=notes)


def _by_rims(
    pose: Pose, luma: NDArray[np.float32], layout: Layout, lens: Lens | None
) -> tuple[tuple[Sighting, ...], View]:
    """The camera that fits rims and border; where they contradict each other, the rims, and the border nearly.

    Shade at the board's foot is easily taken for its border, and a focal length that follows from it is far off, while
    rims are seen on both sides of their holes.
    """
    both = refine(pose.sightings, pose.view.camera, lens_is_known=lens is not None)
    view, sightings, border_px = both, pose.sightings, 0.0
    for _ in range(BY_RIMS_ROUNDS if len(layout.holes) >= FEWEST else 0):
        seen = look(luma, layout, view.camera, view, REACHES[-1])
        if not len(seen.rims.sighting.seen_px) or not len(seen.borders.sighting.seen_px):
            break
        sightings = (seen.rims.sighting, replace(seen.borders.sighting, sigma_px=NEARLY_PX))
        view = refine(sightings, view.camera, lens_is_known=lens is not None)
        border_px = float(np.sqrt(np.mean(view.errors_px(1, sightings[1]) ** 2)))
    return (sightings, view) if border_px > CONTRADICTION_PX else (pose.sightings, both)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Guess:
    """How the top face may be seen, and the points of it that a camera should fit at first."""

    seen_by: Projection
    points: Sighting


def _guesses(luma: NDArray[np.uint8], holes_in: NDArray[np.uint8], chroma: Chroma, layout: Layout) -> list[_Guess]:
    """``holes_in``: the plane that holes are looked for in, of the size of luma."""
    height_px, width_px = luma.shape
    if len(layout.holes) < FEWEST:
        found = match_pit((luma, chroma.u, chroma.v), layout)
        return [_at_corners(Plane(homography=each), layout) for each in found]
    holes = np.array([(hole.x_mm, hole.y_mm, layout.height_mm) for hole in layout.holes])
    blobs = find_blobs(holes_in)
    matches = match_holes(blobs, layout, width_px, height_px)
    return [
        _Guess(
            seen_by=Plane(homography=match.homography),
            points=_points(holes[match.holes], blobs.centres_px[match.blobs], HOLE_PX),
        )
        for match in matches
        if match.worth >= max(HOPEFUL * matches[0].worth, LEAST_WORTH * len(holes))
    ]


def _distinct(guesses: Sequence[_Guess], layout: Layout) -> list[_Guess]:
    """Guesses without those that put holes and corners, whichever, to nearly the same places as one before."""
    holes = [(hole.x_mm, hole.y_mm, layout.height_mm) for hole in layout.holes]
    places = np.array([*holes, *((x, y, layout.height_mm) for x, y in layout.outline_mm)])
    kept: list[_Guess] = []
    seen: list[Array] = []
    for guess in guesses:
        px = guess.seen_by.to_px(places)
        near = SAME_GUESS * np.ptp(px, axis=0).max()
        if all(distances(px, other).min(axis=1).max() > near for other in seen):
            kept.append(guess)
            seen.append(px)
    return kept


def _at_corners(plane: Plane, layout: Layout) -> _Guess:
    corners = np.array([(x, y, layout.height_mm) for x, y in layout.outline_mm])
    return _Guess(seen_by=plane, points=_points(corners, plane.to_px(corners), CORNER_PX))


def _planes(luma: NDArray[np.uint8], chroma: Chroma) -> Planes:
    u, v = chroma.u.astype(np.float32), chroma.v.astype(np.float32)
    return Planes(luma=luma.astype(np.float32), u=u, v=v)


def _points(places_mm: Array, seen_px: Array, sigma_px: float) -> Sighting:
    return Sighting(base_mm=places_mm, spread_mm=np.zeros_like(places_mm), seen_px=seen_px, sigma_px=sigma_px)


def _settle(guess: _Guess, luma: NDArray[np.float32], layout: Layout, lens: Lens | None) -> Pose | None:
    """The camera that fits rims and border near a guess; None where it shows too little of them."""
    height_px, width_px = luma.shape
    view = solve([guess.points], width_px, height_px, lens)
    pose = None
    for number, reach in enumerate(REACHES):
        if view is None or not _is_usable(view.camera):
            return None
        # A camera that fits the few points of a guess may be off elsewhere; the perspective is nearer at first.
        seen_by: Projection = view.camera if number else guess.seen_by
        pose = look(luma, layout, seen_by, view, reach)
        sightings = [*pose.sightings, *([guess.points] if number < GUESS_ROUNDS else [])]
        if not sightings or (number >= GUESS_ROUNDS and pose.rims.agreed == 0):
            return None
        view = refine(sightings, view.camera, lens_is_known=lens is not None)
    if pose is None or view is None or not _is_usable(view.camera):
        return None
    return look(luma, layout, view.camera, view, REACHES[-1])


def _is_usable(camera: CameraModel) -> bool:
    return bool(np.isfinite(camera.translation_mm).all() and camera.centre_mm[2] > 0)
