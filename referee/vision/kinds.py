"""The balls of a game: their colours, and their sizes where one colour has several."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.layout import Layout
from referee.vision.middles import median

SEEN_SHARE = 0.92
"""Seen radius against the true one: shade and gloss take the colour from the outermost rim of a ball."""


IN_FLIGHT_SHARE = 0.98
"""The same for the smaller extent of a ball in flight: its colour is smeared over the half-size chroma planes."""

SHARE_SIGMA = 0.05
"""How much that share differs, as a logarithm, between paints, lights and cameras."""

EDGE_PX = 0.3
"""How far off the edge of a small ball is seen, alike in all pictures."""

LYING_COST = 4.0
"""How much less likely, as a logarithm, a ball is that should lie on the board: that may have been read wrongly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BallKind:
    """A kind of ball: its name in the log, its colour, its radius."""

    name: str
    colour: str
    radius_mm: float


def ball_kinds(layout: Layout, colours: Sequence[str] | None = None) -> tuple[BallKind, ...]:
    """The balls that a layout names; only those of ``colours``, where any are given. "orange-small" is orange."""
    kinds = [
        BallKind(name=name, colour=name.partition("-")[0], radius_mm=radius_mm)
        for name, radius_mm in layout.ball_radius_mm
    ]
    return tuple(kind for kind in kinds if not colours or kind.name in colours or kind.colour in colours)


def of_colour(kinds: Sequence[BallKind], colour: str) -> tuple[BallKind, ...]:
    """The kinds of one colour, smallest first."""
    return tuple(sorted((kind for kind in kinds if kind.colour == colour), key=lambda kind: kind.radius_mm))


def middle_kind(options: Sequence[BallKind]) -> BallKind:
    """Of the kinds of one colour, smallest first, the one that a ball is taken for until its size is told."""
    return options[len(options) // 2]


def nearest_kind(kinds: Sequence[BallKind], *, seen_px: float, px_per_mm: float) -> BallKind:
    """The kind whose size fits best a ball seen with a radius of ``seen_px`` where a millimetre is ``px_per_mm``."""
    radius_mm = seen_px / SEEN_SHARE / px_per_mm
    return min(kinds, key=lambda kind: abs(math.log(kind.radius_mm / radius_mm)))


def kind_by_size(
    kinds: Sequence[BallKind], seen_mm: NDArray[np.float64], lying: Collection[str], radius_px: float = math.inf
) -> tuple[BallKind, float]:
    """The likeliest kind of a ball whose radius was seen as ``seen_mm``, (n,), and how sure that is, 0 to 1.

    ``lying``: names of the kinds that lie on the board, as far as is known: each ball exists once. ``radius_px``: how
    large it was in the picture.
    """
    middle = median(seen_mm)
    scatter = 1.5 * median(np.abs(np.log(seen_mm / middle))) / math.sqrt(len(seen_mm))
    sigma = math.hypot(SHARE_SIGMA, scatter, EDGE_PX / radius_px)
    gaps = [math.log(middle / IN_FLIGHT_SHARE / kind.radius_mm) / sigma for kind in kinds]
    odds = [
        math.exp(-0.5 * gap**2 - (LYING_COST if kind.name in lying else 0.0))
        for gap, kind in zip(gaps, kinds, strict=True)
    ]
    best = max(range(len(kinds)), key=odds.__getitem__)
    return kinds[best], odds[best] / max(sum(odds), 1e-300)
