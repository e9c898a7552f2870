"""A match of Bounce It-In between two events, whichever of its games is played."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from referee.events import Event, Placed, Removed, Shot
from referee.games.bounce_it_in import (
    Balls,
    Setup,
    Thrown,
    check_places,
    check_shot,
    find_shooter,
    place_by_hand,
    remove_by_hand,
    throw,
)
from referee.games.game import Call, Detail, Expected, NoDetail, Outcome, Phase, Refused, Step
from referee.games.opening import Opening, throw_in_opening, without_removed


@dataclass(frozen=True, slots=True, kw_only=True)
class BounceItInMatch(ABC):
    """A moment of a match. Players are meant by their place in the turn order.

    ``opening`` is None once it is decided; ``turn``: who throws next; ``winners`` is None until the end.
    """

    setup: Setup
    balls: Balls
    opening: Opening | None
    turn: int
    winners: tuple[int, ...] | None = None

    @abstractmethod
    def _after_throw(self, shooter: int, thrown: Thrown) -> Step:
        """What follows from a throw of the player in turn."""

    @abstractmethod
    def _scores(self) -> Sequence[int]:
        """Every player's score as it stands."""

    def _detail(self) -> Detail:
        """What only this game shows."""
        return NoDetail()

    @property
    def phase(self) -> Phase:
        if self.winners is not None:
            return "finished"
        return "playing" if self.opening is None else "opening"

    def apply(self, event: Event) -> Step:
        match event:
            case Shot():
                return self._shot(event, check_shot(self.setup, event))
            case Removed() | Placed():
                check_places(self.setup, [ball.at for ball in event.balls])
                return Step(state=self if self.phase == "finished" else self._by_hand(event))
            case _:
                return Step(state=self)

    def outcome(self) -> Outcome:
        setup, turn = self.setup, self._in_turn()
        return Outcome(
            phase=self.phase,
            turn=None if turn is None else setup.name(turn),
            scores=tuple((player.name, score) for player, score in zip(setup.players, self._scores(), strict=True)),
            winners=tuple(map(setup.name, self.winners or ())),
            board=self.balls.in_holes,
            detail=self._detail(),
        )

    def expected(self) -> Expected:
        due = self._due()
        return Expected(players=tuple(map(self.setup.name, due)), action="throw" if due else "nothing")

    def _due(self) -> tuple[int, ...]:
        """Who may throw now: in the opening all who haven't yet, else whose turn it is; nobody when none has a ball."""
        if self.opening is not None:
            return self.opening.due
        return (self.turn,) if self.winners is None and self._can_throw(self.turn) else ()

    def _in_turn(self) -> int | None:
        """Whose turn it is: nobody's in the opening, after the end, and when nobody has a ball."""
        due = self._due() if self.phase == "playing" else ()
        return due[0] if due else None

    def _can_throw(self, player: int) -> bool:
        return bool(self.balls.corrals[player])

    def _shot(self, shot: Shot, colour: str) -> Step:
        if self.phase == "finished":
            raise Refused("game_over")
        if self.opening is not None:
            return self._opening_shot(self.opening, shot, colour)
        return self._shot_in_turn(shot, colour)

    def _shot_in_turn(self, shot: Shot, colour: str) -> Step:
        shooter = find_shooter(self.setup, self.balls, self._due(), shot, colour)
        return self._after_throw(shooter, throw(self.setup, self.balls, shooter, shot, colour))

    def _opening_shot(self, opening: Opening, shot: Shot, colour: str) -> Step:
        step = throw_in_opening(self.setup, self.balls, opening, shot, colour)
        if step.starter is None:
            return Step(state=replace(self, balls=step.balls, opening=step.opening), calls=step.calls)
        return Step(state=replace(self, balls=step.balls)._begun_by(step.starter), calls=step.calls)

    def _begun_by(self, starter: int) -> Self:
        """The opening is decided."""
        return replace(self, opening=None, turn=starter)

    def _by_hand(self, event: Removed | Placed) -> Self:
        if isinstance(event, Placed):
            balls = place_by_hand(self.setup, self.balls, event)
        else:
            balls = remove_by_hand(self.setup, self.balls, event)
        if self.opening is not None:
            return replace(self, balls=balls, opening=without_removed(self.opening, balls))
        return replace(self, balls=balls)._pass_on()

    def _pass_on(self) -> Self:
        """The turn passes over players without a ball; if nobody has one, it stays."""
        order = (self.turn, *self.setup.clockwise(self.turn))
        return replace(self, turn=next(filter(self._can_throw, order), self.turn))

    def _end(self, winners: Sequence[int], calls: Sequence[Call]) -> Step:
        """The match is over, after these calls."""
        wins = (Call(player=self.setup.name(winner), call="win") for winner in winners)
        return Step(state=replace(self, winners=tuple(winners)), calls=(*calls, *wins))
