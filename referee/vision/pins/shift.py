"""How far a lane has been knocked out of its place: its border line, looked for beside where the layout has it."""

from functools import lru_cache
from typing import Final

import numpy as np

from referee.vision.pins.outlines import sampled
from referee.vision.pins.picture import Array, Image, Window

REACH_MM: Final = 9.0
STEP_MM: Final = 0.5
OFFSETS_MM: Final = np.arange(-REACH_MM, REACH_MM + STEP_MM / 2, STEP_MM)
SAMPLES: Final = 48
CONTRADICTION_MM: Final = 1.5
CLEAR: Final = 6.0
"""Levels by which the line must differ from what is on both sides of it."""


def shift_of(planes: Image, window: Window) -> tuple[float, float]:
    """How far the lane lies to the east and north of where calibration saw it, mm; 0 where the line can't be seen."""
    lane = window.table.layout.lane
    if lane is None or lane.border_mm <= 0:
        return 0.0, 0.0
    corners = np.array(lane.corners_mm)
    found: tuple[list[tuple[float, float]], ...] = ([], [])
    for k in range(4):
        one, other = corners[k], corners[(k + 1) % 4]
        along = (other - one) / np.linalg.norm(other - one)
        outward = np.array([along[1], -along[0], 0.0])
        axis = int(np.abs(outward[:2]).argmax())
        offset, clarity = _offset(planes, window, (one, other, outward), lane.border_mm)
        if clarity > CLEAR:
            # The corners are those of the field: the line runs along it outside.
            found[axis].append(((offset - lane.border_mm / 2) * float(np.sign(outward[axis])), clarity))
    east, north = (_agreed(sides) for sides in found)
    return east, north


def _agreed(sides: list[tuple[float, float]]) -> float:
    """The shift that two opposite sides tell, or the clearer one where they contradict each other."""
    if len(sides) == 2 and abs(sides[0][0] - sides[1][0]) < CONTRADICTION_MM:
        return (sides[0][0] + sides[1][0]) / 2
    return max(sides, key=lambda side: side[1])[0] if sides else 0.0


def _offset(planes: Image, window: Window, side: tuple[Array, Array, Array], border_mm: float) -> tuple[float, float]:
    """How far outward of a side (its ends and its outward direction) the border line is, and how clearly."""
    one, other, outward = side
    share = np.linspace(0.06, 0.94, SAMPLES)[:, None, None]
    points = one + share * (other - one) + OFFSETS_MM[None, :, None] * outward
    colours = sampled(planes, window.to_px(points).astype(np.float32))
    profile = np.median(colours - colours.mean(axis=1, keepdims=True), axis=0)
    line, within, without = (means @ profile for means in _bands(border_mm))
    steps = [np.sqrt(((line - beside) ** 2).sum(axis=1)) for beside in (within, without)]
    response = np.minimum(*steps)
    best = int(response.argmax())
    return float(OFFSETS_MM[best]) + _peak(response, best) * STEP_MM, float(response[best])


@lru_cache(maxsize=4)
def _bands(border_mm: float) -> tuple[Array, Array, Array]:
    """What makes the means of a line so wide at each offset, and of what is within and without of it, out of a profile:
    (n, n) each; 0 where one of them isn't on the profile."""
    half, beside = border_mm / 2, max(2.0, border_mm / 2)
    inner, outer = half + 0.5, half + 0.5 + beside
    away = OFFSETS_MM[None] - OFFSETS_MM[:, None]
    bands = np.stack([np.abs(away) <= half, (away < -inner) & (away >= -outer), (away > inner) & (away <= outer)])
    counts = bands.sum(axis=2)
    shares = np.where((counts >= 2).all(axis=0)[:, None], bands / np.maximum(counts, 1)[..., None], 0.0)
    line, within, without = shares
    return line, within, without


def _peak(values: Array, best: int) -> float:
    """Where between its neighbours the best of some values really is, in steps (a parabola through three)."""
    if not 0 < best < len(values) - 1:
        return 0.0
    left, middle, right = values[best - 1 : best + 2]
    bend = left - 2 * middle + right
    return float(np.clip((left - right) / (2 * bend), -0.5, 0.5)) if bend < 0 else 0.0
