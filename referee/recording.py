"""Where a match's pictures come from, remembered so that replays can be cut from them later."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from calibration.record import Record, read_json
from calibration.saving import write_json
from referee.errors import NoClip, NoMatch

KIND: Final = "source"
VERSION: Final = 1
REMEDY: Final = "the match can't be shown without it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A video file, with what shows whether it is still the same one.

    ``path``: absolute. ``start_s``: where in the file the match's time 0 lies.
    """

    path: Path
    size_bytes: int
    changed_ns: int
    start_s: float = 0.0

    @classmethod
    def of(cls, path: str | Path) -> Self:
        """Note a file as it is now; raises OSError when it is not there."""
        absolute = Path(path).resolve()
        found = absolute.stat()
        return cls(path=absolute, size_bytes=found.st_size, changed_ns=found.st_mtime_ns)

    def check(self) -> None:
        """Raise NoClip when the file is gone or is no longer the one that was refereed."""
        try:
            found = self.path.stat()
        except OSError as error:
            raise NoClip("the recording is no longer there", str(self.path), "bring it back to see replays") from error
        if (found.st_size, found.st_mtime_ns) != (self.size_bytes, self.changed_ns):
            raise NoClip("the recording has changed since the match", str(self.path), "bring the old one back")


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """A camera or a recording by its name for people; ``recording`` is None for a camera."""

    name: str
    recording: Recording | None = None

    @classmethod
    def of(cls, source: str) -> Self:
        """What a user named as source: a recording where there is such a file, else a camera. Raises OSError."""
        path = Path(source)
        return cls(name=path.name, recording=Recording.of(path)) if path.is_file() else cls(name=source)


def save_origin(origin: Origin, path: Path) -> None:
    """Write it as JSON; raises CantSave."""
    write_json(path, origin_to_json(origin))


def origin_to_json(origin: Origin) -> dict[str, object]:
    """The object of such a file."""
    film = origin.recording
    kept = (
        None
        if film is None
        else {
            "path": str(film.path),
            "size_bytes": film.size_bytes,
            # As a text: JSON readers in other languages round numbers this big.
            "changed_ns": str(film.changed_ns),
            "start_s": film.start_s,
        }
    )
    return {"type": KIND, "version": VERSION, "name": origin.name, "recording": kept}


def load_origin(path: Path) -> Origin:
    """Read what ``save_origin`` wrote; raises NoMatch."""
    record = Record.of(read_json(path, NoMatch, REMEDY), str(path), NoMatch)
    record.check_file(KIND, VERSION)
    return Origin(name=record.text("name"), recording=_recording(record) if record.has("recording") else None)


def _recording(record: Record) -> Recording:
    film = record.record("recording")
    changed = film.text("changed_ns")
    if not changed.isdecimal():
        raise film.fault(f"changed_ns is no time: {changed}", REMEDY)
    return Recording(
        path=Path(film.text("path")),
        size_bytes=film.whole("size_bytes"),
        changed_ns=int(changed),
        start_s=film.number("start_s"),
    )
