"""Wonder Bowling: tap the lane so that as many pins are left standing as one of your chips says."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from calibration.layout import Layout
from referee.errors import BadHeader
from referee.events import Choice, Decision, Event, Header, Rack, Tap
from referee.games.game import Call, CallKind, Expected, Game, Outcome, Refused, Step
from referee.games.options import starter_option
from referee.games.target_chips import deal, with_chips_given

PINS: Final = 10
STRIKE_CHIPS_EACH: Final = 2
TARGETS_FOR_A_STRIKE: Final = 2
MOST_PLAYERS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """The chips that a player still has to turn: how many strike chips, and the numbers of the target chips."""

    strikes: int
    targets: tuple[int, ...]

    @property
    def count(self) -> int:
        return self.strikes + len(self.targets)

    @property
    def is_choice(self) -> bool:
        """Whether a strike leaves a choice: between the two kinds of chips, or which target chips to turn."""
        return bool(self.strikes and self.targets) or len(self.targets) > TARGETS_FOR_A_STRIKE

    def after_strike_chip(self) -> "Hand":
        """The hand with one strike chip turned; refused when there is none."""
        if not self.strikes:
            raise Refused("impossible")
        return replace(self, strikes=self.strikes - 1)

    def after_targets(self, numbers: Sequence[int]) -> "Hand":
        """The hand with the target chips of these numbers turned; refused when it doesn't hold them."""
        if Counter(numbers) - Counter(self.targets):
            raise Refused("impossible")
        return replace(self, targets=tuple((Counter(self.targets) - Counter(numbers)).elements()))

    def after_penalty(self, number: int) -> "Hand":
        return replace(self, targets=(*self.targets, number))


@dataclass(frozen=True, slots=True, kw_only=True)
class WonderBowling:
    """A moment of a match. Players are meant by their place in the turn order.

    ``penalties``: the penalty chips still aside, the next to be taken first; ``has_missed``: the first tap of this turn
    felled no pin; ``has_strike``: the player in turn made a strike and still has to say which chips to turn.
    """

    names: tuple[str, ...]
    hands: tuple[Hand, ...]
    penalties: tuple[int, ...]
    turn: int
    standing: int = PINS
    has_missed: bool = False
    has_strike: bool = False
    eliminated: tuple[int, ...] = ()
    winner: int | None = None

    @property
    def is_survival(self) -> bool:
        """Once no penalty chip is left, a penalty eliminates."""
        return not self.penalties

    def apply(self, event: Event) -> Step:
        match event:
            case Tap():
                return self._tap(event)
            case Rack():
                return self._rack(event)
            case Decision():
                return self._decision(event)
            case _:
                return Step(state=self)

    def outcome(self) -> Outcome:
        is_over = self.winner is not None
        return Outcome(
            phase="finished" if is_over else "playing",
            turn=None if is_over else self.names[self.turn],
            scores=tuple((name, hand.count) for name, hand in zip(self.names, self.hands, strict=True)),
            winners=() if self.winner is None else (self.names[self.winner],),
            detail=WonderBowlingDetail(
                names=self.names,
                hands=self.hands,
                penalty_left=len(self.penalties),
                is_survival=self.is_survival,
                eliminated=tuple(self.names[player] for player in self.eliminated),
                standing=self.standing,
            ),
        )

    def expected(self) -> Expected:
        if self.winner is not None:
            return Expected(players=(), action="nothing")
        due = (self.names[self.turn],)
        if not self.has_strike:
            return Expected(players=due, action="tap")
        choices: tuple[Choice, ...] = ("strike", "targets") if self._hand.strikes else ("targets",)
        return Expected(players=due, action="choose", choices=choices)

    @property
    def _hand(self) -> Hand:
        return self.hands[self.turn]

    def _tap(self, tap: Tap) -> Step:
        self._check_running()
        self._check_turn(tap.player)
        if self.has_strike:
            raise Refused("decide_first")
        if tap.standing > self.standing:
            raise Refused("impossible")
        if tap.standing == self.standing:
            if self.has_missed:
                return self._penalise("no_pins")
            return Step(state=replace(self, has_missed=True), calls=(self._call("miss"),))
        after = replace(self, standing=tap.standing)
        if tap.direct_touch:
            return after._penalise("direct_touch")
        if tap.standing == 0:
            return after._penalise("all_pins")
        if tap.standing == 1:
            return after._strike()
        if tap.standing in self._hand.targets:
            nice_shot = self._call("nice_shot", points=tap.standing)
            return after._with_hand(self._hand.after_targets([tap.standing]))._end_turn(nice_shot)
        return after._end_turn()

    def _strike(self) -> Step:
        """One pin stands: the player turns chips at once where there is nothing to choose, else says which."""
        hand, strike = self._hand, self._call("strike")
        if hand.is_choice:
            return Step(state=replace(self, standing=PINS, has_strike=True), calls=(strike, self._call("rerack")))
        turned = hand.after_strike_chip() if hand.strikes else hand.after_targets(hand.targets)
        return self._with_hand(turned)._end_turn(strike, is_set_up=True)

    def _penalise(self, reason: str) -> Step:
        """A penalty chip is one more to turn; when none is left the player is out. Felled pins are set up again."""
        calls = [self._call("penalty", reason=reason)]
        if self.is_survival:
            calls.append(self._call("eliminated"))
            after = replace(self, eliminated=(*self.eliminated, self.turn))
        else:
            taken, *left = self.penalties
            after = replace(self._with_hand(self._hand.after_penalty(taken)), penalties=tuple(left))
        return after._end_turn(*calls, is_set_up=reason != "no_pins" and self.standing <= 1)

    def _decision(self, decision: Decision) -> Step:
        """Which chips a strike turns: one strike chip, or two target chips, all when there are fewer."""
        targets = self.hands[self.names.index(decision.player)].targets
        if decision.choice == "targets" and decision.targets is None and len(targets) > TARGETS_FOR_A_STRIKE:
            raise Refused("bad_event")
        self._check_running()
        self._check_turn(decision.player)
        if not self.has_strike:
            raise Refused("no_choice")
        if decision.choice == "strike":
            return self._with_hand(self._hand.after_strike_chip())._end_turn()
        numbers = targets if decision.targets is None else decision.targets
        if len(numbers) != min(TARGETS_FOR_A_STRIKE, len(targets)):
            raise Refused("impossible")
        return self._with_hand(self._hand.after_targets(numbers))._end_turn()

    def _rack(self, rack: Rack) -> Step:
        self._check_running()
        if rack.problems:
            raise Refused("bad_rack")
        return Step(state=replace(self, standing=rack.standing))

    def _check_running(self) -> None:
        if self.winner is not None:
            raise Refused("game_over")

    def _check_turn(self, player: str | None) -> None:
        if player not in (None, self.names[self.turn]):
            raise Refused("out_of_turn")

    def _with_hand(self, hand: Hand) -> "WonderBowling":
        """The state after the player in turn turned or took chips."""
        hands = (hand if player == self.turn else other for player, other in enumerate(self.hands))
        return replace(self, hands=tuple(hands))

    def _end_turn(self, *calls: Call, is_set_up: bool = False) -> Step:
        """Whoever has no chip left, or is the last one left, has won; else the next player clockwise goes on."""
        count = len(self.names)
        after = replace(self, has_missed=False, has_strike=False)
        order = [(self.turn + step) % count for step in range(1, count + 1)]
        left = [player for player in order if player not in self.eliminated]
        winner = self.turn if self._hand.count == 0 else left[0] if len(left) == 1 else None
        if winner is not None:
            win = Call(player=self.names[winner], call="win")
            return Step(state=replace(after, winner=winner), calls=(*calls, win))
        if is_set_up:
            calls = (*calls, self._call("rerack"))
            after = replace(after, standing=PINS)
        return Step(state=replace(after, turn=left[0]), calls=calls)

    def _call(self, kind: CallKind, *, reason: str | None = None, points: int | None = None) -> Call:
        return Call(player=self.names[self.turn], call=kind, reason=reason, points=points)


@dataclass(frozen=True, slots=True, kw_only=True)
class WonderBowlingDetail:
    """What each player still has to turn, who is out, the penalty chips left and the pins that stand."""

    names: tuple[str, ...]
    hands: tuple[Hand, ...]
    penalty_left: int
    is_survival: bool
    eliminated: tuple[str, ...]
    standing: int

    def to_json(self) -> dict[str, object]:
        hands = tuple(zip(self.names, self.hands, strict=True))
        return {
            "strike": {name: hand.strikes for name, hand in hands},
            "targets": {name: list(hand.targets) for name, hand in hands},
            "penalty_left": self.penalty_left,
            "survival": self.is_survival,
            "eliminated": list(self.eliminated),
            "standing": self.standing,
        }

    def to_words(self) -> tuple[str, ...]:
        chips = (
            f"{name} to turn: {', '.join([*['strike'] * hand.strikes, *map(str, hand.targets)])}"
            for name, hand in zip(self.names, self.hands, strict=True)
            if hand.count and name not in self.eliminated
        )
        return (
            f"Pins standing: {self.standing}",
            *chips,
            f"Penalty chips: {self.penalty_left or 'none left, the next penalty eliminates'}",
            *((f"Out: {', '.join(self.eliminated)}",) if self.eliminated else ()),
        )


def start(header: Header, layout: Layout | None) -> WonderBowling:
    """The first moment of a match; a lane needs no layout to be ruled. Raises BadHeader."""
    names = header.names
    if not 2 <= len(names) <= MOST_PLAYERS:
        raise BadHeader(f"Wonder Bowling is for 2 to 6 players, not {len(names)}", "match header", "change players")
    dealt = deal(header)
    return WonderBowling(
        names=names,
        hands=tuple(Hand(strikes=STRIKE_CHIPS_EACH, targets=targets) for targets in dealt.targets),
        penalties=dealt.penalties,
        turn=starter_option(header) or 0,
    )


GAME: Final = Game(
    name="wonder-bowling",
    title="Wonder Bowling",
    uses=frozenset({"tap", "rack"}),
    reads_layout=False,
    choices=frozenset({"strike", "targets"}),
    start=start,
    draw=with_chips_given,
)
