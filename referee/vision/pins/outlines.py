"""What a pin in a given pose would cover in the picture: its inside, and points on both sides of its outline."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.picture import Array, Image, Window
from referee.vision.pins.pin import PinSize
from referee.vision.pins.shape import balls_of

ANGLES: Final = np.linspace(0.0, 2 * np.pi, 12, endpoint=False)
AWAY_PX: Final = 1.6
"""How far from the outline, on both sides, colours are taken: pictures are sharp to about a pixel."""

INSIDE: Final = np.array([(0.0, 0.0)] + [(0.62 * np.cos(a), 0.62 * np.sin(a)) for a in ANGLES[::2]])
"""Points of a disc that stand for all of it, in radii."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Outlines:
    """Of n pins in the window's pixels: ``inside``: (n, m, 2) points and ``weights``: (n, m), shares of the area that
    they stand for; ``inner`` and ``outer``: (n, c, 2), points within and without the outline, and ``is_edge``: (n, c),
    which of them are on the outline of the whole pin. ``centres``: (n, k, 2), ``radii``: (n, k): its discs."""

    inside: Image
    weights: Image
    inner: Image
    outer: Image
    is_edge: NDArray[np.bool_]
    centres: Image
    radii: Image

    def some(self, which: NDArray[np.intp]) -> "Outlines":
        """Some of the pins alone."""
        return Outlines(
            inside=self.inside[which],
            weights=self.weights[which],
            inner=self.inner[which],
            outer=self.outer[which],
            is_edge=self.is_edge[which],
            centres=self.centres[which],
            radii=self.radii[which],
        )


def outlines_of(poses: Array, size: PinSize, window: Window) -> Outlines:
    """How pins in some poses, (n, 5) as for ``balls_of``, would be seen."""
    balls, radii_mm = balls_of(poses, size)
    centres = window.to_px(balls).astype(np.float32)
    # A ball off the optical axis is seen a little larger than its radius over its depth; for pins that is no pixel.
    radii = (window.focal_px * radii_mm[None, :] / np.maximum(window.depth_mm(balls), 1.0)).astype(np.float32)
    inside = centres[:, :, None, :] + radii[:, :, None, None] * INSIDE[None, None].astype(np.float32)
    weights = np.repeat(radii * radii, len(INSIDE), axis=1)
    round_about = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1).astype(np.float32)
    rings = radii[:, :, None, None] * round_about[None, None]
    away = AWAY_PX * round_about[None, None]
    inner, outer = (centres[:, :, None, :] + rings - away, centres[:, :, None, :] + rings + away)
    count, points = len(poses), outer.reshape(len(poses), -1, 2)
    gap_x = points[:, :, None, 0] - centres[:, None, :, 0]
    gap_y = points[:, :, None, 1] - centres[:, None, :, 1]
    reach = (radii + 0.8 * AWAY_PX) ** 2
    is_edge = (gap_x * gap_x + gap_y * gap_y > reach[:, None, :]).all(axis=-1)
    return Outlines(
        inside=inside.reshape(count, -1, 2),
        weights=weights / weights.sum(axis=1, keepdims=True),
        inner=inner.reshape(count, -1, 2),
        outer=outer.reshape(count, -1, 2),
        is_edge=is_edge,
        centres=centres,
        radii=radii,
    )


def mask_of(outlines: Outlines, k: int, shape: tuple[int, int], smaller: int = 1) -> NDArray[np.bool_]:
    """The pixels that the k-th pin covers in a picture of some shape, so many times smaller than the window: (h, w)."""
    mask = np.zeros(shape, dtype=np.uint8)
    centres = ((outlines.centres[k] + 0.5) / smaller - 0.5) * 16
    for (x, y), radius in zip(np.round(centres).astype(int).tolist(), outlines.radii[k].tolist(), strict=True):
        cv2.circle(mask, (x, y), round(radius * 16 / smaller), 1, -1, shift=4)
    return mask.astype(np.bool_)


LINE: Final = 1024
"""Points in a line of a picture that is made of them: OpenCV takes 32767 lines at most."""


def sampled(image: Image, points: Image) -> Image:
    """Values of a picture, (h, w) or (h, w, c), at points, (..., 2), between its pixels; outside of it 0."""
    flat = points.reshape(-1, 2)
    lines = -(-len(flat) // LINE)
    padded = np.zeros((lines * LINE, 2), dtype=np.float32)
    padded[: len(flat)] = flat
    x, y = (np.ascontiguousarray(padded[:, k]).reshape(lines, LINE) for k in (0, 1))
    out = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    out = out.reshape(lines * LINE, *image.shape[2:])[: len(flat)]
    return np.asarray(out, dtype=np.float32).reshape(*points.shape[:-1], *image.shape[2:])
