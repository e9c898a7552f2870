"""The results of all matches as a table for other programs: CSV as in RFC 4180, one line a player and match."""

import csv
import io
from collections.abc import Iterable
from typing import Final

from referee.survey import Entry, Result

COLUMNS: Final = ("match", "begun", "game", "phase", "player", "seat", "score", "won")
# What spreadsheets take for the beginning of a formula, also in the wide letters of East Asian keyboards; and the
# apostrophe itself, so that what was guarded can be told from what was so.
FORMULA: Final = tuple(
    "=+-@'\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}"
)


def results_csv(entries: Iterable[Entry]) -> str:
    """The table with its headings; matches without results give no line. Lines end with CR LF, as the RFC has it.

    ``begun`` is ISO 8601 in UTC; ``won``: yes or no, empty while the match is not finished. Texts that a spreadsheet
    would take for a formula are guarded by an apostrophe before them.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for entry in entries:
        for result in entry.results:
            writer.writerow(_cells(entry, result))
    return out.getvalue()


def _cells(entry: Entry, result: Result) -> list[str]:
    won = "" if entry.phase != "finished" else "yes" if result.has_won else "no"
    texts = [
        entry.match_id,
        "" if entry.begun is None else f"{entry.begun:%Y-%m-%dT%H:%M:%SZ}",
        guarded(entry.game or ""),
        entry.phase or "",
        guarded(result.player),
        result.seat or "",
        # A number is one, also where it begins with a minus.
        str(result.score),
        won,
    ]
    return texts


def guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula; ``unguarded`` gives it back."""
    return f"'{text}" if text.lstrip().startswith(FORMULA) or text[:1].isspace() else text


def unguarded(text: str) -> str:
    return text.removeprefix("'")
