"""Questions to whoever sits at the terminal."""

import sys
from collections.abc import Callable
from typing import Final, TypeVar

from hardware.errors import RefereeError
from referee.commands.arguments import BadUsage

T = TypeVar("T")

NO_MORE: Final = "answer the questions, or give --game, --players, --layout and --option"


def can_ask() -> bool:
    """Whether there is somebody to ask."""
    return sys.stdin.isatty()


def is_shown() -> bool:
    """Whether standard output is read by somebody, and not kept in a file."""
    return sys.stdout.isatty()


def ask(question: str, read: Callable[[str], T], default: str = "") -> T:
    """Put a question until its answer can be read; an empty answer stands for the default.

    Questions and complaints go to standard error, so that standard output can be kept. Raises BadUsage when there are
    no more answers.
    """
    while True:
        answer = _answer(f"{question} [{default}]: " if default else f"{question}: ") or default
        try:
            return read(answer)
        except RefereeError as error:
            print(f"  {error}", file=sys.stderr)


def _answer(prompt: str) -> str:
    print(prompt, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        print(file=sys.stderr)
        raise BadUsage("the answers ended early", "standard input", NO_MORE)
    return line.strip()
