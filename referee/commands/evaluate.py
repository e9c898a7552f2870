"""``referee evaluate``: how good the calls are on recordings whose truth is known."""

import json
from collections.abc import Sequence
from pathlib import Path

from referee.commands.endings import DONE, NOT_SO
from referee.commands.progress import progress_bar
from referee.evaluate import evaluate
from referee.evaluation_report import evaluations_to_json, format_evaluations
from referee.truth import load_truth


def run_evaluate(*, videos: Sequence[Path], as_json: bool) -> int:
    """Each video against its truth, and all in total; 1 where nothing could be seen in one."""
    for video in videos:
        load_truth(video)  # what is missing is told now, not after the videos before it
    evaluations = []
    for video in videos:
        with progress_bar(video.name) as progress:
            evaluations.append(evaluate(video, progress))
    print(json.dumps(evaluations_to_json(evaluations)) if as_json else format_evaluations(evaluations))
    return NOT_SO if any(each.failure for each in evaluations) else DONE
