"""How good the calls on pins are: comparisons with the truth, counted, as text and as JSON."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee.disturbance import Found, found_text, found_to_json, sum_found
from referee.pin_comparison import STATES, PinComparison, StateCount
from referee.pin_truth import PinState
from referee.spread import share, spread_json, spread_text


@dataclass(frozen=True, slots=True, kw_only=True)
class PinTally:
    """Counts over one or several recordings.

    ``taps``: true ones; ``standing``, ``touches``: found taps in which that is right; ``unflagged``: found taps that
    are wrong without asking for a review; ``racks``: true set-ups; ``faults``, ``problems``: found ones rightly said
    to be in order or not, and with the right problems; ``moments``: settled ones, ``exact``: those whose count of
    standing pins is right; ``misread``: readings that count what doesn't stand, at any time.
    """

    taps: int
    found: int
    invented: int
    standing: int
    touches: int
    review: int
    unflagged: int
    times_ms: tuple[float, ...]
    racks: int
    racks_found: int
    racks_invented: int
    faults: int
    problems: int
    moments: int
    exact: int
    misread: int
    states: Mapping[PinState, StateCount]
    bumps: Found


def pin_tally(comparisons: Iterable[PinComparison]) -> PinTally:
    """Count what is right in one or several recordings."""
    each = list(comparisons)
    found = [tap for comparison in each for tap in comparison.found]
    racks = [rack for comparison in each for rack in comparison.racks_found]
    settled = [moment for comparison in each for moment in comparison.settled]
    return PinTally(
        taps=len(found) + sum(len(comparison.missed) for comparison in each),
        found=len(found),
        invented=sum(len(comparison.invented) for comparison in each),
        standing=sum(tap.standing for tap in found),
        touches=sum(tap.direct_touch for tap in found),
        review=sum(tap.tap.stamp.review is not None for tap in found),
        unflagged=sum(not tap.is_right and tap.tap.stamp.review is None for tap in found),
        times_ms=tuple(tap.time_ms for tap in found),
        racks=len(racks) + sum(len(comparison.racks_missed) for comparison in each),
        racks_found=len(racks),
        racks_invented=sum(len(comparison.racks_invented) for comparison in each),
        faults=sum(rack.fault for rack in racks),
        problems=sum(rack.problems for rack in racks),
        moments=len(settled),
        exact=sum(moment.is_exact for moment in settled),
        misread=sum(len(comparison.misread) for comparison in each),
        states={state: _sum([comparison.states[state] for comparison in each]) for state in STATES},
        bumps=sum_found([comparison.bumps for comparison in each]),
    )


def _sum(counts: Sequence[StateCount]) -> StateCount:
    """Counts of one state, of which each recording has one."""
    return StateCount(
        true=sum(count.true for count in counts),
        seen=sum(count.seen for count in counts),
        matched=sum(count.matched for count in counts),
    )


def pin_tally_to_json(counts: PinTally) -> dict[str, Any]:
    """What ``referee evaluate --json`` says of one recording of pins, and of all."""
    return {
        "taps": counts.taps,
        "found": counts.found,
        "missed": counts.taps - counts.found,
        "false": counts.invented,
        "right": {"standing": counts.standing, "direct_touch": counts.touches},
        "review": counts.review,
        "wrong_without_review": counts.unflagged,
        "time_ms": spread_json(counts.times_ms),
        "racks": {
            "true": counts.racks,
            "found": counts.racks_found,
            "false": counts.racks_invented,
            "right": {"in_order_or_not": counts.faults, "problems": counts.problems},
        },
        "settled": {"moments": counts.moments, "exact": counts.exact, "misread": counts.misread},
        "bumps": found_to_json(counts.bumps),
        "pins": {
            state: {
                "true": each.true,
                "seen": each.seen,
                "found": each.matched,
                "precision": share(each.matched, each.seen),
                "recall": share(each.matched, each.true),
            }
            for state, each in counts.states.items()
        },
    }


PIN_HEADINGS: Final = (
    "recording",
    "taps",
    "false",
    "standing",
    "touch",
    "time ms",
    "racks",
    "false",
    "in order",
    "problems",
    "settled",
    "misread",
    *STATES,
    "bumps",
    "review",
)

PIN_LEGEND: Final = """\
taps: found of those struck; false: found where nobody struck. standing, touch: right in how many of the found ones;
time: median (90 %) of the errors. racks: set-ups found; in order, problems: rightly judged in how many of the found.
settled: moments of rest with exactly the right number of standing pins; misread: readings at any time that count
another one. standing, leaning, fallen: pins of that state seen at their places, of those that were (+ seen where there
was none such). bumps: knocks to the camera that were noticed. review: taps for which a person is asked (! wrong
without asking)."""


def pin_tally_row(name: str, counts: PinTally) -> tuple[str, ...]:
    """A line of the table under ``PIN_HEADINGS``."""
    return (
        name,
        f"{counts.found}/{counts.taps}",
        str(counts.invented),
        f"{counts.standing}/{counts.found}",
        f"{counts.touches}/{counts.found}",
        spread_text(counts.times_ms),
        f"{counts.racks_found}/{counts.racks}",
        str(counts.racks_invented),
        f"{counts.faults}/{counts.racks_found}",
        f"{counts.problems}/{counts.racks_found}",
        f"{counts.exact}/{counts.moments}",
        str(counts.misread),
        *(
            f"{each.matched}/{each.true}" + (f" +{each.seen - each.matched}" if each.seen > each.matched else "")
            for each in counts.states.values()
        ),
        found_text(counts.bumps),
        str(counts.review) + (f" !{counts.unflagged}" if counts.unflagged else ""),
    )
