"""Heat maps: in which holes balls come to rest, and where they first touch the table."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from referee.stats.deeds import Deeds

BIN_MM: Final = 50
"""About as exact as a bounce is seen from across a table, and some three balls wide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A square of the table, by its middle as seen from the middle of the board (x to the right, y away)."""

    x_mm: float
    y_mm: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap:
    """Of all throws onto one kind of board. ``holes``: name and balls; ``spots``: squares of ``BIN_MM``."""

    board: str
    holes: tuple[tuple[str, int], ...]
    spots: tuple[Spot, ...]


def heat_maps(deeds: Iterable[Deeds], player: str | None = None) -> tuple[HeatMap, ...]:
    """A map for each board on which something is to be seen, of one player or of all."""
    holes: dict[str, Counter[str]] = {}
    squares: dict[str, Counter[tuple[int, int]]] = {}
    for one in deeds:
        for throw in one.throws:
            if player not in (None, throw.player):
                continue
            if throw.hole is not None:
                holes.setdefault(one.board, Counter())[throw.hole] += 1
            if throw.bounce_mm is not None:
                x_mm, y_mm = throw.bounce_mm
                square = math.floor(x_mm / BIN_MM), math.floor(y_mm / BIN_MM)
                squares.setdefault(one.board, Counter())[square] += 1
    return tuple(
        HeatMap(
            board=board,
            holes=tuple(sorted(holes.get(board, Counter()).items())),
            spots=tuple(
                Spot(x_mm=(x + 0.5) * BIN_MM, y_mm=(y + 0.5) * BIN_MM, count=count)
                for (x, y), count in sorted(squares.get(board, Counter()).items())
            ),
        )
        for board in sorted(holes.keys() | squares.keys())
    )
