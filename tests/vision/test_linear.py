"""The linear part of chains of flights: what moving contacts in time does is told as trying it tells."""

from dataclasses import replace

import numpy as np
import pytest

from referee.vision.ballistics import Samples
from referee.vision.footing import feet_of, level, near, upright
from referee.vision.linear import slopes, solve
from referee.vision.told import Told
from tests.vision.scene import RADIUS_MM, TOP_MM, samples, table, throw

LOW, TOP = level(RADIUS_MM), level(TOP_MM + RADIUS_MM)
SIDE = upright(0.0, -150.0 - RADIUS_MM, np.array([0.0, -1.0]))
BALL = near(60.0, 10.0)


def with_sizes(seen: Samples) -> Samples:
    """The same sightings, whose size tells something of their distance."""
    ahead = table().camera.rotation[2] / 100.0
    return replace(
        seen,
        rows=np.concatenate([seen.rows, np.tile(ahead, (len(seen), 1, 1))], axis=1),
        offsets=np.column_stack([seen.offsets, np.zeros(len(seen))]),
        scale=np.column_stack([seen.scale, np.full(len(seen), 10.0)]),
    )


def test_slopes_are_what_moving_a_contact_does() -> None:
    thrown = throw(start_mm=(60.0, -420.0, 200.0), speed_mm_s=(-60.0, 560.0, -200.0), rate_hz=60.0, duration_s=1.1)
    told = Told.by(with_sizes(samples(thrown, table(), noise_px=0.3)))
    one, two, three = (contact[0] for contact in thrown.contacts[:3])
    # Chains of fewer contacts have times behind their last.
    feet = feet_of([[LOW, LOW, TOP], [LOW, TOP, SIDE], [BALL, LOW, LOW], [LOW, TOP], [LOW]])
    times = np.array([[one, two, three]] * 3 + [[one, two, two + 1.0], [two, two + 1.0, two + 2.0]])
    weights = np.random.default_rng(1).uniform(0.2, 1.0, (5, *told.offsets.shape))
    found = slopes(told, solve(told, times, feet, weights))
    nudge_s = 1e-6
    for k in range(3):
        later, earlier = (
            solve(told, times + sign * nudge_s * np.eye(3)[k], feet, weights).residual for sign in (1.0, -1.0)
        )
        assert found[:, k] == pytest.approx((later - earlier) / (2.0 * nudge_s), abs=1e-2)
    assert np.abs(found[:3]).max(axis=(2, 3)).min() > 100.0
    assert not found[3, 2].any()
    assert not found[4, 1:].any()
