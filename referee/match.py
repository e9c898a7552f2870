"""A match: the fold of a log's events through its game, after people's rulings were applied to the log."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from calibration.layout import Layout
from hardware.errors import RefereeError
from referee.events import BadEvent, Card, Decision, Event, Header, Ruling, Shot, Tap, event_to_json, type_of
from referee.games import find_game, reads_layout
from referee.games.game import Call, Detail, Expected, Game, Phase, Refused, State, Step

__all__ = ["Call", "LayoutFinder", "Standing", "corrected", "fold"]

ALWAYS_READ = frozenset({"", "match", "ruling", "decision"})
"""What every game reads, or refuses: "" is a line without a type."""

LayoutFinder = Callable[[Header], Layout | None]
"""Finds the layout that a header names; raises BadLayout."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a match stands. ``scores``: name and points in turn order; ``board``: hole and colour of balls in holes.

    ``header``, ``layout``: those in force, which a ruling may have replaced. ``Call.event`` is the line of the log
    (header: 0) that caused a call.
    """

    header: Header
    layout: Layout | None
    game: str
    phase: Phase
    turn: str | None
    scores: tuple[tuple[str, int], ...]
    winners: tuple[str, ...]
    board: tuple[tuple[str, str], ...]
    calls: tuple[Call, ...]
    detail: Detail
    expected: Expected


@dataclass(frozen=True, slots=True, kw_only=True)
class _Begun:
    """A match before its first event, under the header in force."""

    header: Header
    layout: Layout | None
    game: Game
    state: State


def corrected(events: Sequence[Event]) -> tuple[Event | None, ...]:
    """The events with people's rulings applied: item ``i`` is line ``i + 1``, None where it was struck out.

    Rulings in force stay; one that can't stand has become a BadEvent. A line that repeats the id of an earlier one is
    left out as if struck out. The header isn't among the events: ``fold`` replaces it by the last usable ruling on it.
    """
    lines = _without_copies(events)
    settled: set[int] = set()
    # From the end, so that whatever was ruled about a ruling is known before it is applied.
    for line in range(len(lines), 0, -1):
        ruling = lines[line - 1]
        if not isinstance(ruling, Ruling):
            continue
        if ruling.event >= line:
            lines[line - 1] = _unusable(ruling, "a ruling must be about an earlier line")
        elif ruling.event == 0 and not isinstance(ruling.replace, Header):
            lines[line - 1] = _unusable(ruling, "a header can only be replaced by another")
        elif ruling.event > 0 and ruling.event not in settled:
            settled.add(ruling.event)
            lines[ruling.event - 1] = _replacement(ruling)
    return tuple(lines)


def fold(
    header: Header, layout: Layout | None, events: Sequence[Event], find_layout: LayoutFinder | None = None
) -> Standing:
    """The score of a log: its header, the layout that the header names, and the events of the lines after it.

    ``find_layout`` is asked when a ruling replaces the header by one with another layout; without it such a ruling is
    refused. Raises BadHeader when the header can't start a match.
    """
    lines = list(corrected(events))
    begun: _Begun | None = None
    for index, ruling in reversed(tuple(enumerate(lines))):
        if isinstance(ruling, Ruling) and ruling.event == 0 and isinstance(ruling.replace, Header):
            try:
                ruled = _begin(ruling.replace, _layout_for(ruling.replace, header, layout, find_layout))
            except RefereeError as error:
                lines[index] = _unusable(ruling, str(error))
            else:
                begun = begun or ruled
    begun = begun or _begin(header, layout)
    state = begun.state
    calls: list[Call] = []
    for line, event in enumerate(lines, start=1):
        if event is not None:
            step = _take(begun, state, event)
            state = step.state
            calls.extend(replace(call, event=line) for call in step.calls)
    outcome = state.outcome()
    return Standing(
        header=begun.header,
        layout=begun.layout,
        game=begun.game.name,
        phase=outcome.phase,
        turn=outcome.turn,
        scores=outcome.scores,
        winners=outcome.winners,
        board=outcome.board,
        calls=tuple(calls),
        detail=outcome.detail,
        expected=state.expected(),
    )


def _begin(header: Header, layout: Layout | None) -> _Begun:
    game = find_game(header.game)
    return _Begun(header=header, layout=layout, game=game, state=game.start(header, layout))


def _layout_for(
    ruled: Header, header: Header, layout: Layout | None, find_layout: LayoutFinder | None
) -> Layout | None:
    if ruled.layout == header.layout:
        return layout
    return find_layout(ruled) if find_layout and reads_layout(ruled) else None


def _take(begun: _Begun, state: State, event: Event) -> Step:
    """One event; what can't be used gives a call and changes nothing."""
    try:
        return state.apply(event) if _concerns(begun, event) else Step(state=state)
    except Refused as refusal:
        player = _named(begun.header, event) or state.outcome().turn
        return Step(state=state, calls=(Call(player=player, call="refused", reason=str(refusal)),))


def _concerns(begun: _Begun, event: Event) -> bool:
    """Whether the game has a use for an event; refuses those that nothing can be made of."""
    game, names = begun.game, begun.header.names
    kind = type_of(event)
    match event:
        case BadEvent() if kind in ALWAYS_READ | game.uses:
            raise Refused("bad_event")
        case Decision():
            if event.player not in names or event.choice not in {"ready", *game.choices}:
                raise Refused("bad_event")
            return event.choice != "ready"
        case Shot() | Tap() if kind in game.uses and event.player not in (None, *names):
            raise Refused("bad_event")
        case _:
            return kind in game.uses


def _named(header: Header, event: Event) -> str | None:
    """The player whom an event names: a card by the seat it was played from, all others by name."""
    match event:
        case Card(seat=seat) | BadEvent(seat=seat) if seat is not None:
            return next((player.name for player in header.players if player.seat == seat), None)
        case Shot() | Tap() | Decision() | BadEvent():
            return event.player if event.player in header.names else None
        case _:
            return None


def _without_copies(events: Sequence[Event]) -> list[Event | None]:
    lines: list[Event | None] = []
    ids: set[str] = set()
    for event in events:
        name = None if isinstance(event, BadEvent) else event.stamp.id
        lines.append(None if name in ids else event)
        if name is not None:
            ids.add(name)
    return lines


def _replacement(ruling: Ruling) -> Event | None:
    if isinstance(ruling.replace, Header):
        return _unusable(ruling, "a match header can only be line 0")
    return ruling.replace


def _unusable(ruling: Ruling, reason: str) -> BadEvent:
    return BadEvent(type="ruling", reason=reason, text=json.dumps(event_to_json(ruling)), stamp=ruling.stamp)
