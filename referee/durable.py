"""Bringing what was written onto the disk, so that a power cut does not take it back."""

import os
from pathlib import Path


def flush_file(path: Path) -> None:
    """Bring a file's content onto the disk. Raises OSError."""
    _flush(path, os.O_RDONLY)


def flush_directory(path: Path) -> None:
    """Bring a directory's entries (new, renamed, removed files) onto the disk. Raises OSError."""
    _flush(path, os.O_RDONLY | os.O_DIRECTORY)


def _flush(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
