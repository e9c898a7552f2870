"""Outlines of the regions in many layers of pixels, traced at once."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outlines:
    """The outlines of k regions, in the order of their layers.

    ``points``: of all of them, one after the other, (n, 2) int32, column and row in the picture; ``lengths``: how many
    each has, and ``starts``: where they begin, (k,); ``boxes``: first column and row of each, and last, (4, k);
    ``layers``: which layer each is in, (k,). ``sheet``: the pixels of all layers, uint8, one layer below the other,
    without rows that are empty, until others are traced; ``first``: which column of a layer is its first, and
    ``below``: by how many rows each region is lower there, (k,).
    """

    points: NDArray[np.int32]
    lengths: Numbers
    starts: Numbers
    boxes: NDArray[np.int32]
    layers: Numbers
    sheet: NDArray[np.uint8]
    first: int
    below: Numbers

    def of(self, regions: Numbers) -> Iterator[NDArray[np.int32]]:
        """The outlines of some regions, (n, 2) each."""
        for start, length in zip(self.starts.take(regions).tolist(), self.lengths.take(regions).tolist(), strict=True):
            yield self.points[start : start + length]

    def drawn(self, k: int) -> NDArray[np.uint8]:
        """What is drawn in the box of a region."""
        left, top, right, bottom = self.boxes[:, k].tolist()
        below = int(self.below[k])
        return self.sheet[top + below : bottom + below + 1, left - self.first : right - self.first + 1]


class Tracer:
    """Traces regions in layers of one size. All are drawn on one sheet, which is used again: taking fresh memory costs
    more than the arithmetic."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        """``shape``: rows and columns of a layer."""
        self._height, self._width = shape
        self._paper = np.zeros(0, dtype=np.uint8)
        self._inked: Numbers = np.zeros(0, dtype=np.intp)

    def traced(
        self, cells: Numbers, layers: NDArray[np.integer[Any]], values: NDArray[np.uint8], least: int
    ) -> Outlines | None:
        """The regions that some pixels make, those in which eight neighbours are joined; None where there are none.

        ``cells``: flat indices into a layer, in ascending order within the ``layers``, which ascend too; ``values``:
        what to draw them with, not 0; all (n,). ``least``: points that an outline must have.
        """
        if not len(cells):
            return None
        rows = cells // self._width
        columns = cells - rows * self._width
        first = int(columns.min())
        width = int(columns.max()) - first + 1
        # Rows that are apart stay so, and the last row of a layer and the first of the next are no neighbours.
        lines = layers * np.intp(self._height + 1)
        lines += rows
        on_sheet = np.zeros(len(lines), dtype=np.intp)
        np.cumsum(np.minimum(lines[1:] - lines[:-1], 2), out=on_sheet[1:])
        sheet = self._drawn((int(on_sheet[-1]) + 1, width), on_sheet * width + columns - first, values)
        found, _ = cv2.findContours(sheet, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=(first, 0))
        row_at, layer_at = np.zeros((2, len(sheet)), dtype=np.intp)
        row_at[on_sheet], layer_at[on_sheet] = rows, layers
        contours = [contour for contour in found if len(contour) >= least]
        contours.sort(key=lambda contour: layer_at[contour[0, 0, 1]])
        if not contours:
            return None
        lengths = np.array([len(contour) for contour in contours])
        starts = np.cumsum(lengths) - lengths
        points = np.concatenate(contours, dtype=np.int32).reshape(-1, 2)
        begin = points[starts, 1]
        below = begin - row_at[begin]
        points[:, 1] -= below.astype(np.int32).repeat(lengths)
        ends = [extreme.reduceat(points, starts) for extreme in (np.minimum, np.maximum)]
        return Outlines(
            points=points,
            lengths=lengths,
            starts=starts,
            boxes=np.concatenate(ends, axis=1).T,
            layers=layer_at[begin],
            sheet=sheet,
            first=first,
            below=below,
        )

    def _drawn(self, shape: tuple[int, int], inked: Numbers, values: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A sheet of so many rows and columns with nothing but these pixels on it."""
        size = math.prod(shape)
        self._paper[self._inked] = 0
        if len(self._paper) < size:
            self._paper = np.zeros(2 * size, dtype=np.uint8)
        self._inked = inked
        self._paper[inked] = values
        return self._paper[:size].reshape(shape)
