"""Hit 66: who completes a row scores the sum of its numbers; the first at 66 or more wins."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from calibration.layout import Layout
from referee.events import Header
from referee.games.board import Row
from referee.games.bounce_it_in import all_home, read_setup
from referee.games.game import Game
from referee.games.opening import opening_of
from referee.games.options import count_option, flag_option
from referee.games.row_game import RowGame


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit66(RowGame):
    """A moment of a match. ``target``: how many points win; ``points``: every player's."""

    target: int
    points: tuple[int, ...]

    def _scores(self) -> tuple[int, ...]:
        return self.points

    def _worth(self, shooter: int, rows: Sequence[Row]) -> list[int]:
        """The sum of each row; a hole in two rows counts in both."""
        colours = dict(self.balls.in_holes)
        return [sum(self._number(shooter, hole, colours[hole]) for hole in row) for row in rows]

    def _number(self, shooter: int, hole: str, colour: str) -> int:
        """What a hole counts: its number, twice where a ball of the shooter's colours lies on its own colour."""
        board = self.setup.board
        own = self.setup.players[shooter].colours
        return board.points(hole, colour) if colour in own else board.number(hole)

    def _keeper(self, shooter: int, colour: str) -> int:
        return self.setup.owners[colour]

    def _with_won(self, shooter: int, worth: Sequence[int]) -> "Hit66":
        points = list(self.points)
        points[shooter] += sum(worth)
        return replace(self, points=tuple(points))

    def _winners(self, shooter: int) -> tuple[int, ...] | None:
        """The shooter at the target; when nobody has a ball left, the highest."""
        if self.points[shooter] >= self.target:
            return (shooter,)
        if any(self.balls.corrals):
            return None
        highest = max(self.points)
        return tuple(player for player, points in enumerate(self.points) if points == highest)


def start(header: Header, layout: Layout | None) -> Hit66:
    """The first moment of a match. Raises BadHeader."""
    setup = read_setup(header, layout)
    return Hit66(
        setup=setup,
        balls=all_home(setup),
        opening=opening_of(setup),
        turn=setup.starter or 0,
        foul_wins_no_row=flag_option(header, "foul_wins_no_row", False),
        target=count_option(header, "target", 66),
        points=(0,) * len(setup.players),
    )


GAME: Final = Game(
    name="hit-66",
    title="Hit 66",
    uses=frozenset({"shot", "removed", "placed"}),
    reads_layout=True,
    choices=frozenset(),
    start=start,
)
