"""Where pins may be: every pose on and around the lane that the picture speaks for, to be chosen from."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.explain import Scene, strength_of
from referee.vision.pins.outlines import Outlines, outlines_of, sampled
from referee.vision.pins.picture import AROUND, Array, Image, Window
from referee.vision.pins.pin import PinSize

LYING: Final = np.pi / 2 + 0.12
"""Tilt of a pin that lies on belly and head."""

UPRIGHT_STEP_MM: Final = 3.0
LYING_STEP_MM: Final = 5.0
DIRECTIONS: Final = 20

LEAST_INSIDE: Final = 0.3
"""Evidence inside below which a pose isn't looked at."""

MOST_UPRIGHT: Final = 60
LEAST_SCORE: Final = 0.25
"""Of inside and outline together, below which a pose is not worth a thought (a pin in plain view has 0.7 to 1)."""

ALONG: Final = np.array([0.12, 0.35, 0.62, 0.85])
"""Where a lying pin is looked for first, along its axis."""

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
    """Finds poses for one table; all that depends on the view alone is worked out once."""

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
        self._outlines = outlines_of(upright, size, window)
        self._inside = _cells(self._outlines.inside, window.shape)
        feet = _grid(half + AROUND * size.height_mm, LYING_STEP_MM).reshape(-1, 2)
        turns = np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False)
        lying = np.zeros((len(feet), len(turns), 5))
        lying[:, :, :2] = feet[:, None]
        lying[:, :, 3] = turns[None]
        middles = feet[:, None] + 0.4 * size.height_mm * np.stack([np.cos(turns), np.sin(turns)], axis=1)[None]
        lying[:, :, 2] = np.where((np.abs(middles) <= half).all(axis=2), layout.height_mm, 0.0)
        lying[:, :, 4] = LYING
        self._lying = lying.reshape(-1, 5)
        self._axes = self._cells_at(ALONG, np.zeros(len(ALONG)))
        self._beside = self._cells_at(BESIDE[:, 0], BESIDE[:, 1])

    def find(self, scene: Scene, *, is_rough: bool = False) -> list[Candidate]:
        """Poses that stand out; ``is_rough``: lying ones as they were tried, not moved to where they fit."""
        return self._find_upright(scene) + self._find_lying(scene, is_rough)

    def _find_upright(self, scene: Scene) -> list[Candidate]:
        padded = np.append(scene.evidence.ravel(), np.float32(0.0))
        inside = (padded[self._inside] * self._outlines.weights).sum(axis=1)
        likely = np.flatnonzero(inside > LEAST_INSIDE)
        if not len(likely):
            return []
        scores = np.full(len(inside), -1.0)
        scores[likely] = _scores(inside[likely], self._outlines.some(likely), scene)
        grid = scores.reshape(self._grid.shape[:2])
        windows = np.lib.stride_tricks.sliding_window_view(np.pad(grid, 1, constant_values=-1.0), (3, 3))
        peaks = np.flatnonzero(((grid >= windows.max(axis=(2, 3))) & (grid > LEAST_SCORE)).ravel())
        best = peaks[np.argsort(-scores[peaks])][:MOST_UPRIGHT]
        return [Candidate(pose=self._upright[k], score=float(scores[k])) for k in best]

    def _find_lying(self, scene: Scene, is_rough: bool) -> list[Candidate]:
        padded = np.append(scene.evidence.ravel(), np.float32(0.0))
        along = padded[self._axes]
        likely = np.flatnonzero((along.mean(axis=1) > LEAST_INSIDE) & (along.min(axis=1) > -0.5))
        glance = along[likely].mean(axis=1) - padded[self._beside[likely]].mean(axis=1)
        best = np.argsort(-glance)[:FIRST]
        likely, glance = likely[best][glance[best] > LEAST_GLANCE], glance[best][glance[best] > LEAST_GLANCE]
        if not len(likely):
            return []
        likely = likely[self._apart(self._lying[likely], glance, reach=0.6, most=MOST_GLANCES)]
        outlines = outlines_of(self._lying[likely], self._size, self._window)
        inside = (sampled(scene.evidence, outlines.inside) * outlines.weights).sum(axis=1)
        scores = _scores(inside, outlines, scene)
        chosen = self._apart(self._lying[likely], scores, reach=1.0, most=MOST_LYING)
        poses, scores = self._lying[likely[chosen]], scores[chosen]
        if not is_rough:
            poses, scores = self._settled(poses, scene)
        return [
            Candidate(pose=pose, score=float(score))
            for pose, score in zip(poses, scores, strict=True)
            if score > LEAST_SCORE
        ]

    def _settled(self, poses: Array, scene: Scene) -> tuple[Array, Array]:
        """The best of poses, each moved a little, by less than the steps in which they were tried; with scores."""
        for _ in range(2):
            tries = np.concatenate([poses[:, None], poses[:, None] + self._nudges(poses)], axis=1)
            flat = tries.reshape(-1, 5)
            outlines = outlines_of(flat, self._size, self._window)
            inside = (sampled(scene.evidence, outlines.inside) * outlines.weights).sum(axis=1)
            scores = _scores(inside, outlines, scene).reshape(tries.shape[:2])
            best = scores.argmax(axis=1)
            poses = tries[np.arange(len(poses)), best]
        return poses, scores.max(axis=1)

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
        to_middle = 0.4 * self._size.height_mm
        middles = poses[:, :2] + to_middle * np.stack([np.cos(poses[:, 3]), np.sin(poses[:, 3])], axis=1)
        left = np.ones(len(poses), dtype=np.bool_)
        found: list[int] = []
        for k in np.argsort(-scores):
            if len(found) >= most:
                break
            if left[k]:
                found.append(int(k))
                near = np.hypot(*(middles - middles[k]).T) < reach * self._size.radius_mm
                turned = np.cos(poses[:, 3] - poses[k, 3]) > 1 - reach / 5
                left &= ~(near & turned)
        return found

    def _cells_at(self, along: Array, across: Array) -> NDArray[np.int32]:
        """Flat indices of pixels at places about each lying pose, (n, m): shares of the height from its foot, radii
        of the belly to its left; one beyond the last: outside."""
        radius, height = self._size.radius_mm, self._size.height_mm
        turn = self._lying[:, 3]
        axis = np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=1)
        left = np.stack([-np.sin(turn), np.cos(turn), np.zeros_like(turn)], axis=1)
        points = self._lying[:, None, :3] + along[None, :, None] * height * axis[:, None, :]
        points += across[None, :, None] * radius * left[:, None, :]
        points[:, :, 2] += 0.8 * radius
        return _cells(self._window.to_px(points), self._window.shape)


def _scores(inside: Array, outlines: Outlines, scene: Scene) -> Array:
    """Inside and outline together, (n,): 1 for a pin that stands out sharply, about 0 for what is none."""
    edges = outlines.edges
    outline = edges.sums(strength_of(edges, scene)) / np.maximum(outlines.is_edge.sum(axis=1), 1)
    return np.asarray((inside + outline) / 2, dtype=np.float64)


def _cells(points: Array | Image, shape: tuple[int, int]) -> NDArray[np.int32]:
    x, y = np.round(points[..., 0]).astype(np.int32), np.round(points[..., 1]).astype(np.int32)
    height, width = shape
    is_in = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    return np.where(is_in, y * width + x, height * width).astype(np.int32)


def _grid(half_mm: Array, step_mm: float) -> Array:
    """Places, (rows, columns, 2) mm, all over a rectangle about the origin."""
    x, y = (np.arange(-half, half + step_mm, step_mm) for half in half_mm)
    return np.stack(np.meshgrid(x, y), axis=-1)
