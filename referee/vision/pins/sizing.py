"""How large the pins in view are: the size with which those that stand fit best where they stand."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from referee.vision.pins.candidates import inside_of, outline_of
from referee.vision.pins.explain import EDGE_WORTH, Scene
from referee.vision.pins.outlines import all_of, outlines_of
from referee.vision.pins.picture import Array
from referee.vision.pins.pin import PinSize

STEPS: Final = (1.1, 1.05)
MOST_STEPS: Final = 3
"""Factors by which sizes differ that are tried, and how often each."""

GAIN: Final = 0.015
"""How much better pins must fit, on average, to be of another size than they are said to be, a step away."""

AREA_WORTH: Final = 0.3
"""How much better, as a power of their area, larger pins are that fit as well."""

FEWEST: Final = 3
SOME: Final = 4
"""Pins that tell a size; and about how many tell first whether one is worth to be looked at."""

MOVES_MM: Final = np.array(
    [(x, y, 0.0, 0.0, 0.0) for x in (-4.0, -2.0, 0.0, 2.0, 4.0) for y in (-6.0, -3.0, 0.0, 3.0, 6.0)]
)
"""How far off a pin is that was taken for a larger or smaller one."""


def fitting_size(scene: Scene, poses: Array) -> PinSize:
    """The size of pins that stand at about ``poses``, (n, 5): that of the scene, unless another clearly fits better."""
    size = scene.size
    if len(poses) < FEWEST:
        return size
    some = np.arange(0, len(poses), max(1, len(poses) // SOME))
    fits = _fits(scene, [size], poses)[0]
    for step in STEPS:
        for _ in range(MOST_STEPS):
            factors = [(a, b) for a in (1 / step, 1.0, step) for b in (1 / step, 1.0, step) if (a, b) != (1.0, 1.0)]
            # A pin too small fits as well, but explains less.
            worths = np.array([(high * wide) ** AREA_WORTH for high, wide in factors])
            sizes = [size.times(high, wide) for high, wide in factors]
            # What some pins speak against, all of them hardly speak for.
            glances = _fits(scene, [size, *sizes], poses[some], MOVES_MM[::2]).mean(axis=1)
            hopeful = np.flatnonzero(glances[1:] * worths > glances[0])
            if not len(hopeful):
                break
            found = _fits(scene, [sizes[k] for k in hopeful], poses)
            gains = found.mean(axis=1) * worths[hopeful] - fits.mean()
            best = int(gains.argmax())
            if gains[best] < GAIN:
                break
            size, fits = sizes[hopeful[best]], found[best]
    return size


def gains_by(sizes: Sequence[PinSize], scene: Scene, poses: Array) -> list[float]:
    """How much better pins of other sizes fit that stand at about ``poses``, (n, 5), on average; 0 where none do."""
    if not len(poses):
        return [0.0] * len(sizes)
    own, *others = _fits(scene, [scene.size, *sizes], poses).mean(axis=1).tolist()
    return [other - own for other in others]


def _fits(scene: Scene, sizes: Sequence[PinSize], poses: Array, moves_mm: Array = MOVES_MM) -> Array:
    """How well pins of some sizes fit near where they stand, each taken alone: (sizes, n)."""
    tries = (poses[:, None] + moves_mm[None]).reshape(-1, 5)
    outlines = all_of([outlines_of(tries, size, scene.window, len(moves_mm)) for size in sizes])
    fits = (inside_of(outlines, scene) + EDGE_WORTH * outline_of(outlines, scene)) / (1 + EDGE_WORTH)
    return np.asarray(fits.reshape(len(sizes), len(poses), -1).max(axis=2), dtype=np.float64)
