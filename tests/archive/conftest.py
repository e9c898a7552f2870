"""A catalogue over a store of its own, and the commands over the same store."""

from pathlib import Path

import pytest

from referee.catalogue import Catalogue
from tests.ending import Ending, Referee, ended


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return Catalogue(tmp_path / "data")


@pytest.fixture
def referee(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Referee:
    """Run a command over the store, in a directory beside it."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    def run(*words: object) -> Ending:
        return ended(capsys, *words, "--data", tmp_path / "data")

    return run
