"""Pins moved until they fit the picture, and other poses weighed that would look much the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.candidates import LYING
from referee.vision.pins.explain import (
    EDGE_WORTH,
    HIDDEN,
    LEANING_PRICE,
    LYING_PRICE,
    TAKEN,
    Cover,
    Judged,
    Scene,
    distance_mm,
    judged,
)
from referee.vision.pins.outlines import mask_of, outlines_of
from referee.vision.pins.picture import Array
from referee.vision.pins.shape import balls_of

LEAST_LEAN: Final = np.radians(9.0)
"""Tilt from which a pin leans: standing ones are upright to a degree or two, and this much shifts a head by a
sixth of the height."""

LYING_FROM: Final = np.radians(70.0)

LEANS: Final = np.radians([12.0, 20.0, 32.0])
PLAIN: Final = 0.93
"""Fit from which a standing pin is taken to stand: one that fell away from the camera
or towards it covers nearly the same, but not as well, and is rare."""

MOST_MOVES: Final = 4
"""Steps of one size that a pin may take."""

NOTHING: Final = -1.0
NO_HOLD: Final = 0.5
HOLD: Final = 0.5
"""How far, in radii of the belly, a pin that another one holds may seem to be from it."""

AZIMUTHS: Final = np.linspace(0.0, 2 * np.pi, 8, endpoint=False)
TURNS: Final = np.linspace(0.0, 2 * np.pi, 16, endpoint=False)
MASS: Final = 0.4
"""Where a pin's centre of mass is, as a share of its height."""

BELLY: Final = 0.3
"""Where the belly is, as a share of the height."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Fit:
    """A pin in its place.

    ``inside``, ``outline``: how well the visible part fits, -1 to 1; ``visible``: share of it that no other pin hides;
    ``worth``: how much of the picture it explains; ``unit``: what an upright pin in plain view would explain there;
    ``upright``, ``tilted``: scores of the best explanation of each kind: worth in units, and how well that fits.
    """

    pose: Array
    inside: float
    outline: float
    visible: float
    worth: float
    unit: float
    upright: float
    tilted: float

    @property
    def quality(self) -> float:
        """How well what is seen of it fits, 1 where all does."""
        return (self.inside + EDGE_WORTH * self.outline) / (1 + EDGE_WORTH)


def fitted(poses: Sequence[Array], scene: Scene) -> list[Fit]:
    """Fit chosen poses to a scene, all together, and weigh those that may as well be something else."""
    current = np.array(poses).reshape(-1, 5)
    if not len(current):
        return []
    for steps_mm in ((2.5, 1.2), (1.2, 0.6)):
        current = _Fitter.among(current, scene).moved(current, np.arange(len(current)), steps_mm)
    # Pins that share pixels would push each other away: for its exact place each takes all it can.
    current = _Fitter.among(current, scene, is_sharing=True).moved(current, np.arange(len(current)), (0.6, 0.3))
    fits: list[Fit] = []
    fitter = _Fitter.among(current, scene)
    for k in range(len(current)):
        fits.append(fitter.weighed(current[k], k))
        if not np.array_equal(fits[k].pose, current[k]):
            current[k] = fits[k].pose
            fitter = _Fitter.among(current, scene)
    return fits


@dataclass(frozen=True, kw_only=True, eq=False)
class _Fitter:
    """Pins at ``poses``, (k, 5), and what the others hide and explain of each: ``covers``, (k, h, w)."""

    scene: Scene
    poses: Array
    covers: Cover

    @classmethod
    def among(cls, poses: Array, scene: Scene, *, is_sharing: bool = False) -> Self:
        """Pins among each other; ``is_sharing``: what a pin in front leaves of them, pins behind explain together."""
        outlines = outlines_of(poses, scene.size, scene.window)
        masks = np.stack([mask_of(outlines, k, scene.evidence.shape) for k in range(len(poses))])
        covers = np.zeros(masks.shape, dtype=np.uint8)
        nearer = np.zeros(scene.evidence.shape, dtype=np.uint8)
        count = masks.sum(axis=0, dtype=np.uint8)
        for k in sorted(range(len(poses)), key=lambda k: distance_mm(poses[k], scene)):
            covers[k] = nearer * (HIDDEN | TAKEN)
            if not is_sharing:
                covers[k] |= (count > masks[k]).view(np.uint8) * np.uint8(TAKEN)
            nearer |= masks[k].view(np.uint8)
        return cls(scene=scene, poses=poses, covers=covers)

    def _judged(self, poses: Array, of: NDArray[np.intp]) -> Judged:
        return judged(poses, self.scene, self.covers, of)

    def _fits(self, poses: Array, of: NDArray[np.intp]) -> Array:
        return np.asarray(self._judged(poses, of).fit - NO_HOLD * self._would_fall(poses, of), dtype=np.float64)

    def _would_fall(self, poses: Array, of: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which poses, (n, 5), neither stand nor lie on the lid, nor lean on another pin there: (n,)."""
        leaning = (poses[:, 4] > LEAST_LEAN) & (poses[:, 4] < LYING_FROM)
        out = leaning.copy()
        tilted = np.flatnonzero(leaning)
        if len(tilted):
            balls, radii = balls_of(poses[tilted], self.scene.size)
            about, _ = balls_of(self.poses, self.scene.size)
            gaps = np.linalg.norm(balls[:, None, :, None] - about[None, :, None], axis=-1)
            room = (gaps - radii[:, None] - radii[None]).min(axis=(2, 3))
            room[np.arange(len(tilted)), of[tilted]] = np.inf
            out[tilted] = room.min(axis=1) > HOLD * self.scene.size.radius_mm
        reach = MASS * self.scene.size.height_mm * np.sin(poses[:, 4])
        x, y = poses[:, 0] + reach * np.cos(poses[:, 3]), poses[:, 1] + reach * np.sin(poses[:, 3])
        beside = ~self.scene.is_over_lid(x, y)
        return np.asarray(out | (beside & (poses[:, 2] >= self.scene.window.table.layout.height_mm)), dtype=np.bool_)

    def moved(self, poses: Array, of: NDArray[np.intp], steps_mm: Sequence[float]) -> Array:
        """The poses nearby, (n, 5), that fit best, each of its kind."""
        best, fit = poses.copy(), self._fits(poses, of)
        for step in steps_mm:
            active = np.arange(len(best))
            for _ in range(MOST_MOVES):
                tries = [best[k] + _offsets(best[k], step, self.scene.size.height_mm) for k in active]
                counts = np.array([len(some) for some in tries])
                values = self._fits(np.concatenate(tries), np.repeat(of[active], counts))
                starts = np.concatenate([[0], counts.cumsum()[:-1]])
                moving = []
                for k, start, some in zip(active, starts, tries, strict=True):
                    j = int(values[start : start + len(some)].argmax())
                    if values[start + j] > fit[k] + 1e-4:
                        best[k], fit[k] = some[j], values[start + j]
                        moving.append(k)
                if not moving:
                    break
                active = np.array(moving)
        return best

    def weighed(self, start: Array, k: int) -> Fit:
        """Compare the pose of the k-th pin with the best ones of the other kinds."""
        tilted = [start] if start[4] >= LEAST_LEAN else []
        upright = start if not tilted else self._upright(start, k)
        if upright is not None and (tilted or self._is_doubtful(upright, k)):
            tilted += self._tilted(upright, k)
        kinds = np.array(tilted if upright is None else [upright, *tilted])
        of = np.full(len(kinds), k)
        found = self._judged(kinds, of)
        unit = float(found.area[0])
        lean = kinds[:, 4]
        prices = np.where(lean < LEAST_LEAN, 0.0, np.where(lean < LYING_FROM, LEANING_PRICE, LYING_PRICE))
        scores = found.worth / unit + found.quality - prices - NO_HOLD * self._would_fall(kinds, of)
        best = int(scores.argmax())
        stands = lean < LEAST_LEAN
        return Fit(
            pose=kinds[best],
            inside=float(found.inside[best]),
            outline=float(found.outline[best]),
            visible=float(found.visible[best]),
            worth=float(found.worth[best]),
            unit=unit,
            upright=float(scores[stands].max(initial=NOTHING)),
            tilted=float(scores[~stands].max(initial=NOTHING)),
        )

    def _is_doubtful(self, upright: Array, k: int) -> bool:
        """Whether a pin that seems to stand may as well not: if all of it fits and is its own, it does."""
        return bool(self._judged(upright[None], np.array([k])).fit[0] < PLAIN)

    def _upright(self, pose: Array, k: int) -> Array | None:
        """The best upright pin where a tilted one is, on the lid."""
        if pose[2] < self.scene.window.table.layout.height_mm:
            return None
        (best,) = self._best([_uprights(pose, self.scene.size.height_mm)], k)
        return np.asarray(best, dtype=np.float64)

    def _tilted(self, pose: Array, k: int) -> list[Array]:
        """The best leaning and the best lying pin that look like an upright one."""
        kinds = [_lying(pose, self.scene)]
        leaning = _leaning(pose, self.scene.size.height_mm)
        held = leaning[~self._would_fall(leaning, np.full(len(leaning), k))]
        if len(held):
            kinds.append(held)
        return list(self._best(kinds, k))

    def _best(self, kinds: Sequence[Array], k: int) -> Array:
        """The best pose of each kind, moved to where it fits best."""
        worths = [self._judged(tries, np.full(len(tries), k)).worth for tries in kinds]
        starts = np.array([tries[int(some.argmax())] for tries, some in zip(kinds, worths, strict=True)])
        return self.moved(starts, np.full(len(starts), k), (2.0, 1.0))


def _offsets(pose: Array, step_mm: float, height_mm: float) -> Array:
    """Small changes of a pose, (n, 5): its place, and for a tilted pin where its head is."""
    if pose[4] < LEAST_LEAN:
        return np.array([(x, y, 0, 0, 0) for x in STEPS for y in STEPS if x or y]) * step_mm
    turn = 1.5 * step_mm / height_mm / max(np.sin(pose[4]), 0.3)
    out = np.zeros((8, 5))
    along, left = np.array([np.cos(pose[3]), np.sin(pose[3])]), np.array([-np.sin(pose[3]), np.cos(pose[3])])
    out[:4, :2] = step_mm * np.stack([along, -along, left, -left])
    # Turned about its belly, not about its foot.
    swing = BELLY * height_mm * np.sin(pose[4]) * turn
    out[4:6, 3] = turn, -turn
    out[4:6, :2] = swing * np.stack([-left, left])
    lean = 1.5 * step_mm / height_mm
    out[6:, 4] = lean, -min(lean, pose[4] - LEAST_LEAN)
    return out if pose[4] < LYING_FROM else out[:6]


STEPS: Final = (-1.0, 0.0, 1.0)


def _leaning(pose: Array, height_mm: float) -> Array:
    """An upright pin tilted about its belly, some ways: (n, 5)."""
    lean, azimuth = (grid.ravel() for grid in np.meshgrid(LEANS, AZIMUTHS))
    out = np.repeat(pose[None], len(lean), axis=0)
    out[:, 3], out[:, 4] = azimuth, lean
    reach = BELLY * height_mm * np.sin(lean)
    out[:, 0] -= reach * np.cos(azimuth)
    out[:, 1] -= reach * np.sin(azimuth)
    return out


def _lying(pose: Array, scene: Scene) -> Array:
    """Pins that lie all ways with their belly where that of an upright one is seen: (n, 5)."""
    height, radius = scene.size.height_mm, scene.size.radius_mm
    belly = pose[:3] + np.array([0.0, 0.0, BELLY * height])
    ray = belly - scene.window.centre_mm
    ground = belly + ray * ((pose[2] + radius - belly[2]) / ray[2])
    out = np.repeat(pose[None], len(TURNS), axis=0)
    out[:, 3], out[:, 4] = TURNS, LYING
    out[:, 0] = ground[0] - BELLY * height * np.cos(TURNS)
    out[:, 1] = ground[1] - BELLY * height * np.sin(TURNS)
    return out


def _uprights(pose: Array, height_mm: float) -> Array:
    """Upright pins where a tilted one has its foot, belly or middle: (n, 5)."""
    along, across = np.meshgrid(np.arange(-0.3, 1.0, 0.1), (-0.08, 0.0, 0.08))
    along, across = along.ravel() * height_mm, across.ravel() * height_mm
    out = np.repeat(pose[None], len(along), axis=0)
    out[:, 0] += along * np.cos(pose[3]) - across * np.sin(pose[3])
    out[:, 1] += along * np.sin(pose[3]) + across * np.cos(pose[3])
    out[:, 3:] = 0.0
    return out
