"""Bounce-Em-All: one ball a turn until all are thrown; then every ball in a hole scores its number."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from calibration.layout import Layout
from referee.events import Header
from referee.games.bounce_it_in import Thrown, all_home, read_setup, set_aside, set_aside_calls
from referee.games.bounce_it_in_match import BounceItInMatch
from referee.games.game import Call, Game, Step
from referee.games.opening import opening_of
from referee.games.options import count_option

ROW_BONUS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round: its number, who began it and who plays in it (all; after a tie only the tied)."""

    number: int
    starter: int
    playing: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BounceEmAll(BounceItInMatch):
    """A moment of a match. ``rounds``: how many are agreed; ``banked``: each player's points of earlier rounds."""

    rounds: int
    round: Round
    banked: tuple[int, ...]

    def _begun_by(self, starter: int) -> "BounceEmAll":
        return replace(self, opening=None, turn=starter, round=replace(self.round, starter=starter))

    def _can_throw(self, player: int) -> bool:
        return player in self.round.playing and bool(self.balls.corrals[player])

    def _scores(self) -> tuple[int, ...]:
        return tuple(map(self._score, range(len(self.setup.players))))

    def _score(self, player: int) -> int:
        """The points of finished rounds and of the board as it stands; the opening scores nothing."""
        if self.opening or player not in self.round.playing:
            return self.banked[player]
        board, colours = self.setup.board, self.setup.players[player].colours
        points = sum(board.points(hole, colour) for hole, colour in self.balls.in_holes if colour in colours)
        return self.banked[player] + points + (ROW_BONUS if self._has_row(player) else 0)

    def _has_row(self, player: int) -> bool:
        colours = self.setup.players[player].colours
        own = {hole for hole, colour in self.balls.in_holes if colour in colours}
        return any(own.issuperset(row) for row in self.setup.board.rows)

    def _after_throw(self, shooter: int, thrown: Thrown) -> Step:
        calls = set_aside_calls(self.setup, shooter, thrown)
        after = replace(self, balls=set_aside(thrown), turn=self.setup.left_of(shooter))._pass_on()
        return Step(state=after, calls=calls) if after._due() else after._end_of_round(calls)

    def _end_of_round(self, before: Sequence[Call]) -> Step:
        """All balls are thrown: pay the bonus, and begin another round unless somebody has won."""
        setup, played, scores = self.setup, self.round, self._scores()
        with_row = filter(self._has_row, played.playing)
        bonuses = (Call(player=setup.name(player), call="bonus", points=ROW_BONUS) for player in with_row)
        calls = (*before, *bonuses)
        highest = max(scores[player] for player in played.playing)
        leaders = tuple(player for player in played.playing if scores[player] == highest)
        was_last = played.number >= self.rounds
        if was_last and len(leaders) == 1:
            return self._end(leaders, calls)
        playing = leaders if was_last else played.playing
        starter = next(player for player in setup.clockwise(played.starter) if player in playing)
        reason = "tie" if was_last else str(played.number + 1)
        following = Round(number=played.number + 1, starter=starter, playing=playing)
        return Step(
            state=replace(self, balls=all_home(setup), round=following, turn=starter, banked=scores),
            calls=(*calls, Call(player=setup.name(starter), call="round", reason=reason)),
        )


def start(header: Header, layout: Layout | None) -> BounceEmAll:
    """The first moment of a match. Raises BadHeader."""
    setup = read_setup(header, layout)
    everybody = tuple(range(len(setup.players)))
    starter = setup.starter or 0
    return BounceEmAll(
        setup=setup,
        rounds=count_option(header, "rounds", 1),
        balls=all_home(setup),
        opening=opening_of(setup),
        round=Round(number=1, starter=starter, playing=everybody),
        turn=starter,
        banked=(0,) * len(everybody),
    )


GAME: Final = Game(
    name="bounce-em-all",
    title="Bounce-Em-All",
    uses=frozenset({"shot", "removed", "placed"}),
    reads_layout=True,
    choices=frozenset(),
    start=start,
)
