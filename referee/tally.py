"""How good a set of calls is: comparisons with the truth, counted, as text and as JSON."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from referee.comparison import Comparison
from referee.disturbance import Found, found_text, found_to_json, sum_found
from referee.spread import share, spread_json, spread_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Counts over one or several recordings.

    ``shots``: true ones; ``bounces`` to ``balls``: found shots in which that is right; ``contacts``: true contacts that
    are compared, ``contacts_seen``: those in the log, ``contacts_found``: pairs of the two; ``unflagged``: found shots
    that are wrong without asking for a review.
    """

    shots: int
    found: int
    invented: int
    bounces: int
    results: int
    moved: int
    fouls: int
    sides: int
    balls: int
    review: int
    unflagged: int
    contacts: int
    contacts_seen: int
    contacts_found: int
    times_ms: tuple[float, ...]
    places_mm: tuple[float, ...]
    start_wrong: int
    final_wrong: int
    hands: Found
    bumps: Found


def tally(comparisons: Iterable[Comparison]) -> Tally:
    """Count what is right in one or several recordings."""
    each = list(comparisons)
    found = [shot for comparison in each for shot in comparison.found]
    errors = [error for shot in found for error in shot.errors]
    return Tally(
        shots=len(found) + sum(len(comparison.missed) for comparison in each),
        found=len(found),
        invented=sum(len(comparison.invented) for comparison in each),
        bounces=sum(shot.bounces for shot in found),
        results=sum(shot.result for shot in found),
        moved=sum(shot.moved for shot in found),
        fouls=sum(shot.foul for shot in found),
        sides=sum(shot.side for shot in found),
        balls=sum(shot.ball for shot in found),
        review=sum(shot.shot.stamp.review is not None for shot in found),
        unflagged=sum(not shot.is_right and shot.shot.stamp.review is None for shot in found),
        contacts=sum(shot.true_contacts for shot in found),
        contacts_seen=sum(shot.seen_contacts for shot in found),
        contacts_found=len(errors),
        times_ms=tuple(error.time_ms for error in errors),
        places_mm=tuple(error.place_mm for error in errors if error.place_mm is not None),
        start_wrong=sum(comparison.start_wrong for comparison in each),
        final_wrong=sum(comparison.final_wrong for comparison in each),
        hands=sum_found([comparison.hands for comparison in each]),
        bumps=sum_found([comparison.bumps for comparison in each]),
    )


def tally_to_json(counts: Tally) -> dict[str, Any]:
    """What ``referee evaluate --json`` says of one recording, and of all."""
    return {
        "shots": counts.shots,
        "found": counts.found,
        "missed": counts.shots - counts.found,
        "false": counts.invented,
        "right": {
            "bounces": counts.bounces,
            "result": counts.results,
            "moved": counts.moved,
            "foul": counts.fouls,
            "side": counts.sides,
            "ball": counts.balls,
        },
        "review": counts.review,
        "wrong_without_review": counts.unflagged,
        "contacts": {
            "true": counts.contacts,
            "seen": counts.contacts_seen,
            "found": counts.contacts_found,
            "recall": share(counts.contacts_found, counts.contacts),
            "precision": share(counts.contacts_found, counts.contacts_seen),
            "time_ms": spread_json(counts.times_ms),
            "place_mm": spread_json(counts.places_mm),
        },
        "holes_wrong": {"start": counts.start_wrong, "end": counts.final_wrong},
        "by_hand": found_to_json(counts.hands),
        "bumps": found_to_json(counts.bumps),
    }


HEADINGS: Final = (
    "recording",
    "shots",
    "false",
    "bounces",
    "result",
    "moved",
    "foul",
    "side",
    "ball",
    "contacts",
    "time ms",
    "place mm",
    "holes wrong",
    "by hand",
    "bumps",
    "review",
)

LEGEND: Final = """\
shots: found of those thrown; false: found where nobody threw. bounces to ball: right in how many of the found ones
(a ball that missed the board: no, one or several bounces; ball: which of several sizes). contacts: found of the true
ones (+ seen where there was none); of these the table contacts before the board, the first contact with the board or a
ball on it, and of a miss the first two. time and place: median (90 %) of their errors. holes wrong: at the start, at
the end. by hand: balls taken or put by hand that were seen; bumps: knocks to the camera noticed within half a second
(+ seen where there was none). review: shots for which a person is asked (! wrong without asking)."""


def tally_row(name: str, counts: Tally) -> tuple[str, ...]:
    """A line of the table under ``HEADINGS``."""
    extra, wrong = counts.contacts_seen - counts.contacts_found, counts.unflagged
    right = (counts.bounces, counts.results, counts.moved, counts.fouls, counts.sides, counts.balls)
    return (
        name,
        f"{counts.found}/{counts.shots}",
        str(counts.invented),
        *(f"{number}/{counts.found}" for number in right),
        f"{counts.contacts_found}/{counts.contacts}" + (f" +{extra}" if extra else ""),
        spread_text(counts.times_ms),
        spread_text(counts.places_mm),
        f"{counts.start_wrong}, {counts.final_wrong}",
        found_text(counts.hands),
        found_text(counts.bumps),
        str(counts.review) + (f" !{wrong}" if wrong else ""),
    )
