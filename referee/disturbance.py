"""What isn't play, against the truth: balls that hands took or put, and knocks to the camera."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.alignment import align
from referee.events import BOARD, Event, Placed, Removed, SeenCameraMoved, Stamp

SAME_HAND_S: Final = 1.0
"""How far a seen handling may lie from the true one: so long a hand may cover the ball before and after."""

NOTICED_S: Final = 0.5
"""A knocked camera has to be noticed within this time."""

SHAKEN_S: Final = 2.0
"""For so long after a knock, to see it and to see it put right are no knocks of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handled:
    """A hand moved a ball. Places are holes, ``"board"``, or None off the board."""

    t_s: float
    colour: str
    source: str | None
    target: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """How many things of a kind there were, how many of them are in the log, and how many beside them."""

    true: int
    found: int
    invented: int


def compare_hands(true: Sequence[Handled], events: Sequence[Event]) -> Found:
    """Balls taken and put by hand, ball by ball: the same colour and places at about the same time."""
    seen = sorted(_handled(events), key=lambda pair: pair[1].t_s)
    known = sorted(true, key=lambda handled: handled.t_s)

    def weight(i: int, j: int) -> float | None:
        (end_s, theirs), mine = seen[j], known[i]
        same = (mine.colour, mine.source, mine.target) == (theirs.colour, theirs.source, theirs.target)
        gap_s = max(0.0, theirs.t_s - mine.t_s, mine.t_s - end_s)
        return 1e3 - gap_s if same and gap_s <= SAME_HAND_S else None

    pairs = align(len(known), len(seen), weight)
    return Found(true=len(known), found=len(pairs), invented=len(seen) - len(pairs))


def compare_bumps(true_s: Sequence[float], events: Sequence[Event]) -> Found:
    """Knocks to the camera: whether each was noticed in time, and whether one was that wasn't."""
    seen_s = [event.stamp.t_s or 0.0 for event in events if isinstance(event, SeenCameraMoved)]
    return Found(
        true=len(true_s),
        found=sum(any(0 <= t_s - knock_s <= NOTICED_S for t_s in seen_s) for knock_s in true_s),
        invented=sum(not any(0 <= t_s - knock_s <= SHAKEN_S for knock_s in true_s) for t_s in seen_s),
    )


def _handled(events: Sequence[Event]) -> list[tuple[float, Handled]]:
    """Each ball that the log says was handled, and until when; what lay there at first was put by nobody."""
    found: list[tuple[float, Handled]] = []

    def add(stamp: Stamp, colour: str, source: str | None, target: str | None) -> None:
        t_s = stamp.t_s or 0.0
        end_s = t_s if stamp.t_end_s is None else stamp.t_end_s
        found.append((end_s, Handled(t_s=t_s, colour=colour, source=source, target=target)))

    for event in events:
        if isinstance(event, Removed):
            for ball in event.balls:
                add(event.stamp, ball.colour, ball.at, None)
        elif isinstance(event, Placed) and (event.stamp.t_s or 0.0) > 0:
            for ball in event.balls:
                add(event.stamp, ball.colour, None, ball.at)
    return found


def sum_found(each: Sequence[Found]) -> Found:
    """All together."""
    return Found(
        true=sum(one.true for one in each),
        found=sum(one.found for one in each),
        invented=sum(one.invented for one in each),
    )


def found_to_json(found: Found) -> dict[str, int]:
    return {"true": found.true, "found": found.found, "false": found.invented}


def found_text(found: Found) -> str:
    return f"{found.found}/{found.true}" + (f" +{found.invented}" if found.invented else "")


def place_of(name: str | None) -> str | None:
    """A truth's place: what lies on other balls lies on the board, in no hole."""
    return BOARD if name == "on_ball" else name
