"""A track cut into the fewest pieces of free flight and rolling that explain its pixels: dynamic programming."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from referee.vision.ballistics import SCALE_SIGMA, Array, Samples, fall_mm
from referee.vision.chain import robust_costs, weights_of
from referee.vision.middles import step_s

PIECE_COST = 40.0
"""What one more piece must save, in squared sigmas: six free numbers and a break time are bought by noise for less than
20, slow drifts of the blob's centre against the ball's for some more."""

MIN_SAMPLES = 4
"""Fewest sightings of a piece: three fix its six numbers, the fourth tests them."""

ROLLING_COST = 12.0
"""What rolling must save against flying, in squared sigmas: a short flight rolls nearly as well, and flights are what
decides a throw."""

MAX_PIECE_S = 0.9
"""No flight over a table lasts longer: it would rise a metre."""

RESCUES = 4
"""Fits of one flight, each trusting less what the one before couldn't explain."""

RIDGE = 1e-9
"""What is added to the diagonal of normal equations, of itself: some spans can't tell all their unknowns apart."""

HALVES = np.array([3, 5])
"""Half the spans, in halves of the shortest pieces, by which it's told that no piece contains them."""

UNKNOWNS = 6
"""Of either motion."""

AT_ONCE = 8000
"""Spans whose equations are solved in one go: a long track has millions."""


class Motion(Enum):
    FLYING = "flying"
    ROLLING = "rolling"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Sightings ``start`` to before ``stop`` explained by one motion; ``cost``: their squared sigmas."""

    motion: Motion
    start: int
    stop: int
    cost: float


def cut(
    samples: Samples,
    *,
    rest_z_mm: Sequence[float],
    min_samples: int = MIN_SAMPLES,
    stray_cost: float = math.inf,
) -> tuple[Piece, ...]:
    """Cut a track into pieces of least total cost.

    ``rest_z_mm``: heights at which the centre of a rolling ball can be. ``min_samples``: fewest sightings of a piece.
    ``stray_cost``: what leaving a sighting out costs, in squared sigmas; it then lies in no piece.
    """
    n = len(samples)
    if n < min_samples:
        return ()
    motions = _Motions.of(samples, rest_z_mm)
    counts = _counts(samples.t_s, min_samples, _ends(motions, n, min_samples))
    bounds = np.concatenate([[0], np.cumsum(counts)])
    starts = np.repeat(np.arange(n), counts)
    stops = np.arange(len(starts)) - bounds[starts] + starts + min_samples
    table = motions.costs(starts, stops)
    best_cost = table.min(axis=0).tolist()
    total, came_from = [0.0] + [math.inf] * n, [-1] * (n + 1)
    # There are few ends to each first sighting: arrays would be slower than lists.
    for start, (first, behind) in enumerate(pairwise(bounds.tolist())):
        so_far = total[start] + PIECE_COST
        for stop, cost in enumerate(best_cost[first:behind], start + min_samples):
            if so_far + cost < total[stop]:
                total[stop], came_from[stop] = so_far + cost, start
        if (stray := total[start] + stray_cost) <= total[start + 1]:
            total[start + 1], came_from[start + 1] = stray, -1
    pieces: list[Piece] = []
    stop = n
    while stop > 0 and math.isfinite(total[stop]):
        start = came_from[stop]
        if start < 0:
            stop -= 1
            continue
        span = int(bounds[start]) + stop - start - min_samples
        motion = Motion.ROLLING if table[:, span].argmin() else Motion.FLYING
        pieces.append(Piece(motion=motion, start=start, stop=stop, cost=best_cost[span]))
        stop = start
    return tuple(reversed(pieces))


def _counts(t_s: Array, min_samples: int, ends: NDArray[np.intp]) -> NDArray[np.intp]:
    """In how many ways a piece with a given first sighting, (n,), may end; ``ends``: behind the last of each first."""
    n = len(t_s)
    # Half a frame more, for at some frame rates the longest piece is a whole number of frames.
    longest_s = MAX_PIECE_S + step_s(t_s) / 2
    fitting = np.minimum(np.searchsorted(t_s, t_s + longest_s, side="right"), ends) - np.arange(n)
    return np.maximum(fitting - min_samples + 1, 0)


def _ends(motions: "_Motions", n: int, min_samples: int) -> NDArray[np.intp]:
    """Behind which sighting, (n,), a piece with a given first one ends at the latest.

    A piece around a short span that is dearer than its two halves and what cutting it out costs, is dearer than the
    four pieces that it then is.
    """
    ends = np.full(n + min_samples, n)
    halves = (HALVES * min_samples // 2).tolist()
    starts = [np.arange(max(n - length + 1, 0)) for half in halves for length in (2 * half, half)]
    lengths = np.repeat([length for half in halves for length in (2 * half, half)], [len(some) for some in starts])
    firsts = np.concatenate(starts)
    costs = motions.costs(firsts, firsts + lengths).min(axis=0)
    parts = np.split(costs, np.cumsum([len(some) for some in starts])[:-1])
    for half, first, whole, one in zip(halves, starts[::2], parts[::2], parts[1::2], strict=True):
        is_hopeless = whole > one[first] + one[first + half] + 3 * (PIECE_COST + ROLLING_COST)
        ends[first[is_hopeless]] = np.minimum(ends[first[is_hopeless]], first[is_hopeless] + 2 * half + min_samples - 1)
    around = np.minimum.accumulate(ends[::-1])[::-1]
    return np.asarray(np.minimum(ends[:n], around[min_samples:]))


def free_flight_costs(samples: Samples) -> Array:
    """Squared sigmas of sightings, (n,), against the one free flight that suits them all best."""
    flying, target = flight_design(samples, samples.t_s - samples.t_s[0])
    design, aim = np.concatenate([flying, -samples.scale[:, :, None]], axis=2).reshape(-1, 7), target.ravel()
    weight = np.ones(len(aim))
    for _ in range(RESCUES):
        weighted = design.T * weight
        normal, moment = weighted @ design, weighted @ aim
        normal.ravel()[::8] *= 1.0 + RIDGE
        # The scale of the ball's size is about 1.
        normal[6, 6] += SCALE_SIGMA**-2
        moment[6] += SCALE_SIGMA**-2
        residual = aim - design @ np.linalg.solve(normal, moment)
        weight = weights_of(residual)
    return robust_costs(residual.reshape(target.shape))


def flight_design(samples: Samples, tau: Array) -> tuple[Array, Array]:
    """Design (n, 2, 6) and target (n, 2) of a flight whose unknowns are place and velocity where ``tau`` is 0."""
    rows, shift = samples.rows, fall_mm(tau)
    design = np.concatenate([rows, rows * tau[:, None, None]], axis=2)
    return design, samples.offsets - np.einsum("nij,nj->ni", rows, shift)


def _roll_design(samples: Samples, tau: Array, rest_z_mm: Sequence[float]) -> tuple[Array, Array]:
    """Design (n, 2, 6) of rolling, and targets (n, 2, heights) for each height."""
    flat = samples.rows[:, :2, :2]
    times = tau[:, None, None]
    design = np.concatenate([flat, flat * times, flat * times**2], axis=2)
    return design, samples.offsets[:, :2, None] - samples.rows[:, :2, 2, None] * np.array(rest_z_mm)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Motions:
    """What flying and rolling, at one of some ``heights``, cost over spans of sightings.

    ``sums``: (entries, 2, n + 1), prefix sums over the sightings, of flying and of rolling: each row of the normal
    equations from the diagonal on, the moments of the targets at its end, and last the targets' squares.
    """

    sums: Array
    heights: int

    @classmethod
    def of(cls, samples: Samples, rest_z_mm: Sequence[float]) -> "_Motions":
        tau = samples.t_s - samples.t_s[0]
        # Pixels alone: what sizes tell of a short piece is little.
        design, target = (part[:, :2] for part in flight_design(samples, tau))
        rolling = np.concatenate(_roll_design(samples, tau, rest_z_mm or [0.0]), axis=2)
        targets = np.repeat(target[:, :, None], rolling.shape[2] - UNKNOWNS, axis=2)
        both = np.stack([np.concatenate([design, targets], axis=2), rolling])
        entries = [np.einsum("ani,anik->kan", both[..., j], both[..., j:]) for j in range(UNKNOWNS)]
        entries.append(np.einsum("anim,anim->man", both[..., UNKNOWNS:], both[..., UNKNOWNS:]))
        sums = np.zeros((sum(map(len, entries)), 2, len(samples) + 1))
        np.cumsum(np.concatenate(entries), axis=2, out=sums[:, :, 1:])
        return cls(sums=sums, heights=len(rest_z_mm))

    def costs(self, starts: NDArray[np.intp], stops: NDArray[np.intp]) -> Array:
        """Least squared residuals of spans, (1 + heights, spans): of flying, then of rolling at each height."""
        out = np.empty((1 + self.heights, len(starts)))
        targets = max(1, self.heights)
        bounds = np.cumsum([targets + size for size in range(UNKNOWNS, 0, -1)])
        for first in range(0, len(starts), AT_ONCE):
            some = slice(first, first + AT_ONCE)
            *rows, squares = np.split(
                self.sums.take(stops[some], axis=2) - self.sums.take(starts[some], axis=2), bounds
            )
            left = np.maximum(squares - _explained(rows, targets), 0.0)
            out[0, some], out[1:, some] = left[0, 0], left[: self.heights, 1] + ROLLING_COST
        return out


def _explained(rows: Sequence[Array], targets: int) -> Array:
    """How much of the squares of so many targets least squares explain, (targets, ...), from the rows of the normal
    equations (changed on the way): by elimination, all spans side by side, for there are thousands of small systems."""
    explained = np.zeros((targets, *rows[0].shape[1:]))
    for row in rows:
        row[0] = np.maximum(row[0], 1e-30) * (1.0 + RIDGE)
    for j, row in enumerate(rows):
        share = row / row[0]
        explained += row[len(row) - targets :] * share[len(row) - targets :]
        for k, later in enumerate(rows[j + 1 :], 1):
            later -= share[k] * row[k:]
    return explained
