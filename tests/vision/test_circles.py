"""The ball's circle, from all of its outline or from a part."""

import numpy as np
import pytest

from referee.vision.circles import Circle, fit_circles


def outline(degrees: float, *, centre: tuple[float, float] = (120.5, 80.5), radius: float = 17.0) -> np.ndarray:
    angles = np.radians(np.linspace(0.0, degrees, 60, endpoint=False))
    return np.column_stack([centre[0] + radius * np.cos(angles), centre[1] + radius * np.sin(angles)])


def fit_circle(points: np.ndarray) -> Circle | None:
    (circle,) = fit_circles(points, [len(points)])
    return circle


@pytest.mark.parametrize("degrees", [360.0, 240.0, 200.0])
def test_a_circle_is_found_from_the_part_that_is_seen(degrees: float) -> None:
    circle = fit_circle(outline(degrees))
    assert circle is not None
    assert (circle.x_px, circle.y_px, circle.radius_px) == pytest.approx((120.5, 80.5, 17.0), abs=1e-6)
    assert circle.share == 1.0


def test_a_finger_across_the_ball_does_not_move_its_centre() -> None:
    points = outline(360.0)
    points[points[:, 0] > 130.0, 0] = 130.0
    circle = fit_circle(points)
    assert circle is not None
    assert (circle.x_px, circle.y_px) == pytest.approx((120.5, 80.5), abs=0.7)
    assert circle.share < 0.9


def test_steps_of_two_pixels_leave_a_third_of_a_pixel() -> None:
    circle = fit_circle(np.round((outline(360.0) - 0.5) / 2) * 2 + 0.5)
    assert circle is not None
    assert np.hypot(circle.x_px - 120.5, circle.y_px - 80.5) < 0.34


def test_too_few_points_and_a_line_are_no_circle() -> None:
    assert fit_circle(outline(360.0)[:5]) is None
    assert fit_circle(np.column_stack([np.arange(20.0), np.arange(20.0)])) is None


def test_outlines_fitted_together_get_the_circles_that_they_get_alone() -> None:
    cut = outline(360.0, centre=(40.0, 300.0), radius=9.0)
    cut[cut[:, 0] > 44.0, 0] = 44.0
    line = np.column_stack([np.arange(20.0), np.arange(20.0)])
    outlines = [outline(200.0), line, cut, outline(360.0)[:4], outline(360.0)]
    together = fit_circles(np.concatenate(outlines), [len(points) for points in outlines])
    assert together == [fit_circle(points) for points in outlines]
    assert [circle is None for circle in together] == [False, True, False, True, False]


def test_no_outlines_have_no_circles() -> None:
    assert fit_circles(np.zeros((0, 2)), []) == []
