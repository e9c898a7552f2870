"""Balls of the board's own hue in holes: they shine where an empty hole is dark."""

import math

import numpy as np
from numpy.typing import NDArray

from referee.vision.bare import BareBoard, median_of
from referee.vision.colours import BLACK, MIN_CHROMA, ColourMap, Planes
from referee.vision.seats import Patches

FULL = 0.9
"""Share of a disc that has the colour where a ball fills it; holes have prints, floors and shade."""

MORE = 1.1
"""Least median chroma of a ball's disc against the board's: what is in the shade has less, a lit floor as much."""

LIT = 0.6
"""Least median luma of a ball's disc against the board's."""


def alike_in(
    discs: Patches, labels: NDArray[np.uint8], planes: Planes, bare: BareBoard, colours: ColourMap
) -> dict[int, str]:
    """Which discs a ball fills that may look like the board, and its colour's name.

    ``planes``: luma, U and V of the pixels of the window, flat, that the board was learned from, and their ``labels``.
    Shade takes chroma along with light: a disc with more chroma than a painted board has is not the inside of a hole in
    it. Of bright paints and of wood, orange and yellow, nothing is said: walls of such holes light each other, and have
    more chroma as well.
    """
    own_u, own_v, own_y = bare.look
    if not bare.is_painted or not len(discs.cells):
        return {}
    kinds = len(colours.colours) + 1
    shown = np.bincount(discs.owner * kinds + labels.take(discs.cells), minlength=kinds * len(discs.sizes))
    shown = shown.reshape(-1, kinds)[:, 1:]
    best = shown.argmax(axis=1)
    found = {}
    for k in np.flatnonzero(shown.max(axis=1) >= np.maximum(FULL * discs.sizes, 1)).tolist():
        colour = colours.colours[best[k]]
        if colour.min_chroma > MIN_CHROMA:
            continue
        light, there_u, there_v = (median_of(plane.take(discs.of_patch(k))) for plane in planes)
        has_more = math.hypot(there_u - 128, there_v - 128) >= MORE * math.hypot(own_u, own_v)
        if has_more and light - BLACK >= LIT * own_y:
            found[k] = colour.name
    return found
