"""Where a ball's track met any of some surfaces: `segments` proposes contacts, `chain` fits them, and contacts are
added, moved to other surfaces and taken out as long as that explains the pixels better.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from referee.vision.ballistics import GRAVITY_MM_S2, Array, make_samples
from referee.vision.search import Found, Search
from referee.vision.segments import Motion, Piece, cut
from referee.vision.surfaces import Terrain
from referee.vision.touchable import Touchable
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

ROLLING_BRAKED = 0.05
"""A ball that air brakes by more of gravity is too fast to roll, however straight its pixels are."""

FIRST_GUESS = 0.75
"""The first reading takes the track for so much less noisy than it looks: a contact too many is seen to be wrong in
the second, one too few is not."""

FIRST_GUESS_IN_AIR = 0.5
"""The same where air bends flights: that can hide a contact better."""

ROUNDS = 2
"""Readings of a track: the noise that the first finds makes the second better."""

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


def find_knocks(
    camera: CameraModel,
    terrain: Terrain,
    t_s: Array,
    px: Array,
    radius_px: Array | None = None,
    *,
    drag_per_mm: float = 0.0,
) -> tuple[Knock, ...]:
    """The contacts of a ball seen at pixels ``px``, (n, 2), at ascending times ``t_s``, (n,).

    ``radius_px``: (n,), its radius in the picture; NaN where unknown. ``drag_per_mm``: how much air brakes the ball, as
    `air.drag_per_mm` tells; 0 for one that is so heavy or slow that it falls freely.
    """
    kept = _thinned(t_s)
    t_s, px, radius_px = t_s[kept], px[kept], None if radius_px is None else radius_px[kept]
    ends = [0, *(np.flatnonzero(np.diff(t_s) > MAX_GAP_S) + 1), len(t_s)]
    found: list[Knock] = []
    for start, stop in pairwise(ends):
        part = slice(int(start), int(stop))
        seen = None if radius_px is None else radius_px[part]
        found += _read(camera, terrain, t_s[part], px[part], seen, drag_per_mm)
    return tuple(found)


def _thinned(t_s: Array) -> NDArray[np.intp]:
    """Which sightings are kept, so that they are at least ``LEAST_STEP_S`` apart."""
    kept: list[int] = []
    for i, t in enumerate(t_s.tolist()):
        if not kept or t - t_s[kept[-1]] >= LEAST_STEP_S - 1e-6:
            kept.append(i)
    return np.array(kept, dtype=np.intp)


def _read(
    camera: CameraModel, terrain: Terrain, t_s: Array, px: Array, radius_px: Array | None, drag_per_mm: float
) -> list[Knock]:
    depth_mm = _depths(camera, terrain, px, radius_px)
    sigma_px = (FIRST_GUESS_IN_AIR if drag_per_mm else FIRST_GUESS) * noise_px(t_s, px)
    is_fast = drag_per_mm * _speed_mm_s(camera, terrain, t_s, px) ** 2 > ROLLING_BRAKED * GRAVITY_MM_S2
    found: list[Knock] = []
    for _ in range(ROUNDS):
        samples = make_samples(camera, t_s, px, depth_mm, np.full(len(t_s), sigma_px))
        heights = [terrain.centre_z_mm(index) for index in range(len(terrain.surfaces))]
        pieces = cut(samples, rest_z_mm=heights, min_samples=MIN_SAMPLES, stray_cost=STRAY_COST)
        pieces = tuple(replace(p, motion=Motion.FLYING) if is_fast[p.start : p.stop].any() else p for p in pieces)
        last, found, spread = found, [], []
        for start, breaks, stop in _stretches(pieces):
            part = samples.part(start, stop)
            touchable = Touchable(samples=part, terrain=terrain, camera=camera)
            search = Search(samples=part, touchable=touchable, drag_per_mm=drag_per_mm)
            guesses = [[(float(part.t_s[b - start - 1]) + float(part.t_s[b - start])) / 2 for b in breaks]]
            if drag_per_mm:
                # Pieces are cut as if there were no air: the last reading may be nearer.
                guesses.append([knock.t_s for knock in last if part.t_s[0] < knock.t_s < part.t_s[-1]])
            best = search.best(min((search.start(times) for times in guesses), key=lambda reading: reading.score))
            found += _knocks(best)
            spread.append(best.reading.costs * best.reading.freedom)
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


def _speed_mm_s(camera: CameraModel, terrain: Terrain, t_s: Array, px: Array) -> Array:
    """How fast the ball is, (n,), as if it slid over the highest surface."""
    if len(t_s) < 2:
        return np.zeros(len(t_s))
    place = camera.to_mm(px, max(surface.z_mm for surface in terrain.surfaces))[:, :2]
    return np.asarray(np.linalg.norm(np.gradient(place, t_s, axis=0), axis=1), dtype=np.float64)


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


def _knocks(best: Found) -> list[Knock]:
    """The contacts of the best reading of a stretch."""
    chain = best.reading.chain
    if chain is None:
        return []
    return [
        Knock(t_s=float(t_s), surface=surface, x_mm=float(x_mm), y_mm=float(y_mm), margin=margin)
        for t_s, surface, (x_mm, y_mm, _), margin in zip(
            chain.t_s, best.reading.surfaces, chain.places_mm, best.margins, strict=True
        )
    ]
