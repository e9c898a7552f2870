"""A match: the fold of a log's events through its game, after people's rulings were applied to the log."""

from referee.games.game import Call
from referee.match.corrections import corrected
from referee.match.history import LayoutFinder, Match, Standing, fold

__all__ = ["Call", "LayoutFinder", "Match", "Standing", "corrected", "fold"]
