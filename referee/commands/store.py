"""``referee store``: what is stored, whether it is in order, and its index made anew."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from referee.catalogue import Catalogue
from referee.checkup import check_store
from referee.columns import format_table, printable
from referee.commands.endings import DONE, NOT_SO, complain
from referee.commands.progress import progress_bar
from referee.counted import counted
from referee.games import GAMES
from referee.survey import Entry

HEADINGS: Final = ("match", "begun", "game", "state", "players")


def run_store(*, action: str, data_dir: Path, as_json: bool) -> int:
    """Do one of ``ACTIONS``. Raises RefereeError."""
    return ACTIONS[action](Catalogue(data_dir), as_json)


def _list(catalogue: Catalogue, as_json: bool) -> int:
    """All matches, newest first; 0 also where there are none."""
    with progress_bar("reading") as progress:
        listing = catalogue.listing(progress)
    if listing.remark is not None:
        complain(f"warning: {listing.remark}")
    newest_first = tuple(reversed(listing.entries))
    if as_json:
        print(json.dumps({"matches": [entry_to_json(entry) for entry in newest_first]}))
    elif newest_first:
        print(format_table([HEADINGS, *map(_row, newest_first)]))
    else:
        print(f"no matches are stored in {catalogue.store.path}")
    return DONE


def _rebuild(catalogue: Catalogue, as_json: bool) -> int:
    """Make the index anew; matches that can't be scored are named, but don't make it fail."""
    with progress_bar("reading") as progress:
        entries = catalogue.rebuild(progress)
    faults = [entry for entry in entries if entry.fault is not None]
    if as_json:
        print(json.dumps({"matches": len(entries), "faults": {entry.match_id: entry.fault for entry in faults}}))
        return DONE
    lines = sum(entry.lines for entry in entries)
    print(f"the index knows {counted(len(entries), 'match', 'matches')} with {counted(lines, 'event')} now")
    for entry in faults:
        print(printable(f"{entry.match_id} can't be scored: {entry.fault}"))
    return DONE


def _check(catalogue: Catalogue, as_json: bool) -> int:
    """Look through everything; 1 when something is not in order."""
    with progress_bar("checking") as progress:
        checkup = check_store(catalogue, progress)
    findings = checkup.findings
    if as_json:
        found = [{"name": finding.name, "wrong": finding.wrong} for finding in findings]
        print(json.dumps({"matches": checkup.matches, "findings": found}))
    else:
        for finding in findings:
            print(printable(f"{finding.name}: {finding.wrong}"))
        seen = f"{counted(checkup.matches, 'match', 'matches')} looked at"
        print(f"{seen}: " + (counted(len(findings), "finding") if findings else "all in order"))
    return NOT_SO if findings else DONE


ACTIONS: Final[Mapping[str, Callable[[Catalogue, bool], int]]] = {"list": _list, "check": _check, "rebuild": _rebuild}


def entry_to_json(entry: Entry) -> dict[str, object]:
    """A match in short, for programs."""
    return {
        "match": entry.match_id,
        "begun": None if entry.begun is None else entry.begun.isoformat(),
        "game": entry.game,
        "phase": entry.phase,
        "source": entry.source,
        "events": entry.lines,
        "scores": {result.player: result.score for result in entry.results},
        "winners": [result.player for result in entry.results if result.has_won],
        "clips": len(entry.clips),
        "warnings": list(entry.warnings),
        "fault": entry.fault,
    }


def _row(entry: Entry) -> Sequence[str]:
    begun = "" if entry.begun is None else f"{entry.begun.astimezone():%Y-%m-%d %H:%M}"
    title = next((game.title for game in GAMES if game.name == entry.game), entry.game or "")
    if entry.fault is not None:
        cells = [entry.match_id, begun, title, "can't be scored", entry.fault]
    else:
        players = ", ".join(
            f"{result.player} {result.score}" + (" (won)" if result.has_won else "") for result in entry.results
        )
        cells = [entry.match_id, begun, title, entry.phase or "no game", players]
    return [printable(cell) for cell in cells]
