"""The light on a lane, told by the shadows of its pins: which dark parts of the lid they explain."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from referee.vision.pins.explain import Mask, Scene
from referee.vision.pins.outlines import sampled
from referee.vision.pins.picture import Array, Image
from referee.vision.pins.shape import balls_of

LENGTHS: Final = (0.3, 0.55, 0.9, 1.3, 1.9)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """``east``, ``north``: how far shadows reach, mm per mm of height; ``clear``: how much of them shows, 0 to 1."""

    east: float
    north: float
    clear: float


def lights() -> list[tuple[float, float]]:
    """Where shadows may fall, in mm east and north per mm of height."""
    return [(length * float(np.cos(way)), length * float(np.sin(way))) for length in LENGTHS for way in WAYS]


def shadow_shares(poses: Array, light: tuple[float, float], unlit: Image, scene: Scene) -> Array:
    """How much of the shadows of pins, (n, 5), shows beside the pins themselves, -1 to 1: (n,).

    ``unlit``: (h, w), 1 where the lid isn't seen in full light, else 0.
    """
    window = scene.window
    balls, radii_mm = balls_of(poses, scene.size)
    centres, depths_mm = window.to_px_and_depth(balls)
    radii = window.focal_px * radii_mm[None] / np.maximum(depths_mm, 1.0)
    balls, radii_mm = balls[:, ::EVERY], radii_mm[::EVERY]
    along = np.array(light)
    left = np.array([-along[1], along[0]]) / max(float(np.hypot(*along)), 1e-9)
    top_mm = window.table.layout.height_mm
    fallen = balls.copy()
    fallen[..., :2] += (balls[..., 2] - top_mm)[..., None] * along
    fallen[..., 2] = top_mm
    aside = np.zeros_like(fallen)
    aside[..., :2] = BESIDE * radii_mm[None, :, None] * left
    points = np.stack([fallen, fallen + aside, fallen - aside], axis=2)
    half = np.array(window.table.layout.size_mm) / 2
    is_on_lid = (np.abs(points[..., :2]) < half).all(axis=-1)
    points_px = window.to_px(points)
    gap = np.linalg.norm(points_px[:, :, :, None] - centres[:, None, None], axis=-1)
    is_free = is_on_lid & (gap > 1.15 * radii[:, None, None]).all(axis=-1)
    values = np.where(is_free, sampled(unlit, points_px.astype(np.float32)), 0.0)
    count = is_free.sum(axis=1)
    # A point stands for as much of a shadow as it is long.
    inner = (values[..., 0] - DARK * is_free[..., 0]).sum(axis=1)
    outer = values[..., 1:].sum(axis=(1, 2)) / np.maximum(count[:, 1:].sum(axis=1), 1) * count[:, 0]
    return np.asarray((inner - (1 - DARK) * outer) / len(radii_mm), dtype=np.float64)


def light_of(poses: Array, worths: Array, unlit: Image, scene: Scene) -> tuple[Light, Array]:
    """The light that explains most dark parts by the shadows of pins, (n, 5), and how much of each one's shows: (n,).

    ``worths``: (n,), how likely each of them is one.
    """
    shares = np.array([shadow_shares(poses, light, unlit, scene) for light in lights()])
    lengths = np.array([float(np.hypot(*light)) for light in lights()])
    best = np.sort(shares * worths, axis=1)[:, -MOST:].sum(axis=1) * lengths
    k = int(best.argmax())
    east, north = lights()[k]
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
    for pin in balls:
        for (x, y, z), radius in zip(pin, radii_mm, strict=True):
            reach = max(z - top_mm, 0.0)
            angles = np.linspace(0, 2 * np.pi, 10, endpoint=False)
            ring = np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius * 1.1
            ring += (x + reach * light.east, y + reach * light.north)
            flat = np.column_stack([ring, np.full(len(ring), top_mm)])
            cv2.fillConvexPoly(mask, np.round(window.to_px(flat)).astype(np.int32), 1)
    kernel = np.ones((5, 5), np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel) > 0)
