"""The chain of contacts that explains a stretch of track best, and what else would explain it nearly as well.

From contacts near some supposed times, contacts are moved to other surfaces, added and taken out as long as the pixels,
the outlines of the surfaces (`surfaces`) and the laws of impact (`impact`) are explained better.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise

import numpy as np

from referee.vision.air import chains_in_air, free_flight_in_air
from referee.vision.ballistics import Array, Samples
from referee.vision.chain import HOPELESS, Chain, fit_chains, rough_costs
from referee.vision.footing import Footing
from referee.vision.impact import impact_cost
from referee.vision.segments import PIECE_COST, free_flight_costs
from referee.vision.surfaces import Terrain
from referee.vision.told import Told
from referee.vision.touchable import Touchable

LEAST_SEEN_S = 0.08
"""How long the flight before the first or after the last contact must be seen for its speed to be known."""

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

AT_ONCE = 2500
"""Sightings of chains that are fitted side by side: more need memory and save little."""

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
    """Reads one stretch of track. ``touchable``: what the ball can touch there. ``drag_per_mm``: how much air brakes
    the ball; 0 where that is next to nothing."""

    samples: Samples
    touchable: Touchable
    drag_per_mm: float = 0.0

    @property
    def terrain(self) -> Terrain:
        return self.touchable.terrain

    def best(self, start: Reading) -> Found:
        """The cheapest reading that can be reached from a first one, or from none with contacts, by small changes."""
        reading = min(self._fit([NONE])[0], start, key=lambda r: r.score)
        for _ in range(MOVES):
            switched = [*self._switched(reading), *self._swapped(reading)]
            without = list(self._without(reading))
            tried = self._fit([*switched, *without, *self._added(reading)], reading)
            added = len(switched) + len(without)
            found = Found(
                reading=reading,
                switched=tried[: len(switched)],
                without=tried[len(switched) : added],
                added=tried[added:],
            )
            reading = min(found.others, key=lambda r: r.score, default=reading)
            if reading.score >= found.reading.score - 1e-6:
                break
        return found

    def start(self, times: Sequence[float]) -> Reading:
        """Contacts at all supposed times, each on the surface that suits best."""
        options = [self.touchable.at(t_s) for t_s in times]
        first: Contacts = tuple(times), tuple(choice[0] for choice in options)
        reading, *others = self._fit([first, *_changed(*first, options)])
        while (best := min(others, key=lambda other: other.score, default=reading)).score < reading.score:
            reading, others = best, list(self._fit([*_changed(best.times, best.surfaces, options)], best))
        return reading

    def _switched(self, fit: Reading) -> Iterator[Contacts]:
        """One contact on another surface, or all from one on: a ball that is on a board stays there for a while."""
        for k, surface in enumerate(fit.surfaces):
            for other in self.touchable.at(fit.times[k]):
                if other == surface:
                    continue
                yield fit.times, (*fit.surfaces[:k], other, *fit.surfaces[k + 1 :])
                rest = len(fit.surfaces) - k
                if rest > 1 and self.terrain.is_level(other):
                    yield fit.times, (*fit.surfaces[:k], *[other] * rest)

    def _swapped(self, fit: Reading) -> Iterator[Contacts]:
        """The surfaces of two contacts in a row exchanged: changed one after the other, the first change is a loss."""
        for k, (one, next_one) in enumerate(pairwise(fit.surfaces)):
            if (
                one != next_one
                and next_one in self.touchable.at(fit.times[k])
                and one in self.touchable.at(fit.times[k + 1])
            ):
                yield fit.times, (*fit.surfaces[:k], next_one, one, *fit.surfaces[k + 2 :])

    def _without(self, fit: Reading) -> Iterator[Contacts]:
        for k in range(len(fit.times)):
            yield (*fit.times[:k], *fit.times[k + 1 :]), (*fit.surfaces[:k], *fit.surfaces[k + 1 :])

    def _added(self, fit: Reading) -> Iterator[Contacts]:
        """One contact more, in arcs that fit badly."""
        t_s = self.samples.t_s
        arcs: list[list[Contacts]] = []
        for arc, ((start, stop), is_well) in enumerate(zip(self._arcs(fit), self.fit_well(fit), strict=True)):
            if is_well:
                continue
            low, high = start + (LEAST_BETWEEN if arc > 0 else 1), stop - (LEAST_BETWEEN if arc < len(fit.times) else 1)
            if high < low:
                continue
            gaps = np.unique(np.linspace(low, high, NEW_TIMES).astype(int))
            news = [float(t_s[gap - 1] + t_s[gap]) / 2 for gap in gaps]
            arcs.append(
                [
                    ((*fit.times[:arc], new, *fit.times[arc:]), (*fit.surfaces[:arc], surface, *fit.surfaces[arc:]))
                    for new in news
                    for surface in self.touchable.at(new)
                ]
            )
        # Only the likeliest are fitted as a whole: times right to a dozenth of an arc tell which these are.
        every = [some for tried in arcs for some in tried]
        costs = iter([cost for part in self._parts(every) for cost in rough_costs(self._told, *self._set_out(part))])
        for tried in arcs:
            order = np.argsort([next(costs) for _ in tried], kind="stable")
            yield from (tried[k] for k in order[:FITTED])

    def _arcs(self, fit: Reading) -> Iterator[tuple[int, int]]:
        """First sighting, and that after the last one, of each flight."""
        return pairwise([0, *np.searchsorted(self.samples.t_s, fit.times).tolist(), len(self.samples)])

    def fit_well(self, fit: Reading) -> list[bool]:
        """Whether the sightings of each flight fit it so well that there is no contact more in it."""
        return [
            bool(fit.costs[start:stop].sum() < 2 * (stop - start) + PIECE_COST / 2) for start, stop in self._arcs(fit)
        ]

    @cached_property
    def _told(self) -> Told:
        return Told.by(self.samples)

    def _parts(self, tried: Sequence[Contacts]) -> Iterator[Sequence[Contacts]]:
        """As many contacts as are fitted side by side."""
        at_once = max(1, AT_ONCE // len(self.samples))
        return (tried[first : first + at_once] for first in range(0, len(tried), at_once))

    def _set_out(self, tried: Sequence[Contacts]) -> tuple[list[tuple[float, ...]], list[list[Footing]]]:
        """Their times and footings."""
        footings = [[self.terrain.footing(surface) for surface in surfaces] for _, surfaces in tried]
        return [times for times, _ in tried], footings

    def _chains(self, tried: Sequence[Contacts], like: Reading | None) -> Iterator[Chain]:
        best = like.score if like is not None else math.inf
        residual = like.chain.residual if like is not None and like.chain is not None else None
        for part in self._parts(tried):
            fitted = fit_chains(self._told, *self._set_out(part), best=best, residual=residual)
            if not self.drag_per_mm:
                yield from fitted
                continue
            for _, alike in groupby(fitted, key=lambda chain: len(chain.t_s)):
                yield from chains_in_air(self.samples, list(alike), self.drag_per_mm)

    def _fit(self, tried: Sequence[Contacts], best: Reading | None = None) -> tuple[Reading, ...]:
        """The readings with contacts near these, in the same order; those that are far worse than the best so far only
        roughly."""
        chains = self._chains([some for some in tried if some != NONE], best)
        most = best.score + HOPELESS if best is not None else math.inf
        return tuple(self._free if some == NONE else self._reading(*some, next(chains), most) for some in tried)

    @cached_property
    def _free(self) -> Reading:
        if self.drag_per_mm:
            costs, score = free_flight_in_air(self.samples, self.drag_per_mm)
        else:
            costs = free_flight_costs(self.samples)
            score = float(costs.sum())
        return Reading(times=(), surfaces=(), chain=None, costs=costs, score=score)

    def _reading(self, times: tuple[float, ...], surfaces: tuple[int, ...], chain: Chain, most: float) -> Reading:
        fitted = tuple(chain.t_s.tolist())
        counts = self.samples.t_s.searchsorted(chain.t_s).tolist()
        is_brief = any(
            stop - start < LEAST_BETWEEN or later - earlier < LEAST_HOP_S
            for (start, stop), (earlier, later) in zip(pairwise(counts), pairwise(fitted), strict=True)
        )
        # Nothing brings a ball back to an upright face that it has just left.
        if is_brief or any(one == other and self.terrain.is_upright(one) for one, other in pairwise(surfaces)):
            return Reading(times=times, surfaces=surfaces, chain=chain, costs=chain.costs, score=np.inf)
        score = chain.cost + PIECE_COST * len(times)
        if score < most:
            score += self._faults(chain, surfaces)
        return Reading(times=fitted, surfaces=surfaces, chain=chain, costs=chain.costs, score=score)

    def _faults(self, chain: Chain, surfaces: Sequence[int]) -> float:
        """What it costs, in squared sigmas, that contacts lie where their surface isn't or break the laws of impact."""
        places_mm = chain.places_mm.tolist()
        wrong_mm = [self.terrain.trespass_mm(*contact) for contact in zip(surfaces, places_mm, strict=True)]
        misplaced = sum((wrong / PLACE_SIGMA_MM) ** 2 for wrong in wrong_mm)
        if self.drag_per_mm:
            # Chains in air were fitted to the laws of impact.
            return misplaced
        t_s = self.samples.t_s
        return misplaced + impact_cost(
            chain,
            [self.terrain.push_at(*contact) for contact in zip(surfaces, places_mm, strict=True)],
            knows_first=bool(chain.t_s[0] - chain.fits_from_s > LEAST_SEEN_S),
            knows_last=bool(t_s[-1] - chain.t_s[-1] > LEAST_SEEN_S),
        )


def _changed(
    times: tuple[float, ...], surfaces: tuple[int, ...], options: Sequence[Sequence[int]]
) -> Iterator[Contacts]:
    """One contact on another of the surfaces that it may be on."""
    for k, choice in enumerate(options):
        for other in choice:
            if other != surfaces[k]:
                yield times, (*surfaces[:k], other, *surfaces[k + 1 :])
