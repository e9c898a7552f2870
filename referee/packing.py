"""Packing a stored match into a parcel."""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from calibration.errors import CantSave
from calibration.layout import layout_to_json
from referee.durable import flush_directory
from referee.log import Log, layout_of
from referee.parcel import CLIP, CONTENTS, LAYOUT, LOG, SOURCE, TABLE, Contents, Item, check_sizes, layout_file
from referee.recording import Origin, origin_to_json
from referee.store import MatchFolder
from referee.survey import begun_at

CHUNK_BYTES: Final = 1024**2
OLDEST: Final = (1980, 1, 1, 0, 0, 0)
"""The first time that a ZIP archive can hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """A file to be packed: what is in it, or where that is."""

    name: str
    content: bytes | Path

    def chunks(self) -> Iterator[bytes]:
        if isinstance(self.content, bytes):
            yield self.content
            return
        with self.content.open("rb") as file:
            while chunk := file.read(CHUNK_BYTES):
                yield chunk

    def item(self) -> Item:
        digest, size_bytes = hashlib.sha256(), 0
        for chunk in self.chunks():
            digest.update(chunk)
            size_bytes += len(chunk)
        return Item(name=self.name, size_bytes=size_bytes, sha256=digest.hexdigest())


def pack(folder: MatchFolder, out: Path) -> Contents:
    """Write a match into a file, whole or not at all; the same match always gives the same file.

    It may be in play: then the parcel holds what has happened so far. Raises BadLog, BadHeader, BadLayout, BadTable or
    NoMatch when the match can't be read, BadParcel when it can't be moved, CantSave.
    """
    log = folder.log()
    files = _files(folder, log)
    contents = Contents(match_id=folder.id, items=tuple(file.item() for file in files))
    check_sizes([(item.name, item.size_bytes) for item in contents.items], str(folder.path))
    first = _File(name=CONTENTS, content=_json_bytes(contents.to_json()))
    begun = begun_at(folder.id)
    time = OLDEST if begun is None else max(OLDEST, begun.timetuple()[:6])
    try:
        _write([first, *files], out, time)
    except OSError as error:
        raise CantSave(f"this file can't be written: {error.strerror}", str(out), "give another place") from error
    return contents


def _files(folder: MatchFolder, log: Log) -> list[_File]:
    files = [_File(name=LOG, content=folder.log_path.read_bytes())]
    beside = layout_file(log, str(folder.log_path))
    layout = layout_of(log.header, folder.path)
    if beside is not None:
        files.append(_File(name=LAYOUT, content=(folder.path / beside).read_bytes()))
    elif layout is not None:
        files.append(_File(name=LAYOUT, content=_json_bytes(layout_to_json(layout))))
    table = folder.path / TABLE
    if table.exists():
        folder.table()
        files.append(_File(name=TABLE, content=table.read_bytes()))
    if (folder.path / SOURCE).exists():
        name = folder.origin().name
        files.append(_File(name=SOURCE, content=_json_bytes(origin_to_json(Origin(name=name)))))
    clips = sorted(folder.clips_path.glob("*.mp4")) if folder.clips_path.is_dir() else []
    named = [_File(name=f"clips/{path.name}", content=path) for path in clips]
    return files + [clip for clip in named if CLIP.fullmatch(clip.name)]


def _write(files: list[_File], out: Path, time: tuple[int, int, int, int, int, int]) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{out.name}.", dir=out.parent)
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as target:
            with ZipFile(target, "w", allowZip64=False) as parcel:
                for file in files:
                    entry = ZipInfo(file.name, date_time=time)
                    # Films are as small as they get.
                    entry.compress_type = ZIP_STORED if CLIP.fullmatch(file.name) else ZIP_DEFLATED
                    entry.external_attr = 0o644 << 16
                    with parcel.open(entry, "w") as packed:
                        for chunk in file.chunks():
                            packed.write(chunk)
            target.flush()
            os.fsync(target.fileno())
        beside.chmod(0o644)
        beside.replace(out)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    flush_directory(out.parent)


def _json_bytes(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    return text.encode("utf-8", "backslashreplace")
