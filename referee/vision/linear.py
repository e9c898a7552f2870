"""The linear part of chains of flights: the places and velocities that explain the pixels best, for given times of the
contacts; and what other times would do to that (variable projection, Golub and Pereyra 1973).

Chains have k contacts at the most; those with fewer have times behind the last one that nothing depends on.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from referee.vision.ballistics import GRAVITY_MM_S2, SCALE_SIGMA, Array
from referee.vision.footing import OTHERS, Feet
from referee.vision.told import Told

FREE_SPEED_MM_S = 3000.0
"""Spread of the speeds before the first and after the last contact, about no speed at all: keeps ends of few sightings
from running away."""

KEPT_SPEED_MM_S = 500.0
"""Spread of what a contact changes of the horizontal velocity: friction, spin and the rim of a hole."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Chains fitted to what was told with some ``weights`` (chains, rows, n), with contacts at ``times`` (chains, k).

    ``shares`` (chains, k + 2, n): of the contacts' places, and of the velocities before and after them, of which the
    ball's place is the sum; ``speeds`` (chains, k, 2, k + 2): the same of the velocities before and after each contact.
    ``sums`` (chains, 17, n): what was told, weighted. ``normal``: (chains, unknowns, unknowns), the equations that were
    solved. ``found`` (chains, 3 k + 7): places, the two velocities, the scale of the ball's size. ``residual``:
    (chains, rows, n).
    """

    times: Array
    feet: Feet
    weights: Array
    shares: Array
    speeds: Array
    sums: Array
    normal: Array
    found: Array
    residual: Array

    def of(self, which: NDArray[np.intp]) -> "Fit":
        """Those of some of the chains."""
        if len(which) == len(self.times):
            return self
        return Fit(
            times=self.times[which],
            feet=self.feet.of(which),
            weights=self.weights[which],
            shares=self.shares[which],
            speeds=self.speeds[which],
            sums=self.sums[which],
            normal=self.normal[which],
            found=self.found[which],
            residual=self.residual[which],
        )

    def put(self, which: NDArray[np.intp], other: "Fit", of: NDArray[np.intp]) -> None:
        """Take what is found of some chains from some of others."""
        for mine, new in (
            (self.times, other.times),
            (self.speeds, other.speeds),
            (self.normal, other.normal),
            (self.found, other.found),
            (self.residual, other.residual),
        ):
            mine[which] = new[of]


def solve(told: Told, times: Array, feet: Feet, weights: Array) -> Fit:
    """The fits of chains with contacts at times (chains, k); ``weights``: (chains, rows, n) of the squared residuals.

    The normal equations of all places and velocities, of which each sighting has shares, come first, then those of
    the unknowns, along the axes of the contacts.
    """
    speeds = _speeds(times, feet)
    shares, lift = _course(told.t_s, times, feet)
    sums = told.sums(weights)
    count, parts, n = shares.shape
    size = 3 * parts + 1
    each = (shares[:, :, None] * shares[:, None]).reshape(count, parts * parts, n) @ sums[:, :9].mT
    each = each.reshape(count, parts, parts, 3, 3)
    # What a last level contact changes of the level velocity isn't much.
    change = (speeds[np.arange(count), feet.last] * [[-1.0], [1.0]]).sum(axis=1) * feet.ends_level[:, None]
    kept = change[:, :, None] * change[:, None] / KEPT_SPEED_MM_S**2
    each[..., 0, 0] += kept
    each[..., 1, 1] += kept
    normal, moment = np.empty((count, size, size)), np.empty((count, size))
    normal[:, :-1, :-1] = each.swapaxes(2, 3).reshape(count, size - 1, size - 1)
    normal[:, :-1, -1] = normal[:, -1, :-1] = (shares @ sums[:, 9:12].mT).reshape(count, -1)
    normal[:, -1, -1] = sums[:, 15].sum(axis=1)
    normal += _prior(size)
    moment[:, :-1] = (shares @ (sums[:, 12:15] - sums[:, 2:9:3] * lift[:, None]).mT).reshape(count, -1)
    moment[:, -1] = (sums[:, 16] - sums[:, 11] * lift).sum(axis=1) + SCALE_SIGMA**-2
    moment -= (normal @ feet.base[:, :, None])[:, :, 0]
    normal = feet.onto @ normal @ feet.onto.mT + feet.holds
    found = feet.base + (feet.onto.mT @ _solved(normal, feet.onto @ moment[:, :, None]))[:, :, 0]
    course = found[:, :-1].reshape(count, parts, 3).mT @ shares
    course[:, 2] += lift
    return Fit(
        times=times,
        feet=feet,
        weights=weights,
        shares=shares,
        speeds=speeds,
        sums=sums,
        normal=normal,
        found=found,
        residual=told.offsets - told.seen(course) + told.scale * found[:, -1, None, None],
    )


def velocities(fit: Fit) -> Array:
    """Before and after each contact, (chains, k, 2, 3)."""
    count, k = fit.times.shape
    parts = fit.found[:, :-1].reshape(count, k + 2, 3)
    out = (fit.speeds.reshape(count, 2 * k, k + 2) @ parts).reshape(count, k, 2, 3)
    fall = 0.5 * GRAVITY_MM_S2 * np.diff(fit.times)
    out[:, 1:, 0, 2] -= fall
    out[:, :-1, 1, 2] += np.where(np.arange(k - 1) < fit.feet.last[:, None], fall, 0.0)
    return out


def slopes(told: Told, fit: Fit) -> Array:
    """What moving each contact in time does to the residuals, (chains, k, rows, n), when all else follows."""
    (count, k), shares, sums, before_after = fit.times.shape, fit.shares, fit.sums, velocities(fit)
    tau = told.t_s - fit.times[:, :, None]
    is_after = tau >= 0.0
    # A later contact at the same place moves the ball back along its flights, as far as that place has a share.
    moves = np.where(is_after[:, :, None], before_after[:, :, 1, :, None], before_after[:, :, 0, :, None])
    moves *= -shares[:, :-2, None]
    moves[:, 0, 2] += GRAVITY_MM_S2 * np.minimum(tau[:, 0], 0.0)
    rows, last = np.arange(count), fit.feet.last
    moves[rows, last, 2] += GRAVITY_MM_S2 * np.maximum(tau[rows, last], 0.0)
    pull = np.einsum("cabn,ckan->ckbn", sums[:, :9].reshape(count, 3, 3, -1), moves)
    moment = np.empty((count, k, 3 * k + OTHERS))
    parts = _turned(told, fit, is_after, before_after) - shares[:, None] @ pull.mT
    moment[:, :, :-1] = parts.reshape(count, k, -1)
    moment[:, :, -1] = -np.einsum("can,ckan->ck", sums[:, 9:12], moves)
    found = _solved(fit.normal, fit.feet.onto @ moment.mT).mT @ fit.feet.onto
    course = moves + found[:, :, :-1].reshape(count, k, k + 2, 3).mT @ shares[:, None]
    return np.asarray(told.scale * found[:, :, -1, None, None] - told.seen(course), dtype=np.float64)


def _turned(told: Told, fit: Fit, is_after: NDArray[np.bool_], before_after: Array) -> Array:
    """How the moments of places and velocities, (chains, k, k + 2, 3), change with the time of each contact, because
    their shares in what is left unexplained change."""
    left = np.einsum("arn,crn->cna", told.sight, fit.weights * fit.residual)
    forces = np.empty(before_after.shape)
    forces[:, :, 1] = (fit.shares[:, :-2] * is_after) @ left
    forces[:, :, 0] = fit.shares[:, :-2] @ left - forces[:, :, 1]
    turned = -(fit.speeds.mT @ forces)
    which = np.flatnonzero(fit.feet.ends_level)
    if len(which):
        last = fit.feet.last[which]
        before, after = fit.speeds[which, last].swapaxes(0, 1)
        slow, fast = before_after[which, last, :, :2].swapaxes(0, 1)
        gap = fit.times[which, last] - fit.times[which, last - 1]
        held = before[:, :, None] * (fast - slow)[:, None] + (after - before)[:, :, None] * slow[:, None]
        held /= KEPT_SPEED_MM_S**2 * gap[:, None, None]
        turned[which, last, :, :2] -= held
        turned[which, last - 1, :, :2] += held
    return np.asarray(turned, dtype=np.float64)


def _solved(normal: Array, moments: Array) -> Array:
    """What solves normal equations (chains, unknowns, unknowns) for moments (chains, unknowns, m)."""
    # Unknowns in units of their own spread; the last digits keep an arc that nobody saw from being singular.
    scale = 1.0 / np.sqrt(np.maximum(np.diagonal(normal, axis1=1, axis2=2), 1e-12))[:, :, None]
    scaled = normal * scale * scale.mT
    scaled.reshape(len(scaled), -1)[:, :: scaled.shape[1] + 1] += 1e-12
    return np.asarray(np.linalg.solve(scaled, moments * scale) * scale, dtype=np.float64)


def _speeds(times: Array, feet: Feet) -> Array:
    """The shares of places and velocities in the velocities before and after each contact, (chains, k, 2, k + 2)."""
    count, k = times.shape
    arcs = np.arange(k - 1)
    per_s = (arcs < feet.last[:, None]) / np.diff(times)
    speeds = np.zeros((count, k, 2, k + 2))
    speeds[:, arcs + 1, 0, arcs + 1] = speeds[:, arcs, 1, arcs + 1] = per_s
    speeds[:, arcs + 1, 0, arcs] = speeds[:, arcs, 1, arcs] = -per_s
    speeds[:, 0, 0, k] = speeds[np.arange(count), feet.last, 1, k + 1] = 1.0
    return speeds


def _course(t_s: Array, times: Array, feet: Feet) -> tuple[Array, Array]:
    """What a place is the sum of, (chains, k + 2, n): shares of the contacts' places, and of the velocities before and
    after them; and how much higher gravity lets a ball be between them, (chains, n)."""
    k, gaps = times.shape[1], np.diff(times)
    final = times[np.arange(len(times)), feet.last]
    early, late = np.minimum(t_s - times[:, :1], 0.0), np.maximum(t_s - final[:, None], 0.0)
    # How much is over of each flight between two contacts: nothing before it and all after it.
    over = np.minimum(np.maximum((t_s - times[:, :-1, None]) / gaps[:, :, None], 0.0), 1.0)
    over[np.arange(k - 1) >= feet.last[:, None]] = 0.0
    shares = np.empty((len(times), k + 2, len(t_s)))
    shares[:, 0] = 1.0
    shares[:, 1:k] = over
    shares[:, : k - 1] -= over
    shares[:, k] = early
    shares[:, k + 1] = late
    lift = ((gaps**2)[:, None] @ (over * (1.0 - over)))[:, 0] - early**2 - late**2
    return shares, 0.5 * GRAVITY_MM_S2 * lift


@cache
def _prior(size: int) -> Array:
    """The normal equations (size, size) of what is known before: the free velocities are near none, the scale near
    1."""
    held = np.zeros(size)
    held[-OTHERS:] = [*[FREE_SPEED_MM_S**-2] * 6, SCALE_SIGMA**-2]
    return np.diag(held)
