"""A match as one file, a parcel: a ZIP archive with its log, its board and its clips that says what must be in it.

match.json      the kind of file, its version, the match's name, and size and SHA-256 of every other file
events.jsonl    the log, byte for byte
layout.json     the board that the log names
table.json      the board as the camera saw it
source.json     what the match was seen by; not where its recording is, which is nobody else's business
clips/*.mp4     the replays that were cut
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self

from calibration.layout import BUILT_IN
from calibration.record import Record
from referee.errors import BadParcel
from referee.events import Event, Header, Ruling
from referee.log import Log
from referee.store import MATCH_ID

KIND: Final = "match-parcel"
VERSION: Final = 1

CONTENTS: Final = "match.json"
LOG: Final = "events.jsonl"
LAYOUT: Final = "layout.json"
TABLE: Final = "table.json"
SOURCE: Final = "source.json"
CLIP: Final = re.compile(r"clips/\d{8,12}-\d{8,12}\.mp4", re.ASCII)

# No evening comes near these; what is beyond them is an accident or an attack.
MOST_FILES: Final = 5_000
MOST_LOG_BYTES: Final = 64 * 1024**2
MOST_JSON_BYTES: Final = 4 * 1024**2
MOST_CLIP_BYTES: Final = 256 * 1024**2
# What a ZIP archive holds without the extensions for large ones.
MOST_BYTES: Final = 2_000_000_000

# A layout file that lies beside the log.
PLAIN_NAME: Final = re.compile(r"[\w-][\w .-]{0,99}\.json")
NO_BOARD: Final = ("none", "cards")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A file of a parcel by its name there; ``sha256`` in hexadecimal digits."""

    name: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What a parcel says of itself."""

    match_id: str
    items: tuple[Item, ...]

    @classmethod
    def from_json(cls, value: object, where: str) -> Self:
        """Raises BadParcel."""
        record = Record.of(value, where, BadParcel)
        record.check_file(KIND, VERSION)
        match_id = record.text("match")
        if not MATCH_ID.fullmatch(match_id):
            raise record.fault(f"{match_id!r} is no match's name", "export the match anew")
        items = tuple(
            Item(name=item.text("name"), size_bytes=item.whole("bytes"), sha256=item.text("sha256"))
            for item in record.records("files")
        )
        return cls(match_id=match_id, items=items)

    def to_json(self) -> dict[str, object]:
        files = [{"name": item.name, "bytes": item.size_bytes, "sha256": item.sha256} for item in self.items]
        return {"type": KIND, "version": VERSION, "match": self.match_id, "files": files}


def most_bytes(name: str) -> int | None:
    """How large a file of that name in a parcel may be; None for what has no business there."""
    if name == LOG:
        return MOST_LOG_BYTES
    if name in (CONTENTS, LAYOUT, TABLE, SOURCE):
        return MOST_JSON_BYTES
    return MOST_CLIP_BYTES if CLIP.fullmatch(name) else None


def check_sizes(sizes: list[tuple[str, int]], where: str) -> None:
    """Refuse files, by name and bytes, that no parcel holds, and more than one can hold. Raises BadParcel."""
    if len(sizes) > MOST_FILES:
        raise BadParcel(f"there are {len(sizes)} files in it, more than any match has", where, "it is no match's file")
    for name, size_bytes in sizes:
        most = most_bytes(name)
        if most is None:
            raise BadParcel(f"{name!r} in it belongs to no match", where, "don't trust it; nothing was taken from it")
        if size_bytes > most:
            remedy = f"at most {most // 1024**2} MiB are taken"
            raise BadParcel(f"{name} in it has {size_bytes / 1024**2:.0f} MiB", where, remedy)
    if len({name for name, _ in sizes}) < len(sizes):
        raise BadParcel("a file is in it twice", where, "don't trust it; nothing was taken from it")
    if sum(size_bytes for _, size_bytes in sizes) > MOST_BYTES:
        raise BadParcel("it is larger than any match", where, f"at most {MOST_BYTES // 10**9} GB are taken")


def layout_file(log: Log, where: str) -> str | None:
    """The file beside the log that the log names as its layout, in its header or in a ruling on it; None: none.

    Raises BadParcel for a file elsewhere, or several: such a log can't go to another place.
    """
    names = {header.layout for header in headers_of(log) if isinstance(header.layout, str)}
    paths = sorted(names.difference(BUILT_IN, NO_BOARD))
    if not paths:
        return None
    if len(paths) > 1 or not PLAIN_NAME.fullmatch(paths[0]) or paths[0] in (CONTENTS, TABLE, SOURCE):
        named = ", ".join(map(repr, paths))
        raise BadParcel(f"the log needs layout files of its old place: {named}", where, "one beside it can come along")
    return paths[0]


def headers_of(log: Log) -> Iterator[Header]:
    """The header of a log, and all that rulings put in its place."""
    yield log.header
    for event in log.events:
        replacement: Event | Header | None = event
        while isinstance(replacement, Ruling):
            replacement = replacement.replace
        if isinstance(replacement, Header):
            yield replacement
