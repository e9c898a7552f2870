"""The check picture: a layout drawn over a camera's view, for people to see whether it lies where the board does."""

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CantSave
from calibration.saving import write_whole
from calibration.table import Seat, Table
from hardware.frame import Frame
from hardware.picture import frame_to_bgr

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]

SUFFIXES: Final = (".jpg", ".jpeg", ".png")
# Blue, green, red.
OUTLINE: Final[Colour] = (0, 230, 255)
FOOT: Final[Colour] = (0, 140, 160)
HOLE: Final[Colour] = (80, 255, 80)
MARKER: Final[Colour] = (255, 120, 255)
POST: Final[Colour] = (80, 160, 255)
SEAT: Final[Colour] = (255, 255, 255)
SHADE: Final[Colour] = (0, 0, 0)
# Lines are drawn with places to a sixteenth of a pixel.
SUBPIXEL_BITS: Final = 4
ROUND: Final = 48
# Posts on a lane are as high as small pins are, where the layout doesn't say.
USUAL_PIN_MM: Final = 50.0
# Letters are as high as this share of the picture's height; names of holes as this share of their radius.
LETTER: Final = 0.022
HOLE_LETTER: Final = 0.55
SMALLEST_LETTER_PX: Final = 7.0
# Hershey letters of scale 1 are so high.
SCALE_ONE_PX: Final = 21.0
# Seats' names stand beyond the board's sides by this share of its size.
BEYOND: Final = 0.14
SEATS: Final[dict[Seat, tuple[float, float]]] = {"south": (0, -1), "west": (-1, 0), "north": (0, 1), "east": (1, 0)}


def check_picture(frame: Frame, table: Table) -> Picture:
    """The frame with holes or field, outline, markers and seats where the table says: (height, width, 3) BGR uint8."""
    picture = frame_to_bgr(frame)
    _draw_board(picture, table)
    for marker in table.layout.markers:
        corners = table.camera.to_px(np.array(marker.corners_mm))
        _draw_line(picture, corners, MARKER)
        _write(picture, str(marker.id), corners.mean(axis=0), MARKER, LETTER * picture.shape[0])
    half = np.array(table.layout.size_mm) / 2
    for seat, (x, y) in SEATS.items():
        # At the height of the top face: lower ones would be seen through it on the far side.
        place = np.array([[x * half[0] * (1 + 2 * BEYOND), y * half[1] * (1 + 2 * BEYOND), table.layout.height_mm]])
        _write(picture, seat, table.camera.to_px(place)[0], SEAT, 1.3 * LETTER * picture.shape[0])
    letter_px = LETTER * picture.shape[0]
    found = f"{table.layout.name}, found by {table.method}, reprojection error {table.error_px:.2f} px"
    _write(picture, found, np.array([picture.shape[1] / 2, 1.5 * letter_px]), SEAT, letter_px)
    return picture


def save_check_picture(frame: Frame, table: Table, path: Path) -> None:
    """Write the check picture as JPEG or PNG, as the name ends. Raises CantSave."""
    check_suffix(path)
    done, data = cv2.imencode(path.suffix.lower(), check_picture(frame, table))
    if not done:
        raise CantSave("the picture can't be written", str(path), "choose another name")
    write_whole(path, data.tobytes())


def check_suffix(path: Path) -> None:
    """Raise CantSave unless the name says which kind of picture to write."""
    if path.suffix.lower() not in SUFFIXES:
        raise CantSave("this is no name of a picture", str(path), f"let it end in {', '.join(SUFFIXES)}")


def _draw_board(picture: Picture, table: Table) -> None:
    layout, camera = table.layout, table.camera
    outline = np.array(layout.outline_mm)
    _draw_line(picture, camera.to_px(_dense(outline, 0.0)), FOOT)
    _draw_line(picture, camera.to_px(_dense(outline, layout.height_mm)), OUTLINE)
    if layout.lane is not None:
        _draw_line(picture, camera.to_px(_dense(np.array(layout.lane.corners_mm)[:, :2], layout.height_mm)), HOLE)
    if layout.kind == "lane":
        _draw_posts(picture, table)
    angles = np.arange(ROUND) * (2 * np.pi / ROUND)
    for hole in layout.holes:
        x_mm, y_mm = hole.x_mm + hole.radius_mm * np.cos(angles), hole.y_mm + hole.radius_mm * np.sin(angles)
        rim = camera.to_px(np.column_stack([x_mm, y_mm, np.full(ROUND, layout.height_mm)]))
        _draw_line(picture, rim, HOLE)
        letter_px = min(HOLE_LETTER * float(np.ptp(rim[:, 0])) / 2, LETTER * picture.shape[0])
        _write(picture, hole.name, rim.mean(axis=0), HOLE, max(letter_px, SMALLEST_LETTER_PX))


def _draw_posts(picture: Picture, table: Table) -> None:
    """Upright lines as high as a pin on the corners of the field: whether heights are right shows beside the pins."""
    layout = table.layout
    height_mm = USUAL_PIN_MM if layout.pins is None else layout.pins.height_mm
    corners = layout.corners_mm if layout.lane is None else layout.lane.corners_mm
    for x, y, z in corners:
        _draw_line(picture, table.camera.to_px(np.array([(x, y, z), (x, y, z + height_mm)])), POST)


def _dense(outline_mm: Array, z_mm: float) -> Array:
    """Points along an outline, (n, 3), so that lenses may bend its sides."""
    shares = np.linspace(0, 1, 16, endpoint=False)[:, None]
    sides = [a + (b - a) * shares for a, b in zip(outline_mm, np.roll(outline_mm, -1, axis=0), strict=True)]
    places = np.concatenate(sides)
    return np.column_stack([places, np.full(len(places), z_mm)])


def _draw_line(picture: Picture, points_px: Array, colour: Colour) -> None:
    """A closed line; what lies far outside of the picture is cut off."""
    limit = 8 * max(picture.shape)
    points = np.rint(np.clip(points_px, -limit, limit) * 2**SUBPIXEL_BITS).astype(np.int32)
    cv2.polylines(picture, [points], True, colour, 1, cv2.LINE_AA, SUBPIXEL_BITS)


def _write(picture: Picture, text: str, middle_px: Array, colour: Colour, letter_px: float) -> None:
    """A word in the middle of a place, with a dark border so that it can be read on anything."""
    known = text.encode("ascii", "replace").decode()
    scale = letter_px / SCALE_ONE_PX
    (width, height), _ = cv2.getTextSize(known, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    margin = 2
    x = np.clip(middle_px[0] - width / 2, margin, max(picture.shape[1] - width - margin, margin))
    y = np.clip(middle_px[1] + height / 2, height + margin, picture.shape[0] - margin)
    place = (round(float(x)), round(float(y)))
    for dx, dy in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        beside = (place[0] + dx, place[1] + dy)
        cv2.putText(picture, known, beside, cv2.FONT_HERSHEY_SIMPLEX, scale, SHADE, 1, cv2.LINE_AA)
    cv2.putText(picture, known, place, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, 1, cv2.LINE_AA)
