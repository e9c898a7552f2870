"""The stretches of a track in which a ball may be thrown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from referee.vision.ballistics import Samples
from referee.vision.segments import Motion, Piece

LEAST_FLIGHT = 4
"""Fewest sightings of a throw's first flight: three fix its six numbers, the fourth tests them."""

TAIL_SAMPLES = 6
"""Sightings beside the flights that pin the first and last contact, where the ball is carried or rolls."""

LEAST_WITNESSES = 2
"""Sightings that must show the ball whole for it to be out of the hand: fingers may still be before others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Samples ``first`` to before ``stop``, in the air but for the breaks (samples that begin a new piece)."""

    first: int
    breaks: tuple[int, ...]
    stop: int


def out_of_hand(samples: Samples) -> Samples:
    """The samples from shortly before the ball is first seen as one: before that a hand carries it."""
    seen = samples.is_ball_like.astype(np.int64)
    runs = np.flatnonzero(np.convolve(seen, np.ones(LEAST_WITNESSES, dtype=np.int64), "valid") == LEAST_WITNESSES)
    return samples.part(max(0, int(runs[0]) - TAIL_SAMPLES) if len(runs) else 0, len(samples))


def airborne(pieces: Sequence[Piece]) -> Iterator[Stretch]:
    """The stretches that may be a throw: from the piece before each flight to the first rolling after it."""
    for begin, piece in enumerate(pieces):
        if piece.motion is not Motion.FLYING:
            continue
        end = begin
        while end + 1 < len(pieces) and pieces[end + 1].motion is Motion.FLYING:
            end += 1
        breaks = [p.start for p in pieces[begin + 1 : end + 1]]
        first, stop = piece.start, pieces[end].stop
        if end + 1 < len(pieces):
            breaks.append(stop)
            stop = min(pieces[end + 1].stop, stop + TAIL_SAMPLES)
        if begin > 0:
            breaks.insert(0, piece.start)
            first = max(pieces[begin - 1].start, piece.start - TAIL_SAMPLES)
        if breaks:
            yield Stretch(first=first, breaks=tuple(breaks), stop=stop)
