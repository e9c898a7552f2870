"""How noisy a track's pixels are, told by the track itself."""

import numpy as np

from referee.vision.ballistics import Array

WINDOW = 6
"""Sightings that a parabola is laid through: four can't be told from it, more would span a bounce."""

QUIETER = 0.35
"""Quantile of the windows that is believed: bounces disturb some of the rest."""

LEAST_PX = 0.15
MOST_PX = 8.0
"""Nobody's centres are better, and worse ones tell nothing."""


def noise_px(t_s: Array, px: Array) -> float:
    """Standard deviation of the noise in a track's pixels, (n, 2), at times (n,): from the residuals of parabolas laid
    through a few sightings each."""
    squares = []
    for start in range(len(t_s) - WINDOW + 1):
        tau = t_s[start : start + WINDOW] - t_s[start]
        design = np.vander(tau / tau[-1], 3)
        basis, _ = np.linalg.qr(design)
        part = px[start : start + WINDOW]
        rest = part - basis @ (basis.T @ part)
        squares.append(float((rest**2).sum()) / (2 * (WINDOW - 3)))
    if not squares:
        return 1.0
    # A quantile of chi-square with 6 degrees of freedom against its mean: 0.35 lies at 0.72 of it.
    return float(np.clip(np.sqrt(np.quantile(squares, QUIETER) / 0.72), LEAST_PX, MOST_PX))
