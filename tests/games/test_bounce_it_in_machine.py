"""Bounce It-In as a machine: any throws, hands and words in any order, and what must hold after each."""

from collections import Counter
from itertools import product
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from referee.events import event_from_json
from referee.games import find_game
from referee.games.bounce_21 import Bounce21
from referee.games.bounce_em_straight import BounceEmStraight
from referee.games.bounce_it_in_match import BounceItInMatch
from referee.games.game import Call, Outcome, Refused
from referee.games.hit_66 import Hit66
from tests.games.play import BOARD, COLOURS, NAMES, header, loose, move, placed, play, removed, shot, stand, start

HOLES = st.sampled_from([f"{letter}{y}" for letter in "ABCDE" for y in (1, 2)] + ["C3", "C4", "C5"])
PLACES = HOLES | st.just("board")
RESULTS = HOLES | HOLES | st.sampled_from(["board", "off", "out", "on_ball"])
BOUNCES = st.sampled_from([1, 1, 1, 0, 2])
HITS = st.lists(st.tuples(PLACES, PLACES), max_size=2)
PLAYERS = st.sampled_from([None, *NAMES])
SOME_COLOUR = st.sampled_from([*COLOURS, "pink"])


class BounceItInMachine(RuleBasedStateMachine):
    """A match kept live, event by event, beside its log."""

    @initialize(
        game=st.sampled_from(["bounce-em-straight", "bounce-em-all", "hit-66", "bounce-21"]),
        players=st.integers(2, 4),
        options=st.sampled_from(
            [{"starter": "Bob"}, {"starter": "Ann", "foul_wins_no_row": True, "throw_means_stand": False}, {}]
        ),
    )
    def begin(self, game: str, players: int, options: dict[str, Any]) -> None:
        self.header = header(players, game, target=30, **options)
        state = find_game(game).start(start(self.header), BOARD)
        assert isinstance(state, BounceItInMatch)
        self.state = state
        self.log: list[object] = []
        self.calls: list[Call] = []

    def take(self, event: object) -> None:
        before = self.state.outcome()
        self.log.append(event)
        try:
            step = self.state.apply(event_from_json(event))
        except Refused:
            return
        assert isinstance(step.state, BounceItInMatch)
        self.check_step(before, step.state.outcome(), step.calls)
        self.state = step.state
        self.calls.extend(step.calls)

    def check_step(self, before: Outcome, after: Outcome, calls: tuple[Call, ...]) -> None:
        """A match goes forward only, and changes nothing after its end."""
        phases = ["opening", "playing", "finished"]
        assert phases.index(after.phase) >= phases.index(before.phase)
        if before.phase == "finished":
            assert (after, calls) == (before, ())
        assert [call.player for call in calls if call.call == "win"] == [
            name for name in after.winners if before.phase != "finished"
        ]

    @rule(pick=st.integers(0, 23), result=RESULTS, bounces=BOUNCES, hits=HITS)
    def throw(self, pick: int, result: str, bounces: int, hits: list[tuple[str, str]]) -> None:
        """A throw of somebody who is due, with a ball of theirs, that hits what lies there."""
        names = self.state.expected().players
        balls = [ball for name in names for ball in self.state.balls.corrals[NAMES.index(name)]] or ["red"]
        lying = {ball.at: ball.colour for ball in self.state.balls.lying}
        moved = [move(lying[a], a, b) for a, b in hits if a in lying and b not in lying]
        if pick == 0 and lying:
            moved = [move(colour, at, None) for at, colour in [*lying.items()][:1]]
        self.take(shot(balls[pick % len(balls)], result, bounces, moved=moved))

    @rule(colour=SOME_COLOUR, result=RESULTS, player=PLAYERS, hit=st.tuples(SOME_COLOUR, PLACES))
    def throw_anything(self, colour: str, result: str, player: str | None, hit: tuple[str, str]) -> None:
        self.take(shot(colour, result, player=player, moved=[move(*hit, None)] if result == "off" else []))

    @rule(colour=SOME_COLOUR, place=PLACES)
    def put_down(self, colour: str, place: str) -> None:
        self.take(placed((colour, place)))

    @rule(colour=SOME_COLOUR, count=st.integers(1, 6))
    def put_down_beside_the_holes(self, colour: str, count: int) -> None:
        self.take(loose(**{colour: count}))

    @rule(colour=SOME_COLOUR, place=PLACES)
    def take_away(self, colour: str, place: str) -> None:
        self.take(removed((colour, place)))

    @rule(player=st.sampled_from(NAMES))
    def say_stand(self, player: str) -> None:
        if isinstance(self.state, Bounce21):
            self.take(stand(player))

    @invariant()
    def balls_are_neither_lost_nor_made(self) -> None:
        balls = self.state.balls
        found = Counter((*sum(balls.corrals, ()), *(ball.colour for ball in balls.lying), *balls.aside))
        assert found == dict.fromkeys(COLOURS[: len(self.state.setup.players)], 6)
        assert len(dict(balls.in_holes)) == len(balls.in_holes)

    @invariant()
    def who_is_in_turn_has_a_ball(self) -> None:
        outcome, expected = self.state.outcome(), self.state.expected()
        if outcome.phase != "opening":
            assert expected.players == (() if outcome.turn is None else (outcome.turn,))
            assert all(self.state.balls.corrals[NAMES.index(name)] for name in expected.players)
        assert (outcome.phase == "finished") <= (outcome.turn is None)

    @invariant()
    def the_score_is_what_the_rules_say(self) -> None:
        scores = [score for _, score in self.state.outcome().scores]
        match self.state:
            case BounceEmStraight(balls=balls):
                assert scores == [len(corral) for corral in balls.corrals]
                assert balls.aside == () or self.state.phase == "opening"
            case Hit66(balls=balls):
                assert scores == [
                    sum(call.points or 0 for call in self.calls if call.call == "row" and call.player == name)
                    for name in NAMES[: len(scores)]
                ]
                assert balls.aside == () or self.state.phase == "opening"
            case Bounce21(shots=shots):
                assert max(shots) <= 6
                if self.state.phase != "opening":
                    assert scores == [self.best_total(colour) for colour in COLOURS[: len(scores)]]
            case _:
                assert all(score >= 0 for score in scores)

    def best_total(self, colour: str) -> int:
        """All ways to count a player's ones, tried out."""
        holes = {hole.name: hole for hole in BOARD.holes}
        own = [holes[at] for at, ball in self.state.balls.in_holes if ball == colour]
        ways = [[hole.value * (1 + (hole.colour == colour)), *([11] if hole.value == 1 else [])] for hole in own]
        totals = sorted(map(sum, product(*ways)))
        return [total for total in totals if total <= 21 or total == totals[0]][-1]

    def teardown(self) -> None:
        """The fold of the whole log is the match kept live."""
        standing = play(self.header, *self.log)
        outcome = self.state.outcome()
        assert (standing.phase, standing.turn, standing.scores) == (outcome.phase, outcome.turn, outcome.scores)
        assert (standing.winners, standing.board, standing.detail) == (outcome.winners, outcome.board, outcome.detail)
        assert [(call.player, call.call) for call in standing.calls if call.call != "refused"] == [
            (call.player, call.call) for call in self.calls
        ]


TestBounceItIn = BounceItInMachine.TestCase
TestBounceItIn.settings = settings(max_examples=60, stateful_step_count=50, deadline=None)
