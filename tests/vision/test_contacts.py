"""Knocks that can only be inferred: on the board's side, and hops too low to be resolved."""

import itertools
import math

import pytest

from referee.vision.ballistics import GRAVITY_MM_S2
from referee.vision.contacts import LEAST_HOP_MM, Contact, board_edge, low_hops
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
