"""How a command ends: its exit status, and what it says on the way out."""

import sys
from typing import Final

DONE: Final = 0
NOT_SO: Final = 1
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130
"""What shells expect of a program that Ctrl-C ended."""


def complain(message: str) -> None:
    """One line on standard error."""
    print("referee: " + " ".join(message.split()), file=sys.stderr)
