"""Balls of one colour that met: from then on each of their tracks may follow the other."""

import math
from collections.abc import Iterator, Sequence
from itertools import permutations

from referee.vision.throws import Throw

MET_RADII = 3.0
"""How near, in their radii, two balls came that may have met between two pictures, or passed each other: they touch
at two."""


def met(throws: Sequence[Throw]) -> Iterator[tuple[int, int]]:
    """Pairs of throws, by their indices and both ways round, whose balls look alike and met after their flights."""
    for (i, throw), (j, other) in permutations(enumerate(throws), 2):
        if throw.kind == other.kind and _met(throw, other):
            yield i, j


def _met(throw: Throw, other: Throw) -> bool:
    # Nothing but the one ball goes on in the flight that was read of it.
    since_s = max(throw.flight.end_s, other.flight.end_s)
    places = {s.index: s.blob for s in other.sightings if s.t_s > since_s}
    return any(
        (blob := places.get(s.index)) is not None
        and math.hypot(s.blob.x_px - blob.x_px, s.blob.y_px - blob.y_px)
        < MET_RADII * (s.blob.radius_px + blob.radius_px) / 2
        for s in throw.sightings
    )
