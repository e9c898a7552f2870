"""Free flight in an unknown view: which stretches of a trail are arcs under one downward pull, and where they meet.

A ball at X0 + V t + G t^2 / 2 is seen at x = (x0 + a t) / (1 + w t) and y = (y0 + b t + g t^2 / 2) / (1 + w t), where w
tells how its distance grows; g, the pull in pixels, is gravity over the distance. Multiplied out this is linear in the
six unknowns (x0, a, y0, b, g, w), so that every stretch costs one small least squares problem, and a trail is cut into
the cheapest stretches by dynamic programming (as in TT3D by Gossard et al., with perspective).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PIECE_COST: Final = 40.0
"""What one more arc must save, in squared sigmas: its six numbers and its break are bought by noise for less."""

STRAY_COST: Final = 30.0
"""What leaving out a sighting costs: nearly six sigmas off, it is something else."""

MIN_SAMPLES: Final = 4
"""Fewest sightings of an arc: three fix its numbers, the fourth tests them."""

MAX_ARC_S: Final = 1.2
"""No arc lasts longer: in that time a ball falls seven metres."""

RECEDING_S: Final = 1.5
"""Usual size of w, in 1/s: a ball thrown at two metres a second from a metre and a half away. It keeps short arcs from
explaining their noise by it."""

PRIOR: Final = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0 / RECEDING_S**2])

PULL_SPREAD: Final = 0.3
"""How much a ball's pull in pixels changes in a throw: as its distance does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arc:
    """Sightings ``start`` to before ``stop`` as one free flight; its numbers hold ``origin_s`` as time zero.

    ``pull_px_s2``: downward, at that time; ``pull_sigma``: how well it is known. ``cost``: squared sigmas.
    """

    start: int
    stop: int
    origin_s: float
    numbers: tuple[float, float, float, float, float, float]
    pull_sigma: float
    cost: float

    @property
    def pull_px_s2(self) -> float:
        return self.numbers[4]

    def at(self, t_s: float) -> tuple[float, float]:
        """Where the ball is, in pixels."""
        x0, a, y0, b, g, w = self.numbers
        tau = t_s - self.origin_s
        return (x0 + a * tau) / (1 + w * tau), (y0 + b * tau + g * tau**2 / 2) / (1 + w * tau)

    def speed(self, t_s: float) -> tuple[float, float]:
        """How fast it goes, in pixels a second, to the right and down."""
        _, a, _, b, g, w = self.numbers
        tau = t_s - self.origin_s
        x, y = self.at(t_s)
        return (a - w * x) / (1 + w * tau), (b + g * tau - w * y) / (1 + w * tau)


def cut_arcs(t_s: Array, px: Array, sigma_px: Array) -> tuple[Arc, ...]:
    """The arcs of a trail, in order; sightings that belong to none are left out.

    ``t_s``: (n,) ascending seconds; ``px``: (n, 2); ``sigma_px``: (n,).
    """
    n = len(t_s)
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    back: list[tuple[int, bool]] = [(0, False)] * (n + 1)
    for start in range(n):
        if best[start] + STRAY_COST < best[start + 1]:
            best[start + 1], back[start + 1] = best[start] + STRAY_COST, (start, False)
        stops, costs = _costs_from(t_s, px, sigma_px, start)
        for stop, cost in zip(stops.tolist(), costs.tolist(), strict=True):
            total = best[start] + cost + PIECE_COST
            if total < best[stop]:
                best[stop], back[stop] = total, (start, True)
    spans = []
    stop = n
    while stop > 0:
        start, is_arc = back[stop]
        if is_arc:
            spans.append((start, stop))
        stop = start
    return tuple(fit_arc(t_s, px, sigma_px, start, stop) for start, stop in reversed(spans))


def fit_arc(t_s: Array, px: Array, sigma_px: Array, start: int, stop: int, *, pull: float | None = None) -> Arc:
    """The flight that suits some sightings best; ``pull``: what other flights of the ball tell of it, px/s^2."""
    part = slice(start, stop)
    origin_s = float(t_s[part].mean())
    design, target = _equations(t_s[part] - origin_s, px[part], sigma_px[part])
    design, target = design.reshape(-1, 6), target.ravel()
    normal, moment = design.T @ design + np.diag(PRIOR), design.T @ target
    if pull is not None:
        normal[4, 4] += 1.0 / (PULL_SPREAD * pull) ** 2
        moment[4] += pull / (PULL_SPREAD * pull) ** 2
    numbers = np.linalg.solve(normal, moment)
    covariance = np.linalg.inv(normal)
    rest = target - design @ numbers
    x0, a, y0, b, g, w = numbers.tolist()
    return Arc(
        start=start,
        stop=stop,
        origin_s=origin_s,
        numbers=(x0, a, y0, b, g, w),
        pull_sigma=float(np.sqrt(covariance[4, 4])),
        cost=float(rest @ rest),
    )


def _equations(tau: Array, px: Array, sigma_px: Array) -> tuple[Array, Array]:
    """Design (n, 2, 6) and target (n, 2), in sigmas."""
    x, y, zero, one = px[:, 0], px[:, 1], np.zeros_like(tau), np.ones_like(tau)
    rows_x = np.stack([one, tau, zero, zero, zero, -x * tau], axis=1)
    rows_y = np.stack([zero, zero, one, tau, tau**2 / 2, -y * tau], axis=1)
    return np.stack([rows_x, rows_y], axis=1) / sigma_px[:, None, None], px / sigma_px[:, None]


def _costs_from(t_s: Array, px: Array, sigma_px: Array, start: int) -> tuple[NDArray[np.intp], Array]:
    """What the arcs that begin at a sighting cost, by where they stop."""
    far = int(np.searchsorted(t_s, t_s[start] + MAX_ARC_S, side="right"))
    if far - start < MIN_SAMPLES:
        return np.zeros(0, dtype=np.intp), np.zeros(0)
    part = slice(start, far)
    middle = px[part].mean(axis=0)
    design, target = _equations(t_s[part] - t_s[start], px[part] - middle, sigma_px[part])
    normal = np.cumsum(np.einsum("nij,nik->njk", design, design), axis=0)[MIN_SAMPLES - 1 :]
    moment = np.cumsum(np.einsum("nij,ni->nj", design, target), axis=0)[MIN_SAMPLES - 1 :]
    square = np.cumsum((target**2).sum(axis=1))[MIN_SAMPLES - 1 :]
    normal = normal + np.diag(PRIOR)
    scale = 1.0 / np.sqrt(np.maximum(np.einsum("njj->nj", normal), 1e-30))
    lhs = normal * scale[:, :, None] * scale[:, None, :] + 1e-10 * np.eye(6)
    solution = np.linalg.solve(lhs, (moment * scale)[:, :, None])[:, :, 0]
    costs = np.maximum(square - np.einsum("nj,nj->n", moment * scale, solution), 0.0)
    return np.arange(start + MIN_SAMPLES, far + 1), costs
