"""Is a set-up as the rules want it? Pins that touch, pins on or outside the border, pins that are missing.

Pins are numbered for people as they see them from the south: 1 is the nearest one, then row by row, each from left to
right. A row is as deep as a pin is thick.
"""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from calibration.layout import Layout
from referee.vision.pins.pin import Pin, PinReading

FOOT: Final = 0.6
"""Radius of a pin's foot, in radii of its belly."""

UNSURE_MM: Final = 0.8
"""How exactly a foot in plain view is placed, one standard deviation; twice that for one that is half hidden."""


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
    """What is wrong with a set-up, for sure: "touching 3 4", "outside 7", "only 9 of 10"; empty where nothing is."""
    return tuple(problem for problem, is_sure in _problems(reading, layout) if is_sure)


def doubts_of(reading: PinReading, layout: Layout) -> tuple[str, ...]:
    """What may be wrong with a set-up, so near to the limit that a person should look."""
    return tuple(problem for problem, is_sure in _problems(reading, layout) if not is_sure)


def _problems(reading: PinReading, layout: Layout) -> list[tuple[str, bool]]:
    """Problems, and whether they are sure."""
    if layout.pins is None:
        return []
    pins = numbered(reading.pins, layout)
    found: list[tuple[str, bool]] = []
    for (i, one), (j, other) in combinations(enumerate(pins, start=1), 2):
        room_mm = math.dist(_mm(one), _mm(other)) - 2 * layout.pins.radius_mm
        slack_mm = math.hypot(_slack_mm(one), _slack_mm(other))
        if room_mm < slack_mm:
            found.append((f"touching {i} {j}", room_mm < slack_mm / 2))
    for i, pin in enumerate(pins, start=1):
        room_mm = _room_mm(pin, reading, layout) - FOOT * layout.pins.radius_mm
        if room_mm < _slack_mm(pin) / 2:
            found.append((f"outside {i}", room_mm < -_slack_mm(pin)))
    if reading.standing < layout.pins.count:
        found.append((f"only {reading.standing} of {layout.pins.count}", reading.review is None))
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
    return 2 * UNSURE_MM * (1 + 2 * pin.hidden)


def _mm(pin: Pin) -> tuple[float, float]:
    return pin.mm if pin.mm is not None else (0.0, 0.0)
