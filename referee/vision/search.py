"""The chain of contacts that explains a stretch of track best, and what else would explain it nearly as well.

From contacts near some supposed times, contacts are moved to other surfaces, added and taken out as long as the pixels,
the outlines of the surfaces (`surfaces`) and the laws of impact (`impact`) are explained better.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from calibration.camera_model import CameraModel
from referee.vision.air import chains_in_air, free_flight_in_air
from referee.vision.ballistics import Array, Samples
from referee.vision.chain import STEPS, Chain, fit_chains
from referee.vision.impact import impact_cost
from referee.vision.segments import PIECE_COST, free_flight_costs
from referee.vision.surfaces import Terrain

LEAST_SEEN_S = 0.08
"""How long the flight before the first or after the last contact must be seen for its speed to be known."""

REACH_MM = 30.0
"""How far from where it is possible a supposed contact may be, before its time and place are fitted, besides how far
the ball moves from one sighting to the next."""

NEAR_MM = 12.0
"""The same for obstacles: less, for there is one wherever a ball passes before or behind a board."""

PLACE_SIGMA_MM = 3.0
"""How well a contact's place is known against the outline of its surface."""

FITTED = 4
"""Of these, how many are fitted."""

MOVES = 40
"""Changes tried on one chain at the most."""

LEAST_BETWEEN = 2
"""Fewest sightings between two contacts: with both heights known two are enough to tell the hop."""

LEAST_HOP_S = 0.02
"""Shortest time between two contacts: a hop of half a millimetre."""

NEW_TIMES = 12
"""Times tried for a contact that may be missing between two others."""

RAY_MM = 100.0
"""Height of the second point by which the ray through a pixel is told."""

HOPELESS = 300.0
"""Squared sigmas by which a reading may be dearer than the best so far to be looked into: far beyond any doubt."""

AT_ONCE = 12
"""Chains fitted side by side: more need memory and save little."""

Contacts = tuple[tuple[float, ...], tuple[int, ...]]
"""Supposed contacts: their times, in order, and the surface of each."""

NONE: Contacts = ((), ())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """The best ``reading`` of a stretch, and what else was tried: contacts on other surfaces (``switched``), each
    contact left out in turn (``without``), and one more (``added``)."""

    reading: Reading
    switched: tuple[Reading, ...]
    without: tuple[Reading, ...]
    added: tuple[Reading, ...]

    @property
    def others(self) -> tuple[Reading, ...]:
        return (*self.switched, *self.without, *self.added)

    @property
    def margins(self) -> tuple[float, ...]:
        """For each contact, by how many squared sigmas the best reading without it, or with another surface, is
        dearer."""
        return tuple(
            min(without.score, *(other.score for other in self.switched if other.surfaces[k] != surface), math.inf)
            - self.reading.score
            for k, (surface, without) in enumerate(zip(self.reading.surfaces, self.without, strict=True))
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Search:
    """Reads one stretch of track. ``drag_per_mm``: how much air brakes the ball; 0 where that is next to nothing."""

    samples: Samples
    terrain: Terrain
    camera: CameraModel
    drag_per_mm: float = 0.0

    def best(self, start: Reading) -> Found:
        """The cheapest reading that can be reached from a first one, or from none with contacts, by small changes."""
        reading = min(self._fit([NONE])[0], start, key=lambda r: r.score)
        for _ in range(MOVES):
            found = Found(
                reading=reading,
                switched=self._fit([*self._switched(reading), *self._swapped(reading)], reading.score),
                without=self._fit(list(self._without(reading)), reading.score),
                added=self._fit(list(self._added(reading)), reading.score),
            )
            reading = min(found.others, key=lambda r: r.score, default=reading)
            if reading.score >= found.reading.score - 1e-6:
                break
        return found

    def start(self, times: Sequence[float]) -> Reading:
        """Contacts at all supposed times, each on the surface that suits best, from the first to the last."""
        if not times:
            return self._fit([NONE])[0]
        options = [self._options(t_s) for t_s in times]
        surfaces = tuple(choice[0] for choice in options)
        fit = self._fit([(tuple(times), surfaces)])[0]
        for k, choice in enumerate(options):
            tried = [(fit.times, (*fit.surfaces[:k], s, *fit.surfaces[k + 1 :])) for s in choice[1:]]
            fit = min([fit, *self._fit(tried, fit.score)], key=lambda f: f.score)
        return fit

    def _switched(self, fit: Reading) -> Iterator[Contacts]:
        """One contact on another surface, or all from one on: a ball that is on a board stays there for a while."""
        for k, surface in enumerate(fit.surfaces):
            for other in self._options(fit.times[k]):
                if other == surface:
                    continue
                yield fit.times, (*fit.surfaces[:k], other, *fit.surfaces[k + 1 :])
                rest = len(fit.surfaces) - k
                if rest > 1 and self.terrain.is_level(other):
                    yield fit.times, (*fit.surfaces[:k], *[other] * rest)

    def _swapped(self, fit: Reading) -> Iterator[Contacts]:
        """The surfaces of two contacts in a row exchanged: changed one after the other, the first change is a loss."""
        for k, (one, next_one) in enumerate(pairwise(fit.surfaces)):
            if one != next_one and next_one in self._options(fit.times[k]) and one in self._options(fit.times[k + 1]):
                yield fit.times, (*fit.surfaces[:k], next_one, one, *fit.surfaces[k + 2 :])

    def _without(self, fit: Reading) -> Iterator[Contacts]:
        for k in range(len(fit.times)):
            yield (*fit.times[:k], *fit.times[k + 1 :]), (*fit.surfaces[:k], *fit.surfaces[k + 1 :])

    def _added(self, fit: Reading) -> Iterator[Contacts]:
        """One contact more, in arcs that fit badly."""
        t_s = self.samples.t_s
        bounds = [0, *np.searchsorted(t_s, fit.times), len(t_s)]
        for arc, (start, stop) in enumerate(pairwise(bounds)):
            count = int(stop - start)
            if fit.costs[start:stop].sum() < 2 * count + PIECE_COST / 2:
                continue
            low, high = start + (LEAST_BETWEEN if arc > 0 else 1), stop - (LEAST_BETWEEN if arc < len(fit.times) else 1)
            if high < low:
                continue
            gaps = np.unique(np.linspace(low, high, NEW_TIMES).astype(int))
            news = [float(t_s[gap - 1] + t_s[gap]) / 2 for gap in gaps]
            tried = [
                ((*fit.times[:arc], new, *fit.times[arc:]), (*fit.surfaces[:arc], surface, *fit.surfaces[arc:]))
                for new in news
                for surface in self._options(new)
            ]
            # Only the likeliest are fitted as a whole: times right to a dozenth of an arc tell which these are.
            costs = [chain.cost for chain in self._chains(tried, steps=0)]
            yield from (tried[k] for k in np.argsort(costs, kind="stable")[:FITTED])

    def _options(self, t_s: float) -> tuple[int, ...]:
        """The surfaces that a ball seen at a time can be touching, likeliest first."""
        k = int(np.clip(np.searchsorted(self.samples.t_s, t_s), 1, len(self.samples) - 1))
        if k not in self._known_options:
            self._known_options[k] = self._options_before(k)
        return self._known_options[k]

    @cached_property
    def _known_options(self) -> dict[int, tuple[int, ...]]:
        return {}

    def _options_before(self, k: int) -> tuple[int, ...]:
        """The same between a sighting and the one before it."""
        px = (self.samples.px[k - 1] + self.samples.px[k]) / 2
        above, below = self.camera.to_mm(np.tile(px, (2, 1)), np.array([RAY_MM, 0.0]))
        places = self.terrain.touched_by(above, below - above)
        depths_mm = self.camera.depth_mm(np.array(places))
        # Between two sightings a ball falls and rises unseen.
        around = self.camera.to_mm(self.samples.px[max(k - 2, 0) : k + 2], self.terrain.highest_z_mm)
        ways_mm = np.diff(around[:, :2], axis=0)
        unseen_mm = float(np.hypot(ways_mm[:, 0], ways_mm[:, 1]).max())
        wrong = [
            self.terrain.trespass_mm(index, place) if depth_mm > 0 else math.inf
            for index, (place, depth_mm) in enumerate(zip(places, depths_mm, strict=True))
        ]
        order = sorted(range(len(wrong)), key=wrong.__getitem__)
        reach = [REACH_MM + unseen_mm if self.terrain.is_level(k) else NEAR_MM for k in range(len(wrong))]
        return tuple(index for index in order if wrong[index] <= reach[index]) or (order[0],)

    def _chains(self, tried: Sequence[Contacts], *, steps: int = STEPS, hopeless: float = math.inf) -> list[Chain]:
        chains: list[Chain] = []
        for first in range(0, len(tried), AT_ONCE):
            some = tried[first : first + AT_ONCE]
            footings = [[self.terrain.footing(s) for s in surfaces] for _, surfaces in some]
            fitted = fit_chains(self.samples, [times for times, _ in some], footings, steps=steps, hopeless=hopeless)
            is_rough = not self.drag_per_mm or not steps
            chains += fitted if is_rough else chains_in_air(self.samples, fitted, self.drag_per_mm)
        return chains

    def _fit(self, tried: Sequence[Contacts], best_score: float = math.inf) -> tuple[Reading, ...]:
        """The readings with contacts near these, as many in each, in the same order; those that are far worse than the
        best so far only roughly."""
        if not tried:
            return ()
        if not tried[0][0]:
            return (self._free,) * len(tried)
        return tuple(
            self._reading(*contacts, chain)
            for contacts, chain in zip(tried, self._chains(tried, hopeless=best_score + HOPELESS), strict=True)
        )

    @cached_property
    def _free(self) -> Reading:
        if self.drag_per_mm:
            costs, score = free_flight_in_air(self.samples, self.drag_per_mm)
        else:
            costs = free_flight_costs(self.samples)
            score = float(costs.sum())
        return Reading(times=(), surfaces=(), chain=None, costs=costs, score=score)

    def _reading(self, times: tuple[float, ...], surfaces: tuple[int, ...], chain: Chain) -> Reading:
        held = np.diff(np.searchsorted(self.samples.t_s, chain.t_s))
        if (held < LEAST_BETWEEN).any() or (np.diff(chain.t_s) < LEAST_HOP_S).any():
            return Reading(times=times, surfaces=surfaces, chain=chain, costs=chain.costs, score=np.inf)
        score = chain.cost + PIECE_COST * len(times) + self._faults(chain, surfaces)
        return Reading(
            times=tuple(float(t) for t in chain.t_s), surfaces=surfaces, chain=chain, costs=chain.costs, score=score
        )

    def _faults(self, chain: Chain, surfaces: Sequence[int]) -> float:
        """What it costs, in squared sigmas, that contacts lie where their surface isn't or break the laws of impact."""
        wrong_mm = [
            self.terrain.trespass_mm(surface, place) for surface, place in zip(surfaces, chain.places_mm, strict=True)
        ]
        misplaced = sum((wrong / PLACE_SIGMA_MM) ** 2 for wrong in wrong_mm)
        if self.drag_per_mm:
            # Chains in air were fitted to the laws of impact.
            return misplaced
        t_s = self.samples.t_s
        return misplaced + impact_cost(
            chain,
            [self.terrain.push_at(*contact) for contact in zip(surfaces, chain.places_mm, strict=True)],
            knows_first=bool(chain.t_s[0] - chain.fits_from_s > LEAST_SEEN_S),
            knows_last=bool(t_s[-1] - chain.t_s[-1] > LEAST_SEEN_S),
        )
