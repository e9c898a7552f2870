"""What the games of Bounce It-In share: who plays, which shots are legal, where the balls are."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from calibration.layout import Layout
from referee.errors import BadHeader
from referee.events import BOARD, BallAt, Header, InHole, Off, OnBall, OnBoard, Place, Placed, Player, Removed, Shot
from referee.games.board import Board, board_of
from referee.games.game import Call, Refused
from referee.games.options import flag_option, starter_option
from referee.games.seats import check_seats

BALLS_OF_A_COLOUR: Final = 6

Foul = Literal["no_bounce", "double_bounce", "wrong_side", "missed_board", "bounced_out", "landed_on_ball"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What the header settles for the whole match. Players are meant by their place in the turn order.

    ``owners``: whose colour group a colour belongs to; ``starter``: who begins without an opening;
    ``is_side_judged``: the bounce must be on the shooter's own side.
    """

    players: tuple[Player, ...]
    owners: Mapping[str, int]
    board: Board
    starter: int | None
    is_side_judged: bool

    def name(self, player: int) -> str:
        return self.players[player].name

    def left_of(self, player: int) -> int:
        """The next player clockwise, whether out or not."""
        return (player + 1) % len(self.players)

    def clockwise(self, after: int) -> tuple[int, ...]:
        """All players in the order in which they come after one, who is the last of them."""
        count = len(self.players)
        return tuple((after + step) % count for step in range(1, count + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Balls:
    """Where the balls are: colours in each player's corral, balls on the board, colours set aside; all sorted."""

    corrals: tuple[tuple[str, ...], ...]
    lying: tuple[BallAt, ...] = ()
    aside: tuple[str, ...] = ()

    @property
    def in_holes(self) -> tuple[tuple[str, str], ...]:
        """Hole and colour of every ball that lies in a hole."""
        return tuple((ball.at, ball.colour) for ball in self.lying if ball.at != BOARD)

    @property
    def taken(self) -> frozenset[str]:
        """The holes that balls lie in."""
        return frozenset(hole for hole, _ in self.in_holes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A ball that a shot cost, and why: the foul's name, or knocked out."""

    colour: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Thrown:
    """What a shot did: the balls without those lost, and the lost ones, the shot ball first.

    ``shot_ball``: where the shot ball stays on the board, None when it is lost.
    """

    balls: Balls
    shot_ball: BallAt | None
    foul: Foul | None
    lost: tuple[Lost, ...]


def read_setup(header: Header, layout: Layout | None) -> Setup:
    """Check a header for Bounce It-In. Raises BadHeader."""
    players = header.players
    colours = [colour for player in players for colour in player.colours]
    if layout is None or layout.kind != "board":
        raise BadHeader(f"{header.game} needs a board", "match header", "name its layout under layout")
    if not 2 <= len(players) <= 4:
        raise BadHeader(f"{header.game} is for 2 to 4 players, not {len(players)}", "match header", "change players")
    check_seats(header)
    for player in players:
        if not player.colours:
            raise BadHeader(f"{player.name} has no balls", "match header", 'write a list under colours, like ["red"]')
    if len(set(colours)) < len(colours):
        raise BadHeader("a colour is given twice", "match header", "give each player colours of their own")
    return Setup(
        players=players,
        owners={colour: i for i, player in enumerate(players) for colour in player.colours},
        board=board_of(layout),
        starter=starter_option(header),
        is_side_judged=flag_option(header, "wrong_side", True),
    )


def all_home(setup: Setup) -> Balls:
    """Every ball in the corral of its own player."""
    return Balls(corrals=tuple(tuple(sorted(player.colours * BALLS_OF_A_COLOUR)) for player in setup.players))


def set_aside(thrown: Thrown) -> Balls:
    """The balls after a shot of a game that takes lost balls out of play."""
    aside = (*thrown.balls.aside, *(lost.colour for lost in thrown.lost))
    return replace(thrown.balls, aside=tuple(sorted(aside)))


def check_places(setup: Setup, places: Sequence[str | None]) -> None:
    """Refuse holes that the board doesn't have; "board" and off the board (None) are always there."""
    if not all(place is None or place == BOARD or place in setup.board.holes for place in places):
        raise Refused("bad_event")


def check_shot(setup: Setup, shot: Shot) -> str:
    """The colour of the shot ball; refuses a shot that can't be understood here, whatever lies on the board."""
    holes = [shot.result.hole] if isinstance(shot.result, InHole) else []
    check_places(setup, [*holes, *(place for move in shot.moved for place in (move.source, move.target))])
    if shot.unread or shot.colour is None:
        raise Refused("bad_event")
    return shot.colour


def find_thrower(setup: Setup, balls: Balls, due: Sequence[int], shot: Shot, colour: str) -> int | None:
    """Who of those due can have thrown a ball, None if nobody."""
    for player in due:
        if colour in balls.corrals[player] and shot.player in (None, setup.name(player)):
            return player
    return None


def find_shooter(setup: Setup, balls: Balls, due: Sequence[int], shot: Shot, colour: str) -> int:
    """Who of those due threw a ball; refuses a colour in nobody's group, and a throw of anybody else."""
    if colour not in setup.owners:
        raise Refused("no_such_ball")
    thrower = find_thrower(setup, balls, due, shot, colour)
    if thrower is None:
        raise Refused("out_of_turn")
    return thrower


def judge(setup: Setup, shooter: int, shot: Shot) -> Foul | None:
    """The first foul of a shot in the order of the rules; None: it is legal."""
    is_off = shot.result == Off()
    came_to_board = not is_off or bool(shot.touched_board)
    on_other_side = shot.side is not None and shot.side != setup.players[shooter].seat
    if came_to_board and shot.table_bounces == 0:
        return "no_bounce"
    if came_to_board and shot.table_bounces > 1:
        return "double_bounce"
    if setup.is_side_judged and shot.table_bounces == 1 and on_other_side:
        return "wrong_side"
    if is_off:
        return "bounced_out" if came_to_board else "missed_board"
    return "landed_on_ball" if shot.result == OnBall() else None


def throw(setup: Setup, balls: Balls, shooter: int, shot: Shot, colour: str) -> Thrown:
    """Take a ball out of the shooter's corral and let it do what the shot says.

    Refuses what contradicts where the balls are: a moved ball that isn't there, two balls in one hole.
    """
    foul = judge(setup, shooter, shot)
    lying = list(balls.lying)
    for move in shot.moved:
        ball = BallAt(colour=move.colour, at=move.source)
        if ball not in lying:
            raise Refused("impossible")
        lying.remove(ball)
    lying += [BallAt(colour=move.colour, at=move.target) for move in shot.moved if move.target is not None]
    shot_ball = _resting(colour, shot.result)
    with_shot_ball = _arranged(lying if shot_ball is None else [*lying, shot_ball])
    lost = [Lost(colour=colour, reason=foul)] if foul else []
    lost += [Lost(colour=move.colour, reason="knocked_out") for move in shot.moved if move.target is None]
    corrals = [list(corral) for corral in balls.corrals]
    corrals[shooter].remove(colour)
    return Thrown(
        balls=Balls(
            corrals=tuple(map(tuple, corrals)),
            lying=_arranged(lying) if foul else with_shot_ball,
            aside=balls.aside,
        ),
        shot_ball=None if foul else shot_ball,
        foul=foul,
        lost=tuple(lost),
    )


def lost_calls(setup: Setup, shooter: int, thrown: Thrown, receiver: Callable[[str], int] | None) -> tuple[Call, ...]:
    """The foul and the forfeits of a shot. ``receiver``: who gets a lost colour; None: all are set aside."""
    name = setup.name(shooter)
    foul = (Call(player=name, call="foul", reason=thrown.foul),) if thrown.foul else ()
    forfeits = (
        Call(
            player=name,
            call="forfeit",
            reason=ball.reason,
            colour=ball.colour,
            to=None if receiver is None else setup.name(receiver(ball.colour)),
        )
        for ball in thrown.lost
    )
    return (*foul, *forfeits)


def set_aside_calls(setup: Setup, shooter: int, thrown: Thrown) -> tuple[Call, ...]:
    """The calls of a shot of a game that takes lost balls out of play and scores the holes."""
    calls, ball = lost_calls(setup, shooter, thrown, None), thrown.shot_ball
    if ball is None or ball.at == BOARD:
        return calls
    points = setup.board.points(ball.at, ball.colour)
    return (*calls, Call(player=setup.name(shooter), call="score", points=points, hole=ball.at))


def into_corrals(balls: Balls, colours: Iterable[str], receiver: Callable[[str], int]) -> Balls:
    """The balls with some more in the corrals: each colour in that of the player whom ``receiver`` says."""
    corrals = [list(corral) for corral in balls.corrals]
    for colour in colours:
        corrals[receiver(colour)].append(colour)
    return replace(balls, corrals=tuple(tuple(sorted(corral)) for corral in corrals))


def pick_up(balls: Balls, picked: Iterable[BallAt], receiver: Callable[[str], int]) -> Balls:
    """Take balls off the board into the corrals; those that don't lie where they are said to are passed over."""
    lying, colours = list(balls.lying), []
    for ball in picked:
        if ball in lying:
            lying.remove(ball)
            colours.append(ball.colour)
    return into_corrals(replace(balls, lying=tuple(lying)), colours, receiver)


def remove_by_hand(setup: Setup, balls: Balls, removed: Removed) -> Balls:
    """Put the balls that really lie where they were taken from back into their owners' corrals."""
    return pick_up(balls, removed.balls, setup.owners.__getitem__)


def place_by_hand(setup: Setup, balls: Balls, placed: Placed) -> Balls:
    """Take balls out of the corrals, their owner's first, and put them on the board; those that lie there stay."""
    listed = Counter({ball: n if ball.at == BOARD else 1 for ball, n in Counter(placed.balls).items()})
    fresh = tuple((listed - Counter(balls.lying)).elements())
    corrals = [list(corral) for corral in balls.corrals]
    for ball in fresh:
        owner = setup.owners.get(ball.colour)
        holders = () if owner is None else (owner, *setup.clockwise(owner))
        holder = next((player for player in holders if ball.colour in corrals[player]), None)
        if holder is None:
            raise Refused("no_such_ball")
        corrals[holder].remove(ball.colour)
    return replace(balls, corrals=tuple(map(tuple, corrals)), lying=_arranged([*balls.lying, *fresh]))


def _resting(colour: str, result: Place) -> BallAt | None:
    """Where the shot ball lies; None when it went off, or lies on other balls."""
    match result:
        case InHole():
            return BallAt(colour=colour, at=result.hole)
        case OnBoard():
            return BallAt(colour=colour, at=BOARD)
        case _:
            return None


def _arranged(lying: Sequence[BallAt]) -> tuple[BallAt, ...]:
    """The balls in order of their places; refuses two in one hole."""
    holes = [ball.at for ball in lying if ball.at != BOARD]
    if len(set(holes)) < len(holes):
        raise Refused("impossible")
    return tuple(sorted(lying, key=lambda ball: (ball.at, ball.colour)))
