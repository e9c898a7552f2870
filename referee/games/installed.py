"""Games that other packages bring along: their entry points in the group ``referee.games``, each a Game by its name."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from calibration.layout import Layout
from hardware.errors import RefereeError
from referee.errors import BadGame
from referee.events import Event, Header
from referee.games.game import Expected, Game, Outcome, Refused, State, Step

GROUP: Final = "referee.games"


def installed_names() -> tuple[str, ...]:
    """The names of all games that are installed, in order; nothing of them is loaded."""
    return tuple(sorted({entry.name for entry in entry_points(group=GROUP)}))


@cache
def load_installed(name: str) -> Game | None:
    """An installed game; None when there is none of that name. Raises BadGame, which names the package."""
    entries = {(entry.value, _package(entry)): entry for entry in entry_points(group=GROUP, name=name)}
    if len(entries) > 1:
        packages = " and ".join(sorted(package for _, package in entries))
        raise BadGame(f"the game '{name}' is brought by more than one package", packages, "remove all but one of them")
    for entry in entries.values():
        return _load(entry)
    return None


def _load(entry: EntryPoint) -> Game:
    source = _Source(game=entry.name, package=_package(entry), value=entry.value)
    with source.blamed():
        game = entry.load()
        if not isinstance(game, Game):
            raise TypeError(f"it is no Game but {type(game).__name__}")
        if game.name != entry.name:
            raise ValueError(f"it calls itself {game.name!r}")

    def start(header: Header, layout: Layout | None) -> State:
        with source.blamed():
            return _Guarded(state=game.start(header, layout), source=source)

    def draw(header: Header) -> Header:
        with source.blamed():
            return game.draw(header)

    return replace(game, start=start, draw=draw)


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown package"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """Where a game comes from."""

    game: str
    package: str
    value: str

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """What goes wrong in the block is the package's fault, and people are told so; raises BadGame."""
        try:
            yield
        except (RefereeError, Refused):
            raise
        except Exception as error:
            problem = f"the game '{self.game}' fails with {type(error).__name__}, {error}"
            remedy = "update or remove that package, or play another game"
            raise BadGame(problem, f"{self.value} of {self.package}", remedy) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class _Guarded:
    """A moment of an installed game, whose faults are told as such."""

    state: State
    source: _Source

    def apply(self, event: Event) -> Step:
        with self.source.blamed():
            step = self.state.apply(event)
            return Step(state=_Guarded(state=step.state, source=self.source), calls=step.calls)

    def outcome(self) -> Outcome:
        with self.source.blamed():
            return self.state.outcome()

    def expected(self) -> Expected:
        with self.source.blamed():
            return self.state.expected()
