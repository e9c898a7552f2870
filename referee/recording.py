"""Where a match's pictures come from, remembered so that replays can be cut from them later."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from referee.errors import NoClip, NoMatch

VERSION: Final = 1


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


def origin_to_text(origin: Origin) -> str:
    """The origin as JSON text."""
    film = origin.recording
    kept = film and {
        "path": str(film.path),
        "size_bytes": film.size_bytes,
        "changed_ns": film.changed_ns,
        "start_s": film.start_s,
    }
    return json.dumps({"version": VERSION, "name": origin.name, "recording": kept}, ensure_ascii=False, indent=1) + "\n"


def origin_from_text(text: str, where: str) -> Origin:
    """The origin out of its JSON text; raises NoMatch when it is none."""
    try:
        found = json.loads(text)
        kept = found["recording"]
        film = kept and Recording(
            path=Path(kept["path"]),
            size_bytes=int(kept["size_bytes"]),
            changed_ns=int(kept["changed_ns"]),
            start_s=float(kept["start_s"]),
        )
        return Origin(name=str(found["name"]), recording=film or None)
    except (ValueError, TypeError, KeyError) as error:
        raise NoMatch("what is noted about the recording can't be read", where, "remove the file to go on") from error
