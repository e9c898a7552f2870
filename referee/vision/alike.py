"""Balls of the board's own colour in holes: they shine where an empty hole is dark."""

import math

import numpy as np

from hardware.frame import Plane
from referee.vision.bare import BareBoard
from referee.vision.colours import BLACK, MIN_CHROMA, ColourMap
from referee.vision.seats import Patches

FULL = 0.9
"""Share of a disc that has the colour where a ball fills it; holes have prints, floors and shade."""

MORE = 1.1
"""Least median chroma of a ball's disc against the board's: what is in the shade has less, a lit floor as much."""

LIT = 0.6
"""Least median luma of a ball's disc against the board's."""


def alike_in(discs: Patches, u: Plane, v: Plane, luma: Plane, bare: BareBoard, colours: ColourMap) -> dict[int, str]:
    """Which discs a ball fills whose colour is the board's, and that colour's name.

    ``u``, ``v``, ``luma``: pixels of the window, flat, that the board was learned from. Shade takes chroma along with
    light: a disc with more chroma than the board has is not the inside of a hole in it. Of bright paints and of wood,
    orange and yellow, nothing is said: walls of such holes light each other, and have more chroma as well.
    """
    own_u, own_v, own_y = bare.look
    own = (np.array([round(level)], dtype=np.uint8) for level in (own_y + BLACK, own_u + 128, own_v + 128))
    label = int(colours.label(*own)[0])
    if label == 0 or colours.colours[label - 1].min_chroma > MIN_CHROMA or not len(discs.cells):
        return {}
    planes = [plane.take(discs.cells) for plane in (luma, u, v)]
    is_own = colours.label(*planes) == label
    ends = np.flatnonzero(np.diff(discs.owner, append=-1)) + 1
    found = {}
    for first, end in zip(np.concatenate([[0], ends[:-1]]).tolist(), ends.tolist(), strict=True):
        if np.count_nonzero(is_own[first:end]) < FULL * (end - first):
            continue
        light, there_u, there_v = (np.median(plane[first:end]) for plane in planes)
        chroma = math.hypot(float(there_u) - 128, float(there_v) - 128)
        if chroma >= MORE * math.hypot(own_u, own_v) and light - BLACK >= LIT * own_y:
            found[int(discs.owner[first])] = colours.colours[label - 1].name
    return found
