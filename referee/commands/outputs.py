"""Where logs of analysed recordings go, checked before hours of work are spent on them."""

import os
from collections.abc import Sequence
from pathlib import Path

from hardware.errors import RefereeError
from referee.commands.arguments import BadUsage
from referee.events import Note, Ruling
from referee.log import read_log


def log_paths(videos: Sequence[str], output: Path | None) -> list[Path]:
    """One log for each video: NAME.jsonl here or in the directory ``output``, or for one video the file ``output``.

    Makes the directory when it is missing. Raises BadUsage: two logs of one name, no such place, no permission, or a
    log there that people have put their rulings into.
    """
    if output is None:
        paths = [Path(Path(video).stem + ".jsonl") for video in videos]
    elif len(videos) == 1 and not output.is_dir():
        paths = [output]
    else:
        if not output.exists() and output.parent.is_dir():
            output.mkdir()
        paths = [output / (Path(video).stem + ".jsonl") for video in videos]
    for i, path in enumerate(paths):
        if path in paths[:i]:
            raise BadUsage("two videos would write the same log", str(path), "analyse them one by one with -o")
        _check_place(path)
    return paths


def partial_path(path: Path) -> Path:
    """Where the log of an interrupted analysis goes, so that nobody takes it for a whole one."""
    return path.with_name(f"{path.stem}.partial.jsonl")


def check_output(path: Path) -> None:
    """Raise BadUsage when a file can't be written there."""
    if not path.parent.is_dir():
        raise BadUsage("there is no such directory", str(path.parent), "make it, or choose another with -o")
    if not os.access(path.parent, os.W_OK):
        raise BadUsage("this user may not write there", str(path.parent), "choose another place with -o")
    if path.exists() and not path.is_file():
        raise BadUsage("what is there is no file", str(path), "name another with -o")


def _check_place(path: Path) -> None:
    check_output(path)
    if not path.is_file():
        return
    try:
        events = read_log(path).events
    except RefereeError:
        return  # no log, or a broken one: nothing of anybody's is lost
    if any(isinstance(event, Ruling | Note) for event in events):
        raise BadUsage(
            "the log there holds people's rulings, which would be lost", str(path), "choose another with -o, or move it"
        )
