"""A command of the command line, as it is registered."""

from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass

from referee.commands.options import Parser


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command: its name, what it does, examples, the options it takes and the function that runs it."""

    name: str
    summary: str
    examples: str
    options: tuple[Callable[[Parser], None], ...]
    run: Callable[[Namespace], int]
