"""Bounce-Em-All: one ball a turn until all are thrown; then every ball in a hole scores its number."""

from dataclasses import dataclass, replace
from typing import Final

from calibration.layout import Layout
from referee.events import Event, Header, Placed, Removed, Shot
from referee.games.bounce_it_in import (
    Balls,
    Setup,
    Thrown,
    all_home,
    check_places,
    check_shot,
    find_shooter,
    place_by_hand,
    read_setup,
    remove_by_hand,
    set_aside,
    throw,
)
from referee.games.game import Call, Expected, Game, Outcome, Phase, Refused, Step
from referee.games.opening import Opening, throw_in_opening, without_removed
from referee.games.options import count_option

ROW_BONUS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round: its number, who began it and who plays in it (all; after a tie only the tied)."""

    number: int
    starter: int
    playing: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BounceEmAll:
    """A moment of a match. Players are meant by their place in the turn order.

    ``opening`` is None once it is decided; ``turn``: who throws next; ``banked``: each player's points of the rounds
    before this one.
    """

    setup: Setup
    rounds: int
    balls: Balls
    opening: Opening | None
    round: Round
    turn: int
    banked: tuple[int, ...]
    winner: int | None = None

    @property
    def phase(self) -> Phase:
        if self.winner is not None:
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
        due = self._due() if self.phase == "playing" else ()
        return Outcome(
            phase=self.phase,
            turn=self.setup.name(due[0]) if due else None,
            scores=tuple((player.name, self._score(i)) for i, player in enumerate(self.setup.players)),
            winners=() if self.winner is None else (self.setup.name(self.winner),),
            board=self.balls.in_holes,
        )

    def expected(self) -> Expected:
        due = self._due()
        return Expected(players=tuple(map(self.setup.name, due)), action="throw" if due else "nothing")

    def _due(self) -> tuple[int, ...]:
        """Who may throw now: in the opening all who haven't yet, else whose turn it is; nobody when none has a ball."""
        if self.opening is not None:
            return self.opening.due
        return (self.turn,) if self.winner is None and self._can_throw(self.turn) else ()

    def _can_throw(self, player: int) -> bool:
        return player in self.round.playing and bool(self.balls.corrals[player])

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

    def _shot(self, shot: Shot, colour: str) -> Step:
        if self.winner is not None:
            raise Refused("game_over")
        if self.opening is not None:
            return self._opening_shot(self.opening, shot, colour)
        shooter = find_shooter(self.setup, self.balls, self._due(), shot, colour)
        thrown = throw(self.setup, self.balls, shooter, shot, colour)
        calls = self._shot_calls(self.setup.name(shooter), thrown)
        after = replace(self, balls=set_aside(thrown), turn=self.setup.clockwise(shooter)[0])._pass_on()
        if after._due():
            return Step(state=after, calls=calls)
        end = after._end_of_round()
        return Step(state=end.state, calls=(*calls, *end.calls))

    def _opening_shot(self, opening: Opening, shot: Shot, colour: str) -> Step:
        step = throw_in_opening(self.setup, self.balls, opening, shot, colour)
        if step.starter is None:
            return Step(state=replace(self, balls=step.balls, opening=step.opening), calls=step.calls)
        first = replace(self.round, starter=step.starter)
        return Step(
            state=replace(self, balls=step.balls, opening=None, round=first, turn=step.starter), calls=step.calls
        )

    def _shot_calls(self, shooter: str, thrown: Thrown) -> tuple[Call, ...]:
        calls = [Call(player=shooter, call="foul", reason=thrown.foul)] if thrown.foul else []
        calls += [Call(player=shooter, call="forfeit", reason=ball.reason, colour=ball.colour) for ball in thrown.lost]
        ball = thrown.shot_ball
        if ball is not None and ball.at in self.setup.board.holes:
            points = self.setup.board.points(ball.at, ball.colour)
            calls.append(Call(player=shooter, call="score", points=points, hole=ball.at))
        return tuple(calls)

    def _by_hand(self, event: Removed | Placed) -> "BounceEmAll":
        if isinstance(event, Placed):
            return replace(self, balls=place_by_hand(self.setup, self.balls, event))._pass_on()
        balls = remove_by_hand(self.setup, self.balls, event)
        opening = self.opening and without_removed(self.opening, balls)
        return replace(self, balls=balls, opening=opening)._pass_on()

    def _pass_on(self) -> "BounceEmAll":
        """The turn passes over players without a ball; if nobody has one, it stays."""
        order = (self.turn, *self.setup.clockwise(self.turn))
        return replace(self, turn=next(filter(self._can_throw, order), self.turn))

    def _end_of_round(self) -> Step:
        """All balls are thrown: pay the bonus, and begin another round unless somebody has won."""
        setup, played = self.setup, self.round
        scores = [self._score(player) for player in range(len(setup.players))]
        calls = [
            Call(player=setup.name(player), call="bonus", points=ROW_BONUS)
            for player in played.playing
            if self._has_row(player)
        ]
        highest = max(scores[player] for player in played.playing)
        leaders = tuple(player for player in played.playing if scores[player] == highest)
        was_last = played.number >= self.rounds
        if was_last and len(leaders) == 1:
            calls.append(Call(player=setup.name(leaders[0]), call="win"))
            return Step(state=replace(self, winner=leaders[0]), calls=tuple(calls))
        playing = leaders if was_last else played.playing
        starter = next(player for player in setup.clockwise(played.starter) if player in playing)
        reason = "tie" if was_last else str(played.number + 1)
        calls.append(Call(player=setup.name(starter), call="round", reason=reason))
        following = Round(number=played.number + 1, starter=starter, playing=playing)
        state = replace(self, balls=all_home(setup), round=following, turn=starter, banked=tuple(scores))
        return Step(state=state, calls=tuple(calls))


def start(header: Header, layout: Layout | None) -> BounceEmAll:
    """The first moment of a match. Raises BadHeader."""
    setup = read_setup(header, layout)
    everybody = tuple(range(len(setup.players)))
    starter = setup.starter or 0
    return BounceEmAll(
        setup=setup,
        rounds=count_option(header, "rounds", 1),
        balls=all_home(setup),
        opening=Opening(due=everybody) if setup.starter is None else None,
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
