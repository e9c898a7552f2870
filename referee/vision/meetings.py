"""Thrown balls that met: what is told of one may be the other's work, or the other itself."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from referee.vision.flight import SEVERAL, Flight
from referee.vision.middles import step_s
from referee.vision.throws import Throw
from referee.vision.tracks import Sighting, Track

MET_RADII = 3.0
"""How near, in their radii, two balls came that may have met between two pictures, or passed each other: they touch
at two."""

MEANWHILE = 1.5
"""How many pictures from a knock are the ones that show what was there."""


def after_collisions(throws: Sequence[Throw], called: Sequence[Throw] = ()) -> list[Throw]:
    """The throws without knocks on one another in the air, or on those last ``called``, which were taken for knocks on
    the table or the board: of those that come to another call by that it is hard to tell which was right."""
    return [_after_collisions(throw, [other for other in (*throws, *called) if other is not throw]) for throw in throws]


def _after_collisions(throw: Throw, others: Sequence[Throw]) -> Throw:
    meetings = [(t_s, other.flight) for other in others for t_s in _near_s(throw.sightings, other.sightings)]
    if not meetings:
        return throw
    flight = throw.flight
    around_s = _around_s(throw)
    met_s = [t_s for t_s, other in meetings if other.start_s - around_s <= t_s <= _in_air_until(other) + around_s]
    kept = [c for c in flight.contacts if c.is_inferred or all(abs(c.t_s - t_s) > around_s for t_s in met_s)]
    if len(kept) == len(flight.contacts):
        return throw
    is_told = any(not contact.is_inferred for contact in kept)
    parted = replace(flight, contacts=tuple(kept)) if is_told else flight
    if not is_told or _call(parted) != _call(flight):
        parted = replace(parted, margin=0.0, rival_bounces=flight.seen_bounces)
    if kept and kept[0].is_inferred and flight.contacts[1] not in kept:
        # What was inferred from the flight to a knock on the board isn't known of one to a ball in the air.
        parted = replace(parted, is_start_open=True)
    return replace(throw, flight=parted)


def _call(flight: Flight) -> tuple[int, bool]:
    return min(flight.table_bounces, SEVERAL), flight.touched_board


def may_be_swapped(throw: Throw, other: Throw) -> bool:
    """Whether balls that look alike met, so that each may have been taken for the other from then on."""
    # Nothing but the one ball goes on in the flight that was read of it.
    since_s = max(throw.flight.end_s, other.flight.end_s)
    is_alike = throw.kind == other.kind
    return is_alike and any(t_s > since_s for t_s in _near_s(throw.sightings, other.sightings))


def is_told_by(throw: Throw, track: Track) -> bool:
    """Whether what becomes of a ball that is still followed may change the call of a throw."""
    flight, met_s = throw.flight, list(_near_s(throw.sightings, track.sightings))
    if not met_s:
        return False
    deciding = flight.contacts[: flight.table_bounces + 1 if flight.touched_board else SEVERAL]
    is_alike = throw.kind.colour == track.colour and met_s[-1] > flight.end_s
    return is_alike or any(abs(contact.t_s - t_s) <= _around_s(throw) for contact in deciding for t_s in met_s)


def _around_s(throw: Throw) -> float:
    return MEANWHILE * step_s(np.array([s.t_s for s in throw.sightings]))


def _near_s(sightings: Sequence[Sighting], others: Sequence[Sighting]) -> Iterator[float]:
    """When two balls that were followed were so near each other in the picture that they may have met."""
    places = {s.index: s.blob for s in others}
    for sighting in sightings:
        one, blob = sighting.blob, places.get(sighting.index)
        if blob is not None and math.hypot(one.x_px - blob.x_px, one.y_px - blob.y_px) < MET_RADII * (
            (one.radius_px + blob.radius_px) / 2
        ):
            yield sighting.t_s


def _in_air_until(flight: Flight) -> float:
    """When a ball first met the board, else until when its flight is told."""
    return next((contact.t_s for contact in flight.contacts if contact.surface != "table"), flight.end_s)
