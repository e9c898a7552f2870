"""What everybody did in one match, told from its log as people have corrected it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from calibration.errors import BadLayout
from referee.events import Header, InHole, SeenBounce, Shot, Tap
from referee.games import reads_layout
from referee.games.game import Call
from referee.log import Log, layout_of
from referee.match import LayoutFinder, Match

# Stamps are rounded on the way into a log.
SLACK_S: Final = 0.05
NO_BOARD: Final = "none"

# What a game calls a throw or a tap that did what it should.
HIT_CALLS: Final = frozenset({"hit", "nice_shot", "strike"})
# What breaks the rules: by its reason, or where there is only one kind of it by the call's own name.
FOUL_CALLS: Final = frozenset({"foul", "penalty"})
BY_NAME: Final = frozenset({"renege"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """A throw or a tap that counted. ``hole``: where it came to rest by the rules.

    ``bounce_mm``: where it first touched the table, from the middle of the board; None where that wasn't seen.
    """

    player: str
    is_hit: bool
    hole: str | None = None
    bounce_mm: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Foul:
    player: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Deeds:
    """What was done in one match. ``board``: the name of the board it was played on, "none" without one.

    ``balls_lost``, ``tricks``: for each ball or trick the player who lost or took it.
    """

    board: str
    throws: tuple[Throw, ...]
    fouls: tuple[Foul, ...]
    balls_lost: tuple[str, ...]
    tricks: tuple[str, ...]


def deeds_of(log: Log, folder: Path) -> Deeds:
    """The deeds in a log that was read in a folder. Raises BadHeader, BadGame, BadLayout."""
    find_layout = partial(layout_of, folder=folder)
    layout = find_layout(log.header) if reads_layout(log.header) else None
    match = Match.of(log.header, layout, log.events, find_layout)
    return tell_deeds(match, board_name(match, find_layout))


def board_name(match: Match, find_layout: LayoutFinder) -> str:
    """By what name places on the board of a match can be compared with those of others; "none" without a board."""
    layout = match.umpire.layout
    if layout is None:
        try:
            layout = find_layout(match.umpire.header)
        except BadLayout:
            # The game doesn't need it; its places are nobody else's.
            return NO_BOARD
    return NO_BOARD if layout is None else layout.name


def tell_deeds(match: Match, board: str) -> Deeds:
    """The deeds in a match that was folded."""
    calls = match.calls
    return Deeds(
        board=board,
        throws=tuple(_throws(match)),
        fouls=tuple(_fouls(calls)),
        balls_lost=tuple(call.player for call in calls if call.call == "forfeit" and call.player),
        tricks=tuple(call.player for call in calls if call.call == "trick" and call.player),
    )


def _throws(match: Match) -> Iterator[Throw]:
    """Every throw and tap in order, with the calls that the match made of it."""
    standing, state = match.standing(), match.umpire.start
    bounces: list[SeenBounce] = []
    for line in range(1, len(match.log) + 1):
        event = match.log[line]
        if event is None:
            continue
        if isinstance(event, SeenBounce):
            bounces.append(event)
        elif isinstance(event, Shot | Tap):
            calls = standing.calls_of(line)
            due = state.expected().players
            player = None if _is_refused(calls) else who_threw(event, due, calls, match.umpire.header)
            first = _take_first(bounces, event) if isinstance(event, Shot) else None
            if player is not None:
                yield _throw(player, event, calls, first)
        state = match.umpire.take(state, event).state


def who_threw(event: Shot | Tap, due: Sequence[str], calls: Sequence[Call], header: Header) -> str | None:
    """Who threw or tapped: who is named; else who was due; where several were, or a throw said that the one before
    stands, whose colour it is."""
    if event.player is not None:
        return event.player
    if len(due) == 1 and all(call.call != "stand" for call in calls):
        return due[0]
    colour = event.colour if isinstance(event, Shot) else None
    return next((player.name for player in header.players if colour in player.colours), None)


def _throw(player: str, event: Shot | Tap, calls: Sequence[Call], first: SeenBounce | None) -> Throw:
    kinds = {call.call for call in calls if call.player == player}
    hole = event.result.hole if isinstance(event, Shot) and isinstance(event.result, InHole) else None
    # Games whose hits have a name of their own have their own measure of them.
    if kinds & (HIT_CALLS | {"miss"}) or isinstance(event, Tap):
        is_hit = bool(kinds & HIT_CALLS)
    else:
        is_hit = hole is not None and "foul" not in kinds
    return Throw(
        player=player,
        is_hit=is_hit,
        hole=hole if is_hit else None,
        bounce_mm=None if first is None else first.mm,
    )


def _take_first(bounces: list[SeenBounce], shot: Shot) -> SeenBounce | None:
    """The first touch of the table that was seen of a throw; what was seen of it is taken out of the list."""
    own = [bounce for bounce in bounces if _belongs(bounce, shot)]
    # Throws of the opening may overlap: what has a time can still belong to a later line.
    bounces[:] = [bounce for bounce in bounces if bounce.stamp.t_s is not None and bounce not in own]
    on_table = [bounce for bounce in own if bounce.surface == "table" and _is_place(bounce.mm)]
    return min(on_table, key=lambda bounce: bounce.stamp.t_s or 0.0, default=None)


def _belongs(bounce: SeenBounce, shot: Shot) -> bool:
    if bounce.colour not in (None, shot.colour, shot.ball):
        return False
    at_s, begins_s, ends_s = bounce.stamp.t_s, shot.stamp.t_s, shot.stamp.t_end_s
    if at_s is None or begins_s is None or ends_s is None:
        return True
    return begins_s - SLACK_S <= at_s <= ends_s + SLACK_S


def _is_place(mm: tuple[float, float] | None) -> bool:
    return mm is not None and all(math.isfinite(number) for number in mm)


def _is_refused(calls: Sequence[Call]) -> bool:
    return any(call.call == "refused" for call in calls)


def _fouls(calls: Sequence[Call]) -> Iterator[Foul]:
    for call in calls:
        if call.player is not None and call.call in FOUL_CALLS | BY_NAME:
            is_named = call.call in BY_NAME or call.reason is None
            yield Foul(player=call.player, kind=call.call if is_named else str(call.reason))
