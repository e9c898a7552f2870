"""A catalogue over a store of its own, and the commands over the same store."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from referee.catalogue import Catalogue
from referee.cli import main


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a command ended: exit status, standard output, lines of standard error."""

    status: int
    output: str
    complaints: list[str]


Referee = Callable[..., Ending]


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return Catalogue(tmp_path / "data")


@pytest.fixture
def referee(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Referee:
    """Run a command over the store, in a directory beside it."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    def run(*words: object) -> Ending:
        status = main([*map(str, words), "--data", str(tmp_path / "data")])
        printed = capsys.readouterr()
        return Ending(status=status, output=printed.out, complaints=printed.err.splitlines())

    return run
