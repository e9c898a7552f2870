"""Pins moved until they fit the picture, and other poses weighed that would look much the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.explain import (
    EDGE_WORTH,
    HIDDEN,
    LEANING_PRICE,
    LYING_PRICE,
    TAKEN,
    Cover,
    Judged,
    Scene,
    distances_mm,
    judged,
)
from referee.vision.pins.nearby import (
    IS_FAR,
    LEAST_LEAN,
    LYING_FROM,
    leaning_like,
    lying_like,
    steps_from,
    upright_like,
)
from referee.vision.pins.outlines import masks_of, outlines_of
from referee.vision.pins.picture import Array
from referee.vision.pins.shape import balls_of

PLAIN: Final = 0.93
"""Fit from which a standing pin is taken to stand: one that fell away from the camera
or towards it covers nearly the same, but not as well, and is rare."""

MOST_MOVES: Final = 4
LEAST_GAIN: Final = 1e-4
"""Steps that a pin may take, and how much better it must fit then to take another."""

NOTHING: Final = -1.0
NO_HOLD: Final = 0.5
HOLD: Final = 0.5
"""How far, in radii of the belly, a pin that another one holds may seem to be from it."""

FOOTING: Final = 0.5
"""How far within the lid's edge the foot of a standing pin at least is, in radii of its belly: with less of it on the
lid it would fall at the next tap, and nobody puts one there."""

MASS: Final = 0.4
"""Where a pin's centre of mass is, as a share of its height."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Fit:
    """A pin in its place.

    ``inside``, ``outline``: how well the visible part fits, -1 to 1; ``visible``: share of it that no other pin hides;
    ``worth``: how much of the picture it explains; ``unit``: what an upright pin in plain view would explain there;
    ``upright``, ``tilted``: scores of the best explanation of each kind: worth in units, and how well that fits;
    ``other``: the best pose of the other kind, (5,), None where none was weighed.
    """

    pose: Array
    inside: float
    outline: float
    visible: float
    worth: float
    unit: float
    upright: float
    tilted: float
    other: Array | None = None

    @property
    def quality(self) -> float:
        """How well what is seen of it fits, 1 where all does."""
        return (self.inside + EDGE_WORTH * self.outline) / (1 + EDGE_WORTH)


def placed(poses: Array, scene: Scene, known: int) -> Array:
    """Chosen poses, (n, 5), moved to about where they fit a scene, all together; so many of the first are ``known``."""
    new = np.arange(known, len(poses))
    out = poses.copy()
    if len(new):
        out[new] = _Fitter.among(poses, scene).moved(poses[new], new, 2.5)
    return out


def fitted(poses: Sequence[Array] | Array, scene: Scene, known: int = 0) -> list[Fit]:
    """Fit poses, all about in their places, to a scene, and weigh those that may as well be something else.

    ``known``: so many of the first are there for sure, and stay as they are.
    """
    current = np.array(poses).reshape(-1, 5)
    if not len(current):
        return []
    every = np.arange(len(current))
    new = every[known:]
    if len(new):
        current[new] = _Fitter.among(current, scene).moved(current[new], new, 1.2)
        # Pins that share pixels would push each other away: for its exact place each takes all it can.
        current[new] = _Fitter.among(current, scene, is_sharing=True).moved(current[new], new, 0.4)
    fits = _Fitter.among(current, scene).as_they_are(every[:known]) if known else []
    while len(fits) < len(current):
        # All at once, up to the first that takes another pose: those after it are weighed anew, beside that.
        for fit in _Fitter.among(current, scene).weighed(every[len(fits) :]):
            fits.append(fit)
            k = len(fits) - 1
            if not np.array_equal(fit.pose, current[k]):
                current[k] = fit.pose
                break
    return fits


def turned(fits: Sequence[Fit], gains: Mapping[int, float], scene: Scene) -> list[Fit]:
    """Fits of which some are turned to their other kind, by which all pins together explain more: ``gains``, in pins in
    plain view. A pin that is turned is as sure as that outweighs its own scores."""
    poses = [fit.pose if k not in gains or fit.other is None else fit.other for k, fit in enumerate(fits)]
    found = _Fitter.among(np.array(poses), scene).as_they_are(np.arange(len(poses)))
    out = []
    for k, (fit, now) in enumerate(zip(fits, found, strict=True)):
        lead = abs(fit.upright - fit.tilted)
        margin = max(gains[k] - lead, 0.0) if k in gains else lead
        high, low = max(now.upright, now.tilted), max(now.upright, now.tilted) - margin
        stands = now.pose[4] < LEAST_LEAN
        out.append(replace(now, unit=fit.unit, upright=high if stands else low, tilted=low if stands else high))
    return out


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
        masks = masks_of(outlines, scene.window.shape)
        covers = np.zeros(masks.shape, dtype=np.uint8)
        nearer = np.zeros(scene.evidence.shape, dtype=np.uint8)
        count = masks.sum(axis=0, dtype=np.uint8)
        for k in np.argsort(distances_mm(poses, scene), kind="stable"):
            covers[k] = nearer * (HIDDEN | TAKEN)
            if not is_sharing:
                covers[k] |= (count > masks[k]).view(np.uint8) * np.uint8(TAKEN)
            nearer |= masks[k].view(np.uint8)
        return cls(scene=scene, poses=poses, covers=covers)

    def _judged(self, poses: Array, of: NDArray[np.intp], alike: int = 1) -> Judged:
        return judged(poses, self.scene, self.covers, of, alike)

    def _fits(self, poses: Array, of: NDArray[np.intp], alike: int) -> Array:
        return np.asarray(self._judged(poses, of, alike).fit - NO_HOLD * self._would_fall(poses, of), dtype=np.float64)

    def _would_fall(self, poses: Array, of: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which poses, (n, 5), neither stand nor lie on the lid, nor lean on another pin there: (n,)."""
        leaning = (poses[:, 4] > LEAST_LEAN) & (poses[:, 4] < LYING_FROM)
        out = leaning.copy()
        tilted = np.flatnonzero(leaning)
        if len(tilted):
            out[tilted] = ~self._are_held(poses[tilted], of[tilted])
        reach = MASS * self.scene.size.height_mm * np.sin(poses[:, 4])
        x, y = poses[:, 0] + reach * np.cos(poses[:, 3]), poses[:, 1] + reach * np.sin(poses[:, 3])
        footing = np.where(poses[:, 4] < LEAST_LEAN, FOOTING * self.scene.size.radius_mm, 0.0)
        beside = ~self.scene.is_over_lid(x, y, footing)
        return np.asarray(out | (beside & (poses[:, 2] >= self.scene.window.table.layout.height_mm)), dtype=np.bool_)

    def _are_held(self, poses: Array, of: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which poses, (n, 5), touch another pin: (n,)."""
        size = self.scene.size
        balls, radii = balls_of(poses, size)
        about, _ = balls_of(self.poses, size)
        least = ((radii[:, None] + radii[None] + HOLD * size.radius_mm) ** 2).ravel()
        # As seen from above, each is as long as it is tilted.
        apart = (balls[:, :, :2].mean(axis=1)[:, None] - about[:, :, :2].mean(axis=1)) ** 2
        reach = np.sin(poses[:, 4])[:, None] + np.sin(self.poses[:, 4])
        is_near = apart.sum(axis=2) < (size.height_mm / 2 * reach + (2 + HOLD) * size.radius_mm) ** 2
        is_near[np.arange(len(poses)), of] = False
        one, other = np.nonzero(is_near)
        # Squares of the distances of all balls of one from all of the other.
        squares = (balls * balls).sum(axis=2)[one, :, None] + (about * about).sum(axis=2)[other, None]
        squares -= 2 * np.einsum("nik,njk->nij", balls[one], about[other])
        is_touching = (squares.reshape(len(one), len(least)) <= least).any(axis=1)
        held = np.zeros(len(poses), dtype=np.bool_)
        held[one[is_touching]] = True
        return held

    def moved(self, poses: Array, of: NDArray[np.intp], step_mm: float) -> Array:
        """The poses nearby, (n, 5), that fit best, each of its kind."""
        best = poses.copy()
        active = np.arange(len(best))
        for _ in range(MOST_MOVES):
            now = best[active, None]
            tries = np.concatenate([now, now + steps_from(best[active], step_mm, self.scene.size.height_mm)], axis=1)
            alike = tries.shape[1]
            values = self._fits(tries.reshape(-1, 5), np.repeat(of[active], alike), alike).reshape(-1, alike)
            chosen = values.argmax(axis=1)
            rows = np.arange(len(active))
            best[active] = tries[rows, chosen]
            # Beyond the nearest places, and of tilted pins other ways, there may be better ones.
            goes_on = (chosen > 0) & (IS_FAR[chosen - 1] | (best[active, 4] >= LEAST_LEAN))
            active = active[goes_on & (values[rows, chosen] > values[:, 0] + LEAST_GAIN)]
            if not len(active):
                break
        return best

    def as_they_are(self, which: NDArray[np.intp]) -> list[Fit]:
        """Some pins, in no doubt."""
        return self._best_of(self.poses[which], which, which)

    def weighed(self, which: NDArray[np.intp]) -> list[Fit]:
        """Compare the poses of some pins with the best ones of the other kinds."""
        starts = self.poses[which]
        uprights = self._uprights(which)
        is_tilted = starts[:, 4] >= LEAST_LEAN
        is_upright = np.isfinite(uprights[:, 0])
        # A pin that seems to stand may as well not: if all of it fits and is its own, it does.
        is_doubtful = is_tilted | (self._judged(starts, which).fit < PLAIN)
        kinds, of = [starts[is_tilted], uprights[is_upright]], [which[is_tilted], which[is_upright]]
        turned = is_upright & is_doubtful
        if turned.any():
            poses, whose = self._tilted(uprights[turned], which[turned])
            kinds.append(poses)
            of.append(whose)
        return self._best_of(np.concatenate(kinds), np.concatenate(of), which)

    def _best_of(self, kinds: Array, of: NDArray[np.intp], which: NDArray[np.intp]) -> list[Fit]:
        """The best of the poses ``kinds``, (n, 5), of each of some pins; an upright one comes first."""
        found = self._judged(kinds, of)
        lean = kinds[:, 4]
        stands = lean < LEAST_LEAN
        prices = np.where(stands, 0.0, np.where(lean < LYING_FROM, LEANING_PRICE, LYING_PRICE))
        penalties = prices + NO_HOLD * self._would_fall(kinds, of)
        fits = []
        for k in which:
            own = np.flatnonzero(of == k)
            own = own[np.argsort(~stands[own], kind="stable")]
            unit = float(found.area[own[0]])
            scores = found.worth[own] / unit + found.quality[own] - penalties[own]
            best = own[scores.argmax()]
            others = np.flatnonzero(stands[own] != stands[best])
            fits.append(
                Fit(
                    pose=kinds[best],
                    inside=float(found.inside[best]),
                    outline=float(found.outline[best]),
                    visible=float(found.visible[best]),
                    worth=float(found.worth[best]),
                    unit=unit,
                    upright=float(scores[stands[own]].max(initial=NOTHING)),
                    tilted=float(scores[~stands[own]].max(initial=NOTHING)),
                    other=kinds[own[others[scores[others].argmax()]]] if len(others) else None,
                )
            )
        return fits

    def _uprights(self, which: NDArray[np.intp]) -> Array:
        """Upright pins where some are: these, or the best where a tilted one lies on the lid; else nan, (n, 5)."""
        out = self.poses[which].copy()
        tilted = np.flatnonzero(out[:, 4] >= LEAST_LEAN)
        on_lid = out[tilted, 2] >= self.scene.window.table.layout.height_mm
        out[tilted[~on_lid]] = np.nan
        tilted = tilted[on_lid]
        if len(tilted):
            tries = [upright_like(pose, self.scene.size.height_mm) for pose in out[tilted]]
            out[tilted] = self._best(tries, which[tilted])
        return out

    def _tilted(self, uprights: Array, of: NDArray[np.intp]) -> tuple[Array, NDArray[np.intp]]:
        """The best leaning and the best lying pins that look like upright ones, (n, 5), and whose they are, (n,)."""
        kinds = [lying_like(pose, self.scene) for pose in uprights]
        whose = list(of)
        leaning = np.stack([leaning_like(pose, self.scene.size.height_mm) for pose in uprights])
        falls = self._would_fall(leaning.reshape(-1, 5), np.repeat(of, leaning.shape[1])).reshape(leaning.shape[:2])
        for some, are_falling, k in zip(leaning, falls, of, strict=True):
            if not are_falling.all():
                kinds.append(some[~are_falling])
                whose.append(k)
        return self._best(kinds, np.array(whose)), np.array(whose)

    def _best(self, kinds: Sequence[Array], of: NDArray[np.intp]) -> Array:
        """The best pose of each kind, moved to where it fits best."""
        counts = [len(some) for some in kinds]
        worth = self._judged(np.concatenate(kinds), np.repeat(of, counts)).worth
        parts = np.split(worth, np.cumsum(counts)[:-1])
        starts = np.array([some[int(part.argmax())] for some, part in zip(kinds, parts, strict=True)])
        return self.moved(starts, of, 2.0)
