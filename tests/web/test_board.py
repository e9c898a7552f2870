"""The board as a drawing: everything at its place, and in words for who can't see it."""

from dataclasses import replace

from calibration.layout import Hole, Layout
from referee.events import SeenBoard, SeenBounce
from web.board import draw_board
from web.colours import KNOWN, colour_class, marks_of

MARKS = {"red": "R", "blue": "B"}


def test_south_is_at_the_bottom_and_west_on_the_left(layout: Layout) -> None:
    places = {hole.name: (hole.x, hole.y) for hole in draw_board(layout, None, MARKS).holes}
    assert places["A1"][0] < places["G1"][0]
    assert places["A1"][1] > places["A7"][1]


def test_a_ball_lies_in_its_hole_with_its_mark(layout: Layout) -> None:
    drawing = draw_board(layout, SeenBoard(holes=(("C3", "red"),)), MARKS)
    (hole,) = [hole for hole in drawing.holes if hole.balls]
    assert (hole.name, hole.balls[0].mark, hole.balls[0].css) == ("C3", "R", "c-red")
    assert (hole.balls[0].x, hole.balls[0].y) == (hole.x, hole.y)
    assert drawing.words == "The board: red in C3."


def test_loose_balls_lie_where_they_were_seen_else_below_the_board(layout: Layout) -> None:
    board = SeenBoard(holes=(), loose=("red", "blue"), loose_mm=((60.0, 30.0),))
    seen, unplaced = draw_board(layout, board, MARKS).loose
    assert (seen.x, seen.y) == (60.0, -30.0)
    assert unplaced.y > max(-y for _, y in layout.outline_mm)
    _, top, _, height = map(float, draw_board(layout, board, MARKS).view_box.split())
    assert top + height > unplaced.y + unplaced.radius, "the picture is big enough for it"


def test_bounces_beside_the_board_are_in_the_picture(layout: Layout) -> None:
    bounce = SeenBounce(colour="red", surface="table", px=(0, 0), mm=(20.0, -400.0))
    unknown = SeenBounce(colour="red", surface="table", px=(0, 0))
    drawing = draw_board(layout, None, MARKS, bounces=(unknown, bounce))
    assert [(dot.number, dot.x, dot.y) for dot in drawing.bounces] == [(2, 20.0, 400.0)]
    _, top, _, height = map(float, drawing.view_box.split())
    assert top + height > 400


def test_several_balls_in_the_one_hole_of_a_box_lie_side_by_side(layout: Layout) -> None:
    hole = Hole(name="A1", x_mm=0, y_mm=0, radius_mm=70, colour="none", value=1)
    box = replace(layout, kind="box", holes=(hole,))
    drawing = draw_board(box, SeenBoard(holes=(("A1", "blue"), ("A1", "red"))), MARKS)
    first, second = drawing.holes[0].balls
    assert second.x - first.x >= first.radius + second.radius
    assert drawing.rings == (), "an unpainted hole has no ring to explain"


def test_rows_and_columns_are_named_where_holes_form_a_grid(layout: Layout) -> None:
    assert {label.text for label in draw_board(layout, None, MARKS).labels} == {*"ABCDEFG", *"1234567"}
    bent = replace(layout, holes=(*layout.holes[:-1], replace(layout.holes[-1], x_mm=layout.holes[-1].x_mm + 9)))
    assert draw_board(bent, None, MARKS).labels == ()


def test_no_two_colours_share_a_mark() -> None:
    colours = (*KNOWN, "blue-small", "orange-small", "", "red")
    marks = marks_of(colours)
    assert len(set(marks.values())) == len(set(colours))
    assert (marks["red"], marks["blue"], marks["black"]) == ("R", "B", "Bl")


def test_only_known_colours_become_classes() -> None:
    assert colour_class("orange-small") == "c-orange"
    assert colour_class('red" onload="x') == "c-other"
    assert colour_class(None) == "c-other"
