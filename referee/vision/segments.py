"""A track cut into the fewest pieces of free flight and rolling that explain its pixels: dynamic programming."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from referee.vision.ballistics import Array, Samples, fall_mm

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


class Motion(Enum):
    FLYING = "flying"
    ROLLING_TABLE = "rolling on the table"
    ROLLING_BOARD = "rolling on the board"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Sightings ``start`` to before ``stop`` explained by one motion; ``cost``: their squared sigmas."""

    motion: Motion
    start: int
    stop: int
    cost: float


def cut(samples: Samples, *, table_z_mm: float, board_z_mm: float | None) -> tuple[Piece, ...]:
    """Cut a track into pieces of least total cost; ``table_z_mm``, ``board_z_mm``: height of the centre of a ball that
    rolls there (None: no board)."""
    n = len(samples)
    if n < MIN_SAMPLES:
        return ()
    planes = {Motion.ROLLING_TABLE: table_z_mm} | ({} if board_z_mm is None else {Motion.ROLLING_BOARD: board_z_mm})
    tau = samples.t_s - samples.t_s[0]
    starts, stops = _spans(samples.t_s)
    costs = {Motion.FLYING: _costs(_flight_design(samples, tau), starts, stops)}
    for motion, z_mm in planes.items():
        costs[motion] = _costs(_roll_design(samples, tau, z_mm), starts, stops) + ROLLING_COST
    motions = list(costs)
    table = np.stack([costs[m] for m in motions])
    best_motion = table.argmin(axis=0)
    best_cost = table.min(axis=0)
    total = np.full(n + 1, np.inf)
    total[0] = 0.0
    came_from = np.full(n + 1, -1)
    order = np.argsort(stops, kind="stable")
    bounds = np.searchsorted(stops[order], np.arange(n + 2))
    for stop in range(MIN_SAMPLES, n + 1):
        spans = order[bounds[stop] : bounds[stop + 1]]
        sums = total[starts[spans]] + best_cost[spans] + PIECE_COST
        winner = int(sums.argmin())
        total[stop], came_from[stop] = sums[winner], spans[winner]
    pieces: list[Piece] = []
    stop = n
    while stop > 0 and came_from[stop] >= 0:
        span = came_from[stop]
        pieces.append(
            Piece(motion=motions[best_motion[span]], start=int(starts[span]), stop=stop, cost=float(best_cost[span]))
        )
        stop = int(starts[span])
    return tuple(reversed(pieces))


def _spans(t_s: Array) -> tuple[np.ndarray, np.ndarray]:
    n = len(t_s)
    pairs = [
        (start, stop)
        for start in range(n)
        for stop in range(start + MIN_SAMPLES, n + 1)
        if t_s[stop - 1] - t_s[start] <= MAX_PIECE_S
    ]
    both = np.array(pairs)
    return both[:, 0], both[:, 1]


def _flight_design(samples: Samples, tau: Array) -> tuple[Array, Array]:
    rows, shift = samples.rows, fall_mm(tau)
    design = np.concatenate([rows, rows * tau[:, None, None]], axis=2)
    return design, samples.offsets - np.einsum("nij,nj->ni", rows, shift)


def _roll_design(samples: Samples, tau: Array, z_mm: float) -> tuple[Array, Array]:
    flat = samples.rows[:, :, :2]
    times = tau[:, None, None]
    design = np.concatenate([flat, flat * times, flat * times**2], axis=2)
    return design, samples.offsets - samples.rows[:, :, 2] * z_mm


def _costs(system: tuple[Array, Array], starts: np.ndarray, stops: np.ndarray) -> Array:
    """Least squared residual of every span, by prefix sums of the normal equations."""
    design, target = system

    def prefix(values: Array) -> Array:
        return np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)])

    normal = prefix(np.einsum("nij,nik->njk", design, design))
    moment = prefix(np.einsum("nij,ni->nj", design, target))
    square = prefix(np.einsum("ni,ni->n", target, target))
    lhs = normal[stops] - normal[starts]
    rhs = moment[stops] - moment[starts]
    scale = 1.0 / np.sqrt(np.maximum(np.einsum("njj->nj", lhs), 1e-30))
    lhs = lhs * scale[:, :, None] * scale[:, None, :] + 1e-9 * np.eye(lhs.shape[1])
    rhs = rhs * scale
    solution = np.linalg.solve(lhs, rhs[:, :, None])[:, :, 0]
    explained = np.einsum("nj,nj->n", rhs, solution)
    return np.asarray(np.maximum(square[stops] - square[starts] - explained, 0.0), dtype=np.float64)
