"""Is a set-up as the rules want it? Pins that touch, pins on or outside the border, pins that are missing.

Pins are numbered for people as they see them from the south: 1 is the nearest one, then row by row, each from left to
right. A row is as deep as a pin is thick.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from calibration.layout import Layout
from referee.vision.pins.pin import Pin, PinReading

FOOT: Final = 0.6
"""Radius of a pin's foot, in radii of its belly."""

UNSURE_MM: Final = 0.6
"""How exactly a foot in plain view is placed, one standard deviation; three times that for one that is half hidden: its
place rests on its head, and on how high it is."""

APART_MM: Final = 2 * math.sqrt(2) * UNSURE_MM
"""Gap between two pins in plain view from which they surely don't touch."""


def numbered(pins: Sequence[Pin], layout: Layout) -> tuple[Pin, ...]:
    """Standing pins in the order of their numbers, 1 first."""
    standing = [pin for pin in pins if pin.state == "standing" and pin.mm is not None]
    rows: list[list[Pin]] = []
    depth_mm = 2 * layout.pins.radius_mm if layout.pins is not None else 16.0
    for pin in sorted(standing, key=lambda pin: _mm(pin)[1]):
        if rows and _mm(pin)[1] - _mm(rows[-1][0])[1] < depth_mm:
            rows[-1].append(pin)
        else:
            rows.append([pin])
    return tuple(pin for row in rows for pin in sorted(row, key=lambda pin: _mm(pin)[0]))


def problems_of(reading: PinReading, layout: Layout) -> tuple[str, ...]:
    """What is wrong with a set-up: "touching 3 4", "outside 7", "only 9 of 10"; empty where nothing is.

    Pins touch where the picture can't rule it out: to part them costs the players nothing.
    """
    return tuple(problem.words for problem in _problems(reading, layout) if problem.holds)


def doubts_of(reading: PinReading, layout: Layout) -> tuple[str, ...]:
    """What may be wrong with a set-up or not, so near to the limit that a person should look, whatever was called."""
    return tuple(problem.words for problem in _problems(reading, layout) if problem.is_close)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Problem:
    words: str
    holds: bool
    is_close: bool


def _problems(reading: PinReading, layout: Layout) -> list[_Problem]:
    """Problems that there are or may be."""
    if layout.pins is None:
        return []
    pins = numbered(reading.pins, layout)
    found: list[_Problem] = []
    for (i, one), (j, other) in combinations(enumerate(pins, start=1), 2):
        gap_mm = math.dist(_mm(one), _mm(other)) - 2 * layout.pins.radius_mm
        slack_mm = math.hypot(_slack_mm(one), _slack_mm(other))
        close = APART_MM - slack_mm / 2 < gap_mm < APART_MM + slack_mm / 2
        found.append(_Problem(words=f"touching {i} {j}", holds=gap_mm < APART_MM, is_close=close))
    for i, pin in enumerate(pins, start=1):
        room_mm = _room_mm(pin, reading, layout) - FOOT * layout.pins.radius_mm
        found.append(_Problem(words=f"outside {i}", holds=room_mm < 0, is_close=abs(room_mm) < _slack_mm(pin)))
    missing = reading.standing < layout.pins.count
    words = f"only {reading.standing} of {layout.pins.count}"
    found.append(_Problem(words=words, holds=missing, is_close=missing and reading.review is not None))
    return found


def _room_mm(pin: Pin, reading: PinReading, layout: Layout) -> float:
    """How far within the border line a foot's middle is, negative outside of it."""
    if layout.lane is None:
        return math.inf
    x_mm, y_mm = _mm(pin)
    x_mm, y_mm = x_mm - reading.lane_shift_mm[0], y_mm - reading.lane_shift_mm[1]
    xs, ys = ([corner[k] for corner in layout.lane.corners_mm] for k in (0, 1))
    return min(x_mm - min(xs), max(xs) - x_mm, y_mm - min(ys), max(ys) - y_mm)


def _slack_mm(pin: Pin) -> float:
    """Twice the uncertainty of a pin's place."""
    return 2 * UNSURE_MM * (1 + 4 * pin.hidden)


def _mm(pin: Pin) -> tuple[float, float]:
    return pin.mm if pin.mm is not None else (0.0, 0.0)
