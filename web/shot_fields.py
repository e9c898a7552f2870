"""A throw as the fields of a form, and back."""

from collections.abc import Mapping
from typing import get_args

from referee.desk import Snapshot
from referee.events import BOARD, InHole, Move, Off, OnBall, OnBoard, Place, Seat, Shot
from referee.games.bounce_it import BALLS
from web.fields import NOTHING, TICKED, Choice, Field, FieldRows, FormPart, Reading, Values, named

SPARE_ROWS = 2
MOST_BOUNCES = 99
GONE = "off"

SEATS: tuple[Seat, ...] = get_args(Seat)
PLACES: Mapping[str, Place] = {"board": OnBoard(), "off": Off(), "on_ball": OnBall()}
PLACE_WORDS = {
    "board": ("in a hole", "on the board, in no hole", "off the board", "on top of other balls"),
    "box": ("in the hole", "on the box, not in the hole", "off the box", "on top of other balls"),
}


def shot_values(shot: Shot) -> dict[str, str]:
    """A throw as texts."""
    place = next((name for name, place in PLACES.items() if place == shot.result), "hole")
    values = {
        "colour": shot.colour or "",
        "ball": shot.ball or "",
        "player": shot.player or "",
        "table_bounces": str(shot.table_bounces),
        "side": shot.side or "",
        "place": place,
        "hole": shot.result.hole if isinstance(shot.result, InHole) else "",
        "touched_board": TICKED if shot.touched_board else "",
    }
    for index, move in enumerate(shot.moved):
        values[f"moved_colour_{index}"] = move.colour
        values[f"moved_from_{index}"] = move.source
        values[f"moved_to_{index}"] = GONE if move.target is None else move.target
    return values


def shot_part(snapshot: Snapshot, values: Values) -> FormPart:
    """The fields of a throw, filled in."""
    is_box = throws_into_box(snapshot)
    aim = "box" if is_box else "board"
    holes = tuple(hole.name for hole in snapshot.layout.holes)
    chosen = values.get

    def choice(name: str, label: str, choices: tuple[Choice, ...]) -> Field:
        return Field(name=name, label=label, kind="choice", value=chosen(name, ""), choices=choices)

    bounces = Field(
        name="table_bounces",
        label="Bounces on the table",
        kind="number",
        value=chosen("table_bounces", "1"),
        most=MOST_BOUNCES,
    )
    places = tuple(
        Choice(value=value, words=words) for value, words in zip(("hole", *PLACES), PLACE_WORDS[aim], strict=True)
    )
    thrower = (Choice(value="", words="whoever is in turn"), *named(snapshot.standing.header.names))
    sides = (Choice(value="", words="not known"), *named(SEATS))
    touched = Field(
        name="touched_board",
        label=f"It touched the {aim} before it left it",
        kind="tick",
        value=chosen("touched_board", ""),
    )
    if is_box:
        ball = choice("ball", "Ball", named(BALLS))
        place = choice("place", "The ball ended", places)
        return FormPart(fields=(ball, choice("player", "Thrown by", thrower), bounces, place, touched))
    return FormPart(
        fields=(
            choice("colour", "Ball", named(ball_colours(snapshot))),
            bounces,
            choice("side", "Side of the first bounce", sides),
            choice("place", "The ball ended", places),
            choice("hole", "Hole, if in one", (NOTHING, *named(holes))),
            touched,
        ),
        rows=_moved_rows(snapshot, values, holes),
    )


def _moved_rows(snapshot: Snapshot, values: Values, holes: tuple[str, ...]) -> FieldRows:
    on_board = Choice(value=BOARD, words="the board, in no hole")
    gone = Choice(value=GONE, words="off the board")
    columns = (
        ("moved_colour", "Ball", (NOTHING, *named(ball_colours(snapshot)))),
        ("moved_from", "from", (NOTHING, *named(holes), on_board)),
        ("moved_to", "to", (NOTHING, *named(holes), on_board, gone)),
    )
    return repeated("moved", "Balls that it moved", columns, values)


def repeated(
    name: str, title: str, columns: tuple[tuple[str, str, tuple[Choice, ...]], ...], values: Values
) -> FieldRows:
    """Rows of the same fields, those that are filled in and some more. ``columns``: name, label and choices."""
    filled = 0
    while any(f"{column}_{filled}" in values for column, _, _ in columns):
        filled += 1
    rows = tuple(
        tuple(
            Field(
                name=f"{column}_{index}",
                label=label,
                kind="choice",
                value=values.get(f"{column}_{index}", ""),
                choices=choices,
            )
            for column, label, choices in columns
        )
        for index in range(filled + SPARE_ROWS)
    )
    return FieldRows(name=name, title=title, rows=rows)


def read_shot(snapshot: Snapshot, values: Values) -> Shot:
    """The throw that was filled in; raises ``BadForm``."""
    reading = Reading(values)
    is_box = throws_into_box(snapshot)
    holes = tuple(hole.name for hole in snapshot.layout.holes)
    bounces = reading.whole("table_bounces", MOST_BOUNCES)
    side = reading.one_of("side", ("", *SEATS), "Please choose one of the four sides.")
    player = reading.one_of("player", ("", *snapshot.standing.header.names), "Please choose one of the players.")
    place = reading.one_of("place", ("hole", *PLACES), "Please choose where the ball ended.")
    hole = reading.text("hole")
    if is_box:
        # The rules take any name for the one hole that there is.
        hole = next(iter(holes), "A1")
        ball = reading.one_of("ball", BALLS, "There is no such ball in this game.")
        colour = ball.partition("-")[0]
    else:
        ball = ""
        colour = reading.one_of("colour", ball_colours(snapshot), "There is no such ball in this match.")
        if place == "hole" and hole not in holes:
            reading.errors["hole"] = "Please choose the hole that it ended in."
    moved = () if is_box else _read_moves(reading, holes)
    reading.check()
    return Shot(
        colour=colour,
        ball=ball or None,
        table_bounces=bounces,
        side=next((seat for seat in SEATS if seat == side), None),
        result=PLACES[place] if place in PLACES else InHole(hole=hole),
        touched_board=reading.tick("touched_board") if place == "off" else None,
        moved=moved,
        player=player or None,
    )


def _read_moves(reading: Reading, holes: tuple[str, ...]) -> tuple[Move, ...]:
    moves = []
    for colour, source, target in reading.rows("moved_colour", "moved_from", "moved_to"):
        if not colour or not source or not target:
            reading.errors["moved"] = "A moved ball needs its colour, where it lay before and where it lies now."
        elif source not in (BOARD, *holes) or target not in (BOARD, GONE, *holes):
            reading.errors["moved"] = "A moved ball lies in a hole of this board, on the board, or is off it."
        moves.append(Move(colour=colour, source=source, target=None if target == GONE else target))
    return tuple(moves)


def throws_into_box(snapshot: Snapshot) -> bool:
    """Whether the balls are told apart by name, and there is one hole."""
    return snapshot.standing.game == "bounce-it"


def ball_colours(snapshot: Snapshot) -> tuple[str, ...]:
    """All ball colours of the match, the players' first."""
    colours = [colour for player in snapshot.standing.header.players for colour in player.colours]
    colours += [colour for colour, _ in snapshot.layout.ball_radius_mm]
    colours += [event.colour for event in snapshot.events if isinstance(event, Shot) and event.colour]
    return tuple(dict.fromkeys(colours))
