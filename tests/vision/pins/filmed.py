"""A lane on a table with pins on it, struck and set up by hand, and pictures of that."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.layout import Lane, Layout, Pins
from calibration.table import Table
from hardware.frame import Frame
from referee.vision.colours import half_luma
from referee.vision.pins.pin import Pin, PinReading, PinSize, PinState
from tests.pictures import frame_of_bgr

WIDTH_PX, HEIGHT_PX = 640, 360
TOP_MM, TALL_MM = 40.0, 50.0
CORNERS_MM = tuple((x, y, TOP_MM) for x, y in ((-110.0, -75.0), (110.0, -75.0), (110.0, 75.0), (-110.0, 75.0)))
PLACES_MM = ((-70.0, -40.0), (-20.0, -45.0), (35.0, -35.0), (-45.0, 15.0), (10.0, 10.0), (70.0, 25.0))
FINE = 4
"""Bits by which coordinates are finer than pixels, as OpenCV draws them."""

Image = NDArray[np.uint8]
Place = tuple[float, float]


def layout(count: int = len(PLACES_MM)) -> Layout:
    """A box of 250 by 180 mm with a border line, for as many pins as stand on it."""
    return Layout(
        name="lane",
        kind="lane",
        size_mm=(250.0, 180.0),
        height_mm=TOP_MM,
        outline_mm=((-125.0, -90.0), (125.0, -90.0), (125.0, 90.0), (-125.0, 90.0)),
        hole_floor_mm=5.0,
        ball_radius_mm=(("stick", 11.0),),
        holes=(),
        markers=(),
        lane=Lane(corners_mm=CORNERS_MM, border_mm=4.0, border_colour="white", surface_colour="green"),
        pins=Pins(count=count, height_mm=TALL_MM, radius_mm=8.0, colours=("white",)),
    )


def table() -> Table:
    """Seen from the south, 50 degrees down, 700 mm away: a millimetre is a pixel and a quarter wide."""
    angle = np.radians(50.0)
    down = np.array([0.0, np.cos(angle), -np.sin(angle)])
    right = np.array([1.0, 0.0, 0.0])
    rotation = np.stack([right, np.cross(down, right), down])
    camera = CameraModel(
        matrix=np.array([[880.0, 0.0, WIDTH_PX / 2], [0.0, 880.0, HEIGHT_PX / 2], [0.0, 0.0, 1.0]]),
        dist=np.zeros(5),
        rotation=rotation,
        translation_mm=-rotation @ (-700.0 * down),
        width_px=WIDTH_PX,
        height_px=HEIGHT_PX,
    )
    return Table(layout=layout(), camera=camera, method="markers", error_px=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What there is to see. ``lean_mm``: how far east each pin's head is of its foot; one that lies leans by its
    height. ``box_mm``: how far the box has shifted east and north, pins stay where they are. ``arm_px``: where the end
    of an arm is that reaches in from the left. ``camera_px``: how far the picture has shifted."""

    places_mm: tuple[Place, ...] = PLACES_MM
    lean_mm: tuple[float, ...] = ()
    box_mm: tuple[float, float] = (0.0, 0.0)
    arm_px: tuple[float, float] | None = None
    camera_px: tuple[float, float] = (0.0, 0.0)
    light: float = 1.0

    def frame(self, index: int = 0, t_s: float = 0.0) -> Frame:
        image = np.clip(self._image().astype(np.float64) * self.light, 0, 255).astype(np.uint8)
        moved = np.array([[1.0, 0.0, self.camera_px[0]], [0.0, 1.0, self.camera_px[1]]])
        seen = cv2.warpAffine(image, moved, (WIDTH_PX, HEIGHT_PX), borderMode=cv2.BORDER_REPLICATE)
        return frame_of_bgr(seen, index=index, t_s=t_s)

    def _image(self) -> Image:
        camera = table().camera
        image = _cloth()
        shift = np.array([*self.box_mm, 0.0])
        outline = np.array([(x, y, TOP_MM) for x, y in layout().outline_mm]) + shift
        floor = outline * (1.0, 1.0, 0.0)
        hull = cv2.convexHull(camera.to_px(np.vstack([outline, floor])).astype(np.float32)).reshape(-1, 2)
        _polygon(image, hull, (30, 70, 30))
        _polygon(image, camera.to_px(outline), (60, 140, 60))
        border = camera.to_px(np.array(CORNERS_MM) + shift)
        cv2.polylines(image, [_fine(border)], True, (235, 235, 235), 4, cv2.LINE_AA, FINE)
        leans = (*self.lean_mm, *(0.0,) * len(self.places_mm))
        standing = sorted(zip(self.places_mm, leans, strict=False), key=lambda pin: -pin[0][1])
        for (x, y), lean in standing:
            rise = np.sqrt(max(0.0, TALL_MM**2 - lean**2))
            foot, head = camera.to_px(np.array([[x, y, TOP_MM], [x + lean, y, TOP_MM + rise]]))
            middle = foot + 0.4 * (head - foot)
            _line(image, (foot, middle), (210, 230, 240), 18)
            _line(image, (middle, head), (190, 215, 230), 10)
        if self.arm_px is not None:
            _line(image, ((-20.0, self.arm_px[1] + 40.0), self.arm_px), (120, 150, 200), 26)
        return image


class ScriptedReader:
    """Reads what a script says: from each time on, where pins stand and how many lie."""

    script: Sequence[tuple[float, Sequence[Place], int]] = ()
    size = PinSize(height_mm=TALL_MM, radius_mm=8.0)

    def __init__(self, seen_from: Table) -> None:
        self._table = seen_from

    def read(
        self,
        frame: Frame,
        known: Sequence[Pin] = (),
        *,
        changed_px: NDArray[np.float64] | None = None,
        may_come: bool = False,
        lane_mm: Place = (0.0, 0.0),
    ) -> PinReading:
        places, fallen = next((p, n) for from_s, p, n in reversed(self.script) if from_s <= frame.t_s)
        return reading(places, fallen, seen_from=self._table)


def pin(x_mm: float, y_mm: float, *, state: PinState = "standing", seen_from: Table | None = None) -> Pin:
    """A pin whose foot is at a place on the lane."""
    camera = (seen_from or table()).camera
    foot, head = camera.to_px(np.array([[x_mm, y_mm, TOP_MM], [x_mm, y_mm, TOP_MM + TALL_MM]])).tolist()
    return Pin(
        state=state,
        x_px=foot[0],
        y_px=foot[1],
        mm=(x_mm, y_mm),
        head_px=(head[0], head[1]),
        confidence=0.99,
        hidden=0.0,
    )


def reading(places_mm: Sequence[Place] = PLACES_MM, fallen: int = 0, *, seen_from: Table | None = None) -> PinReading:
    """Pins that stand at places, and some that lie beside the lane's south edge."""
    lying = [pin(-90.0 + 30.0 * k, -82.0, state="fallen", seen_from=seen_from) for k in range(fallen)]
    pins = (*(pin(x, y, seen_from=seen_from) for x, y in places_mm), *lying)
    return PinReading(pins=pins, standing=len(places_mm), fallen=fallen, confidence=0.99, review=None)


def half(frame: Frame) -> Image:
    """The luma of a frame at half its size."""
    return half_luma(frame)


def at(frame: Frame, index: int, rate_hz: float) -> Frame:
    """A frame at its time in a film."""
    return replace(frame, index=index, t_s=index / rate_hz)


def _cloth() -> Image:
    """A table with blotches all over, the same in every picture."""
    rng = np.random.default_rng(7)
    blotches = cv2.GaussianBlur(rng.normal(0.0, 1.0, (HEIGHT_PX, WIDTH_PX)), (0, 0), 4.0)
    levels = 120 + 160 * blotches
    return np.asarray(np.clip(levels[..., None] * (0.8, 0.95, 1.0), 0, 255), dtype=np.uint8)


def _polygon(image: Image, points: NDArray[Any], colour: tuple[int, int, int]) -> None:
    cv2.fillPoly(image, [_fine(points)], colour, cv2.LINE_AA, FINE)


def _line(image: Image, ends: Sequence[Any], colour: tuple[int, int, int], width_px: int) -> None:
    start, end = _fine(np.array(ends)).tolist()
    cv2.line(image, start, end, colour, width_px, cv2.LINE_AA, FINE)


def _fine(points: NDArray[Any]) -> NDArray[np.int32]:
    return np.asarray(np.round(points * 2.0**FINE), dtype=np.int32)
