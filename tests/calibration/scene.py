"""Pictures of a layout on a table, drawn from a known camera."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.layout import Layout, Marker
from hardware.frame import Frame

Array = NDArray[np.float64]

WIDTH_PX, HEIGHT_PX = 1280, 720
FINER = 4
"""Pictures are drawn this much larger and then shrunk, so that edges blend as a sensor sees them."""

TABLE, TOP, HOLE = 110, 190, 60


def camera_at(
    x_mm: float = 60.0,
    y_mm: float = -750.0,
    z_mm: float = 850.0,
    *,
    focal_px: float = 1000.0,
    k1: float = 0.0,
    k2: float = 0.0,
) -> CameraModel:
    """A camera at a place, looking at the board's middle."""
    eye = np.array([x_mm, y_mm, z_mm])
    forward = -eye / np.linalg.norm(eye)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(forward, right), forward])
    centre = [(WIDTH_PX - 1) / 2, (HEIGHT_PX - 1) / 2]
    return CameraModel(
        matrix=np.array([[focal_px, 0.0, centre[0]], [0.0, focal_px, centre[1]], [0.0, 0.0, 1.0]]),
        dist=np.array([k1, k2, 0.0, 0.0, 0.0]),
        rotation=rotation,
        translation_mm=-rotation @ eye,
        width_px=WIDTH_PX,
        height_px=HEIGHT_PX,
    )


def picture(
    layout: Layout,
    camera: CameraModel,
    *,
    markers: Sequence[Marker] | None = None,
    turned: Sequence[int] = (),
    mirrored: bool = False,
    contrast: float = 1.0,
    noise: float = 2.0,
) -> Frame:
    """The layout as the camera sees it; ``markers``: those that lie there, where other than the layout's.

    ``turned``: ids of markers that lie a quarter turned. The board's sides are left out.
    """
    canvas = np.full((HEIGHT_PX * FINER, WIDTH_PX * FINER), TABLE, dtype=np.uint8)
    for marker in layout.markers if markers is None else markers:
        _draw_marker(canvas, camera, marker, quarter_turns=int(marker.id in turned))
    corners = np.array([(x, y, layout.height_mm) for x, y in layout.outline_mm])
    # Lenses bend sides.
    along = np.linspace(0, 1, 24, endpoint=False)[:, None]
    sides = [a + (b - a) * along for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    cv2.fillPoly(canvas, [_fine(camera, np.concatenate(sides))], TOP, shift=4)
    angles = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    for hole in layout.holes:
        rim = np.column_stack(
            [
                hole.x_mm + hole.radius_mm * np.cos(angles),
                hole.y_mm + hole.radius_mm * np.sin(angles),
                np.full(64, layout.height_mm),
            ]
        )
        cv2.fillPoly(canvas, [_fine(camera, rim)], HOLE, shift=4)
    small = cv2.resize(canvas, (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_AREA)
    shaken = np.random.default_rng(7).normal(0, noise, small.shape)
    luma = np.clip(TABLE + (small.astype(np.float64) - TABLE) * contrast + shaken, 0, 255).astype(np.uint8)
    luma = np.ascontiguousarray(luma[:, ::-1]) if mirrored else luma
    grey = np.full((HEIGHT_PX // 2, WIDTH_PX // 2), 128, dtype=np.uint8)
    return Frame(index=0, t_s=0.0, y=luma, u=grey, v=grey)


def moved(marker: Marker, x_mm: float, y_mm: float) -> Marker:
    """The marker somewhere else."""
    return replace(marker, x_mm=marker.x_mm + x_mm, y_mm=marker.y_mm + y_mm)


def corners_px(layout: Layout, camera: CameraModel) -> list[tuple[float, float]]:
    """What a careful person would click: the top face's corners in whole pixels."""
    return [(float(round(x)), float(round(y))) for x, y in camera.to_px(np.array(layout.corners_mm)).tolist()]


def miss_mm(found: CameraModel, true: CameraModel, layout: Layout, above_mm: float = 0.0) -> float:
    """How far off the worst hole is when its pixels are taken to the board's plane, or to one above it."""
    height_mm = layout.height_mm + above_mm
    places = np.array([(hole.x_mm, hole.y_mm, height_mm) for hole in layout.holes])
    return float(np.linalg.norm(found.to_mm(true.to_px(places), height_mm) - places, axis=1).max())


def _fine(camera: CameraModel, points_mm: Array) -> NDArray[np.int32]:
    """Pixels of the enlarged picture in sixteenths, as OpenCV draws them."""
    pixels = (camera.to_px(points_mm) + 0.5) * FINER - 0.5
    return np.rint(pixels * 16).astype(np.int32)


def _draw_marker(canvas: NDArray[np.uint8], camera: CameraModel, marker: Marker, *, quarter_turns: int) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, marker.dictionary))
    printed = cv2.aruco.generateImageMarker(dictionary, marker.id, 240)
    sheet = np.full((320, 320), 235, dtype=np.uint8)
    sheet[40:280, 40:280] = np.maximum(np.rot90(printed, quarter_turns), 20)
    corners = np.array(marker.corners_mm)
    pixels = (camera.to_px(corners) + 0.5) * FINER - 0.5
    inked = np.array([[39.5, 39.5], [279.5, 39.5], [279.5, 279.5], [39.5, 279.5]], dtype=np.float32)
    lay = cv2.getPerspectiveTransform(inked, pixels.astype(np.float32))
    size = (canvas.shape[1], canvas.shape[0])
    drawn = cv2.warpPerspective(sheet, lay, size, flags=cv2.INTER_AREA)
    there = cv2.warpPerspective(np.full_like(sheet, 255), lay, size, flags=cv2.INTER_NEAREST)
    canvas[there > 0] = drawn[there > 0]
