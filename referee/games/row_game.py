"""What Bounce-Em-Straight and Hit 66 share: a full row is won, a lost ball changes hands, nobody is out for good."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

from referee.games.board import Row, row_name
from referee.games.bounce_it_in import Thrown, into_corrals, lost_calls, pick_up
from referee.games.bounce_it_in_match import BounceItInMatch
from referee.games.game import Call, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrals:
    """Every player's name and the colours of the balls in the corral."""

    colours: tuple[tuple[str, tuple[str, ...]], ...]

    def to_json(self) -> dict[str, object]:
        return {"corral": {name: dict(Counter(colours)) for name, colours in self.colours}}

    def to_words(self) -> tuple[str, ...]:
        return tuple(f"{name}'s corral: {_counted(colours)}" for name, colours in self.colours)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowGame(BounceItInMatch):
    """A moment of a match. ``foul_wins_no_row``: a foul shot wins no row, also when knocked balls complete it."""

    foul_wins_no_row: bool

    @abstractmethod
    def _worth(self, shooter: int, rows: Sequence[Row]) -> list[int]:
        """What each of the rows that the shooter has completed gives."""

    @abstractmethod
    def _keeper(self, shooter: int, colour: str) -> int:
        """Who gets a ball of a row that the shooter has completed."""

    @abstractmethod
    def _with_won(self, shooter: int, worth: Sequence[int]) -> Self:
        """The moment after the shooter won rows that gave so much."""

    @abstractmethod
    def _winners(self, shooter: int) -> tuple[int, ...] | None:
        """Who has won after a shot; None while the match goes on."""

    def _detail(self) -> Corrals:
        names = (player.name for player in self.setup.players)
        return Corrals(colours=tuple(zip(names, self.balls.corrals, strict=True)))

    def _after_throw(self, shooter: int, thrown: Thrown) -> Step:
        setup, left = self.setup, self.setup.left_of(shooter)
        own = setup.players[shooter].colours

        def receiver(colour: str) -> int:
            """A lost ball of the shooter's own goes to the left, any other to its owner."""
            return left if colour in own else setup.owners[colour]

        balls = into_corrals(thrown.balls, [ball.colour for ball in thrown.lost], receiver)
        after = replace(self, balls=balls, turn=left)
        rows = setup.board.completed(self.balls.taken, balls.taken)
        if thrown.foul and self.foul_wins_no_row:
            rows = ()
        calls = lost_calls(setup, shooter, thrown, receiver)
        if rows:
            worth = after._worth(shooter, rows)
            calls += tuple(
                Call(player=setup.name(shooter), call="row", reason=row_name(row), points=points)
                for row, points in zip(rows, worth, strict=True)
            )
            after = after._without_rows(shooter, rows)._with_won(shooter, worth)
        winners = after._winners(shooter)
        return Step(state=after._pass_on(), calls=calls) if winners is None else after._end(winners, calls)

    def _without_rows(self, shooter: int, rows: Sequence[Row]) -> Self:
        """The balls of the rows are taken off the board, each once."""
        won = {hole for row in rows for hole in row}
        picked = [ball for ball in self.balls.lying if ball.at in won]
        return replace(self, balls=pick_up(self.balls, picked, partial(self._keeper, shooter)))


def _counted(colours: Sequence[str]) -> str:
    return ", ".join(f"{count} {colour}" for colour, count in Counter(colours).items()) or "empty"
