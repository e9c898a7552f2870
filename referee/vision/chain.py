"""A throw as one chain of flights joined at contacts with known surfaces, fitted to all its pixels at once.

Between two contacts the path is fixed by the two places and times (gravity is known), so for given contact times all
else is linear: where on its surface each contact is, the velocity before the first and after the last. The times
follow by Gauss-Newton with the linear part solved anew at each step (variable projection, Golub and Pereyra 1973).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.vision.ballistics import GRAVITY_MM_S2, SCALE_SIGMA, Array, Samples
from referee.vision.footing import Feet, Footing, feet_of
from referee.vision.told import Told

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

ENOUGH_STEPS = 2
"""Steps after which it shows whether a chain will come to anything."""

NUDGE_S = 1e-4
"""How far a contact's time is moved to see what that does to the residuals."""

LEAST_STEP_S = 1e-5
"""A step that moves no contact by as much is the last."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chain:
    """``t_s``: (k,) contact times. ``places_mm``: (k, 3) ball centres at contact. ``before_mm_s``, ``after_mm_s``:
    (k, 3) velocities at each contact. ``cost``: squared sigmas, large residuals counting linearly, summed up from
    ``costs`` (n,), those of each sighting. ``samples``: n. ``normal``: (unknowns, unknowns), the normal equations; the
    last seven unknowns are the velocities before the first and after the last contact, and the scale of the ball's
    size. ``fits_from_s``: since when the sightings before the first contact are on its flight, and no longer in a
    hand."""

    t_s: Array
    places_mm: Array
    before_mm_s: Array
    after_mm_s: Array
    cost: float
    costs: Array
    samples: int
    normal: Array
    fits_from_s: float

    @property
    def rise_sigma_mm_s(self) -> float:
        """How well the vertical speed before the first contact is known."""
        return math.sqrt(np.linalg.pinv(self.normal)[-5, -5])


def fit_chains(
    samples: Samples,
    t_s: Sequence[Sequence[float]],
    footings: Sequence[Sequence[Footing]],
    *,
    steps: int = STEPS,
    hopeless: float = math.inf,
) -> list[Chain]:
    """Fit chains of equally many contacts to the same samples, side by side: the sums of one are so small that calling
    for them costs more.

    ``t_s``: for each chain the times, in order, near which its contacts are, or exactly with 0 ``steps``;
    ``footings``: where the ball's centre can be there; ``hopeless``: from what cost on a chain isn't bettered any more
    after a few steps.
    """
    feet = feet_of(footings)
    times = np.array(t_s, dtype=np.float64)
    frame_s = float(np.median(np.diff(samples.t_s)))
    told = Told.by(samples)
    fit = _solve(told, times, feet, told.sums(np.ones((len(times), *told.offsets.shape))))
    moving = np.arange(len(times))
    for step in range(steps):
        if step >= ENOUGH_STEPS:
            moving = moving[robust_costs(fit.residual[moving].mT).sum(axis=1) < hopeless]
            if not len(moving):
                break
        trust = np.minimum(1.0, HUBER_SIGMAS / np.maximum(np.abs(fit.residual[moving]), 1e-9)) ** 0.5
        moved, there = _step(told, times[moving], feet.of(moving), trust, frame_s)
        change = np.abs(moved - times[moving]).max(axis=1)
        times[moving] = moved
        fit.put(moving, there)
        moving = moving[change >= LEAST_STEP_S]
        if not len(moving):
            break
    places, before, after = _motion(times, feet, fit.solution)
    return [
        Chain(
            t_s=times[k],
            places_mm=places[k],
            before_mm_s=before[k],
            after_mm_s=after[k],
            cost=float(costs.sum()),
            costs=costs,
            samples=len(costs),
            normal=fit.normal[k],
            fits_from_s=_fits_from(samples.t_s, np.abs(fit.residual[k]).max(axis=0), float(times[k, 0])),
        )
        for k, costs in enumerate(robust_costs(fit.residual.mT))
    ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Fit:
    """The linear part of chains at given contact times.

    ``solution``: (chains, unknowns): of each contact its numbers along the axes, then the velocities before the first
    and after the last, then the scale of the ball's size. ``normal``: (chains, unknowns, unknowns), the normal
    equations that it solves. ``residual``: (chains, rows, n).
    """

    solution: Array
    normal: Array
    residual: Array

    def of(self, which: NDArray[np.intp]) -> "_Fit":
        """Some of the chains."""
        return _Fit(solution=self.solution[which], normal=self.normal[which], residual=self.residual[which])

    def put(self, which: NDArray[np.intp], better: "_Fit") -> None:
        """Take better fits of some of the chains."""
        self.solution[which], self.normal[which], self.residual[which] = better.solution, better.normal, better.residual


def _step(told: Told, times: Array, feet: Feet, trust: Array, frame_s: float) -> tuple[Array, _Fit]:
    """Times (chains, k) after a Gauss-Newton step, and the fits there; chains that neither the step nor a quarter of it
    betters stay."""
    count, k = times.shape
    # Each chain as it is, and with each of its times nudged.
    nudged = (times[:, None, :] + NUDGE_S * np.eye(k + 1, k, -1)).reshape(-1, k)
    sums = told.sums(trust)
    which = np.arange(count).repeat(k + 1)
    every = _solve(told, nudged, feet.of(which), sums[which])
    fit = every.of(np.arange(0, len(nudged), k + 1))
    trusted = (trust[:, None] * every.residual.reshape(count, k + 1, *trust.shape[1:])).reshape(count, k + 1, -1)
    base, slopes = trusted[:, 0], (trusted[:, 1:] - trusted[:, :1]) / NUDGE_S
    # A weak pull to where the time is, one frame wide: a contact between two unseen arcs has no slope at all.
    lhs = slopes @ slopes.mT + np.eye(k) / frame_s**2
    step = np.clip(-np.linalg.solve(lhs, slopes @ base[:, :, None])[:, :, 0], -frame_s, frame_s)
    best, cost = times.copy(), np.sum(base**2, axis=1)
    tried = np.arange(count)
    for share in (1.0, 0.25):
        moved = in_order(times[tried] + share * step[tried], frame_s)
        there = _solve(told, moved, feet.of(tried), sums[tried])
        is_good = np.sum((trust[tried] * there.residual) ** 2, axis=(1, 2)) <= cost[tried]
        best[tried[is_good]] = moved[is_good]
        fit.put(tried[is_good], there.of(np.flatnonzero(is_good)))
        tried = tried[~is_good]
        if not len(tried):
            break
    return best, fit


def robust_costs(residual: Array) -> Array:
    """Squared sigmas of sightings, (..., n), from their residuals, (..., n, 2); large ones count linearly (Huber
    1964)."""
    size = np.abs(residual)
    return np.asarray(
        np.where(size <= HUBER_SIGMAS, size**2, HUBER_SIGMAS * (2 * size - HUBER_SIGMAS)).sum(axis=-1), dtype=np.float64
    )


def _fits_from(t_s: Array, size: Array, first_s: float) -> float:
    """The earliest sighting from which at least ``FITTING_SHARE`` of those before the first contact fit."""
    early = np.flatnonzero(t_s < first_s)
    fits = (size[early] <= HUBER_SIGMAS).astype(np.float64)
    share = np.cumsum(fits[::-1])[::-1] / np.arange(len(early), 0, -1)
    good = np.flatnonzero((share >= FITTING_SHARE) & (fits > 0))
    return float(t_s[early[good[0]]]) if len(good) else first_s


def in_order(times: Array, frame_s: float) -> Array:
    """Contacts of chains, (chains, k), put in order, at least a quarter of a frame apart."""
    out = times.copy()
    for k in range(1, out.shape[1]):
        out[:, k] = np.maximum(out[:, k], out[:, k - 1] + frame_s / 4)
    return out


def _solve(told: Told, times: Array, feet: Feet, sums: Array) -> _Fit:
    """The fits of chains with contacts at times (chains, k); ``sums``: (chains, 17, n) of what was told.

    The normal equations of all places and velocities, of which each sighting has shares, come first, then those of
    the unknowns, along the axes of the contacts.
    """
    shares, lift = _course(told.t_s, times)
    count, parts, _ = shares.shape
    size = 3 * parts + 1
    each = (shares[:, :, None] * shares[:, None]).reshape(count, parts * parts, -1) @ sums[:, :9].mT
    normal, moment = np.empty((count, size, size)), np.empty((count, size))
    normal[:, :-1, :-1] = each.reshape(count, parts, parts, 3, 3).swapaxes(2, 3).reshape(count, size - 1, size - 1)
    normal[:, :-1, -1] = normal[:, -1, :-1] = (shares @ sums[:, 9:12].mT).reshape(count, -1)
    normal[:, -1, -1] = sums[:, 15].sum(axis=1)
    moment[:, :-1] = (shares @ (sums[:, 12:15] - sums[:, 2:9:3] * lift[:, None]).mT).reshape(count, -1)
    moment[:, -1] = (sums[:, 16] - sums[:, 11] * lift).sum(axis=1) + SCALE_SIGMA**-2
    prior = _prior(times, feet)
    normal += prior.mT @ prior
    base, onto = np.zeros((count, size)), _onto(feet)
    base[:, :-7] = feet.bases.reshape(count, -1)
    moment -= (normal @ base[:, :, None])[:, :, 0]
    normal, moment = onto @ normal @ onto.mT, (onto @ moment[:, :, None])[:, :, 0]
    own = range(feet.holds.shape[1])
    normal[:, own, own] += feet.holds
    solution = _solved(normal, moment)
    found = base + (onto.mT @ solution[:, :, None])[:, :, 0]
    course = found[:, :-1].reshape(count, parts, 3).mT @ shares
    course[:, 2] += lift
    residual = told.offsets - told.seen(course) + told.scale * solution[:, -1, None, None]
    return _Fit(solution=solution, normal=normal, residual=residual)


def _onto(feet: Feet) -> Array:
    """The unknowns' axes, (chains, unknowns, 3 k + 7), among the places, the velocities and the scale."""
    count, k, _, free = feet.axes.shape
    onto = np.zeros((count, k * free + 7, 3 * k + 7))
    for j in range(k):
        onto[:, j * free : (j + 1) * free, 3 * j : 3 * j + 3] = feet.axes[:, j].mT
    onto[:, range(-7, 0), range(-7, 0)] = 1.0
    return onto


def _along(feet: Feet, solution: Array) -> Array:
    """Places of contacts, (chains, k, 3), from their bases."""
    count, k, _, free = feet.axes.shape
    return np.asarray((feet.axes @ solution[:, : k * free].reshape(count, k, free, 1))[..., 0], dtype=np.float64)


def _solved(normal: Array, moment: Array) -> Array:
    """What solves normal equations (chains, unknowns, unknowns) for moments (chains, unknowns)."""
    # Unknowns in units of their own spread; the last digits keep an arc that nobody saw from being singular.
    scale = 1.0 / np.sqrt(np.maximum(np.diagonal(normal, axis1=1, axis2=2), 1e-12))
    scaled = normal * scale[:, :, None] * scale[:, None, :] + 1e-12 * np.eye(scale.shape[1])
    return np.asarray(np.linalg.solve(scaled, (moment * scale)[:, :, None])[:, :, 0] * scale, dtype=np.float64)


def _course(t_s: Array, times: Array) -> tuple[Array, Array]:
    """What a place is the sum of, (chains, k + 2, n): shares of the contacts' places, and of the velocities before and
    after them; and how much higher gravity lets a ball be between them, (chains, n)."""
    k, gaps = times.shape[1], times[:, 1:] - times[:, :-1]
    early, late = np.minimum(t_s - times[:, :1], 0.0), np.maximum(t_s - times[:, -1:], 0.0)
    # How much is over of each flight between two contacts: nothing before it and all after it.
    over = np.minimum(np.maximum((t_s - times[:, :-1, None]) / gaps[:, :, None], 0.0), 1.0)
    shares = np.empty((len(times), k + 2, len(t_s)))
    shares[:, 0] = 1.0
    shares[:, 1:k] = over
    shares[:, : k - 1] -= over
    shares[:, k] = early
    shares[:, k + 1] = late
    lift = ((gaps**2)[:, None] @ (over * (1.0 - over)))[:, 0] - early**2 - late**2
    return shares, 0.5 * GRAVITY_MM_S2 * lift


def _prior(times: Array, feet: Feet) -> Array:
    """Rows (chains, 7, 3 k + 7) that hold places, velocities and scale: the free velocities near none, but after a
    level contact the last horizontal one near that of the flight before; and the scale, near 1."""
    count, k = times.shape
    prior = np.zeros((count, 7, 3 * k + 7))
    prior[:, range(6), range(-7, -1)] = 1.0 / FREE_SPEED_MM_S
    prior[:, 6, -1] = 1.0 / SCALE_SIGMA
    if k > 1:
        which = np.flatnonzero(feet.ends_level)
        pull = 1.0 / (KEPT_SPEED_MM_S * (times[which, k - 1] - times[which, k - 2]))
        for axis in range(2):
            prior[which, 3 + axis, 3 * k + 3 + axis] = 1.0 / KEPT_SPEED_MM_S
            prior[which, 3 + axis, 3 * k - 3 + axis] = -pull
            prior[which, 3 + axis, 3 * k - 6 + axis] = pull
    return prior


def _motion(times: Array, feet: Feet, solution: Array) -> tuple[Array, Array, Array]:
    """Places, velocities before and velocities after each contact, (chains, k, 3) each."""
    places = feet.bases + _along(feet, solution)
    first, last = solution[:, None, -7:-4], solution[:, None, -4:-1]
    gap = np.diff(times)[:, :, None]
    mean = np.diff(places, axis=1) / gap
    lift = 0.5 * GRAVITY_MM_S2 * gap * np.array([0.0, 0.0, 1.0])
    return places, np.concatenate([first, mean - lift], axis=1), np.concatenate([mean + lift, last], axis=1)
