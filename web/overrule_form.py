"""The Overrule form as it is shown: what it offers, and what somebody filled in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

from referee.desk import Snapshot
from referee.events import BOARD, Ruling, Seat, Shot
from web.ledger import Ledger
from web.shot_fields import GONE, ShotFields, ball_colours, given_fields, shot_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    value: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OverruleForm:
    """The form as it is shown. ``ruled``: the ruling in force that the person has seen (0: none)."""

    shot: ShotFields | None
    ruled: int
    by: str
    reason: str
    people: tuple[str, ...]
    colours: tuple[Choice, ...]
    moved_colours: tuple[Choice, ...]
    sides: tuple[Choice, ...]
    places: tuple[Choice, ...]
    holes: tuple[Choice, ...]
    sources: tuple[Choice, ...]
    targets: tuple[Choice, ...]
    can_confirm: bool
    can_strike: bool
    can_restore: bool
    errors: Mapping[str, str] = field(default_factory=dict)


def blank_form(snapshot: Snapshot, line: int) -> OverruleForm:
    """The form for a line, filled with what counts now (what was seen, where it was struck out)."""
    ledger = Ledger.of(snapshot)
    current = ledger.current(line)
    shown = current if current is not None else ledger.seen(line)
    return _form(ledger, line, shot_fields(shown) if isinstance(shown, Shot) else None)


def refilled_form(snapshot: Snapshot, line: int, given: Mapping[str, str], errors: Mapping[str, str]) -> OverruleForm:
    """The form as somebody sent it, with what is wrong in it."""
    blank = blank_form(snapshot, line)
    shot = given_fields(given) if blank.shot is not None else None
    return replace(blank, shot=shot, by=given.get("by", ""), reason=given.get("reason", ""), errors=errors)


def _form(ledger: Ledger, line: int, shot: ShotFields | None) -> OverruleForm:
    snapshot = ledger.snapshot
    current, in_force = ledger.current(line), ledger.ruling_in_force(line)
    holes = tuple(Choice(value=hole.name, words=hole.name) for hole in snapshot.layout.holes)
    colours = tuple(Choice(value=colour, words=colour) for colour in ball_colours(snapshot))
    nothing = Choice(value="", words="-")
    on_board = Choice(value=BOARD, words="the board, in no hole")
    return OverruleForm(
        shot=shot,
        ruled=in_force,
        by="",
        reason="",
        people=snapshot.standing.header.names,
        colours=colours if shot is None or shot.colour else (nothing, *colours),
        moved_colours=(nothing, *colours),
        sides=(Choice(value="", words="not known"), *_choices(get_args(Seat))),
        places=(
            Choice(value="hole", words="in a hole"),
            Choice(value="board", words="on the board, in no hole"),
            Choice(value="off", words="off the board"),
            Choice(value="on_ball", words="on top of other balls"),
        ),
        holes=(nothing, *holes),
        sources=(nothing, *holes, on_board),
        targets=(nothing, *holes, on_board, Choice(value=GONE, words="off the board")),
        can_confirm=current is not None and not in_force,
        can_strike=current is not None and not isinstance(ledger.seen(line), Ruling),
        can_restore=bool(in_force),
    )


def _choices(values: Sequence[str]) -> tuple[Choice, ...]:
    return tuple(Choice(value=value, words=value) for value in values)
