"""A throw as one chain of flights joined at contacts with known surfaces, fitted to all its pixels at once.

Between two contacts the path is fixed by the two places and times (gravity is known), so for given contact times all
else is linear (`linear`). The times follow by Gauss-Newton with the linear part solved anew at each step (variable
projection, Golub and Pereyra 1973), and with less trust in what the last step couldn't explain.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.vision.ballistics import Array
from referee.vision.footing import Footing, feet_of
from referee.vision.linear import Fit, slopes, solve, velocities
from referee.vision.told import Told

HUBER_SIGMAS = 2.5
"""Residuals beyond this count linearly, not squared: a half-hidden ball must not bend the chain."""

FITTING_SHARE = 0.8
"""Share of sightings that must fit a flight: the rest are glimpses between fingers."""

STEPS = 6
"""Gauss-Newton steps at the most; three are enough as a rule."""

ENOUGH_STEPS = 2
"""Steps after which it shows whether a chain will come to anything."""

STILL_TO_COME = 4.0
"""What the first steps save together, at the most, in what the next should save."""

LEAST_GAIN = 0.1
"""A step that saves fewer squared sigmas isn't worth while."""

LEAST_SHARE = 0.02
"""The same for one that saves a smaller share of what a chain is dearer than the cheapest."""

HOPELESS = 300.0
"""Squared sigmas by which a chain may be dearer than the best so far to be looked into: far beyond any doubt."""

SURE_SIGMAS = 5.0
"""Sigmas from which something is sure: no camera is calibrated, and no ball as round, as the sums have it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chain:
    """``t_s``: (k,) contact times. ``places_mm``: (k, 3) ball centres at contact. ``before_mm_s``, ``after_mm_s``:
    (k, 3) velocities at each contact. ``cost``: squared sigmas, large residuals counting linearly, summed up from
    ``costs`` (n,), those of each sighting. ``samples``: n. ``normal``: (unknowns, unknowns), the normal equations; the
    last seven unknowns are the velocities before the first and after the last contact, and the scale of the ball's
    size. ``residual``: (rows, n). ``fits_from_s``: since when the sightings before the first contact are on its flight,
    and no longer in a hand."""

    t_s: Array
    places_mm: Array
    before_mm_s: Array
    after_mm_s: Array
    cost: float
    costs: Array
    samples: int
    normal: Array
    residual: Array
    fits_from_s: float

    @property
    def rise_sigma_mm_s(self) -> float:
        """How well the vertical speed before the first contact is known."""
        rise = np.zeros(len(self.normal))
        rise[-5] = 1.0
        return math.sqrt(np.linalg.solve(self.normal, rise)[-5])

    @property
    def comes_surely(self) -> bool:
        """Whether it is sure that the ball came to its first contact the way that it left it, or against it."""
        before, after = self.before_mm_s[0, :2], self.after_mm_s[0, :2]
        ahead = np.zeros(len(self.normal))
        ahead[-7:-5] = after / max(1.0, float(np.linalg.norm(after)))
        sigma2 = float(ahead @ np.linalg.solve(self.normal, ahead)) * self.cost / self.samples
        return float(ahead[-7:-5] @ before) ** 2 > SURE_SIGMAS**2 * sigma2


def fit_chains(
    told: Told,
    t_s: Sequence[Sequence[float]],
    footings: Sequence[Sequence[Footing]],
    *,
    best: float = math.inf,
    residual: Array | None = None,
) -> list[Chain]:
    """Fit chains to the same sightings, side by side: the sums of one are so small that calling for them costs more.

    ``t_s``: for each chain the times, in order, near which its contacts are; ``footings``: where the ball's centre can
    be there; ``best``: what the best chain so far costs, those that are far dearer are bettered only roughly;
    ``residual``: (rows, n), of a chain much like these: what isn't trusted there isn't at first.
    """
    feet, times = feet_of(footings), _padded(t_s)
    every = (len(times), *told.offsets.shape)
    if residual is None:
        residual = solve(told, times, feet, np.ones(every)).residual
    fit = solve(told, times, feet, np.broadcast_to(weights_of(residual), every))
    cost = robust_costs(fit.residual, axis=1).sum(axis=1)
    way, gain = _way(told, fit)
    share, moving = np.ones(len(times)), np.arange(len(times))
    for step in range(STEPS):
        least = LEAST_GAIN + LEAST_SHARE * np.maximum(cost[moving] - min(best, cost.min()), 0.0)
        is_worth = gain[moving] >= least
        ahead = gain[moving] * (STILL_TO_COME if step < ENOUGH_STEPS else 0.0)
        is_worth &= cost[moving] - ahead < best + HOPELESS
        moving, least = moving[is_worth], least[is_worth]
        if not len(moving):
            break
        tried = in_order(fit.times[moving] + share[moving, None] * way[moving], told.frame_s)
        there = solve(told, tried, feet.of(moving), weights_of(fit.residual[moving]))
        costs = robust_costs(there.residual, axis=1).sum(axis=1)
        saved = cost[moving] - costs
        # What the step doesn't better is tried with a quarter of it; what it hardly betters is left there.
        share[moving] = np.where(saved >= 0.0, 1.0, share[moving] / 4)
        good, going = np.flatnonzero(saved >= 0.0), np.flatnonzero(saved >= least)
        fit.put(moving[good], there, good)
        cost[moving[good]] = costs[good]
        if len(going):
            way[moving[going]], gain[moving[going]] = _way(told, there.of(going))
        moving = moving[(saved >= least) | (saved < 0.0) & (share[moving] >= 0.25)]
    return _chains(told, fit)


def rough_costs(told: Told, t_s: Sequence[Sequence[float]], footings: Sequence[Sequence[Footing]]) -> Array:
    """The costs, (chains,), of chains with contacts exactly at these times."""
    times = _padded(t_s)
    fit = solve(told, times, feet_of(footings), np.ones((len(times), *told.offsets.shape)))
    return np.asarray(robust_costs(fit.residual, axis=1).sum(axis=1), dtype=np.float64)


def _padded(t_s: Sequence[Sequence[float]]) -> Array:
    """Times of contacts, (chains, k), with some behind the last of those that are fewer."""
    k = max(map(len, t_s))
    return np.array([[*own, *(own[-1] + 1.0 + j for j in range(k - len(own)))] for own in t_s], dtype=np.float64)


def _way(told: Told, fit: Fit) -> tuple[Array, Array]:
    """How far a Gauss-Newton step moves the contact times of chains, (chains, k), and what that should save, (chains,),
    in squared sigmas."""
    count, k = fit.times.shape
    slope = slopes(told, fit)
    weighted = (slope * weights_of(fit.residual)[:, None]).reshape(count, k, -1)
    # A weak pull to where the time is, one frame wide: a contact between two unseen arcs has no slope at all.
    lhs = weighted @ slope.reshape(count, k, -1).mT + np.eye(k) / told.frame_s**2
    rhs = weighted @ fit.residual.reshape(count, -1, 1)
    way = np.linalg.solve(lhs, -rhs)
    limited = np.maximum(np.minimum(way[:, :, 0], told.frame_s), -told.frame_s)
    return limited, -(way * rhs).sum(axis=(1, 2))


def _chains(told: Told, fit: Fit) -> list[Chain]:
    speeds, parts = velocities(fit), fit.found[:, :-1].reshape(len(fit.found), -1, 3)
    costs, first_s = robust_costs(fit.residual, axis=1), _fits_from(told.t_s, fit.residual, fit.times[:, 0])
    return [
        Chain(
            t_s=fit.times[c, :own],
            places_mm=parts[c, :own],
            before_mm_s=speeds[c, :own, 0],
            after_mm_s=speeds[c, :own, 1],
            cost=cost,
            costs=costs[c],
            samples=len(told.t_s),
            normal=fit.normal[c],
            residual=fit.residual[c],
            fits_from_s=start_s,
        )
        for c, (own, cost, start_s) in enumerate(
            zip((fit.feet.last + 1).tolist(), costs.sum(axis=1).tolist(), first_s.tolist(), strict=True)
        )
    ]


def weights_of(residual: Array) -> Array:
    """What squared residuals, of any shape, count: those beyond ``HUBER_SIGMAS`` less (Huber 1964)."""
    return np.asarray(HUBER_SIGMAS / np.maximum(np.abs(residual), HUBER_SIGMAS), dtype=np.float64)


def robust_costs(residual: Array, axis: int = -1) -> Array:
    """Squared sigmas of sightings, from their residuals along an axis; large ones count linearly (Huber 1964)."""
    size = np.abs(residual)
    near = np.minimum(size, HUBER_SIGMAS)
    return np.asarray((near * (2.0 * size - near)).sum(axis=axis), dtype=np.float64)


def _fits_from(t_s: Array, residual: Array, first_s: Array) -> Array:
    """For chains, the earliest sighting from which at least ``FITTING_SHARE`` of those before the first contact fit."""
    is_early = t_s < first_s[:, None]
    fits = is_early & (np.abs(residual).max(axis=1) <= HUBER_SIGMAS)
    fitting, early = (np.cumsum(which[:, ::-1], axis=1)[:, ::-1] for which in (fits, is_early))
    good = fits & (fitting >= FITTING_SHARE * early)
    return np.where(good.any(axis=1), t_s[good.argmax(axis=1)], first_s)


def in_order(times: Array, frame_s: float) -> Array:
    """Contacts of chains, (chains, k), put in order, at least a quarter of a frame apart."""
    out = times.copy()
    for k in range(1, out.shape[1]):
        out[:, k] = np.maximum(out[:, k], out[:, k - 1] + frame_s / 4)
    return out
