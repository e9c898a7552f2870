"""A lane found by its own look: the line around its field and the edge of its lid, which way round, and how sure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.errors import BadCalibration
from calibration.lane_look import LaneLook, has_line, look_at_lane
from calibration.lens import Lens
from calibration.parts import Layout
from calibration.perspective import Plane, Projection, map_places
from calibration.quads import find_quads, find_segments
from calibration.solve import SCAN, Sighting, View, refine, solve
from calibration.strips import AGREE, FEW_SAMPLES, INDEPENDENT, Planes
from calibration.ways import at_the_bottom, turned

Array = NDArray[np.float64]

SOFTER_PX: Final = 1.5
# Four-sided figures that are looked at, perspectives that are looked at closely, and cameras that are fitted.
MOST_QUADS: Final = 400
HOPEFUL: Final = 10
FITTED: Final = 3
# A camera sees right angles and sides as long as they are; lenses bend them by no more than this (radians, log ratio).
BENT: Final = 0.2
# Lines are met by drawn ones this near, as a share of the picture's width.
MET: Final = 0.003
POINTS: Final = 10
# Of places that meet as many lines the larger is the likelier: markers and cards are squares too.
LARGER: Final = 0.25
# Perspectives whose corners lie this near to each other, as a share of the lane's width, are one.
SAME: Final = 0.03
# How far off lines are looked for, as shares of the lid's smaller side: wide at first.
REACHES: Final = (0.05, 0.04, 0.03, 0.02)
# A first guess counts for so many rounds, and is right to so many pixels.
GUESS_ROUNDS: Final = 2
CORNER_PX: Final = 4.0
# A lane shows at least so much of its line and of its lid's edge.
LEAST_LINE: Final = 0.5
LEAST_LID: Final = 0.5
LEAST_PLAIN_LID: Final = 0.7
LEAST_LONE_LINE: Final = 0.8
# A point that is missing is this unlikely, minus log-likelihood; pins and hands hide some.
MISSING: Final = 3.0
# A lane in plain view costs less than the first of these; one that costs more than the other is nothing to rely on.
GOOD: Final = 15.0
DOUBTFUL: Final = 36.0
# A second place that is no less likely than the first one by this (log-likelihood) is one too many.
CLEARLY: Final = 6.0
# Ways round that show this much less than the best one are out.
WORSE_TURN: Final = 0.1
REMEDY: Final = "give its four --corners, SW SE NE NW in pixels, light it evenly, or lay printed markers"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoundLane:
    """A lane in view: what was seen of it, the camera that sees it so, and what people should know."""

    look: LaneLook
    sightings: tuple[Sighting, ...]
    view: View
    notes: tuple[str, ...] = ()

    @property
    def cost(self) -> float:
        """How unlikely it is to see the lane so, minus log-likelihood: what is off its place, and what is missing."""
        return self.view.cost + MISSING * INDEPENDENT * self.look.missing

    @property
    def error_px(self) -> float:
        """How far points of the line (without one: of the lid's edge) are off: root mean square of those that agree."""
        strip = self.look.sharpest
        number = next((i for i, s in enumerate(self.sightings) if strip is not None and s is strip.sighting), None)
        if number is None:
            return float("inf")
        errors_px = self.view.errors_px(number, self.sightings[number])
        agreeing = errors_px[errors_px < AGREE * self.sightings[number].sigma_px]
        return float(np.sqrt(np.mean(agreeing**2))) if len(agreeing) else float("inf")


def find_lane(planes: Planes, layout: Layout, lens: Lens | None, *, tried: str = "") -> FoundLane:
    """Find the layout's lane without markers or corners in a still view.

    ``tried``: what was in vain before, in words that go before a reason. Raises BadCalibration where nothing looks like
    the lane, or more than one thing does, or it shows too little to be sure.
    """
    try:
        return _likeliest(planes, planes, layout, lens, tried)
    except BadCalibration as refused:
        # Noise breaks lines into pieces too short to be told from it; a softer picture has less of it.
        try:
            return _likeliest(planes.softened(SOFTER_PX), planes, layout, lens, tried)
        except BadCalibration:
            raise refused from None


def _likeliest(drawn: Planes, planes: Planes, layout: Layout, lens: Lens | None, tried: str) -> FoundLane:
    """The lane in a view that straight lines in ``drawn`` lead to."""
    found: list[FoundLane] = []
    for number, guess in enumerate(_guesses(drawn, layout, lens)):
        if number >= FITTED and found and min(lane.cost for lane in found) < GOOD:
            break
        lane = fit_lane(planes, layout, guess, None, lens)
        found.extend([] if lane is None else [lane])
    if not found:
        raise BadCalibration(f"{tried}nothing in view looks like this lane", layout.name, REMEDY)
    found.sort(key=lambda lane: lane.cost)
    check_lane(found[0], layout, tried)
    for other in found[1:]:
        is_as_good = other.cost < found[0].cost + CLEARLY
        if is_as_good and _apart(found[0].view.camera, other.view.camera, layout) > SAME:
            wrong = f"{tried}more than one place in view looks like this lane"
            raise BadCalibration(wrong, layout.name, REMEDY)
    return found[0]


def check_lane(lane: FoundLane, layout: Layout, tried: str = "") -> None:
    """Raise BadCalibration unless enough of the lane shows where it should."""
    lid = 0.0 if lane.look.lid is None else lane.look.lid.share
    if lane.look.line is None:
        shown = f"{lid:.0%} of its lid's edge where the layout has it"
        enough = lid >= LEAST_PLAIN_LID
    else:
        line = lane.look.line.share
        shown = f"{line:.0%} of the line around its field and {lid:.0%} of its lid's edge where the layout has them"
        enough = line >= LEAST_LINE and (lid >= LEAST_LID or line >= LEAST_LONE_LINE)
    if not enough or lane.cost > DOUBTFUL:
        wrong = f"{tried}what looks like this lane shows {shown}"
        raise BadCalibration(wrong, layout.name, f"{REMEDY}; or give the layout of this lane")


def fit_lane(
    planes: Planes, layout: Layout, start: Plane | CameraModel, anchors: Sighting | None, lens: Lens | None
) -> FoundLane | None:
    """The camera that fits the lane's lines near a guess, and ``anchors`` too; None where it shows too little."""
    height_px, width_px = planes.luma.shape
    guess = None
    if isinstance(start, Plane):
        corners = np.array(layout.corners_mm)
        guess = Sighting(
            base_mm=corners, spread_mm=np.zeros_like(corners), seen_px=start.to_px(corners), sigma_px=CORNER_PX
        )
        view = solve([guess], width_px, height_px, lens)
        if view is None:
            return None
    else:
        view = View(camera=start, scales=(), cost=0.0)
    fixed = [] if anchors is None else [anchors]
    for number, share in enumerate(REACHES):
        seen_by: Projection = start if number == 0 else view.camera
        look = look_at_lane(planes, layout, seen_by, share * min(layout.size_mm), only_line=number < GUESS_ROUNDS)
        near = [guess] if guess is not None and number < GUESS_ROUNDS else []
        if not look.sightings:
            return None
        view = refine([*fixed, *look.sightings, *near], view.camera, lens_is_known=lens is not None)
        if not _is_usable(view.camera):
            return None
    look = look_at_lane(planes, layout, view.camera, REACHES[-1] * min(layout.size_mm))
    if not look.sightings:
        return None
    sightings = (*fixed, *look.sightings)
    view = refine(sightings, view.camera, lens_is_known=lens is not None)
    if not _is_usable(view.camera):
        return None
    return FoundLane(look=look.agreeing(view.camera), sightings=sightings, view=view)


def ways_round(lane: FoundLane, planes: Planes, layout: Layout) -> list[FoundLane]:
    """The lane in all quarter turns of which as much shows as of the best one."""
    ways = [lane]
    for turn in (90.0, 180.0, 270.0):
        camera = turned(lane.view.camera, turn)
        look = look_at_lane(planes, layout, camera, REACHES[-1] * min(layout.size_mm)).agreeing(camera)
        if not look.sightings:
            continue
        view = replace(lane.view, camera=camera, scales=(1.0,) * len(look.sightings))
        ways.append(FoundLane(look=look, sightings=look.sightings, view=view))
    best = max(way.look.evidence for way in ways)
    return [way for way in ways if way.look.evidence >= best - WORSE_TURN]


def right_way_round(lane: FoundLane, planes: Planes, layout: Layout) -> FoundLane:
    """The lane with its south at the bottom of the picture, where it looks alike from several sides."""
    ways = ways_round(lane, planes, layout)
    number, notes = at_the_bottom([way.view.camera for way in ways], layout)
    return replace(ways[number], notes=notes)


def _is_usable(camera: CameraModel) -> bool:
    return bool(np.isfinite(camera.translation_mm).all() and camera.centre_mm[2] > 0)


def _guesses(planes: Planes, layout: Layout, lens: Lens | None) -> list[Plane]:
    """Perspectives of the lid's face that put the layout's lines onto drawn ones, the best first."""
    height_px, width_px = planes.luma.shape
    whole = [np.clip(plane, 0, 255).astype(np.uint8) for plane in (planes.luma, planes.u, planes.v)]
    segments = np.concatenate([find_segments(plane, width_px) for plane in whole])
    quads = find_quads(segments, width_px, height_px)[:MOST_QUADS]
    figures = _figures(layout)
    homographies = np.array(
        [
            cv2.getPerspectiveTransform(figure.astype(np.float32), np.roll(quad, turn, axis=0).astype(np.float32))
            for quad in quads
            for figure in figures
            for turn in range(4)
        ]
    ).reshape(-1, 3, 3)
    homographies = homographies[_bent(homographies, width_px, height_px, lens) < BENT]
    if not len(homographies):
        return []
    order = np.argsort(-_met(homographies, segments, figures, width_px, height_px), kind="stable")
    hopeful = _distinct([Plane(homography=homographies[i]) for i in order[: 8 * HOPEFUL]], layout, HOPEFUL)
    reach_mm = REACHES[1] * min(layout.size_mm)
    rated = [(look_at_lane(planes, layout, plane, reach_mm, samples=FEW_SAMPLES).evidence, plane) for plane in hopeful]
    rated.sort(key=lambda entry: -entry[0])
    return [plane for _, plane in rated]


def _figures(layout: Layout) -> list[Array]:
    """The four-sided figures on the lid, (4, 2) mm each: its outline, and both edges of the line around the field."""
    figures = [np.array(layout.corners_mm)[:, :2]]
    if layout.lane is not None and has_line(layout):
        field = np.array(layout.lane.corners_mm)[:, :2]
        figures.append(field)
        if layout.lane.border_mm > 0:
            figures.append(field + layout.lane.border_mm * np.sign(field - field.mean(axis=0)))
    return figures


def _bent(homographies: Array, width_px: int, height_px: int, lens: Lens | None) -> Array:
    """How far perspectives, (n, 3, 3), are from a camera's: angle and log ratio of their axes, at the best focal."""
    least = np.full(len(homographies), np.inf)
    focals = [share * width_px for share in SCAN] if lens is None else [float(lens.matrix[0, 0])]
    for focal in focals:
        inverse = np.linalg.inv(np.array([[focal, 0, (width_px - 1) / 2], [0, focal, (height_px - 1) / 2], [0, 0, 1]]))
        axes = inverse @ homographies
        one, other = axes[..., 0], axes[..., 1]
        length, other_length = np.linalg.norm(one, axis=1), np.linalg.norm(other, axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            cosine = (one * other).sum(axis=1) / (length * other_length)
            ratio = np.log(length / other_length)
        least = np.fmin(least, np.hypot(cosine, ratio))
    return least


def _met(homographies: Array, segments: Array, figures: Sequence[Array], width_px: int, height_px: int) -> Array:
    """Which part of the layout's lines meets drawn ones in each perspective, (n,), large ones favoured."""
    free = np.full((height_px, width_px), 255, dtype=np.uint8)
    cv2.polylines(free, list(np.rint(segments).astype(np.int32)), False, 0, 1)
    away = cv2.distanceTransform(free, cv2.DIST_L2, 5)
    shares = (np.arange(POINTS) + 0.5)[:, None] / POINTS
    total, width = np.zeros(len(homographies)), np.zeros(len(homographies))
    for figure in figures:
        sides = [a + (b - a) * shares for a, b in zip(figure, np.roll(figure, -1, axis=0), strict=True)]
        places = np.column_stack([np.concatenate(sides), np.ones(4 * POINTS)])
        mapped = np.einsum("nij,mj->nmi", homographies, places)
        with np.errstate(divide="ignore", invalid="ignore"):
            points = mapped[..., :2] / mapped[..., 2:]
        points = np.where(np.isfinite(points), points, -1.0)
        cells = np.rint(np.clip(points, -1, max(width_px, height_px))).astype(np.intp)
        inside = ((cells >= 0) & (cells < (width_px, height_px))).all(axis=2)
        cells = np.where(inside[..., None], cells, 0)
        near = np.exp(-((away[cells[..., 1], cells[..., 0]] / (MET * width_px)) ** 2)) * inside
        total += near.mean(axis=1) / len(figures)
        width = np.ptp(np.clip(points[..., 0], 0, width_px), axis=1)
    return np.asarray(total * (width / width_px) ** LARGER)


def _distinct(planes: Sequence[Plane], layout: Layout, count: int) -> list[Plane]:
    """The first of each group of perspectives that put the lane to nearly the same place."""
    outline = np.array(layout.outline_mm)
    kept: list[Plane] = []
    seen: list[Array] = []
    for plane in planes:
        corners = map_places(plane.homography, outline)
        width = np.ptp(corners, axis=0).max()
        # The same corners in another order are the same lane turned; but a lane on its side is another one.
        if all(np.linalg.norm(corners[:, None] - other, axis=2).min(axis=1).max() > SAME * width for other in seen):
            kept.append(plane)
            seen.append(corners)
        if len(kept) == count:
            break
    return kept


def _apart(one: CameraModel, other: CameraModel, layout: Layout) -> float:
    """How far the farthest corner of one is from all corners of the other, as a share of the lane's width."""
    corners = np.array(layout.corners_mm)
    a, b = one.to_px(corners), other.to_px(corners)
    apart = np.linalg.norm(a[:, None] - b[None], axis=2).min(axis=1).max()
    return float(apart / np.ptp(a, axis=0).max())
