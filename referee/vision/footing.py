"""Where the centre of a ball can be that touches something, as the chain of flights is fitted to it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.vision.ballistics import SCALE_SIGMA, Array

FLAT = np.eye(3)[:, :2]
FREE = np.eye(3)

FREE_SPEED_MM_S = 3000.0
"""Spread of the speeds before the first and after the last contact, about no speed at all: keeps ends of few sightings
from running away."""

OTHER_SPREADS = (*[FREE_SPEED_MM_S] * 6, SCALE_SIGMA)
OTHERS = len(OTHER_SPREADS)
"""The numbers that a chain of flights has besides the places of its contacts: these speeds, and the scale of the ball's
size."""

FAR_MM = 1e4
"""How far off contacts may be: keeps places that nothing tells of from being anywhere."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Footing:
    """Places ``base_mm`` (3,) + ``axes`` (3, m) @ (m,) numbers: a plane (two axes), or anywhere near a height (three).

    ``normal``: (3,), the direction in which the thing pushes the ball; None where that depends on the place.
    ``spread_mm``: how far the ball is from the base along the third axis.
    """

    base_mm: Array
    axes: Array
    normal: Array | None
    spread_mm: float = 1.0

    @property
    def is_level(self) -> bool:
        return self.normal is not None and bool(self.normal[2] == 1.0)


def level(z_mm: float) -> Footing:
    """On a level surface whose touch puts the centre at a height."""
    return Footing(base_mm=np.array([0.0, 0.0, z_mm]), axes=FLAT, normal=FREE[2])


def upright(x_mm: float, y_mm: float, away: Array) -> Footing:
    """On an upright plane of centres through a place; ``away``: (2,), the level direction out of the wall."""
    axes = np.array([[-away[1], 0.0], [away[0], 0.0], [0.0, 1.0]])
    return Footing(base_mm=np.array([x_mm, y_mm, 0.0]), axes=axes, normal=np.array([*away, 0.0]))


def near(z_mm: float, spread_mm: float) -> Footing:
    """Anywhere, at about a height: on something round."""
    return Footing(base_mm=np.array([0.0, 0.0, z_mm]), axes=FREE, normal=None, spread_mm=spread_mm)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Feet:
    """The footings of chains with k contacts at the most.

    All places, then ``OTHERS`` more numbers, (chains, 3 k + OTHERS), are ``base`` + unknowns @ ``onto`` (chains,
    unknowns, 3 k + OTHERS): of each contact as many as its footing has axes, then these others. ``holds`` (chains,
    unknowns, unknowns): what is known of the unknowns before, one through their spreads, squared, on the diagonal.
    ``last`` (chains,): index of each chain's last contact; ``has_arc`` (chains, k - 1): 1 where a contact comes after
    another; ``ends_level`` (chains,): 1 where the last is with a level surface, after others.
    """

    base: Array
    onto: Array
    holds: Array
    last: NDArray[np.intp]
    has_arc: Array
    ends_level: Array

    def of(self, which: NDArray[np.intp]) -> "Feet":
        """Those of some of the chains."""
        if len(which) == len(self.base):
            return self
        return Feet(
            base=self.base[which],
            onto=self.onto[which],
            holds=self.holds[which],
            last=self.last[which],
            has_arc=self.has_arc[which],
            ends_level=self.ends_level[which],
        )


def feet_of(footings: Sequence[Sequence[Footing]]) -> Feet:
    counts = [len(feet) for feet in footings]
    count, k = len(counts), max(counts)
    # Few things are touched in many ways.
    things = {id(foot): foot for feet in footings for foot in feet}
    index = {key: place for place, key in enumerate(things, 1)}
    which = np.array([[index[id(foot)] for foot in feet] + [0] * (k - len(feet)) for feet in footings])
    base, axes, spread = _stacked(tuple(things.values()))
    free = axes.shape[1]
    bases = np.zeros((count, 3 * k + OTHERS))
    bases[:, :-OTHERS] = base[which].reshape(count, -1)
    onto = np.zeros((count, k * free + OTHERS, 3 * k + OTHERS))
    for j in range(k):
        onto[:, j * free : (j + 1) * free, 3 * j : 3 * j + 3] = axes[which[:, j]]
    onto[:, -OTHERS:, -OTHERS:] = np.eye(OTHERS)
    spreads = np.empty((count, onto.shape[1]))
    spreads[:, :-OTHERS], spreads[:, -OTHERS:] = spread[which].reshape(count, -1), OTHER_SPREADS
    last = np.array(counts) - 1
    return Feet(
        base=bases,
        onto=onto,
        holds=np.eye(onto.shape[1]) / spreads[:, None] ** 2,
        last=last,
        has_arc=(np.arange(k - 1) < last[:, None]).astype(np.float64),
        ends_level=np.array([len(feet) > 1 and feet[-1].is_level for feet in footings], dtype=np.float64),
    )


def _stacked(footings: Sequence[Footing]) -> tuple[Array, Array, Array]:
    """Bases (n + 1, 3), axes (n + 1, m, 3) and spreads (n + 1, m) of nothing, and of footings with up to m axes."""
    free, size = max(foot.axes.shape[1] for foot in footings), len(footings) + 1
    # Anything may hold what a plane, or a contact that there isn't, doesn't have.
    base, axes, spread = np.zeros((size, 3)), np.zeros((size, free, 3)), np.ones((size, free))
    for place, foot in enumerate(footings, 1):
        own = foot.axes.shape[1]
        base[place], axes[place, :own] = foot.base_mm, foot.axes.T
        spread[place, :own] = (FAR_MM, FAR_MM, foot.spread_mm)[:own]
    return base, axes, spread
