"""The opening of Bounce It-In: everybody throws a ball, in any order, and the highest number begins."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.events import BOARD, BallAt, Move, Shot
from referee.games.bounce_it_in import Balls, Setup, all_home, find_shooter, set_aside, throw
from referee.games.game import Call


@dataclass(frozen=True, slots=True, kw_only=True)
class Opener:
    """A player's ball of the running round of the opening; ``ball`` is None when it counts as nothing."""

    player: int
    ball: BallAt | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Who still has to throw, and the balls thrown; earlier, tied rounds no longer count."""

    due: tuple[int, ...]
    thrown: tuple[Opener, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningStep:
    """What a throw of the opening did; ``starter`` is set once it is decided."""

    balls: Balls
    opening: Opening
    starter: int | None
    calls: tuple[Call, ...]


def opening_of(setup: Setup) -> Opening | None:
    """The opening of a match: everybody throws, unless the header says who begins."""
    return Opening(due=tuple(range(len(setup.players)))) if setup.starter is None else None


def throw_in_opening(setup: Setup, balls: Balls, opening: Opening, shot: Shot, colour: str) -> OpeningStep:
    """Take one throw: the colour tells whose it is. Nothing is scored or forfeited."""
    shooter = find_shooter(setup, balls, opening.due, shot, colour)
    thrown = throw(setup, balls, shooter, shot, colour)
    own = Opener(player=shooter, ball=thrown.shot_ball)
    openers = (*(_follow(opener, shot.moved) for opener in opening.thrown), own)
    due = tuple(player for player in opening.due if player != shooter)
    fouls = (Call(player=setup.name(shooter), call="foul", reason=thrown.foul),) if thrown.foul else ()
    step = OpeningStep(balls=set_aside(thrown), opening=Opening(due=due, thrown=openers), starter=None, calls=fouls)
    return step if due else _decide(setup, step)


def without_removed(opening: Opening, balls: Balls) -> Opening:
    """The opening after a hand took balls away: a ball that no longer lies there counts as nothing."""
    thrown = tuple(opener if opener.ball in balls.lying else replace(opener, ball=None) for opener in opening.thrown)
    return replace(opening, thrown=thrown)


def _decide(setup: Setup, step: OpeningStep) -> OpeningStep:
    """All have thrown: the highest number begins; those tied for it throw again."""
    numbers = {opener.player: _number(setup, opener.ball) for opener in step.opening.thrown}
    highest = max(numbers.values())
    leaders = tuple(player for player in sorted(numbers) if numbers[player] == highest)
    if len(leaders) == 1:
        opened = Call(player=setup.name(leaders[0]), call="opening", points=highest)
        return replace(step, balls=all_home(setup), starter=leaders[0], calls=(opened, *step.calls))
    has_all_a_ball = all(step.balls.corrals[player] for player in leaders)
    return replace(step, balls=step.balls if has_all_a_ball else all_home(setup), opening=Opening(due=leaders))


def _number(setup: Setup, ball: BallAt | None) -> int:
    return 0 if ball is None or ball.at == BOARD else setup.board.number(ball.at)


def _follow(opener: Opener, moves: Sequence[Move]) -> Opener:
    """The opener after other balls moved; of several loose balls of its colour it is the first that moved."""
    ball = opener.ball
    for move in moves:
        if ball is not None and (move.colour, move.source) == (ball.colour, ball.at):
            moved = None if move.target is None else BallAt(colour=move.colour, at=move.target)
            return replace(opener, ball=moved)
    return opener
