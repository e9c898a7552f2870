"""A match: the fold of a log's events through its game. People's rulings are applied first; see ``corrected``."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calibration.layout import Layout
from referee.events import Event, Header
from referee.games.game import Call, Detail, Expected, Phase

__all__ = ["Call", "Corrected", "LayoutFinder", "Standing", "corrected", "fold"]

LayoutFinder = Callable[[Header], Layout | None]
"""Finds the layout that a header names; raises BadLayout, or BadHeader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a match stands. ``scores``: name and points in turn order; ``board``: hole and colour of balls in holes.

    ``header``, ``layout``: those in force, which a ruling may have replaced. ``Call.event`` is the line of the log
    (header: 0) that caused a call.
    """

    header: Header
    layout: Layout | None
    game: str
    phase: Phase
    turn: str | None
    scores: tuple[tuple[str, int], ...]
    winners: tuple[str, ...]
    board: tuple[tuple[str, str], ...]
    calls: tuple[Call, ...]
    detail: Detail
    expected: Expected


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A log as people corrected it: ``events[i]`` is line ``i + 1``, None where it was struck out."""

    header: Header
    layout: Layout | None
    events: tuple[Event | None, ...]


def corrected(
    header: Header, layout: Layout | None, events: Sequence[Event], find_layout: LayoutFinder | None = None
) -> Corrected:
    """The log with its rulings applied; a ruling that can't stand has become a BadEvent."""
    raise NotImplementedError


def fold(
    header: Header, layout: Layout | None, events: Sequence[Event], find_layout: LayoutFinder | None = None
) -> Standing:
    """The score of a log: its header, the layout that the header names, and the events of the lines after it.

    ``find_layout`` is asked only when a ruling replaces the header by one that names another layout; without it such a
    ruling is refused. Raises BadHeader when the first header can't start a match.
    """
    raise NotImplementedError
