"""What a calibration stands on: the layout's markers as found, or four corners that a person gave."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.errors import BadCalibration
from calibration.markers import SeenMarker
from calibration.outline import room_mm
from calibration.parts import Layout
from calibration.solve import Sighting, View

Array = NDArray[np.float64]

CORNER_NAMES: Final = ("SW", "SE", "NE", "NW")
CORNER_REMEDY: Final = "give SW SE NE NW: near left, near right, far right, far left of the board's top face"
# People click on a corner to this many pixels, one standard deviation; finer where pictures are small.
CLICK_PX: Final = 1.0
# Corners of markers are found to this, and a printer or a bright light changes their size by this share.
MARKER_PX: Final = 0.4
MARKER_SCALE_SPREAD: Final = 0.02
# Corners nearer to each other than this are a slip of the hand.
LEAST_SIDE_PX: Final = 20.0
# How far outside of the picture a corner may be given: a click on its very border.
OUTSIDE_PX: Final = 2.0
OUTSIDE_SHARE: Final = 0.2
# Corners that the board all but touches in the picture count as hidden.
NEAR_MM: Final = 3.0
# Misses of markers beyond which they contradict the layout: in pixels, or as a share of their sides.
MARKER_LIMIT_PX: Final = 1.0
MARKER_LIMIT_SIDES: Final = 0.02
# A corner this far from where the others say is another thing, as long as no more than this share of them is odd.
ODD_PX: Final = 0.8
MOST_ODD: Final = 0.34


def corner_sighting(
    corners_px: Sequence[tuple[float, float]],
    layout: Layout,
    width_px: int,
    height_px: int,
    *,
    places_mm: Sequence[tuple[float, float, float]] | None = None,
) -> Sighting:
    """Four given corners of the top face, or of ``places_mm``, as a sighting.

    Raises BadCalibration for what can't be a board's corners.
    """
    # Of a board with more corners those of the square around it are given, which may lie a little outside.
    margin_px = OUTSIDE_PX if len(layout.outline_mm) == 4 else OUTSIDE_SHARE * width_px
    corners = _checked_corners(corners_px, width_px, height_px, margin_px)
    base_mm = np.array(layout.corners_mm if places_mm is None else places_mm)
    return Sighting(base_mm=base_mm, spread_mm=np.zeros_like(base_mm), seen_px=corners, sigma_px=CLICK_PX)


def _checked_corners(
    corners_px: Sequence[tuple[float, float]], width_px: int, height_px: int, margin_px: float
) -> Array:
    if len(corners_px) != 4:
        raise BadCalibration(f"{len(corners_px)} corners are given, four are needed", "--corners", CORNER_REMEDY)
    corners = np.array(corners_px, dtype=np.float64).reshape(4, 2)
    for name, (x, y) in zip(CORNER_NAMES, corners.tolist(), strict=True):
        if not (math.isfinite(x) and math.isfinite(y)):
            raise BadCalibration(f"corner {name} is no place", "--corners", CORNER_REMEDY)
        inside_x = -margin_px <= x <= width_px - 1 + margin_px
        if not (inside_x and -margin_px <= y <= height_px - 1 + margin_px):
            wrong = f"corner {name} at {x:g},{y:g} lies outside the picture of {width_px}x{height_px}"
            raise BadCalibration(wrong, "--corners", "give corners in pixels of this video, all four in view")
    sides = np.roll(corners, -1, axis=0) - corners
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    if (np.hypot(sides[:, 0], sides[:, 1]) < LEAST_SIDE_PX).any():
        raise BadCalibration("two corners are given at nearly the same place", "--corners", CORNER_REMEDY)
    if (turns > 0).all():
        raise BadCalibration("the corners run the wrong way round, as in a mirror", "--corners", CORNER_REMEDY)
    if not (turns < 0).all():
        raise BadCalibration("the corners cross over or bend inwards", "--corners", CORNER_REMEDY)
    return corners


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MarkerAnchors:
    """Markers as found; ``usable``: (n, 4) which of their corners count."""

    seen: tuple[SeenMarker, ...]
    usable: NDArray[np.bool_]

    def sighting(self) -> Sighting:
        """The usable corners."""
        centres = np.array([(s.marker.x_mm, s.marker.y_mm, s.marker.z_mm) for s in self.seen])
        base_mm = np.repeat(centres, 4, axis=0)
        corners_mm = np.concatenate([np.array(s.marker.corners_mm) for s in self.seen])
        counts = self.usable.ravel()
        return Sighting(
            base_mm=base_mm[counts],
            spread_mm=(corners_mm - base_mm)[counts],
            seen_px=np.concatenate([s.corners_px for s in self.seen])[counts],
            sigma_px=MARKER_PX,
            scale_spread=MARKER_SCALE_SPREAD,
        )

    def without_hidden(self, layout: Layout, camera: CameraModel) -> "MarkerAnchors":
        """Leave out corners that the board hides from the camera: what was taken for them is the board's edge."""
        hidden = [[_is_hidden(corner, layout, camera) for corner in s.marker.corners_mm] for s in self.seen]
        return MarkerAnchors(seen=self.seen, usable=self.usable & ~np.array(hidden))

    def without_odd(self, view: View, fewest: int = 4) -> "MarkerAnchors":
        """Leave out corners that lie far from where all others say; everything stays where that would be many, or where
        fewer than ``fewest`` would be left."""
        errors_px = view.errors_px(0, self.sighting())
        odd = errors_px > max(ODD_PX, 4 * float(np.median(errors_px)))
        if odd.mean() > MOST_ODD or (~odd).sum() < fewest:
            return self
        usable = self.usable.copy()
        usable[usable] = ~odd
        return MarkerAnchors(seen=self.seen, usable=usable)

    def without(self, number: int) -> "MarkerAnchors":
        """Leave out one marker whole."""
        usable = self.usable.copy()
        usable[number] = False
        return MarkerAnchors(seen=self.seen, usable=usable)

    @property
    def left_out(self) -> tuple[int, ...]:
        """Ids of markers of which not one corner counts."""
        return tuple(s.marker.id for s, usable in zip(self.seen, self.usable, strict=True) if not usable.any())

    @property
    def side_px(self) -> float:
        """How long the sides of the markers are in the picture, on average."""
        sides = [np.linalg.norm(s.corners_px - np.roll(s.corners_px, 1, axis=0), axis=1).mean() for s in self.seen]
        return float(np.mean(sides))

    @property
    def limit_px(self) -> float:
        """The root mean square miss beyond which markers contradict the layout."""
        return max(MARKER_LIMIT_PX, MARKER_LIMIT_SIDES * self.side_px)


def marker_anchors(seen: Sequence[SeenMarker]) -> tuple[MarkerAnchors, tuple[int, ...]]:
    """Anchors of the markers seen, and the ids of those that lie turned (which is put right here).

    Layouts say where markers lie, not how people turn them. Markers share a plane up to their heights: the turns that
    one perspective explains best are the true ones; upright unless others explain much better.
    """
    turns = _turns(seen) if len(seen) > 1 else (0,) * len(seen)
    turned = [replace(s, corners_px=np.roll(s.corners_px, turn, axis=0)) for s, turn in zip(seen, turns, strict=True)]
    ids = tuple(s.marker.id for s, turn in zip(seen, turns, strict=True) if turn)
    return MarkerAnchors(seen=tuple(turned), usable=np.ones((len(seen), 4), dtype=bool)), ids


def _turns(seen: Sequence[SeenMarker]) -> tuple[int, ...]:
    flat = [np.array(s.marker.corners_mm)[:, :2] for s in seen]
    corners = [s.corners_px for s in seen]
    first = min(3, len(seen))
    best, least = (0,) * len(seen), math.inf
    for trial in product(range(4), repeat=first):
        plane = np.concatenate(flat[:first])
        picture = np.concatenate([np.roll(c, turn, axis=0) for c, turn in zip(corners[:first], trial, strict=True)])
        homography, _ = cv2.findHomography(plane, picture)
        if homography is None:
            continue
        turns, total = [], 0.0
        for marker, corner in zip(flat, corners, strict=True):
            there = cv2.perspectiveTransform(marker[:, None], homography)[:, 0]
            misses = [float(np.linalg.norm(np.roll(corner, turn, axis=0) - there, axis=1).mean()) for turn in range(4)]
            turns.append(int(np.argmin(misses)))
            total += min(misses) / len(seen)
        if trial == (0,) * first:
            # Upright is what layouts mean: anything else has to be clearly better.
            total = total / 3
        if total < least:
            best, least = tuple(turns), total
    return best


def _is_hidden(corner_mm: tuple[float, float, float], layout: Layout, camera: CameraModel) -> bool:
    """Whether the way from a place on the table to the camera leads through the board."""
    place, eye = np.array(corner_mm), camera.centre_mm
    if place[2] >= layout.height_mm or eye[2] <= layout.height_mm:
        return False
    up = (layout.height_mm - place[2]) / (eye[2] - place[2])
    for share in np.linspace(0, up, 12):
        x, y, _ = place + (eye - place) * share
        if room_mm((float(x), float(y)), layout.outline_mm) > -NEAR_MM:
            return True
    return False
