"""What became of pins between two settled pictures: which stand where they stood, which don't, which are new."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from referee.vision.pins.pin import Pin, PinReading

SAME_MM: Final = 10.0
"""How far a pin may have slid on the lane: further than a blow shifts the box, less than pins stand apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """``gone``: standing pins that no longer stand; ``come``: standing pins where none stood; ``fell``: how many more
    lie or lean than before; ``missing``: how many pins fewer are seen in all."""

    gone: tuple[Pin, ...]
    come: tuple[Pin, ...]
    fell: int
    missing: int

    @property
    def is_nothing(self) -> bool:
        return not (self.gone or self.come or self.fell or self.missing)


def change_between(before: PinReading, after: PinReading) -> Change:
    """Compare two readings of one lane, each in millimetres from its own middle."""
    stood, stand = standing(before.pins), standing(after.pins)
    pairs = paired(stood, stand)
    return Change(
        gone=tuple(pin for i, pin in enumerate(stood) if i not in pairs),
        come=tuple(pin for j, pin in enumerate(stand) if j not in pairs.values()),
        fell=after.fallen - before.fallen,
        missing=len(before.pins) - len(after.pins),
    )


def paired(some: Sequence[Pin], others: Sequence[Pin], reach_mm: float = SAME_MM) -> dict[int, int]:
    """Which of some pins are which of the others, within reach of them, by their indices: the nearest ones first, each
    one only once."""
    pairs: dict[int, int] = {}
    gaps = sorted((gap_mm(a, b), i, j) for (i, a), (j, b) in product(enumerate(some), enumerate(others)))
    for gap, i, j in gaps:
        if gap < reach_mm and i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs


def standing(pins: Sequence[Pin]) -> Sequence[Pin]:
    """The pins that stand."""
    return [pin for pin in pins if pin.state == "standing"]


def is_new(pin: Pin, known: Sequence[Pin]) -> bool:
    """Whether a pin is none of some that are known: each is elsewhere."""
    return all(gap_mm(pin, one) >= SAME_MM for one in known)


def gap_mm(one: Pin, other: Pin) -> float:
    """Distance of two feet on the lane; infinite where one isn't known."""
    if one.mm is None or other.mm is None:
        return math.inf
    return math.dist(one.mm, other.mm)
