"""Poses of pins near others: moved a little, or of another kind that would look much the same."""

from typing import Final

import numpy as np

from referee.vision.pins.candidates import LYING
from referee.vision.pins.explain import Scene
from referee.vision.pins.picture import Array

LEAST_LEAN: Final = np.radians(9.0)
"""Tilt from which a pin leans: standing ones are upright to a degree or two, and this much shifts a head by a
sixth of the height."""

LYING_FROM: Final = np.radians(70.0)

LEANS: Final = np.radians([12.0, 20.0, 32.0])
AZIMUTHS: Final = np.linspace(0.0, 2 * np.pi, 8, endpoint=False)
TURNS: Final = np.linspace(0.0, 2 * np.pi, 16, endpoint=False)

BELLY: Final = 0.3
"""Where the belly is, as a share of the height."""

AROUND: Final = np.array([(x, y) for x in (-1.0, -0.5, 0.0, 0.5, 1.0) for y in (-1.0, -0.5, 0.0, 0.5, 1.0) if x or y])
"""Steps of an upright pin to all sides, (24, 2)."""

IS_FAR: Final = np.abs(AROUND).max(axis=1) == 1
"""Which of them lead to where others may follow, (24,)."""


def steps_from(poses: Array, step_mm: float, height_mm: float) -> Array:
    """Small changes of poses, (n, m, 5), by the step and by half of it: of the place, and for a tilted pin where its
    head is."""
    tilted = poses[:, 4] >= LEAST_LEAN
    both = [_tilted_steps(poses[tilted], step, height_mm) for step in (step_mm, step_mm / 2)]
    some = np.concatenate(both, axis=1)
    if tilted.all():
        return some
    out = np.zeros((len(poses), len(AROUND), 5))
    out[:, :, :2] = step_mm * AROUND
    out[tilted] = 0.0
    out[tilted, : some.shape[1]] = some
    return out


def _tilted_steps(poses: Array, step_mm: float, height_mm: float) -> Array:
    """Steps of tilted pins, (n, 8, 5): along, across, turned, and nodding."""
    lean, tilt = poses[:, 3], poses[:, 4]
    turn = 1.5 * step_mm / height_mm / np.maximum(np.sin(tilt), 0.3)
    along, left = np.stack([np.cos(lean), np.sin(lean)], axis=1), np.stack([-np.sin(lean), np.cos(lean)], axis=1)
    out = np.zeros((len(poses), 8, 5))
    out[:, :4, :2] = step_mm * np.stack([along, -along, left, -left], axis=1)
    # Turned about its belly, not about its foot.
    swing = (BELLY * height_mm * np.sin(tilt) * turn)[:, None] * left
    out[:, 4:6, 3] = np.stack([turn, -turn], axis=1)
    out[:, 4:6, :2] = np.stack([-swing, swing], axis=1)
    nods = 1.5 * step_mm / height_mm
    leaning = tilt < LYING_FROM
    out[leaning, 6, 4], out[leaning, 7, 4] = nods, -np.minimum(nods, tilt[leaning] - LEAST_LEAN)
    return out


def leaning_like(pose: Array, height_mm: float) -> Array:
    """An upright pin tilted about its belly, some ways: (n, 5)."""
    lean, azimuth = (grid.ravel() for grid in np.meshgrid(LEANS, AZIMUTHS))
    out = np.repeat(pose[None], len(lean), axis=0)
    out[:, 3], out[:, 4] = azimuth, lean
    reach = BELLY * height_mm * np.sin(lean)
    out[:, 0] -= reach * np.cos(azimuth)
    out[:, 1] -= reach * np.sin(azimuth)
    return out


def lying_like(pose: Array, scene: Scene) -> Array:
    """Pins that lie all ways with their belly where that of an upright one is seen: (n, 5)."""
    height, radius = scene.size.height_mm, scene.size.radius_mm
    belly = pose[:3] + np.array([0.0, 0.0, BELLY * height])
    ray = belly - scene.window.centre_mm
    ground = belly + ray * ((pose[2] + radius - belly[2]) / ray[2])
    out = np.repeat(pose[None], len(TURNS), axis=0)
    out[:, 3], out[:, 4] = TURNS, LYING
    out[:, 0] = ground[0] - BELLY * height * np.cos(TURNS)
    out[:, 1] = ground[1] - BELLY * height * np.sin(TURNS)
    return out


def upright_like(pose: Array, height_mm: float) -> Array:
    """Upright pins where a tilted one has its foot, belly or middle: (n, 5)."""
    along, across = np.meshgrid(np.arange(-0.3, 1.0, 0.1), (-0.08, 0.0, 0.08))
    along, across = along.ravel() * height_mm, across.ravel() * height_mm
    out = np.repeat(pose[None], len(along), axis=0)
    out[:, 0] += along * np.cos(pose[3]) - across * np.sin(pose[3])
    out[:, 1] += along * np.sin(pose[3]) + across * np.cos(pose[3])
    out[:, 3:] = 0.0
    return out
