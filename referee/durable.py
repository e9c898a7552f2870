"""Files that are whole or not there at all, also after a power cut."""

import os
from contextlib import suppress
from itertools import count
from pathlib import Path

_temporary_names = count()


def write_whole(path: Path, text: str) -> None:
    """Write a text file so that a crash leaves the old content or the new one, never half of it. Raises OSError."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{next(_temporary_names)}")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        flush_directory(path.parent)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def flush_file(path: Path) -> None:
    """Bring what was written to a file onto the disk."""
    _flush(path, os.O_RDONLY)


def flush_directory(path: Path) -> None:
    """Bring a directory's entries (new, renamed, removed files) onto the disk."""
    _flush(path, os.O_RDONLY | os.O_DIRECTORY)


def _flush(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
