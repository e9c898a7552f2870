import numpy as np
import pytest

from calibration.camera_model import CameraModel
from calibration.edges import find_edges
from calibration.layout import load_layout
from calibration.solve import Sighting, lens_spread, solve, uncertainty_mm
from tests.calibration.scene import HEIGHT_PX, WIDTH_PX, camera_at

LAYOUT = load_layout("grid-7x7")
POINTS = np.array([corner for marker in LAYOUT.markers for corner in marker.corners_mm])
FACE = np.array(LAYOUT.corners_mm)


def sighting(camera: CameraModel, points: np.ndarray, noise_px: float = 0.0) -> Sighting:
    noise = np.random.default_rng(3).normal(0, 1, (len(points), 2)) * noise_px
    return Sighting(base_mm=points, spread_mm=np.zeros_like(points), seen_px=camera.to_px(points) + noise, sigma_px=0.3)


@pytest.mark.parametrize("camera", [camera_at(), camera_at(k1=-0.1), camera_at(500, 500, 700, focal_px=600)])
def test_exact_points_give_the_camera_back(camera: CameraModel) -> None:
    seen = sighting(camera, POINTS)

    view = solve([seen], WIDTH_PX, HEIGHT_PX, None)

    assert view is not None
    assert view.camera.focal_px == pytest.approx(camera.focal_px, rel=3e-3)
    assert view.camera.centre_mm == pytest.approx(camera.centre_mm, abs=4)
    assert view.errors_px(0, seen).max() < 0.05


def test_both_radial_terms_of_a_wide_lens_are_found() -> None:
    camera = camera_at(-80, -330, 380, focal_px=600, k1=-0.26, k2=0.09)

    seen = sighting(camera, POINTS, noise_px=0.1)

    view = solve([seen], WIDTH_PX, HEIGHT_PX, None)

    assert view is not None
    spread = lens_spread([seen], view)
    assert abs(view.camera.focal_px - camera.focal_px) < 3 * spread.focal_px < 60
    assert abs(view.camera.dist[0] - camera.dist[0]) < 3 * spread.k1 < 0.1
    assert abs(view.camera.dist[1] - camera.dist[1]) < 3 * spread.k2 < 0.15
    assert view.camera.focal_px == pytest.approx(camera.focal_px, rel=0.01)
    assert view.camera.dist[:2] == pytest.approx(camera.dist[:2], abs=0.03)
    assert np.linalg.norm(view.camera.to_px(FACE) - camera.to_px(FACE), axis=1).max() < 0.5


def test_noise_is_answered_by_an_honest_uncertainty() -> None:
    camera = camera_at()
    seen = sighting(camera, POINTS, noise_px=0.3)

    view = solve([seen], WIDTH_PX, HEIGHT_PX, None)

    assert view is not None
    uncertain_mm = uncertainty_mm([seen], view, FACE, lens_is_known=False)
    miss_mm = np.linalg.norm(view.camera.to_mm(camera.to_px(FACE), LAYOUT.height_mm) - FACE, axis=1).max()
    assert miss_mm < 3 * uncertain_mm
    assert 0.1 < uncertain_mm < 1.5
    few = sighting(camera, POINTS[:4], noise_px=0.3)
    from_one_marker = solve([few], WIDTH_PX, HEIGHT_PX, None)
    assert from_one_marker is not None
    assert uncertainty_mm([few], from_one_marker, FACE, lens_is_known=False) > 5 * uncertain_mm


def test_straight_from_above_the_focal_length_stays_usual() -> None:
    camera = camera_at(0.0, -1.0, 1200.0, focal_px=1000.0)

    view = solve([sighting(camera, POINTS, noise_px=0.3)], WIDTH_PX, HEIGHT_PX, None)

    assert view is not None
    assert 35 < np.degrees(2 * np.arctan(WIDTH_PX / 2 / view.camera.focal_px)) < 120
    assert np.linalg.norm(view.camera.to_mm(camera.to_px(FACE), LAYOUT.height_mm) - FACE, axis=1).max() < 10


def test_one_wild_point_hardly_matters() -> None:
    camera = camera_at()
    seen = sighting(camera, POINTS)
    seen.seen_px[5] += (25, -14)

    view = solve([seen], WIDTH_PX, HEIGHT_PX, None)

    assert view is not None
    assert np.median(view.errors_px(0, seen)) < 0.5


def test_points_seen_as_in_a_mirror_have_no_camera() -> None:
    camera = camera_at()
    mirrored = sighting(camera, POINTS)
    mirrored.seen_px[:, 0] = WIDTH_PX - 1 - mirrored.seen_px[:, 0]

    view = solve([mirrored], WIDTH_PX, HEIGHT_PX, None)

    assert view is None or view.errors_px(0, mirrored).mean() > 20


def test_edges_are_found_to_a_fraction_of_a_pixel() -> None:
    across = np.arange(60, dtype=np.float64)
    edge_px = 30.3
    soft = 100 + 80 / (1 + np.exp(-(across - edge_px) / 0.5))
    luma = np.tile(soft, (20, 1)).astype(np.float32)
    points = np.array([[29.0, 5.0], [32.0, 12.0], [10.0, 8.0]])
    normals = np.array([[1.0, 0.0], [-1.0, 0.0], [1.0, 0.0]])

    edges = find_edges(luma, points, normals, 4.0)

    assert edges.offset_px[:2] == pytest.approx([1.3, 1.7], abs=0.05)
    assert edges.slope[0] > 10
    assert edges.slope[1] < -10
    assert abs(edges.slope[2]) < 0.1
