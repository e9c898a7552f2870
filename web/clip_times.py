"""When each picture of an MP4 is shown, read from its index: what frame-by-frame stepping needs."""

import struct
from collections.abc import Iterator
from pathlib import Path

Span = tuple[int, int]


def read_frame_times(path: Path) -> tuple[float, ...]:
    """Times of the first video track's pictures in seconds, ascending; () for a file without a readable index.

    Boxes as in ISO/IEC 14496-12: ``stts`` holds decoding steps, ``ctts`` the shift from decoding to showing, ``elst``
    where the edit begins.
    """
    try:
        data = _movie_index(path)
        for track in _boxes(data, (0, len(data)), b"trak"):
            media = _first(data, track, b"mdia")
            if media is not None and _handler(data, media) == b"vide":
                return _track_times(data, track, media)
    except (OSError, struct.error, ValueError, ZeroDivisionError):
        pass
    return ()


def _movie_index(path: Path) -> bytes:
    """The content of the ``moov`` box, wherever in the file it lies."""
    with path.open("rb") as file:
        while len(head := file.read(8)) == 8:
            size, kind = struct.unpack(">I4s", head)
            body = size - 8
            if size == 1:
                body = int(struct.unpack(">Q", file.read(8))[0]) - 16
            if kind == b"moov":
                return file.read(body)
            if body < 0:
                break
            file.seek(body, 1)
    return b""


def _boxes(data: bytes, span: Span, kind: bytes) -> Iterator[Span]:
    at, end = span
    while at + 8 <= end:
        size, found = struct.unpack_from(">I4s", data, at)
        if size < 8:
            return
        if found == kind:
            yield at + 8, min(at + size, end)
        at += size


def _first(data: bytes, span: Span, *kinds: bytes) -> Span | None:
    """The first box at a path of kinds below ``span``."""
    inside: Span | None = span
    for kind in kinds:
        if inside is None:
            return None
        inside = next(_boxes(data, inside, kind), None)
    return inside


def _handler(data: bytes, media: Span) -> bytes:
    box = _first(data, media, b"hdlr")
    return data[box[0] + 8 : box[0] + 12] if box is not None else b""


def _track_times(data: bytes, track: Span, media: Span) -> tuple[float, ...]:
    header = _first(data, media, b"mdhd")
    steps = _first(data, media, b"minf", b"stbl", b"stts")
    if header is None or steps is None:
        return ()
    (scale,) = struct.unpack_from(">I", data, header[0] + (20 if data[header[0]] == 1 else 12))
    decoded = 0
    shown = []
    shifts = _runs(data, _first(data, media, b"minf", b"stbl", b"ctts"), ">Ii")
    for step in _runs(data, steps, ">II"):
        shown.append(decoded + next(shifts, 0))
        decoded += step
    begin = _edit_begin(data, _first(data, track, b"edts", b"elst"))
    return tuple(sorted(round((at - begin) / scale, 6) for at in shown if at >= begin))


def _runs(data: bytes, box: Span | None, form: str) -> Iterator[int]:
    """A run-length table (count, value) as single values."""
    if box is None:
        return
    (entries,) = struct.unpack_from(">I", data, box[0] + 4)
    for index in range(entries):
        count, value = struct.unpack_from(form, data, box[0] + 8 + 8 * index)
        for _ in range(count):
            yield int(value)


def _edit_begin(data: bytes, box: Span | None) -> int:
    """Where in the media's own time the film begins; the first edit that isn't a gap."""
    if box is None:
        return 0
    long = data[box[0]] == 1
    (entries,) = struct.unpack_from(">I", data, box[0] + 4)
    for index in range(entries):
        if long:
            _, begin = struct.unpack_from(">Qq", data, box[0] + 8 + 20 * index)
        else:
            _, begin = struct.unpack_from(">Ii", data, box[0] + 8 + 12 * index)
        if begin >= 0:
            return int(begin)
    return 0
