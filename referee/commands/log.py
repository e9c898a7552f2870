"""``referee log``: event logs as people read them."""

from collections.abc import Sequence
from pathlib import Path

from hardware.errors import RefereeError
from referee.commands.endings import BAD_INPUT, DONE, complain
from referee.log import read_log
from referee.telling import tell_log


def run_log(*, logs: Sequence[Path]) -> int:
    """Each log in words; one that can't be read doesn't keep the others from being told, but makes it 2."""
    status = DONE
    for place, path in enumerate(logs):
        try:
            log = read_log(path)
            told = list(tell_log(log, path.parent))
        except RefereeError as error:
            complain(str(error))
            status = BAD_INPUT
            continue
        for warning in log.warnings:
            complain(f"warning: {warning} ({path})")
        if len(logs) > 1:
            print(f"\n{path}" if place else path)
        print("\n".join(told))
    return status
