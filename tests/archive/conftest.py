"""A catalogue over a store of its own."""

from pathlib import Path

import pytest

from referee.catalogue import Catalogue


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return Catalogue(tmp_path / "data")
