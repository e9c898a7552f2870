"""Where the centre of a ball can be that touches something, as the chain of flights is fitted to it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.vision.ballistics import Array

FLAT = np.eye(3)[:, :2]
FREE = np.eye(3)

OTHERS = 7
"""How many numbers a chain of flights has besides the places of its contacts."""


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
    unknowns, unknowns): what holds an unknown to 0, one through its spread, squared, on the diagonal. ``last``
    (chains,): index of each chain's last contact; ``ends_level``: whether that is with a level surface, after others.
    """

    base: Array
    onto: Array
    holds: Array
    last: NDArray[np.intp]
    ends_level: NDArray[np.bool_]

    def of(self, which: NDArray[np.intp]) -> "Feet":
        """Those of some of the chains."""
        if len(which) == len(self.base):
            return self
        return Feet(
            base=self.base[which],
            onto=self.onto[which],
            holds=self.holds[which],
            last=self.last[which],
            ends_level=self.ends_level[which],
        )


def feet_of(footings: Sequence[Sequence[Footing]]) -> Feet:
    count, k = len(footings), max(map(len, footings))
    free = max(foot.axes.shape[1] for feet in footings for foot in feet)
    unknowns = k * free + OTHERS
    base, onto = np.zeros((count, 3 * k + OTHERS)), np.zeros((count, unknowns, 3 * k + OTHERS))
    # Anything may hold what a plane or a chain of fewer contacts doesn't have.
    spread = np.ones((count, unknowns))
    for c, feet in enumerate(footings):
        for j, foot in enumerate(feet):
            own = slice(j * free, j * free + foot.axes.shape[1])
            base[c, 3 * j : 3 * j + 3], onto[c, own, 3 * j : 3 * j + 3] = foot.base_mm, foot.axes.T
            spread[c, own] = (math.inf, math.inf, foot.spread_mm)[: foot.axes.shape[1]]
    onto[:, range(-OTHERS, 0), range(-OTHERS, 0)] = 1.0
    spread[:, -OTHERS:] = math.inf
    return Feet(
        base=base,
        onto=onto,
        holds=np.eye(unknowns) / spread[:, None] ** 2,
        last=np.array([len(feet) - 1 for feet in footings]),
        ends_level=np.array([len(feet) > 1 and feet[-1].is_level for feet in footings]),
    )
