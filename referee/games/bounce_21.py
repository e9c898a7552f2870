"""Bounce 21: two balls each, then one last turn of up to four more; nearest to 21 without going over wins."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from calibration.layout import Layout
from referee.events import Decision, Event, Header, Shot
from referee.games.bounce_it_in import (
    Setup,
    Thrown,
    all_home,
    find_thrower,
    read_setup,
    set_aside,
    set_aside_calls,
)
from referee.games.bounce_it_in_match import BounceItInMatch
from referee.games.game import Call, Expected, Game, Refused, Step
from referee.games.opening import opening_of
from referee.games.options import flag_option

GOAL: Final = 21
FIRST_TURN_BALLS: Final = 2
LAST_TURN_BALLS: Final = 4
# What a ball on a number 1 may count instead.
ELEVEN: Final = 11


@dataclass(frozen=True, slots=True, kw_only=True)
class Shots:
    """Every player's name and shots."""

    shots: tuple[tuple[str, int], ...]

    def to_json(self) -> dict[str, object]:
        return {"shots": dict(self.shots)}

    def to_words(self) -> tuple[str, ...]:
        return ("Shots: " + ", ".join(f"{name} {shots}" for name, shots in self.shots),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounce21(BounceItInMatch):
    """A moment of a match. ``turns_over``: how many turns of all players together have ended; ``thrown``: balls in the
    running turn; ``shots``: every player's, fouls included.
    """

    throw_means_stand: bool
    shots: tuple[int, ...]
    turns_over: int = 0
    thrown: int = 0

    @property
    def is_last_turn(self) -> bool:
        """Whether the turn is the second one of its player."""
        return self.turns_over >= len(self.setup.players)

    @property
    def are_turns_over(self) -> bool:
        return self.turns_over == 2 * len(self.setup.players)

    def apply(self, event: Event) -> Step:
        return self._stand(event) if isinstance(event, Decision) else BounceItInMatch.apply(self, event)

    def expected(self) -> Expected:
        expected = BounceItInMatch.expected(self)
        return replace(expected, choices=("stand",)) if self._can_stand() else expected

    def _scores(self) -> list[int]:
        if self.opening is not None:
            return [0] * len(self.setup.players)
        return [best_total(self.setup, player.colours, self.balls.in_holes) for player in self.setup.players]

    def _detail(self) -> Shots:
        names = (player.name for player in self.setup.players)
        return Shots(shots=tuple(zip(names, self.shots, strict=True)))

    def _can_throw(self, player: int) -> bool:
        return not self.are_turns_over and bool(self.balls.corrals[player])

    def _can_stand(self) -> bool:
        return self.is_last_turn and self._in_turn() is not None

    def _stand(self, decision: Decision) -> Step:
        if self.phase == "finished":
            raise Refused("game_over")
        turn = self._in_turn()
        if turn is None or decision.player != self.setup.name(turn):
            raise Refused("out_of_turn")
        if not self.is_last_turn:
            raise Refused("cannot_stand")
        return self._next_turn()._go_on(self._stand_calls())

    def _stand_calls(self) -> tuple[Call, ...]:
        return (Call(player=self.setup.name(self.turn), call="stand"),)

    def _shot_in_turn(self, shot: Shot, colour: str) -> Step:
        """A throw of the next player is the stand of the one in turn, before it is a throw."""
        if not (self.throw_means_stand and self._can_stand()):
            return BounceItInMatch._shot_in_turn(self, shot, colour)
        following = self._next_turn()._pass_on()
        if find_thrower(self.setup, self.balls, following._due(), shot, colour) is None:
            return BounceItInMatch._shot_in_turn(self, shot, colour)
        step = BounceItInMatch._shot_in_turn(following, shot, colour)
        return replace(step, calls=(*self._stand_calls(), *step.calls))

    def _after_throw(self, shooter: int, thrown: Thrown) -> Step:
        shots = list(self.shots)
        shots[shooter] += 1
        after = replace(self, balls=set_aside(thrown), shots=tuple(shots), thrown=self.thrown + 1)
        if after.thrown == (LAST_TURN_BALLS if self.is_last_turn else FIRST_TURN_BALLS):
            after = after._next_turn()
        return after._go_on(set_aside_calls(self.setup, shooter, thrown))

    def _next_turn(self) -> "Bounce21":
        return replace(self, turn=self.setup.left_of(self.turn), turns_over=self.turns_over + 1, thrown=0)

    def _pass_on(self) -> "Bounce21":
        """Turns of players without a ball are over; if nobody still to come has one, the turn stays."""
        following = self
        while not following.are_turns_over and not following._can_throw(following.turn):
            following = following._next_turn()
        return self if following.are_turns_over else following

    def _go_on(self, calls: Sequence[Call]) -> Step:
        """The next turn after a shot or a stand; after the last the nearest to 21 wins, with the fewest shots."""
        after = self._pass_on()
        if after._due():
            return Step(state=after, calls=tuple(calls))
        return after._end(after._nearest(), calls)

    def _nearest(self) -> list[int]:
        """Who is nearest to 21 without going over, of those alike who has the fewest shots."""
        scored = zip(self._scores(), self.shots, strict=True)
        ranks = [(total, -shots) if total <= GOAL else None for total, shots in scored]
        best = max(filter(None, ranks), default=None)
        return [player for player, rank in enumerate(ranks) if rank is not None and rank == best]


def best_total(setup: Setup, colours: Sequence[str], in_holes: Sequence[tuple[str, str]]) -> int:
    """The total of some colours' balls that is best: the highest that isn't above 21, else the lowest."""
    totals = {0}
    for hole, colour in in_holes:
        if colour in colours:
            points = setup.board.points(hole, colour)
            counts = (points, ELEVEN) if setup.board.number(hole) == 1 else (points,)
            totals = {total + count for total in totals for count in counts}
    return max((total for total in totals if total <= GOAL), default=min(totals))


def start(header: Header, layout: Layout | None) -> Bounce21:
    """The first moment of a match. Raises BadHeader."""
    setup = read_setup(header, layout)
    return Bounce21(
        setup=setup,
        balls=all_home(setup),
        opening=opening_of(setup),
        turn=setup.starter or 0,
        throw_means_stand=flag_option(header, "throw_means_stand", True),
        shots=(0,) * len(setup.players),
    )


GAME: Final = Game(
    name="bounce-21",
    title="Bounce 21",
    uses=frozenset({"shot", "removed", "placed"}),
    reads_layout=True,
    choices=frozenset({"stand"}),
    start=start,
)
