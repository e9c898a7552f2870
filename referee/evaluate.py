"""How good the referee is on recordings whose truth is known: calibrate, analyse, compare."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.errors import BadCalibration
from calibration.layout import Layout, load_layout
from calibration.table import Table
from referee.analysis import analyse
from referee.commands.tables import calibrate_source
from referee.comparison import Comparison, compare
from referee.events import Event, Header
from referee.pin_comparison import PinComparison, compare_pins
from referee.pin_truth import PinTruth
from referee.truth import BadTruth, Truth, load_truth


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """One recording against its truth.

    ``clicked``: why its layout wasn't found without help, so that true corners stood in for a user's clicks;
    ``failure``: why nothing could be seen in it, when all calls are missed.
    """

    video: Path
    comparison: Comparison | PinComparison
    calibration_error_px: float | None = None
    clicked: str | None = None
    warnings: tuple[str, ...] = ()
    failure: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """A recording's table; ``clicked``: why true corners had to help."""

    table: Table
    clicked: str | None


def evaluate(video: Path, progress: Callable[[float], None] | None = None) -> Evaluation:
    """Let the referee see a recording as a user's would be seen, then compare its log with the truth beside it.

    The layout is the one that the truth names; of the truth nothing else reaches the referee, except as
    ``calibrate_recording`` says. Raises BadTruth, and whatever a recording that can't be read raises.
    """
    truth = load_truth(video)
    try:
        calibrated = calibrate_recording(video, truth)
    except BadCalibration as error:
        return Evaluation(video=video, comparison=compare_any(truth, ()), failure=str(error))
    table = calibrated.table
    analysis = analyse(str(video), table=table, header=Header(layout=table.layout.name), progress=progress)
    return Evaluation(
        video=video,
        comparison=compare_any(truth, analysis.events),
        calibration_error_px=table.error_px,
        clicked=calibrated.clicked,
        warnings=analysis.warnings,
    )


def calibrate_recording(video: Path, truth: Truth) -> Calibrated:
    """Find the layout as for any user; where that fails, the true corners stand in for a user's clicks.

    They are rounded to whole pixels, as clicks are. Raises BadTruth, and BadCalibration where they don't help.
    """
    layout = find_layout(video, truth.layout)
    try:
        return Calibrated(table=calibrate_source(str(video), layout), clicked=None)
    except BadCalibration as error:
        clicks = tuple((float(round(x)), float(round(y))) for x, y in truth.corners_px)
        return Calibrated(table=calibrate_source(str(video), layout, corners_px=clicks), clicked=str(error))


def compare_any(truth: Truth, events: Sequence[Event]) -> Comparison | PinComparison:
    """A log against the truth of balls or of pins."""
    return compare_pins(truth, events) if isinstance(truth, PinTruth) else compare(truth, events)


def find_layout(video: Path, name: str) -> Layout:
    """The layout file that a truth names: in ``layouts`` beside the video, or one directory up. Raises BadTruth."""
    places = [directory / "layouts" / f"{name}.layout.json" for directory in (video.parent, video.parent / "..")]
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise BadTruth(f"layout {name!r} is not there", str(places[0]), "put the layout file there")
    return load_layout(str(path))
