"""A board on a table, a camera over it, thrown balls by the laws of flight, and pictures of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.layout import Hole, Layout
from calibration.table import Table
from referee.vision.ballistics import GRAVITY_MM_S2, Samples, make_samples

RADIUS_MM = 17.0
TOP_MM = 30.0
WIDTH_PX, HEIGHT_PX = 640, 360
PAINT = {"red": (40, 30, 200), "green": (50, 150, 30), "blue": (180, 50, 20), "yellow": (30, 200, 230)}
"""Blue, green and red of each ball colour."""
LIGHT = 1.15
"""How much lighter a ball is where it faces the light above."""

Array = NDArray[np.float64]


def layout() -> Layout:
    """Nine holes, 80 mm apart, on a square of 300 mm."""
    names = [
        (f"{column}{row}", x, y)
        for row, y in enumerate((-80, 0, 80), 1)
        for column, x in zip("ABC", (-80, 0, 80), strict=True)
    ]
    return Layout(
        name="small",
        kind="board",
        size_mm=(300.0, 300.0),
        height_mm=TOP_MM,
        outline_mm=((-150.0, -150.0), (150.0, -150.0), (150.0, 150.0), (-150.0, 150.0)),
        hole_floor_mm=5.0,
        ball_radius_mm=tuple((name, RADIUS_MM) for name in PAINT),
        holes=tuple(
            Hole(name=n, x_mm=float(x), y_mm=float(y), radius_mm=18.0, colour="red", value=2) for n, x, y in names
        ),
        markers=(),
    )


def table() -> Table:
    """Seen from the south, 45 degrees down, a metre away."""
    down = np.array([0.0, np.cos(np.pi / 4), -np.sin(np.pi / 4)])
    right = np.array([1.0, 0.0, 0.0])
    rotation = np.stack([right, np.cross(down, right), down])
    centre = -1000.0 * down
    camera = CameraModel(
        matrix=np.array([[600.0, 0.0, WIDTH_PX / 2], [0.0, 600.0, HEIGHT_PX / 2], [0.0, 0.0, 1.0]]),
        dist=np.zeros(5),
        rotation=rotation,
        translation_mm=-rotation @ centre,
        width_px=WIDTH_PX,
        height_px=HEIGHT_PX,
    )
    return Table(layout=layout(), camera=camera, method="markers", error_px=0.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Throw:
    """A simulated throw: ball centres (n, 3) mm at times (n,) s, and its contacts as (time, surface, x, y)."""

    t_s: Array
    places_mm: Array
    contacts: tuple[tuple[float, str, float, float], ...]


class Thrown(TypedDict):
    """How a ball is thrown: ``throw`` takes it as ``**how``."""

    start_mm: Sequence[float]
    speed_mm_s: Sequence[float]


def throw(
    *,
    start_mm: Sequence[float],
    speed_mm_s: Sequence[float],
    rate_hz: float,
    duration_s: float,
    restitution: float = 0.7,
) -> Throw:
    """A ball thrown from a place, bouncing on table and board without friction."""
    step_s = 1e-4
    place, speed = np.array(start_mm, dtype=np.float64), np.array(speed_mm_s, dtype=np.float64)
    places, contacts = [], []
    for k in range(round(duration_s / step_s)):
        if k % round(1 / (rate_hz * step_s)) == 0:
            places.append(place.copy())
        speed[2] -= GRAVITY_MM_S2 * step_s
        place += speed * step_s
        on_board = abs(place[0]) < 150 and abs(place[1]) < 150
        ground = RADIUS_MM + (TOP_MM if on_board else 0.0)
        if place[2] < ground and speed[2] < 0:
            contacts.append((k * step_s, "board" if on_board else "table", float(place[0]), float(place[1])))
            place[2], speed[2] = ground, -restitution * speed[2]
    t_s = np.arange(len(places), dtype=np.float64) * round(1 / (rate_hz * step_s)) * step_s
    return Throw(t_s=t_s, places_mm=np.array(places), contacts=tuple(contacts))


def samples(thrown: Throw, seen_from: Table, *, noise_px: float, seed: int = 0) -> Samples:
    """The throw as the camera saw it, with Gaussian noise."""
    camera = seen_from.camera
    noise = np.random.default_rng(seed).normal(0.0, noise_px, (len(thrown.t_s), 2))
    return make_samples(
        camera,
        thrown.t_s,
        camera.to_px(thrown.places_mm) + noise,
        camera.depth_mm(thrown.places_mm),
        np.full(len(thrown.t_s), max(noise_px, 0.3)),
    )


def picture(
    seen_from: Table, balls: Sequence[tuple[str, Sequence[float]]], *, hand_mm: Sequence[float] | None = None
) -> NDArray[np.uint8]:
    """A BGR picture: brown table, pale board with dark holes, shaded balls at their centres, a hand over a place."""
    camera = seen_from.camera
    image = np.full((HEIGHT_PX, WIDTH_PX, 3), (90, 120, 150), np.uint8)
    corners = np.array([[x, y, TOP_MM] for x, y in seen_from.layout.outline_mm])
    cv2.fillPoly(image, [np.round(camera.to_px(corners)).astype(np.int32)], (215, 215, 210))
    for hole in seen_from.layout.holes:
        angles = np.linspace(0, 2 * np.pi, 40)
        x, y = hole.x_mm + hole.radius_mm * np.cos(angles), hole.y_mm + hole.radius_mm * np.sin(angles)
        rim = camera.to_px(np.column_stack([x, y, np.full(40, TOP_MM)]))
        cv2.fillPoly(image, [np.round(rim).astype(np.int32)], (60, 60, 60))
    for colour, place in sorted(balls, key=lambda ball: -camera.depth_mm(np.array([ball[1]]))[0]):
        centre = np.array([place], dtype=np.float64)
        middle_px, radius_px = camera.to_px(centre)[0], float(camera.radius_px(centre, RADIUS_MM)[0])
        _disc(image, middle_px, radius_px, PAINT[colour])
        blue, green, red = (min(255, round(LIGHT * level)) for level in PAINT[colour])
        _disc(image, middle_px - (0, 0.25 * radius_px), 0.65 * radius_px, (blue, green, red))
    if hand_mm is not None:
        _disc(image, camera.to_px(np.array([hand_mm], dtype=np.float64))[0], 60.0, (120, 150, 200))
    return image


def _disc(image: NDArray[np.uint8], centre_px: Array, radius_px: float, colour: tuple[int, int, int]) -> None:
    shift = 4
    centre = tuple(round(float(value) * 2**shift) for value in centre_px)
    cv2.circle(image, centre, round(radius_px * 2**shift), colour, -1, cv2.LINE_AA, shift)


def seat_mm(hole: str) -> tuple[float, float, float]:
    """Centre of a ball that lies on the floor of a hole (its rim would be 18 mm wide, the ball is 17)."""
    found = next(h for h in layout().holes if h.name == hole)
    return found.x_mm, found.y_mm, 5.0 + RADIUS_MM
