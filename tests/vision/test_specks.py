"""Specks of noise are dropped, and whatever is as large as a ball is kept, however it lies."""

import numpy as np
import pytest

from referee.vision.specks import SpeckFilter

SHAPE = (60, 80)


def kept(picture: np.ndarray, width: float) -> np.ndarray:
    """What is left of a picture of labels."""
    cells = np.flatnonzero(picture)
    filtered = np.zeros(picture.size, np.uint8)
    found = cells[
        SpeckFilter(np.full(SHAPE, width, np.float32)).are_kept(
            cells, picture.ravel()[cells], np.ones(len(cells), np.bool_)
        )
    ]
    filtered[found] = picture.ravel()[found]
    return filtered.reshape(SHAPE)


def disc(x: float, y: float, width: float, label: int = 1) -> np.ndarray:
    rows, columns = np.indices(SHAPE)
    return np.asarray((np.hypot(columns - x, rows - y) < width / 2) * label, dtype=np.uint8)


@pytest.mark.parametrize("width", [4.0, 6.4, 7.0, 16.0])
def test_a_disc_is_kept_whole_wherever_it_lies(width: float) -> None:
    for x in np.arange(20.0, 24.0, 0.5):
        for y in np.arange(20.0, 24.0, 0.5):
            shown = disc(x, y, width)
            assert np.array_equal(kept(shown, width), shown)


def test_a_disc_at_the_edge_of_the_picture_is_kept() -> None:
    for x, y in ((0, 30), (79, 30), (40, 0), (40, 59), (79, 59)):
        shown = disc(x, y, 16.0)
        assert np.array_equal(kept(shown, 10.0), shown)


def test_noise_is_dropped_and_the_disc_in_it_is_not() -> None:
    noise = (np.random.default_rng(2).random(SHAPE) < 0.1).astype(np.uint8)
    assert not kept(noise, 10.0).any()
    left = kept(np.maximum(noise, disc(40.0, 30.0, 12.0)), 10.0)
    assert left[disc(40.0, 30.0, 12.0) > 0].all()
    assert not left[:, :20].any()


def test_labels_are_counted_apart() -> None:
    mixed = disc(40.0, 30.0, 12.0)
    mixed[::2, ::2] *= 2
    mixed[1::2, 1::2] *= 3
    assert not kept(mixed, 10.0)[mixed > 1].any()
    two = np.maximum(disc(20.0, 30.0, 12.0), disc(60.0, 30.0, 12.0, label=3))
    assert np.array_equal(kept(two, 10.0), two)


def test_what_is_too_small_to_be_told_from_noise_is_kept() -> None:
    speck = np.zeros(SHAPE, np.uint8)
    speck[30, 40] = 1
    assert np.array_equal(kept(speck, 3.0), speck)
    assert not kept(speck, 5.0).any()


def test_near_and_far_have_squares_of_their_own() -> None:
    widths = np.full(SHAPE, 4.5, np.float32)
    widths[:, 40:] = 12.0
    shown = disc(20.0, 30.0, 4.5) + disc(60.0, 30.0, 12.0)
    cells = np.flatnonzero(shown)
    assert SpeckFilter(widths).are_kept(cells, shown.ravel()[cells], np.ones(len(cells), np.bool_)).all()


def test_what_is_not_counted_is_kept_beside_what_is() -> None:
    shown = disc(40.0, 30.0, 16.0)
    cells = np.flatnonzero(shown)
    left = cells % SHAPE[1] < 40
    specks = SpeckFilter(np.full(SHAPE, 12.0, np.float32))
    assert specks.are_kept(cells, shown.ravel()[cells], left).all()
    assert not specks.are_kept(cells, shown.ravel()[cells], np.zeros(len(cells), np.bool_)).any()
