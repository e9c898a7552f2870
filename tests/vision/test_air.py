"""Flights through air: made table-tennis shots that are braked and bent by spin."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.vision.air import drag_per_mm
from referee.vision.ballistics import GRAVITY_MM_S2
from referee.vision.knocks import Knock, find_knocks
from referee.vision.surfaces import Surface, Terrain
from tests.calibration.scene import camera_at

Array = NDArray[np.float64]

RADIUS_MM = 20.0
DRAG_PER_MM = drag_per_mm(RADIUS_MM, 2.7)
TABLE = Terrain(surfaces=(Surface(name="table", z_mm=0.0),), radius_mm=RADIUS_MM)
SPINS = [(0.0, 0.0, 0.0), (0.6, 0.0, 0.3), (-0.5, 0.2, -0.3)]
"""Lifts before the bounce; after it they are half as much, and the other way round."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shot:
    """``t_s``: (n,); ``places_mm``: (n, 3); ``bounces``: time, x and y of each."""

    t_s: Array
    places_mm: Array
    bounces: tuple[tuple[float, float, float], ...]


def shot(*, speed_mm_s: tuple[float, float, float], lift: tuple[float, float, float], rate_hz: float = 30.0) -> Shot:
    """A ball hit from one end of the table, 0.6 s long, by small steps."""
    step_s = 1e-4
    place, speed, spin = np.array([100.0, -1300.0, 250.0]), np.array(speed_mm_s), np.array(lift)
    places, bounces = [], list[tuple[float, float, float]]()
    for k in range(6000):
        if k % round(1 / (rate_hz * step_s)) == 0:
            places.append(place.copy())
        braking = DRAG_PER_MM * np.linalg.norm(speed)
        speed += (braking * (np.cross(spin, speed) - speed) - np.array([0.0, 0.0, GRAVITY_MM_S2])) * step_s
        place += speed * step_s
        if place[2] < RADIUS_MM and speed[2] < 0:
            bounces.append((k * step_s, float(place[0]), float(place[1])))
            speed *= np.array([0.9, 0.9, -0.85])
            spin *= -0.5
    t_s = np.arange(len(places), dtype=np.float64) * round(1 / (rate_hz * step_s)) * step_s
    return Shot(t_s=t_s, places_mm=np.array(places), bounces=tuple(bounces))


def knocks(seen: Shot, *, drag: float = DRAG_PER_MM) -> tuple[Knock, ...]:
    camera = camera_at(-4000.0, 0.0, 1000.0, focal_px=1200.0)  # four metres beside the table and one above it
    px = camera.to_px(seen.places_mm) + np.random.default_rng(3).normal(0.0, 1.0, (len(seen.t_s), 2))
    return find_knocks(camera, TABLE, seen.t_s, px, drag_per_mm=drag)


def test_a_table_tennis_ball_falls_at_ten_metres_a_second_at_the_most() -> None:
    assert math.sqrt(GRAVITY_MM_S2 / DRAG_PER_MM) == pytest.approx(9000.0, rel=0.1)


@pytest.mark.parametrize("lift", SPINS)
def test_bounces_of_braked_and_spinning_balls_are_timed_and_placed(lift: tuple[float, float, float]) -> None:
    seen = shot(speed_mm_s=(400.0, 6500.0, 400.0), lift=lift)
    ((t_s, x_mm, y_mm),) = seen.bounces
    (knock,) = knocks(seen)
    assert knock.t_s == pytest.approx(t_s, abs=0.003)
    assert math.hypot(knock.x_mm - x_mm, knock.y_mm - y_mm) < 25.0
    assert knock.confidence > 0.9


def test_two_bounces_and_the_flight_between_them() -> None:
    seen = shot(speed_mm_s=(-300.0, 3500.0, -500.0), lift=(0.4, 0.0, 0.2), rate_hz=60.0)
    found = knocks(seen)
    assert [knock.t_s for knock in found] == pytest.approx([t_s for t_s, *_ in seen.bounces], abs=0.003)
    assert len(found) == 2


def test_a_path_bent_by_spin_alone_has_no_contact() -> None:
    seen = shot(speed_mm_s=(0.0, 5000.0, 3000.0), lift=(0.6, 0.0, 0.4))
    assert not seen.bounces
    assert not knocks(seen)


def test_a_fast_bounce_is_placed_worse_where_air_is_left_out() -> None:
    seen = shot(speed_mm_s=(400.0, 6500.0, 400.0), lift=SPINS[1])
    ((_, x_mm, y_mm),) = seen.bounces
    with_air, without = (
        min(math.hypot(knock.x_mm - x_mm, knock.y_mm - y_mm) for knock in knocks(seen, drag=drag))
        for drag in (DRAG_PER_MM, 0.0)
    )
    assert with_air < without / 2
