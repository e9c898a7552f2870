"""The light on a lane, told by the shadows of its pins: which dark parts of the lid they explain."""

from typing import Final

import cv2
import numpy as np

from referee.vision.pins.explain import Light, Mask, Scene
from referee.vision.pins.outlines import outlines_of, sampled_at
from referee.vision.pins.picture import Array, Image
from referee.vision.pins.shape import balls_of

LENGTHS: Final = (0.3, 0.55, 0.9, 1.3, 1.9, 2.7)
WAYS: Final = np.linspace(0.0, 2 * np.pi, 20, endpoint=False)
"""How long shadows may be, in heights of what throws them, and where to."""

WIDER: Final = 1.15
BESIDE: Final = 1.7
"""How far pins reach in the picture, in radii, so that what is beyond is none of them. Where a shadow has an end to
both sides: radii of what throws it from its middle."""

DARK: Final = 0.4
"""How dark a shadow is at least, to be one."""

EVERY: Final = 3
"""Of the balls that a pin is told by, every so manyth throws its shadow where that is looked for."""

MOST: Final = 10
"""Pins whose shadows tell the light."""


LIGHTS: Final = np.array([(length * np.cos(way), length * np.sin(way)) for length in LENGTHS for way in WAYS])
"""Where shadows may fall, in mm east and north per mm of height."""


def shadow_shares(poses: Array, lights: Array, unlit: Image, scene: Scene) -> Array:
    """How much of the shadows of pins, (n, 5), in lights, (m, 2), shows beside the pins themselves: (m, n), -1 to 1.

    ``unlit``: (h, w), 1 where the lid isn't seen in full light, else 0.
    """
    window = scene.window
    discs = outlines_of(poses, scene.size, window)
    balls, radii_mm = balls_of(poses, scene.size)
    balls, radii_mm = balls[:, ::EVERY].transpose(2, 1, 0).astype(np.float32), radii_mm[::EVERY].astype(np.float32)
    top_mm = window.table.layout.height_mm
    half_x, half_y = (length / 2 for length in window.table.layout.size_mm)
    # Of each light, each third ball and each pin: its shadow's middle, and what is to both sides of it.
    ways = lights.T.astype(np.float32)[:, :, None, None]
    left = BESIDE * np.stack([-ways[1], ways[0]]) / np.maximum(np.hypot(*ways), 1e-9) * radii_mm[:, None]
    fallen_x, fallen_y = balls[:2, None] + (balls[2] - np.float32(top_mm)) * ways
    x_mm, y_mm = (
        np.stack([fallen, fallen + aside, fallen - aside])
        for fallen, aside in zip((fallen_x, fallen_y), left, strict=True)
    )
    rows = window.projection.astype(np.float32)
    x, y, depth = (row[0] * x_mm + row[1] * y_mm + (row[2] * np.float32(top_mm) + row[3]) for row in rows)
    x /= depth
    y /= depth
    is_free = (np.abs(x_mm) < half_x) & (np.abs(y_mm) < half_y)
    for disc_x, disc_y, reach in zip(discs.x, discs.y, WIDER * discs.radii, strict=True):
        gap_x, gap_y = x - disc_x, y - disc_y
        gap_x *= gap_x
        gap_y *= gap_y
        gap_x += gap_y
        is_free &= gap_x > reach * reach
    values = sampled_at(unlit, x, y) * is_free
    inner_count, outer_count = is_free[0].sum(axis=1), is_free[1:].sum(axis=(0, 2))
    # A point stands for as much of a shadow as it is long.
    inner = values[0].sum(axis=1) - DARK * inner_count
    outer = values[1:].sum(axis=(0, 2)) / np.maximum(outer_count, 1) * inner_count
    return np.asarray((inner - (1 - DARK) * outer) / len(radii_mm), dtype=np.float64)


def light_of(poses: Array, worths: Array, unlit: Image, scene: Scene) -> tuple[Light, Array]:
    """The light that explains most dark parts by the shadows of pins, (n, 5), and how much of each one's shows: (n,).

    ``worths``: (n,), how likely each of them is one.
    """
    shares = shadow_shares(poses, LIGHTS, unlit, scene)
    best = np.sort(shares * worths, axis=1)[:, -MOST:].sum(axis=1) * np.hypot(*LIGHTS.T)
    k = int(best.argmax())
    east, north = LIGHTS[k].tolist()
    chosen = np.argsort(-shares[k] * worths)[:MOST]
    return Light(east=east, north=north, clear=float(np.mean(shares[k][chosen]))), shares[k]


def shadow_mask(poses: Array, light: Light, scene: Scene) -> Mask:
    """The pixels that shadows of pins, (n, 5), fall on: (h, w), not those of the pins themselves."""
    window = scene.window
    mask = np.zeros(window.shape, dtype=np.uint8)
    if not len(poses):
        return mask > 0
    balls, radii_mm = balls_of(poses, scene.size)
    top_mm = window.table.layout.height_mm
    angles = np.linspace(0, 2 * np.pi, 10, endpoint=False)
    rings = np.zeros((*balls.shape[:2], len(angles), 3))
    rings[..., :2] = 1.1 * radii_mm[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rings[..., :2] += (balls[..., :2] + (balls[..., 2:] - top_mm).clip(0.0) * (light.east, light.north))[:, :, None]
    rings[..., 2] = top_mm
    for ring in np.round(window.to_px(rings)).astype(np.int32).reshape(-1, len(angles), 2):
        cv2.fillConvexPoly(mask, ring, 1)
    kernel = np.ones((5, 5), np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel) > 0)
