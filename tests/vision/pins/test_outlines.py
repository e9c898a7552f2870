"""What pins cover in the picture, and where their outlines are."""

import numpy as np

from referee.vision.pins.candidates import LYING
from referee.vision.pins.outlines import AWAY_PX, ROUND, all_of, masks_of, outlines_of, sampled_at
from referee.vision.pins.picture import Array, window_of
from referee.vision.pins.pin import PinSize
from tests.vision.pins.lane_scene import HEIGHT_MM, RADIUS_MM, TOP_MM, table

SIZE = PinSize(height_mm=HEIGHT_MM, radius_mm=RADIUS_MM)
WINDOW = window_of(table(), SIZE)


def poses(count: int) -> Array:
    """Some that stand, lean and lie, all over the lid."""
    rng = np.random.default_rng(4)
    out = np.zeros((count, 5))
    out[:, :2] = rng.uniform(-70.0, 70.0, (count, 2))
    out[:, 2] = TOP_MM
    out[:, 3] = rng.uniform(0.0, 2 * np.pi, count)
    out[:, 4] = np.resize([0.0, 0.4, LYING], count)
    return out


def test_points_are_on_the_outline_where_no_disc_of_the_pin_reaches_them() -> None:
    outlines = outlines_of(poses(12), SIZE, WINDOW)
    x, y = (
        at[:, None] + (outlines.radii + AWAY_PX)[:, None] * ways[:, None]
        for at, ways in zip((outlines.x, outlines.y), ROUND, strict=True)
    )
    reaches = outlines.radii + 0.8 * AWAY_PX
    gaps = np.hypot(x[None] - outlines.x[:, None, None], y[None] - outlines.y[:, None, None]) - reaches[:, None, None]
    is_edge = (gaps > 0).all(axis=0).transpose(2, 0, 1).reshape(12, -1)
    # Discs are on a line but for rounding, so that a point that just touches one may be taken for either.
    assert (is_edge != outlines.is_edge).mean() < 0.01
    assert 0.15 < is_edge.mean() < 0.5


def test_points_on_the_outline_have_the_pin_on_one_side_and_none_of_it_on_the_other() -> None:
    outlines = outlines_of(poses(6), SIZE, WINDOW)
    masks = masks_of(outlines, WINDOW.shape).astype(np.float32)
    edges = outlines.edges
    for k, mask in enumerate(masks):
        inner, outer = sampled_at(mask, edges.x[:, edges.of == k, 0], edges.y[:, edges.of == k, 0])
        assert inner.mean() > 0.9
        assert outer.mean() < 0.1


def test_pins_seen_the_same_way_share_their_outlines() -> None:
    ones = poses(5)
    moved = ones[:, None] + np.array([[0.0, 0.0, 0.0, 0.0, 0.0], [1.0, -1.0, 0.0, 0.0, 0.0]])
    together = outlines_of(moved.reshape(-1, 5), SIZE, WINDOW, alike=2).edges
    alone = outlines_of(ones, SIZE, WINDOW).edges
    assert np.array_equal(together.of, alone.of)
    assert np.allclose(together.x[:, :, :1], alone.x)
    values = np.ones((len(together.of), 2), dtype=np.float32)
    assert np.array_equal(together.sums(values), np.repeat(alone.counts, 2))


def test_several_outlines_are_one() -> None:
    some, others = outlines_of(poses(4), SIZE, WINDOW), outlines_of(poses(2), SIZE.times(0.9), WINDOW)
    both = all_of([some, others])
    assert np.array_equal(both.some(np.array([4, 5])).radii, others.radii)
    assert np.array_equal(both.some(np.arange(4)).x, some.x)
