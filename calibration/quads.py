"""Four-sided figures among the straight lines of a picture, whatever they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Straight lines are looked for in a picture about this wide.
FINE_PX: Final = 640
# Pieces of one line lie within this share of the picture's width of it.
ON_LINE: Final = 0.0025
# Shorter pieces, as a share of the width, are grain; so many of the longest lines are looked at.
LEAST_LENGTH: Final = 0.02
MOST_LINES: Final = 40
# Which part of a side has to be drawn, and how long one is at least, as a share of the width.
LEAST_DRAWN: Final = 0.2
LEAST_SIDE: Final = 0.06
# Corners may lie this far outside of the picture, as a share of its size.
MARGIN: Final = 0.05
# Neighbouring sides meet at an angle whose sine is at least this.
LEAST_SINE: Final = 0.2

# Faces are bordered by edges of this many levels in a picture so much softened, and are as large as this share of it.
EDGE: Final = 40.0
SMOOTH_PX: Final = 1.0
LEAST_FACE: Final = 0.01
MOST_FACES: Final = 12
# Corners may be cut off by these shares of the way around, the least first.
CUTS: Final = (0.01, 0.02, 0.03, 0.045, 0.06)


def find_segments(plane: NDArray[np.uint8], width_px: int) -> Array:
    """Straight pieces in a plane, (n, 2, 2): both ends in pixels of a picture of some width."""
    scale = width_px / plane.shape[1]
    coarser = max(1, round(plane.shape[1] / FINE_PX))
    small = cv2.resize(plane, (plane.shape[1] // coarser, plane.shape[0] // coarser), interpolation=cv2.INTER_AREA)
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(small)[0]
    if found is None:
        return np.zeros((0, 2, 2))
    ends = np.asarray(found, dtype=np.float64).reshape(-1, 2, 2)
    return np.asarray((ends + 0.5) * (coarser * scale) - 0.5)


def find_quads(segments: Array, width_px: int, height_px: int) -> Array:
    """Corners of four-sided figures, (n, 4, 2), counter-clockwise for the eye, the best drawn first."""
    lines = _lines(segments, width_px)
    if len(lines) < 4:
        return np.zeros((0, 4, 2))
    corners = _crossings(lines)
    count = len(lines)
    margin = MARGIN * width_px
    limits = (width_px + margin, height_px + margin)
    inside = np.asarray(((corners > -margin) & (corners < limits)).all(axis=2), dtype=np.bool_).reshape(count, count)
    # drawn[i, j, l]: which part of line i is drawn between its crossings with j and l.
    drawn = np.zeros((count, count, count))
    for number, line in enumerate(lines):
        at = line.along(corners[number])
        usable = inside[number][:, None] & inside[number][None]
        usable &= np.abs(at[:, None] - at[None]) > LEAST_SIDE * width_px
        drawn[number] = np.where(usable, line.drawn(at), 0.0)
    enough = drawn > LEAST_DRAWN
    # Sides i and k face each other, as do j and l: i crosses j and l, and so does k.
    four = enough[:, :, None, :] & enough.transpose(1, 0, 2)[None, :, :, :]
    four &= enough.transpose(1, 0, 2)[:, :, :, None] & enough.transpose(1, 2, 0)[:, None, :, :]
    i, j, k, l_ = np.nonzero(four)
    once = (i < k) & (j < l_) & (i < j)
    i, j, k, l_ = (numbers[once] for numbers in (i, j, k, l_))
    worth = drawn[i, j, l_] + drawn[k, j, l_] + drawn[j, i, k] + drawn[l_, i, k]
    quads = np.stack([corners[i, j], corners[j, k], corners[k, l_], corners[l_, i]], axis=1)
    quads, convex = _counter_clockwise(quads)
    order = np.argsort(-worth[convex], kind="stable")
    return quads[convex][order]


def find_faces(planes: Sequence[NDArray[np.uint8]], width_px: int, height_px: int) -> Array:
    """Corners of smooth four-sided faces, (n, 4, 2), counter-clockwise for the eye, the largest first.

    Among the many lines of a patterned cloth the face that has none stands out.
    """
    size = (FINE_PX, round(FINE_PX * height_px / width_px))
    edges = np.zeros(size[::-1], dtype=np.uint8)
    for plane in planes:
        soft = cv2.GaussianBlur(cv2.resize(plane, size, interpolation=cv2.INTER_AREA), (0, 0), SMOOTH_PX)
        edges |= np.asarray(cv2.Canny(soft, EDGE / 2, EDGE), dtype=np.uint8)
    smooth = np.asarray(cv2.dilate(edges, np.ones((3, 3), dtype=np.uint8)) == 0, dtype=np.uint8)
    outlines, _ = cv2.findContours(smooth, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    hulls = sorted((cv2.convexHull(outline) for outline in outlines), key=cv2.contourArea, reverse=True)
    area_px = LEAST_FACE * size[0] * size[1]
    faces = [_four_corners(hull) for hull in hulls if cv2.contourArea(hull) > area_px][:MOST_FACES]
    found = [face for face in faces if face is not None]
    if not found:
        return np.zeros((0, 4, 2))
    quads, convex = _counter_clockwise(np.array(found, dtype=np.float64))
    return np.asarray((quads[convex] + 0.5) * (width_px / size[0]) - 0.5)


def _four_corners(hull: cv2.typing.MatLike) -> Array | None:
    """The corners of a hull, (4, 2), of which small cuts are taken for hidden corners; None where it has others."""
    around_px = cv2.arcLength(hull, True)
    for share in CUTS:
        corners = cv2.approxPolyDP(hull, share * around_px, True).reshape(-1, 2)
        if len(corners) <= 4:
            return np.asarray(corners, dtype=np.float64) if len(corners) == 4 else None
    return None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Line:
    """A straight line: a point of it and its direction, (2,); ``sum_px``: what is drawn up to each pixel along it."""

    point: Array
    direction: Array
    first_px: float
    sum_px: Array

    def along(self, points_px: Array) -> Array:
        """How far along the line points, (n, 2), are; those that are nowhere at 0."""
        known = np.where(np.isfinite(points_px), points_px, self.point)
        return np.asarray((known - self.point) @ self.direction, dtype=np.float64)

    def drawn(self, at: Array) -> Array:
        """Which part is drawn between places along the line, (n, n)."""
        cells = np.clip(np.rint(at - self.first_px).astype(np.intp), 0, len(self.sum_px) - 1)
        total = np.abs(self.sum_px[cells][:, None] - self.sum_px[cells][None])
        return np.asarray(total / np.maximum(np.abs(at[:, None] - at[None]), 1.0), dtype=np.float64)


def _lines(segments: Array, width_px: int) -> list[_Line]:
    """Pieces in line taken together; the lines of which most is drawn."""
    length = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
    left = segments[np.argsort(-length)][: int((length > LEAST_LENGTH * width_px).sum())]
    lines: list[tuple[float, _Line]] = []
    while len(left):
        on = np.zeros(len(left), dtype=bool)
        on[0] = True
        point, direction = _fit(left[on])
        for _ in range(2):
            normal = np.array([-direction[1], direction[0]])
            on = (np.abs((left - point) @ normal) < ON_LINE * width_px).all(axis=1)
            on[0] = True
            point, direction = _fit(left[on])
        spans = np.sort((left[on] - point) @ direction, axis=1)
        first, last = float(spans.min()), float(spans.max())
        is_drawn = np.zeros(int(np.ceil(last - first)) + 2)
        for start, end in (spans - first).tolist():
            is_drawn[round(start) : round(end) + 1] = 1.0
        line = _Line(point=point, direction=direction, first_px=first, sum_px=np.cumsum(is_drawn))
        lines.append((float(is_drawn.sum()), line))
        left = left[~on]
    lines.sort(key=lambda entry: -entry[0])
    return [line for _, line in lines[:MOST_LINES]]


def _fit(segments: Array) -> tuple[Array, Array]:
    """A point and the direction of the line through pieces, (n, 2, 2), longer ones counting more."""
    weights = np.repeat(np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1), 2)
    points = segments.reshape(-1, 2)
    middle = (points * weights[:, None]).sum(axis=0) / max(float(weights.sum()), 1e-9)
    direction = np.linalg.svd((points - middle) * np.sqrt(weights)[:, None])[2][0]
    return middle, direction


def _crossings(lines: Sequence[_Line]) -> Array:
    """Where each line crosses each other one, (n, n, 2); NaN where they are nearly parallel."""
    points = np.array([line.point for line in lines])
    directions = np.array([line.direction for line in lines])
    sine = directions[:, None, 0] * directions[None, :, 1] - directions[:, None, 1] * directions[None, :, 0]
    between = points[None] - points[:, None]
    reach = between[..., 0] * directions[None, :, 1] - between[..., 1] * directions[None, :, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(np.abs(sine) > LEAST_SINE, reach / sine, np.nan)
    return np.asarray(points[:, None] + share[..., None] * directions[:, None], dtype=np.float64)


def _counter_clockwise(quads: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Figures with their corners counter-clockwise for the eye (the picture's y runs down), and which are convex."""
    sides = np.roll(quads, -1, axis=1) - quads
    after = np.roll(sides, -1, axis=1)
    turns = sides[..., 0] * after[..., 1] - sides[..., 1] * after[..., 0]
    convex = np.asarray((turns > 0).all(axis=1) | (turns < 0).all(axis=1))
    clockwise = turns.sum(axis=1) > 0
    quads[clockwise] = quads[clockwise, ::-1]
    return quads, convex
