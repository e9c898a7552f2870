"""Free flight in an unknown view: which stretches of a trail are arcs under one downward pull, and where they meet.

A ball at X0 + V t + G t^2 / 2 before a camera that looks down by an angle is seen, from the picture's middle, at

    x = (x0 + a t) / (1 + w t + k g t^2 / 2) and y = (y0 + b t + g t^2 / 2) / (1 + w t + k g t^2 / 2)

where g, the pull in pixels, is gravity across the view over the distance, w tells how the distance grows, and k, the
tangent of the angle over the focal length, how falling makes it grow. For a given k that is linear in the six unknowns
(x0, a, y0, b, g, w), so that every stretch costs one small least squares problem, and a trail is cut into the cheapest
stretches by dynamic programming (as in TT3D by Gossard et al., which knows no perspective).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PIECE_COST: Final = 40.0
"""What one more arc must save, in squared sigmas: its six numbers and its break are bought by noise for less."""

STRAY_COST: Final = 25.0
"""What leaving out a sighting costs: five sigmas off, it is something else."""

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
    """Sightings ``start`` to before ``stop`` as one free flight, with ``origin_s`` as time zero, under ``tilt`` (k).

    ``pull_px_s2``: downward, at that time; ``pull_sigma``: how well it is known. ``cost``: squared sigmas.
    """

    start: int
    stop: int
    origin_s: float
    tilt: float
    numbers: tuple[float, float, float, float, float, float]
    pull_sigma: float
    cost: float

    @property
    def pull_px_s2(self) -> float:
        return self.numbers[4]

    def at(self, t_s: float) -> tuple[float, float]:
        """Where the ball is, in pixels from the picture's middle."""
        x0, a, y0, b, g, w = self.numbers
        tau = t_s - self.origin_s
        away = 1 + w * tau + self.tilt * g * tau**2 / 2
        return (x0 + a * tau) / away, (y0 + b * tau + g * tau**2 / 2) / away

    def speed(self, t_s: float) -> tuple[float, float]:
        """How fast it goes, in pixels a second, to the right and down."""
        _, a, _, b, g, w = self.numbers
        tau = t_s - self.origin_s
        (x, y), going = self.at(t_s), w + self.tilt * g * tau
        away = 1 + w * tau + self.tilt * g * tau**2 / 2
        return (a - going * x) / away, (b + g * tau - going * y) / away


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Path:
    """A trail ready to be cut. ``t_s``: (n,) ascending seconds; ``px``: (n, 2) pixels from the picture's middle;
    ``sigma_px``: (n,). ``tilt``: k, in 1/px."""

    t_s: Array
    px: Array
    sigma_px: Array
    tilt: float


def cut_arcs(path: Path) -> tuple[tuple[Arc, ...], float]:
    """The arcs of a trail, in order, sightings that belong to none being left out; and what all that costs."""
    n = len(path.t_s)
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    back: list[tuple[int, bool]] = [(0, False)] * (n + 1)
    for start in range(n):
        if best[start] + STRAY_COST < best[start + 1]:
            best[start + 1], back[start + 1] = best[start] + STRAY_COST, (start, False)
        stops, costs = _costs_from(path, start)
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
    return tuple(fit_arc(path, start, stop) for start, stop in reversed(spans)), float(best[n])


def fit_arc(path: Path, start: int, stop: int, *, pull: float | None = None) -> Arc:
    """The flight that suits some sightings best; ``pull``: what other flights of the ball tell of it, px/s^2."""
    part = slice(start, stop)
    origin_s = float(path.t_s[part].mean())
    design, target = _equations(path, part, origin_s)
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
        tilt=path.tilt,
        numbers=(x0, a, y0, b, g, w),
        pull_sigma=float(np.sqrt(covariance[4, 4])),
        cost=float(rest @ rest),
    )


def _equations(path: Path, part: slice, origin_s: float) -> tuple[Array, Array]:
    """Design (n, 2, 6) and target (n, 2), in sigmas, of some sightings."""
    tau, px, sigma_px = path.t_s[part] - origin_s, path.px[part], path.sigma_px[part]
    x, y, zero, one = px[:, 0], px[:, 1], np.zeros_like(tau), np.ones_like(tau)
    half = tau**2 / 2
    rows_x = np.stack([one, tau, zero, zero, -path.tilt * x * half, -x * tau], axis=1)
    rows_y = np.stack([zero, zero, one, tau, half - path.tilt * y * half, -y * tau], axis=1)
    return np.stack([rows_x, rows_y], axis=1) / sigma_px[:, None, None], px / sigma_px[:, None]


def _costs_from(path: Path, start: int) -> tuple[NDArray[np.intp], Array]:
    """What the arcs that begin at a sighting cost, by where they stop."""
    far = int(np.searchsorted(path.t_s, path.t_s[start] + MAX_ARC_S, side="right"))
    if far - start < MIN_SAMPLES:
        return np.zeros(0, dtype=np.intp), np.zeros(0)
    design, target = _equations(path, slice(start, far), float(path.t_s[start]))
    normal = np.cumsum(np.einsum("nij,nik->njk", design, design), axis=0)[MIN_SAMPLES - 1 :]
    moment = np.cumsum(np.einsum("nij,ni->nj", design, target), axis=0)[MIN_SAMPLES - 1 :]
    square = np.cumsum((target**2).sum(axis=1))[MIN_SAMPLES - 1 :]
    normal = normal + np.diag(PRIOR)
    scale = 1.0 / np.sqrt(np.maximum(np.einsum("njj->nj", normal), 1e-30))
    lhs = normal * scale[:, :, None] * scale[:, None, :] + 1e-10 * np.eye(6)
    solution = np.linalg.solve(lhs, (moment * scale)[:, :, None])[:, :, 0]
    costs = np.maximum(square - np.einsum("nj,nj->n", moment * scale, solution), 0.0)
    return np.arange(start + MIN_SAMPLES, far + 1), costs
