"""Printed markers of every usual kind, whoever put them there."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Plane

FAMILIES: Final = (
    ("DICT_4X4", (50, 100, 250), 250),
    ("DICT_5X5", (50, 100, 250, 1000), 1000),
    ("DICT_6X6", (50, 100, 250, 1000), 1000),
    ("DICT_7X7", (50, 100, 250, 1000), 1000),
)
"""Families of ArUco markers: name, sizes, and the largest in which few bits don't yet make markers of anything. The
smaller sets of a family are the beginning of the larger ones."""

SINGLE: Final = ("DICT_APRILTAG_36h11", "DICT_APRILTAG_25h9", "DICT_ARUCO_MIP_36h12")

LEAST_SIDE_PX: Final = 10.0
"""Shortest side of a marker whose bits can be read."""


CELL_PX: Final = 8
"""Pixels of a marker's square when it is laid flat."""

FLAT: Final = 0.18
"""Spread of black and of white, each, against the step between them: print has two levels, pictures have many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StillMarker:
    """A marker and its middle in pixels. ``dictionary``: the smallest that holds all markers of its family seen."""

    dictionary: str
    id: int
    x_px: float
    y_px: float


def find_all_markers(luma: Plane) -> tuple[StillMarker, ...]:
    """All markers of the usual dictionaries in a picture, (height, width) uint8 luma."""
    picture = np.ascontiguousarray(luma)
    found: list[StillMarker] = []
    for family, sizes, largest in FAMILIES:
        seen = _detected(picture, f"{family}_{largest}")
        highest = max((number for number, _ in seen), default=0)
        size = next(size for size in sizes if highest < size)
        found += [_marker(f"{family}_{size}", number, corners) for number, corners in seen]
    for dictionary in SINGLE:
        found += [_marker(dictionary, number, corners) for number, corners in _detected(picture, dictionary)]
    return tuple(found)


def _detected(picture: Plane, dictionary: str) -> list[tuple[int, NDArray[np.float64]]]:
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    corners, ids, _ = cv2.aruco.ArucoDetector(known).detectMarkers(picture)
    if ids is None:
        return []
    quads = [np.asarray(quad, dtype=np.float64).reshape(4, 2) for quad in corners]
    return [
        (int(number), quad)
        for number, quad in zip(np.asarray(ids).ravel(), quads, strict=True)
        if np.hypot(*(quad - np.roll(quad, 1, axis=0)).T).min() >= LEAST_SIDE_PX
        and _is_of_squares(picture, quad, known.markerSize + 2)
    ]


def _is_of_squares(picture: Plane, quad: NDArray[np.float64], cells: int) -> bool:
    """Whether a quad's inside is nothing but flat black and white squares, ``cells`` a side, as no other print is."""
    side = cells * CELL_PX
    corners = np.array([[0, 0], [side, 0], [side, side], [0, side]], dtype=np.float32) - 0.5
    flat = cv2.warpPerspective(
        picture, cv2.getPerspectiveTransform(quad.astype(np.float32), corners), (side, side), flags=cv2.INTER_LINEAR
    )
    _, black = cv2.threshold(flat, 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    # The edges of squares are blurred: their middles count.
    luma, is_white = (
        np.asarray(plane, dtype=np.float64).reshape(cells, CELL_PX, cells, CELL_PX)[:, 2:-2, :, 2:-2].ravel()
        for plane in (flat, black)
    )
    white, dark = luma[is_white > 0], luma[is_white == 0]
    if not len(white) or not len(dark):
        return False
    return float(max(white.std(), dark.std())) <= FLAT * float(white.mean() - dark.mean())


def _marker(dictionary: str, number: int, corners: NDArray[np.float64]) -> StillMarker:
    x_px, y_px = corners.mean(axis=0).tolist()
    return StillMarker(dictionary=dictionary, id=number, x_px=x_px, y_px=y_px)
