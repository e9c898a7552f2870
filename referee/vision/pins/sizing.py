"""How large the pins in view are: the size with which those that stand fit best where they stand."""

from dataclasses import replace
from typing import Final

import numpy as np

from referee.vision.pins.explain import Scene, judged
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
"""Pins that tell a size."""

MOVES_MM: Final = np.array(
    [(x, y, 0.0, 0.0, 0.0) for x in (-4.0, -2.0, 0.0, 2.0, 4.0) for y in (-6.0, -3.0, 0.0, 3.0, 6.0)]
)
"""How far off a pin is that was taken for a larger or smaller one."""


def fitting_size(scene: Scene, poses: Array) -> PinSize:
    """The size of pins that stand at about ``poses``, (n, 5): that of the scene, unless another clearly fits better."""
    size = scene.size
    if len(poses) < FEWEST:
        return size
    best = _fit(scene, poses)
    for step in STEPS:
        for _ in range(MOST_STEPS):
            factors = [(a, b) for a in (1 / step, 1.0, step) for b in (1 / step, 1.0, step) if (a, b) != (1.0, 1.0)]
            sizes = [size.times(high, wide) for high, wide in factors]
            # A pin too small fits as well, but explains less.
            fits = [
                _fit(replace(scene, size=each), poses) * (high * wide) ** AREA_WORTH
                for each, (high, wide) in zip(sizes, factors, strict=True)
            ]
            k = int(np.argmax(fits))
            if fits[k] < best + GAIN:
                break
            size = sizes[k]
            best = _fit(replace(scene, size=size), poses)
    return size


def _fit(scene: Scene, poses: Array) -> float:
    """How well pins fit near where they stand, on average, each taken alone."""
    tries = poses[:, None] + MOVES_MM[None]
    covers = np.zeros((1, *scene.evidence.shape), dtype=np.uint8)
    fits = judged(tries.reshape(-1, 5), scene, covers, np.zeros(tries.shape[0] * tries.shape[1], dtype=np.intp)).fit
    return float(fits.reshape(tries.shape[:2]).max(axis=1).mean())
