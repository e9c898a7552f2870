"""The laws of impact, as far as they tell contacts from what only looks like them."""

from statistics import median

import numpy as np

from referee.vision.ballistics import Array
from referee.vision.chain import Chain

SPEED_SIGMA_MM_S = 100.0
"""How well speeds before and after a contact are known, where laws are tested."""

MIN_KICK_MM_S = 150.0
"""Least change of vertical speed at a contact."""

MAX_RESTITUTION = 1.05
"""No ball bounces higher than it fell."""

KEPT_SHARE = (0.6, 1.05)
"""Share of its horizontal speed that a ball keeps at a contact, in its own direction: friction takes some."""

RESTITUTION_SIGMA = 0.15
"""How alike the restitutions of one throw's contacts are, on different surfaces too."""

MAX_ODDITY = 9.0
"""What one odd contact costs at the most, in squared sigmas: spin or the rim of a hole may turn a ball any way."""


def impact_cost(chain: Chain, *, knows_first: bool, knows_last: bool) -> float:
    """What it costs, in squared sigmas, that a chain's contacts break the laws of impact: a ball falls before and rises
    after, no faster than it fell, keeps its direction and most of its speed, and bounces alike each time.

    ``knows_first``, ``knows_last``: whether enough is seen before the first contact and after the last to know its
    speed there.
    """
    cost, restitutions = 0.0, list[float]()
    last = len(chain.t_s) - 1
    for k in range(last + 1):
        falls, rises = -float(chain.before_mm_s[k, 2]), float(chain.after_mm_s[k, 2])
        wrong: list[float] = []
        if k > 0 or knows_first:
            wrong.append(-falls)
            if k < last or knows_last:
                wrong += [MIN_KICK_MM_S - rises - falls, rises - MAX_RESTITUTION * falls - MIN_KICK_MM_S]
                cost += _turn_cost(chain.before_mm_s[k, :2], chain.after_mm_s[k, :2])
                if falls > MIN_KICK_MM_S:
                    restitutions.append(rises / falls)
        cost += sum((max(0.0, speed) / SPEED_SIGMA_MM_S) ** 2 for speed in wrong)
    usual = median(restitutions) if restitutions else 0.0
    return cost + sum(min(MAX_ODDITY, ((e - usual) / RESTITUTION_SIGMA) ** 2) for e in restitutions)


def _turn_cost(before_mm_s: Array, after_mm_s: Array) -> float:
    """What it costs, in squared sigmas, that a contact turned the horizontal velocity, or changed it too much."""
    speed = float(np.hypot(*before_mm_s))
    ahead = before_mm_s / max(speed, 1.0)
    kept = float(ahead @ after_mm_s)
    aside = float(ahead[0] * after_mm_s[1] - ahead[1] * after_mm_s[0])
    wrong = max(0.0, KEPT_SHARE[0] * speed - kept, kept - KEPT_SHARE[1] * speed)
    return min(MAX_ODDITY, (wrong / SPEED_SIGMA_MM_S) ** 2 + (aside / SPEED_SIGMA_MM_S) ** 2)
