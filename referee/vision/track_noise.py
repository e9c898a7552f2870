"""How noisy a track's pixels are, told by the track itself."""

import numpy as np

from referee.vision.ballistics import Array

SPAN_S = 0.1
"""How long a stretch a parabola is laid through: in more than that there is a bounce as often as not."""

QUIETER = 0.35
"""Quantile of the stretches that is believed: bounces disturb some of the rest."""

AT_QUANTILE = {4: 0.43, 5: 0.62, 6: 0.70}
"""That quantile of the residuals' mean square against its mean, by sightings in a stretch (chi-square with two degrees
of freedom for each sighting above three)."""

LEAST_PX = 0.15
MOST_PX = 8.0
"""Nobody's centres are better, and worse ones tell nothing."""


def noise_px(t_s: Array, px: Array) -> float:
    """Standard deviation of the noise in a track's pixels, (n, 2), at times (n,): from the residuals of parabolas laid
    through a few sightings each. 1 where there are too few."""
    if len(t_s) < min(AT_QUANTILE):
        return 1.0
    window = int(np.clip(round(SPAN_S / float(np.median(np.diff(t_s)))), min(AT_QUANTILE), max(AT_QUANTILE)))
    squares = []
    for start in range(len(t_s) - window + 1):
        tau = t_s[start : start + window] - t_s[start]
        basis, _ = np.linalg.qr(np.vander(tau / tau[-1], 3))
        part = px[start : start + window]
        rest = part - basis @ (basis.T @ part)
        squares.append(float((rest**2).sum()) / (2 * (window - 3)))
    if not squares:
        return 1.0
    return float(np.clip(np.sqrt(np.quantile(squares, QUIETER) / AT_QUANTILE[window]), LEAST_PX, MOST_PX))
