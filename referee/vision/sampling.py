"""A ball's sightings as samples of a flight: where it was seen, how far away by its size, and how far to trust that."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from referee.vision.ballistics import Array, Samples, make_samples
from referee.vision.kinds import IN_FLIGHT_SHARE
from referee.vision.tracks import Sighting

NEIGHBOURS = 4
"""Sightings on either side among which a ball's size is compared: it grows little in so short a time."""

ROUND_SHARE = 0.8
"""Share of the outline on the circle from which a ball is seen whole; less is trusted less."""

SIZE_SPREAD = 0.06
"""How far a ball's size may differ from its neighbours' before its outline is that of something more or less."""

BLURRED = 1.35
"""Length against width up to which what has a ball's size may be one, blurred: parts between fingers are longer."""

DEPTH_SPREAD = 0.1
"""Spread of the distance that one sighting's size tells, as a share, besides what is alike in all of them."""

EDGE_PX = 1.0
"""How far off a ball's edge is seen, in pixels."""


def samples_of(sightings: Sequence[Sighting], table: Table, radius_mm: float) -> Samples:
    """A track's sightings as samples: depth from the apparent size, less trust in what is partly hidden."""
    blobs = [s.blob for s in sightings]
    numbers = [(b.x_px, b.y_px, b.radius_px, b.share, b.length_px, b.width_px, b.at_border) for b in blobs]
    x_px, y_px, size, share, length, width, at_border = np.array(numbers, dtype=np.float64).T
    px, shows_rim = np.column_stack([x_px, y_px]), share > 0
    usual = _usual_sizes(size, shows_rim)
    unround = np.maximum(0.0, ROUND_SHARE - share)
    odd = np.maximum(0.0, np.abs(size / usual - 1.0) - SIZE_SPREAD)
    border = np.where(at_border, 5.0, 1.0)
    # A centre is good to a third of a pixel plus a fiftieth of the size, for the shade that takes part of the rim.
    sigma = (0.35 + 0.02 * size) * (1.0 + 5.0 * unround + 10.0 * odd) * border
    depth = IN_FLIGHT_SHARE * table.camera.focal_px * radius_mm / usual
    spread = np.hypot(DEPTH_SPREAD, EDGE_PX / size)
    is_one = odd < SIZE_SPREAD
    # No circle, or a size that isn't its neighbours': what is seen is a part, between fingers or before its own colour.
    is_whole = shows_rim & is_one
    is_short = (length < BLURRED * width) & is_one
    times = np.array([s.t_s for s in sightings])
    return make_samples(table.camera, times, px, depth, sigma, is_whole, is_whole | is_short, spread)


def _usual_sizes(size: Array, is_whole: NDArray[np.bool_]) -> Array:
    """The ball's size in the picture, (n,), as sightings around each have it: those that show it whole, if any do."""
    n = len(size)
    near = np.arange(n)[:, None] + np.arange(2 * NEIGHBOURS + 1)
    padded = np.full((2, n + 2 * NEIGHBOURS), np.inf)
    padded[:, NEIGHBOURS:-NEIGHBOURS] = size, np.where(is_whole, size, np.inf)
    around, whole = padded[:, near]
    known = np.sort(np.where(np.isfinite(whole).any(axis=1)[:, None], whole, around), axis=1)
    count, rows = np.isfinite(known).sum(axis=1), near[:, 0]
    return np.asarray((known[rows, (count - 1) // 2] + known[rows, count // 2]) / 2, dtype=np.float64)
