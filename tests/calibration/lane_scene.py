"""Pictures of a lane on a table, drawn from a known camera: box, field, border, pins, an arm."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.layout import Lane, Layout, Pins
from hardware.frame import Frame

Array = NDArray[np.float64]
Colour = tuple[int, int, int]

FINER = 2
"""Pictures are drawn this much larger and then shrunk, so that edges blend as a sensor sees them."""

GREEN, WHITE, RED = (60, 110, 40), (225, 228, 230), (40, 40, 190)
BLUE, CREAM, BLACK = (150, 90, 40), (200, 225, 235), (25, 25, 25)
"""Blue, green, red."""

ASKEW = np.array([[0.8, 0.6, 0.0], [-0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])
"""How a cloth lies on the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Colours of a scene; ``border`` None: no line. ``light``: how bright; ``noise``: one standard deviation.

    ``tartan``: colour of lines that cross on the table cloth, None for a plain one.
    """

    table: Colour = (70, 100, 130)
    lid: Colour = GREEN
    field: Colour = GREEN
    border: Colour | None = WHITE
    pin: Colour = WHITE
    light: float = 1.0
    noise: float = 2.0
    grain: float = 6.0
    tartan: Colour | None = None


def lane_layout(
    width_mm: float = 250.0,
    depth_mm: float = 180.0,
    *,
    height_mm: float = 40.0,
    rim_mm: float = 9.0,
    border_mm: float = 3.0,
    shift_mm: tuple[float, float] = (0.0, 0.0),
) -> Layout:
    """A lane with its field in the middle of the lid, or ``shift_mm`` from there."""
    x, y = width_mm / 2, depth_mm / 2
    inset = rim_mm + border_mm
    corners = ((inset - x, inset - y), (x - inset, inset - y), (x - inset, y - inset), (inset - x, y - inset))
    field = tuple((cx + shift_mm[0], cy + shift_mm[1], height_mm) for cx, cy in corners)
    return Layout(
        name="drawn",
        kind="lane",
        size_mm=(width_mm, depth_mm),
        height_mm=height_mm,
        outline_mm=((-x, -y), (x, -y), (x, y), (-x, y)),
        hole_floor_mm=5.0,
        ball_radius_mm=(("stick", 11.0),),
        holes=(),
        markers=(),
        lane=Lane(corners_mm=field, border_mm=border_mm, border_colour="white", surface_colour="green"),
        pins=Pins(count=10, height_mm=50.0, radius_mm=8.0, colours=("white",)),
    )


def lane_camera(
    x_mm: float = 60.0,
    y_mm: float = -330.0,
    z_mm: float = 430.0,
    *,
    focal_px: float = 1000.0,
    k1: float = 0.0,
    size_px: tuple[int, int] = (1280, 720),
    roll_deg: float = 0.0,
) -> CameraModel:
    """A camera at a place, looking at the lid's middle."""
    eye = np.array([x_mm, y_mm, z_mm])
    forward = np.array([0.0, 0.0, 40.0]) - eye
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 0.0, 1.0] if abs(forward[2]) < 0.9999 else [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(forward, right), forward])
    c, s = np.cos(np.radians(roll_deg)), np.sin(np.radians(roll_deg))
    rotation = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ rotation
    matrix = np.array([[focal_px, 0.0, (size_px[0] - 1) / 2], [0.0, focal_px, (size_px[1] - 1) / 2], [0.0, 0.0, 1.0]])
    return CameraModel(
        matrix=matrix,
        dist=np.array([k1, 0.0, 0.0, 0.0, 0.0]),
        rotation=rotation,
        translation_mm=-rotation @ eye,
        width_px=size_px[0],
        height_px=size_px[1],
    )


def lane_frame(
    layout: Layout,
    camera: CameraModel,
    look: Look | None = None,
    *,
    pins_mm: Sequence[tuple[float, float]] = (),
    arm: bool = False,
    slid_mm: tuple[float, float] = (0.0, 0.0),
    extra_boxes_mm: Sequence[tuple[float, float]] = (),
) -> Frame:
    """The lane as the camera sees it, its box slid from its place; ``arm``: one lies over its east side.

    ``extra_boxes_mm``: middles of other lanes of the same kind.
    """
    look = look or Look()
    random = np.random.default_rng(3)
    height, width = camera.height_px, camera.width_px
    grain = cv2.resize(random.normal(0, look.grain, (height // 12, width // 40)), (width * FINER, height * FINER))
    canvas = np.clip(np.array(look.table) + grain[..., None], 0, 255).astype(np.uint8)
    for off_mm in range(-600, 601, 40) if look.tartan is not None else ():
        for way in (np.array([[off_mm, -600, 0], [off_mm, 600, 0]]), np.array([[-600, off_mm, 0], [600, off_mm, 0]])):
            ends = np.rint((camera.to_px(way @ ASKEW) + 0.5) * FINER).astype(int)
            cv2.line(canvas, ends[0].tolist(), ends[1].tolist(), look.tartan or WHITE, 5 * FINER, cv2.LINE_AA)
    for middle in (*extra_boxes_mm, slid_mm):
        _draw_box(canvas, layout, camera, look, middle)
    for x_mm, y_mm in sorted(pins_mm, key=lambda place: -place[1]):
        _draw_pin(canvas, layout, camera, look, x_mm + slid_mm[0], y_mm + slid_mm[1])
    if arm:
        place = np.array([(0.1, 0.0), (0.8, -1.6), (1.2, -1.6), (0.35, 0.25)]) * layout.size_mm[0] / 2
        _fill(canvas, camera, np.column_stack([place, np.full(4, layout.height_mm + 30)]), (110, 140, 190))
    small = cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA).astype(np.float64)
    shaken = np.clip(small * look.light + random.normal(0, look.noise, small.shape), 0, 255).astype(np.uint8)
    luma, *chroma = np.moveaxis(cv2.cvtColor(shaken, cv2.COLOR_BGR2YCrCb), 2, 0)
    half = (width // 2, height // 2)
    v, u = (np.asarray(cv2.resize(plane, half, interpolation=cv2.INTER_AREA), np.uint8) for plane in chroma)
    return Frame(index=0, t_s=0.0, y=np.ascontiguousarray(luma, np.uint8), u=u, v=v, full_range=True)


def _draw_box(
    canvas: NDArray[np.uint8], layout: Layout, camera: CameraModel, look: Look, middle_mm: tuple[float, float]
) -> None:
    shift = np.array([*middle_mm, 0.0])
    outline = np.array([(x, y, 0.0) for x, y in layout.outline_mm]) + shift
    up = np.array([0.0, 0.0, layout.height_mm])
    for number, (a, b) in enumerate(zip(outline, np.roll(outline, -1, axis=0), strict=True)):
        along = (b - a) / np.linalg.norm(b - a)
        if (camera.centre_mm - a) @ np.array([along[1], -along[0], 0.0]) > 0:
            shade = 0.55 + 0.1 * number
            _fill(canvas, camera, np.stack([a, b, b + up, a + up]), tuple(int(c * shade) for c in look.lid))
    _fill(canvas, camera, outline + up, look.lid)
    if layout.lane is None:
        return
    field = np.array(layout.lane.corners_mm) + shift
    if look.border is not None and layout.lane.border_mm > 0:
        outer = field + layout.lane.border_mm * np.sign(field - field.mean(axis=0)) * (1, 1, 0)
        _fill(canvas, camera, outer, look.border)
    _fill(canvas, camera, field, look.field)


def _draw_pin(
    canvas: NDArray[np.uint8], layout: Layout, camera: CameraModel, look: Look, x_mm: float, y_mm: float
) -> None:
    pins = layout.pins
    assert pins is not None
    for share, size in ((0.05, 0.7), (0.2, 0.95), (0.35, 1.0), (0.5, 0.8), (0.65, 0.5), (0.8, 0.6), (0.9, 0.6)):
        place = np.array([[x_mm, y_mm, layout.height_mm + share * (pins.height_mm or 50.0)]])
        radius = float(camera.radius_px(place, size * (pins.radius_mm or 8.0))[0])
        x, y = (camera.to_px(place)[0] + 0.5) * FINER - 0.5
        cv2.circle(canvas, (round(x), round(y)), round(radius * FINER), look.pin, -1)


def _fill(canvas: NDArray[np.uint8], camera: CameraModel, corners_mm: Array, colour: tuple[int, ...]) -> None:
    shares = np.linspace(0, 1, 12, endpoint=False)[:, None]
    sides = [a + (b - a) * shares for a, b in zip(corners_mm, np.roll(corners_mm, -1, axis=0), strict=True)]
    pixels = (camera.to_px(np.concatenate(sides)) + 0.5) * FINER - 0.5
    cv2.fillPoly(canvas, [np.rint(pixels * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
