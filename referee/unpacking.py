"""Taking a parcel into a store. It may come from anybody: nothing in it is believed before it was looked at."""

import hashlib
import json
import os
import shutil
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from calibration.layout import layout_from_json
from calibration.record import read_json
from calibration.table import load_table
from hardware.errors import RefereeError
from referee.durable import flush_directory, flush_file
from referee.errors import BadParcel, BadStore, MatchStored, NoMatch
from referee.log import Log, layout_of, read_log
from referee.parcel import (
    CONTENTS,
    LAYOUT,
    LOG,
    MOST_FILES,
    SOURCE,
    TABLE,
    Contents,
    Item,
    check_sizes,
    layout_file,
)
from referee.recording import Origin, load_origin, save_origin
from referee.score import standing_of
from referee.store import MatchFolder, Store

CHUNK_BYTES: Final = 1024**2
SPARE_BYTES: Final = 64 * 1024**2
"""What must stay free on the disk, so that a match that is being played can go on."""

ENCRYPTED: Final = 1
# The record at an archive's end: its mark, two numbers of parts, entries here and in all, the list's size and place,
# the length of a remark (PKWARE, APPNOTE.TXT, 4.3.16). Before it stands the mark of a large archive, if it is one.
ENDING: Final = struct.Struct("<4s4H2LH")
ENDING_MARK: Final = b"PK\x05\x06"
LARGE_MARK: Final = b"PK\x06\x07"
LARGE_MARK_BYTES: Final = 20
LONGEST_ENTRY_BYTES: Final = 512

DAMAGED: Final = (BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, LookupError, struct.error)
"""What reading a damaged archive may end with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpacked:
    """A match that was taken in, and what is odd about it."""

    folder: MatchFolder
    lines: int
    warnings: tuple[str, ...]


def unpack(path: Path, store: Store) -> Unpacked:
    """Take the match in a parcel into a store: whole, or not at all.

    Raises BadParcel (no parcel, damaged, of a newer version, too large, or not what it says), MatchStored, BadStore.
    """
    with _opened(path) as archive:
        contents = _contents(archive, path)
        _check_is_new(contents, store)
        _check_room(contents, store)
        warnings: list[str] = []
        lines = 0

        def fill(folder: Path) -> None:
            nonlocal lines
            for item in contents.items:
                _extract(archive, item, folder / item.name, path)
            try:
                log = _examine(folder, warnings)
            except RefereeError as error:
                # People know the file that they gave, not where it was looked at.
                said = str(error).replace(str(folder), str(path))
                raise BadParcel(f"what is in it can't be used, {said}", str(path), "nothing was changed") from error
            lines = len(log.events)

        folder = store.add(contents.match_id, fill)
    return Unpacked(folder=folder, lines=lines, warnings=tuple(warnings))


@contextmanager
def _opened(path: Path) -> Iterator[ZipFile]:
    try:
        with path.open("rb") as file:
            _check_ending(file, path)
            with ZipFile(file) as archive:
                yield archive
    except RefereeError:
        raise
    except DAMAGED as error:
        raise BadParcel("this file is damaged, or no exported match", str(path), "export the match anew") from error
    except OSError as error:
        raise BadParcel(f"this file can't be read, {error.strerror or error}", str(path), "name another") from error


def _check_ending(file: IO[bytes], path: Path) -> None:
    """Refuse an archive with a huge list of files before that list is read into memory."""
    file_bytes = file.seek(0, os.SEEK_END)
    tail_bytes = ENDING.size + LARGE_MARK_BYTES
    file.seek(max(0, file_bytes - tail_bytes))
    tail = file.read().rjust(tail_bytes, b"\0")
    mark, _, _, _, count, list_bytes, _, remark_bytes = ENDING.unpack(tail[-ENDING.size :])
    if mark != ENDING_MARK or remark_bytes:
        raise BadParcel("this file is no exported match, or its end is missing", str(path), "export the match anew")
    if count > MOST_FILES + 1 or list_bytes > MOST_FILES * LONGEST_ENTRY_BYTES or tail.startswith(LARGE_MARK):
        raise BadParcel("there are more files in it than any match has", str(path), "it is no match's file")


def _contents(archive: ZipFile, path: Path) -> Contents:
    """What the parcel says is in it, after a look at whether it can be so."""
    entries = [entry for entry in archive.infolist() if not _is_clips_folder(entry)]
    check_sizes([(entry.filename, entry.file_size) for entry in entries], str(path))
    sizes = {entry.filename: entry.file_size for entry in entries}
    if sizes.pop(CONTENTS, None) is None:
        raise BadParcel("this archive is no exported match", str(path), "make one with referee export")
    for entry in entries:
        if entry.flag_bits & ENCRYPTED or entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise BadParcel(f"{entry.filename} in it can't be unpacked", str(path), "export the match anew")
    contents = Contents.from_json(json.loads(archive.read(CONTENTS)), f"{path}: {CONTENTS}")
    if len(contents.items) != len(sizes) or {item.name: item.size_bytes for item in contents.items} != sizes:
        raise BadParcel("it doesn't hold the files that it should", str(path), "export the match anew")
    if LOG not in sizes:
        raise BadParcel("there is no log in it", str(path), "export the match anew")
    return contents


def _is_clips_folder(entry: ZipInfo) -> bool:
    """Other programs write an entry for the directory, too."""
    return entry.filename == "clips/" and entry.file_size == 0


def _check_is_new(contents: Contents, store: Store) -> None:
    try:
        folder = store.folder(contents.match_id)
    except NoMatch:
        return
    stored = hashlib.sha256(folder.log_path.read_bytes()).hexdigest() if folder.log_path.is_file() else ""
    is_same = stored == next(item.sha256 for item in contents.items if item.name == LOG)
    which = "this match is stored already" if is_same else "this match is stored already, with another log"
    raise MatchStored(which, str(folder.path), "nothing was changed; to take this one, move that one away first")


def _check_room(contents: Contents, store: Store) -> None:
    place = store.path
    while not place.exists() and place != place.parent:
        place = place.parent
    needed = sum(item.size_bytes for item in contents.items)
    if shutil.disk_usage(place).free < needed + SPARE_BYTES:
        raise BadStore("there is no room for this match", str(place), f"make {needed / 1024**2:.0f} MiB free and more")


def _extract(archive: ZipFile, item: Item, target: Path, path: Path) -> None:
    digest, size_bytes = hashlib.sha256(), 0
    with archive.open(item.name) as packed, target.open("xb") as file:
        while chunk := packed.read(CHUNK_BYTES):
            digest.update(chunk)
            size_bytes += len(chunk)
            file.write(chunk)
    if (size_bytes, digest.hexdigest()) != (item.size_bytes, item.sha256):
        raise BadParcel(f"{item.name} in it is damaged", str(path), "export the match anew")
    flush_file(target)


def _examine(folder: Path, warnings: list[str]) -> Log:
    """Read all that was unpacked and bring it into the form of the store. Raises RefereeError."""
    log = read_log(folder / LOG)
    warnings += log.warnings
    _settle_layout(folder, log, warnings)
    if (folder / TABLE).exists():
        load_table(folder / TABLE)
    if (folder / SOURCE).exists():
        # Wherever the recording is said to be: that is a file of another computer.
        save_origin(Origin(name=load_origin(folder / SOURCE).name), folder / SOURCE)
    if not (folder / TABLE).exists() or not (folder / SOURCE).exists():
        warnings.append("there is no table file or no source in it: the match can be scored but not shown")
    if log.header.game is not None:
        try:
            standing_of(log, folder)
        except RefereeError as error:
            warnings.append(f"it can't be scored here, {error}")
    flush_directory(folder / "clips")
    return log


def _settle_layout(folder: Path, log: Log, warnings: list[str]) -> None:
    """Give the layout the name by which the log calls it; one that the log doesn't need only serves to compare."""
    packed = folder / LAYOUT
    beside = layout_file(log, LOG)
    remedy = "export the match anew"
    if beside is not None:
        layout_from_json(read_json(packed, BadParcel, remedy), LAYOUT)
        packed.rename(folder / beside)
    elif packed.exists():
        layout = layout_from_json(read_json(packed, BadParcel, remedy), LAYOUT)
        packed.unlink()
        if layout != layout_of(log.header, folder):
            warnings.append(f"the board {layout.name} is another one in this version of the program: scores may differ")
