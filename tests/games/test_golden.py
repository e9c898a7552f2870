"""Whole matches stay as they were ruled; see ``golden.py``."""

from pathlib import Path

import pytest

from referee.games import GAMES
from referee.log import read_log
from tests.games.golden import logs, states_of


@pytest.mark.parametrize("log", logs(), ids=lambda path: path.stem)
def test_a_golden_match_says_the_same_after_every_line(log: Path) -> None:
    assert states_of(log) == log.with_suffix(".txt").read_text(encoding="utf-8")


def test_every_game_has_a_golden_match() -> None:
    assert {read_log(log).header.game for log in logs()} == {game.name for game in GAMES}
