"""The linear part of chains of flights: the places and velocities that explain the pixels best, for given times of the
contacts; and what other times would do to that (variable projection, Golub and Pereyra 1973).

Chains have k contacts at the most; those with fewer have times behind the last one that nothing depends on.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.vision.ballistics import GRAVITY_MM_S2, SCALE_SIGMA, Array
from referee.vision.footing import OTHERS, Feet
from referee.vision.told import Told

KEPT_SPEED_MM_S = 500.0
"""Spread of what a contact changes of the horizontal velocity: friction, spin and the rim of a hole."""


LATER = np.array([[-2.0, 1.0], [1.0, 0.0]])
"""What the shares in the velocities before and after a contact count, by these velocities, where it comes later."""


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
    shares, lift, speeds = _course(told.t_s, times, feet)
    sums = told.sums(weights)
    count, parts, n = shares.shape
    size = 3 * parts + 1
    each = (shares[:, :, None] * shares[:, None]).reshape(count, parts * parts, n) @ sums[:, :9].mT
    each = each.reshape(count, parts, parts, 3, 3)
    # What a last level contact changes of the level velocity isn't much.
    before, after = speeds[np.arange(count), feet.last].swapaxes(0, 1)
    change = (after - before) * (feet.ends_level / KEPT_SPEED_MM_S)[:, None]
    kept = change[:, :, None] * change[:, None]
    each[..., 0, 0] += kept
    each[..., 1, 1] += kept
    normal, moment = np.empty((count, size, size)), np.empty((count, size))
    normal[:, :-1, :-1] = each.swapaxes(2, 3).reshape(count, size - 1, size - 1)
    normal[:, :-1, -1] = normal[:, -1, :-1] = (shares @ sums[:, 9:12].mT).reshape(count, -1)
    normal[:, -1, -1] = sums[:, 15].sum(axis=1)
    moment[:, :-1] = (shares @ (sums[:, 12:15] - sums[:, 2:9:3] * lift[:, None]).mT).reshape(count, -1)
    moment[:, -1] = (sums[:, 16] - sums[:, 11] * lift).sum(axis=1) + SCALE_SIGMA**-2
    moment -= (normal @ feet.base[:, :, None])[:, :, 0]
    normal = feet.onto @ normal @ feet.onto.mT + feet.holds
    found = feet.base + (feet.onto.mT @ np.linalg.solve(normal, feet.onto @ moment[:, :, None]))[:, :, 0]
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
    (count, k), times = fit.times.shape, fit.times
    parts = fit.found[:, :-1].reshape(count, k + 2, 3)
    out = (fit.speeds.reshape(count, 2 * k, k + 2) @ parts).reshape(count, k, 2, 3)
    fall = (times[:, 1:] - times[:, :-1]) * (0.5 * GRAVITY_MM_S2) * fit.feet.has_arc
    out[:, 1:, 0, 2] -= fall
    out[:, :-1, 1, 2] += fall
    return out


def slopes(told: Told, fit: Fit) -> Array:
    """What moving each contact in time does to the residuals, (chains, k, rows, n), when all else follows."""
    (count, k), shares, sums, before_after = fit.times.shape, fit.shares, fit.sums, velocities(fit)
    is_after = told.t_s >= fit.times[:, :, None]
    # A later contact at the same place moves the ball back along its flights, as far as that place has a share.
    moves = np.where(is_after[:, :, None], before_after[:, :, 1, :, None], before_after[:, :, 0, :, None])
    moves *= -shares[:, :-2, None]
    moves[:, 0, 2] += GRAVITY_MM_S2 * shares[:, -2]
    moves[np.arange(count), fit.feet.last, 2] += GRAVITY_MM_S2 * shares[:, -1]
    pull = np.einsum("cabn,ckan->ckbn", sums[:, :9].reshape(count, 3, 3, -1), moves)
    moment = np.empty((count, k, 3 * k + OTHERS))
    parts = _turned(told, fit, is_after, before_after) - shares[:, None] @ pull.mT
    moment[:, :, :-1] = parts.reshape(count, k, -1)
    moment[:, :, -1] = -np.einsum("can,ckan->ck", sums[:, 9:12], moves)
    found = np.linalg.solve(fit.normal, fit.feet.onto @ moment.mT).mT @ fit.feet.onto
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
    # What a last level contact changes of the level velocity follows from the time since the one before.
    rows, last = np.arange(len(fit.times)), fit.feet.last
    speeds = fit.speeds[rows, last]
    per_s = speeds[rows, 0, last] * fit.feet.ends_level / KEPT_SPEED_MM_S**2
    held = speeds.mT @ (LATER @ before_after[rows, last, :, :2]) * per_s[:, None, None]
    turned[rows, last, :, :2] -= held
    turned[rows, last - 1, :, :2] += held
    return np.asarray(turned, dtype=np.float64)


def _course(t_s: Array, times: Array, feet: Feet) -> tuple[Array, Array, Array]:
    """What a place is the sum of, (chains, k + 2, n): shares of the contacts' places, and of the velocities before and
    after them; how much higher gravity lets a ball be between them, (chains, n); and the shares of places and
    velocities in the velocities before and after each contact, (chains, k, 2, k + 2)."""
    (count, k), gaps = times.shape, times[:, 1:] - times[:, :-1]
    rows, per_s = np.arange(count), feet.has_arc / gaps
    shares = np.empty((count, k + 2, len(t_s)))
    early = np.minimum(t_s - times[:, :1], 0.0, out=shares[:, k])
    late = np.maximum(t_s - times[rows, feet.last, None], 0.0, out=shares[:, k + 1])
    # How much is over of each flight between two contacts: nothing before it and all after it.
    over = np.minimum(np.maximum((t_s - times[:, :-1, None]) * per_s[:, :, None], 0.0), 1.0)
    shares[:, 0] = 1.0
    shares[:, 1:k] = over
    shares[:, : k - 1] -= over
    lift = ((gaps * gaps)[:, None] @ (over - over * over))[:, 0] - early * early - late * late
    speeds = np.zeros((count, k, 2, k + 2))
    # From one arc to the next, both contacts and their places are one further.
    ends, size, step = speeds.reshape(count, -1), k + 2, 2 * (k + 2) + 1
    ends[:, 2 * size + 1 :: step][:, : k - 1] = ends[:, size + 1 :: step][:, : k - 1] = per_s
    ends[:, 2 * size :: step][:, : k - 1] = ends[:, size::step][:, : k - 1] = -per_s
    speeds[:, 0, 0, k] = speeds[rows, feet.last, 1, k + 1] = 1.0
    return shares, 0.5 * GRAVITY_MM_S2 * lift, speeds
