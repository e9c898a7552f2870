"""Finding a layout's printed ArUco markers in pictures, corner by corner to a fraction of a pixel."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edges import find_edges
from calibration.parts import Marker

Array = NDArray[np.float64]

# A marker found further from its usual place than this was moved, or is another one with the same id.
SAME_PLACE_PX: Final = 3.0
# Edges are looked for along the middle of each side, where no corner rounds them.
SIDE_SAMPLES: Final = np.linspace(0.1, 0.9, 24)
# A corner that its sides move further than this was found in spite of a disturbance: it stays where it was.
LARGEST_CORRECTION_PX: Final = 2.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenMarker:
    """A marker of the layout and its corners in the picture, (4, 2) pixels in ArUco's order."""

    marker: Marker
    corners_px: Array


def find_markers(pictures: Sequence[NDArray[np.uint8]], markers: Sequence[Marker]) -> tuple[SeenMarker, ...]:
    """Find markers in pictures of one unmoved view, each (height, width) uint8 luma, averaged over the pictures.

    Markers that some or all pictures hide are left out there; other ids are ignored. The last picture has to be the
    one with the least noise: sides are measured in it.
    """
    found: defaultdict[tuple[str, int], list[Array]] = defaultdict(list)
    for dictionary in sorted({marker.dictionary for marker in markers}):
        detector = _detector(dictionary)
        for picture in pictures:
            for number, corners in _detect(detector, picture):
                found[dictionary, number].append(corners)
    luma = pictures[-1].astype(np.float32) if pictures else np.zeros((1, 1), dtype=np.float32)
    seen = []
    for marker in markers:
        corners_px = _usual_place(found[marker.dictionary, marker.id])
        if corners_px is not None:
            seen.append(SeenMarker(marker=marker, corners_px=_sharpened(luma, corners_px)))
    return tuple(seen)


def find_other_ids(picture: NDArray[np.uint8], markers: Sequence[Marker]) -> tuple[int, ...]:
    """Ids in the picture, of the same dictionaries, that aren't among the markers: what to tell people."""
    known = {(marker.dictionary, marker.id) for marker in markers}
    dictionaries = sorted({marker.dictionary for marker in markers})
    seen = {(name, number) for name in dictionaries for number, _ in _detect(_detector(name), picture)}
    return tuple(sorted(number for name, number in seen - known))


def _detector(dictionary: str) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary)), parameters)


def _detect(detector: cv2.aruco.ArucoDetector, picture: NDArray[np.uint8]) -> list[tuple[int, Array]]:
    """Ids and corners; an id that is there twice says nothing and is left out."""
    corners, ids, _ = detector.detectMarkers(np.ascontiguousarray(picture))
    if ids is None:
        return []
    numbers = [int(number) for number in np.asarray(ids).ravel()]
    found = [np.asarray(quad, dtype=np.float64).reshape(4, 2) for quad in corners]
    return [(n, quad) for n, quad in zip(numbers, found, strict=True) if numbers.count(n) == 1]


def _usual_place(found: list[Array]) -> Array | None:
    if not found:
        return None
    quads = np.stack(found)
    middle = np.median(quads, axis=0)
    near = np.abs(quads - middle).max(axis=(1, 2)) <= SAME_PLACE_PX
    return np.asarray(quads[near].mean(axis=0) if near.any() else middle, dtype=np.float64)


def _sharpened(luma: NDArray[np.float32], corners_px: Array) -> Array:
    """Corners, (4, 2), as the crossings of straight lines through the edges of the marker's sides."""
    places, normals = [], []
    for start, end in zip(corners_px, np.roll(corners_px, -1, axis=0), strict=True):
        side_px = float(np.hypot(*(end - start)))
        along = (end - start) / max(side_px, 1e-9)
        across = np.tile([along[1], -along[0]], (len(SIDE_SAMPLES), 1))
        points = start + (end - start) * SIDE_SAMPLES[:, None]
        edges = find_edges(luma, points, across, max(2.0, 0.08 * side_px))
        place, normal = _line(points + across * edges.offset_px[:, None])
        places.append(place)
        normals.append(normal)
    crossings = []
    for i in range(4):
        pair = np.array([normals[i - 1], normals[i]])
        if abs(np.linalg.det(pair)) < 1e-3:
            return corners_px
        offsets = np.array([normals[i - 1] @ places[i - 1], normals[i] @ places[i]])
        crossings.append(np.linalg.solve(pair, offsets))
    sharp = np.array(crossings)
    return sharp if np.abs(sharp - corners_px).max() <= LARGEST_CORRECTION_PX else corners_px


def _line(points: Array) -> tuple[Array, Array]:
    """A point and the unit normal of the line through points, (n, 2), most of which lie on it."""
    weights = np.ones(len(points))
    middle, normal = points.mean(axis=0), np.array([0.0, 1.0])
    for _ in range(5):
        middle = (points * weights[:, None]).sum(axis=0) / weights.sum()
        normal = np.linalg.svd((points - middle) * np.sqrt(weights)[:, None])[2][1]
        away_px = (points - middle) @ normal
        scale_px = max(0.1, 1.5 * float(np.median(np.abs(away_px))))
        weights = 1 / (1 + (away_px / scale_px) ** 2)
    return middle, normal
