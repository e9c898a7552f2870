"""Balls on the floor of a pit: each kind is tried everywhere on it, and the discs that fit best are the balls."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.layout import Hole
from referee.vision.colours import BallColour
from referee.vision.kinds import BallKind
from referee.vision.still.discs import PAINTED, best_apart, overlap, paint_of, weigh_discs
from referee.vision.still.picture import Picture, StillBall, filled, to_cells

STEP_MM: Final = 2.0
"""Distance between two places that are tried: a tenth of a ball."""

HOPEFUL: Final = 60
"""Places of each kind of ball that are looked at closely."""

MIN_OVERLAP: Final = 0.6
"""How well a ball's disc must cover what has its paint: like balls that touch it leave so much."""

RIM_POINTS: Final = 64


def balls_in_pit(picture: Picture, pit: Hole) -> list[StillBall]:
    """The balls in a pit, those whose shape is surest first."""
    camera, height_mm = picture.ground.table.camera, picture.ground.table.layout.height_mm
    angles = np.linspace(0.0, 2 * np.pi, RIM_POINTS, endpoint=False)
    x, y = pit.x_mm + pit.radius_mm * np.cos(angles), pit.y_mm + pit.radius_mm * np.sin(angles)
    view = filled(camera.to_px(np.column_stack([x, y, np.full(RIM_POINTS, height_mm)])), picture.luma.shape)
    found: list[tuple[float, StillBall]] = []
    for colour in picture.colours:
        paint = paint_of(picture.frame, picture.luma, colour.hue_deg)
        for kind in picture.kinds:
            if kind.colour == colour.name:
                found += _of_kind(picture, pit, paint, view, kind, colour)
    if not found:
        return []
    centres = np.array([(ball.x_px, ball.y_px) for _, ball in found])
    chosen = best_apart(np.array([share for share, _ in found]), centres, np.array([b.radius_px for _, b in found]))
    return [found[k][1] for k in chosen]


def _of_kind(
    picture: Picture,
    pit: Hole,
    paint: NDArray[np.float32],
    view: NDArray[np.uint8],
    kind: BallKind,
    colour: BallColour,
) -> list[tuple[float, StillBall]]:
    """Where a ball of one kind may lie, and how well it would cover its paint there."""
    places = _places(pit, kind.radius_mm, picture.ground.table.layout.hole_floor_mm)
    if not len(places):
        return []
    camera = picture.ground.table.camera
    px, radii_px = camera.to_px(places), camera.radius_px(places, kind.radius_mm)
    evidence = weigh_discs(paint, view, to_cells(px), radii_px / 2)
    score = np.where(evidence.level >= PAINTED * colour.min_saturation, evidence.score, 0.0)
    found = []
    for k in np.argsort(-score, kind="stable")[:HOPEFUL].tolist():
        if score[k] <= 0:
            break
        share = overlap(paint, view, to_cells(px[k]), radii_px[k] / 2, float(evidence.enough[k]))
        if share >= MIN_OVERLAP and _hue_of(picture, to_cells(px[k]), radii_px[k] / 2) == colour.name:
            (x_px, y_px), radius_px = px[k].tolist(), float(radii_px[k])
            found.append((share, StillBall(colour=kind.name, x_px=x_px, y_px=y_px, radius_px=radius_px, hole=pit.name)))
    return found


def _hue_of(picture: Picture, centre: NDArray[np.float64], radius: float) -> str:
    """Which of the colours that may lie there is nearest to the hue about the middle of a disc."""
    reach = max(1, round(radius / 2))
    column, row = np.round(centre).astype(int).tolist()
    core = np.s_[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1]
    u, v = (float(np.median(plane[core])) - 128.0 for plane in (picture.frame.u, picture.frame.v))
    hue = math.degrees(math.atan2(v, u))
    return min(picture.colours, key=lambda colour: abs((hue - colour.hue_deg + 180.0) % 360.0 - 180.0)).name


def _places(pit: Hole, radius_mm: float, floor_mm: float) -> NDArray[np.float64]:
    """Centres of a ball that lies on the floor, as far as the wall lets it, (n, 3) mm."""
    reach_mm = pit.radius_mm - radius_mm
    if reach_mm <= 0:
        return np.zeros((0, 3))
    steps = np.arange(-reach_mm, reach_mm + STEP_MM, STEP_MM)
    x, y = (grid.ravel() for grid in np.meshgrid(steps, steps))
    within = np.hypot(x, y) <= reach_mm + STEP_MM
    heights = np.full(np.count_nonzero(within), floor_mm + radius_mm)
    return np.column_stack([pit.x_mm + x[within], pit.y_mm + y[within], heights])
