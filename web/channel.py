"""One encoder for all viewers of a match: parts of the page are drawn once and sent where they changed."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from referee.desk import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A piece of the page, as HTML. ``version``: the snapshot in which it last changed."""

    name: str
    html: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """All parts of a page at one version of the match."""

    version: int
    parts: tuple[Part, ...]

    def all(self) -> dict[str, str]:
        return {part.name: part.html for part in self.parts}

    def since(self, version: int) -> dict[str, str]:
        """What a viewer who has ``version`` lacks."""
        return {part.name: part.html for part in self.parts if part.version > version}


class Channel:
    """Draws the newest snapshot of one match, once, whoever asks first."""

    def __init__(self, render: Callable[[Snapshot], Mapping[str, str]]) -> None:
        self._render = render
        self._lock = threading.Lock()
        self._drawing: Drawing | None = None

    def draw(self, snapshot: Snapshot) -> Drawing:
        """The drawing of ``snapshot``, or a newer one if that exists already."""
        with self._lock:
            last = self._drawing
            if last is not None and last.version >= snapshot.version:
                return last
            before = {part.name: part for part in last.parts} if last is not None else {}
            parts = tuple(
                kept
                if (kept := before.get(name)) is not None and kept.html == html
                else Part(name=name, html=html, version=snapshot.version)
                for name, html in self._render(snapshot).items()
            )
            self._drawing = Drawing(version=snapshot.version, parts=parts)
            return self._drawing
