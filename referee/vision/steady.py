"""Readings of the board over time, believed only when they agree."""

import math
from collections.abc import Collection
from dataclasses import dataclass

from referee.vision.loose import Loose
from referee.vision.readings import BoardReading

AGREEING = 3
"""Readings in a row that must agree before a change is believed: a ball that flies or rolls past covers a hole for
less than two."""

SAME_PLACE_MM = 6.0
"""A loose ball that moved less between two readings lies still."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardState:
    """What lies where: hole to colour, in the layout's order, and the loose balls."""

    holes: tuple[tuple[str, str], ...] = ()
    loose: tuple[Loose, ...] = ()


class SteadyBoard:
    """Takes in a reading every so often and keeps what has been the same ``AGREEING`` times."""

    def __init__(self) -> None:
        self._holes: dict[str, str | None] = {}
        self._doubt: dict[str, tuple[str | None, int]] = {}
        self._loose: list[tuple[Loose, int]] = []
        self._readings = 0
        self._confirmed: set[str] = set()
        self._state: BoardState | None = None

    @property
    def is_known(self) -> bool:
        """Whether there were readings enough to believe anything."""
        return self._readings >= AGREEING

    @property
    def is_in_doubt(self) -> bool:
        """Whether the newest readings differ from what is believed, or are too few to believe anything."""
        return bool(self._doubt) or not self.is_known or any(count < AGREEING for _, count in self._loose)

    def is_open(self, colours: Collection[str]) -> bool:
        """Whether the newest readings leave open where balls of these colours came to lie, or whether a ball went."""
        went = any(self._holes[hole] is not None or colour in colours for hole, (colour, _) in self._doubt.items())
        # A ball that rolls about in a pit stays in it.
        rolls = any(ball.hole is None and ball.colour in colours and count < AGREEING for ball, count in self._loose)
        return went or rolls

    @property
    def agreed(self) -> tuple[tuple[str, str], ...]:
        """Holes and the colours of the balls in them, as believed, where the newest reading says the same."""
        return tuple((hole, colour) for hole, colour in self.state.holes if hole in self._confirmed)

    @property
    def state(self) -> BoardState:
        if self._state is None:
            self._state = BoardState(
                holes=tuple((hole, colour) for hole, colour in self._holes.items() if colour is not None),
                loose=tuple(ball for ball, count in self._loose if count >= AGREEING),
            )
        return self._state

    def update(self, reading: BoardReading) -> None:
        self._readings += 1
        self._state = None
        self._confirmed.clear()
        for hole in reading.holes:
            believed = self._holes.setdefault(hole.hole, None)
            if not hole.is_covered and hole.colour == believed:
                self._confirmed.add(hole.hole)
            if hole.is_covered or hole.colour == believed:
                self._doubt.pop(hole.hole, None)
                continue
            colour, count = self._doubt.get(hole.hole, (hole.colour, 0))
            count = count + 1 if colour == hole.colour else 1
            if count >= AGREEING:
                self._holes[hole.hole] = hole.colour
                self._doubt.pop(hole.hole, None)
            else:
                self._doubt[hole.hole] = (hole.colour, count)
        self._loose = [(ball, self._count(ball) + 1) for ball in reading.loose]

    def _count(self, ball: Loose) -> int:
        return max(
            (
                count
                for earlier, count in self._loose
                if (earlier.colour, earlier.hole) == (ball.colour, ball.hole)
                and math.hypot(earlier.x_mm - ball.x_mm, earlier.y_mm - ball.y_mm) < SAME_PLACE_MM
            ),
            default=0,
        )
