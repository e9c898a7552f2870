"""A store in a directory of its own, and a recording of 30 pictures a second."""

from pathlib import Path

import pytest

from referee.store import Store
from tests.live.scene import even_times, write_recording


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "data")


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return write_recording(tmp_path / "game.mp4", even_times(90))
