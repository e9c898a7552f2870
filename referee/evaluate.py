"""How good the referee is on recordings whose truth is known: calibrate, analyse, compare."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.errors import BadCalibration
from calibration.layout import Layout, load_layout
from referee.analysis import analyse
from referee.columns import format_table
from referee.commands.tables import calibrate_source
from referee.comparison import Comparison, compare
from referee.events import Header
from referee.tally import HEADINGS, LEGEND, tally, tally_row, tally_to_json
from referee.truth import BadTruth, Truth, load_truth


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """One recording against its truth; ``failure``: why nothing could be seen in it, when its shots are all missed."""

    video: Path
    comparison: Comparison
    calibration_error_px: float | None
    warnings: tuple[str, ...]
    failure: str | None


def evaluate(video: Path, progress: Callable[[float], None] | None = None) -> Evaluation:
    """Let the referee see a recording as a user's would be seen, then compare its log with the truth beside it.

    The layout is the one that the truth names. Without markers in view the truth's board corners, rounded to whole
    pixels, stand in for the clicks of a user; nothing else of the truth reaches the referee. Raises BadTruth, and
    whatever a recording that can't be read raises.
    """
    truth = load_truth(video)
    layout = find_layout(video, truth.layout)
    try:
        table = calibrate_source(str(video), layout, corners_px=clicks(truth))
        analysis = analyse(str(video), table=table, header=Header(layout=layout.name), progress=progress)
    except BadCalibration as error:
        return Evaluation(
            video=video,
            comparison=compare(truth, ()),
            calibration_error_px=None,
            warnings=(),
            failure=str(error),
        )
    return Evaluation(
        video=video,
        comparison=compare(truth, analysis.events),
        calibration_error_px=table.error_px,
        warnings=analysis.warnings,
        failure=None,
    )


def find_layout(video: Path, name: str) -> Layout:
    """The layout file that a truth names: in ``layouts`` beside the video, or one directory up. Raises BadTruth."""
    places = [directory / "layouts" / f"{name}.layout.json" for directory in (video.parent, video.parent / "..")]
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise BadTruth(f"layout {name!r} is not there", str(places[0]), "put the layout file there")
    return load_layout(str(path))


def clicks(truth: Truth) -> tuple[tuple[float, float], ...] | None:
    """What a user would click: the board's corners to whole pixels, where no markers lie."""
    return None if truth.has_markers else tuple((float(round(x)), float(round(y))) for x, y in truth.corners_px)


def evaluations_to_json(evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    """Each recording, and all together."""
    return {
        "videos": [
            {
                "file": str(each.video),
                **tally_to_json(tally([each.comparison])),
                "calibration_error_px": None
                if each.calibration_error_px is None
                else round(each.calibration_error_px, 3),
                "warnings": list(each.warnings),
                "failure": each.failure,
            }
            for each in evaluations
        ],
        "total": tally_to_json(tally(each.comparison for each in evaluations)),
    }


def format_evaluations(evaluations: Sequence[Evaluation]) -> str:
    """The same as a table for people, and what went wrong where."""
    rows = [HEADINGS, *(tally_row(each.video.stem, tally([each.comparison])) for each in evaluations)]
    if len(evaluations) > 1:
        rows.append(tally_row("total", tally(each.comparison for each in evaluations)))
    remarks = [f"{each.video.name}: {line}" for each in evaluations for line in _remarks(each)]
    return "\n".join([format_table(rows), "", LEGEND, *(["", *remarks] if remarks else [])])


def _remarks(each: Evaluation) -> list[str]:
    """What is wrong, shot by shot."""
    if each.failure:
        return [f"nothing seen: {each.failure}"]
    lines = [f"warning: {warning}" for warning in each.warnings]
    for shot in each.comparison.missed:
        lines.append(f"{shot.t_s:.2f} s: the {shot.colour} shot was missed")
    for extra in each.comparison.invented:
        lines.append(f"{extra.stamp.t_s or 0:.2f} s: a {extra.colour} shot that nobody threw")
    for found in each.comparison.found:
        parts = ("bounces", "result", "moved", "foul", "side")
        if wrong := [part for part in parts if not getattr(found, part)]:
            asked = "asked for review" if found.shot.stamp.review else "not flagged"
            lines.append(
                f"{found.truth.t_s:.2f} s: the {found.truth.colour} shot has {', '.join(wrong)} wrong ({asked})"
            )
    return lines
