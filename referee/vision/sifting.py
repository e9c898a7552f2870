"""The contacts of one throw within a stretch of track: the hand before and what can't be told after are left out."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from referee.vision.ballistics import GRAVITY_MM_S2, Samples
from referee.vision.beginnings import since_table_s
from referee.vision.chain import Chain
from referee.vision.contacts import Contact, CouldHide, Holds
from referee.vision.ground import TABLE, Ground
from referee.vision.middles import step_s
from referee.vision.search import Found, Reading, Search
from referee.vision.stretches import LEAST_FLIGHT, LEAST_WITNESSES, TAIL_SAMPLES
from referee.vision.surfaces import Terrain
from referee.vision.touchable import Touchable

MIN_KICK_MM_S = 150.0
"""Least change of vertical speed at a contact: a ball that falls from 1 mm gets that."""

MAX_RESTITUTION = 1.1
"""No ball bounces higher than it fell; the tenth is for measuring."""

MAX_SPEED_MM_S = 6000.0
"""Faster than anybody throws at a table from an arm's length."""

MAX_COST_PER_SAMPLE = 8.0
"""A chain worse than this, in squared sigmas for each sighting, is no ball in flight."""

BOARD_KNOCKS = 2
"""Knocks on the board that are looked into: the first decides, the second pins the flight between. What the ball does
after them decides nothing, and rims and other balls make it hard to explain."""

WITNESSES = 5
"""Sightings on either side of a throw's first contact that must show the ball, not a hand with a ball."""

HELD_S = 0.1
"""How long after a contact a hand isn't at the ball any more: it doesn't bounce with it."""

FREE_S = 0.2
"""No hand moves along a parabola for as long."""

BRIEFLY = 1.5
"""Time after a contact, in pictures, within which the ball is seen if the contact was."""

MOSTLY = 0.8
"""Share of the pictures of some time that show a ball whole if it was in plain view."""

MAX_LEAD = 2
"""Sightings before the flight that are let be."""

MAX_CONTACTS = 10
"""Contacts that are looked into: hops that can be resolved have an end well before."""

ROUNDS = 2 * MAX_CONTACTS
"""How often a stretch is cut and searched anew at the most: a search that finds the contact again that was just taken
away would go on for ever."""


def nobody_holds(_t_s: float, _x_px: float, _y_px: float, _ball_px: float) -> bool:
    """For tracks that no hand was near."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """What a ball can meet, and what can hide or hold it."""

    ground: Ground
    terrain: Terrain
    could_hide: CouldHide
    holds: Holds

    def is_early(self, samples: Samples, reading: Reading) -> bool:
        """Whether the first contact of a reading is a hand's work, or may be."""
        if is_early(samples, reading):
            return _is_supposed(samples, reading) or self._was_held(samples, reading)
        return self._is_held(samples, reading)

    def last_unlawful(self, chain: Chain, surfaces: Sequence[int]) -> int | None:
        """The last contact, up to the first on the board, that only a hand can make: on a level surface the ball rose
        before, or rises faster than it fell. Before the first contact and after the last not enough is known of
        speeds."""
        first_on_board = next((k for k, surface in enumerate(surfaces) if surface != TABLE), len(surfaces) - 1)
        for k in range(first_on_board, 0, -1):
            falls, rises = -float(chain.before_mm_s[k, 2]), float(chain.after_mm_s[k, 2])
            is_wild = k < len(surfaces) - 1 and rises > MAX_RESTITUTION * falls + MIN_KICK_MM_S
            if self.terrain.is_level(surfaces[k]) and (falls < 0 or is_wild):
                return k
        return None

    def falls_on(self, reading: Reading) -> bool:
        """Whether a first contact with a level surface threw a ball down, or, where others come after it, let it fall
        on."""
        if reading.chain is None or not self.terrain.is_level(reading.surfaces[0]):
            return False
        before, after = float(reading.chain.before_mm_s[0, 2]), float(reading.chain.after_mm_s[0, 2])
        return after <= -MIN_KICK_MM_S if len(reading.times) > 1 else after - before <= -MIN_KICK_MM_S

    def held_until(self, samples: Samples, chain: Chain, first: Contact) -> float:
        """When, in flight before its first contact, a hand was last at the ball; when it was first seen if never.

        Infinite where it was seen before, but not on the way that it would have come from the table.
        """
        if self._strayed(samples, first, chain.fits_from_s):
            return math.inf
        start, stop = np.searchsorted(samples.t_s, (chain.fits_from_s, first.t_s))
        late_first = self._held(samples.part(int(start), int(stop)), chain, is_backwards=True)
        return next((t_s for t_s, is_held in late_first if is_held), chain.fits_from_s)

    def _strayed(self, samples: Samples, first: Contact, seen_s: float) -> bool:
        """Whether a ball first seen flying at a time was seen elsewhere since it would have left the table."""
        left_s = first.t_s - since_table_s(first, self.ground)
        # Half a step is left for the times of pictures.
        start, stop = np.searchsorted(samples.t_s, (left_s - step_s(samples.t_s) / 2, seen_s))
        before = samples.part(int(start), int(stop))
        back_s = first.t_s - before.t_s[:, None]
        way_mm = np.array([first.x_mm, first.y_mm, first.z_mm]) - np.array(first.before_mm_s) * back_s
        way_mm[:, 2:] -= GRAVITY_MM_S2 / 2 * back_s**2
        camera = self.ground.table.camera
        off_px = np.linalg.norm(before.px - camera.to_px(way_mm), axis=1)
        is_off = before.is_whole & (off_px > camera.radius_px(way_mm, self.ground.radius_mm))
        return int(is_off.sum()) >= LEAST_WITNESSES

    def was_free_before(self, samples: Samples, chain: Chain) -> bool:
        """Whether a ball was in plain motion, without a hand, for long before the flight that was read in its track."""
        from_s = chain.fits_from_s - FREE_S
        start, stop = np.searchsorted(samples.t_s, (from_s, chain.fits_from_s))
        before = samples.part(int(start), int(stop))
        expected = FREE_S / step_s(samples.t_s)
        if before.is_whole.sum() < MOSTLY * expected or any(is_held for _, is_held in self._held(before, chain)):
            return False
        ball_px = float(self.ground.table.camera.radius_px(chain.places_mm[:1], self.ground.radius_mm)[0])
        return float(np.linalg.norm(np.ptp(before.px, axis=0))) > 2 * ball_px

    def _was_held(self, samples: Samples, reading: Reading) -> bool:
        """Whether a hand was at the ball in the last sighting before its first contact."""
        if reading.chain is None:
            return False
        first = int(np.searchsorted(samples.t_s, reading.times[0]))
        return any(is_held for _, is_held in self._held(samples.part(max(0, first - 1), first), reading.chain))

    def _is_held(self, samples: Samples, reading: Reading) -> bool:
        """Whether a hand is at the ball from just before its first contact to some time after: then it carries it."""
        if reading.chain is None:
            return False
        first, stop = np.searchsorted(samples.t_s, (reading.times[0], reading.times[0] + HELD_S))
        return all(is_held for _, is_held in self._held(samples.part(max(0, int(first) - 1), int(stop)), reading.chain))

    def _held(self, samples: Samples, chain: Chain, *, is_backwards: bool = False) -> Iterator[tuple[float, bool]]:
        """For each sighting around a throw's first contact its time, and whether a hand is at the ball."""
        ball_px = float(self.ground.table.camera.radius_px(chain.places_mm[:1], self.ground.radius_mm)[0])
        step = -1 if is_backwards else 1
        for t_s, (x_px, y_px) in zip(samples.t_s[::step].tolist(), samples.px[::step].tolist(), strict=True):
            yield t_s, self.holds(t_s, x_px, y_px, ball_px)


def search_stretch(samples: Samples, guess: Sequence[float], scene: Scene) -> tuple[Samples, Found] | None:
    """The samples of a throw within a stretch, without a hand before and what can't be told after, and what explains
    them best. None where nothing does with speeds that a hand can give."""
    times = list(guess)[:MAX_CONTACTS]
    if len(guess) > MAX_CONTACTS:
        samples = _until(samples, guess[MAX_CONTACTS])
    touchable = Touchable(samples=samples, terrain=scene.terrain, camera=scene.ground.table.camera)
    for _ in range(ROUNDS):
        if not times or len(samples) <= LEAST_FLIGHT:
            break
        search = Search(samples=samples, touchable=touchable)
        reading = search.start(times)
        late, is_early = _late_knock(reading, 2 * BOARD_KNOCKS), scene.is_early(samples, reading)
        if late is None and not is_early:
            samples, found = _best(search, reading, scene)
            reading = found.reading
            is_early = scene.is_early(samples, reading)
        if reading.chain is None:
            return None
        times = list(reading.times)
        if is_early:
            # A ball in a hand: it turns as the hand does, and that is no knock.
            samples, times = _since(samples, times[0]), times[1:]
        elif late is not None:
            samples, times = _until(samples, times[late]), times[:late]
        elif (last := scene.last_unlawful(reading.chain, reading.surfaces)) is not None:
            samples, times = _since(samples, times[last]), times[last + 1 :]
        elif (late := _late_knock(reading, BOARD_KNOCKS)) is not None:
            samples, times = _until(samples, times[late]), times[:late]
        elif _is_plausible(reading.chain) and not scene.falls_on(reading):
            lead = int(np.searchsorted(samples.t_s, reading.chain.fits_from_s))
            if lead <= MAX_LEAD or reading.chain.fits_from_s >= times[0]:
                return samples, found
            # A hand before the flight only bends it.
            samples = samples.part(lead, len(samples))
        elif (end := int(np.searchsorted(samples.t_s, times[-1])) + TAIL_SAMPLES) < len(samples):
            # What comes after the last contact that is told is no single flight.
            samples = samples.part(0, end)
        else:
            samples, times = _until(samples, times[-1]), times[:-1]
    return None


def _best(search: Search, start: Reading, scene: Scene) -> tuple[Samples, Found]:
    """What explains the samples best, from a first reading; or only those up to the first knock on the board that isn't
    looked into, where the flights to those that are fit so well that nothing later changes them."""
    late = _late_knock(start, BOARD_KNOCKS)
    if late is not None and all(search.fit_well(start)[:late]):
        sooner = replace(search, samples=_until(search.samples, start.times[late]))
        found = sooner.best(sooner.start(start.times[:late]))
        if _late_knock(found.reading, BOARD_KNOCKS - 1) is not None and _is_throw(sooner.samples, found.reading, scene):
            return sooner.samples, found
    return search.samples, search.best(start)


def _is_throw(samples: Samples, reading: Reading, scene: Scene) -> bool:
    """Whether a reading is one of a throw as it is, with nothing to be left out before."""
    if reading.chain is None or scene.is_early(samples, reading) or scene.falls_on(reading):
        return False
    return scene.last_unlawful(reading.chain, reading.surfaces) is None and _is_plausible(reading.chain)


def _until(samples: Samples, t_s: float) -> Samples:
    return samples.part(0, int(np.searchsorted(samples.t_s, t_s)))


def _since(samples: Samples, t_s: float) -> Samples:
    return samples.part(int(np.searchsorted(samples.t_s, t_s)), len(samples))


def _late_knock(reading: Reading, looked_into: int) -> int | None:
    """The first knock on the board after so many."""
    on_board = [k for k, surface in enumerate(reading.surfaces) if surface != TABLE]
    return on_board[looked_into] if len(on_board) > looked_into else None


def is_early(samples: Samples, reading: Reading) -> bool:
    """Whether the first of several contacts may be a hand's work: too few sightings on either side show the ball whole,
    and it wasn't in flight before for long."""
    chain = reading.chain
    if chain is None or len(reading.times) < 2 or reading.times[0] - chain.fits_from_s > FREE_S:
        return False
    k = int(np.searchsorted(samples.t_s, reading.times[0]))
    before, after = samples.is_whole[max(0, k - WITNESSES) : k], samples.is_whole[k : k + WITNESSES]
    return min(int(before.sum()), int(after.sum())) < LEAST_WITNESSES


def _is_supposed(samples: Samples, reading: Reading) -> bool:
    """Whether the ball was seen neither before the first contact nor right after it: what was before was no ball."""
    after = int(np.searchsorted(samples.t_s, reading.times[0]))
    unseen_s = samples.t_s[min(after, len(samples) - 1)] - reading.times[0]
    return not samples.is_whole[:after].any() and bool(unseen_s > BRIEFLY * step_s(samples.t_s))


def _is_plausible(chain: Chain) -> bool:
    """Whether the chain explains its pixels with speeds that a hand can give."""
    fastest = float(np.linalg.norm(np.concatenate([chain.before_mm_s, chain.after_mm_s]), axis=1).max())
    return chain.cost / chain.samples <= MAX_COST_PER_SAMPLE and fastest <= MAX_SPEED_MM_S
