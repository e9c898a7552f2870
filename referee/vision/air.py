"""Flights through air, for balls so light or fast that it brakes and bends them: fitted as `chain` fits free flights.

Air brakes a ball by drag v|v| and, when it spins, turns it by drag |v| (l x v): ``l`` is the lift, by axis, in units of
the braking, and constant over a flight. Accelerations are polynomials of time through a few nodes of each flight, found
by Picard's iteration: velocities give accelerations, and these, integrated, better velocities. Contact times, places,
velocities and lifts follow by Levenberg and Marquardt's method.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.vision.ballistics import GRAVITY_MM_S2, Array, Samples
from referee.vision.chain import HUBER_SIGMAS, Chain, in_order, robust_costs
from referee.vision.segments import flight_design

AIR_G_MM3 = 1.2e-6
"""Density of air."""

DRAG_COEFFICIENT = 0.45
"""Of balls at speeds of a few metres a second."""

LIFT_SPREAD = 0.5
"""Spread of the lifts: even much spin turns a ball hardly more than air brakes it (Mehta 1985)."""

RESTITUTION, RESTITUTION_SPREAD = 0.75, 0.2
KEPT_SHARE, KEPT_SPREAD = 0.85, 0.25
"""What a contact leaves of vertical and of horizontal speed: some spin becomes speed, or the other way."""

LEAST_SPEED_MM_S = 500.0
"""Slower balls are no more alike in what contacts leave of their speed."""

SPEED_SPREAD_MM_S = 10_000.0
"""Spread of the velocities, about none: keeps ends of few sightings from running away."""

MOST_SPEED_MM_S = 50_000.0
"""Air brakes a ball no more at higher speeds: these are wild guesses, and would become wilder."""

NODES = 0.5 - 0.5 * np.cos(np.pi * (np.arange(6) + 0.5) / 6)
"""Where in a flight, from 0 to 1, its acceleration is known."""

SWEEPS = 6
"""Picard's iterations: each betters the velocities five times and more, six leave less than a millimetre."""

STEPS = 15
"""Steps of a fit at the most."""

LEAST_GAIN = 1e-3
"""A step that saves fewer squared sigmas is the last."""

NUDGE_S, NUDGE_MM, NUDGE_MM_S, NUDGE_LIFT = 1e-4, 0.1, 1.0, 1e-3
"""How far unknowns are moved to see what that does to the residuals."""

_TO_COEFFICIENTS = np.linalg.inv(np.vander(NODES, increasing=True))
_ORDER = np.arange(len(NODES))
_TO_SPEEDS = (NODES[:, None] ** (_ORDER + 1) / (_ORDER + 1)) @ _TO_COEFFICIENTS
"""From accelerations at the nodes to what they add to the velocity there, in a flight of one second."""

_GRAVITY = np.array([0.0, 0.0, -GRAVITY_MM_S2])


def drag_per_mm(radius_mm: float, mass_g: float) -> float:
    """How much air brakes a ball, in units of its speed squared."""
    return 0.5 * AIR_G_MM3 * DRAG_COEFFICIENT * math.pi * radius_mm**2 / mass_g


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Flights:
    """Flights of chains: from ``start_s`` for ``span_s`` (negative for the one before the first contact), (chains,
    flights); ``place_mm``, ``speed_mm_s``: (chains, flights, 3) there; ``pull``: (chains, flights, nodes, 3), the
    coefficients of the acceleration."""

    start_s: Array
    span_s: Array
    place_mm: Array
    speed_mm_s: Array
    pull: Array

    def at(self, t_s: Array, which: NDArray[np.intp]) -> Array:
        """Places (chains, n, 3) at times (n,), in the flight ``which`` (chains, n) of each."""
        rows = np.arange(len(which))[:, None]
        tau, span = t_s - self.start_s[rows, which], self.span_s[rows, which]
        share = (tau / span)[:, :, None] ** (_ORDER + 2) / ((_ORDER + 1) * (_ORDER + 2))
        bend = (span**2)[:, :, None] * (share[:, :, None] @ self.pull[rows, which])[:, :, 0]
        return np.asarray(self.place_mm[rows, which] + self.speed_mm_s[rows, which] * tau[:, :, None] + bend)

    def speeds(self) -> tuple[Array, Array]:
        """Velocities before and after each contact, (chains, flights - 1, 3)."""
        gained = (self.pull / (_ORDER + 1)[:, None]).sum(axis=2)
        last = self.speed_mm_s + self.span_s[:, :, None] * gained
        # The flight before the first contact is told backwards.
        return np.concatenate([self.speed_mm_s[:, :1], last[:, 1:]], axis=1)[:, :-1], self.speed_mm_s[:, 1:]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Model:
    """What chains of k contacts at ``heights_mm``, (chains, k), look like for their unknowns: contact times; x and y of
    the contacts; the lift of each flight; x and y of the velocity before the first and after the last contact, and z of
    both. Without contacts: place, lift and velocity at the first sighting."""

    samples: Samples
    heights_mm: Array
    drag_per_mm: float

    @property
    def contacts(self) -> int:
        return int(self.heights_mm.shape[1])

    @property
    def nudges(self) -> Array:
        k = self.contacts
        if not k:
            return np.repeat([NUDGE_MM, NUDGE_LIFT, NUDGE_MM_S], 3)
        return np.repeat([NUDGE_S, NUDGE_MM, NUDGE_LIFT, NUDGE_MM_S], [k, 2 * k, 3 * k + 3, 6])

    @property
    def stiffness(self) -> Array:
        """What holds each unknown near 0: one over its spread, squared."""
        k = self.contacts
        counts = [k, 2 * k, 3 * k + 3, 6] if k else [0, 3, 3, 3]
        return np.repeat([0.0, 0.0, LIFT_SPREAD**-2, SPEED_SPREAD_MM_S**-2], counts)

    def flights(self, unknowns: Array, heights_mm: Array) -> _Flights:
        """The flights for unknowns (chains, u)."""
        k, t_s = self.contacts, self.samples.t_s
        if not k:
            place, lift, speed = (unknowns[:, None, first : first + 3] for first in (0, 3, 6))
            start, stop = np.full((len(unknowns), 1), t_s[0]), np.full((len(unknowns), 1), t_s[-1])
            return self._bent(start, stop, place, lift, speed, place[:, :0])
        times = unknowns[:, :k]
        places = np.concatenate([unknowns[:, k : 3 * k].reshape(-1, k, 2), heights_mm[:, :, None]], axis=2)
        lift = unknowns[:, 3 * k : 6 * k + 3].reshape(-1, k + 1, 3)
        before, after = unknowns[:, None, [-6, -5, -2]], unknowns[:, None, [-4, -3, -1]]
        start = np.concatenate([times[:, :1], times], axis=1)
        stop = np.concatenate(
            [np.full_like(times[:, :1], t_s[0]), times[:, 1:], np.full_like(times[:, :1], t_s[-1])], 1
        )
        mean = np.diff(places, axis=1) / np.diff(times)[:, :, None]
        speed = np.concatenate([before, mean, after], axis=1)
        return self._bent(start, stop, np.concatenate([places[:, :1], places], axis=1), lift, speed, mean)

    def _bent(self, start: Array, stop: Array, place: Array, lift: Array, speed: Array, mean: Array) -> _Flights:
        """``mean``: (chains, k - 1, 3), the mean velocities of the flights that have a contact at both ends."""
        span = stop - start
        span = np.where(np.abs(span) < NUDGE_S, np.copysign(NUDGE_S, span), span)
        between = slice(1, 1 + mean.shape[1])
        pull = np.zeros((*span.shape, len(NODES), 3))
        first = speed.copy()
        for _ in range(SWEEPS):
            now = first[:, :, None] + span[:, :, None, None] * (_TO_SPEEDS @ pull)
            fast = self.drag_per_mm * np.minimum(np.linalg.norm(now, axis=3, keepdims=True), MOST_SPEED_MM_S)
            pull = _GRAVITY + fast * (np.cross(lift[:, :, None], now) - now)
            coefficients = _TO_COEFFICIENTS @ pull
            fallen = (coefficients / ((_ORDER + 1) * (_ORDER + 2))[:, None]).sum(axis=2)
            first[:, between] = mean - (span[:, :, None] * fallen)[:, between]
        return _Flights(start_s=start, span_s=span, place_mm=place, speed_mm_s=first, pull=coefficients)

    def residuals(self, unknowns: Array, heights_mm: Array) -> Array:
        """Residuals (chains, n + 2 k, 2), in sigmas or spreads: of the sightings, then of the laws of impact."""
        times = unknowns[:, : self.contacts]
        which = (self.samples.t_s[:, None] >= times[:, None]).sum(axis=2)
        flights = self.flights(unknowns, heights_mm)
        places = flights.at(self.samples.t_s, which)
        seen = (self.samples.rows @ places[..., None])[..., 0] - self.samples.offsets
        before, after = flights.speeds()
        spread = np.maximum(np.hypot(before[..., 0], before[..., 1]), LEAST_SPEED_MM_S) * KEPT_SPREAD
        level = (after - KEPT_SHARE * before)[..., :2] / spread[..., None]
        spread = np.maximum(np.abs(before[..., 2]), LEAST_SPEED_MM_S) * RESTITUTION_SPREAD
        upright = (after + RESTITUTION * before)[..., 2:] / spread[..., None] * np.array([1.0, 0.0])
        return np.concatenate([seen, level, upright], axis=1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Fit:
    """``unknowns``: (chains, u); ``residual``: (chains, n + 2 k, 2); ``cost``: (chains,)."""

    unknowns: Array
    residual: Array
    cost: Array


def _fitted(model: _Model, unknowns: Array) -> _Fit:
    """The best unknowns near some, by Levenberg and Marquardt's method."""
    k, heights, stiffness, nudges = model.contacts, model.heights_mm, model.stiffness, model.nudges
    frame_s = float(np.median(np.diff(model.samples.t_s)))
    unknowns, count = unknowns.copy(), unknowns.shape[1]
    residual = model.residuals(unknowns, heights)
    cost = _cost(residual, unknowns, stiffness)
    damping = np.full(len(unknowns), 1e-3)
    moving = np.arange(len(unknowns))
    for _ in range(STEPS):
        here, base = unknowns[moving], residual[moving].reshape(len(moving), 1, -1)
        nudged = (here[:, None] + np.diag(nudges)).reshape(-1, count)
        there = model.residuals(nudged, heights[moving].repeat(count, axis=0)).reshape(len(moving), count, -1)
        slopes = (there - base) / nudges[:, None]
        trust = np.minimum(1.0, HUBER_SIGMAS / np.maximum(np.abs(base), 1e-9))
        normal = (slopes * trust) @ slopes.mT + np.diag(stiffness)
        moment = ((slopes * trust) @ base.mT)[:, :, 0] + stiffness * here
        # Unknowns in units of their own spread.
        scale = 1.0 / np.sqrt(np.maximum(np.diagonal(normal, axis1=1, axis2=2), 1e-12))
        scaled = normal * scale[:, :, None] * scale[:, None] + damping[moving, None, None] * np.eye(count)
        step = -scale * np.linalg.solve(scaled, (scale * moment)[:, :, None])[:, :, 0]
        tried = here + step
        tried[:, :k] = in_order(here[:, :k] + np.clip(step[:, :k], -frame_s, frame_s), frame_s)
        found = model.residuals(tried, heights[moving])
        new_cost = _cost(found, tried, stiffness)
        gain = cost[moving] - new_cost
        is_good = gain > 0
        better = moving[is_good]
        unknowns[better], residual[better], cost[better] = tried[is_good], found[is_good], new_cost[is_good]
        damping[moving] *= np.where(is_good, 0.1, 10.0)
        moving = moving[(gain >= LEAST_GAIN) | (~is_good & (damping[moving] < 1e3))]
        if not len(moving):
            break
    return _Fit(unknowns=unknowns, residual=residual, cost=cost)


def _cost(residual: Array, unknowns: Array, stiffness: Array) -> Array:
    return np.asarray(robust_costs(residual).sum(axis=1) + unknowns**2 @ stiffness)


def chains_in_air(samples: Samples, chains: Sequence[Chain], drag_per_mm: float) -> list[Chain]:
    """Chains of equally many contacts with level surfaces that were fitted as if there were no air, fitted again with
    it. Their ``cost`` contains that of the lifts and impacts which they suppose; what they say of how well they are
    known stays that of the fits without air."""
    places = np.array([chain.places_mm for chain in chains])
    model = _Model(samples=samples, heights_mm=places[:, :, 2], drag_per_mm=drag_per_mm)
    k = model.contacts
    before, after = (
        np.array(ends) for ends in zip(*((c.before_mm_s[0], c.after_mm_s[-1]) for c in chains), strict=True)
    )
    times, flat = np.array([chain.t_s for chain in chains]), places[:, :, :2].reshape(len(chains), -1)
    lift = np.zeros((len(chains), 3 * k + 3))
    start = np.concatenate([times, flat, lift, before[:, :2], after[:, :2], before[:, 2:], after[:, 2:]], axis=1)
    fit = _fitted(model, start)
    flights = model.flights(fit.unknowns, model.heights_mm)
    before, after = flights.speeds()
    costs = robust_costs(fit.residual[:, : len(samples)])
    return [
        replace(
            chain,
            t_s=fit.unknowns[c, :k],
            places_mm=flights.place_mm[c, 1:],
            before_mm_s=before[c],
            after_mm_s=after[c],
            cost=float(fit.cost[c]),
            costs=costs[c],
        )
        for c, chain in enumerate(chains)
    ]


def free_flight_in_air(samples: Samples, drag_per_mm: float) -> tuple[Array, float]:
    """Squared sigmas of sightings, (n,), against the one flight through air that suits them best; and the cost of all,
    with that of the lift that it supposes."""
    model = _Model(samples=samples, heights_mm=np.zeros((1, 0)), drag_per_mm=drag_per_mm)
    design, target = flight_design(samples, samples.t_s - samples.t_s[0])
    place_and_speed = np.linalg.lstsq(design.reshape(-1, 6), target.ravel(), rcond=None)[0]
    start = np.concatenate([place_and_speed[:3], np.zeros(3), place_and_speed[3:]])
    fit = _fitted(model, start[None])
    return robust_costs(fit.residual)[0], float(fit.cost[0])
