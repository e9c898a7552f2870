"""Pictures as seen from straight above: what lies about a place lies about every other one in the same way."""

import math
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.picture import Array, Image


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Places in rows, the first one southernmost, and columns, the first one westernmost; ``west_mm`` and ``south_mm``:
    of the first."""

    west_mm: float
    south_mm: float
    step_mm: float
    columns: int
    rows: int

    @classmethod
    def over(cls, half_mm: Array, step_mm: float) -> Self:
        """All over a rectangle about the origin."""
        columns, rows = (math.ceil(2 * half / step_mm) + 1 for half in half_mm.tolist())
        return cls(west_mm=-float(half_mm[0]), south_mm=-float(half_mm[1]), step_mm=step_mm, columns=columns, rows=rows)

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def places_mm(self) -> Array:
        """All places, row by row: (2, n)."""
        x = self.west_mm + self.step_mm * np.arange(self.columns)
        y = self.south_mm + self.step_mm * np.arange(self.rows)
        return np.stack([np.tile(x, self.rows), np.repeat(y, self.columns)])

    def finer(self, times: int, around_mm: float) -> Self:
        """So many times as fine, and so much larger on all sides."""
        step = self.step_mm / times
        more = math.ceil(around_mm / step)
        return type(self)(
            west_mm=self.west_mm - more * step,
            south_mm=self.south_mm - more * step,
            step_mm=step,
            columns=(self.columns - 1) * times + 1 + 2 * more,
            rows=(self.rows - 1) * times + 1 + 2 * more,
        )

    def cells_at(self, places_mm: Array) -> NDArray[np.int32]:
        """Indices of the places next to some, (2, ...): (...)."""
        x, y = places_mm
        return self.cells_away(np.stack([x - self.west_mm, y - self.south_mm]))

    def cells_away(self, ways_mm: Array) -> NDArray[np.int32]:
        """What ways, (2, ...), add to an index: (...)."""
        columns, rows = np.rint(ways_mm / self.step_mm).astype(np.int32)
        return np.asarray(rows * np.int32(self.columns) + columns, dtype=np.int32)

    def seen(self, image: Image, projection: Array, height_mm: float) -> Image:
        """A picture's values, (h, w), where places at some height are seen, (rows, columns); 0 beyond its edge.

        ``projection``: (3, 4), world millimetres to pixels.
        """
        place = np.array(
            [
                [self.step_mm, 0.0, self.west_mm],
                [0.0, self.step_mm, self.south_mm],
                [0.0, 0.0, height_mm],
                [0.0, 0.0, 1.0],
            ]
        )
        return np.asarray(
            cv2.warpPerspective(
                image,
                projection @ place,
                (self.columns, self.rows),
                flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_CONSTANT,
                borderValue=0.0,
            ),
            dtype=np.float32,
        )
