"""Contacts that no ball makes by itself."""

from dataclasses import replace

import numpy as np
import pytest

from referee.vision.chain import Chain
from referee.vision.ground import TABLE, Ground
from referee.vision.search import Reading
from referee.vision.sifting import Scene, nobody_holds
from tests.vision.scene import RADIUS_MM, table

GROUND = Ground(table=table(), radius_mm=RADIUS_MM)
SCENE = Scene(ground=GROUND, terrain=GROUND.terrain(), could_hide=lambda *_: False, holds=nobody_holds)


def reading(*vertical_mm_s: tuple[float, float]) -> Reading:
    """Contacts with the table, each by the vertical speeds before and after it."""
    n = len(vertical_mm_s)
    before, after = (np.array([(300.0, 0.0, speeds[k]) for speeds in vertical_mm_s]) for k in (0, 1))
    chain = Chain(
        t_s=np.linspace(0.0, 0.2 * (n - 1), n),
        places_mm=np.zeros((n, 3)),
        before_mm_s=before,
        after_mm_s=after,
        cost=0.0,
        costs=np.zeros(20),
        samples=20,
        normal=np.eye(7),
        residual=np.zeros((2, 20)),
        fits_from_s=-0.2,
    )
    return Reading(times=tuple(chain.t_s), surfaces=(TABLE,) * n, chain=chain, costs=np.zeros(20), score=0.0)


@pytest.mark.parametrize(
    ("vertical_mm_s", "expected"),
    [
        ([(-900.0, 600.0)], False),
        ([(-900.0, -600.0)], False),
        ([(200.0, -100.0)], True),
        ([(-900.0, -600.0), (-900.0, 600.0)], True),
        ([(-900.0, 600.0), (-600.0, 300.0)], False),
    ],
    ids=["bounces", "falls on, its end unseen", "thrown down", "falls on to another", "bounces twice"],
)
def test_the_table_throws_no_ball_down(vertical_mm_s: list[tuple[float, float]], expected: bool) -> None:
    assert SCENE.falls_on(reading(*vertical_mm_s)) == expected


@pytest.mark.parametrize(("sigma_mm_s", "expected"), [(20.0, True), (200.0, False)])
def test_how_a_ball_came_is_sure_where_noise_cannot_have_turned_it(sigma_mm_s: float, expected: bool) -> None:
    chain = reading((-900.0, 600.0)).chain
    assert chain is not None
    sure = replace(chain, normal=np.eye(7) / sigma_mm_s**2, cost=20.0)
    assert sure.comes_surely == expected
