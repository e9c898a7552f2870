"""Reading one picture of a lane: which pins stand, lean and lie."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from calibration.table import Table
from hardware.frame import Frame
from referee.vision.pins.candidates import CandidateFinder
from referee.vision.pins.explain import Scene
from referee.vision.pins.explanation import LITTLE, Explanation, explanation_of
from referee.vision.pins.fitting import Fit
from referee.vision.pins.memory import remembered
from referee.vision.pins.picture import Array, window_of
from referee.vision.pins.pin import Pin, PinReading, PinSize, PinState
from referee.vision.pins.profiles import FAMILY
from referee.vision.pins.scenes import bare_scene, painted, shaded, shaded_by
from referee.vision.pins.sizing import fitting_size
from referee.vision.pins.uncalibrated import read_uncalibrated
from referee.vision.pins.verdict import arm_over, chance_of_rest, pin_of, reading_of

__all__ = ["Pin", "PinReader", "PinReading", "PinSize", "PinState", "read_uncalibrated"]

BETTER: Final = 1.07
SEARCHES: Final = 2
"""How much better another shape must explain pins to be theirs; and readings in which shapes and sizes are tried,
unless one is found before that fits."""

OTHER_SIZES: Final = (0.85, 1.18)
"""Sizes that are tried, as shares of the one that pins are said to have: from these the right one is found."""

ENOUGH: Final = 3
"""Pins that are known to stand by which others are told."""

MOST_ROUNDS: Final = 4
MOST_GAINED: Final = 3.0
"""Of learning what pins look like from where they are, and then where they are from that; and how much better pins are
explained after the first one, at most."""


class PinReader:
    """Reads the pins of one table in frames of one size."""

    def __init__(self, table: Table, size: PinSize | None = None) -> None:
        """``size``: of a pin, else as the layout says."""
        pins = table.layout.pins
        if size is None and pins is not None:
            size = PinSize(height_mm=pins.height_mm, radius_mm=pins.radius_mm)
        self._size = size or PinSize(height_mm=50.0, radius_mm=8.0)
        self._count = pins.count if pins is not None else 10
        self._table = table
        self._window = window_of(table, self._size)
        self._searches_left = SEARCHES
        self._finders = {self._size: CandidateFinder(self._window, self._size)}

    @property
    def size(self) -> PinSize:
        """Of a pin, as learned from those in view."""
        return self._size

    def read(self, frame: Frame, known: Sequence[Pin] = ()) -> PinReading:
        """Read one settled frame; ``known``: pins that stood before and weren't touched since. Where they are enough to
        tell others by, they are taken to be where they were, and only what they don't explain is looked into."""
        bare = replace(bare_scene(frame, self._window, self._size), known=self._poses_of(known))
        arm = arm_over(bare, bare.parts)
        best = self._explained(bare)
        if arm is None:
            best = self._looked_into(best)
        scene = best.scene
        reading = reading_of(
            remembered([self._pin(fit) for fit in best.seen], best.seen, known, scene, arm),
            [self._pin(fit) for fit in best.beside],
            doubtful=best.doubtful,
            more=max(best.more, chance_of_rest(scene, best.covered, scene.parts)),
            covers=arm is not None,
            count=self._count,
            strange=arm is None and best.unexplained > LITTLE,
            quality=best.quality,
        )
        return replace(reading, lane_shift_mm=scene.shift_mm)

    def _poses_of(self, known: Sequence[Pin]) -> Array:
        """Of pins that are known to stand, (k, 5), if they are enough to tell what pins look like, else none."""
        top_mm = self._table.layout.height_mm
        poses = [(*pin.mm, top_mm, 0.0, 0.0) for pin in known if pin.mm is not None and pin.state == "standing"]
        return np.array(poses if len(poses) >= ENOUGH else [], dtype=np.float64).reshape(-1, 5)

    def _pin(self, fit: Fit) -> Pin:
        return pin_of(fit, self._table.camera, self._size)

    def _looked_into(self, first: Explanation) -> Explanation:
        """A better explanation where pins fit badly, or leave dark things over that their shadows don't explain."""
        best = self._with_shadows(first)
        is_bare = not best.seen and best.unexplained < LITTLE
        if is_bare or not self._searches_left:
            return best
        self._searches_left -= 1
        if not best.is_good:
            best = self._by_other_pins(best)
        size = fitting_size(best.scene, best.poses[best.poses[:, 4] == 0])
        if size != best.scene.size:
            other = self._with_shadows(self._explained(replace(first.bare, size=size)))
            # A size that fits better where pins stand may leave as much to be explained where they lie.
            best = other if BETTER * other.worth > best.worth else best
        self._size = best.scene.size
        if best.is_good:
            self._searches_left = 0
        return best

    def _by_other_pins(self, best: Explanation) -> Explanation:
        """The explanation by pins of another shape or size, if that is clearly better."""
        sizes = [replace(self._size, profile=profile) for profile in FAMILY if profile != self._size.profile]
        sizes += [self._size.times(factor) for factor in OTHER_SIZES]
        others = [self._with_shadows(self._explained(replace(best.bare, size=size)), 1) for size in sizes]
        other = max(others, key=_worth)
        if other.is_by_shadows and other.worth > best.worth - MOST_GAINED:
            other = self._with_shadows(other)
        return other if other.worth > BETTER * best.worth else best

    def _with_shadows(self, first: Explanation, rounds: int = MOST_ROUNDS) -> Explanation:
        """The better of an explanation and one by what pins and their shadows look like, learned in some rounds."""
        if first.is_by_shadows:
            # Where pins surely are tells better what they look like.
            scene: Scene | None = shaded_by(first.bare, first.poses)
        else:
            scene = None if first.unexplained < LITTLE else shaded(first.bare, self._finder(first.bare.size))
        best = first
        for _ in range(rounds):
            other = best if scene is None else self._explained(first.bare, scene)
            if other.worth <= best.worth or not other.seen:
                break
            best = other
            scene = shaded_by(first.bare, best.poses)
        return best

    def _explained(self, bare: Scene, by_shadows: Scene | None = None) -> Explanation:
        """The pins that explain a scene best, as told by their paint or by their shadows."""
        finder = self._finder(bare.size)
        if by_shadows is None:
            return explanation_of(painted(bare, finder), bare, finder, self._count)
        return replace(explanation_of(by_shadows, bare, finder, self._count), is_by_shadows=True)

    def _finder(self, size: PinSize) -> CandidateFinder:
        if size not in self._finders:
            self._finders[size] = CandidateFinder(self._window, size)
        return self._finders[size]


def _worth(explanation: Explanation) -> float:
    return explanation.worth
