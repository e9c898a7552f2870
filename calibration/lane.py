"""A lane found by its own look: the line around its field and the edge of its lid, which way round, and how sure."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.errors import BadCalibration
from calibration.lane_field import share_of_one_look
from calibration.lane_look import LaneLook, look_at_lane
from calibration.lane_seeds import lane_guesses
from calibration.lens import Lens
from calibration.parts import Layout
from calibration.perspective import Plane, Projection
from calibration.planes import Planes
from calibration.solve import Sighting, View, refine, solve
from calibration.strips import AGREE, INDEPENDENT
from calibration.ways import at_the_bottom, turned

Array = NDArray[np.float64]

# A picture in which nothing is found is looked at again with so much less noise.
SOFTER_PX: Final = 1.5
# Cameras that are fitted to one place, at most, when the best of them is good.
FITTED: Final = 3
# Once a good one is found, other places have to show so much at a first look to be looked at.
RIVAL: Final = 0.6
# Places whose corners lie this near to each other, as a share of the lane's width, are one.
SAME: Final = 0.03
# How far off lines are looked for, as shares of the lid's smaller side: wide at first.
REACHES: Final = (0.05, 0.04, 0.03, 0.02)
# A first guess counts for so many rounds, and is right to so many pixels.
GUESS_ROUNDS: Final = 2
CORNER_PX: Final = 4.0
# A guess that shows less of the lane after these rounds is given up.
HOPELESS: Final = 0.35
# A lane shows at least so much of its line and of its lid's edge.
LEAST_LINE: Final = 0.5
LEAST_LID: Final = 0.5
LEAST_PLAIN_LID: Final = 0.7
LEAST_LONE_LINE: Final = 0.8
# And so much of the field along its sides looks like one surface: pins hide a quarter, a patterned cloth shows less.
LEAST_ONE_LOOK: Final = 0.55
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
    found = _candidates(planes, planes, layout, lens)
    if not found or found[0].cost > 2 * DOUBTFUL:
        # Noise breaks lines into pieces too short to be told from it, and dim ones are no lines at all.
        found.extend(_candidates(planes.eased(SOFTER_PX), planes, layout, lens))
        found.sort(key=lambda lane: lane.cost)
    if not found:
        raise BadCalibration(f"{tried}nothing in view looks like this lane", layout.name, REMEDY)
    fault = _fault(found[0])
    if fault is not None:
        wrong = f"{tried}what looks like this lane shows {fault}"
        raise BadCalibration(wrong, layout.name, f"{REMEDY}; or give the layout of this lane")
    for other in found[1:]:
        is_as_good = other.cost < found[0].cost + CLEARLY
        if is_as_good and _apart(found[0].view.camera, other.view.camera, layout) > SAME:
            wrong = f"{tried}more than one place in view looks like this lane"
            raise BadCalibration(wrong, layout.name, REMEDY)
    return found[0]


def _candidates(drawn: Planes, planes: Planes, layout: Layout, lens: Lens | None) -> list[FoundLane]:
    """Lanes in a view that straight lines in ``drawn`` lead to, the likeliest first."""
    found: list[FoundLane] = []
    tried: list[Array] = []
    for guess in lane_guesses(drawn, layout, lens):
        corners_px = guess.plane.to_px(np.array(layout.corners_mm))
        good = [lane.view.camera.to_px(np.array(layout.corners_mm)) for lane in found if lane.cost < GOOD]
        is_there = any(_overlap(other, corners_px) for other in good)
        if is_there and sum(_overlap(other, corners_px) for other in tried) >= FITTED:
            continue
        if good and not is_there and guess.evidence < RIVAL:
            continue
        tried.append(corners_px)
        lane = fit_lane(planes, layout, guess.plane, lens)
        if lane is not None and share_of_one_look(planes, layout, lane.view.camera) >= LEAST_ONE_LOOK:
            found.append(lane)
    return sorted(found, key=lambda lane: lane.cost)


def _overlap(one_px: Array, other_px: Array) -> bool:
    """Whether two places, (4, 2) corners each, are near enough to be one, seen better or worse."""
    apart_px = float(np.linalg.norm(one_px.mean(axis=0) - other_px.mean(axis=0)))
    return apart_px < float(np.ptp(one_px, axis=0).max()) / 2


def shows(lane: FoundLane) -> bool:
    """Whether enough of a lane is seen where it should be."""
    return _fault(lane) is None


def _fault(lane: FoundLane) -> str | None:
    """How little a lane shows of itself; None where that is enough."""
    lid = 0.0 if lane.look.lid is None else lane.look.lid.share
    if lane.look.line is None:
        shown = f"{lid:.0%} of its lid's edge where the layout has it"
        enough = lid >= LEAST_PLAIN_LID
    else:
        line = lane.look.line.share
        shown = f"{line:.0%} of the line around its field and {lid:.0%} of its lid's edge where the layout has them"
        enough = line >= LEAST_LINE and (lid >= LEAST_LID or line >= LEAST_LONE_LINE)
    return None if enough and lane.cost <= DOUBTFUL else shown


def fit_lane(planes: Planes, layout: Layout, start: Plane | CameraModel, lens: Lens | None) -> FoundLane | None:
    """The camera that fits the lane's lines near a guess; None where it shows too little."""
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
    for number, share in enumerate(REACHES):
        seen_by: Projection = start if number == 0 else view.camera
        look = look_at_lane(planes, layout, seen_by, share * min(layout.size_mm), only_line=number < GUESS_ROUNDS)
        near = [guess] if guess is not None and number < GUESS_ROUNDS else []
        if not look.sightings:
            return None
        view = refine([*look.sightings, *near], view.camera, lens_is_known=lens is not None)
        if not _is_usable(view.camera):
            return None
        if number + 1 == GUESS_ROUNDS and look.agreeing(view.camera).evidence < HOPELESS:
            return None
    look = look_at_lane(planes, layout, view.camera, REACHES[-1] * min(layout.size_mm))
    if not look.sightings:
        return None
    view = refine(look.sightings, view.camera, lens_is_known=lens is not None)
    if not _is_usable(view.camera):
        return None
    return FoundLane(look=look.agreeing(view.camera), sightings=look.sightings, view=view)


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


def _apart(one: CameraModel, other: CameraModel, layout: Layout) -> float:
    """How far the farthest corner of one is from all corners of the other, as a share of the lane's width."""
    corners = np.array(layout.corners_mm)
    a, b = one.to_px(corners), other.to_px(corners)
    apart = np.linalg.norm(a[:, None] - b[None], axis=2).min(axis=1).max()
    return float(apart / np.ptp(a, axis=0).max())
