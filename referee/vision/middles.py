"""Medians of few values, of which reading a throw needs hundreds: numpy's own cost more than all that is reckoned with
them."""

from collections.abc import Sequence

import numpy as np

from referee.vision.ballistics import Array


def median(values: Array | Sequence[float]) -> float:
    """The middle of values, (n,), at least one; of an even number of them the mean of the two in the middle."""
    ordered = np.sort(values)
    return float(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2.0


def step_s(t_s: Array) -> float:
    """The usual time from one sighting to the next, for their times (n,), at least two."""
    return median(t_s[1:] - t_s[:-1])
