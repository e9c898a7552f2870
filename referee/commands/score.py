"""``referee score``: event logs to scores, by the rules alone."""

import json
from collections.abc import Sequence
from pathlib import Path

from hardware.errors import RefereeError
from referee.commands.endings import BAD_INPUT, DONE, complain
from referee.score import score_log, scoreboard, standing_to_json


def run_score(*, logs: Sequence[Path], as_json: bool) -> int:
    """The score of each log; one that can't be read doesn't keep the others from theirs, but makes it 2."""
    status = DONE
    for path in logs:
        try:
            score = score_log(path)
        except RefereeError as error:
            complain(str(error))
            status = BAD_INPUT
            continue
        for warning in score.warnings:
            complain(f"warning: {warning} ({path})")
        if as_json:
            print(json.dumps(standing_to_json(score.standing)))
        else:
            heading = f"{path}\n" if len(logs) > 1 else ""
            print(heading + scoreboard(score.standing))
    return status
