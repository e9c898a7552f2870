"""Candidates joined over time: one track for each ball that moves."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median, quantiles

import numpy as np
from numpy.typing import NDArray

from referee.vision.blobs import Blob
from referee.vision.forms import WHOLE_BEFORE, is_hand, parts

LOST_S = 0.20
"""How long a track waits for its ball to come back: a hand or another ball hides one for up to about this long."""

MAX_SPEED_MM_S = 6000.0
"""Faster than anything thrown at a table from an arm's length."""

OWN_RADII = 1.0
"""How far, in its radii, a ball may be from where a track expects it for nothing to be nearer to it."""

WHOLE_S = 1.0
"""How long a ball has about the size at which it was seen whole."""

LEAST_STEP_S = 0.015
"""Time between two sightings that tell a speed."""

STILL_S = 0.2
"""How long a ball must keep its place to be at rest: longer than the top of a low hop looks still."""

STILL_DRIFT = 0.06
"""Drift, in ball radii, between the halves of ``STILL_S`` up to which a ball lies still: a slow roll makes more."""

LEAST_DRIFT_PX = 0.7
"""Drift that noise alone makes of a small ball."""

STILL_SPREAD = 0.3
"""Spread of a lying ball's seen centre, in its radii: its outline frays where the board has nearly its colour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A ball in one frame."""

    index: int
    t_s: float
    blob: Blob


class Track:
    """The sightings of one ball, in order of time. ``lay_before``: it began where a ball of its colour lay, so it was
    knocked or taken, not thrown; ``whole``: the last that showed it whole; ``parts``: the last shows another with
    it, which is apart from it now."""

    def __init__(self, first: Sighting, *, lay_before: bool) -> None:
        self.sightings: list[Sighting] = [first]
        self.whole = first if first.blob.share > 0 else None
        self.lay_before = lay_before
        self.parts = False

    def add(self, sighting: Sighting) -> None:
        """Take in the next sighting."""
        self.sightings.append(sighting)
        if sighting.blob.share > 0:
            self.whole = sighting

    @classmethod
    def joined(cls, earlier: "Track", later: "Track") -> "Track":
        """The track of a ball that one track lost and another found again; what of them overlaps is the first's."""
        track = cls(earlier.sightings[0], lay_before=earlier.lay_before)
        track.sightings = [*earlier.sightings, *(s for s in later.sightings if s.t_s > earlier.last.t_s)]
        return track

    @property
    def colour(self) -> str:
        return self.sightings[0].blob.colour

    @property
    def last(self) -> Sighting:
        return self.sightings[-1]

    def predicted_px(self, t_s: float) -> tuple[float, float]:
        """Where the ball should be at ``t_s``, at its last velocity in the picture."""
        alone = self.sightings[:-1] if self.parts else self.sightings
        last = alone[-1]
        if len(alone) < 2:
            return last.blob.x_px, last.blob.y_px
        earlier = alone[-2]
        ratio = (t_s - last.t_s) / (last.t_s - earlier.t_s)
        return (
            last.blob.x_px + (last.blob.x_px - earlier.blob.x_px) * ratio,
            last.blob.y_px + (last.blob.y_px - earlier.blob.y_px) * ratio,
        )

    @property
    def speed_px_s(self) -> float:
        """The faster of the last two steps, in pixels a second: a bounce makes one of them short. Pictures that follow
        each other too soon for that are passed over: in so short a time noise moves a ball as far as its flight."""
        steps, end = list[float](), self.last
        for sighting in reversed(self.sightings[:-1]):
            if end.t_s - sighting.t_s >= LEAST_STEP_S or sighting is self.sightings[0]:
                apart_px = math.hypot(end.blob.x_px - sighting.blob.x_px, end.blob.y_px - sighting.blob.y_px)
                steps.append(apart_px / (end.t_s - sighting.t_s))
                end = sighting
            if len(steps) == 2:
                break
        return max(steps)

    def is_at_rest(self) -> bool:
        """Whether the ball kept its place for ``STILL_S`` up to its last sighting: noise may scatter its centre, but
        the earlier half of the sightings and the later one have the same middle."""
        since = self.last.t_s - STILL_S
        if self.sightings[0].t_s > since:
            return False
        late = [s.blob for s in self.sightings[-_count_since(self.sightings, since) :]]
        half = len(late) // 2
        if half == 0:
            return False
        size = self.last.blob.radius_px
        for places in ([b.x_px for b in late], [b.y_px for b in late]):
            if abs(median(places[:half]) - median(places[half:])) > max(LEAST_DRIFT_PX, STILL_DRIFT * size):
                return False
            low, *_, high = quantiles(places, n=10)
            if high - low > STILL_SPREAD * size:
                return False
        return True

    def lay_at(self, t_s: float) -> bool:
        """Whether the ball was at rest at a time already, and to its end."""
        return t_s > self.last.t_s - STILL_S / 2 and self.is_at_rest()

    def lingers(self, over_s: float = STILL_S) -> bool:
        """Whether the ball, over so long a time, was so slow that it went less far than its own width in
        ``STILL_S``."""
        last = self.last
        since = next((s for s in reversed(self.sightings) if last.t_s - s.t_s >= over_s), None)
        if since is None:
            return False
        apart_px = math.hypot(since.blob.x_px - last.blob.x_px, since.blob.y_px - last.blob.y_px)
        return apart_px < 2 * last.blob.radius_px * (last.t_s - since.t_s) / STILL_S

    def has_travelled(self, radii: float) -> bool:
        """Whether the ball got further than ``radii`` of its own radius from where it was first seen."""
        # Where it was seen whole it has its size; before, there may have been a hand.
        first = self.sightings[0].blob
        size = max((s.blob.radius_px for s in self.sightings if s.blob.share > 0), default=first.radius_px)
        return any(
            math.hypot(s.blob.x_px - first.x_px, s.blob.y_px - first.y_px) > radii * size for s in self.sightings
        )


def _count_since(sightings: Sequence[Sighting], t_s: float) -> int:
    count = 0
    for sighting in reversed(sightings):
        if sighting.t_s < t_s:
            break
        count += 1
    return count


class Tracker:
    """Joins each frame's blobs to tracks: nearest to the prediction first, one blob a track, same colour only."""

    def __init__(self) -> None:
        self.max_speed_px_s = math.inf
        """The fastest that a ball crosses the picture, which bounds how far it gets between two frames."""
        self._open: list[Track] = []

    @property
    def open(self) -> tuple[Track, ...]:
        return tuple(self._open)

    def update(
        self, index: int, t_s: float, blobs: Sequence[Blob], lay_before: Callable[[Blob], bool]
    ) -> tuple[Track, ...]:
        """Take in a frame; gives the tracks that ended: at rest, or not seen for ``LOST_S``.

        ``lay_before``: whether a ball lay where a new track begins.
        """
        lying: dict[int, bool] = {}

        def lies(j: int) -> bool:
            if j not in lying:
                lying[j] = lay_before(blobs[j])
            return lying[j]

        for track in self._open:
            track.parts = parts([s.blob for s in track.sightings[-1 - WHOLE_BEFORE :]], blobs)
        colours = {blob.colour for blob in blobs}
        expected = [
            (i, track, self._expected(track, t_s)) for i, track in enumerate(self._open) if track.colour in colours
        ]
        pairs = sorted(
            (*_claim(track, blob, distance), i, j)
            for i, track, place in expected
            for j, blob in enumerate(blobs)
            if blob.colour == track.colour
            and (distance := place.distance_px(blob)) is not None
            and (
                track.lay_before or _is_where_expected(track, blob, distance) or not lies(j)
                if _is_same_kind(track, blob, t_s)
                # A ball leaves a hand, or passes one, in one piece with it; one that comes to a slow ball hides it.
                else _is_where_expected(track, blob, distance) and not track.lingers()
            )
        )
        taken_tracks: set[int] = set()
        taken_blobs: set[int] = set()
        for *_, i, j in pairs:
            if i not in taken_tracks and j not in taken_blobs:
                taken_tracks.add(i)
                taken_blobs.add(j)
                self._open[i].add(Sighting(index=index, t_s=t_s, blob=blobs[j]))
        # Only what was seen now can have come to rest now.
        ended = [
            track
            for i, track in enumerate(self._open)
            if t_s - track.last.t_s > LOST_S or (i in taken_tracks and track.is_at_rest())
        ]
        self._open = [t for t in self._open if t not in ended]
        self._open += [
            Track(Sighting(index=index, t_s=t_s, blob=blob), lay_before=lies(j))
            for j, blob in enumerate(blobs)
            if j not in taken_blobs
        ]
        return tuple(ended)

    def move(self, homography: NDArray[np.float64]) -> None:
        """Carry the open tracks over to a moved view; ``homography``: (3, 3), old pixels to new."""
        for track in self._open:
            track.sightings = [replace(s, blob=_moved(s.blob, homography)) for s in track.sightings]

    def finish(self) -> tuple[Track, ...]:
        """The tracks still open at the end of the recording."""
        ended, self._open = tuple(self._open), []
        return ended

    def _expected(self, track: Track, t_s: float) -> "_Expected":
        x_px, y_px = track.predicted_px(t_s)
        since_s = t_s - track.last.t_s
        speed_px_s = track.speed_px_s if len(track.sightings) >= 2 else math.inf
        return _Expected(
            x_px=x_px,
            y_px=y_px,
            radius_px=track.last.blob.radius_px,
            most_px=self.max_speed_px_s * since_s,
            way_px=speed_px_s * since_s,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Expected:
    """Where a track's ball should be: it came no further than ``most_px``, and ``way_px`` if it went on as fast."""

    x_px: float
    y_px: float
    radius_px: float
    most_px: float
    way_px: float

    def distance_px(self, blob: Blob) -> float | None:
        """Pixels between a blob and this place, or None when it can't be the same ball.

        A bounce turns the velocity round: the prediction is then off by up to twice the step before it.
        """
        distance = math.hypot(blob.x_px - self.x_px, blob.y_px - self.y_px)
        size = max(blob.radius_px, self.radius_px)
        return distance if distance <= min(size + self.most_px, 1.5 * size + 2.0 * self.way_px) else None


def _is_same_kind(track: Track, blob: Blob, t_s: float) -> bool:
    """Whether a blob is no hand after a ball, nor a ball after a hand."""
    whole = track.whole
    is_hands = whole is not None and t_s - whole.t_s < WHOLE_S and is_hand(blob, whole.blob)
    return not is_hands and not is_hand(track.last.blob, blob)


def _is_where_expected(track: Track, blob: Blob, distance_px: float) -> bool:
    """Whether a blob is just where a track's ball is expected, or was."""
    last = track.sightings[-2 if track.parts else -1].blob
    since_px = math.hypot(blob.x_px - last.x_px, blob.y_px - last.y_px)
    return min(distance_px, since_px) <= OWN_RADII * blob.radius_px


def _claim(track: Track, blob: Blob, distance_px: float) -> tuple[float, float]:
    """How strongly a track claims a blob, lower is stronger: where it is just where the ball is expected, or was, the
    longer track comes first, for of a ball that was seen in two for a moment the other part goes on; else the nearer.
    """
    if _is_where_expected(track, blob, distance_px):
        return -float(len(track.sightings)), distance_px
    return distance_px, 0.0


def _moved(blob: Blob, homography: NDArray[np.float64]) -> Blob:
    x, y, w = homography @ (blob.x_px, blob.y_px, 1.0)
    return replace(blob, x_px=float(x / w), y_px=float(y / w))
