"""What a track's sightings tell of a ball's places, multiplied out once for all chains that are fitted to it."""

from dataclasses import dataclass

import numpy as np

from referee.vision.ballistics import Array, Samples
from referee.vision.middles import step_s


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Told:
    """What the sightings tell, sightings last, of which there are more than of anything else: ``t_s`` (n,); ``sight``
    (3, rows, n), what a place does to the residuals; ``offsets`` and ``scale`` (rows, n). ``products`` (17, rows, n):
    ``sight`` with itself (9), with the column of the scale (3) and with the offsets (3), and that column with itself
    and with the offsets. ``frame_s``: the time from one sighting to the next."""

    t_s: Array
    sight: Array
    offsets: Array
    scale: Array
    products: Array
    frame_s: float

    @classmethod
    def by(cls, samples: Samples) -> "Told":
        sight, column = np.ascontiguousarray(samples.rows.T), -samples.scale.T
        offsets = np.ascontiguousarray(samples.offsets.T)
        squares = (sight[:, None] * sight).reshape(9, *offsets.shape)
        ends = np.stack([column * column, column * offsets])
        return cls(
            t_s=samples.t_s,
            sight=sight,
            offsets=offsets,
            scale=-column,
            products=np.concatenate([squares, sight * column, sight * offsets, ends]),
            frame_s=step_s(samples.t_s),
        )

    def sums(self, weights: Array) -> Array:
        """The products summed up over the rows of each sighting, (chains, 17, n), for weights (chains, rows, n)."""
        return np.asarray(np.einsum("prn,crn->cpn", self.products, weights))

    def seen(self, places_mm: Array) -> Array:
        """What the residuals have of a ball's places, (..., 3, n): (..., rows, n)."""
        x, y, z = (places_mm[..., axis, None, :] for axis in range(3))
        return np.asarray(self.sight[0] * x + self.sight[1] * y + self.sight[2] * z)
