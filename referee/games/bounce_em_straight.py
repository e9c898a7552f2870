"""Bounce-Em-Straight: who completes a row wins its balls; who alone has balls left wins the match."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from calibration.layout import Layout
from referee.events import Header
from referee.games.board import Row
from referee.games.bounce_it_in import all_home, read_setup
from referee.games.game import Game
from referee.games.opening import opening_of
from referee.games.options import flag_option
from referee.games.row_game import RowGame


@dataclass(frozen=True, slots=True, kw_only=True)
class BounceEmStraight(RowGame):
    """A moment of a match. ``last_to_win``: who was the last to win a row."""

    last_to_win: int | None = None

    def _scores(self) -> list[int]:
        return list(map(len, self.balls.corrals))

    def _worth(self, shooter: int, rows: Sequence[Row]) -> list[int]:
        """The balls that each row gives; a ball in two rows is won with the first."""
        won: set[str] = set()
        worth = []
        for row in rows:
            worth.append(len(set(row) - won))
            won.update(row)
        return worth

    def _keeper(self, shooter: int, colour: str) -> int:
        return shooter

    def _with_won(self, shooter: int, worth: Sequence[int]) -> "BounceEmStraight":
        return replace(self, last_to_win=shooter)

    def _winners(self, shooter: int) -> tuple[int, ...] | None:
        """The only one who still has balls; when nobody has, the last to win a row, if there is one."""
        holders = [player for player, corral in enumerate(self.balls.corrals) if corral]
        if len(holders) > 1:
            return None
        if not holders and self.last_to_win is not None:
            return (self.last_to_win,)
        return tuple(holders)


def start(header: Header, layout: Layout | None) -> BounceEmStraight:
    """The first moment of a match. Raises BadHeader."""
    setup = read_setup(header, layout)
    return BounceEmStraight(
        setup=setup,
        balls=all_home(setup),
        opening=opening_of(setup),
        turn=setup.starter or 0,
        foul_wins_no_row=flag_option(header, "foul_wins_no_row", False),
    )


GAME: Final = Game(
    name="bounce-em-straight",
    title="Bounce-Em-Straight",
    uses=frozenset({"shot", "removed", "placed"}),
    reads_layout=True,
    choices=frozenset(),
    start=start,
)
