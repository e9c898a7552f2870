"""Perspectives that put the figures of a layout onto straight lines drawn in a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import pinhole_matrix
from calibration.first_poses import SCAN
from calibration.lens import Lens
from calibration.parts import Layout
from calibration.perspective import Plane, map_places
from calibration.planes import Planes
from calibration.quads import find_faces, find_quads, find_segments

Array = NDArray[np.float64]

# Four-sided figures that are looked at, and perspectives of them that are compared.
MOST_QUADS: Final = 400
FIRST: Final = 200
# A camera sees right angles and sides as long as they are; lenses bend them by no more than this (radians, log ratio).
BENT: Final = 0.2
# Lines are met by drawn ones this near, as a share of the picture's width.
MET: Final = 0.003
POINTS: Final = 10
# Of places that meet as many lines the larger is the likelier: markers and cards are squares too.
LARGER: Final = 0.25
# Perspectives whose corners lie this near to each other, as a share of the board's or lane's width, are one.
SAME: Final = 0.03


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn:
    """The lines of a picture: four-sided figures that they make, ``quads`` (n, 4, 2), and those around ``faces`` of one
    look (m, 4, 2); ``away_px``: (h, w), how far each pixel is from a line."""

    quads: Array
    faces: Array
    away_px: NDArray[np.generic]

    @classmethod
    def of(cls, planes: Planes) -> "Drawn":
        height_px, width_px = planes.luma.shape
        whole = [np.clip(plane, 0, 255).astype(np.uint8) for plane in (planes.luma, planes.u, planes.v)]
        segments = np.concatenate([find_segments(plane, width_px) for plane in whole])
        free = np.full((height_px, width_px), 255, dtype=np.uint8)
        cv2.polylines(free, list(np.rint(segments).astype(np.int32)), False, 0, 1)
        return cls(
            quads=find_quads(segments, width_px, height_px)[:MOST_QUADS],
            faces=find_faces(whole, width_px, height_px),
            away_px=np.asarray(cv2.distanceTransform(free, cv2.DIST_L2, 5)),
        )

    def best(
        self, homographies: Array, figures: Sequence[Array], layout: Layout, lens: Lens | None, count: int
    ) -> list[Plane]:
        """Of perspectives, (n, 3, 3), such as a camera makes and that meet most lines, so many that are not alike."""
        height_px, width_px = self.away_px.shape
        homographies = homographies[_bent(homographies, width_px, height_px, lens) < BENT]
        order = np.argsort(-_met(homographies, self.away_px, figures), kind="stable")[:FIRST]
        return distinct([Plane(homography=homographies[number]) for number in order], layout, count)


def homographies_onto(quads: Array, figures: Sequence[Array], turns: int = 1) -> Array:
    """Perspectives, (n, 3, 3), that put each of a layout's figures, (4, 2) mm, onto each four-sided one, in so many
    turns."""
    return np.array(
        [
            cv2.getPerspectiveTransform(figure.astype(np.float32), np.roll(quad, turn, axis=0).astype(np.float32))
            for quad in quads
            for figure in figures
            for turn in range(turns)
        ]
    ).reshape(-1, 3, 3)


def distinct(planes: Sequence[Plane], layout: Layout, count: int) -> list[Plane]:
    """The first of each group of perspectives that put the layout to nearly the same place."""
    outline = np.array(layout.outline_mm)
    kept: list[Plane] = []
    seen: list[Array] = []
    for plane in planes:
        corners = map_places(plane.homography, outline)
        width = np.ptp(corners, axis=0).max()
        # The same corners in another order are the same one turned; but one on its side is another one.
        if all(np.linalg.norm(corners[:, None] - other, axis=2).min(axis=1).max() > SAME * width for other in seen):
            kept.append(plane)
            seen.append(corners)
        if len(kept) == count:
            break
    return kept


def _bent(homographies: Array, width_px: int, height_px: int, lens: Lens | None) -> Array:
    """How far perspectives, (n, 3, 3), are from a camera's: angle and log ratio of their axes, at the best focal."""
    least = np.full(len(homographies), np.inf)
    focals = [share * width_px for share in SCAN] if lens is None else [float(lens.matrix[0, 0])]
    for focal in focals:
        inverse = np.linalg.inv(pinhole_matrix(focal, width_px, height_px))
        axes = inverse @ homographies
        one, other = axes[..., 0], axes[..., 1]
        length, other_length = np.linalg.norm(one, axis=1), np.linalg.norm(other, axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            cosine = (one * other).sum(axis=1) / (length * other_length)
            ratio = np.log(length / other_length)
        least = np.fmin(least, np.hypot(cosine, ratio))
    return least


def _met(homographies: Array, away_px: NDArray[np.generic], figures: Sequence[Array]) -> Array:
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
