"""Where the centre of a ball can be that touches something, as the chain of flights is fitted to it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.vision.ballistics import Array

FLAT = np.eye(3)[:, :2]
FREE = np.eye(3)


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
    """The footings of chains with k contacts each: ``bases`` (chains, k, 3), ``axes`` (chains, k, 3, m), ``holds``
    (chains, k m): what holds each unknown to 0, one through its spread, squared, ``ends_level`` (chains,): whether the
    last contact is with a level surface."""

    bases: Array
    axes: Array
    holds: Array
    ends_level: NDArray[np.bool_]

    def of(self, which: NDArray[np.intp]) -> "Feet":
        """Those of some of the chains."""
        return Feet(
            bases=self.bases[which],
            axes=self.axes[which],
            holds=self.holds[which],
            ends_level=self.ends_level[which],
        )


def feet_of(footings: Sequence[Sequence[Footing]]) -> Feet:
    count, k = len(footings), len(footings[0])
    free = max(foot.axes.shape[1] for feet in footings for foot in feet)
    axes, holds = np.zeros((count, k, 3, free)), np.zeros((count, k, free))
    for c, feet in enumerate(footings):
        for j, foot in enumerate(feet):
            own = foot.axes.shape[1]
            axes[c, j, :, :own] = foot.axes
            # The third axis of a plane has no length; anything may hold it.
            holds[c, j, 2:] = foot.spread_mm**-2
    return Feet(
        bases=np.array([[foot.base_mm for foot in feet] for feet in footings]),
        axes=axes,
        holds=holds.reshape(count, -1),
        ends_level=np.array([feet[-1].is_level for feet in footings]),
    )
