"""Which way round a board lies: by its shape, by what is printed in its holes, or by the seat at the bottom."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.evidence import REACHES, Pose, look
from calibration.lens import Lens
from calibration.parts import Layout
from calibration.pattern import FEWEST, turns_deg
from calibration.perspective import turn_matrix
from calibration.prints import Chroma, fitting_prints
from calibration.rims import see_rims
from calibration.solve import refine

# Ways round that show this much less than the best one are out.
WORSE_TURN: Final = 0.1
# Of holes that one way round has and another hasn't so much more is seen when it is the right one, as a share.
CLEARLY_SEEN: Final = 0.5
# Two sides whose heights in the picture differ by less than this share of the board are both at its bottom.
CORNERWISE: Final = 0.08
# How a board can lie by its outline alone.
QUARTERS_DEG: Final = (0.0, 90.0, 180.0, 270.0)
SIDES: Final = ((0.0, -1.0), (-1.0, 0.0), (0.0, 1.0), (1.0, 0.0))

LOOKS_ALIKE: Final = "it looks alike from several sides: the side at the bottom of the picture is taken for south"
LIES_CORNERWISE: Final = "two sides are at the bottom: check with --picture that south is the one you mean"


def ways_round(pose: Pose, luma: NDArray[np.float32], layout: Layout, lens: Lens | None) -> list[Pose]:
    """The pose in all turns of the layout that its holes and its border allow, the best first."""
    tried = [pose]
    for turn in _turns(layout)[1:]:
        view = replace(pose.view, camera=turned(pose.view.camera, turn))
        now = look(luma, layout, view.camera, view, REACHES[-2])
        if now.sightings and now.evidence > pose.evidence + WORSE_TURN:
            view = refine(now.sightings, now.view.camera, lens_is_known=lens is not None)
        # Evidence is compared as seen within one reach.
        tried.append(look(luma, layout, view.camera, view, REACHES[-1]))
    tried.sort(key=lambda each: each.evidence, reverse=True)
    ways = [each for each in tried if each.evidence >= tried[0].evidence - WORSE_TURN]
    gaps = [[_own_holes_seen(one, other, luma, layout) for other in ways] for one in ways]
    # Holes that only one of two ways round has are there or not: a way that another one beats so is out.
    return [
        one
        for i, one in enumerate(ways)
        if not any(gaps[j][i] - gaps[i][j] > CLEARLY_SEEN for j in range(len(ways)) if j != i)
    ] or ways[:1]


def _own_holes_seen(one: Pose, other: Pose, luma: NDArray[np.float32], layout: Layout) -> float:
    """Which part of the holes that one way round has and another hasn't can be seen, 0 to 1; 0 without such holes."""
    centres = np.array([(hole.x_mm, hole.y_mm, layout.height_mm) for hole in layout.holes])
    radii = np.array([hole.radius_mm for hole in layout.holes])
    there = one.view.camera.to_mm(other.view.camera.to_px(centres), layout.height_mm)
    apart = np.linalg.norm(centres[:, None] - there[None], axis=2).min(axis=1)
    own = tuple(hole for hole, away, radius in zip(layout.holes, apart, radii, strict=True) if away > radius)
    return see_rims(luma, replace(layout, holes=own), one.view.camera, REACHES[-1].rims).share if own else 0.0


def right_way_round(ways: Sequence[Pose], chroma: Chroma, layout: Layout) -> tuple[Pose, tuple[str, ...]]:
    """Of several ways round the one that the printed colours show, else the one with south at the bottom; and notes."""
    left = list(ways)
    if len(left) > 1:
        left = [left[i] for i in fitting_prints(chroma, layout, [each.view.camera for each in left])]
    number, notes = at_the_bottom([each.view.camera for each in left], layout)
    return left[number], notes


def at_the_bottom(cameras: Sequence[CameraModel], layout: Layout) -> tuple[int, tuple[str, ...]]:
    """Which of several cameras above one view has south at the bottom of the picture; and notes on that."""
    depths = [_depth_of_south(camera, layout) for camera in cameras]
    deepest = int(np.argmax(depths))
    if len(depths) == 1:
        return deepest, ()
    gap = depths[deepest] - sorted(depths)[-2]
    return deepest, (LOOKS_ALIKE, LIES_CORNERWISE) if gap < CORNERWISE else (LOOKS_ALIKE,)


def _turns(layout: Layout) -> tuple[float, ...]:
    """Turns after which the layout may still be in view: its holes and its outline mostly cover themselves."""
    return turns_deg(layout) if len(layout.holes) >= FEWEST else QUARTERS_DEG


def turned(camera: CameraModel, turn_deg: float) -> CameraModel:
    """The camera above the layout when that is turned counter-clockwise on its place."""
    turn = np.eye(3)
    turn[:2, :2] = turn_matrix(turn_deg)
    return replace(camera, rotation=camera.rotation @ turn)


def _depth_of_south(camera: CameraModel, layout: Layout) -> float:
    """How far down in the picture the south side is, in heights of the board there."""
    half = np.array(layout.size_mm) / 2
    sides = np.array([(x * half[0], y * half[1], layout.height_mm) for x, y in SIDES])
    rows = camera.to_px(sides)[:, 1]
    return float((rows[0] - rows.mean()) / max(np.ptp(rows), 1e-9))
