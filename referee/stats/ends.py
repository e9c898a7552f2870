"""How matches ended, from what is known of each in short: the common ground of duels and ratings."""

from collections.abc import Iterable
from dataclasses import dataclass

from referee.survey import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """A finished match: who played, and who of them won (several: shared; none: nobody did)."""

    game: str
    players: tuple[str, ...]
    winners: tuple[str, ...]

    def beat(self, player: str, other: str) -> bool:
        return player in self.winners and other not in self.winners

    def is_level(self, player: str, other: str) -> bool:
        """Whether two have shared the win, or a match that nobody has won."""
        return not self.winners or (player in self.winners and other in self.winners)


def ends_of(entries: Iterable[Entry]) -> tuple[End, ...]:
    """The finished matches among entries, in the same order."""
    return tuple(
        End(
            game=entry.game,
            players=tuple(result.player for result in entry.results),
            winners=tuple(result.player for result in entry.results if result.has_won),
        )
        for entry in entries
        if entry.phase == "finished" and entry.game is not None
    )
