"""The laws of impact, as far as they tell contacts from what only looks like them."""

import math
from collections.abc import Sequence
from statistics import median

from referee.vision.chain import Chain
from referee.vision.obstacles import Direction

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
"""What one odd contact costs at the most, in squared sigmas: spin or the rim of a hole may turn a ball any way. Not an
upright face: that leaves a ball its fall."""


def impact_cost(chain: Chain, normals: Sequence[Direction | None], *, knows_first: bool, knows_last: bool) -> float:
    """What it costs, in squared sigmas, that a chain's contacts break the laws of impact: a ball comes to a surface and
    leaves it, no faster than it came, keeps its direction and most of its speed along it, and bounces alike each time.

    ``normals``: of each contact's surface, or None where it is told by the kick alone. ``knows_first``,
    ``knows_last``: whether enough is seen before the first contact and after the last to know its speed there.
    """
    cost, restitutions = 0.0, list[float]()
    last = len(chain.t_s) - 1
    # There are few numbers here: arrays would be slower than lists.
    velocities = zip(chain.before_mm_s.tolist(), chain.after_mm_s.tolist(), strict=True)
    for k, ((before, after), normal) in enumerate(zip(velocities, normals, strict=True)):
        knows_before, knows_after = k > 0 or knows_first, k < last or knows_last
        if normal is None:
            if knows_before and knows_after:
                cost += _knock_cost(before, after)
            continue
        falls, rises = -_dot(before, normal), _dot(after, normal)
        wrong: list[float] = []
        if knows_before:
            wrong.append(-falls)
            if knows_after:
                wrong += [MIN_KICK_MM_S - rises - falls, rises - MAX_RESTITUTION * falls - MIN_KICK_MM_S]
                turn = _turn_cost(_sum(before, falls, normal), _sum(after, -rises, normal))
                cost += min(MAX_ODDITY, turn) if normal[2] > 0.0 else turn
                # A box's side gives way, and a ball spins against it: it bounces in its own way.
                if falls > MIN_KICK_MM_S and normal[2] == 1.0:
                    restitutions.append(rises / falls)
        cost += sum((max(0.0, speed) / SPEED_SIGMA_MM_S) ** 2 for speed in wrong)
    usual = median(restitutions) if restitutions else 0.0
    return cost + sum(min(MAX_ODDITY, ((e - usual) / RESTITUTION_SIGMA) ** 2) for e in restitutions)


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return one[0] * other[0] + one[1] * other[1] + one[2] * other[2]


def _sum(one: Sequence[float], factor: float, other: Sequence[float]) -> list[float]:
    return [a + factor * b for a, b in zip(one, other, strict=True)]


def _knock_cost(before_mm_s: Sequence[float], after_mm_s: Sequence[float]) -> float:
    """What it costs, in squared sigmas, that a knock of unknown direction is none, or gives a ball speed."""
    kick = _sum(after_mm_s, -1.0, before_mm_s)
    size = math.hypot(*kick)
    comes, leaves = -_dot(before_mm_s, kick) / max(size, 1.0), _dot(after_mm_s, kick) / max(size, 1.0)
    wrong = (MIN_KICK_MM_S - size, leaves - MAX_RESTITUTION * comes - MIN_KICK_MM_S)
    return sum((max(0.0, speed) / SPEED_SIGMA_MM_S) ** 2 for speed in wrong)


def _turn_cost(before_mm_s: Sequence[float], after_mm_s: Sequence[float]) -> float:
    """What it costs, in squared sigmas, that a contact turned the velocity along its surface, or changed its size."""
    speed = math.hypot(*before_mm_s)
    ahead = [part / max(speed, 1.0) for part in before_mm_s]
    kept = _dot(ahead, after_mm_s)
    aside = math.hypot(*_sum(after_mm_s, -kept, ahead))
    wrong = max(0.0, KEPT_SHARE[0] * speed - kept, kept - KEPT_SHARE[1] * speed)
    return (wrong / SPEED_SIGMA_MM_S) ** 2 + (aside / SPEED_SIGMA_MM_S) ** 2
