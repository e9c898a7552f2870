"""The pins that together explain a scene best, and what of it they leave unexplained."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.candidates import CandidateFinder, inside_of
from referee.vision.pins.choosing import Chooser
from referee.vision.pins.explain import NONE_KNOWN, PIN_AREA, Light, Mask, Scene, union_of
from referee.vision.pins.fitting import Fit, fitted, placed, turned
from referee.vision.pins.outlines import outlines_of
from referee.vision.pins.picture import BELLY_PX, Array, Image
from referee.vision.pins.pin import PinSize
from referee.vision.pins.scenes import unlit
from referee.vision.pins.shadows import light_of, shadow_mask
from referee.vision.pins.shape import balls_of
from referee.vision.pins.verdict import is_there

NEAR: Final = 0.5
"""Radii of a belly between poses that are one pin, a little moved."""

BESIDE_QUALITY: Final = 0.65
"""How well a pin must fit, and look like one, where there is no lane that it could be told from."""

FITTING: Final = 0.85
LITTLE: Final = 0.6
"""Quality of pins from which they have the shape that they are taken for; and what may be on the lid, in areas of a
pin, without being explained: prints, and shadows of what isn't seen."""

SURELY: Final = 0.5
LIKELY: Final = 0.5
ABOUT_PX: Final = 9
THIN_PX: Final = 7
"""How surely a pixel is out of the light; the chance of one more pin from which room is sought for it; around pins and
shadows edges are soft; what is thinner than this is no pin."""

NEXT_TO_IT: Final = np.array([(x, y, 0.0, 0.0, 0.0) for x in (-3.0, 0.0, 3.0) for y in (-3.0, 0.0, 3.0) if x or y])
"""Steps of an upright pin to all sides, by which no place is far off, (8, 5)."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Explanation:
    """``seen``: pins on the lid; ``doubtful``: pins that may be there, but hardly show; ``beside``: those that lie off
    the lid; ``more``: the chance that there is one that wasn't worth its price. ``bare``: the scene as compared with
    the bare lane alone. ``is_by_shadows``: the pins were told by their shadows, having the lane's own colour."""

    scene: Scene
    bare: Scene
    seen: list[Fit]
    doubtful: list[Fit]
    beside: list[Fit]
    more: float
    is_by_shadows: bool = False

    @property
    def poses(self) -> Array:
        """Of the pins on the lid: (n, 5)."""
        return np.array([fit.pose for fit in self.seen]).reshape(-1, 5)

    @property
    def quality(self) -> float:
        """How well all pins fit, 0 to 1."""
        return _quality(self.seen)

    @property
    def worth(self) -> float:
        """To compare explanations of one picture: pins that fit well, less what they leave unexplained."""
        return sum(fit.quality**2 for fit in self.seen) - self.unexplained

    @property
    def is_good(self) -> bool:
        """Whether the pins fit so well, and so little is left, that they are what they are taken for."""
        return self.quality > FITTING and self.unexplained < LITTLE

    @cached_property
    def covered(self) -> Mask:
        """What the pins cover: (h, w)."""
        return union_of(self.poses, self.scene)

    @cached_property
    def light(self) -> Light:
        """The light that explains most of what the pins leave dark."""
        known = self.bare.looks.light
        return known or light_of(self.poses, np.ones(len(self.seen)), self._unlit, self.bare)[0]

    @cached_property
    def _unlit(self) -> Image:
        return unlit(self.bare)

    @cached_property
    def unexplained(self) -> float:
        """How much on the lid is neither bare lane in full light nor a pin nor a pin's shadow, in areas of a pin."""
        known = self.covered
        if self.seen or len(self.bare.around):
            known = known | shadow_mask(np.vstack([self.poses, self.bare.around]), self.light, self.bare)
        about = cv2.dilate(known.astype(np.uint8), np.ones((ABOUT_PX, ABOUT_PX), np.uint8))
        rest = ((self._unlit > SURELY) & (about == 0)).astype(np.uint8)
        rest = cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((THIN_PX, THIN_PX), np.uint8)).astype(np.uint8)
        return float(rest.sum()) / (PIN_AREA * BELLY_PX**2)


def explanation_of(
    scene: Scene, bare: Scene, finder: CandidateFinder, most: int, likely: Array = NONE_KNOWN
) -> Explanation:
    """At most so many pins that explain a scene; ``likely``: where they are if that is nearly known, (n, 5)."""
    candidates = np.array([candidate.pose for candidate in finder.find(scene)]).reshape(-1, 5)
    on_lid = candidates[:, 2] >= scene.window.table.layout.height_mm
    fits, more = _fits(scene, candidates[on_lid], most, likely)
    return Explanation(
        scene=scene,
        bare=bare,
        seen=[fit for k, fit in enumerate(fits) if k < len(scene.known) or is_there(fit)],
        doubtful=[fit for k, fit in enumerate(fits) if k >= len(scene.known) and not is_there(fit)],
        beside=_beside(scene, candidates[~on_lid], [fit.pose for fit in fits], most),
        more=more,
    )


def _beside(scene: Scene, poses: Array, others: Sequence[Array], most: int) -> list[Fit]:
    """Pins that fell off the lid and lie in plain view; there may be anything on a table, so that they must fit."""
    left = most - len(others)
    if left <= 0 or not len(poses):
        return []
    evidence = np.where(union_of(np.array(others).reshape(-1, 5), scene), 0, scene.evidence)
    alone = replace(scene, evidence=evidence.astype(np.float32), known=NONE_KNOWN)
    # Most are but what is seen of pins on the lid.
    poses = poses[inside_of(outlines_of(poses, scene.size, scene.window), alone) > BESIDE_QUALITY / 2]
    if not len(poses):
        return []
    fits = fitted(placed(poses[Chooser(poses, alone).chosen(left)], alone, 0), alone)
    return [fit for fit in fits if min(fit.quality, fit.inside) > BESIDE_QUALITY]


def _fits(scene: Scene, poses: Array, most: int, likely: Array) -> tuple[list[Fit], float]:
    """The pins on the lid that explain a scene best, each in its place, and the chance that there is one more."""
    known = len(scene.known)
    poses = np.vstack([scene.known, poses])
    if not len(poses):
        return [], 0.0
    if len(poses) == known:
        return fitted(poses, scene, known), 0.0
    if not len(likely):
        likely = placed(poses[Chooser(poses, scene, known).chosen(most)], scene, known)
    # Pins in their places leave other pixels over than candidates on a grid.
    poses = np.vstack([likely, poses[~_are_near(poses, likely, scene.size)]])
    chooser = Chooser(poses, scene, known)
    chosen = chooser.chosen(most)
    fits = fitted(poses[chosen], scene, known)
    more, another = chooser.one_more(chosen) if len(fits) < most else (0.0, None)
    if another is not None and more > LIKELY and _quality(fits) > FITTING:
        # Where pins fit, it is no mere rest of theirs: it finds no room, as those beside it are a little off.
        poses = np.vstack([poses, _places_about(poses[another], poses[known:], scene.size)])
        chooser = Chooser(poses, scene, known)
        chosen = chooser.chosen(most)
        left = chooser.one_more(chosen)[0] if len(chosen) < most else 0.0
        if left < LIKELY:
            fits, more = fitted(poses[chosen], scene, known), left
    return _exchanged(fits, scene), more


def _quality(fits: Sequence[Fit]) -> float:
    """How well some pins fit, 0 to 1."""
    return float(np.mean([fit.quality for fit in fits])) if fits else 0.0


def _places_about(pose: Array, poses: Array, size: PinSize) -> Array:
    """Places next to those of upright pins, of some poses, that may be before or behind one at a ``pose``: (n, 5)."""
    apart = np.hypot(*(poses[:, :2] - pose[:2]).T)
    near = poses[(poses[:, 4] == 0) & (apart < size.height_mm)]
    return np.asarray((near[:, None] + NEXT_TO_IT).reshape(-1, 5), dtype=np.float64)


def _exchanged(fits: list[Fit], scene: Scene) -> list[Fit]:
    """The fits, some that lie or lean put upright where all pins together then explain more of the scene.

    One by one each pin takes what the others leave, and of standing ones behind one another one may so seem to lie.
    """
    others = {k: fit.other for k, fit in enumerate(fits) if fit.other is not None and fit.pose[4] > 0}
    if not others:
        return fits
    chooser = Chooser(np.array([*(fit.pose for fit in fits), *others.values()]), scene)
    gains = chooser.exchanged(list(range(len(fits))), {k: len(fits) + i for i, k in enumerate(others)})
    return turned(fits, gains, scene) if gains else fits


def _are_near(poses: Array, others: Array, size: PinSize) -> NDArray[np.bool_]:
    """Which poses, (n, 5), are nearly one of the others, (m, 5): (n,)."""
    balls, _ = balls_of(poses, size)
    about, _ = balls_of(others, size)
    apart = np.linalg.norm(balls[:, None] - about[None], axis=-1).max(axis=2, initial=0.0)
    return np.asarray((apart < NEAR * size.radius_mm).any(axis=1), dtype=np.bool_)
