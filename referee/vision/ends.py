"""What the ends of throws tell: of each whether it is sure, or none at all, and whether two are of one ball."""

from referee.events import Off
from referee.vision.ground import Ground
from referee.vision.outcomes import Outcome
from referee.vision.throws import Throw
from referee.vision.tracks import LOST_S


def is_same_ball(earlier: Throw, later: Throw) -> bool:
    """Whether a ball lost in flight is the one that another throw was read of: sizes of a colour exist once each."""
    is_one = earlier.kind == later.kind and earlier.kind.name != earlier.kind.colour
    is_lost = not earlier.rests and not earlier.is_gone
    return is_one and is_lost and later.flight.start_s - earlier.end_s < LOST_S


def is_none(throw: Throw, outcome: Outcome, ground: Ground) -> bool:
    """Whether a ball that wasn't seen to come to the board isn't there where it seemed to come to rest: then none was
    thrown."""
    flight, (x_mm, y_mm, _) = throw.flight, throw.flight.start_mm
    began_there = flight.contacts[0].surface != "table" and ground.outside_mm(x_mm, y_mm) < 0
    came_unseen = throw.untold is not None or began_there
    return came_unseen and throw.rests and isinstance(outcome.place, Off) and not outcome.is_near


def is_sure(throw: Throw, outcome: Outcome) -> bool:
    """Whether a ball's end is seen as it is: found where it was last seen, or at rest or far off the board."""
    return outcome.is_near and (throw.rests or throw.is_gone or not isinstance(outcome.place, Off))
