"""Writing a file whole or not at all: a crash leaves the old one."""

import json
import os
import tempfile
from pathlib import Path

from calibration.errors import CantSave


def write_json(path: Path, value: object) -> None:
    """Write JSON for people to read. Raises CantSave."""
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    # A file name may hold what UTF-8 can't: it becomes JSON's own escape.
    write_whole(path, text.encode("utf-8", "backslashreplace"))


def write_whole(path: Path, data: bytes) -> None:
    """Write to a file beside the place and move it there when it is complete and on disk. Raises CantSave."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise CantSave(f"this file can't be written: {error.strerror}", str(path), "give another place") from error
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(0o644)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise CantSave(f"this file can't be written: {error.strerror}", str(path), "make room") from error
