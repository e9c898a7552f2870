"""Where pins may be: every pose on and around the lane that the picture speaks for, to be chosen from."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.explain import Scene, strength_of
from referee.vision.pins.outlines import Outlines, outlines_of, sampled
from referee.vision.pins.picture import AROUND, Array, Image, Window
from referee.vision.pins.pin import PinSize
from referee.vision.pins.shape import balls_of

LYING: Final = np.pi / 2 + 0.12
"""Tilt of a pin that lies on belly and head."""

UPRIGHT_STEP_MM: Final = 3.0
LYING_STEP_MM: Final = 5.0
DIRECTIONS: Final = 20

LEAST_INSIDE: Final = 0.3
"""Evidence inside below which a pose isn't looked at."""

LEAST_OPEN: Final = 0.05
"""The same of what no known pin explains: who explains no more is not worth a thought."""

NEXT: Final = np.ones((3, 3), dtype=np.uint8)
"""A place and those next to it."""

MOST_UPRIGHT: Final = 60
LEAST_SCORE: Final = 0.25
"""Of inside and outline together, below which a pose is not worth a thought (a pin in plain view has 0.7 to 1)."""

ALONG: Final = (0.35, 0.62, 0.12, 0.85)
"""Where a lying pin is looked for first, along its axis."""

LEAST_ALONG: Final = -0.5
"""Evidence at each of these places below which it isn't there."""

BESIDE: Final = np.array([(-0.15, 0.0), (1.15, 0.0), (0.3, 1.5), (0.3, -1.5), (0.75, 1.0), (0.75, -1.0)])
"""Where the lane should be seen beside it: shares of the height along the axis, radii of the belly across."""

LEAST_GLANCE: Final = 0.4
FIRST: Final = 1200
MOST_GLANCES: Final = 90
MOST_LYING: Final = 24
"""A lying pin in plain view has a first glance of 2; so many of the best are looked at closely."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Candidate:
    """A pose, (5,) as for ``balls_of``, and how much the picture speaks for it, alone."""

    pose: Array
    score: float


class CandidateFinder:
    """Finds poses for one table; what depends on the view alone, and is asked of every pose, is worked out once."""

    def __init__(self, window: Window, size: PinSize) -> None:
        self._window = window
        self._size = size
        layout = window.table.layout
        half = np.array(layout.size_mm) / 2
        self._grid = _grid(half, UPRIGHT_STEP_MM)
        upright = np.zeros((self._grid[..., 0].size, 5))
        upright[:, :2] = self._grid.reshape(-1, 2)
        upright[:, 2] = layout.height_mm
        self._upright = upright
        self._middles = self._cells_up(upright)
        feet = _grid(half + AROUND * size.height_mm, LYING_STEP_MM).reshape(-1, 2)
        turns = np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False)
        lying = np.zeros((len(feet), len(turns), 5))
        lying[:, :, :2] = feet[:, None]
        lying[:, :, 3] = turns[None]
        middles = feet[:, None] + 0.4 * size.height_mm * np.stack([np.cos(turns), np.sin(turns)], axis=1)[None]
        lying[:, :, 2] = np.where((np.abs(middles) <= half).all(axis=2), layout.height_mm, 0.0)
        lying[:, :, 4] = LYING
        self._lying = lying.reshape(-1, 5)
        self._axes = [self._cells_along(feet, turns, lying[:, :, 2], along) for along in ALONG]

    def find(self, scene: Scene) -> list[Candidate]:
        """Poses that stand out."""
        lying, scores = self._find_lying(scene)
        lying, scores = self._settled(lying, scene) if len(lying) else (lying, scores)
        return _candidates(*self._find_upright(scene)) + _candidates(lying, scores)

    def find_roughly(self, scene: Scene) -> list[Candidate]:
        """The same, with lying ones as they were tried, not moved to where they fit."""
        return _candidates(*self._find_upright(scene)) + _candidates(*self._find_lying(scene))

    def find_upright(self, scene: Scene) -> list[Candidate]:
        """Upright ones alone."""
        return _candidates(*self._find_upright(scene))

    def _find_upright(self, scene: Scene) -> tuple[Array, Array]:
        """Upright poses, (n, 5), and their scores, (n,), best first."""
        padded = self._padded(scene.evidence, scene.window)
        # Of a pin that is there most of the middle is seen, or another pin before it.
        likely = np.flatnonzero(padded.take(self._middles).mean(axis=1) > LEAST_INSIDE / 2)
        likely = likely[self._are_new(self._middles[likely], scene)]
        outlines = outlines_of(self._upright[likely], self._size, scene.window)
        padded = np.append(scene.evidence.ravel(), np.float32(0.0))
        inside = np.einsum("ij,ij->i", padded.take(_cells(outlines.inside, scene.window.shape)), outlines.weights)
        some = np.flatnonzero(inside > LEAST_INSIDE)
        scores = np.full(len(self._upright), -1.0)
        scores[likely[some]] = _scores(inside[some], outlines.some(some), scene)
        grid = scores.reshape(self._grid.shape[:2])
        peaks = np.flatnonzero(((grid >= cv2.dilate(grid, NEXT)) & (grid > LEAST_SCORE)).ravel())
        best = peaks[np.argsort(-scores[peaks])][:MOST_UPRIGHT]
        return self._upright[best], scores[best]

    def _find_lying(self, scene: Scene) -> tuple[Array, Array]:
        """Lying poses as they were tried, (n, 5), and their scores, (n,), best first."""
        likely, glance = self._glanced_at(scene)
        likely = likely[self._apart(self._lying[likely], glance, reach=0.6, most=MOST_GLANCES)]
        outlines = outlines_of(self._lying[likely], self._size, scene.window)
        scores = _scores(inside_of(outlines, scene), outlines, scene)
        chosen = self._apart(self._lying[likely], scores, reach=1.0, most=MOST_LYING)
        chosen = [k for k in chosen if scores[k] > LEAST_SCORE]
        return self._lying[likely[chosen]], scores[chosen]

    def _glanced_at(self, scene: Scene) -> tuple[NDArray[np.intp], Array]:
        """The lying poses that a few points speak for, most first, (n,), and how much they do, (n,)."""
        padded = self._padded(scene.evidence, scene.window)
        along = padded.take(self._axes[0])
        likely = np.flatnonzero(along > LEAST_ALONG)
        total = along[likely]
        for cells in self._axes[1:]:
            along = padded.take(cells.take(likely))
            is_pin = along > LEAST_ALONG
            likely, total = likely[is_pin], total[is_pin] + along[is_pin]
        total /= len(self._axes)
        likely, total = likely[total > LEAST_INSIDE], total[total > LEAST_INSIDE]
        is_new = self._are_new(np.stack([cells.take(likely) for cells in self._axes], axis=1), scene)
        likely, total = likely[is_new], total[is_new]
        glance = total - padded.take(self._cells_at(likely, BESIDE[:, 0], BESIDE[:, 1])).mean(axis=1)
        best = np.argsort(-glance)[:FIRST]
        best = best[glance[best] > LEAST_GLANCE]
        return likely[best], glance[best]

    def _settled(self, poses: Array, scene: Scene) -> tuple[Array, Array]:
        """The best of poses, each moved a little, by less than the steps in which they were tried; with scores."""
        for _ in range(2):
            tries = np.concatenate([poses[:, None], poses[:, None] + self._nudges(poses)], axis=1)
            flat = tries.reshape(-1, 5)
            outlines = outlines_of(flat, self._size, scene.window)
            scores = _scores(inside_of(outlines, scene), outlines, scene).reshape(tries.shape[:2])
            best = scores.argmax(axis=1)
            poses = tries[np.arange(len(poses)), best]
        return poses, scores.max(axis=1)

    def _padded(self, image: Image, part: Window) -> Image:
        """Values of a part of the window, (h, w), in all of it, flat, nothing speaking for pins beyond; and 0 last."""
        height, width = self._window.shape
        out = np.full(height * width + 1, -1.0, dtype=np.float32)
        out[-1] = 0.0
        whole = out[:-1].reshape(height, width)
        whole[part.top : part.top + image.shape[0], part.left : part.left + image.shape[1]] = image
        return out

    def _are_new(self, cells: NDArray[np.int32], scene: Scene) -> NDArray[np.bool_]:
        """For which poses more speaks than what known pins explain, (n,); ``cells``: (n, m), flat indices of pixels."""
        if not len(scene.known):
            return np.ones(len(cells), dtype=np.bool_)
        return np.asarray(self._padded(scene.open, scene.window).take(cells).mean(axis=1) > LEAST_OPEN)

    def _nudges(self, poses: Array) -> Array:
        """Small moves of lying pins, (n, m, 5): along, across, and about their middle."""
        step, turn = LYING_STEP_MM / 2, np.pi / DIRECTIONS / 1.5
        moves = np.array([(step, 0, 0), (-step, 0, 0), (0, step, 0), (0, -step, 0), (0, 0, turn), (0, 0, -turn)])
        along = np.stack([np.cos(poses[:, 3]), np.sin(poses[:, 3])], axis=1)
        left = np.stack([-along[:, 1], along[:, 0]], axis=1)
        out = np.zeros((len(poses), len(moves), 5))
        swung = -0.4 * self._size.height_mm * moves[:, 2]
        out[:, :, :2] = moves[None, :, :1] * along[:, None] + (moves[:, 1] + swung)[None, :, None] * left[:, None]
        out[:, :, 3] = moves[None, :, 2]
        return out

    def _apart(self, poses: Array, scores: Array | Image, *, reach: float, most: int) -> list[int]:
        """The best of the poses that are much alike (their middles within ``reach`` radii), best first."""
        ways = np.stack([np.cos(poses[:, 3]), np.sin(poses[:, 3])])
        middles = poses[:, :2].T + 0.4 * self._size.height_mm * ways
        left = np.argsort(-scores)
        found: list[int] = []
        while len(left) and len(found) < most:
            best = left[0]
            found.append(int(best))
            gap_x, gap_y = middles.take(left, axis=1) - middles[:, best, None]
            near = np.flatnonzero(gap_x * gap_x + gap_y * gap_y < (reach * self._size.radius_mm) ** 2)
            turned = ways[:, best] @ ways[:, left[near]] > 1 - reach / 5
            is_left = np.ones(len(left), dtype=np.bool_)
            is_left[near[turned]] = False
            is_left[0] = False
            left = left[is_left]
        return found

    def _cells_up(self, upright: Array) -> NDArray[np.int32]:
        """Flat indices of the pixels in which the balls of upright poses have their middles, (n, k)."""
        balls, _ = balls_of(upright[:1], self._size)
        projection = self._window.projection
        places = projection[:, :2] @ upright[:, :2].T
        x, y, depth = (
            place[:, None] + (row[2] * balls[0, :, 2] + row[3]) for place, row in zip(places, projection, strict=True)
        )
        return _cells(np.stack([x / depth, y / depth], axis=-1).astype(np.float32), self._window.shape)

    def _cells_along(self, feet: Array, turns: Array, heights: Array, along: float) -> NDArray[np.int32]:
        """Flat indices of pixels at one place along the axes of all lying poses, (n,); each foot with each turn.

        A pinhole camera adds up what place, turn and height give.
        """
        projection = self._window.projection.astype(np.float32)
        ahead = along * self._size.height_mm * np.stack([np.cos(turns), np.sin(turns)])
        places = projection[:, :2] @ feet.T.astype(np.float32)
        ways = projection[:, :2] @ ahead.astype(np.float32)
        tops = (heights + 0.8 * self._size.radius_mm).astype(np.float32)
        x, y, depth = (
            places[k][:, None] + ways[k][None] + (projection[k, 2] * tops + projection[k, 3]) for k in range(3)
        )
        return _cells(np.stack([x / depth, y / depth], axis=-1).reshape(-1, 2), self._window.shape)

    def _cells_at(self, which: NDArray[np.intp], along: Array, across: Array) -> NDArray[np.int32]:
        """Flat indices of pixels at places about lying poses, (n, m): shares of the height from its foot, radii of the
        belly to its left; one beyond the last: outside."""
        radius, height = self._size.radius_mm, self._size.height_mm
        x, y, z, turn, _ = self._lying[which].T
        cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
        ahead, left = height * along, radius * across
        points = np.empty((len(which), len(along), 3))
        points[..., 0] = x[:, None] + ahead * cos - left * sin
        points[..., 1] = y[:, None] + ahead * sin + left * cos
        points[..., 2] = z[:, None] + 0.8 * radius
        return _cells(self._window.to_px(points), self._window.shape)


def _candidates(poses: Array, scores: Array) -> list[Candidate]:
    found = zip(poses, scores, strict=True)
    return [Candidate(pose=pose, score=float(score)) for pose, score in found if score > LEAST_SCORE]


def inside_of(outlines: Outlines, scene: Scene) -> Array:
    """Evidence inside of outlines, (n,)."""
    values = sampled(scene.evidence, outlines.inside)
    return np.asarray(np.einsum("ij,ij->i", values, outlines.weights), dtype=np.float64)


def outline_of(outlines: Outlines, scene: Scene) -> Array:
    """How much of an edge there is along outlines, (n,)."""
    edges = outlines.edges
    return np.asarray(
        edges.sums(strength_of(edges, scene)) / np.maximum(outlines.is_edge.sum(axis=1), 1), dtype=np.float64
    )


def _scores(inside: Array, outlines: Outlines, scene: Scene) -> Array:
    """Inside and outline together, (n,): 1 for a pin that stands out sharply, about 0 for what is none."""
    return np.asarray((inside + outline_of(outlines, scene)) / 2, dtype=np.float64)


def _cells(points: Array | Image, shape: tuple[int, int]) -> NDArray[np.int32]:
    x, y = np.rint(points[..., 0]).astype(np.int32), np.rint(points[..., 1]).astype(np.int32)
    height, width = shape
    # Below 0 is far beyond, without a sign.
    is_in = (x.view(np.uint32) < width) & (y.view(np.uint32) < height)
    return np.where(is_in, y * np.int32(width) + x, np.int32(height * width))


def _grid(half_mm: Array, step_mm: float) -> Array:
    """Places, (rows, columns, 2) mm, all over a rectangle about the origin."""
    x, y = (np.arange(-half, half + step_mm, step_mm) for half in half_mm)
    return np.stack(np.meshgrid(x, y), axis=-1)
