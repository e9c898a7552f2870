"""Bounce It!: bounce balls into the box; after a hit take the chip on the platform, or raise it and throw on."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from calibration.layout import Layout
from referee.errors import BadHeader
from referee.events import Choice, Decision, Event, Header, InHole, Shot
from referee.games.game import Call, CallKind, Expected, Game, Outcome, Refused, Step
from referee.games.options import count_option, counts_option, flag_option, players_option, starter_option

VALUES: Final = (1, 2, 5, 10, 20)
BLUE: Final = "blue"
BALLS: Final = ("orange-small", "orange-medium", "orange-large", BLUE)
SUPPLIES: Final[Mapping[int, tuple[int, ...]]] = {
    2: (3, 3, 3, 3, 4),
    3: (3, 3, 3, 3, 4),
    4: (3, 4, 4, 4, 5),
    5: (4, 5, 5, 5, 6),
    6: (5, 6, 6, 6, 7),
}
"""How many chips of each value lie in the tray, by the number of players."""
BLUE_LIMIT: Final = 21
"""From so many points on the blue ball may be forbidden."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What the header settles for the whole match. Players are meant by their place in the turn order.

    ``skilled``: who may not use the blue ball in the first turn.
    """

    names: tuple[str, ...]
    starter: int
    target: int
    has_blue_limit: bool
    skilled: tuple[int, ...]
    does_throw_raise: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Supply:
    """The tray: how many chips of each value it holds, in the order of ``VALUES``."""

    counts: tuple[int, ...]

    def above(self, value: int) -> int | None:
        """The lowest chip that is worth more."""
        return next((chip for chip, count in zip(VALUES, self.counts, strict=True) if chip > value and count), None)

    def with_chip(self, value: int, change: int = 1) -> "Supply":
        """The tray after a chip was put in, or (-1) taken out."""
        counts = zip(VALUES, self.counts, strict=True)
        return Supply(counts=tuple(count + change * (chip == value) for chip, count in counts))


@dataclass(frozen=True, slots=True, kw_only=True)
class BounceIt:
    """A moment of a match.

    ``current``: the chip on the platform; ``chips``: those of each player in the order of taking; ``turns``: how many
    have ended; ``thrown``: the balls of this turn; ``has_hit``: the last throw was a hit and balls are left, so that
    the player may raise or stop.
    """

    setup: Setup
    supply: Supply
    current: int
    chips: tuple[tuple[int, ...], ...]
    turns: int = 0
    thrown: tuple[str, ...] = ()
    has_hit: bool = False
    is_over: bool = False

    def apply(self, event: Event) -> Step:
        match event:
            case Shot():
                return self._shot(event)
            case Decision():
                return self._decision(event)
            case _:
                return Step(state=self)

    def outcome(self) -> Outcome:
        names = self.setup.names
        return Outcome(
            phase="finished" if self.is_over else "playing",
            turn=None if self.is_over else names[self._turn],
            scores=tuple((name, sum(chips)) for name, chips in zip(names, self.chips, strict=True)),
            winners=tuple(names[player] for player in self._winners()),
            detail=BounceItDetail(
                names=names,
                chips=self.chips,
                current=None if self.is_over else self.current,
                supply=self.supply,
                balls_left=self._balls_left(),
                may_raise=self._may_raise(),
            ),
        )

    def expected(self) -> Expected:
        if self.is_over:
            return Expected(players=(), action="nothing")
        may_raise = self._may_raise()
        is_throw_next = not self.has_hit or (may_raise and self.setup.does_throw_raise)
        words: tuple[Choice, ...] = ("raise", "stop") if may_raise else ("stop",)
        return Expected(
            players=(self.setup.names[self._turn],),
            action="throw" if is_throw_next else "choose",
            choices=words if self.has_hit else (),
        )

    def _may_raise(self) -> bool:
        return self.has_hit and self.supply.above(self.current) is not None

    @property
    def _turn(self) -> int:
        return (self.setup.starter + self.turns) % len(self.setup.names)

    def _winners(self) -> tuple[int, ...]:
        """After the end whoever has most points: nobody else can have reached the target before."""
        most = max(map(sum, self.chips))
        return tuple(player for player, chips in enumerate(self.chips) if self.is_over and sum(chips) == most)

    def _balls_left(self) -> tuple[str, ...]:
        """The balls that the player in turn may still use."""
        gone = BALLS if self.is_over else self.thrown if self._may_use_blue() else (BLUE, *self.thrown)
        return tuple(ball for ball in BALLS if ball not in gone)

    def _may_use_blue(self) -> bool:
        points = sum(self.chips[self._turn])
        is_somebody_behind = any(sum(chips) < points for chips in self.chips)
        has_too_many = self.setup.has_blue_limit and points >= BLUE_LIMIT
        is_first_turn = self.turns < len(self.setup.names)
        return not (is_somebody_behind or has_too_many or (is_first_turn and self._turn in self.setup.skilled))

    def _shot(self, shot: Shot) -> Step:
        ball = shot.ball
        if ball is None:
            raise Refused("bad_event")
        self._check_running()
        is_barred = ball == BLUE and not self._may_use_blue()
        if not is_barred and ball not in self._balls_left():
            raise Refused("no_such_ball")
        self._check_turn(shot.player)
        if is_barred:
            raise Refused("blue_not_allowed")
        if not self.has_hit:
            return self._throw(shot, ball)
        if not self.setup.does_throw_raise:
            raise Refused("decide_first")
        raised = self._raised()
        thrown = raised._throw(shot, ball)
        return Step(state=thrown.state, calls=(raised._call("raise", raised.current), *thrown.calls))

    def _decision(self, decision: Decision) -> Step:
        self._check_running()
        self._check_turn(decision.player)
        if decision.choice == "raise":
            raised = self._raised()
            return Step(state=raised, calls=(raised._call("raise", raised.current),))
        if not self.has_hit:
            raise Refused("cannot_stop")
        return self._take()

    def _check_running(self) -> None:
        if self.is_over:
            raise Refused("game_over")

    def _check_turn(self, player: str | None) -> None:
        if player not in (None, self.setup.names[self._turn]):
            raise Refused("out_of_turn")

    def _raised(self) -> "BounceIt":
        """The chip on the platform goes back for the next higher one that there is."""
        higher = self.supply.above(self.current)
        if not self.has_hit or higher is None:
            raise Refused("cannot_raise")
        supply = self.supply.with_chip(self.current).with_chip(higher, -1)
        return replace(self, supply=supply, current=higher, has_hit=False)

    def _throw(self, shot: Shot, ball: str) -> Step:
        """A hit: one bounce on the table, then into the hole; with the last ball it takes the chip."""
        is_hit = shot.table_bounces == 1 and isinstance(shot.result, InHole)
        call = self._call("hit" if is_hit else "miss")
        after = replace(self, thrown=(*self.thrown, ball))
        if after._balls_left():
            return Step(state=replace(after, has_hit=is_hit), calls=(call,))
        if not is_hit:
            return Step(state=after._next_turn(), calls=(call,))
        taken = after._take()
        return Step(state=taken.state, calls=(call, *taken.calls))

    def _take(self) -> Step:
        """The player wins the chip on the platform; the lowest of the supply follows it, unless the match is over."""
        own = (*self.chips[self._turn], self.current)
        chips = tuple(own if player == self._turn else theirs for player, theirs in enumerate(self.chips))
        lowest = self.supply.above(0)
        taken = replace(self, chips=chips)._next_turn()
        calls = (self._call("take", self.current),)
        if sum(own) < self.setup.target and lowest is not None:
            return Step(state=replace(taken, current=lowest, supply=self.supply.with_chip(lowest, -1)), calls=calls)
        over = replace(taken, is_over=True)
        wins = tuple(Call(player=self.setup.names[player], call="win") for player in over._winners())
        return Step(state=over, calls=(*calls, *wins))

    def _next_turn(self) -> "BounceIt":
        return replace(self, turns=self.turns + 1, thrown=(), has_hit=False)

    def _call(self, kind: CallKind, points: int | None = None) -> Call:
        return Call(player=self.setup.names[self._turn], call=kind, points=points)


@dataclass(frozen=True, slots=True, kw_only=True)
class BounceItDetail:
    """The chips of each player, the one on the platform and those in the tray; what the player in turn may do."""

    names: tuple[str, ...]
    chips: tuple[tuple[int, ...], ...]
    current: int | None
    supply: Supply
    balls_left: tuple[str, ...]
    may_raise: bool

    def to_json(self) -> dict[str, object]:
        return {
            "chips": {name: list(chips) for name, chips in zip(self.names, self.chips, strict=True)},
            "current": self.current,
            "supply": {str(chip): count for chip, count in zip(VALUES, self.supply.counts, strict=True)},
            "balls_left": list(self.balls_left),
            "may_raise": self.may_raise,
        }

    def to_words(self) -> tuple[str, ...]:
        counts = zip(VALUES, self.supply.counts, strict=True)
        tray = "In the tray: " + (", ".join(f"{count} of {chip}" for chip, count in counts if count) or "nothing")
        if self.current is None:
            return (tray,)
        return (f"On the platform: {self.current}", tray, f"Balls left: {', '.join(self.balls_left)}")


def start(header: Header, layout: Layout | None) -> BounceIt:
    """The first moment of a match; a box needs no layout to be ruled. Raises BadHeader."""
    names = header.names
    if len(names) not in SUPPLIES:
        raise BadHeader(f"Bounce It! is for 2 to 6 players, not {len(names)}", "match header", "change players")
    usual = {str(chip): count for chip, count in zip(VALUES, SUPPLIES[len(names)], strict=True)}
    supply = Supply(counts=counts_option(header, "supply", usual))
    lowest = supply.above(0)
    if lowest is None:
        raise BadHeader("the supply has no chip", "match header", f"write how many of each: {json.dumps(usual)}")
    return BounceIt(
        setup=Setup(
            names=names,
            starter=starter_option(header) or 0,
            target=count_option(header, "target", 42),
            has_blue_limit=flag_option(header, "no_blue_from_21", False),
            skilled=players_option(header, "no_blue_first_turn"),
            does_throw_raise=flag_option(header, "throw_means_raise", True),
        ),
        supply=supply.with_chip(lowest, -1),
        current=lowest,
        chips=((),) * len(names),
    )


GAME: Final = Game(
    name="bounce-it",
    title="Bounce It!",
    uses=frozenset({"shot"}),
    reads_layout=False,
    choices=frozenset({"raise", "stop"}),
    start=start,
)
