"""Commands as people type them, and how they end."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from referee.cli import main


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a command ended: exit status, standard output, lines of standard error."""

    status: int
    output: str
    complaints: list[str]


Referee = Callable[..., Ending]
"""Runs a command, given its words."""


def ended(capsys: pytest.CaptureFixture[str], *words: object) -> Ending:
    status = main([str(word) for word in words])
    printed = capsys.readouterr()
    return Ending(status=status, output=printed.out, complaints=printed.err.splitlines())
