"""Medians of few values."""

import numpy as np
import pytest

from referee.vision.middles import median, step_s


@pytest.mark.parametrize("count", [1, 2, 3, 8, 9])
def test_the_median_is_numpys(count: int) -> None:
    values = np.random.default_rng(count).normal(size=count)
    assert median(values) == pytest.approx(float(np.median(values)))
    assert median(values.tolist()) == median(values)


def test_the_usual_step_is_that_of_most_sightings() -> None:
    t_s = np.delete(np.arange(20) / 60.0, [4, 11, 12])
    assert step_s(t_s) == pytest.approx(1 / 60.0)
