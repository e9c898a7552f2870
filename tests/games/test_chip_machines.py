"""Bounce It! and Wonder Bowling played at random: no chip is lost or made, and nobody gets what was not won."""

from collections import Counter
from itertools import chain
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from referee.events import event_from_json, header_from_json
from referee.games.game import Outcome, Step
from referee.match.umpire import Umpire
from tests.games.chips import BALLS, BLUE, NAMES, box, hit, match, rack, say, tap
from tests.games.play import Json

PLAYERS = st.integers(2, 4)
SOMEBODY = st.sampled_from([None, None, None, *NAMES[:3]])


class Played(RuleBasedStateMachine):
    """A match that takes one event after the other."""

    def begin(self, head: Json) -> None:
        self.umpire = Umpire.of(header_from_json(head), None)
        self.step = Step(state=self.umpire.start)

    @property
    def outcome(self) -> Outcome:
        return self.step.state.outcome()

    @property
    def detail(self) -> dict[str, Any]:
        return self.outcome.detail.to_json()

    def take(self, line: Json) -> bool:
        """Let an event happen; False when it was refused, and then nothing has changed."""
        before, turn = self.step.state, self.outcome.turn
        self.step = self.umpire.take(before, event_from_json(line))
        if any(call.call == "refused" for call in self.step.calls):
            assert len(self.step.calls) == 1
            assert self.step.state == before
            return False
        assert turn is not None
        assert line.get("player") in (None, turn)
        assert {call.player for call in self.step.calls if call.call != "win"} <= {turn}
        return True

    def called(self, *kinds: str) -> bool:
        """Whether the last event gave a call of one of these kinds."""
        return any(call.call in kinds for call in self.step.calls)

    @invariant()
    def winners_are_called(self) -> None:
        winners = list(self.outcome.winners)
        assert bool(winners) == (self.outcome.phase == "finished")
        assert not self.called("win") or [call.player for call in self.step.calls if call.call == "win"] == winners


class Box(Played):
    """Bounce It! beside a tally of who has which chips and which balls are thrown."""

    @initialize(players=PLAYERS, supply=st.lists(st.integers(0, 1), min_size=4, max_size=4), throw_raises=st.booleans())
    def start(self, players: int, supply: list[int], throw_raises: bool) -> None:
        chips = dict(zip(("1", "2", "5", "10", "20"), [*supply, 1], strict=True))
        self.begin(box(players, supply=chips, throw_means_raise=throw_raises))
        self.all_chips = Counter({int(value): count for value, count in chips.items()})
        self.won: dict[str, list[int]] = {name: [] for name in NAMES[:players]}
        self.thrown: list[str] = []

    @rule(ball=st.sampled_from([*BALLS, "green"]), is_hit=st.sampled_from([True, True, False]), player=SOMEBODY)
    def throw(self, ball: str, is_hit: bool, player: str | None) -> None:
        had_raise, chip, turn = self.detail["may_raise"], self.detail["current"], self.outcome.turn
        if self.take(hit(ball, table_bounces=1 if is_hit else 2, player=player)):
            assert self.called("raise") == had_raise
            assert self.called("hit") == is_hit != self.called("miss")
            assert ball not in self.thrown
            self.tally(turn, chip, [ball])

    @rule(choice=st.sampled_from(["raise", "stop"]), player=st.sampled_from(NAMES[:2]))
    def decide(self, choice: str, player: str) -> None:
        chip = self.detail["current"]
        if self.take(say(player, choice)):
            assert self.called("raise") == (choice == "raise") != self.called("take")
            self.tally(player, chip, [])

    def tally(self, turn: str | None, chip: int, thrown: list[str]) -> None:
        """Follow what was called in whose turn: a raise changes the chip, taking it wins it."""
        self.thrown += thrown
        for call in self.step.calls:
            if call.call == "raise":
                assert call.points is not None
                assert call.points > chip
                chip = call.points
            if call.call == "take":
                assert call.points == chip
                assert call.player is not None
                self.won[call.player].append(chip)
        if self.outcome.turn != turn:
            self.thrown = []

    @invariant()
    def no_chip_is_lost_or_made(self) -> None:
        current = [] if self.detail["current"] is None else [self.detail["current"]]
        tray = Counter({int(value): count for value, count in self.detail["supply"].items()})
        assert tray + Counter([*current, *chain.from_iterable(self.won.values())]) == self.all_chips

    @invariant()
    def everybody_has_what_was_taken(self) -> None:
        assert self.detail["chips"] == self.won
        assert dict(self.outcome.scores) == {name: sum(chips) for name, chips in self.won.items()}

    @invariant()
    def the_balls_left_are_those_not_thrown_that_may_be_used(self) -> None:
        turn, points = self.outcome.turn, dict(self.outcome.scores)
        is_ahead = turn is not None and points[turn] > min(points.values())
        left = [] if turn is None else [b for b in BALLS if b not in self.thrown and not (b == BLUE and is_ahead)]
        assert self.detail["balls_left"] == left

    @invariant()
    def after_the_end_nothing_is_open(self) -> None:
        is_over = self.outcome.phase == "finished"
        assert (self.detail["current"] is None) == (self.outcome.turn is None) == is_over
        assert not (is_over and self.detail["may_raise"])


class Lane(Played):
    """Wonder Bowling beside a tally of the chips that are dealt and turned."""

    @initialize(players=PLAYERS, seed=st.integers(0, 99), penalties=st.sampled_from([0, 5, 6]))
    def start(self, players: int, seed: int, penalties: int) -> None:
        self.begin(match("wonder-bowling", players, seed=seed, penalty_chips=[2, 3, 4, 5, 6, 7]))
        self.turned: Counter[int] = Counter()
        self.dealt = self.face_up()
        for _ in range(penalties):
            self.tap(standing=0, touch=False, player=None)

    def face_up(self) -> Counter[int]:
        return Counter(number for numbers in self.detail["targets"].values() for number in numbers)

    @rule(
        standing=st.sampled_from([1, 1, *range(11)]),
        touch=st.sampled_from([False, False, False, True]),
        player=SOMEBODY,
    )
    def tap(self, standing: int, touch: bool, player: str | None) -> None:
        before, up, turn = self.detail, self.face_up(), self.outcome.turn
        if not self.take(tap(standing, direct_touch=touch, player=player)):
            return
        assert standing <= before["standing"]
        if standing == before["standing"]:
            assert self.called("miss") != self.called("penalty")
            assert (self.outcome.turn == turn) == self.called("miss")
        else:
            assert self.called("penalty") == (touch or standing == 0)
            assert self.called("strike") == (standing == 1 and not touch)
            is_target = standing in before["targets"][turn] and not touch
            assert self.called("nice_shot") == is_target
        assert self.called("eliminated") == (self.called("penalty") and before["survival"])
        assert self.detail["standing"] == (10 if self.called("rerack") else standing)
        taken = Counter([2, 3, 4, 5, 6, 7][6 - before["penalty_left"] : 6 - self.detail["penalty_left"]])
        assert sum(taken.values()) == (self.called("penalty") and not before["survival"])
        self.turned += up + taken - self.face_up()
        self.dealt += taken

    @rule(player=st.sampled_from(NAMES[:2]), choice=st.data())
    def choose(self, player: str, choice: st.DataObject) -> None:
        up, before = self.face_up(), self.detail
        held = before["targets"][player]
        numbers = choice.draw(st.none() | st.lists(st.sampled_from([*held, 9]), max_size=2))
        line = say(player, "targets", **({} if numbers is None else {"targets": numbers}))
        if choice.draw(st.booleans()):
            line = say(player, "strike")
        if self.take(line):
            gone = up - self.face_up()
            assert sum(gone.values()) == (0 if line["choice"] == "strike" else min(2, len(held)))
            assert numbers is None or line["choice"] == "strike" or gone == Counter(numbers)
            assert before["strike"][player] - self.detail["strike"][player] == (line["choice"] == "strike")
            self.turned += gone

    @rule(standing=st.integers(0, 10))
    def set_up(self, standing: int) -> None:
        turn = self.outcome.turn
        if self.take(rack(standing)):
            assert (self.detail["standing"], self.outcome.turn) == (standing, turn)

    @invariant()
    def no_chip_is_lost_or_made(self) -> None:
        assert self.face_up() + self.turned == self.dealt

    @invariant()
    def the_score_is_what_is_still_to_be_turned(self) -> None:
        detail = self.detail
        assert dict(self.outcome.scores) == {
            name: detail["strike"][name] + len(detail["targets"][name]) for name in detail["strike"]
        }

    @invariant()
    def the_survival_rule_holds_once_the_penalty_chips_are_gone(self) -> None:
        assert self.detail["survival"] == (self.detail["penalty_left"] == 0)
        assert self.detail["survival"] or not self.detail["eliminated"]
        assert self.outcome.turn not in self.detail["eliminated"]

    @invariant()
    def somebody_has_won_when_no_chip_or_nobody_else_is_left(self) -> None:
        names = list(self.detail["strike"])
        left = [name for name in names if name not in self.detail["eliminated"]]
        done = [name for name in names if dict(self.outcome.scores)[name] == 0]
        assert list(self.outcome.winners) == (done or (left if len(left) == 1 else []))


TestBox = Box.TestCase
TestLane = Lane.TestCase
TestBox.settings = TestLane.settings = settings(max_examples=40, stateful_step_count=60)
