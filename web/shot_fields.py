"""A throw as the texts of a form, and back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import get_args

from referee.desk import Snapshot
from referee.events import BOARD, InHole, Move, Off, OnBall, OnBoard, Place, Seat, Shot, Stamp

SPARE_MOVES = 2
MOST_BOUNCES = 99
GONE = "off"


class BadForm(ValueError):
    """What is wrong, by field ("form" for the whole)."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(errors.values()))
        self.errors = errors


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveFields:
    colour: str = ""
    source: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShotFields:
    """A throw as texts of a form."""

    colour: str
    table_bounces: str
    side: str
    place: str
    hole: str
    touched_board: bool
    moves: tuple[MoveFields, ...]

    @property
    def has_moves(self) -> bool:
        return any(move.colour for move in self.moves)


def shot_fields(shot: Shot) -> ShotFields:
    """A throw as a form shows it."""
    place, hole = _place_words(shot.result)
    moves = [
        MoveFields(colour=move.colour, source=move.source, target=GONE if move.target is None else move.target)
        for move in shot.moved
    ]
    return ShotFields(
        colour=shot.colour or "",
        table_bounces=str(shot.table_bounces),
        side=shot.side or "",
        place=place,
        hole=hole,
        touched_board=bool(shot.touched_board),
        moves=(*moves, *[MoveFields()] * SPARE_MOVES),
    )


def given_fields(given: Mapping[str, str]) -> ShotFields:
    count = 0
    while f"moved_colour_{count}" in given:
        count += 1
    return ShotFields(
        colour=given.get("colour", ""),
        table_bounces=given.get("table_bounces", "").strip(),
        side=given.get("side", ""),
        place=given.get("place", ""),
        hole=given.get("hole", ""),
        touched_board=given.get("touched_board") == "yes",
        moves=tuple(
            MoveFields(
                colour=given[f"moved_colour_{index}"],
                source=given.get(f"moved_from_{index}", ""),
                target=given.get(f"moved_to_{index}", ""),
            )
            for index in range(count)
        ),
    )


def read_shot(snapshot: Snapshot, seen: Shot, given: Mapping[str, str]) -> Shot:
    fields = given_fields(given)
    holes = {hole.name for hole in snapshot.layout.holes}
    errors: dict[str, str] = {}
    bounces = int(fields.table_bounces) if fields.table_bounces.isascii() and fields.table_bounces.isdigit() else -1
    if not 0 <= bounces <= MOST_BOUNCES:
        errors["table_bounces"] = f"Please give a whole number from 0 to {MOST_BOUNCES}."
    if fields.colour not in ("", *ball_colours(snapshot)):
        errors["colour"] = "There is no such ball in this match."
    side = _seat(fields.side)
    if fields.side and side is None:
        errors["side"] = "Please choose one of the four sides."
    result: Place = OnBoard()
    match fields.place:
        case "hole" if fields.hole in holes:
            result = InHole(hole=fields.hole)
        case "hole":
            errors["hole"] = "Please choose the hole that it ended in."
        case "board":
            result = OnBoard()
        case "off":
            result = Off()
        case "on_ball":
            result = OnBall()
        case _:
            errors["place"] = "Please choose where the ball ended."
    try:
        moved = tuple(_read_move(move, holes) for move in fields.moves if move.colour or move.source or move.target)
    except ValueError as problem:
        moved = ()
        errors["moved"] = str(problem)
    if errors:
        raise BadForm(errors)
    return replace(
        seen,
        colour=fields.colour or None,
        table_bounces=bounces,
        side=side,
        result=result,
        touched_board=fields.touched_board if isinstance(result, Off) else None,
        moved=moved,
        stamp=decided(seen.stamp),
    )


def _read_move(move: MoveFields, holes: set[str]) -> Move:
    if not move.colour or not move.source or not move.target:
        raise ValueError("A moved ball needs its colour, where it lay before and where it lies now.")
    if move.source not in (BOARD, *holes) or move.target not in (BOARD, GONE, *holes):
        raise ValueError("A moved ball lies in a hole of this board, on the board, or is off it.")
    return Move(colour=move.colour, source=move.source, target=None if move.target == GONE else move.target)


def _seat(text: str) -> Seat | None:
    seats: tuple[Seat, ...] = get_args(Seat)
    return next((seat for seat in seats if seat == text), None)


def _place_words(result: Place) -> tuple[str, str]:
    match result:
        case InHole(hole=hole):
            return "hole", hole
        case OnBoard():
            return "board", ""
        case Off():
            return "off", ""
        case OnBall():
            return "on_ball", ""


def decided(stamp: Stamp) -> Stamp:
    """What people decided is neither measured nor doubtful: only its time stays."""
    return Stamp(t_s=stamp.t_s, t_end_s=stamp.t_end_s, id=stamp.id)


def ball_colours(snapshot: Snapshot) -> tuple[str, ...]:
    """All ball colours of the match, the players' first."""
    colours = [colour for player in snapshot.standing.header.players for colour in player.colours]
    colours += [colour for colour, _ in snapshot.layout.ball_radius_mm]
    colours += [event.colour for event in snapshot.events if isinstance(event, Shot) and event.colour]
    return tuple(dict.fromkeys(colours))
