"""The balls of a game: their colours, and their sizes where one colour has several."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from calibration.layout import Layout

SEEN_SHARE = 0.92
"""Seen radius against the true one: shade and gloss take the colour from the outermost rim of a ball."""


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


def nearest_kind(kinds: Sequence[BallKind], *, seen_px: float, px_per_mm: float) -> BallKind:
    """The kind whose size fits best a ball seen with a radius of ``seen_px`` where a millimetre is ``px_per_mm``."""
    radius_mm = seen_px / SEEN_SHARE / px_per_mm
    return min(kinds, key=lambda kind: abs(math.log(kind.radius_mm / radius_mm)))
