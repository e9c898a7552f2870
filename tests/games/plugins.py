"""Packages that bring games along, installed for a while."""

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from referee.games.installed import load_installed

SKITTLES = {"skittles": "tests.games.skittles:GAME"}


@contextmanager
def installed(folder: Path, games: Mapping[str, str], package: str = "own-games") -> Iterator[None]:
    """In the block, a package is installed whose entry points name these games."""
    info = folder / f"{package.replace('-', '_')}-1.5.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.5\n")
    lines = "".join(f"{name} = {value}\n" for name, value in games.items())
    (info / "entry_points.txt").write_text(f"[referee.games]\n{lines}")
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    load_installed.cache_clear()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        load_installed.cache_clear()
