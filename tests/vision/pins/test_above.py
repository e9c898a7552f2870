"""Pictures as seen from straight above."""

import numpy as np

from referee.vision.pins.above import Grid

FEET = Grid.over(np.array([40.0, 25.0]), 5.0)


def test_a_grid_is_all_over_its_rectangle() -> None:
    places = FEET.places_mm
    assert places.shape == (2, FEET.count)
    assert places.min(axis=1).tolist() == [-40.0, -25.0]
    assert places.max(axis=1).tolist() == [40.0, 25.0]
    assert Grid.over(np.array([40.0, 24.0]), 5.0).places_mm[1].max() >= 24.0


def test_what_lies_about_a_place_lies_about_every_place_in_the_same_way() -> None:
    ground = FEET.finer(3, 20.0)
    away = ground.cells_away(np.array([12.0, -7.0]))
    places = ground.places_mm[:, ground.cells_at(FEET.places_mm) + away]
    assert np.abs(places - FEET.places_mm - np.array([[12.0], [-7.0]])).max() <= ground.step_mm / 2


def test_a_picture_is_seen_where_its_pixels_show_the_places() -> None:
    rows, columns = np.indices((60, 90), dtype=np.float32)
    # A camera straight above: a pixel to a millimetre on the ground, more the higher up.
    projection = np.array([[1.0, 0.0, 0.0, 45.0], [0.0, 1.0, 0.0, 30.0], [0.0, 0.0, -0.001, 1.0]])
    x, y = FEET.places_mm
    assert np.allclose(FEET.seen(columns, projection, 0.0).ravel(), x + 45, atol=0.5)
    assert np.allclose(FEET.seen(rows, projection, 0.0).ravel(), y + 30, atol=0.5)
    # Nearer to the camera all is larger, and what is at the edge isn't seen.
    assert FEET.seen(columns + 1, projection, 600.0).min() == 0.0
