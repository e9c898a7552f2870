"""Rows of five, derived from where the holes are."""

import math

from calibration.layout import Hole
from referee.games.board import derive_rows
from tests.games.play import grid


def hole(name: str, x_mm: float, y_mm: float) -> Hole:
    return Hole(name=name, x_mm=x_mm, y_mm=y_mm, radius_mm=10, colour="red", value=1)


def ends(holes: tuple[Hole, ...]) -> set[str]:
    """The rows by their ends, the smaller name first."""
    return {"-".join(sorted((row[0], row[-1]))) for row in derive_rows(holes)}


def test_a_square_of_five_has_five_lines_five_columns_and_two_diagonals() -> None:
    columns = {f"{letter}1-{letter}5" for letter in "ABCDE"}
    lines = {f"A{y}-E{y}" for y in range(1, 6)}
    assert ends(grid().holes) == columns | lines | {"A1-E5", "A5-E1"}


def test_six_in_a_line_are_two_rows() -> None:
    assert ends(grid("A", 6).holes) == {"A1-A5", "A2-A6"}


def test_a_seven_by_seven_board_has_sixty_rows() -> None:
    assert len(derive_rows(grid("ABCDEFG", 7).holes)) == 7 * 3 * 2 + 9 * 2


def test_a_missing_hole_breaks_the_line() -> None:
    holes = tuple(hole for hole in grid("AB", 6).holes if hole.name != "A3")
    assert ends(holes) == {"B1-B5", "B2-B6"}


def test_a_board_standing_on_its_corner_has_rows_along_its_sides_only() -> None:
    """On a lattice turned by 45 degrees neighbours are one column and one line apart."""
    step_mm = 60 / math.sqrt(2)
    holes = tuple(hole(f"{'ABCDE'[i]}{j}", (i - j) * step_mm, (i + j) * step_mm) for i in range(5) for j in range(5))
    columns = {f"{letter}0-{letter}4" for letter in "ABCDE"}
    lines = {f"A{j}-E{j}" for j in range(5)}
    assert ends(holes) == columns | lines


def test_holes_may_be_off_their_line_by_less_than_three_tenths_of_the_smallest_distance() -> None:
    def line(off_mm: float) -> tuple[Hole, ...]:
        far = [hole("Y", 0, 500), hole("Z", 0, 600)]
        return (*(hole(f"A{i}", 200 * i, off_mm if i == 2 else 0) for i in range(5)), *far)

    assert ends(line(29)) == {"A0-A4"}
    assert ends(line(31)) == set()


def test_an_octagon_has_no_rows_through_its_missing_corners() -> None:
    names = {"A1", "A7", "G1", "G7", "A2", "B1"}
    holes = tuple(hole for hole in grid("ABCDEFG", 7).holes if hole.name not in names)
    assert {"A3-A7", "B1-B5", "A1-E5"}.isdisjoint(ends(holes))
    assert {"B2-B6", "B2-F6", "C1-G5"} <= ends(holes)


def test_fewer_than_five_holes_have_no_rows() -> None:
    assert derive_rows(()) == ()
    assert derive_rows(grid("A", 1).holes) == ()
