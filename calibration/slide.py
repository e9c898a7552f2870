"""How something flat slid on the table, from where its points are seen: a shift and a turn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.solve import Sighting

Array = NDArray[np.float64]

# Beyond this many standard deviations a point loses its say.
CAUCHY: Final = 2.5
STEPS: Final = 5
# The turn is tried with so small a one, in radians; a quarter turn on the table, as a matrix for rows.
SMALL: Final = 0.01
QUARTER: Final = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
# Worse conditioned equations say nothing about one of the unknowns.
WORST: Final = 1e12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Slide:
    """By ``shift_mm``, (2,), and counter-clockwise by ``turn_rad`` about the origin."""

    shift_mm: Array
    turn_rad: float

    @property
    def turn(self) -> Array:
        """The turn as a matrix for columns, (3, 3)."""
        c, s = np.cos(self.turn_rad), np.sin(self.turn_rad)
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

    def moved(self, sighting: Sighting) -> Sighting:
        """The points where they are after the slide."""
        shift = np.array([*self.shift_mm, 0.0])
        return replace(
            sighting, base_mm=sighting.base_mm @ self.turn.T + shift, spread_mm=sighting.spread_mm @ self.turn.T
        )


def slide_of(sightings: Sequence[Sighting], camera: CameraModel) -> Slide | None:
    """The slide that brings points onto what is seen of them; None where they don't tell.

    Least squares with Cauchy weights, around where they are expected.
    """
    slopes, misses, shares = [], [], []
    for sighting in sightings:
        places = sighting.base_mm + sighting.spread_mm
        here = camera.to_px(places)
        # Places move by 1 mm east, by 1 mm north, and by a small turn.
        moves = (np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), places @ QUARTER * SMALL)
        columns = [_along(camera.to_px(places + move) - here, sighting) for move in moves]
        slopes.append(np.stack(columns, axis=1) / (1.0, 1.0, SMALL) / sighting.sigma_px)
        misses.append(_along(sighting.seen_px - here, sighting) / sighting.sigma_px)
        shares.append(np.full(len(misses[-1]), sighting.share))
    if not slopes:
        return None
    jacobian, miss, share = np.concatenate(slopes), np.concatenate(misses), np.concatenate(shares)
    found: Array = np.zeros(3)
    for _ in range(STEPS):
        weights = share / (1 + ((miss - jacobian @ found) / CAUCHY) ** 2)
        normal = np.asarray(jacobian.T @ (jacobian * weights[:, None]))
        if not np.isfinite(normal).all() or np.linalg.cond(normal) > WORST:
            return None
        found = np.asarray(np.linalg.solve(normal, jacobian.T @ (weights * miss)))
    return Slide(shift_mm=found[:2], turn_rad=float(found[2]))


def _along(away_px: Array, sighting: Sighting) -> Array:
    """Of ways in the picture, (n, 2), what counts: both coordinates, (2 n,), or what is across edges, (n,)."""
    return away_px.ravel() if sighting.across is None else np.asarray((away_px * sighting.across).sum(axis=1))
