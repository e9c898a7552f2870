"""A track cut into the fewest pieces of free flight and rolling that explain its pixels: dynamic programming."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from referee.vision.ballistics import SCALE_SIGMA, Array, Samples, fall_mm
from referee.vision.chain import HUBER_SIGMAS, robust_costs

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

AT_ONCE = 8_000
"""Spans whose equations are solved in one go: a long track has millions."""


SCALE_ROW = np.array([*[0.0] * 6, 1.0 / SCALE_SIGMA])
"""What is known of a flight's unknowns: the scale of the ball's size is about 1."""


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
    starts, stops = _spans(samples.t_s, min_samples, _ends(motions, n, min_samples))
    table = motions.costs(starts, stops)
    best_motion = table.argmin(axis=0)
    best_cost = table.min(axis=0)
    total = np.full(n + 1, np.inf)
    total[0] = 0.0
    came_from = np.full(n + 1, -1)
    order = np.argsort(stops, kind="stable")
    bounds = np.searchsorted(stops[order], np.arange(n + 2))
    for stop in range(1, n + 1):
        total[stop] = total[stop - 1] + stray_cost
        spans = order[bounds[stop] : bounds[stop + 1]]
        if not len(spans):
            continue
        sums = total[starts[spans]] + best_cost[spans] + PIECE_COST
        winner = int(sums.argmin())
        if sums[winner] < total[stop]:
            total[stop], came_from[stop] = sums[winner], spans[winner]
    pieces: list[Piece] = []
    stop = n
    while stop > 0 and math.isfinite(total[stop]):
        span = came_from[stop]
        if span < 0:
            stop -= 1
            continue
        pieces.append(
            Piece(
                motion=Motion.ROLLING if best_motion[span] else Motion.FLYING,
                start=int(starts[span]),
                stop=stop,
                cost=float(best_cost[span]),
            )
        )
        stop = int(starts[span])
    return tuple(reversed(pieces))


def _spans(t_s: Array, min_samples: int, ends: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """First and behind last sighting of all that may be one piece; ``ends``: behind the last of each first."""
    n = len(t_s)
    # Half a frame more, for at some frame rates the longest piece is a whole number of frames.
    longest_s = MAX_PIECE_S + float(np.median(np.diff(t_s))) / 2
    fitting = np.minimum(np.searchsorted(t_s, t_s + longest_s, side="right"), ends) - np.arange(n)
    counts = np.maximum(fitting - min_samples + 1, 0)
    starts = np.repeat(np.arange(n), counts)
    return starts, np.arange(len(starts)) - np.repeat(np.cumsum(counts) - counts, counts) + starts + min_samples


def _ends(motions: "_Motions", n: int, min_samples: int) -> NDArray[np.intp]:
    """Behind which sighting, (n,), a piece with a given first one ends at the latest.

    A piece around a short span that is dearer than its two halves and what cutting it out costs, is dearer than the
    four pieces that it then is.
    """
    ends = np.full(n + min_samples, n)
    for half in HALVES * min_samples // 2:
        first = np.arange(max(n - 2 * half + 1, 0))
        whole, one = (
            motions.costs(begin, begin + length).min(axis=0)
            for begin, length in ((first, 2 * half), (np.arange(max(n - half + 1, 0)), half))
        )
        is_hopeless = whole > one[first] + one[first + half] + 3 * (PIECE_COST + ROLLING_COST)
        ends[first[is_hopeless]] = np.minimum(ends[first[is_hopeless]], first[is_hopeless] + 2 * half + min_samples - 1)
    around = np.minimum.accumulate(ends[::-1])[::-1]
    return np.asarray(np.minimum(ends[:n], around[min_samples:]))


def free_flight_costs(samples: Samples) -> Array:
    """Squared sigmas of sightings, (n,), against the one free flight that suits them all best."""
    flying, target = flight_design(samples, samples.t_s - samples.t_s[0])
    design = np.concatenate([flying, -samples.scale[:, :, None]], axis=2)
    rows, aim = np.vstack([design.reshape(-1, 7), SCALE_ROW]), np.append(target.ravel(), SCALE_ROW[-1])
    trust = np.ones(target.size)
    for _ in range(RESCUES):
        weight = np.append(trust, 1.0)
        solution = np.linalg.lstsq(rows * weight[:, None], aim * weight, rcond=None)[0]
        residual = target - design @ solution
        trust = 1.0 / np.sqrt(np.maximum(1.0, np.abs(residual.ravel()) / HUBER_SIGMAS))
    return robust_costs(residual)


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
    """What flying and rolling, at one of some heights, cost over spans of sightings."""

    flying: "_Sums"
    rolling: "_Sums"

    @classmethod
    def of(cls, samples: Samples, rest_z_mm: Sequence[float]) -> "_Motions":
        tau = samples.t_s - samples.t_s[0]
        # Pixels alone: what sizes tell of a short piece is little.
        design, target = (part[:, :2] for part in flight_design(samples, tau))
        rolling = _Sums.of(*_roll_design(samples, tau, rest_z_mm))
        return cls(flying=_Sums.of(design, target[:, :, None]), rolling=rolling)

    def costs(self, starts: NDArray[np.intp], stops: NDArray[np.intp]) -> Array:
        """(1 + heights, spans): of flying, then of rolling at each height."""
        return np.vstack([self.flying.costs(starts, stops), self.rolling.costs(starts, stops) + ROLLING_COST])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sums:
    """Prefix sums, over the sightings, of the normal equations of a motion: each row of them from the diagonal on, the
    moments of m targets at its end, (6 to 1 + m, n + 1), and of the targets' squares, (m, n + 1)."""

    rows: list[Array]
    squares: Array

    @classmethod
    def of(cls, design: Array, targets: Array) -> "_Sums":
        """``design`` (n, 2, 6), ``targets`` (n, 2, m)."""
        both = np.concatenate([design, targets], axis=2)

        def prefix(values: Array) -> Array:
            return np.concatenate([np.zeros((len(values), 1)), np.cumsum(values, axis=1)], axis=1)

        rows = [prefix(np.einsum("ni,nik->kn", both[:, :, j], both[:, :, j:])) for j in range(design.shape[2])]
        return cls(rows=rows, squares=prefix(np.einsum("nim,nim->mn", targets, targets)))

    def costs(self, starts: NDArray[np.intp], stops: NDArray[np.intp]) -> Array:
        """Least squared residual of every span, for each of the targets: (m, spans)."""
        out = np.empty((len(self.squares), len(starts)))
        for first in range(0, len(starts), AT_ONCE):
            some = slice(first, first + AT_ONCE)
            start, stop = starts[some], stops[some]
            rows = [row.take(stop, axis=1) - row.take(start, axis=1) for row in self.rows]
            square = self.squares[:, stop] - self.squares[:, start]
            out[:, some] = np.maximum(square - _explained(rows, len(square)), 0.0)
        return out


def _explained(rows: Sequence[Array], targets: int) -> Array:
    """How much of the squares of so many targets least squares explain, (targets, spans), from the rows of the normal
    equations (changed on the way): by elimination, all spans side by side, for there are thousands of small systems."""
    explained = np.zeros((targets, rows[0].shape[1]))
    for row in rows:
        row[0] = np.maximum(row[0], 1e-30) * (1.0 + RIDGE)
    for j, row in enumerate(rows):
        share = row / row[0]
        explained += row[len(row) - targets :] * share[len(row) - targets :]
        for k, later in enumerate(rows[j + 1 :], 1):
            later -= share[k] * row[k:]
    return explained
