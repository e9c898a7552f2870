"""How a command ends: its exit status, and what it says on the way out."""

import sys
from typing import Final

DONE: Final = 0
NOT_SO: Final = 1
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130
"""What shells expect of a program that Ctrl-C ended."""


def complain(message: str) -> None:
    """One line on standard error; what can't be seen, such as a terminal's commands in a name, as escapes."""
    line = " ".join(message.split())
    seen = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line)
    print(f"referee: {seen}", file=sys.stderr)
