"""A game that is none of ours, as another package would bring it: each fells what pins they can; most pins win.

Besides taps it knows an event type of its own, "whistle": the player in turn loses it.
"""

from dataclasses import dataclass, replace

from calibration.layout import Layout
from referee.errors import BadHeader
from referee.events import Decision, Event, Header, OtherEvent, Tap
from referee.games.game import Call, Expected, Game, Outcome, Refused, Step
from referee.games.options import count_option

PINS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Skittles:
    """``felled``: in turn order; ``left``: how many more turns there are."""

    names: tuple[str, ...]
    felled: tuple[int, ...]
    left: int

    @property
    def turn(self) -> int:
        return -self.left % len(self.names)

    @property
    def winners(self) -> tuple[str, ...]:
        best = max(self.felled)
        return tuple(name for name, pins in zip(self.names, self.felled, strict=True) if pins == best and not self.left)

    def apply(self, event: Event) -> Step:
        match event:
            case Tap() | OtherEvent(type="whistle") | Decision(choice="stop") if not self.left:
                raise Refused("game_over")
            case Tap(standing=standing, player=player):
                if player not in (None, self.names[self.turn]):
                    raise Refused("out_of_turn")
                if standing > PINS:
                    raise Refused("impossible")
                return self._passed_on(PINS - standing)
            case OtherEvent(type="whistle"):
                return self._passed_on(0)
            case Decision(choice="stop", player=player):
                if player != self.names[self.turn]:
                    raise Refused("out_of_turn")
                return self._passed_on(0)
            case _:
                return Step(state=self)

    def _passed_on(self, pins: int) -> Step:
        name = self.names[self.turn]
        felled = tuple(old + pins * (place == self.turn) for place, old in enumerate(self.felled))
        after = replace(self, felled=felled, left=self.left - 1)
        hit = (Call(player=name, call="hit", points=pins),) if pins else ()
        return Step(state=after, calls=(*hit, *(Call(player=winner, call="win") for winner in after.winners)))

    def outcome(self) -> Outcome:
        return Outcome(
            phase="playing" if self.left else "finished",
            turn=self.names[self.turn] if self.left else None,
            scores=tuple(zip(self.names, self.felled, strict=True)),
            winners=self.winners,
        )

    def expected(self) -> Expected:
        if not self.left:
            return Expected(players=(), action="nothing")
        return Expected(players=(self.names[self.turn],), action="tap", choices=("stop",))


def start(header: Header, layout: Layout | None) -> Skittles:
    if not header.players:
        raise BadHeader("nobody plays", "match header", "name players")
    turns = count_option(header, "turns", 3)
    return Skittles(names=header.names, felled=(0,) * len(header.names), left=turns * len(header.names))


GAME = Game(
    name="skittles",
    title="Skittles",
    uses=frozenset({"tap", "whistle"}),
    reads_layout=False,
    choices=frozenset({"stop"}),
    start=start,
)
