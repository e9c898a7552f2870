"""Pictures put into the light of the first: lamps flicker, cameras expose anew, the day ends."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame, Plane
from referee.vision.colours import BLACK

Kind = TypeVar("Kind", np.uint8, np.bool_)

STEP = 8
"""Chroma pixels between those that are compared: a few dozen in each row are enough for a mean."""

LEAST_LUMA = 16.0
"""Levels above black from which a pixel tells how much light there is."""

CLIPPED = 235
"""Luma from which a pixel may be brighter than it can show."""

LEAST_CHANGE = 0.05
LEAST_LEVELS = 3.0
"""Changes of a row's light that are let be, as a share and in levels: less than what makes a thing look
changed, and twice what video compression makes of a still scene."""

STRIPS = 4
LEAST_STRIPS = 3
AGREEING = 0.03
"""A lamp or the camera changes a whole row alike: of its strips so many must agree, within such a share. A hand's soft
shadow doesn't go that far; rows that can't tell take their neighbours' light."""

LEAST_SHARE = 0.25
"""Share of a strip that must show the still scene."""

SAME_GAIN = 0.02
"""Steps, as a logarithm, in which rows are scaled: half of one is two levels of the brightest things."""

LEAST_FOR_CHROMA = 0.1
"""Change of the light, as a logarithm, below which chroma is let be: that of the most colourful things, 90 levels, then
changes by less than makes them look changed."""

RANGE = (0.4, 2.5)
"""Changes of the light that are made up for: beyond them nothing is left to see, or all is glare."""


class Exposure:
    """Remembers how bright a still scene was, row by row, and evens later pictures out to that.

    Row by row, because a rolling shutter reads the rows one after the other: under a lamp that pulses with the mains
    bands of light and dark wander over the picture.
    """

    def __init__(self, luma_half: Plane) -> None:
        """``luma_half``: (h, w) uint8, luma at the size of the chroma planes."""
        self._first = _sampled(luma_half) - np.float32(BLACK)
        # Not by a pixel's own luma: those that noise brightened would all get darker.
        around = _sampled(np.asarray(cv2.blur(luma_half, (STEP, STEP)), dtype=np.uint8))
        self._tells = (around > BLACK + LEAST_LUMA) & (around < CLIPPED)
        self._told = np.count_nonzero(self._tells)
        self._sums = self._first.sum(axis=1)
        self._let_be = np.maximum(LEAST_CHANGE * self._sums, LEAST_LEVELS * self._first.shape[1])
        self._rows = np.arange(len(luma_half)) / STEP
        # Which column is in which strip: sums over strips are products with it.
        columns = np.arange(self._first.shape[1])
        self._strips = np.equal.outer(columns * STRIPS // len(columns), np.arange(STRIPS)).astype(np.float32)
        self._widths = self._strips.sum(axis=0)

    def evened(self, frame: Frame, luma_half: Plane, changed: NDArray[np.bool_] | None) -> tuple[Frame, Plane]:
        """A frame's chroma, and its luma at that size, as they would be in the first picture's light.

        ``changed``: (h, w) bool, where the last picture differed from the still scene: hands tell nothing of the light.
        """
        change = self._change(luma_half, changed)
        if change is None:
            return frame, luma_half
        steps = np.rint(np.log(np.interp(self._rows, np.arange(len(change)), change)) / SAME_GAIN).astype(np.int64)
        bounds = [0, *(np.flatnonzero(np.diff(steps)) + 1).tolist(), len(steps)]
        bands = [(slice(top, end), math.exp(-SAME_GAIN * int(steps[top]))) for top, end in pairwise(bounds)]
        luma = _scaled(luma_half, bands, BLACK)
        if SAME_GAIN * np.abs(steps).max() < LEAST_FOR_CHROMA:
            return frame, luma
        return replace(frame, u=_scaled(frame.u, bands, 128), v=_scaled(frame.v, bands, 128)), luma

    def _change(self, luma_half: Plane, changed: NDArray[np.bool_] | None) -> NDArray[np.float64] | None:
        """The light of each sampled row against the first picture's; None where it is the same, or can't be told."""
        now = _sampled(luma_half) - np.float32(BLACK)
        # The usual cases at little cost: nothing is lighter or darker, or nothing but what moves there.
        if (np.abs(now.sum(axis=1) - self._sums) < self._let_be).all():
            return None
        still = self._tells if changed is None else self._tells & ~_sampled(changed)
        if np.count_nonzero(still) < LEAST_SHARE * self._told:
            still = self._tells  # all is different: a lamp was switched, or the camera exposes anew
        # Of each row's strips.
        before, after = ((levels * still) @ self._strips for levels in (self._first, now))
        still_sums = before.sum(axis=1)
        if (np.abs(after.sum(axis=1) - still_sums) * self._sums <= self._let_be * still_sums).all():
            return None
        seen = still.astype(np.float32) @ self._strips  # 0 where too little is still
        lights = np.where(seen >= LEAST_SHARE * self._widths, after / np.maximum(before, 1.0), 0.0)
        usual = np.sort(lights, axis=1)[:, (STRIPS - 1) // 2 : STRIPS // 2 + 1].mean(axis=1)
        agree = np.abs(lights - usual[:, None]) < AGREEING * usual[:, None]
        tells = agree.sum(axis=1) >= LEAST_STRIPS
        if not tells.any():
            return None
        change = usual if tells.all() else np.interp(np.arange(len(now)), np.flatnonzero(tells), usual[tells])
        is_same = (np.abs(change - 1.0) * self._sums < self._let_be).all()
        return None if is_same else np.clip(change, *RANGE)


def _sampled(plane: NDArray[Kind]) -> NDArray[Kind]:
    # Whole rows first: memory is read in order, and fast.
    return np.ascontiguousarray(plane[::STEP])[:, ::STEP]


def _scaled(plane: Plane, bands: Sequence[tuple[slice, float]], zero: int) -> Plane:
    """A plane with the distance from ``zero`` scaled in each band of rows."""
    scaled = np.empty_like(plane)
    for rows, gain in bands:
        cv2.addWeighted(plane[rows], gain, plane[rows], 0.0, zero * (1.0 - gain), scaled[rows])
    return scaled
