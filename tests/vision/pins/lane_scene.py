"""A lane with pins on it as a camera sees it: solids of revolution with shading, hard shadows and noise."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.parts import Lane, Layout, Pins
from calibration.table import Table
from hardware.frame import Frame
from tests.pictures import frame_of_bgr

WIDTH_PX, HEIGHT_PX = 960, 540
TOP_MM = 40.0
HALF_MM = (110.0, 90.0)
HEIGHT_MM, RADIUS_MM = 50.0, 8.0
OUTLINE = (
    (0.0, 0.62), (0.1, 0.8), (0.2, 0.95), (0.3, 1.0), (0.4, 0.93), (0.5, 0.72), (0.6, 0.5), (0.68, 0.43), (0.76, 0.46),
    (0.84, 0.53), (0.92, 0.5), (0.97, 0.35), (1.0, 0.0),
)  # fmt: skip
"""Shares of the height, and radii as shares of the belly's."""

ROLLER = ((0.0, 1.0), (0.25, 1.0), (0.5, 1.0), (0.75, 1.0), (1.0, 1.0), (1.0, 0.0))
PEG = (
    (0.0, 1.0), (0.2, 0.96), (0.4, 0.76), (0.6, 0.52), (0.72, 0.42), (0.76, 0.62), (0.84, 0.74), (0.93, 0.6),
    (1.0, 0.0),
)  # fmt: skip

Colour = tuple[float, float, float]
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood:
    """A pin: its foot, and where it leans or lies (tilt 90: on its side, its foot end at ``x_mm``, ``y_mm``)."""

    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    tilt_deg: float = 0.0
    colour: Colour = (225.0, 230.0, 235.0)
    outline: tuple[tuple[float, float], ...] = OUTLINE


def layout(count: int = 10) -> Layout:
    x, y = HALF_MM
    corners = tuple((sx * (x - 12), sy * (y - 12), TOP_MM) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    return Layout(
        name="small lane",
        kind="lane",
        size_mm=(2 * x, 2 * y),
        height_mm=TOP_MM,
        outline_mm=((-x, -y), (x, -y), (x, y), (-x, y)),
        hole_floor_mm=5.0,
        ball_radius_mm=(("stick", 11.0),),
        holes=(),
        markers=(),
        lane=Lane(corners_mm=corners, border_mm=3.0, border_colour="white", surface_colour="green"),
        pins=Pins(count=count, height_mm=HEIGHT_MM, radius_mm=RADIUS_MM, colours=("white",)),
    )


def table(*, elevation_deg: float = 48.0, away_mm: float = 480.0) -> Table:
    """Seen from the south, so many degrees above the table."""
    angle = np.radians(elevation_deg)
    down = np.array([0.0, np.cos(angle), -np.sin(angle)])
    right = np.array([1.0, 0.0, 0.0])
    rotation = np.stack([right, np.cross(down, right), down])
    centre = np.array([0.0, 0.0, TOP_MM]) - away_mm * down
    camera = CameraModel(
        matrix=np.array([[800.0, 0.0, WIDTH_PX / 2], [0.0, 800.0, HEIGHT_PX / 2], [0.0, 0.0, 1.0]]),
        dist=np.zeros(5),
        rotation=rotation,
        translation_mm=-rotation @ centre,
        width_px=WIDTH_PX,
        height_px=HEIGHT_PX,
    )
    return Table(layout=layout(), camera=camera, method="corners", error_px=0.2)


def frame(
    seen_from: Table,
    pins: Sequence[Stood],
    *,
    surface: Colour = (60.0, 120.0, 40.0),
    shadows: bool = True,
    noise: float = 1.5,
    arm: bool = False,
    off_lid: tuple[float, float, float] | None = None,
    stripes: Colour | None = None,
) -> Frame:
    """A picture of the lane; colours are blue, green, red. ``off_lid``: a pin on the table: its foot end and turn.
    ``stripes``: the colour of stripes on the rim of the lid."""
    camera = seen_from.camera
    image = np.full((HEIGHT_PX, WIDTH_PX, 3), (70.0, 100.0, 130.0))
    x, y = HALF_MM
    lid = np.array([(-x, -y, TOP_MM), (x, -y, TOP_MM), (x, y, TOP_MM), (-x, y, TOP_MM)])
    _fill(image, camera, lid * (1, 1, 0), np.array(surface) * 0.5)
    _fill(image, camera, lid, np.array(surface))
    if stripes is not None:
        for near in np.arange(-x, x, 12.0):
            for way in (1, -1):
                along = np.array(
                    [(near, -way * y), (near + 6, -way * y), (near + 6, way * (12 - y)), (near, way * (12 - y))]
                )
                for strip in (along, along[:, ::-1] * (x / y, y / x)):
                    _fill(image, camera, np.column_stack([strip, np.full(4, TOP_MM)]), np.array(stripes))
    lane = seen_from.layout.lane
    assert lane is not None
    corners = np.array(lane.corners_mm)
    _fill(image, camera, corners + np.sign(corners) * (lane.border_mm, lane.border_mm, 0), np.full(3, 225.0))
    _fill(image, camera, corners, np.array(surface))
    if shadows:
        shade = np.zeros(image.shape[:2], np.uint8)
        for pin in pins:
            rings = _rings(pin)
            flat = rings.copy()
            flat[..., 0] += 0.9 * (rings[..., 2] - TOP_MM)
            flat[..., 1] += 0.4 * (rings[..., 2] - TOP_MM)
            flat[..., 2] = TOP_MM
            _solid(shade, camera, flat)
        image[shade > 0] *= 0.4
    if off_lid is not None:
        mask = np.zeros(image.shape[:2], np.uint8)
        fallen = Stood(x_mm=off_lid[0], y_mm=off_lid[1], turn_deg=off_lid[2], tilt_deg=96.0)
        _solid(mask, camera, _rings(fallen) - (0.0, 0.0, TOP_MM))
        image[mask > 0] = 215.0
    for pin in sorted(pins, key=lambda pin: -np.linalg.norm(_rings(pin).mean(axis=(0, 1)) - camera.centre_mm)):
        mask = np.zeros(image.shape[:2], np.uint8)
        _solid(mask, camera, _rings(pin))
        depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
        light = 0.55 + 0.45 * np.minimum(depth / 8.0, 1.0)
        image[mask > 0] = (light[..., None] * np.array(pin.colour))[mask > 0]
    if arm:
        cv2.line(image, (WIDTH_PX // 2, 0), (WIDTH_PX // 2 - 40, HEIGHT_PX // 2), (120.0, 150.0, 200.0), 60)
    image += np.random.default_rng(3).normal(0.0, noise, image.shape)
    return frame_of_bgr(image)


def _rings(pin: Stood) -> Array:
    """Circles around the axis of a pin, (n, 24, 3) mm."""
    tilt, turn = np.radians(pin.tilt_deg), np.radians(pin.turn_deg)
    axis = np.array([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)])
    side = np.array([-np.sin(turn), np.cos(turn), 0.0])
    other = np.cross(axis, side)
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    around = np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * other
    foot = np.array([pin.x_mm, pin.y_mm, TOP_MM])
    rings = np.array([foot + h * HEIGHT_MM * axis + r * RADIUS_MM * around for h, r in pin.outline])
    rings[..., 2] += TOP_MM - rings[..., 2].min()
    return rings


def _solid(mask: NDArray[np.uint8], camera: CameraModel, rings: Array) -> None:
    for one, other in itertools.pairwise(rings):
        both = camera.to_px(np.vstack([one, other]))
        hull = cv2.convexHull(np.round(both * 16).astype(np.int32))
        cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_8, shift=4)


def _fill(image: Array, camera: CameraModel, corners: Array, colour: Array) -> None:
    cv2.fillPoly(image, [np.round(camera.to_px(corners)).astype(np.int32)], colour.tolist(), cv2.LINE_AA)
