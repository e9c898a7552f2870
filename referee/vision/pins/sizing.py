"""How large the pins in view are: the size with which those that stand fit best where they stand."""

from dataclasses import replace
from typing import Final

import numpy as np

from referee.vision.pins.candidates import inside_of, outline_of
from referee.vision.pins.explain import EDGE_WORTH, Scene
from referee.vision.pins.outlines import Outlines, outlines_of
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
    outlines = outlines_of(tries.reshape(-1, 5), scene.size, scene.window)
    insides = inside_of(outlines, scene)
    rows = np.arange(len(tries)) * len(MOVES_MM)
    first = rows + insides.reshape(tries.shape[:2]).argmax(axis=1)
    best = _fits(insides[first], outlines.some(first), scene)
    # The others can't be better but by their outlines, of which none is more than whole.
    others = np.flatnonzero((insides + EDGE_WORTH) / (1 + EDGE_WORTH) > np.repeat(best, len(MOVES_MM)))
    np.maximum.at(best, others // len(MOVES_MM), _fits(insides[others], outlines.some(others), scene))
    return float(best.mean())


def _fits(insides: Array, outlines: Outlines, scene: Scene) -> Array:
    """How well pins fit, (n,), of which nothing is hidden."""
    return np.asarray((insides + EDGE_WORTH * outline_of(outlines, scene)) / (1 + EDGE_WORTH), dtype=np.float64)
