"""Where pins may be: every pose on and around the lane that the picture speaks for, to be chosen from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.above import Grid
from referee.vision.pins.explain import Scene, strength_of
from referee.vision.pins.outlines import Outlines, outlines_of, sampled_at
from referee.vision.pins.picture import AROUND, Array, Image, Window
from referee.vision.pins.pin import PinSize
from referee.vision.pins.shape import heights_of

LYING: Final = np.pi / 2 + 0.12
"""Tilt of a pin that lies on belly and head."""

UPRIGHT_STEP_MM: Final = 3.0
LYING_STEP_MM: Final = 5.0
DIRECTIONS: Final = 20
TURNS: Final = np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False)
WAYS: Final = np.stack([np.cos(TURNS), np.sin(TURNS)])
"""Turns of lying pins, and where their heads then point to, (2, directions)."""

FINER: Final = 3
BEYOND: Final = 1.15
MIDDLE: Final = 0.8
"""How much finer than places are the points are that lying ones are told by; how far from their feet these are, in
heights of a pin, and how high, in radii of its belly."""

SOME: Final = 16
"""Poses of which those apart are told at once."""

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
    """Finds poses for one table."""

    def __init__(self, window: Window, size: PinSize) -> None:
        self._window = window
        self._size = size
        layout = window.table.layout
        self._top_mm = layout.height_mm
        half = np.array(layout.size_mm) / 2
        self._lid = Grid.over(half, UPRIGHT_STEP_MM)
        self._feet = Grid.over(half + AROUND * size.height_mm, LYING_STEP_MM)
        # Around the feet there is room for heads, and for what is beside them.
        self._ground = self._feet.finer(FINER, BEYOND * size.height_mm + 2 * size.radius_mm)
        feet = self._feet.places_mm
        x, y = feet[:, None] + 0.4 * size.height_mm * WAYS[:, :, None]
        is_off = (np.abs(x) > half[0]) | (np.abs(y) > half[1])
        # Of lying pins: those on the lid are looked for in one picture, those off it in another one after that.
        self._cells = self._ground.cells_at(feet) + is_off * np.int32(self._ground.count)
        along = size.height_mm * np.array(ALONG)[:, None]
        self._along = self._ground.cells_away(WAYS[:, None] * along)
        ahead, left = size.height_mm * BESIDE[:, :1], size.radius_mm * BESIDE[:, 1:]
        self._beside = self._ground.cells_away(ahead * WAYS[:, None] + left * np.stack([-WAYS[1], WAYS[0]])[:, None])

    def find(self, scene: Scene) -> list[Candidate]:
        """Poses that stand out."""
        lying, scores = self._find_lying(scene)
        lying, scores = self._settled(lying, scene) if len(lying) else (lying, scores)
        return _candidates(*self._find_upright(scene)) + _candidates(lying, scores)

    def find_upright(self, scene: Scene) -> list[Candidate]:
        """Upright ones alone."""
        return _candidates(*self._find_upright(scene))

    def find_lying(self, scene: Scene) -> list[Candidate]:
        """Lying ones alone, as they were tried, not moved to where they fit."""
        return _candidates(*self._find_lying(scene))

    def _find_upright(self, scene: Scene) -> tuple[Array, Array]:
        """Upright poses, (n, 5), and their scores, (n,), best first."""
        # Of a pin that is there most of the middle is seen, or another pin before it.
        likely = np.flatnonzero(self._along_middles(scene.evidence, scene.window) > LEAST_INSIDE / 2)
        if len(scene.known):
            likely = likely[self._along_middles(scene.open, scene.window)[likely] > LEAST_OPEN]
        poses = np.zeros((len(likely), 5))
        poses[:, :2] = self._lid.places_mm.T[likely]
        poses[:, 2] = self._top_mm
        outlines = outlines_of(poses, self._size, scene.window)
        inside = inside_of(outlines, scene)
        some = np.flatnonzero(inside > LEAST_INSIDE)
        scores = _scores(inside[some], outlines.some(some), scene)
        grid = np.full((self._lid.rows, self._lid.columns), -1.0)
        grid.ravel()[likely[some]] = scores
        is_peak = ((grid >= cv2.dilate(grid, NEXT)) & (grid > LEAST_SCORE)).ravel()
        peaks = np.flatnonzero(is_peak[likely[some]])
        best = peaks[np.argsort(-scores[peaks])][:MOST_UPRIGHT]
        return poses[some[best]], scores[best]

    def _find_lying(self, scene: Scene) -> tuple[Array, Array]:
        """Lying poses as they were tried, (n, 5), and their scores, (n,), best first."""
        poses, glance = self._glanced_at(scene)
        poses = poses[self._apart(poses, glance, reach=0.6, most=MOST_GLANCES)]
        outlines = outlines_of(poses, self._size, scene.window)
        scores = _scores(inside_of(outlines, scene), outlines, scene)
        chosen = self._apart(poses, scores, reach=1.0, most=MOST_LYING)
        chosen = [k for k in chosen if scores[k] > LEAST_SCORE]
        return poses[chosen], scores[chosen]

    def _glanced_at(self, scene: Scene) -> tuple[Array, Array]:
        """The lying poses that a few points speak for, most first, (n, 5), and how much they do, (n,)."""
        ground = self._seen_lying(scene.evidence, scene.window)
        along = ground.take(self._cells + self._along[0][:, None])
        likely = np.flatnonzero(along > LEAST_ALONG)
        total = along.ravel().take(likely)
        for away in self._along[1:]:
            along = ground.take(self._cells_of(likely, away))
            is_pin = along > LEAST_ALONG
            likely, total = likely[is_pin], total[is_pin] + along[is_pin]
        total /= len(self._along)
        is_likely = total > LEAST_INSIDE
        if len(scene.known):
            left = self._seen_lying(scene.open, scene.window)
            is_likely &= _mean([left.take(self._cells_of(likely, away)) for away in self._along]) > LEAST_OPEN
        likely, total = likely[is_likely], total[is_likely]
        glance = total - _mean([ground.take(self._cells_of(likely, away)) for away in self._beside])
        best = np.argsort(-glance)[:FIRST]
        best = best[glance[best] > LEAST_GLANCE]
        return self._lying(likely[best]), glance[best]

    def _cells_of(self, which: NDArray[np.intp], away: NDArray[np.int32]) -> NDArray[np.int32]:
        """Where some of the lying poses that are looked for have a point, that is ``away`` of their feet, (ways,)."""
        return np.asarray(self._cells.take(which) + away.take(which // self._feet.count), dtype=np.int32)

    def _lying(self, which: NDArray[np.intp]) -> Array:
        """Some of the lying poses that are looked for, (n, 5)."""
        poses = np.empty((len(which), 5))
        turns = which // self._feet.count
        poses[:, :2] = self._feet.places_mm.T[which - turns * self._feet.count]
        poses[:, 2] = np.where(self._cells.take(which) < self._ground.count, self._top_mm, 0.0)
        poses[:, 3] = TURNS[turns]
        poses[:, 4] = LYING
        return poses

    def _along_middles(self, image: Image, part: Window) -> Image:
        """A picture's values along the axes of pins that stand at all places of the lid, on average, (n,)."""
        whole = self._in_whole(image, part)
        levels = self._top_mm + heights_of(self._size)[0]
        return _mean([self._lid.seen(whole, self._window.projection, level).ravel() for level in levels.tolist()])

    def _seen_lying(self, image: Image, part: Window) -> Image:
        """A picture's values as seen from above, at the level of pins that lie on the lid, then of those off it."""
        whole = self._in_whole(image, part)
        levels = (self._top_mm + MIDDLE * self._size.radius_mm, MIDDLE * self._size.radius_mm)
        return np.concatenate([self._ground.seen(whole, self._window.projection, level).ravel() for level in levels])

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

    def _in_whole(self, image: Image, part: Window) -> Image:
        """A picture of a part of the window in all of it, nothing speaking for pins beyond."""
        if not part.is_part:
            return image
        whole = np.full(self._window.shape, -1.0, dtype=np.float32)
        whole[part.top : part.top + image.shape[0], part.left : part.left + image.shape[1]] = image
        return whole

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
            first, left = left[:SOME], left[SOME:]
            alike = self._are_alike(middles, ways, first, first, reach)
            picked: list[int] = []
            for k in range(len(first)):
                if not alike[k, picked].any():
                    picked.append(k)
            found += first[picked].tolist()
            left = left[~self._are_alike(middles, ways, first[picked], left, reach).any(axis=0)]
        return found[:most]

    def _are_alike(
        self, middles: Array, ways: Array, some: NDArray[np.intp], others: NDArray[np.intp], reach: float
    ) -> NDArray[np.bool_]:
        """Which of some poses are much like which others, (n, m)."""
        gap_x, gap_y = (each[some][:, None] - each[others] for each in middles)
        along, across = (each[some][:, None] * each[others] for each in ways)
        is_near = gap_x * gap_x + gap_y * gap_y < (reach * self._size.radius_mm) ** 2
        return np.asarray(is_near & (along + across > 1 - reach / 5), dtype=np.bool_)


def _candidates(poses: Array, scores: Array) -> list[Candidate]:
    found = zip(poses, scores, strict=True)
    return [Candidate(pose=pose, score=float(score)) for pose, score in found if score > LEAST_SCORE]


def inside_of(outlines: Outlines, scene: Scene) -> Array:
    """Evidence inside of outlines, (n,)."""
    values = sampled_at(scene.evidence, *outlines.inside).sum(axis=0)
    return np.asarray((values * outlines.weights).sum(axis=0), dtype=np.float64)


def outline_of(outlines: Outlines, scene: Scene) -> Array:
    """How much of an edge there is along outlines, (n,)."""
    edges = outlines.edges
    return np.asarray(
        edges.sums(strength_of(edges, scene)) / np.repeat(np.maximum(edges.counts, 1), outlines.alike), dtype=np.float64
    )


def _scores(inside: Array, outlines: Outlines, scene: Scene) -> Array:
    """Inside and outline together, (n,): 1 for a pin that stands out sharply, about 0 for what is none."""
    return np.asarray((inside + outline_of(outlines, scene)) / 2, dtype=np.float64)


def _mean(values: Sequence[Image]) -> Image:
    """Mean of several arrays of one shape."""
    return np.asarray(sum(values[1:], values[0]) / np.float32(len(values)), dtype=np.float32)
