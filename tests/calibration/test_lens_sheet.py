import re
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera_model import CameraModel
from calibration.errors import BadCalibration, BadLayout
from calibration.layout import load_layout
from calibration.lens_sheet import measure_lens
from calibration.markers import find_markers
from calibration.targets import charuco_svg, marker_svgs
from hardware.frame import Frame

LAYOUT = load_layout("grid-7x7")
MATRIX = np.array([[800.0, 0, 641.0], [0, 800.0, 357.0], [0, 0, 1]])
DIST = np.array([-0.12, 0.03, 0.0, 0.0, 0.0])


def drawn(svg: str, px_per_mm: float) -> np.ndarray:
    """A page of black boxes as a printer prints it."""
    ((width, height),) = (map(float, sides) for sides in re.findall(r'viewBox="0 0 (\S+) (\S+)"', svg))
    page = np.full((round(height * px_per_mm), round(width * px_per_mm)), 255, dtype=np.uint8)
    for x, y, w, h in re.findall(r"M(\S+) (\S+?)h(\S+?)v(\S+?)h", svg):
        left, top = round(float(x) * px_per_mm), round(float(y) * px_per_mm)
        page[top : round((float(y) + float(h)) * px_per_mm), left : round((float(x) + float(w)) * px_per_mm)] = 0
    return page


def seen(
    page: np.ndarray, px_per_mm: float, rotation: tuple[float, float, float], place_mm: tuple[float, float, float]
) -> Frame:
    """The page held before a camera with a lens."""
    camera = CameraModel(
        matrix=MATRIX,
        dist=DIST,
        rotation=np.asarray(cv2.Rodrigues(np.array(rotation, dtype=float))[0], np.float64),
        translation_mm=np.array(place_mm, dtype=float),
        width_px=1280,
        height_px=720,
    )
    x, y = np.meshgrid(np.arange(1280.0), np.arange(720.0))
    places = camera.to_mm(np.column_stack([x.ravel(), y.ravel()]), 0.0).reshape(720, 1280, 3)
    maps = ((places[..., :2] + (148.5, 105.0)) * px_per_mm - 0.5).astype(np.float32)
    luma = cv2.remap(page, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderValue=120)
    grey = np.full((360, 640), 128, dtype=np.uint8)
    return Frame(index=0, t_s=0.0, y=np.asarray(cv2.GaussianBlur(luma, (3, 3), 0), np.uint8), u=grey, v=grey)


def test_a_lens_is_measured_from_the_printed_sheet() -> None:
    page = drawn(charuco_svg(), 4.0)
    places = [
        (-130, -60, 420),
        (130, -60, 420),
        (130, 70, 430),
        (-130, 70, 420),
        (0, 0, 340),
        (0, 20, 400),
        (60, 0, 380),
    ]
    slants = [
        (0.4, 0.1, 0),
        (-0.4, 0.3, 0.2),
        (0.2, -0.5, 0),
        (0.5, 0.4, -0.3),
        (0, 0.5, 0),
        (-0.5, 0, 0.1),
        (0.3, 0.3, 0),
    ]
    frames = [seen(page, 4.0, slant, place) for slant, place in zip(slants, places, strict=True)]

    lens = measure_lens(frames)

    assert lens.matrix[0, 0] == pytest.approx(800, rel=0.01)
    assert lens.matrix[:2, 2] == pytest.approx(MATRIX[:2, 2], abs=6)
    assert lens.dist[0] == pytest.approx(-0.12, abs=0.02)
    assert lens.error_px < 0.5


def test_pictures_without_the_sheet_are_refused() -> None:
    blank = seen(np.full((840, 1188), 255, dtype=np.uint8), 4.0, (0, 0, 0), (0, 0, 400))

    with pytest.raises(BadCalibration, match="seen in 0 different places"):
        measure_lens([blank] * 8)


def test_printed_markers_are_found_and_true_to_size() -> None:
    (page,) = marker_svgs(LAYOUT.markers)

    found = find_markers([drawn(page, 4.0)], LAYOUT.markers)

    assert [each.marker.id for each in found] == [marker.id for marker in LAYOUT.markers]
    for each in found:
        sides = np.linalg.norm(each.corners_px - np.roll(each.corners_px, 1, axis=0), axis=1) / 4.0
        assert sides == pytest.approx(each.marker.size_mm, abs=0.3)


def test_a_marker_larger_than_the_page_is_refused() -> None:
    with pytest.raises(BadLayout, match="too large for a page"):
        marker_svgs([replace(LAYOUT.markers[0], size_mm=200.0)])
