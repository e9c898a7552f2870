"""What a track's sightings tell of a ball's places, multiplied out once for all chains that are fitted to it."""

from dataclasses import dataclass

import numpy as np

from referee.vision.ballistics import Array, Samples


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Told:
    """What the sightings tell, sightings last, of which there are more than of anything else: ``t_s`` (n,); ``sight``
    (3, rows, n), what a place does to the residuals; ``offsets`` and ``scale`` (rows, n). ``products`` (17, rows, n):
    ``sight`` with itself (9), with the column of the scale (3) and with the offsets (3), and that column with itself
    and with the offsets."""

    t_s: Array
    sight: Array
    offsets: Array
    scale: Array
    products: Array

    @classmethod
    def by(cls, samples: Samples) -> "Told":
        sight, column = np.ascontiguousarray(samples.rows.T), -samples.scale.T
        offsets = np.ascontiguousarray(samples.offsets.T)
        squares = (sight[:, None] * sight).reshape(9, *offsets.shape)
        ends = np.stack([column * column, column * offsets])
        products = np.concatenate([squares, sight * column, sight * offsets, ends])
        return cls(t_s=samples.t_s, sight=sight, offsets=offsets, scale=-column, products=products)

    def sums(self, trust: Array) -> Array:
        """The products summed up over the rows of each sighting, (chains, 17, n), for trusts (chains, rows, n)."""
        return np.asarray((self.products * (trust**2)[:, None]).sum(axis=2))

    def seen(self, places_mm: Array) -> Array:
        """What the residuals have of a ball's places, (chains, 3, n): (chains, rows, n)."""
        x, y, z = places_mm[:, 0, None], places_mm[:, 1, None], places_mm[:, 2, None]
        return np.asarray(self.sight[0] * x + self.sight[1] * y + self.sight[2] * z)
