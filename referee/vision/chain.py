"""A throw as one chain of flights joined at contacts whose heights are known, fitted to all its pixels at once.

Between two contacts the path is fixed by the two places and times (gravity is known), so for given contact times all
else is linear: the contacts' x and y, the velocity before the first and after the last. The times follow by
Gauss-Newton with the linear part solved anew at each step (variable projection, Golub and Pereyra 1973).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.vision.ballistics import GRAVITY_MM_S2, Array, Samples

FREE_SPEED_MM_S = 3000.0
"""Spread of the speeds before the first and after the last contact, about no speed at all: keeps ends of few sightings
from running away."""

KEPT_SPEED_MM_S = 500.0
"""Spread of what a contact changes of the horizontal velocity: friction, spin and the rim of a hole."""

HUBER_SIGMAS = 2.5
"""Residuals beyond this count linearly, not squared: a half-hidden ball must not bend the chain."""

FITTING_SHARE = 0.8
"""Share of sightings that must fit a flight: the rest are glimpses between fingers."""

STEPS = 6
"""Gauss-Newton steps at the most; three are enough as a rule."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chain:
    """``t_s``: (k,) contact times. ``places_mm``: (k, 3) ball centres at contact. ``before_mm_s``, ``after_mm_s``:
    (k, 3) velocities at each contact. ``cost``: squared sigmas, large residuals counting linearly, summed up from
    ``costs`` (n,), those of each sighting. ``samples``: n.
    ``rise_sigma_mm_s``: how well the vertical speed before the first contact is known. ``fits_from_s``: since when the
    sightings before the first contact are on its flight, and no longer in a hand."""

    t_s: Array
    places_mm: Array
    before_mm_s: Array
    after_mm_s: Array
    cost: float
    costs: Array
    samples: int
    rise_sigma_mm_s: float
    fits_from_s: float


def fit_chain(samples: Samples, t_s: Sequence[float], heights_mm: Sequence[float], *, steps: int = STEPS) -> Chain:
    """Fit a chain with contacts near ``t_s``, in order, at ball-centre heights ``heights_mm``; with 0 ``steps`` exactly
    at these times."""
    heights = np.asarray(heights_mm, dtype=np.float64)
    times = np.asarray(t_s, dtype=np.float64)
    frame_s = float(np.median(np.diff(samples.t_s)))
    trust = np.ones((len(samples), 2))
    solution, residual = _solve(samples, times, heights, trust)
    for _ in range(steps):
        trust = np.minimum(1.0, HUBER_SIGMAS / np.maximum(np.abs(residual), 1e-9)) ** 0.5
        solution, residual = _solve(samples, times, heights, trust)
        base = (trust * residual).ravel()
        nudge = 1e-4
        slopes = np.empty((base.size, len(times)))
        for k in range(len(times)):
            moved = times.copy()
            moved[k] += nudge
            slopes[:, k] = ((trust * _solve(samples, moved, heights, trust)[1]).ravel() - base) / nudge
        # A weak pull to where the time is, one frame wide: a contact between two unseen arcs has no slope at all.
        lhs = slopes.T @ slopes + np.eye(len(times)) / frame_s**2
        step = np.clip(-np.linalg.solve(lhs, slopes.T @ base), -frame_s, frame_s)
        better = _ordered(times + step, frame_s)
        new_solution, new_residual = _solve(samples, better, heights, trust)
        if np.sum((trust * new_residual) ** 2) > np.sum(base**2):
            better = _ordered(times + step / 4, frame_s)
            new_solution, new_residual = _solve(samples, better, heights, trust)
            if np.sum((trust * new_residual) ** 2) > np.sum(base**2):
                break
        done = np.max(np.abs(better - times)) < 1e-5
        times, solution, residual = better, new_solution, new_residual
        if done:
            break
    design, _ = _system(samples, times, heights)
    normal = _normal((design * trust[:, :, None]).reshape(-1, design.shape[2]), times)
    rise = 2 * len(times) + 2
    places, before, after = _motion(times, heights, solution)
    size = np.abs(residual)
    costs = robust_costs(residual)
    return Chain(
        t_s=times,
        places_mm=places,
        before_mm_s=before,
        after_mm_s=after,
        cost=float(costs.sum()),
        costs=costs,
        samples=len(residual),
        rise_sigma_mm_s=float(np.linalg.pinv(normal)[rise, rise]) ** 0.5,
        fits_from_s=_fits_from(samples.t_s, size.max(axis=1), float(times[0])),
    )


def robust_costs(residual: Array) -> Array:
    """Squared sigmas of sightings, (n,), from their residuals, (n, 2); large ones count linearly (Huber 1964)."""
    size = np.abs(residual)
    return np.asarray(
        np.where(size <= HUBER_SIGMAS, size**2, HUBER_SIGMAS * (2 * size - HUBER_SIGMAS)).sum(axis=1), dtype=np.float64
    )


def _fits_from(t_s: Array, size: Array, first_s: float) -> float:
    """The earliest sighting from which at least ``FITTING_SHARE`` of those before the first contact fit."""
    early = np.flatnonzero(t_s < first_s)
    fits = (size[early] <= HUBER_SIGMAS).astype(np.float64)
    share = np.cumsum(fits[::-1])[::-1] / np.arange(len(early), 0, -1)
    good = np.flatnonzero((share >= FITTING_SHARE) & (fits > 0))
    return float(t_s[early[good[0]]]) if len(good) else first_s


def _ordered(times: Array, frame_s: float) -> Array:
    """Contacts stay in order, at least a quarter of a frame apart."""
    out = times.copy()
    for k in range(1, len(out)):
        out[k] = max(out[k], out[k - 1] + frame_s / 4)
    return out


def _solve(samples: Samples, times: Array, heights: Array, trust: Array) -> tuple[Array, Array]:
    """Best linear unknowns (x0, y0, x1, y1, ..., velocity before, velocity after) and the residuals (n, 2)."""
    design, target = _system(samples, times, heights)
    weighted = (design * trust[:, :, None]).reshape(-1, design.shape[2])
    normal, moment = _normal(weighted, times), weighted.T @ (target * trust).ravel()
    # Unknowns in units of their own spread; the last digits keep an arc that nobody saw from being singular.
    scale = 1.0 / np.sqrt(np.maximum(normal.diagonal(), 1e-12))
    scaled = normal * scale[:, None] * scale + 1e-12 * np.eye(len(scale))
    solution: Array = np.linalg.solve(scaled, moment * scale) * scale
    return solution, target - design @ solution


def _normal(weighted: Array, times: Array) -> Array:
    """The normal equations' matrix of weighted design rows, with what is known beforehand of the velocities."""
    prior = _prior(times)
    return np.asarray(weighted.T @ weighted + prior.T @ prior, dtype=np.float64)


def _system(samples: Samples, times: Array, heights: Array) -> tuple[Array, Array]:
    """Design (n, 2, unknowns) and target (n, 2) for given contact times."""
    n, k = len(samples), len(times)
    design = np.zeros((n, 2, 2 * k + 6))
    known = np.zeros(n)
    bounds = [0, *np.searchsorted(samples.t_s, times), n]
    for arc in range(k + 1):
        seen = slice(bounds[arc], bounds[arc + 1])
        t_s, rows = samples.t_s[seen], samples.rows[seen]
        if arc in (0, k):
            contact, column = (0, 2 * k) if arc == 0 else (k - 1, 2 * k + 3)
            tau = t_s - times[contact]
            design[seen, :, 2 * contact : 2 * contact + 2] = rows[:, :, :2]
            design[seen, :, column : column + 3] = rows * tau[:, None, None]
            known[seen] = heights[contact] - 0.5 * GRAVITY_MM_S2 * tau**2
            continue
        since, until = t_s - times[arc - 1], times[arc] - t_s
        share = since / (times[arc] - times[arc - 1])
        ahead = rows[:, :, :2] * share[:, None, None]
        design[seen, :, 2 * arc - 2 : 2 * arc] = rows[:, :, :2] - ahead
        design[seen, :, 2 * arc : 2 * arc + 2] = ahead
        known[seen] = heights[arc - 1] * (1.0 - share) + heights[arc] * share + 0.5 * GRAVITY_MM_S2 * since * until
    return design, samples.offsets - samples.rows[:, :, 2] * known[:, None]


def _prior(times: Array) -> Array:
    """Rows that hold the free velocities: all near none, and the last horizontal one near that of the flight before."""
    k = len(times)
    prior = np.zeros((6, 2 * k + 6))
    prior[np.arange(6), 2 * k + np.arange(6)] = 1.0 / FREE_SPEED_MM_S
    if k > 1:
        gap = times[k - 1] - times[k - 2]
        for axis in range(2):
            row = prior[3 + axis]
            row[2 * k + 3 + axis] = 1.0 / KEPT_SPEED_MM_S
            row[2 * (k - 2) + axis] = 1.0 / (gap * KEPT_SPEED_MM_S)
            row[2 * (k - 1) + axis] = -1.0 / (gap * KEPT_SPEED_MM_S)
    return prior


def _motion(times: Array, heights: Array, solution: Array) -> tuple[Array, Array, Array]:
    """Places, velocities before and velocities after each contact, (k, 3) each."""
    k = len(times)
    places = np.column_stack([solution[: 2 * k].reshape(k, 2), heights])
    before, after = np.zeros((k, 3)), np.zeros((k, 3))
    before[0], after[k - 1] = solution[2 * k : 2 * k + 3], solution[2 * k + 3 :]
    for j in range(1, k):
        gap = times[j] - times[j - 1]
        mean = (places[j] - places[j - 1]) / gap
        lift = np.array([0.0, 0.0, 0.5 * GRAVITY_MM_S2 * gap])
        after[j - 1], before[j] = mean + lift, mean - lift
    return places, before, after
