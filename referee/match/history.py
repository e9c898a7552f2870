"""A match that grows with its log: an event costs the same however long the match is, a ruling what came after it."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final

from calibration.layout import Layout
from referee.events import Event, Header
from referee.games import reads_layout
from referee.games.game import Call, Detail, Expected, Phase, State
from referee.match.corrections import CorrectedLog
from referee.match.growing import Growing
from referee.match.umpire import Umpire

# A state is kept for every so many lines, over so many times as many of the newest lines; then the further back, the
# wider apart, so that a long match keeps few. A ruling has to take all lines after its own anew; the few more back to
# the state before it add no more than an eighth to that.
KEPT_EVERY: Final = 64
KEPT_CLOSE: Final = 16

LayoutFinder = Callable[[Header], Layout | None]
"""Finds the layout that a header names; raises BadLayout."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a match stands. ``scores``: name and points in turn order; ``board``: hole and colour of balls in holes.

    ``header``, ``layout``: those in force, which a ruling may have replaced. ``calls`` in order of the lines that
    caused them: ``Call.event``, the header being line 0.
    """

    header: Header
    layout: Layout | None
    game: str
    phase: Phase
    turn: str | None
    scores: tuple[tuple[str, int], ...]
    winners: tuple[str, ...]
    board: tuple[tuple[str, str], ...]
    calls: Sequence[Call]
    detail: Detail
    expected: Expected

    def calls_of(self, line: int) -> Sequence[Call]:
        """What was called at one line of the log."""
        by_line = attrgetter("event")
        return self.calls[bisect_left(self.calls, line, key=by_line) : bisect_right(self.calls, line, key=by_line)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Moment:
    """The state after a line of the log, and how many calls there were by then."""

    line: int
    state: State
    calls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Beginning:
    """What a match was begun with; ``find_layout`` serves rulings that change the header."""

    header: Header
    layout: Layout | None
    find_layout: LayoutFinder | None

    def umpire(self, ruled: Header | None) -> Umpire:
        """Who takes the events, under the match's own header or the one that was ruled. Raises BadHeader, BadLayout."""
        if ruled is None or ruled.layout == self.header.layout:
            return Umpire.of(ruled or self.header, self.layout)
        layout = self.find_layout(ruled) if self.find_layout and reads_layout(ruled) else None
        return Umpire.of(ruled, layout)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match as far as its log goes: a value, which ``grown`` gives more lines.

    The log that it grows into shares its memory, so that keeping older ones costs nothing. ``kept``: moments to go
    back to, the first of them before the first line; ``now``: the one after the last line.
    """

    beginning: _Beginning
    log: CorrectedLog
    umpire: Umpire
    kept: tuple[_Moment, ...]
    now: _Moment
    calls: Growing[Call]

    @classmethod
    def of(
        cls,
        header: Header,
        layout: Layout | None,
        events: Sequence[Event] = (),
        find_layout: LayoutFinder | None = None,
    ) -> "Match":
        """The match of a log: its header, the layout that the header names, and the events of the lines after it.

        ``find_layout`` is asked when a ruling replaces the header by one with another layout; without it such a ruling
        is refused. Raises BadHeader when the header can't start a match, and no ruling has replaced it.
        """
        beginning = _Beginning(header=header, layout=layout, find_layout=find_layout)
        log = CorrectedLog(check_header=beginning.umpire).grown(events)
        umpire = beginning.umpire(log.header)
        start = _Moment(line=0, state=umpire.start, calls=0)
        unplayed = cls(beginning=beginning, log=log, umpire=umpire, kept=(start,), now=start, calls=Growing())
        return unplayed._played()

    @property
    def events(self) -> Sequence[Event]:
        """The lines of the log after the header, as they were written."""
        return self.log.events

    def grown(self, events: Sequence[Event]) -> "Match":
        """The match with more lines in its log; from where a ruling changes what counts, it is played anew.

        Raises BadHeader when a ruling brings back a header that can't start a match.
        """
        log = self.log.grown(events)
        changed = log.first_change_since(self.log)
        if changed == 0:
            return Match.of(self.beginning.header, self.beginning.layout, log.events, self.beginning.find_layout)
        if changed > len(self.log):
            return replace(self, log=log)._played()
        kept = tuple(moment for moment in self.kept if moment.line < changed)
        return replace(self, log=log, kept=kept, now=kept[-1], calls=self.calls.first(kept[-1].calls))._played()

    def standing(self) -> Standing:
        """How it stands."""
        outcome = self.now.state.outcome()
        return Standing(
            header=self.umpire.header,
            layout=self.umpire.layout,
            game=self.umpire.game.name,
            phase=outcome.phase,
            turn=outcome.turn,
            scores=outcome.scores,
            winners=outcome.winners,
            board=outcome.board,
            calls=self.calls,
            detail=outcome.detail,
            expected=self.now.state.expected(),
        )

    def _played(self) -> "Match":
        """The match with the lines of its log played that come after the present moment."""
        state, kept = self.now.state, self.kept
        calls: list[Call] = []
        for line in range(self.now.line + 1, len(self.log) + 1):
            event = self.log[line]
            if event is not None:
                step = self.umpire.take(state, event)
                state = step.state
                calls += [replace(call, event=line) for call in step.calls]
            if line % KEPT_EVERY == 0:
                kept = _thinned((*kept, _Moment(line=line, state=state, calls=self.now.calls + len(calls))), line)
        now = _Moment(line=len(self.log), state=state, calls=self.now.calls + len(calls))
        return replace(self, kept=kept, now=now, calls=self.calls.grown(calls) if calls else self.calls)


def fold(
    header: Header, layout: Layout | None, events: Sequence[Event], find_layout: LayoutFinder | None = None
) -> Standing:
    """The score of a log: how its whole match stands; see ``Match.of``, also for the errors raised."""
    return Match.of(header, layout, events, find_layout).standing()


def _thinned(moments: Sequence[_Moment], line: int) -> tuple[_Moment, ...]:
    """The moments that are still to be kept at a line. What is given up once is not missed at a later line."""
    return tuple(moment for moment in moments if moment.line % _spacing(line - moment.line) == 0)


def _spacing(age: int) -> int:
    """How many lines apart moments are kept so many lines back: it doubles whenever the age does."""
    return KEPT_EVERY << (age // (KEPT_EVERY * KEPT_CLOSE)).bit_length()
