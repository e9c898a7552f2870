"""The referee: sees what happens on the table, keeps the log, and counts by the rules of the game."""

__version__ = "0.1.0"
