"""Where a ball's track met any of some surfaces: `segments` proposes contacts, `chain` fits them, and contacts are
added, moved to other surfaces and taken out as long as that explains the pixels better.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from referee.vision.ballistics import Array, Samples, make_samples
from referee.vision.chain import Chain, fit_chain
from referee.vision.impact import impact_cost
from referee.vision.segments import PIECE_COST, Motion, Piece, cut, free_flight_costs
from referee.vision.surfaces import Terrain
from referee.vision.track_noise import LEAST_PX, noise_px

MIN_SAMPLES = 2
"""Fewest sightings between two contacts: with both heights known two are enough to tell the hop."""

STRAY_COST = 25.0
"""What leaving out a sighting costs, in squared sigmas: five of them off, it is no ball."""

MAX_GAP_S = 0.5
"""A longer gap ends a track: a ball does anything in that time."""

MAX_CONTACTS = 12
"""Contacts that are fitted together: those further off tell nothing more of each other."""

LEAST_STEP_S = 1 / 250
"""Sightings closer in time are thinned out: they cost time and tell little more."""

TAIL_SAMPLES = 6
"""Sightings of rolling that pin the contact before them."""

LEAST_SEEN_S = 0.08
"""How long the flight before the first or after the last contact must be seen for its speed to be known."""

REACH_MM = 30.0
"""How far from where it is possible a supposed contact may be, before its time and place are fitted."""

PLACE_SIGMA_MM = 3.0
"""How well a contact's place is known against the outline of its surface."""

FIRST_GUESS = 0.75
"""The first reading takes the track for so much less noisy than it looks: a contact too many is seen to be wrong in
the second, one too few is not."""

ROUNDS = 2
"""Readings of a track: the noise that the first finds makes the second better."""

MOVES = 40
"""Changes tried on one chain at the most."""

NEW_TIMES = 12
"""Times tried for a contact that may be missing between two others."""

DOUBT = 25.0
"""Squared sigmas by which the second best reading must be dearer for a contact to be as good as sure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Knock:
    """``surface``: index into the terrain's. ``x_mm``, ``y_mm``: of the ball's centre. ``margin``: squared sigmas by
    which the best reading without this contact, or with another surface, is dearer."""

    t_s: float
    surface: int
    x_mm: float
    y_mm: float
    margin: float

    @property
    def confidence(self) -> float:
        """Near 1 where the pixels leave no other explanation."""
        return 1.0 - 0.5 * float(np.exp(-max(0.0, self.margin) / DOUBT))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Fit:
    """A reading of a stretch of track: contacts near ``times`` on ``surfaces``; ``chain`` is None without contacts."""

    times: tuple[float, ...]
    surfaces: tuple[int, ...]
    chain: Chain | None
    costs: Array
    score: float

    @property
    def freedom(self) -> float:
        """What residuals are to be multiplied with, squared, since the unknowns took their share of the noise."""
        known = 2 * len(self.costs)
        return known / max(1, known - 6 - 3 * len(self.times))


def find_knocks(
    camera: CameraModel, terrain: Terrain, t_s: Array, px: Array, radius_px: Array | None = None
) -> tuple[Knock, ...]:
    """The contacts of a ball seen at pixels ``px``, (n, 2), at ascending times ``t_s``, (n,).

    ``radius_px``: (n,), its radius in the picture; NaN where unknown.
    """
    kept = _thinned(t_s)
    t_s, px, radius_px = t_s[kept], px[kept], None if radius_px is None else radius_px[kept]
    ends = [0, *(np.flatnonzero(np.diff(t_s) > MAX_GAP_S) + 1), len(t_s)]
    found: list[Knock] = []
    for start, stop in pairwise(ends):
        part = slice(int(start), int(stop))
        seen = None if radius_px is None else radius_px[part]
        found += _read(camera, terrain, t_s[part], px[part], seen)
    return tuple(found)


def _thinned(t_s: Array) -> NDArray[np.intp]:
    """Which sightings are kept, so that they are at least ``LEAST_STEP_S`` apart."""
    kept: list[int] = []
    for i, t in enumerate(t_s.tolist()):
        if not kept or t - t_s[kept[-1]] >= LEAST_STEP_S - 1e-6:
            kept.append(i)
    return np.array(kept, dtype=np.intp)


def _read(camera: CameraModel, terrain: Terrain, t_s: Array, px: Array, radius_px: Array | None) -> list[Knock]:
    depth_mm = _depths(camera, terrain, px, radius_px)
    sigma_px = FIRST_GUESS * noise_px(t_s, px)
    found: list[Knock] = []
    for _ in range(ROUNDS):
        samples = make_samples(camera, t_s, px, depth_mm, np.full(len(t_s), sigma_px))
        heights = [terrain.centre_z_mm(index) for index in range(len(terrain.surfaces))]
        pieces = cut(samples, rest_z_mm=heights, min_samples=MIN_SAMPLES, stray_cost=STRAY_COST)
        found, spread = [], []
        for start, breaks, stop in _stretches(pieces):
            part = samples.part(start, stop)
            reader = _Reader(samples=part, terrain=terrain, camera=camera)
            fit = reader.best([(float(part.t_s[b - start - 1]) + float(part.t_s[b - start])) / 2 for b in breaks])
            found += reader.knocks(fit)
            spread.append(fit.costs * fit.freedom)
        if not spread:
            break
        # Two residuals a sighting, and the median of their squares' sum is 1.39 for a sigma of one.
        ratio = float(np.sqrt(np.median(np.concatenate(spread)) / 1.39))
        sigma_px = max(LEAST_PX, sigma_px * ratio)
    return found


def _depths(camera: CameraModel, terrain: Terrain, px: Array, radius_px: Array | None) -> Array:
    """Rough distances along the optical axis: from the apparent size where it is known, else as if the ball were low
    over the highest surface."""
    z_mm = max(surface.z_mm for surface in terrain.surfaces) + 2 * terrain.radius_mm
    depth = camera.depth_mm(camera.to_mm(px, z_mm))
    usual = float(np.median(depth[depth > 0])) if (depth > 0).any() else 1000.0
    depth = np.where((depth > usual / 3) & (depth < usual * 3), depth, usual)
    if radius_px is not None:
        known = np.isfinite(radius_px) & (radius_px > 0)
        depth[known] = camera.focal_px * terrain.radius_mm / radius_px[known]
    return np.asarray(depth, dtype=np.float64)


def _stretches(pieces: Sequence[Piece]) -> Iterator[tuple[int, list[int], int]]:
    """Flights in a row, with the beginning of the rolling after them: first sample, breaks, and behind the last.

    Very long rows come in parts that have a flight in common, each contact in one of them.
    """
    k = 0
    while k < len(pieces):
        if pieces[k].motion is not Motion.FLYING:
            k += 1
            continue
        first = k
        while k + 1 < len(pieces) and pieces[k + 1].motion is Motion.FLYING:
            k += 1
        starts, stop = [p.start for p in pieces[first : k + 1]], pieces[k].stop
        if k + 1 < len(pieces):
            starts.append(pieces[k + 1].start)
            stop = min(pieces[k + 1].stop, pieces[k + 1].start + TAIL_SAMPLES)
        for begin in range(0, max(1, len(starts) - 1), MAX_CONTACTS):
            part = starts[begin : begin + MAX_CONTACTS + 2]
            yield part[0], part[1 : MAX_CONTACTS + 1], part[-1] if len(part) > MAX_CONTACTS + 1 else stop
        k += 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Reader:
    """Reads one stretch of track."""

    samples: Samples
    terrain: Terrain
    camera: CameraModel

    def best(self, times: Sequence[float]) -> _Fit:
        """The cheapest reading that can be reached from contacts near some times by small changes."""
        fit = self._fit((), ())
        if times:
            fit = min(fit, self._start(times), key=lambda f: f.score)
        for _ in range(MOVES):
            better = min(
                [*self._switched(fit), *self._without(fit), *self._added(fit)], key=lambda f: f.score, default=fit
            )
            if better.score >= fit.score - 1e-6:
                break
            fit = better
        return fit

    def knocks(self, fit: _Fit) -> list[Knock]:
        """The contacts of a reading, each with its margin over the best reading that does without it."""
        if fit.chain is None:
            return []
        switched, without = list(self._switched(fit)), list(self._without(fit))
        return [
            Knock(
                t_s=float(fit.chain.t_s[k]),
                surface=surface,
                x_mm=float(fit.chain.places_mm[k, 0]),
                y_mm=float(fit.chain.places_mm[k, 1]),
                margin=min(
                    without[k].score - fit.score,
                    *(other.score - fit.score for other in switched if other.surfaces[k] != surface),
                )
                if len(self.terrain.surfaces) > 1
                else without[k].score - fit.score,
            )
            for k, surface in enumerate(fit.surfaces)
        ]

    def _start(self, times: Sequence[float]) -> _Fit:
        """Contacts at all supposed times, each on the surface that suits best, from the first to the last."""
        options = [self._options(t_s) for t_s in times]
        surfaces = tuple(choice[0] for choice in options)
        fit = self._fit(tuple(times), surfaces)
        for k, choice in enumerate(options):
            tried = [self._fit(fit.times, (*fit.surfaces[:k], s, *fit.surfaces[k + 1 :])) for s in choice[1:]]
            fit = min([fit, *tried], key=lambda f: f.score)
        return fit

    def _switched(self, fit: _Fit) -> Iterator[_Fit]:
        """One contact on another surface, or all from one on: a ball that is on a board stays there for a while."""
        for k, surface in enumerate(fit.surfaces):
            for other in range(len(self.terrain.surfaces)):
                if other == surface:
                    continue
                yield self._fit(fit.times, (*fit.surfaces[:k], other, *fit.surfaces[k + 1 :]))
                rest = len(fit.surfaces) - k
                if rest > 1:
                    yield self._fit(fit.times, (*fit.surfaces[:k], *[other] * rest))

    def _without(self, fit: _Fit) -> Iterator[_Fit]:
        for k in range(len(fit.times)):
            yield self._fit((*fit.times[:k], *fit.times[k + 1 :]), (*fit.surfaces[:k], *fit.surfaces[k + 1 :]))

    def _added(self, fit: _Fit) -> Iterator[_Fit]:
        """One contact more, in arcs that fit badly."""
        t_s = self.samples.t_s
        bounds = [0, *np.searchsorted(t_s, fit.times), len(t_s)]
        for arc, (start, stop) in enumerate(pairwise(bounds)):
            count = int(stop - start)
            if count < 2 or fit.costs[start:stop].sum() < 2 * count + PIECE_COST / 2:
                continue
            gaps = np.unique(np.linspace(start + 1, stop - 1, NEW_TIMES).astype(int))
            for gap in gaps:
                new = float(t_s[gap - 1] + t_s[gap]) / 2
                for surface in self._options(new):
                    yield self._fit(
                        (*fit.times[:arc], new, *fit.times[arc:]), (*fit.surfaces[:arc], surface, *fit.surfaces[arc:])
                    )

    def _options(self, t_s: float) -> tuple[int, ...]:
        """The surfaces that a ball seen at a time can be touching, likeliest first."""
        k = int(np.clip(np.searchsorted(self.samples.t_s, t_s), 1, len(self.samples) - 1))
        px = (self.samples.px[k - 1] + self.samples.px[k])[None, :] / 2
        wrong = []
        for index in range(len(self.terrain.surfaces)):
            place = self.camera.to_mm(px, self.terrain.centre_z_mm(index))
            is_ahead = float(self.camera.depth_mm(place)[0]) > 0
            wrong.append(self.terrain.trespass_mm(index, *place[0, :2]) if is_ahead else np.inf)
        order = np.argsort(wrong, kind="stable")
        return tuple(int(i) for i in order if wrong[i] <= REACH_MM) or (int(order[0]),)

    def _fit(self, times: tuple[float, ...], surfaces: tuple[int, ...]) -> _Fit:
        if not times:
            costs = free_flight_costs(self.samples)
            return _Fit(times=(), surfaces=(), chain=None, costs=costs, score=float(costs.sum()))
        chain = fit_chain(self.samples, times, [self.terrain.centre_z_mm(s) for s in surfaces])
        score = chain.cost + PIECE_COST * len(times) + self._faults(chain, surfaces)
        return _Fit(
            times=tuple(float(t) for t in chain.t_s), surfaces=surfaces, chain=chain, costs=chain.costs, score=score
        )

    def _faults(self, chain: Chain, surfaces: Sequence[int]) -> float:
        """What it costs, in squared sigmas, that contacts lie where their surface isn't or break the laws of impact."""
        wrong_mm = [
            self.terrain.trespass_mm(surface, float(x_mm), float(y_mm))
            for surface, (x_mm, y_mm, _) in zip(surfaces, chain.places_mm, strict=True)
        ]
        t_s = self.samples.t_s
        return sum((wrong / PLACE_SIGMA_MM) ** 2 for wrong in wrong_mm) + impact_cost(
            chain,
            knows_first=bool(chain.t_s[0] - t_s[0] > LEAST_SEEN_S),
            knows_last=bool(t_s[-1] - chain.t_s[-1] > LEAST_SEEN_S),
        )
