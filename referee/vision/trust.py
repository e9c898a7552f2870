"""How sure a throw's reading is, and why a person should look at it where it isn't."""

import math
from dataclasses import dataclass

from referee.vision.flight import SEVERAL, Flight
from referee.vision.throws import Throw

DOUBT = 25.0
"""Squared sigmas by which another explanation must be dearer to be as good as ruled out: a few times what noise makes,
for no camera is calibrated and no ball as round as the sums have it."""

BAD_COST = 5.0
"""Squared sigmas for each sighting from which a flight isn't the ball's, or not only: a few times what noise makes."""

LEAST_SURE = 0.7
"""Confidence below which somebody should look."""

SURE_SIZE = 0.9
"""The same for a ball's size: of three balls of one colour the wrong one is moved if it is wrong."""

HIDDEN_CONFIDENCE = 0.8
"""For a bounce behind a hand, or a hop too low to be resolved: the flight around it tells of it, no picture does."""

OPEN_CONFIDENCE = 0.5
"""For a throw that came into view after it may have bounced."""

LEFT = "the ball left the picture: it may have bounced on the table again"

WENT_ON = "the ball went on after what could be read of its flight: it may have bounced on the table again"

UNREAD_S = 0.1
"""How long a ball is seen after its flight was told before it may have bounced unnoticed: a low hop takes as long."""

MOST = 0.99
"""Nothing that was seen is surer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """``review``: why a person should look, None where nobody needs to."""

    confidence: float
    review: str | None = None


def trust_in(throw: Throw) -> Trust:
    """How sure a throw's bounces and its ball are."""
    flight = throw.flight
    if throw.untold is not None:
        return Trust(confidence=OPEN_CONFIDENCE, review=throw.untold)
    reasons = [
        _trust_in_whole(throw),
        _trust_in_start(flight),
        _trust_in_count(flight),
        _trust_in_end(throw),
        _trust_in_size(throw),
    ]
    return min(reasons, key=lambda trust: (trust.review is None, trust.confidence))


def sureness(margin: float) -> float:
    """Confidence in an explanation from the squared sigmas by which the next one is dearer: one half if by none."""
    return min(MOST, 1.0 - 0.5 * math.exp(-max(0.0, margin) / DOUBT))


def _trust_in_whole(throw: Throw) -> Trust:
    if throw.is_whole:
        return Trust(confidence=MOST)
    return Trust(
        confidence=OPEN_CONFIDENCE, review="the ball was lost in flight: it may have bounced on the table before"
    )


def _trust_in_start(flight: Flight) -> Trust:
    if flight.is_start_open:
        return Trust(
            confidence=OPEN_CONFIDENCE, review="the ball came into view late: it may have bounced on the table before"
        )
    count = flight.table_bounces + 1 if flight.touched_board else 2
    is_inferred = any(contact.is_inferred for contact in flight.contacts[:count])
    return Trust(confidence=HIDDEN_CONFIDENCE if is_inferred else MOST)


def _trust_in_count(flight: Flight) -> Trust:
    if flight.lead_cost > BAD_COST:
        return Trust(confidence=OPEN_CONFIDENCE, review="what was seen of the ball fits no flight well")
    # Where the pixels are explained badly they tell as much less.
    confidence = sureness(flight.margin / max(1.0, flight.cost_per_sample))
    if confidence >= LEAST_SURE or flight.rival_bounces is None:
        return Trust(confidence=confidence)
    rival, told = flight.rival_bounces, flight.seen_bounces
    if rival == told:
        return Trust(confidence=confidence, review="it is hard to see whether the ball met the board")
    return Trust(
        confidence=confidence,
        review=f"{_bounces(flight.table_bounces)} on the table, or {flight.table_bounces + rival - told}: hard to tell",
    )


def _trust_in_end(throw: Throw) -> Trust:
    flight = throw.flight
    if flight.touched_board or flight.table_bounces >= SEVERAL:
        return Trust(confidence=MOST)
    if throw.leaves_view:
        return Trust(confidence=OPEN_CONFIDENCE, review=LEFT)
    if throw.end_s - flight.end_s > UNREAD_S:
        return Trust(confidence=OPEN_CONFIDENCE, review=WENT_ON)
    return Trust(confidence=MOST)


def _bounces(count: int) -> str:
    return "one bounce" if count == 1 else f"{count or 'no'} bounces"


def _trust_in_size(throw: Throw) -> Trust:
    if throw.sureness >= SURE_SIZE:
        return Trust(confidence=throw.sureness)
    return Trust(confidence=throw.sureness, review="the ball's size is hard to tell: it may be another of its colour")
