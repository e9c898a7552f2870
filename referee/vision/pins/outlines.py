"""What a pin in a given pose would cover in the picture: its inside, and points on both sides of its outline."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.picture import Array, Image, Window
from referee.vision.pins.pin import PinSize
from referee.vision.pins.shape import axes_of, heights_of

ANGLES: Final = np.linspace(0.0, 2 * np.pi, 12, endpoint=False)
ROUND: Final = np.stack([np.cos(ANGLES), np.sin(ANGLES)]).astype(np.float32)
"""Directions in which points around a disc are, (2, angles)."""

AWAY_PX: Final = np.float32(1.6)
"""How far from the outline, on both sides, colours are taken: pictures are sharp to about a pixel."""

INSIDE: Final = np.hstack([np.zeros((2, 1), dtype=np.float32), np.float32(0.62) * ROUND[:, ::2]])
"""Points of a disc that stand for all of it, (2, points) in radii."""

AT_ONCE: Final = 384
"""Pins whose outlines are worked out at once."""

LINE: Final = 1024
"""Points in a line of a picture that is made of them: OpenCV takes 32767 lines at most."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Edges:
    """Points on the outlines of pins, which come in groups of m that have theirs in the same places around them.

    ``counts``: (groups,), how many points each has; ``of``: (e,), the group of each, in order; ``x``, ``y``: (2, e, m),
    within and without.
    """

    counts: NDArray[np.intp]
    of: NDArray[np.intp]
    x: Image
    y: Image

    def sums(self, values: Image | NDArray[np.bool_]) -> Array:
        """Sums of values of the points, (e, m), by pin: (n,)."""
        if not len(values):
            return np.zeros(len(self.counts) * values.shape[1])
        ends = self.counts.cumsum()
        sums = np.add.reduceat(values, np.minimum(ends - self.counts, len(values) - 1), axis=0, dtype=np.float64)
        sums[self.counts == 0] = 0.0
        return np.asarray(sums.ravel(), dtype=np.float64)


@dataclass(frozen=True, kw_only=True, eq=False)
class Outlines:
    """Of n pins in the window's pixels, the discs that make them: ``x``, ``y`` and ``radii``, (k, n). ``alike``: pins
    come in groups of so many that are seen the same way."""

    x: Image
    y: Image
    radii: Image
    alike: int = 1

    def some(self, which: NDArray[np.intp]) -> "Outlines":
        """Some of the pins alone."""
        x, y, radii = (values.take(which, axis=1) for values in (self.x, self.y, self.radii))
        return Outlines(x=x, y=y, radii=radii)

    @cached_property
    def inside(self) -> tuple[Image, Image]:
        """Points within, x and y, (m, k, n)."""
        across, down = INSIDE[:, :, None, None]
        return self.x + self.radii * across, self.y + self.radii * down

    @cached_property
    def weights(self) -> Image:
        """Shares of the area that the points within stand for, (k, n), the same for all of a disc."""
        weights = self.radii * self.radii
        return np.asarray(weights / (INSIDE.shape[1] * weights.sum(axis=0)), dtype=np.float32)

    @cached_property
    def is_edge(self) -> NDArray[np.bool_]:
        """Which points around the discs are on the outline of the whole pin: outside of all its discs, (groups, k *
        angles).

        The discs' middles are on a straight line. A point at ``p`` from one's middle, in a direction with the cosine
        ``c`` to the line, is outside of a disc with radius ``q`` that is ``d`` behind it if
        ``d * d + 2 * d * p * c + p * p`` is more than ``q * q``: the discs behind it leave directions from some cosine
        on, those before it directions up to some.
        """
        x, y, radii = (values[:, :: self.alike] for values in (self.x, self.y, self.radii))
        parts = [np.s_[:, start : start + AT_ONCE] for start in range(0, max(x.shape[1], 1), AT_ONCE)]
        return np.concatenate([_on_outline(x[part], y[part], radii[part]) for part in parts])

    @cached_property
    def edges(self) -> Edges:
        """The points on the outlines."""
        of, points = np.nonzero(self.is_edge)
        discs = points // len(ANGLES)
        groups = self.is_edge.shape[0]
        across, down = ROUND.take(points - discs * len(ANGLES), axis=1)[:, :, None]
        cells = discs * groups + of
        x, y, radii = (each.reshape(-1, self.alike).take(cells, axis=0) for each in (self.x, self.y, self.radii))
        at_x, at_y = np.empty((2, *x.shape), dtype=np.float32), np.empty((2, *x.shape), dtype=np.float32)
        for side, reach in enumerate((radii - AWAY_PX, radii + AWAY_PX)):
            np.add(x, reach * across, out=at_x[side])
            np.add(y, reach * down, out=at_y[side])
        return Edges(counts=np.bincount(of, minlength=groups), of=of, x=at_x, y=at_y)


def _on_outline(x: Image, y: Image, radii: Image) -> NDArray[np.bool_]:
    """Which points around discs, (k, n), are outside of all: (n, k * angles)."""
    axis_x, axis_y = x[-1] - x[0], y[-1] - y[0]
    length = np.maximum(np.sqrt(axis_x * axis_x + axis_y * axis_y), np.float32(1e-6))
    axis_x, axis_y = axis_x / length, axis_y / length
    places = (x - x[0]) * axis_x + (y - y[0]) * axis_y
    own, other, firsts = _pairs(len(x))
    ways = radii + AWAY_PX
    gaps = np.maximum(np.abs(places.take(own, axis=0) - places.take(other, axis=0)), np.float32(1e-6))
    room = (
        ((radii + np.float32(0.8 * AWAY_PX)) ** 2).take(other, axis=0) - (ways * ways).take(own, axis=0) - gaps * gaps
    )
    room /= (2 * ways).take(own, axis=0) * gaps
    bounds = np.maximum.reduceat(room, firsts, axis=0)
    least = np.full((2, *x.shape), -np.inf, dtype=np.float32)
    least[0, 1:], least[1, :-1] = bounds[: len(x) - 1], bounds[len(x) - 1 :]
    cosines = ROUND[0][:, None] * axis_x + ROUND[1][:, None] * axis_y
    on_outline = (cosines > least[0][:, None]) & (-cosines > least[1][:, None])
    return np.asarray(on_outline.transpose(2, 0, 1).reshape(x.shape[1], len(x) * len(ANGLES)), dtype=np.bool_)


@lru_cache
def _pairs(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Each of so many discs with those behind it, then each with those before it; and where in this each one begins."""
    behind, before = np.tril_indices(count, -1), np.triu_indices(count, 1)
    own, other = np.concatenate([behind[0], before[0]]), np.concatenate([behind[1], before[1]])
    return own, other, np.flatnonzero(np.diff(own, prepend=-1))


def outlines_of(poses: Array, size: PinSize, window: Window, alike: int = 1) -> Outlines:
    """How pins in some poses, (n, 5) as for ``balls_of``, would be seen; ``alike``: they come in groups of so many that
    differ little."""
    heights, radii_mm = heights_of(size)
    feet, axes = axes_of(poses, size)
    # What is on a straight line is projected by adding up.
    starts = window.projection[:, :3] @ feet + window.projection[:, 3:]
    ways = window.projection[:, :3] @ axes
    x, y, depths = (start + way * heights[:, None] for start, way in zip(starts, ways, strict=True))
    x /= depths
    y /= depths
    # A ball off the optical axis is seen a little larger than its radius over its depth; for pins that is no pixel.
    radii = (window.focal_px * radii_mm)[:, None] / np.maximum(depths, 1.0)
    x, y, radii = (values.astype(np.float32) for values in (x, y, radii))
    return Outlines(x=x, y=y, radii=radii, alike=alike)


def all_of(some: Sequence[Outlines]) -> Outlines:
    """Several outlines, of pins that come in groups of the same number, as one."""
    x, y, radii = (
        np.concatenate(values, axis=1) for values in zip(*((one.x, one.y, one.radii) for one in some), strict=True)
    )
    return Outlines(x=x, y=y, radii=radii, alike=some[0].alike)


def masks_of(outlines: Outlines, shape: tuple[int, int], smaller: int = 1) -> NDArray[np.bool_]:
    """The pixels that each pin covers in a picture of some shape, so many times smaller than the window: (n, h, w)."""
    masks = np.zeros((outlines.x.shape[1], *shape), dtype=np.uint8)
    _draw(outlines, masks, smaller)
    return masks.view(np.bool_)


def mask_of_all(outlines: Outlines, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """The pixels that any pin covers in a picture of some shape: (h, w)."""
    mask = np.zeros(shape, dtype=np.uint8)
    _draw(outlines, [mask] * outlines.x.shape[1])
    return mask.view(np.bool_)


def _draw(outlines: Outlines, sheets: Iterable[NDArray[np.uint8]], smaller: int = 1) -> None:
    """Draw each pin on a sheet of its own."""
    x, y = (
        np.round(((places.T + 0.5) / smaller - 0.5) * 16).astype(int).tolist() for places in (outlines.x, outlines.y)
    )
    radii = np.round(outlines.radii.T * (16 / smaller)).astype(int).tolist()
    for sheet, *discs in zip(sheets, x, y, radii, strict=True):
        for disc_x, disc_y, radius in zip(*discs, strict=True):
            cv2.circle(sheet, (disc_x, disc_y), radius, 1, -1, shift=4)


def sampled_at(image: Image, x: Image, y: Image) -> Image:
    """Values of a picture, (h, w) or (h, w, c), at places (...) between its pixels; outside of it 0."""
    lines = max(1, -(-x.size // LINE))
    padded = np.zeros((2, lines * LINE), dtype=np.float32)
    padded[0, : x.size], padded[1, : x.size] = x.ravel(), y.ravel()
    at_x, at_y = padded.reshape(2, lines, LINE)
    out = cv2.remap(image, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    out = out.reshape(lines * LINE, *image.shape[2:])[: x.size]
    return np.asarray(out, dtype=np.float32).reshape(*x.shape, *image.shape[2:])


def sampled(image: Image, points: Image) -> Image:
    """The same at points, (..., 2)."""
    return sampled_at(image, points[..., 0], points[..., 1])
