"""Which of several sizes a thrown ball has, told by its free flight."""

from collections.abc import Sequence

import numpy as np
import pytest

from referee.vision.blobs import Blob
from referee.vision.kinds import BallKind
from referee.vision.segments import Motion, Piece
from referee.vision.sizing import likeliest_kind, rival_of, sureness_beside
from referee.vision.tracks import Sighting
from tests.vision.scene import Throw, samples, table, throw

SIZES = tuple(BallKind(name=f"orange-{mm}", colour="orange", radius_mm=mm) for mm in (13.0, 17.0, 21.0))


def seen(thrown: Throw, radius_mm: float) -> list[Sighting]:
    """A ball of that radius on its way, 2 % smaller than it is."""
    radii = 0.98 * table().camera.radius_px(thrown.places_mm, radius_mm)
    return [
        Sighting(
            index=k,
            t_s=float(t_s),
            blob=Blob(
                colour="orange",
                x_px=0.0,
                y_px=0.0,
                radius_px=radius_px,
                length_px=1.3 * radius_px,
                width_px=radius_px,
                share=0.9,
                at_border=False,
            ),
        )
        for k, (t_s, radius_px) in enumerate(zip(thrown.t_s, radii.tolist(), strict=True))
    ]


def likeliest(sightings: Sequence[Sighting], thrown: Throw, motion: Motion, *lying: str) -> BallKind:
    piece = Piece(motion=motion, start=0, stop=len(sightings), cost=0.0)
    tracked = samples(thrown, table(), noise_px=0.3)
    return likeliest_kind(SIZES, sightings, tracked, [piece], table().camera, lying)


@pytest.mark.parametrize("kind", SIZES, ids=lambda kind: kind.name)
def test_a_free_flight_tells_how_large_a_ball_is(kind: BallKind) -> None:
    thrown = throw(start_mm=(60.0, -420.0, 250.0), speed_mm_s=(-60.0, 600.0, 900.0), rate_hz=60.0, duration_s=0.25)
    assert likeliest(seen(thrown, kind.radius_mm), thrown, Motion.FLYING) is kind


def test_nothing_but_free_flight_tells_it() -> None:
    thrown = throw(start_mm=(60.0, -420.0, 250.0), speed_mm_s=(-60.0, 600.0, 900.0), rate_hz=60.0, duration_s=0.25)
    assert likeliest(seen(thrown, 21.0), thrown, Motion.ROLLING) is SIZES[1]


def test_a_flight_too_short_to_tell_how_far_away_it_is_tells_nothing() -> None:
    thrown = throw(start_mm=(60.0, -420.0, 250.0), speed_mm_s=(-60.0, 600.0, 900.0), rate_hz=60.0, duration_s=0.07)
    assert np.ptp(thrown.t_s) < 0.1
    assert likeliest(seen(thrown, 21.0), thrown, Motion.FLYING) is SIZES[1]


def test_what_lies_on_the_board_is_the_last_to_be_supposed() -> None:
    thrown = throw(start_mm=(60.0, -420.0, 250.0), speed_mm_s=(-60.0, 600.0, 900.0), rate_hz=60.0, duration_s=0.07)
    first, middle, last = (kind.name for kind in SIZES)
    assert likeliest(seen(thrown, 21.0), thrown, Motion.FLYING, first) is SIZES[2]
    assert likeliest(seen(thrown, 21.0), thrown, Motion.FLYING, first, last) is SIZES[1]
    assert likeliest(seen(thrown, 21.0), thrown, Motion.FLYING, first, middle, last) is SIZES[1]


def test_a_ball_seen_larger_than_it_should_be_may_be_a_larger_one_further_away() -> None:
    small, middle, large = SIZES
    assert rival_of(middle, np.array([17.0, 17.1]), SIZES) is None
    assert rival_of(middle, np.array([14.5, 14.6]), SIZES) is None
    assert rival_of(middle, np.array([18.5, 18.6]), SIZES) is large
    assert rival_of(middle, np.array([18.5, 18.6]), [small, middle]) is None
    assert sureness_beside(middle, np.array([18.5]), large, np.array([18.5])) < 0.5
    assert sureness_beside(middle, np.array([18.5]), large, np.array([15.0])) > 0.5
