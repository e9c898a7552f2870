"""Whether a ball was in flight before the track in which its throw is read: then the throw's beginning is not in it."""

import math

from referee.vision.blobs import Blob
from referee.vision.tracks import LEAST_DRIFT_PX, LOST_S, STILL_DRIFT, Track

KEPT_S = 3.0
"""How long an ended track is remembered: one that goes on with its ball begins at once, but may end much later."""

MIN_WHOLE = 5
MOSTLY = 0.6
"""Sightings, and share of all, that show a ball whole in the track of one in flight: hands seldom show as many."""

UNSEEN_S = 0.5
"""How long what showed nothing but a whole ball may go unseen before another track takes it up: for a high hop."""

STOOD_S = 0.07
LEAST_STILL = 3
"""Time, and sightings in it, for which no ball in flight keeps its place: at the top of a hop, too, it goes on over the
table. Patches that compression or flicker leave do."""

OVERLAP_S = 0.3
"""How long two tracks of one ball may both be seen: what isn't the ball keeps one of them going for a while."""


class Forerunners:
    """Remembers the tracks of balls that were lost in motion."""

    def __init__(self) -> None:
        # With whether a throw was read in each.
        self._lost: list[tuple[Track, bool]] = []

    def add(self, track: Track, *, is_read: bool = True) -> None:
        """Take in a track that ended; ``is_read``: a throw was read in it."""
        self._lost = [(other, read) for other, read in self._lost if track.last.t_s - other.last.t_s < KEPT_S]
        whole = sum(s.blob.share > 0 for s in track.sightings)
        if whole >= MIN_WHOLE and whole > MOSTLY * len(track.sightings) and not _stood_still(track):
            self._lost.append((track, is_read))

    def has(self, track: Track) -> bool:
        """Whether a track goes on with a ball that another one lost."""
        return any(_goes_on(earlier, track) for earlier, _ in self._lost)

    def unread_before(self, track: Track) -> Track | None:
        """A track in which no throw was read, if this one goes on with its ball."""
        return next((earlier for earlier, read in self._lost if not read and _goes_on(earlier, track)), None)


def _stood_still(track: Track) -> bool:
    """Whether what was followed kept its place when it was last seen."""
    if track.is_at_rest():
        return True
    late = [s.blob for s in track.sightings if track.last.t_s - s.t_s <= STOOD_S]
    ranges_px = (max(places) - min(places) for places in ([b.x_px for b in late], [b.y_px for b in late]))
    allowed_px = max(LEAST_DRIFT_PX, STILL_DRIFT * track.last.blob.radius_px)
    return len(late) >= LEAST_STILL and max(ranges_px) <= allowed_px


def _goes_on(earlier: Track, later: Track) -> bool:
    gap_s = later.sightings[0].t_s - earlier.last.t_s
    if earlier.colour != later.colour or earlier.sightings[0].t_s >= later.sightings[0].t_s:
        return False
    unseen_s = UNSEEN_S if all(s.blob.share > 0 for s in earlier.sightings) else LOST_S
    rest = [s for s in later.sightings if s.t_s > earlier.last.t_s][:2]
    if not -OVERLAP_S < gap_s < unseen_s or len(rest) < 2 or rest[0].t_s - earlier.last.t_s > unseen_s:
        return False
    steps = ((earlier.last, rest[0]), rest)
    (apart_px, since_s), (step_px, step_s) = ((_apart_px(a.blob, b.blob), b.t_s - a.t_s) for a, b in steps)
    speed_px_s = max(earlier.speed_px_s, step_px / step_s)
    return apart_px < 1.5 * rest[0].blob.radius_px + 2.0 * speed_px_s * since_s


def _apart_px(blob: Blob, other: Blob) -> float:
    return math.hypot(blob.x_px - other.x_px, blob.y_px - other.y_px)
