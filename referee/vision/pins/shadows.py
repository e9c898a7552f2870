"""The light on a lane, told by the shadows of its pins: which dark parts of the lid they explain."""

from typing import Final

import cv2
import numpy as np

from referee.vision.pins.explain import Light, Mask, Scene
from referee.vision.pins.outlines import sampled
from referee.vision.pins.picture import Array, Image
from referee.vision.pins.shape import balls_of

LENGTHS: Final = (0.3, 0.55, 0.9, 1.3, 1.9, 2.7)
WAYS: Final = np.linspace(0.0, 2 * np.pi, 20, endpoint=False)
"""How long shadows may be, in heights of what throws them, and where to."""

BESIDE: Final = 1.7
"""Where a shadow has an end to both sides: radii of what throws it from its middle."""

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
    balls, radii_mm = balls_of(poses, scene.size)
    centres, depths_mm = window.to_px_and_depth(balls)
    reaches = 1.15 * window.focal_px * radii_mm[None] / np.maximum(depths_mm, 1.0)
    balls, radii_mm = balls[:, ::EVERY], radii_mm[::EVERY]
    left = np.stack([-lights[:, 1], lights[:, 0]], axis=1) / np.hypot(*lights.T).clip(1e-9)[:, None]
    top_mm = window.table.layout.height_mm
    points = np.empty((len(lights), len(poses), len(radii_mm), 3, 3))
    fallen = balls[None, ..., :2] + (balls[None, ..., 2:] - top_mm) * lights[:, None, None]
    aside = BESIDE * radii_mm[:, None] * left[:, None, None]
    for k, side in enumerate((0, 1, -1)):
        points[..., k, :2] = fallen + side * aside
    points[..., 2] = top_mm
    half = np.array(window.table.layout.size_mm) / 2
    points_px = window.to_px(points)
    is_free = (np.abs(points[..., 0]) < half[0]) & (np.abs(points[..., 1]) < half[1])
    for disc, reach in zip(np.moveaxis(centres, 1, 0), reaches.T, strict=True):
        gap_x, gap_y = (points_px[..., axis] - disc[:, None, None, axis] for axis in (0, 1))
        is_free &= gap_x * gap_x + gap_y * gap_y > reach[:, None, None] ** 2
    values = np.where(is_free, sampled(unlit, points_px.astype(np.float32)), 0.0)
    count = is_free.sum(axis=2)
    # A point stands for as much of a shadow as it is long.
    inner = (values[..., 0] - DARK * is_free[..., 0]).sum(axis=2)
    outer = values[..., 1:].sum(axis=(2, 3)) / np.maximum(count[..., 1:].sum(axis=2), 1) * count[..., 0]
    return np.asarray((inner - (1 - DARK) * outer) / len(radii_mm), dtype=np.float64)


def light_of(poses: Array, worths: Array, unlit: Image, scene: Scene) -> tuple[Light, Array]:
    """The light that explains most dark parts by the shadows of pins, (n, 5), and how much of each one's shows: (n,).

    ``worths``: (n,), how likely each of them is one.
    """
    shares = np.concatenate([shadow_shares(poses, some, unlit, scene) for some in np.split(LIGHTS, len(LENGTHS))])
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
