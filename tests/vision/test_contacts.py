"""Knocks that can only be inferred: on the board's side, and hops too low to be resolved."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from referee.vision.ballistics import GRAVITY_MM_S2
from referee.vision.beginnings import hidden_bounce, is_start_open
from referee.vision.contacts import (
    LEAST_HOP_MM,
    Contact,
    board_edge,
    is_order_open,
    is_thrown_back,
    low_hops,
    misses_hops,
    turns_back,
)
from referee.vision.ground import Ground
from tests.vision.scene import RADIUS_MM, table

GROUND = Ground(table=table(), radius_mm=RADIUS_MM)


def on_table(
    y_mm: float, *, before: tuple[float, float, float], after: tuple[float, float, float], t_s: float = 1.0
) -> Contact:
    return Contact(
        t_s=t_s,
        surface="table",
        x_mm=20.0,
        y_mm=y_mm,
        z_mm=RADIUS_MM,
        before_mm_s=before,
        after_mm_s=after,
        margin=500.0,
    )


def test_a_ball_that_stops_before_the_board_has_met_its_side() -> None:
    # The board ends at y = -150: a ball of 17 mm that bounces at -171 has 4 mm to go.
    edge = board_edge(on_table(-171.0, before=(0.0, 400.0, -2000.0), after=(0.0, -10.0, 1300.0)), GROUND)
    assert edge is not None
    assert edge.surface == "board"
    assert edge.t_s == pytest.approx(1.0 + 4.0 / 400.0, abs=1e-4)
    assert (edge.x_mm, edge.y_mm) == pytest.approx((20.0, -150.0), abs=0.1)


@pytest.mark.parametrize(
    ("y_mm", "after_y"),
    [(-171.0, 380.0), (-171.0, 200.0), (-250.0, -10.0)],
    ids=["goes on", "is slowed by friction", "is too far away"],
)
def test_a_ball_that_keeps_going_or_is_far_away_has_not(y_mm: float, after_y: float) -> None:
    assert board_edge(on_table(y_mm, before=(0.0, 400.0, -2000.0), after=(0.0, after_y, 1300.0)), GROUND) is None


def hops(*, last_seen_s: float = 9.0, y_mm: float = -300.0, along: float = 0.0) -> tuple[Contact, ...]:
    """After two resolved bounces of restitution 0.5, the second met at 800 mm/s."""
    first = on_table(y_mm, before=(0.0, along, -1600.0), after=(0.0, along, 800.0), t_s=0.8)
    second = on_table(y_mm, before=(0.0, along, -800.0), after=(0.0, along, 400.0))
    return low_hops((first, second), last_seen_s, GROUND)


def test_hops_go_on_with_the_balls_own_restitution_until_it_rolls() -> None:
    found = hops()
    assert [round(-hop.before_mm_s[2]) for hop in found] == [400, 200, 100]
    gaps = [later.t_s - earlier.t_s for earlier, later in itertools.pairwise(found)]
    assert gaps == pytest.approx([2 * 200 / GRAVITY_MM_S2, 2 * 100 / GRAVITY_MM_S2])
    assert all(hop.is_inferred and hop.surface == "table" for hop in found)
    assert 50 < math.sqrt(2 * GRAVITY_MM_S2 * LEAST_HOP_MM) < 100


def test_nothing_is_inferred_once_the_ball_is_out_of_view() -> None:
    first = hops()[0]
    assert hops(last_seen_s=first.t_s + 0.001) == (first,)


def test_hops_that_run_into_the_board_end_there() -> None:
    found = hops(y_mm=-215.0, along=400.0)
    assert [hop.surface for hop in found] == ["table", "board"]


RISING = on_table(-200.0, before=(0.0, 800.0, -2000.0), after=(0.0, 600.0, 1300.0))
"""Met at 1.0 s, after a flight that left the table 0.41 s before."""


@pytest.mark.parametrize(
    ("held_for_s", "is_likely", "is_open"),
    [(0.05, True, False), (0.16, False, True)],
    ids=["left behind", "goes along"],
)
def test_what_a_hand_goes_along_with_may_have_been_thrown_upwards(
    held_for_s: float, is_likely: bool, is_open: bool
) -> None:
    left_s = 1.0 - 2 * 2000.0 / GRAVITY_MM_S2
    hidden = hidden_bounce(RISING, left_s + 0.05, left_s + held_for_s, 20.0, 1 / 60, GROUND, lambda t, x, y: True)
    assert hidden is not None
    assert hidden.contact.t_s == pytest.approx(left_s)
    assert (hidden.is_likely, hidden.is_open) == (is_likely, is_open)


@pytest.mark.parametrize(("rate_hz", "is_open"), [(120.0, False), (30.0, True)])
def test_a_hand_may_have_been_at_a_ball_until_the_next_picture(rate_hz: float, is_open: bool) -> None:
    left_s = 1.0 - 2 * 2000.0 / GRAVITY_MM_S2
    hidden = hidden_bounce(RISING, left_s + 0.05, left_s + 0.1, 20.0, 1 / rate_hz, GROUND, lambda t, x, y: True)
    assert hidden is not None
    assert hidden.is_open == is_open


def test_what_a_hand_goes_along_with_for_long_did_not_bounce() -> None:
    left_s = 1.0 - 2 * 2000.0 / GRAVITY_MM_S2
    assert hidden_bounce(RISING, left_s + 0.05, left_s + 0.25, 20.0, 1 / 60, GROUND, lambda t, x, y: True) is None


def test_a_flight_that_begins_under_the_table_bounced_unnoticed() -> None:
    left_s = 1.0 - 2 * 2000.0 / GRAVITY_MM_S2
    assert not is_start_open(RISING, left_s - 0.005, left_s, GROUND)
    seen_s = left_s - 0.03
    assert is_start_open(RISING, seen_s, seen_s, GROUND)
    assert hidden_bounce(RISING, seen_s, seen_s, 20.0, 1 / 60, GROUND, lambda t, x, y: True) is None


@pytest.mark.parametrize(("y_mm", "is_open"), [(-300.0, True), (-500.0, False)], ids=["off the board", "off the table"])
def test_a_ball_first_seen_rising_where_the_board_ends_may_have_knocked_on_it(y_mm: float, is_open: bool) -> None:
    # At the height of the board, on its way up, 0.35 s and 140 mm before it meets the table.
    away = on_table(y_mm, before=(0.0, -400.0, -1800.0), after=(0.0, -400.0, 1100.0))
    assert is_start_open(away, 0.66, 0.66, GROUND) == is_open


def test_a_ball_first_seen_falling_away_from_the_boards_side_may_have_knocked_on_it() -> None:
    def is_open(before: tuple[float, float, float]) -> bool:
        return is_start_open(on_table(-205.0, before=before, after=(0.0, -30.0, 450.0)), 0.92, 0.92, GROUND)

    assert is_open((0.0, -300.0, -750.0))
    assert not is_open((0.0, 300.0, -750.0))


def test_no_ball_bounces_on_the_table_within_the_board() -> None:
    near = on_table(-316.0, before=(0.0, -400.0, -2000.0), after=(0.0, -400.0, 1100.0))
    left_s = 1.0 - 2 * 2000.0 / GRAVITY_MM_S2
    assert hidden_bounce(near, left_s + 0.02, left_s + 0.02, 20.0, 1 / 60, GROUND, lambda t, x, y: True) is None


@pytest.mark.parametrize(("held_s", "is_open"), [(0.85, True), (0.95, False)], ids=["left behind", "still there"])
def test_a_ball_seen_briefly_before_it_meets_the_board_was_thrown_straight_if_a_hand_was_at_it(
    held_s: float, is_open: bool
) -> None:
    # Seen for 0.15 s before; at the table's height 0.28 s before.
    straight = replace(on_table(0.0, before=(0.0, 800.0, -1300.0), after=(0.0, 800.0, 900.0)), surface="board")
    straight = replace(straight, z_mm=RADIUS_MM + 30.0)
    assert is_start_open(straight, 0.85, held_s, GROUND) == is_open


def test_a_ball_that_turns_back_on_the_table_met_something_else() -> None:
    assert turns_back(on_table(-190.0, before=(0.0, 700.0, -400.0), after=(0.0, -250.0, 300.0)))
    assert not turns_back(on_table(-190.0, before=(0.0, 700.0, -400.0), after=(0.0, 250.0, 300.0)))
    assert not turns_back(on_table(-190.0, before=(0.0, 100.0, -400.0), after=(0.0, -50.0, 300.0)))


def test_what_comes_off_the_table_faster_than_it_fell_was_turned_by_a_hand() -> None:
    assert not turns_back(on_table(-190.0, before=(0.0, 700.0, -400.0), after=(0.0, -250.0, 900.0)))


@pytest.mark.parametrize(("leaves_mm_s", "is_back"), [(-130.0, True), (-60.0, False), (80.0, False)])
def test_a_ball_that_comes_to_the_board_and_leaves_it_has_met_its_side(leaves_mm_s: float, is_back: bool) -> None:
    # What is fitted as one slow turn on the table, and one more, was a knock on the side between the two.
    first = on_table(-200.0, before=(150.0, 230.0, -1300.0), after=(150.0, 10.0, 660.0))
    second = on_table(-199.0, before=(150.0, 10.0, -660.0), after=(150.0, leaves_mm_s, 400.0))
    assert not turns_back(first)
    assert not turns_back(second)
    assert is_thrown_back((first, second), GROUND) == is_back


def falling_hops(*kept: float) -> tuple[Contact, ...]:
    speeds = list(itertools.accumulate(kept, lambda speed, share: speed * share, initial=2000.0))
    return tuple(
        on_table(-300.0, before=(0.0, 0.0, -before), after=(0.0, 0.0, after))
        for before, after in itertools.pairwise(speeds)
    )


def test_a_hop_is_missed_where_a_ball_seems_to_keep_more_than_before() -> None:
    assert not misses_hops(falling_hops(0.9, 0.62, 0.6, 0.58, 0.9))
    assert misses_hops(falling_hops(0.5, 0.62, 0.6, 0.8, 0.6))
    assert misses_hops((*falling_hops(0.6, 0.6), replace(RISING, is_inferred=True)))


@pytest.mark.parametrize(
    ("gap_mm", "unseen_s", "is_open"), [(4.0, 1 / 60, False), (0.2, 1 / 60, True), (4.0, 4 / 60, True)]
)
def test_which_of_two_knocks_came_first_is_open_where_nothing_shows_them_apart(
    gap_mm: float, unseen_s: float, is_open: bool
) -> None:
    bounce = on_table(-150.0 - RADIUS_MM - gap_mm, before=(0.0, 400.0, -2000.0), after=(0.0, -10.0, 1300.0))
    edge = board_edge(bounce, GROUND)
    assert edge is not None
    t_s = np.concatenate([np.arange(0.8, 0.995, 1 / 60), np.arange(0.995 + unseen_s, 1.2, 1 / 60)])
    assert is_order_open((bounce, edge), 1, t_s, 1 / 60) == is_open
