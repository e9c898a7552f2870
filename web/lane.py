"""The lane seen from above: where the pins stand and lie, south at the bottom."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.camera_model import CameraModel
from calibration.layout import Layout
from referee.events import SeenPins

MARGIN_MM = 8.0
# Pins that rolled further away are not drawn: the lane would become tiny.
FARTHEST_MM = 120.0
SHOWN_RADIUS = 1.35


@dataclass(frozen=True, slots=True, kw_only=True)
class PinDrawing:
    """``css``: "up" where it stands, "down" where not."""

    x: float
    y: float
    radius: float
    css: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneDrawing:
    """``view_box``: x, y, width, height in mm, y growing southwards. ``words``: what is there, in a sentence."""

    view_box: str
    outline: str
    field: str
    pins: tuple[PinDrawing, ...]
    words: str


def draw_lane(layout: Layout, camera: CameraModel | None, seen: SeenPins | None) -> LaneDrawing | None:
    """The pins of the newest picture; None where it isn't known where they are on the lane, or no pin has been seen."""
    if layout.lane is None or layout.pins is None or seen is None or not seen.pins:
        return None
    corners = layout.lane.corners_mm
    feet_mm = _feet_mm(seen, camera, corners[0][2])
    if feet_mm is None:
        return None
    radius = layout.pins.radius_mm * SHOWN_RADIUS
    pins = []
    for pin, (x, y) in zip(seen.pins, feet_mm, strict=True):
        if abs(x) < layout.size_mm[0] / 2 + FARTHEST_MM and abs(y) < layout.size_mm[1] / 2 + FARTHEST_MM:
            css = "up" if pin.state == "standing" else "down"
            pins.append(PinDrawing(x=x, y=-y, radius=radius, css=css, words=f"pin, {pin.state}"))
    return LaneDrawing(
        view_box=_view_box(layout, pins),
        outline=_points([(x, y) for x, y in layout.outline_mm]),
        field=_points([(x, y) for x, y, _ in corners]),
        pins=tuple(pins),
        words=f"The lane: {seen.standing} pins standing, {seen.fallen} fallen.",
    )


def _feet_mm(seen: SeenPins, camera: CameraModel | None, top_mm: float) -> Sequence[tuple[float, float]] | None:
    """Where the feet are on the lane: as it was seen, which follows the box, else by the camera as it once stood."""
    known = [pin.mm for pin in seen.pins if pin.mm is not None]
    if len(known) == len(seen.pins):
        return known
    if camera is None:
        return None
    feet = camera.to_mm(np.array([pin.px for pin in seen.pins], dtype=np.float64), top_mm)
    return [(x, y) for x, y, _ in feet.tolist()]


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{-y:g}" for x, y in places)


def _view_box(layout: Layout, pins: Sequence[PinDrawing]) -> str:
    xs = [x for x, _ in layout.outline_mm] + [pin.x + side * pin.radius for pin in pins for side in (-1, 1)]
    ys = [-y for _, y in layout.outline_mm] + [pin.y + side * pin.radius for pin in pins for side in (-1, 1)]
    left, top = min(xs) - MARGIN_MM, min(ys) - MARGIN_MM
    return f"{left:.1f} {top:.1f} {max(xs) + MARGIN_MM - left:.1f} {max(ys) + MARGIN_MM - top:.1f}"
