"""What a pin in a given pose would cover in the picture: its inside, and points on both sides of its outline."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.picture import Array, Image, Window
from referee.vision.pins.pin import PinSize
from referee.vision.pins.shape import balls_of

ANGLES: Final = np.linspace(0.0, 2 * np.pi, 12, endpoint=False)
ROUND: Final = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1).astype(np.float32)
"""Directions in which points around a disc are, (angles, 2)."""

AWAY_PX: Final = np.float32(1.6)
"""How far from the outline, on both sides, colours are taken: pictures are sharp to about a pixel."""

INSIDE: Final = np.vstack([np.zeros((1, 2), dtype=np.float32), np.float32(0.62) * ROUND[::2]])
"""Points of a disc that stand for all of it, in radii."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Edges:
    """Points on the outlines of n pins: ``of``: (e,), whose; ``inner`` and ``outer``: (e, 2), within and without."""

    count: int
    of: NDArray[np.intp]
    inner: Image
    outer: Image

    def sums(self, values: Image | NDArray[np.bool_]) -> NDArray[np.float64]:
        """Sums of values of the points, (e,), by pin: (n,)."""
        return np.asarray(np.bincount(self.of, weights=values, minlength=self.count), dtype=np.float64)


@dataclass(frozen=True, kw_only=True, eq=False)
class Outlines:
    """Of n pins in the window's pixels: ``centres``: (n, k, 2), ``radii``: (n, k), the discs that make them."""

    centres: Image
    radii: Image

    def some(self, which: NDArray[np.intp]) -> "Outlines":
        """Some of the pins alone."""
        return Outlines(centres=self.centres[which], radii=self.radii[which])

    @cached_property
    def inside(self) -> Image:
        """Points within, (n, m, 2)."""
        points = self.centres[:, :, None, :] + self.radii[:, :, None, None] * INSIDE
        return points.reshape(len(points), self.radii.shape[1] * len(INSIDE), 2)

    @cached_property
    def weights(self) -> Image:
        """Shares of the area that the points within stand for, (n, m)."""
        weights = np.repeat(self.radii * self.radii, len(INSIDE), axis=1)
        return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float32)

    @cached_property
    def is_edge(self) -> NDArray[np.bool_]:
        """Which points around the discs are on the outline of the whole pin: outside of all its discs, (n, k * angles).

        The discs' middles are on a straight line. A point that is ``r`` from the middle of them, and at ``s`` along the
        line, is outside of a disc at ``t`` with radius ``q`` if ``r * r`` is more than ``2 * s * t + q * q - t * t``.
        """
        out = np.empty((len(self.centres), self.radii.shape[1] * len(ROUND)), dtype=np.bool_)
        for start in range(0, len(out), AT_ONCE):
            part = slice(start, start + AT_ONCE)
            # Pins come last: these are the longest rows.
            radii = np.ascontiguousarray(self.radii[part].T)
            middles = (self.centres[part] - self.centres[part].mean(axis=1, keepdims=True)).transpose(2, 1, 0)
            axis = middles[:, -1] - middles[:, 0]
            axis /= np.sqrt((axis * axis).sum(axis=0)).clip(1e-6)
            places = middles[0] * axis[0] + middles[1] * axis[1]
            reaches = (radii + np.float32(0.8 * AWAY_PX)) ** 2 - places * places
            x, y = (
                (middle[:, None] + (radii + AWAY_PX)[:, None] * ways[:, None]).reshape(out.shape[1], -1)
                for middle, ways in zip(middles, ROUND.T, strict=True)
            )
            along = 2 * (x * axis[0] + y * axis[1])
            farthest, power = np.full_like(along, -np.inf), np.empty_like(along)
            for place, reach in zip(places, reaches, strict=True):
                np.multiply(along, place, out=power)
                power += reach
                np.maximum(farthest, power, out=farthest)
            out[part] = (x * x + y * y > farthest).T
        return out

    @cached_property
    def edges(self) -> Edges:
        """The points on the outlines."""
        points = np.flatnonzero(self.is_edge)
        discs = points // len(ROUND)
        ways = ROUND.take(points - discs * len(ROUND), axis=0)
        on_edge = self.centres.reshape(-1, 2).take(discs, axis=0) + self.radii.reshape(-1, 1).take(discs, axis=0) * ways
        away = AWAY_PX * ways
        of = discs // self.radii.shape[1]
        return Edges(count=len(self.centres), of=of, inner=on_edge - away, outer=on_edge + away)


AT_ONCE: Final = 384
"""Pins whose outlines are worked out at once."""


def outlines_of(poses: Array, size: PinSize, window: Window) -> Outlines:
    """How pins in some poses, (n, 5) as for ``balls_of``, would be seen."""
    balls, radii_mm = balls_of(poses, size)
    centres, depths = window.to_px_and_depth(balls)
    # A ball off the optical axis is seen a little larger than its radius over its depth; for pins that is no pixel.
    radii = (window.focal_px * radii_mm[None, :] / np.maximum(depths, 1.0)).astype(np.float32)
    return Outlines(centres=centres.astype(np.float32), radii=radii)


def masks_of(outlines: Outlines, shape: tuple[int, int], smaller: int = 1) -> NDArray[np.bool_]:
    """The pixels that each pin covers in a picture of some shape, so many times smaller than the window: (n, h, w)."""
    masks = np.zeros((len(outlines.centres), *shape), dtype=np.uint8)
    _draw(outlines, masks, smaller)
    return masks.view(np.bool_)


def mask_of_all(outlines: Outlines, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """The pixels that any pin covers in a picture of some shape: (h, w)."""
    mask = np.zeros(shape, dtype=np.uint8)
    _draw(outlines, [mask] * len(outlines.centres))
    return mask.view(np.bool_)


def _draw(outlines: Outlines, sheets: Iterable[NDArray[np.uint8]], smaller: int = 1) -> None:
    """Draw each pin on a sheet of its own."""
    centres = np.round(((outlines.centres + 0.5) / smaller - 0.5) * 16).astype(int).tolist()
    for sheet, discs, radii in zip(sheets, centres, outlines.radii.tolist(), strict=True):
        for (x, y), radius in zip(discs, radii, strict=True):
            cv2.circle(sheet, (x, y), round(radius * 16 / smaller), 1, -1, shift=4)


LINE: Final = 1024
"""Points in a line of a picture that is made of them: OpenCV takes 32767 lines at most."""


def sampled(image: Image, points: Image) -> Image:
    """Values of a picture, (h, w) or (h, w, c), at points, (..., 2), between its pixels; outside of it 0."""
    flat = points.reshape(-1, 2)
    lines = max(1, -(-len(flat) // LINE))
    padded = np.zeros((2, lines * LINE), dtype=np.float32)
    padded[:, : len(flat)] = flat.T
    x, y = padded.reshape(2, lines, LINE)
    out = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    out = out.reshape(lines * LINE, *image.shape[2:])[: len(flat)]
    return np.asarray(out, dtype=np.float32).reshape(*points.shape[:-1], *image.shape[2:])
