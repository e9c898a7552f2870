"""What an evaluation says: as tables and remarks for people, and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from referee.calls import CALL_HEADINGS, CALL_LEGEND, calls_row, calls_to_json, count_calls
from referee.columns import format_table
from referee.comparison import Comparison, FoundShot
from referee.counted import counted
from referee.disturbance import Found
from referee.evaluate import Evaluation
from referee.pin_comparison import FoundRack, FoundTap, PinComparison
from referee.pin_tally import PIN_HEADINGS, PIN_LEGEND, pin_tally, pin_tally_row, pin_tally_to_json
from referee.reliability import HEADINGS as BIN_HEADINGS
from referee.reliability import LEGEND as BIN_LEGEND
from referee.reliability import Bin, reliability, reliability_row, reliability_to_json, verdicts
from referee.tally import HEADINGS, LEGEND, tally, tally_row, tally_to_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table: cells under headings, and what they mean."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    legend: str


PARTS = ("bounces", "result", "moved", "foul", "side", "ball")


def evaluations_to_json(evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    """Each recording; all of balls, all of pins together; and how far confidences can be believed."""
    return {
        "videos": [_to_json(each) for each in evaluations],
        "total": {
            "calls": calls_to_json(count_calls(each.comparison for each in evaluations)),
            "balls": tally_to_json(tally(one for _, one in _balls(evaluations))),
            "pins": pin_tally_to_json(pin_tally(one for _, one in _pins(evaluations))),
        },
        "reliability": reliability_to_json(bins_of(evaluations)),
    }


def _to_json(each: Evaluation) -> dict[str, Any]:
    comparison, error_px = each.comparison, each.calibration_error_px
    if isinstance(comparison, Comparison):
        kind, counts = "balls", tally_to_json(tally([comparison]))
    else:
        kind, counts = "pins", pin_tally_to_json(pin_tally([comparison]))
    return {
        "file": str(each.video),
        "kind": kind,
        "calls": calls_to_json(count_calls([comparison])),
        **counts,
        "calibration_error_px": None if error_px is None else round(error_px, 3),
        "clicked": each.clicked,
        "warnings": list(each.warnings),
        "failure": each.failure,
        "remarks": remarks(each),
    }


def format_evaluations(evaluations: Sequence[Evaluation]) -> str:
    """The same as tables for people, and each call that is wrong or in doubt."""
    parts = [f"{format_table([each.headings, *each.rows])}\n\n{each.legend}" for each in sheets(evaluations)]
    if said := [f"{each.video.name}: {line}" for each in evaluations for line in remarks(each)]:
        parts.append("\n".join(said))
    return "\n\n".join(parts)


def sheets(evaluations: Sequence[Evaluation]) -> tuple[Sheet, ...]:
    """All calls, then balls and pins where there are recordings of them, then confidences."""
    balls, pins = _balls(evaluations), _pins(evaluations)
    kinds = (("throws", [one for _, one in balls]), ("taps", [one for _, one in pins]))
    calls = tuple(calls_row(name, count_calls(each)) for name, each in kinds if each)
    found = [Sheet(headings=CALL_HEADINGS, rows=calls, legend=CALL_LEGEND)]
    if balls:
        rows = [tally_row(name, tally([one])) for name, one in balls]
        total = [tally_row("total", tally(one for _, one in balls))] if len(balls) > 1 else []
        found.append(Sheet(headings=HEADINGS, rows=(*rows, *total), legend=LEGEND))
    if pins:
        rows = [pin_tally_row(name, pin_tally([one])) for name, one in pins]
        total = [pin_tally_row("total", pin_tally(one for _, one in pins))] if len(pins) > 1 else []
        found.append(Sheet(headings=PIN_HEADINGS, rows=(*rows, *total), legend=PIN_LEGEND))
    bins = tuple(map(reliability_row, bins_of(evaluations)))
    return (*found, Sheet(headings=BIN_HEADINGS, rows=bins, legend=BIN_LEGEND))


def _balls(evaluations: Sequence[Evaluation]) -> list[tuple[str, Comparison]]:
    """Recordings of balls by name."""
    return [(each.video.stem, each.comparison) for each in evaluations if isinstance(each.comparison, Comparison)]


def _pins(evaluations: Sequence[Evaluation]) -> list[tuple[str, PinComparison]]:
    """Recordings of pins by name."""
    return [(each.video.stem, each.comparison) for each in evaluations if isinstance(each.comparison, PinComparison)]


def bins_of(evaluations: Sequence[Evaluation]) -> tuple[Bin, ...]:
    return reliability(verdict for each in evaluations for verdict in verdicts(each.comparison))


def remarks(each: Evaluation) -> list[str]:
    """What is wrong or in doubt, call by call."""
    if each.failure:
        return [f"nothing seen: {each.failure}"]
    lines = [f"warning: {warning}" for warning in each.warnings]
    if each.clicked:
        lines.insert(0, f"calibrated by the true corners, since {each.clicked}")
    comparison = each.comparison
    return lines + list(_ball_remarks(comparison) if isinstance(comparison, Comparison) else _pin_remarks(comparison))


def _ball_remarks(comparison: Comparison) -> Iterator[str]:
    for shot in comparison.missed:
        yield f"{shot.t_s:.2f} s: the {shot.ball or shot.colour} shot was missed"
    for extra in comparison.invented:
        yield f"{extra.stamp.t_s or 0:.2f} s: a {extra.colour} shot that nobody threw ({_asked(extra.stamp.review)})"
    for found in comparison.found:
        yield from _shot_remark(found)
    if comparison.start_wrong or comparison.final_wrong:
        yield f"holes read wrongly: {comparison.start_wrong} at the start, {comparison.final_wrong} at the end"
    yield from _found_remarks(comparison.hands, "a ball taken or put by hand")
    yield from _found_remarks(comparison.bumps, "a knock to the camera")


def _shot_remark(found: FoundShot) -> Iterator[str]:
    wrong = [part for part in PARTS if not getattr(found, part)]
    if wrong or found.shot.stamp.review:
        said = f"has {', '.join(wrong)} wrong" if wrong else "is right"
        yield (
            f"{found.truth.t_s:.2f} s: the {found.truth.ball or found.truth.colour} shot {said}"
            f" ({_asked(found.shot.stamp.review)})"
        )


def _pin_remarks(comparison: PinComparison) -> Iterator[str]:
    for tap in comparison.missed:
        yield f"{tap.t_s:.2f} s: the tap was missed"
    for extra in comparison.invented:
        yield f"{extra.stamp.t_s or 0:.2f} s: a tap that nobody struck ({_asked(extra.stamp.review)})"
    for found in comparison.found:
        yield from _tap_remark(found)
    for missed in comparison.racks_missed:
        yield f"{missed.to_s:.2f} s: the set-up was missed"
    for rack in comparison.racks_invented:
        yield f"{rack.stamp.t_s or 0:.2f} s: a set-up that wasn't ({_asked(rack.stamp.review)})"
    for both in comparison.racks_found:
        yield from _rack_remark(both)
    for moment in comparison.settled:
        if not moment.is_exact:
            read = "no reading" if moment.seen is None else f"{moment.seen.standing} read as standing"
            yield f"{moment.truth.to_s:.2f} s: {read} where {moment.truth.standing} stood"
    yield from _found_remarks(comparison.bumps, "a knock to the camera")


def _found_remarks(found: Found, what: str) -> Iterator[str]:
    if found.found < found.true:
        yield f"{what} was missed, {counted(found.true - found.found, 'time')}"
    if found.invented:
        yield f"{what} that wasn't, {counted(found.invented, 'time')}"


def _tap_remark(found: FoundTap) -> Iterator[str]:
    wrong = [] if found.standing else [f"{found.tap.standing} instead of {found.truth.standing} standing"]
    if not found.direct_touch:
        wrong.append("a touch unseen" if found.truth.direct_touch else "a touch that wasn't")
    if wrong or found.tap.stamp.review:
        said = f"has {', '.join(wrong)}" if wrong else "is right"
        yield f"{found.truth.t_s:.2f} s: the tap {said} ({_asked(found.tap.stamp.review)})"


def _rack_remark(found: FoundRack) -> Iterator[str]:
    true, rack = found.truth, found.rack
    if not found.is_right or rack.stamp.review:
        said = f"{rack.standing} standing, {', '.join(rack.problems) or 'in order'}"
        truly = f"{true.standing or 'unknown'}, {', '.join(true.problems) or 'in order'}"
        yield f"{true.to_s:.2f} s: the set-up: {said}; in truth {truly} ({_asked(rack.stamp.review)})"


def _asked(review: str | None) -> str:
    return f"to review: {review}" if review else "not flagged"
