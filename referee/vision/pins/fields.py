"""Smooth fields of colour that surfaces show, learned from the pixels of a picture."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.picture import Image

SHADOW: Final = 0.77
LIT_SHARE: Final = 0.3
"""How dark the commonest colour is where it is a shadow, and how much of the surface is brighter then: shadows are
smoother than what they fall on, but pins cover less than this."""

NOISE_FLOOR: Final = (3.0, 1.6)
"""Least deviation of luma and chroma, in levels, of what is one colour: compression leaves as much."""

NEAR_SPREADS: Final = 2.5
"""Deviations within which pixels are of the lit surface: faint shadows lie little further off."""

SAMPLE: Final = 1500
"""Pixels, or up to twice as many, from which a surface is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """Where a part of a picture begins, and the shape of the whole; None where it is the whole."""

    left: int = 0
    top: int = 0
    shape: tuple[int, int] | None = None


WHOLE: Final = Within()


@dataclass(frozen=True, kw_only=True, eq=False)
class Field:
    """A smooth field of colour: ``weights``, (k, 3), of the terms of its polynomial, 3 of a plane and 6 of a bent one,
    and the deviations of luma and chroma from it."""

    weights: Image
    luma_sigma: float
    chroma_sigma: float

    def over(self, box: tuple[slice, slice], shape: tuple[int, int], within: Within = WHOLE) -> Image:
        """What it is in some rows and columns of a picture of some shape, (3, h, w); ``within``: of which picture that
        is a part."""
        height, width = within.shape or shape
        y = (np.arange(box[0].start, box[0].stop, dtype=np.float32) + within.top) / np.float32(height)
        x = (np.arange(box[1].start, box[1].stop, dtype=np.float32) + within.left) / np.float32(width)
        weights = self.weights[:, :, None]
        rows, columns = weights[0] + weights[2] * y, weights[1] * x
        if len(weights) == 3:
            return np.asarray(rows[:, :, None] + columns[:, None, :], dtype=np.float32)
        out = (rows + weights[5] * (y * y))[:, :, None] + (columns + weights[3] * (x * x))[:, None, :]
        out += (weights[4] * y)[:, :, None] * x
        return np.asarray(out, dtype=np.float32)

    def at(self, cells: NDArray[np.intp], shape: tuple[int, int], within: Within = WHOLE) -> Image:
        """The same at flat indices, (3, n).

        Not as a product of matrices, for which several processors are woken.
        """
        terms = _terms(cells, shape, len(self.weights), within)
        return np.asarray(np.einsum("kc,kn->cn", self.weights, terms), dtype=np.float32)


def field_of(planes: Image, own: NDArray[np.uint8], number: int) -> Field:
    """The lit surface that most of a part of a picture, (h, w, 3), shows; ``own``: not 0 on that part, (h, w);
    ``number``: of the terms of the polynomial."""
    cells = np.flatnonzero(own > 0)
    cells = cells[:: max(1, len(cells) // SAMPLE)]
    return _field(planes.reshape(-1, 3).take(cells, axis=0), _terms(cells, own.shape, number))


def _field(sample: Image, basis: Image) -> Field:
    """The lit surface that most of some pixels, (n, 3), show; ``basis``: (k, n), the terms of each."""
    start = _lit(sample)
    seen = np.ascontiguousarray(sample.T)
    weights = np.zeros((len(basis), 3), dtype=np.float32)
    weights[0] = start
    luma_sigma, chroma_sigma = NOISE_FLOOR
    slack = np.array([0.22 * start[0] + 6, 8.0, 8.0], dtype=np.float32)
    is_near = np.zeros(len(sample), dtype=np.bool_)
    for _ in range(6):
        off = np.abs(seen - weights.T @ basis)
        before, is_near = is_near, (off[0] < slack[0]) & (off[1] < slack[1]) & (off[2] < slack[2])
        near = np.flatnonzero(is_near)
        # From the same pixels as before nothing new is learned.
        if len(near) < 4 * len(basis) or np.array_equal(is_near, before):
            break
        own, these = basis.take(near, axis=1), seen.take(near, axis=1)
        normal = own @ own.T + 1e-3 * np.eye(len(basis), dtype=np.float32)
        weights = np.linalg.solve(normal, own @ these.T).astype(np.float32)
        left = np.abs(these - weights.T @ own)
        spread = 1.4826 * np.partition(left, left.shape[1] // 2, axis=1)[:, left.shape[1] // 2]
        luma_sigma = max(float(spread[0]), NOISE_FLOOR[0])
        chroma_sigma = max(float(spread[1:].max()), NOISE_FLOOR[1])
        slack = np.maximum(NEAR_SPREADS * spread, [8.0, 4.0, 4.0]).astype(np.float32)
    return Field(weights=weights, luma_sigma=luma_sigma, chroma_sigma=chroma_sigma)


def _lit(pixels: Image) -> Image:
    """The colour of a surface in the light, (3,): the commonest, unless that is but a shadow of a brighter one."""
    start = _commonest(pixels)
    times = pixels[:, 0] / max(float(start[0]), 4.0)
    off = np.hypot(*(pixels[:, 1:] - times[:, None] * start[1:]).T)
    brighter = (times > 1 / SHADOW) & (off < NOISE_FLOOR[1] * 2 + 0.12 * pixels[:, 0])
    return _commonest(pixels[brighter]) if brighter.mean() > LIT_SHARE else start


def _commonest(pixels: Image) -> Image:
    """The colour that most pixels have, (3,)."""
    bins = np.floor(pixels.T / np.array([[12.0], [6.0], [6.0]], dtype=np.float32)).astype(np.int32) + 64
    keys = np.sort((bins[0] << 20) | (bins[1] << 10) | bins[2])
    firsts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    often = keys[firsts[np.argsort(-np.diff(firsts, append=len(keys)))[:8]]]
    luma, blue, red = bins.astype(np.int16)[:, None]
    # Grain spreads over several bins, which count together.
    near = np.abs(luma - (often >> 20)[:, None].astype(np.int16)) <= 1
    near &= np.abs(blue - (often >> 10 & 1023)[:, None].astype(np.int16)) <= 1
    near &= np.abs(red - (often & 1023)[:, None].astype(np.int16)) <= 1
    most = near[np.count_nonzero(near, axis=1).argmax()]
    return np.asarray(np.median(pixels[most], axis=0), dtype=np.float32)


def _terms(cells: NDArray[np.intp], shape: tuple[int, ...], number: int, within: Within = WHOLE) -> Image:
    """Terms of a polynomial in the picture's rows and columns at flat indices, (3, n) or (6, n)."""
    height, width = within.shape or shape
    row, column = np.divmod(cells, shape[1])
    y = ((row + within.top) / height).astype(np.float32)
    x = ((column + within.left) / width).astype(np.float32)
    rows = [np.ones_like(x), x, y] + ([x * x, x * y, y * y] if number > 3 else [])
    return np.stack(rows)
