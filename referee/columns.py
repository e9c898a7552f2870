"""Tables as people read them on a terminal."""

from collections.abc import Sequence
from typing import Final

JOINERS: Final = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
"""What some scripts and emblems need within a name."""


def format_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells as aligned columns, the first row being the headings."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def printable(text: str) -> str:
    """A text of unknown origin as it may go to a terminal: nothing in it can move the cursor or change colours."""
    return "".join(
        letter if letter.isprintable() or letter in JOINERS else "\N{REPLACEMENT CHARACTER}" for letter in text
    )
