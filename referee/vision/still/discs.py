"""Round things of a known size and hue: a disc that is filled with the hue and bordered by something else all round."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame, Plane
from referee.vision.colours import BLACK

DARK: Final = 20.0
"""Luma above black below which chroma is noise whatever its share."""

INSIDE: Final = (0.3, 0.6, 0.88)
"""Circles, in radii, on which a ball has its colour: the outermost part mixes with what is behind."""

OUTSIDE: Final = (1.18, 1.3)
"""Circles, in radii, on which something else begins."""

SPOKES: Final = 16
"""Places on each circle."""

PAINTED: Final = 6.0
"""Paint of a ball, for its colour's least saturation: as in dim light, where luma is 36 above black."""

FILLED: Final = 0.25
"""Where, between what is around and the ball's middle, a place begins to have its colour: on its shaded side early."""

EMPTIED: Final = 0.5
"""Where, on the same way, it has ceased to: chroma planes are coarse, and a ball's colour runs over its edge."""

BESIDE: Final = 0.35
"""Quantile of what is around that stands for it: the rest may be other balls."""

MOST_AROUND: Final = 0.65
"""Paint around a ball against its own: wood near its hue has half as much."""

MIN_FILLED: Final = 0.86
"""Share of a ball's disc with its colour: gloss takes the rest."""

MIN_BORDERED: Final = 0.62
"""Share of the surroundings with another colour: a ball in a row has a like one on either side."""

MIN_SEEN: Final = 0.4
"""Share of a ball's disc that must be in view."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """For each of n supposed discs, all (n,): ``filled`` and ``bordered`` shares, ``level``: the paint inside,
    ``enough``: the paint from which a place counts as filled, ``seen``: the share in view."""

    filled: Array
    bordered: Array
    level: Array
    enough: Array
    seen: Array

    @property
    def score(self) -> Array:
        """How round and full, 0 to 2; 0 where it can't be a ball."""
        is_ball = (self.filled >= MIN_FILLED) & (self.bordered >= MIN_BORDERED) & (self.seen >= MIN_SEEN)
        return np.where(is_ball, self.filled * self.seen + self.bordered, 0.0)


def paint_of(frame: Frame, luma_half: Plane, hue_deg: float) -> NDArray[np.float32]:
    """How much paint of a hue every chroma pixel shows, (h, w) float32; negative on the other side of grey.

    Chroma along the hue by the root of luma: shade, which takes both, and gloss, which adds luma and takes chroma,
    change it less than either chroma or saturation, so that a ball stays one thing and wood near its hue another.
    """
    hue = math.radians(hue_deg)
    chroma = math.cos(hue) * (frame.u.astype(np.float32) - 128) + math.sin(hue) * (frame.v.astype(np.float32) - 128)
    return np.asarray(chroma / np.sqrt(np.maximum(luma_half.astype(np.float32) - BLACK, DARK)), dtype=np.float32)


def weigh_discs(paint: NDArray[np.float32], view: NDArray[np.uint8] | None, centres: Array, radii: Array) -> Evidence:
    """Test supposed discs in a picture of one hue's paint.

    ``centres``: (n, 2) columns and rows, ``radii``: (n,), in its pixels. ``view``: 1 where balls can be seen (None:
    everywhere); what lies outside counts for nothing.
    """
    inside, inside_seen = _sampled(paint, view, centres, radii, INSIDE)
    outside, outside_seen = _sampled(paint, view, centres, radii, OUTSIDE)
    level = _quantile(inside, inside_seen, 0.5)
    around = np.maximum(_quantile(outside, outside_seen, BESIDE), 0.0)
    # Where all around has nearly as much of the paint, there is no ball, whatever the shares.
    rise = np.where(around < MOST_AROUND * level, level - around, np.inf)
    enough = around + FILLED * rise
    return Evidence(
        filled=_share(inside >= enough[:, None], inside_seen),
        bordered=_share(outside < (around + EMPTIED * rise)[:, None], outside_seen),
        level=level,
        enough=enough,
        seen=inside_seen.mean(axis=1),
    )


def overlap(
    paint: NDArray[np.float32], view: NDArray[np.uint8] | None, centre: Array, radius: float, enough: float
) -> float:
    """How well a disc covers the painted region about it: what both share, by what either has (0 to 1)."""
    reach = math.ceil(1.5 * radius)
    left, top = max(0, round(centre[0]) - reach), max(0, round(centre[1]) - reach)
    window = np.s_[top : top + 2 * reach + 1, left : left + 2 * reach + 1]
    rows, columns = np.indices(paint[window].shape)
    away = np.hypot(columns + left - centre[0], rows + top - centre[1])
    disc, painted = away <= radius, (paint[window] >= enough) & (away <= reach)
    if view is not None:
        disc, painted = disc & (view[window] > 0), painted & (view[window] > 0)
    either = np.count_nonzero(disc | painted)
    return np.count_nonzero(disc & painted) / either if either else 0.0


def best_apart(score: Array, centres: Array, radii: Array) -> list[int]:
    """The best of overlapping discs, best first: those whose middles are more than a radius apart."""
    chosen: list[int] = []
    for k in np.argsort(-score, kind="stable").tolist():
        if score[k] <= 0:
            break
        if all(math.hypot(*(centres[k] - centres[c])) > max(radii[k], radii[c]) for c in chosen):
            chosen.append(k)
    return chosen


def _sampled(
    paint: NDArray[np.float32], view: NDArray[np.uint8] | None, centres: Array, radii: Array, circles: tuple[float, ...]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Values on circles about the centres, and which of them are in view: (n, circles * spokes) each."""
    angles = np.arange(SPOKES) * 2 * math.pi / SPOKES
    spokes = np.concatenate([scale * np.column_stack([np.cos(angles), np.sin(angles)]) for scale in circles])
    places = centres[:, None, :] + radii[:, None, None] * spokes
    columns, rows = (np.round(places[..., k]).astype(np.intp) for k in (0, 1))
    height, width = paint.shape
    seen = (columns >= 0) & (rows >= 0) & (columns <= width - 1) & (rows <= height - 1)
    cells = np.clip(rows, 0, height - 1) * width + np.clip(columns, 0, width - 1)
    if view is not None:
        seen &= view.ravel()[cells] > 0
    return paint.ravel()[cells], seen


def _quantile(values: NDArray[np.float32], seen: NDArray[np.bool_], q: float) -> Array:
    """A quantile of each row's values in view; 0 where none is."""
    ordered = np.sort(np.where(seen, values, np.inf), axis=1)
    count = seen.sum(axis=1)
    found = ordered[np.arange(len(ordered)), np.maximum(np.ceil(q * count).astype(int) - 1, 0)]
    return np.where(count > 0, found, 0.0).astype(np.float64)


def _share(flags: NDArray[np.bool_], seen: NDArray[np.bool_]) -> Array:
    return np.asarray((flags & seen).sum(axis=1) / np.maximum(seen.sum(axis=1), 1), dtype=np.float64)
