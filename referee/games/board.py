"""A Bounce It-In board as the rules see it: what is printed in its holes, and its rows of five."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final

from calibration.layout import Hole, Layout

ROW_LENGTH: Final = 5
# Holes whose places differ by less than this share of the smallest distance of two holes are in one column (or line).
ALIGNED: Final = 0.3

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """``holes`` by name; ``rows``: the names of the holes of every row, in order of the rows' names."""

    holes: Mapping[str, Hole]
    rows: tuple[Row, ...]

    def number(self, hole: str) -> int:
        """The number printed in a hole."""
        return self.holes[hole].value

    def points(self, hole: str, colour: str) -> int:
        """What a ball of this colour scores in a hole: the number, twice on its own colour."""
        return self.number(hole) * (2 if self.holes[hole].colour == colour else 1)

    def completed(self, before: frozenset[str], after: frozenset[str]) -> tuple[Row, ...]:
        """The rows that are full when the holes ``after`` are taken and weren't with those ``before``."""
        return tuple(row for row in self.rows if after.issuperset(row) and not before.issuperset(row))


def row_name(row: Row) -> str:
    """A row is named by its two ends, the smaller text first: "A1-E1"."""
    return "-".join(sorted((row[0], row[-1])))


def board_of(layout: Layout) -> Board:
    """The board of a layout; its rows are those that it lists, else all that its holes form."""
    rows = derive_rows(layout.holes) if layout.rows is None else layout.rows
    named = sorted((row for row in rows if row), key=row_name)
    return Board(holes={hole.name: hole for hole in layout.holes}, rows=tuple(named))


def derive_rows(holes: Sequence[Hole]) -> tuple[Row, ...]:
    """Every five neighbouring holes in a straight line: along a line, a column or a diagonal."""
    nearest_mm = min((math.dist((a.x_mm, a.y_mm), (b.x_mm, b.y_mm)) for a, b in combinations(holes, 2)), default=0.0)
    columns = _ranks([hole.x_mm for hole in holes], ALIGNED * nearest_mm)
    lines = _ranks([hole.y_mm for hole in holes], ALIGNED * nearest_mm)
    names = {(columns[hole.x_mm], lines[hole.y_mm]): hole.name for hole in holes}
    rows = []
    for column, line in names:
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            places = [(column + right * step, line + up * step) for step in range(ROW_LENGTH)]
            if all(place in names for place in places):
                rows.append(tuple(names[place] for place in places))
    return tuple(rows)


def _ranks(values: Sequence[float], tolerance: float) -> dict[float, int]:
    """The number of the column (or line) that each value lies in; values closer than the tolerance share one."""
    ordered = sorted(values)
    ranks = dict.fromkeys(ordered[:1], 0)
    for before, value in pairwise(ordered):
        ranks[value] = ranks[before] + (value - before > tolerance)
    return ranks
