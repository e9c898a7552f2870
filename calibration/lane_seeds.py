"""Where a lane may be in a picture: perspectives of its lid that put the layout's lines onto straight ones there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lane_look import has_line, look_at_lane
from calibration.lens import Lens
from calibration.parts import Layout
from calibration.perspective import Plane, map_places
from calibration.planes import Planes
from calibration.quads import find_faces, find_quads, find_segments
from calibration.solve import SCAN
from calibration.strips import FEW_SAMPLES

Array = NDArray[np.float64]

# Four-sided figures that are looked at, perspectives of them that are compared, and those that are looked at closely.
MOST_QUADS: Final = 400
FIRST: Final = 200
HOPEFUL: Final = 10
HOPEFUL_FACES: Final = 5
# A camera sees right angles and sides as long as they are; lenses bend them by no more than this (radians, log ratio).
BENT: Final = 0.2
# Lines are met by drawn ones this near, as a share of the picture's width.
MET: Final = 0.003
POINTS: Final = 10
# Of places that meet as many lines the larger is the likelier: markers and cards are squares too.
LARGER: Final = 0.25
# Perspectives whose corners lie this near to each other, as a share of the lane's width, are one.
SAME: Final = 0.03
# A field this near to the middle of the lid is in its middle.
EVEN_MM: Final = 1.0
# How far off lines are looked for at last, as a share of the lid's smaller side.
REACH: Final = 0.04


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Guess:
    """A perspective of the lid's face, and how much of lid and line shows near it at a first look, 0 to 1."""

    plane: Plane
    evidence: float


def lane_guesses(planes: Planes, layout: Layout, lens: Lens | None) -> list[Guess]:
    """Perspectives of the lid's face that put the layout's lines onto drawn ones, the best first."""
    height_px, width_px = planes.luma.shape
    whole = [np.clip(plane, 0, 255).astype(np.uint8) for plane in (planes.luma, planes.u, planes.v)]
    segments = np.concatenate([find_segments(plane, width_px) for plane in whole])
    figures = _figures(layout)
    free = np.full((height_px, width_px), 255, dtype=np.uint8)
    cv2.polylines(free, list(np.rint(segments).astype(np.int32)), False, 0, 1)
    away_px = np.asarray(cv2.distanceTransform(free, cv2.DIST_L2, 5))
    found: list[Plane] = []
    for quads, count in (
        (find_quads(segments, width_px, height_px)[:MOST_QUADS], HOPEFUL),
        (find_faces(whole, width_px, height_px), HOPEFUL_FACES),
    ):
        homographies = _homographies(quads, figures)
        homographies = homographies[bent(homographies, width_px, height_px, lens) < BENT]
        order = np.argsort(-met(homographies, away_px, figures), kind="stable")[:FIRST]
        found.extend(distinct([Plane(homography=homographies[i]) for i in order], layout, count))
    reach_mm = REACH * min(layout.size_mm)
    guesses = [
        Guess(plane=plane, evidence=look_at_lane(planes, layout, plane, reach_mm, samples=FEW_SAMPLES).evidence)
        for plane in distinct(found, layout, len(found))
    ]
    return sorted(guesses, key=lambda guess: -guess.evidence)


def _homographies(quads: Array, figures: Sequence[Array]) -> Array:
    """Perspectives, (n, 3, 3), that put each of the layout's figures onto each four-sided one, in all turns."""
    turns = range(2 if _is_even(figures) else 4)
    return np.array(
        [
            cv2.getPerspectiveTransform(figure.astype(np.float32), np.roll(quad, turn, axis=0).astype(np.float32))
            for quad in quads
            for figure in figures
            for turn in turns
        ]
    ).reshape(-1, 3, 3)


def _figures(layout: Layout) -> list[Array]:
    """The four-sided figures on the lid, (4, 2) mm each: its outline, and both edges of the line around the field."""
    figures = [np.array(layout.corners_mm)[:, :2]]
    if layout.lane is not None and has_line(layout):
        field = np.array(layout.lane.corners_mm)[:, :2]
        figures.append(field)
        if layout.lane.border_mm > 0:
            figures.append(field + layout.lane.border_mm * np.sign(field - field.mean(axis=0)))
    return figures


def bent(homographies: Array, width_px: int, height_px: int, lens: Lens | None) -> Array:
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


def met(homographies: Array, away_px: NDArray[np.generic], figures: Sequence[Array]) -> Array:
    """Which part of the layout's lines meets drawn ones in each perspective, (n,), large ones favoured."""
    height_px, width_px = away_px.shape
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
        near = np.exp(-((away_px[cells[..., 1], cells[..., 0]] / (MET * width_px)) ** 2)) * inside
        total += near.mean(axis=1) / len(figures)
        width = np.ptp(np.clip(points[..., 0], 0, width_px), axis=1)
    return np.asarray(total * (width / width_px) ** LARGER)


def distinct(planes: Sequence[Plane], layout: Layout, count: int) -> list[Plane]:
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


def _is_even(figures: Sequence[Array]) -> bool:
    """Whether the figures on the lid are the same after half a turn."""
    return all(np.allclose(np.roll(figure, 2, axis=0), -figure, atol=EVEN_MM) for figure in figures)
