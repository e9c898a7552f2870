"""From a log to the score: as JSON for programs, as a table for people."""

from dataclasses import dataclass
from pathlib import Path

from referee.events import Header
from referee.match import Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The score of a log file, and what was odd about the file."""

    standing: Standing
    warnings: tuple[str, ...]


def score_log(path: Path) -> Score:
    """Read a log and keep its score. Raises BadLog, BadHeader or BadLayout."""
    raise NotImplementedError


def standing_to_json(standing: Standing) -> dict[str, object]:
    """The object that ``referee score --json`` prints."""
    raise NotImplementedError


def scoreboard(standing: Standing, header: Header) -> str:
    """The score as people read it, several lines."""
    raise NotImplementedError
