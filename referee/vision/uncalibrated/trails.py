"""Movers joined over time: one trail for each thing, across the gaps in which it is too blurred or hidden."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.vision.uncalibrated.movers import Mover

LOST_S: Final = 0.3
"""How long a thing may be unseen: a ball is, for some frames, where it is most blurred."""

WIDER: Final = 1.7
"""Growth of a thing's width between two sightings, either way: fingers cover a third of a ball."""

FIRST_REACH: Final = 5.0
"""How far a thing of unknown speed may get between two frames, in its widths: further it would leave no streak."""

REACH: Final = 1.2
"""How far from where it should be a thing may be, in its widths."""

TURN: Final = 2.0
"""The same in its last steps: a bounce turns a step round, which is two steps off."""


REST_S: Final = 0.7
REST_WIDTHS: Final = 0.15
"""A thing is at rest that has stayed within so much of its width for so long: longer than the top of any hop takes."""

LONGEST_S: Final = 30.0
"""Longer than any throw."""

STEADY: Final = 0.12
"""Usual change of a ball's width, against it: with its distance, and where its outline frays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A mover in one frame."""

    index: int
    t_s: float
    mover: Mover


@dataclass(slots=True, kw_only=True, eq=False)
class Trail:
    """The sightings of one thing, in order of time."""

    sightings: list[Sighting] = field(default_factory=list)

    @property
    def t_s(self) -> NDArray[np.float64]:
        """(n,)."""
        return np.array([s.t_s for s in self.sightings])

    @property
    def px(self) -> NDArray[np.float64]:
        """(n, 2)."""
        return np.array([(s.mover.x_px, s.mover.y_px) for s in self.sightings])

    @property
    def width_px(self) -> float:
        """Usual width."""
        return median(s.mover.width_px for s in self.sightings)

    def width_of(self, start: int, stop: int) -> float:
        """Usual width in the sightings ``start`` to before ``stop``."""
        return median(s.mover.width_px for s in self.sightings[start:stop])

    @property
    def travel_px(self) -> float:
        """How far it got from where it was first seen."""
        px = self.px
        return float(np.hypot(*(px - px[0]).T).max())

    @property
    def colour(self) -> str:
        """As it looks where it is least blurred."""
        return min(self.sightings, key=lambda s: s.mover.length_px / s.mover.width_px).mover.colour

    @property
    def is_solid(self) -> bool:
        """Whether it can't be a shadow."""
        return sum(s.mover.is_solid for s in self.sightings) >= len(self.sightings) / 2

    @property
    def is_ball_like(self) -> bool:
        """Whether nothing touched it, or it kept its size, as a ball does and the bits of a hand don't."""
        widths = [s.mover.width_px for s in self.sightings]
        is_free = sum(s.mover.is_free for s in self.sightings) > len(self.sightings) / 2
        return is_free or median(abs(width - self.width_px) for width in widths) <= STEADY * self.width_px

    def is_over(self, t_s: float) -> bool:
        """Whether the thing is gone, at rest, or has been followed for longer than any throw lasts."""
        first, last = self.sightings[0], self.sightings[-1]
        if t_s - last.t_s > LOST_S or last.t_s - first.t_s > LONGEST_S:
            return True
        since = bisect_left(self.sightings, last.t_s - REST_S, key=lambda s: s.t_s)
        lately = self.sightings[since:]
        return last.t_s - first.t_s > REST_S and all(
            math.hypot(s.mover.x_px - last.mover.x_px, s.mover.y_px - last.mover.y_px) < REST_WIDTHS * self.width_px
            for s in lately
        )

    def distance(self, t_s: float, mover: Mover) -> float | None:
        """Pixels between a mover and where this thing should be at a time; None when it can't be the same."""
        last = self.sightings[-1]
        if not 1 / WIDER <= mover.width_px / last.mover.width_px <= WIDER:
            return None
        width_px = max(mover.width_px, last.mover.width_px)
        step = (0.0, 0.0)
        if len(self.sightings) >= 2:
            before = self.sightings[-2]
            ratio = (t_s - last.t_s) / (last.t_s - before.t_s)
            step = (ratio * (last.mover.x_px - before.mover.x_px), ratio * (last.mover.y_px - before.mover.y_px))
            reach_px = REACH * width_px + TURN * math.hypot(*step)
        else:
            reach_px = FIRST_REACH * width_px
        away_px = math.hypot(mover.x_px - last.mover.x_px - step[0], mover.y_px - last.mover.y_px - step[1])
        return away_px if away_px <= reach_px else None


class Trails:
    """Joins each frame's movers to trails: like to like, and nearest to where they should be, first."""

    def __init__(self) -> None:
        self._open: list[Trail] = []

    @property
    def is_moving(self) -> bool:
        """Whether anything may go on."""
        return bool(self._open)

    def update(self, index: int, t_s: float, movers: Sequence[Mover]) -> tuple[Trail, ...]:
        """Take in a frame; gives the trails that have ended."""
        # A shadow meets its ball where it bounces, and must not take it over there.
        pairs = sorted(
            (mover.is_solid != trail.sightings[-1].mover.is_solid, distance, i, j)
            for i, trail in enumerate(self._open)
            for j, mover in enumerate(movers)
            if (distance := trail.distance(t_s, mover)) is not None
        )
        trails: set[int] = set()
        taken: set[int] = set()
        for _, _, i, j in pairs:
            if i not in trails and j not in taken:
                trails.add(i)
                taken.add(j)
                self._open[i].sightings.append(Sighting(index=index, t_s=t_s, mover=movers[j]))
        ended = [trail for trail in self._open if trail.is_over(t_s)]
        self._open = [trail for trail in self._open if trail not in ended]
        for j, mover in enumerate(movers):
            if j not in taken:
                self._open.append(Trail(sightings=[Sighting(index=index, t_s=t_s, mover=mover)]))
        return tuple(ended)

    def finish(self) -> tuple[Trail, ...]:
        """The trails that are still open at the end."""
        ended, self._open = tuple(self._open), []
        return ended
