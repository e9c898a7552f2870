"""The match as the contract puts it, without any thought of time: what the real one is compared with."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from calibration.layout import Layout
from hardware.errors import RefereeError
from referee.events import BadEvent, Event, Header, Ruling
from referee.match import Call, LayoutFinder, Standing
from referee.match.umpire import Umpire

UNUSABLE = BadEvent(type="ruling", reason="it can't stand", text="{}")


def umpire_of(
    ruled: Header, header: Header, layout: Layout | None, find_layout: LayoutFinder | None = None
) -> Umpire | None:
    """Who rules under a header that was put in place of the match's own; None when nobody can."""
    try:
        found = layout if ruled.layout == header.layout else find_layout(ruled) if find_layout else None
        return Umpire.of(ruled, found)
    except RefereeError:
        return None


def plain_match(
    header: Header, layout: Layout | None, events: Sequence[Event], find_layout: LayoutFinder | None = None
) -> Standing:
    """How the match of a log stands."""

    def written(line: int) -> Event | None:
        """A line without a thought of rulings: nothing, where it repeats the id of an earlier line."""
        event = events[line - 1]
        earlier = {known.stamp.id for known in events[: line - 1] if not isinstance(known, BadEvent)}
        is_copy = not isinstance(event, BadEvent) and event.stamp.id is not None and event.stamp.id in earlier
        return None if is_copy else event

    def ruled(line: int) -> Ruling | None:
        """The ruling that decides about a line: the last in the log that counts."""
        for later in range(len(events), line, -1):
            ruling = counted(later)
            if isinstance(ruling, Ruling) and ruling.event == line:
                return ruling
        return None

    @cache
    def counted(line: int) -> Event | None:
        """A line as it counts."""
        ruling = ruled(line)
        event = written(line) if ruling is None else ruling.replace
        if isinstance(event, Header):
            return UNUSABLE
        if isinstance(event, Ruling):
            of_header = isinstance(event.replace, Header) and umpire_of(event.replace, header, layout, find_layout)
            if event.event >= line or (event.event == 0 and not of_header):
                return UNUSABLE
        return event

    ruling = ruled(0)
    in_force = ruling.replace if ruling is not None and isinstance(ruling.replace, Header) else header
    umpire = umpire_of(in_force, header, layout, find_layout)
    assert umpire is not None
    state, calls = umpire.start, list[Call]()
    for line in range(1, len(events) + 1):
        event = counted(line)
        if event is not None:
            step = umpire.take(state, event)
            state = step.state
            calls += [replace(call, event=line) for call in step.calls]
    outcome = state.outcome()
    return Standing(
        header=in_force,
        layout=umpire.layout,
        game=umpire.game.name,
        phase=outcome.phase,
        turn=outcome.turn,
        scores=outcome.scores,
        winners=outcome.winners,
        board=outcome.board,
        calls=tuple(calls),
        detail=outcome.detail,
        expected=state.expected(),
    )
