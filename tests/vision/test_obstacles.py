"""Sides of a board and balls that lie there: where a ball touches them, and throws that strike them."""

from itertools import pairwise

import numpy as np
import pytest

from referee.vision.ballistics import GRAVITY_MM_S2
from referee.vision.flight import read_flights
from referee.vision.ground import BOARD, TABLE, Ground
from referee.vision.obstacles import Ball, Wall, walls_of
from referee.vision.search import Search
from referee.vision.touchable import Touchable
from tests.vision.scene import RADIUS_MM, TOP_MM, Throw, samples, table

SQUARE = ((-150.0, -150.0), (150.0, -150.0), (150.0, 150.0), (-150.0, 150.0))
NORTHERN = Wall(start_mm=(150.0, 150.0), end_mm=(-150.0, 150.0), top_mm=60.0, away=(0.0, 1.0))


@pytest.mark.parametrize("outline", [SQUARE, SQUARE[::-1]], ids=["left round", "right round"])
def test_sides_lead_outwards_whichever_way_an_outline_goes_round(outline: tuple[tuple[float, float], ...]) -> None:
    walls = walls_of(outline, 60.0)
    assert len(walls) == 4
    for wall in walls:
        middle = (np.array(wall.start_mm) + wall.end_mm) / 2
        assert middle @ wall.away == pytest.approx(150.0)


@pytest.mark.parametrize(
    ("place_mm", "wrong_mm"),
    [((0.0, 167.0, 40.0), 0.0), ((0.0, 172.0, 40.0), 5.0), ((0.0, 167.0, 78.5), 10.0), ((0.0, 167.0, 7.0), 10.0)],
    ids=["touches", "beside", "above", "in the table"],
)
def test_a_side_is_touched_from_the_table_to_its_edge(place_mm: tuple[float, float, float], wrong_mm: float) -> None:
    assert NORTHERN.trespass_mm(place_mm, 17.0) == pytest.approx(wrong_mm)


@pytest.mark.parametrize(("roams_mm", "wrong_mm"), [(0.0, 16.0), (20.0, 0.0)], ids=["fixed", "rolls about"])
def test_a_ball_is_touched_at_the_distance_of_both_radii(roams_mm: float, wrong_mm: float) -> None:
    ball = Ball(x_mm=0.0, y_mm=0.0, z_mm=20.0, radius_mm=17.0, roams_mm=roams_mm)
    assert ball.trespass_mm((50.0, 0.0, 20.0), 17.0) == pytest.approx(wrong_mm)


def flown(parts: list[tuple[tuple[float, float, float], tuple[float, float, float], float]]) -> Throw:
    """Flights from places with velocities, each for a time, at 120 frames a second."""
    places, t_s, start_s = list[np.ndarray](), list[float](), 0.0
    for place, speed, duration_s in parts:
        own = np.arange(np.ceil(start_s * 120) / 120, start_s + duration_s, 1 / 120)
        tau = (own - start_s)[:, None]
        places.append(np.array(place) + np.array(speed) * tau - [0.0, 0.0, GRAVITY_MM_S2 / 2] * tau**2)
        t_s += own.tolist()
        start_s += duration_s
    return Throw(t_s=np.array(t_s), places_mm=np.vstack(places), contacts=())


def test_a_throw_that_strikes_the_boards_side_after_a_bounce_has_one_bounce() -> None:
    # It bounces 80 mm before the board, strikes its side below the edge, and comes back to the table.
    low, edge_y = RADIUS_MM, -150.0 - RADIUS_MM
    drop_s, gap_s = 0.14, 0.03
    fall = (0.0, 900.0, -1400.0)
    bounce = (0.0, edge_y - 800.0 * gap_s, low)
    start = tuple(b - v * drop_s for b, v in zip(bounce, fall, strict=True))
    start = (start[0], start[1], start[2] + GRAVITY_MM_S2 / 2 * drop_s**2)
    up = (0.0, 800.0, 500.0)
    side = (0.0, edge_y, low + up[2] * gap_s - GRAVITY_MM_S2 / 2 * gap_s**2)
    assert side[2] < TOP_MM
    back = (0.0, -350.0, up[2] - GRAVITY_MM_S2 * gap_s)
    lands_s = (back[2] + np.sqrt(back[2] ** 2 + 2 * GRAVITY_MM_S2 * (side[2] - low))) / GRAVITY_MM_S2
    again = (0.0, edge_y - 350.0 * lands_s, low)
    thrown = flown(
        [(start, fall, drop_s), (bounce, up, gap_s), (side, back, lands_s), (again, (0.0, -300.0, 400.0), 0.08)]
    )
    flight = next(read_flights(samples(thrown, table(), noise_px=0.3), table(), RADIUS_MM, lambda *_: False))
    assert flight.table_bounces == 1
    assert flight.touched_board


def test_no_side_is_struck_twice_in_a_row() -> None:
    thrown = flown(
        [((0.0, -420.0, 60.0), (0.0, 900.0, 200.0), 0.28), ((0.0, -168.0, 20.0), (0.0, -300.0, -200.0), 0.2)]
    )
    terrain = Ground(table=table(), radius_mm=RADIUS_MM).terrain()
    side = next(k for k in range(6) if terrain.is_upright(k))
    assert not any(terrain.is_upright(k) for k in (TABLE, BOARD))
    seen = samples(thrown, table(), noise_px=0.3)
    search = Search(samples=seen, touchable=Touchable(samples=seen, terrain=terrain, camera=table().camera))
    found = search.best(search.start([0.25, 0.3]))
    for reading in (found.reading, *found.others):
        twice = (side, side) in pairwise(reading.surfaces)
        assert not twice or reading.score == np.inf


def test_a_throw_that_comes_down_on_a_ball_strikes_it_above_the_board() -> None:
    lies = Ball(x_mm=0.0, y_mm=0.0, z_mm=TOP_MM + RADIUS_MM, radius_mm=RADIUS_MM)
    met = np.array([0.0, -0.6, 0.8]) * 2 * RADIUS_MM + [0.0, 0.0, lies.z_mm]
    fall_s, fall = 0.25, np.array([0.0, 600.0, -300.0])
    speed = fall - [0.0, 0.0, GRAVITY_MM_S2 * fall_s]
    start = met - fall * fall_s + [0.0, 0.0, GRAVITY_MM_S2 / 2 * fall_s**2]
    push = np.array([0.0, -0.6, 0.8])
    after = speed - 1.6 * (speed @ push) * push
    thrown = flown([(tuple(start), tuple(fall), fall_s), (tuple(met), tuple(after), 0.2)])
    seen = samples(thrown, table(), noise_px=0.3)
    flight = next(read_flights(seen, table(), RADIUS_MM, lambda *_: False, balls=[lies]))
    assert (flight.table_bounces, flight.contacts[0].surface) == (0, "ball")
    assert flight.contacts[0].z_mm == pytest.approx(met[2], abs=8.0)
