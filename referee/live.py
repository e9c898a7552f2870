"""Matches that people can follow: a running table, and a stored match without a camera."""

from referee.desk import Desk, Snapshot, Source

__all__ = ["Desk", "Snapshot", "Source"]
