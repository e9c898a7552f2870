"""Free flight seen by one camera: gravity is known, so a few pixels fix a ball's path in millimetres.

A ball at X(t) = p + v t + g t^2 / 2 projects to x = (r1 X + tx) / (r3 X + tz); multiplied out this is linear in p and
v: (x r3 - r1) X = tx - x tz. Each sighting gives two such rows, divided by its depth so that residuals are pixels.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel

Array = NDArray[np.float64]

GRAVITY_MM_S2 = 9810.0

SCALE_SIGMA = 0.15
"""Spread, among cameras, lights and paints, of the share of its size that a ball shows."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Samples:
    """A ball's sightings ready for fitting.

    ``t_s``: (n,) seconds; ``px``: (n, 2) pixels; ``rows``: (n, 2, 3) and ``offsets``: (n, 2), such that
    rows @ X - offsets is the distance in the picture, in units of ``sigma_px`` (n,), between a ball at X mm and its
    sighting; where its size tells how far away it is there is a third row, of
    rows @ X - offsets - scale * s, for that: the same unknown s, about 1, for all of them, since light, gloss and paint
    take the same share of a ball's rim in each. ``is_whole``: (n,) bool, whether
    the ball was seen whole there, not in part between fingers; ``is_ball_like``: (n,) bool, whether at least size and
    form were a ball's, frayed or blurred.
    """

    t_s: Array
    px: Array
    sigma_px: Array
    rows: Array
    offsets: Array
    scale: Array
    is_whole: NDArray[np.bool_]
    is_ball_like: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.t_s)

    def part(self, start: int, stop: int) -> "Samples":
        """The samples from ``start`` to before ``stop``."""
        return Samples(
            t_s=self.t_s[start:stop],
            px=self.px[start:stop],
            sigma_px=self.sigma_px[start:stop],
            rows=self.rows[start:stop],
            offsets=self.offsets[start:stop],
            scale=self.scale[start:stop],
            is_whole=self.is_whole[start:stop],
            is_ball_like=self.is_ball_like[start:stop],
        )


def make_samples(
    camera: CameraModel,
    t_s: Array,
    px: Array,
    depth_mm: Array,
    sigma_px: Array,
    is_whole: NDArray[np.bool_] | None = None,
    is_ball_like: NDArray[np.bool_] | None = None,
    depth_spread: Array | None = None,
) -> Samples:
    """Prepare sightings: ``px`` (n, 2) pixels, ``depth_mm`` (n,) rough distances along the optical axis.

    ``is_whole``: whether each was seen whole; all were where it isn't given. ``is_ball_like``: as these, if not given.
    ``depth_spread``: (n,), how far off the depths of those seen whole are, as a share; without it they tell nothing.
    """
    whole = np.ones(len(t_s), dtype=np.bool_) if is_whole is None else is_whole
    xy = camera.undistort(px)
    rotation, shift = camera.rotation, camera.translation_mm
    rows = xy[:, :, None] * rotation[2] - rotation[:2]
    offsets = shift[:2] - xy * shift[2]
    weight = camera.focal_px / (depth_mm * sigma_px)
    rows, offsets = rows * weight[:, None, None], offsets * weight[:, None]
    scale = np.zeros(offsets.shape)
    if depth_spread is not None:
        trust = np.where(whole, 1.0 / depth_spread, 0.0)
        rows = np.concatenate([rows, (trust / depth_mm)[:, None, None] * rotation[2]], axis=1)
        offsets = np.column_stack([offsets, -trust / depth_mm * shift[2]])
        scale = np.column_stack([scale, trust])
    return Samples(
        t_s=t_s,
        px=px,
        sigma_px=sigma_px,
        rows=rows,
        offsets=offsets,
        scale=scale,
        is_whole=whole,
        is_ball_like=whole if is_ball_like is None else is_ball_like,
    )


def fall_mm(tau_s: Array) -> Array:
    """How far gravity pulls in ``tau_s`` seconds, as (n, 3) mm."""
    out = np.zeros((len(tau_s), 3))
    out[:, 2] = -0.5 * GRAVITY_MM_S2 * tau_s**2
    return out
