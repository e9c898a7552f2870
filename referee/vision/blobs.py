"""Ball-coloured things that differ from the still scene: candidates for balls in motion."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Plane
from referee.vision.colours import ColourMap

MIN_AREA_PX = 6
"""Chroma pixels a candidate needs: a ball of 3 px radius in the full picture still has 7."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """A candidate in one frame, in pixels of the full picture. ``radius_px``: half its shorter extent;
    ``at_border``: touches the picture's edge; ``fill``: share of its bounding circle that has the colour."""

    colour: str
    x_px: float
    y_px: float
    radius_px: float
    length_px: float
    area_px: float
    at_border: bool


def find_blobs(labels: Plane, changed: NDArray[np.bool_], colour_map: ColourMap) -> tuple[Blob, ...]:
    """Connected regions of one ball colour among the changed pixels, both at the size of the chroma planes."""
    blobs: list[Blob] = []
    moving = np.where(changed, labels, np.uint8(0))
    for index, colour in enumerate(colour_map.colours, start=1):
        mask = (moving == index).astype(np.uint8)
        if cv2.countNonZero(mask) < MIN_AREA_PX:
            continue
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            if len(contour) >= 5:
                blob = _blob(colour.name, contour, mask.shape)
                if blob is not None:
                    blobs.append(blob)
    return tuple(blobs)


def _blob(colour: str, contour: NDArray[np.int32], shape: tuple[int, ...]) -> Blob | None:
    hull = cv2.convexHull(contour)
    moments = cv2.moments(hull)
    # A contour runs through pixel centres, so its area lacks half a pixel all round.
    area = moments["m00"] + cv2.arcLength(hull, True) / 2 + 1
    if area < MIN_AREA_PX or moments["m00"] <= 0:
        return None
    (_, (w, h), _) = cv2.minAreaRect(contour)
    x, y = moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
    left, top, width, height = cv2.boundingRect(contour)
    at_border = left <= 0 or top <= 0 or left + width >= shape[1] or top + height >= shape[0]
    return Blob(
        colour=colour,
        x_px=2 * x + 0.5,
        y_px=2 * y + 0.5,
        radius_px=min(w, h) + 1.0,
        length_px=max(w, h) + 1.0,
        area_px=4 * area,
        at_border=at_border,
    )
