"""Specks of noise among labelled pixels, told from what is as large as a ball before anything else is asked of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

SQUARES = ((4, 8, 6.4), (2, 3, 4.0))
"""Sides of the squares in which pixels are counted, how many make one dense, and the width from which a disc always
makes one dense: when its centre is on a corner of four squares, a quarter of it is in each. A quarter of the first
disc may show another colour."""

AROUND = range(-2, 3)
"""Rows and columns of squares about a dense one whose pixels are kept: outlines fray."""


class _Squares:
    """Pictures cut into squares, numbered for each layer anew."""

    def __init__(self, side: int, least: int, shape: tuple[int, ...]) -> None:
        # There are empty squares all around, so that neighbours are found without looking for the edge.
        margin = AROUND[-1]
        rows, columns = (np.arange(size, dtype=np.int32) // side + margin for size in shape)
        across = int(columns[-1]) + margin + 1
        self._least = least
        self._of = (rows[:, None] * across + columns).ravel()
        self._count = int(self._of[-1]) + margin * (across + 1) + 1
        self._about = np.array([up * across + right for up in AROUND for right in AROUND], dtype=np.int32)

    def are_dense(
        self, cells: NDArray[np.intp], layers: NDArray[np.integer[Any]], counted: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Which pixels are in a square dense in their own layer, or near one."""
        squares = layers.astype(np.int32)
        squares *= self._count
        squares += self._of.take(cells)
        in_order = squares.take(np.flatnonzero(counted))
        in_order.sort()
        # Those of which this is the last pixel, and that have as many before it: each full square once.
        first, last, after = in_order[: 1 - self._least], in_order[self._least - 1 :], in_order[self._least :]
        is_full = first == last
        is_full[:-1] &= last[:-1] != after
        full = last[is_full]
        near = np.zeros((int(layers.max(initial=0)) + 1) * self._count, dtype=np.bool_)
        near[full[:, None] + self._about] = True
        return near.take(squares)


class SpeckFilter:
    """Tells by how densely a layer fills small squares: a disc that is large enough makes one dense, however
    it lies on them. Along all edges in a picture noise makes specks, hundreds of them."""

    def __init__(self, widths: NDArray[np.float32]) -> None:
        """``widths``: of the discs to keep, wherever they are, in pixels, (h, w); what is too small for any square is
        kept always."""
        self._zones: list[tuple[_Squares, NDArray[np.bool_]]] = []
        left = np.ones(widths.size, dtype=np.bool_)
        for side, least, width in SQUARES:
            fits = left & (widths.ravel() >= width)
            if fits.any():
                self._zones.append((_Squares(side, least, widths.shape), fits))
            left &= ~fits
        # In most views all discs are large enough for the same squares.
        self._everywhere = next((squares for squares, zone in self._zones if zone.all()), None)

    def are_kept(
        self, cells: NDArray[np.intp], layers: NDArray[np.integer[Any]], counted: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Which pixels, flat indices with the number of a layer each, a colour in a picture, are no specks; only those
        that are ``counted`` make a square dense."""
        if self._everywhere is not None:
            return self._everywhere.are_dense(cells, layers, counted)
        keep = np.ones(len(cells), dtype=np.bool_)
        for squares, zone in self._zones:
            here = zone.take(cells)
            if here.any():
                keep &= squares.are_dense(cells, layers, counted) | ~here
        return keep
