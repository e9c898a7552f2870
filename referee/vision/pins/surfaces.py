"""What a lane looks like without pins: each of its parts a smooth field of colour, in light and in shade."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.fields import WHOLE, Field, Within, field_of
from referee.vision.pins.picture import Array, Image, Window

FIELD, LINE, RIM, SIDE, TABLE, MARKER = range(1, 7)
"""Parts of the picture: the field inside the border line, the line, the lid around it, the box's sides, the table, and
markers, which look like anything."""

PAPER: Final = 1.35
"""Size of the sheet that a marker is printed on, in sizes of the marker."""

Parts = NDArray[np.uint8]


BRIGHTEST: Final = 1.12
DARKEST: Final = 0.12
"""How bright a surface may be, as a share of its smooth field: grain lightens a little, shadows darken a lot."""

SHADE_GREY: Final = 0.012
SHADE_COLOUR: Final = 0.07
"""Chroma, per level of luma and of chroma that the shade takes away, by which light in the shade may differ."""

FINE: Final = 4
"""Bits of a pixel to which outlines are drawn."""

LEAST_PIXELS: Final = 60
"""Of a part from which its field is told."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Bare:
    """``distance``: (h, w) float32, how unlike the bare surface each pixel is, in deviations of the surface itself,
    whatever the shade. ``shade``: (h, w) float32, how bright it is there as a share of the surface in full light, 1 on
    markers. ``seams``: (h, w), where two surfaces meet. ``fields``: what its parts look like."""

    distance: Image
    shade: Image
    seams: NDArray[np.bool_]
    fields: Mapping[int, Field]


def parts_of(window: Window, shift_mm: tuple[float, float] = (0.0, 0.0)) -> Parts:
    """Which part of the empty lane is seen at each pixel of the window: (h, w) uint8; ``shift_mm``: of the lane."""
    layout = window.table.layout
    moved = np.array([*shift_mm, 0.0])
    parts = np.full(window.shape, TABLE, dtype=np.uint8)
    lid = np.array([(x, y, layout.height_mm) for x, y in layout.outline_mm])
    hull = cv2.convexHull(_cells(window, np.vstack([lid, lid * (1.0, 1.0, 0.0)]) + moved))
    cv2.fillConvexPoly(parts, hull, SIDE, lineType=cv2.LINE_8, shift=FINE)
    cv2.fillPoly(parts, [_cells(window, lid + moved)], RIM, lineType=cv2.LINE_8, shift=FINE)
    if layout.lane is not None:
        corners = np.array(layout.lane.corners_mm)
        outward = np.sign(corners - corners.mean(axis=0)) * (1.0, 1.0, 0.0)
        outer = corners + outward * layout.lane.border_mm
        cv2.fillPoly(parts, [_cells(window, outer + moved)], LINE, lineType=cv2.LINE_8, shift=FINE)
        cv2.fillPoly(parts, [_cells(window, corners + moved)], FIELD, lineType=cv2.LINE_8, shift=FINE)
    for marker in layout.markers:
        paper = np.array(marker.corners_mm)
        centre = paper.mean(axis=0)
        cv2.fillPoly(
            parts, [_cells(window, centre + PAPER * (paper - centre))], MARKER, lineType=cv2.LINE_8, shift=FINE
        )
    return parts


TERMS: Final = {FIELD: 6, RIM: 3, LINE: 3, SIDE: 3, TABLE: 6}
"""Of the polynomial that the field of each part is: how bent it may be. Markers have no smooth colour."""


AROUND: Final = np.ones((3, 3), dtype=np.uint8)
"""A pixel and those next to it."""


def bare(planes: Image, parts: Parts, known: Mapping[int, Field] | None = None, within: Within = WHOLE) -> Bare:
    """Compare a picture, as ``Window.planes`` gives it, with its own surfaces, or with ``known`` ones of the picture
    that it is ``within``.

    Along the seams between them, where colours mix, the likelier one counts, and nothing is sure.
    """
    fields: dict[int, Field] = {}
    expected = np.ones((3, *parts.shape), dtype=np.float32)
    sigmas = np.ones((2, 256), dtype=np.float32)
    is_told = np.zeros(256, dtype=np.uint8)
    for part, number in TERMS.items():
        own = np.asarray(cv2.inRange(parts, part, part), dtype=np.uint8)
        left, top, width, height = cv2.boundingRect(own)
        if not width or (cv2.countNonZero(own) < LEAST_PIXELS if known is None else part not in known):
            continue
        field = fields[part] = field_of(planes, own, number) if known is None else known[part]
        box = (slice(top, top + height), slice(left, left + width))
        for plane, smooth in zip(expected, field.over(box, parts.shape, within), strict=True):
            cv2.copyTo(smooth, own[box], plane[box])
        sigmas[:, part] = field.luma_sigma, field.chroma_sigma
        is_told[part] = 1
    seen = np.ascontiguousarray(planes.transpose(2, 0, 1))
    luma_sigma, chroma_sigma = (np.asarray(cv2.LUT(parts, sigma), dtype=np.float32) for sigma in sigmas)
    distance, shade = _compared(seen, expected, luma_sigma, chroma_sigma)
    # Markers, and parts of which too little is seen, stay at no distance.
    told = is_told.take(parts).view(np.bool_)
    np.copyto(distance, np.inf, where=~told)
    np.copyto(shade, 1.0, where=~told)
    seams = cv2.morphologyEx(parts, cv2.MORPH_GRADIENT, AROUND) > 0
    flat = distance.ravel()
    for part, cells in _beside(parts, np.flatnonzero(seams), fields):
        field = fields[part]
        nearer, _ = _compared(
            seen.reshape(3, -1).take(cells, axis=1),
            field.at(cells, parts.shape, within),
            field.luma_sigma,
            field.chroma_sigma,
        )
        flat[cells] = np.minimum(flat.take(cells), nearer)
    distance[~np.isfinite(distance)] = 0.0
    return Bare(distance=distance, shade=shade, seams=seams, fields=fields)


def _beside(parts: Parts, seams: NDArray[np.intp], chosen: Iterable[int]) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Of each chosen part the flat indices of those pixels next to it that are of another one; all are at ``seams``."""
    width = parts.shape[1]
    padded = np.asarray(cv2.copyMakeBorder(parts, 1, 1, 1, 1, cv2.BORDER_REPLICATE)).ravel()
    first = seams + 2 * (seams // width)
    steps = [row * (width + 2) + column for row in range(3) for column in range(3)]
    about = np.stack([padded.take(first + step) for step in steps])
    own = parts.ravel().take(seams)
    for part in chosen:
        yield part, seams[(about == part).any(axis=0) & (own != part)]


def _compared(
    seen: Image, expected: Image, luma_sigma: Image | float, chroma_sigma: Image | float
) -> tuple[Image, Image]:
    """How unlike a surface pixels are, (3, ...), in any shade, and how bright, as a share of full light: (...) each;
    ``expected``: the surface in full light; the deviations from it are of that, or of each pixel."""
    y, u, v = seen
    full = np.maximum(expected[0], 4.0)
    shade = y / full
    light = np.clip(shade, DARKEST, BRIGHTEST)
    luma = (y - light * full) / (2 * luma_sigma)
    chroma = np.sqrt(expected[1] * expected[1] + expected[2] * expected[2])
    tint = chroma_sigma + np.maximum(1 - light, 0.0) * (SHADE_GREY * full + SHADE_COLOUR * chroma)
    off_u, off_v = u - light * expected[1], v - light * expected[2]
    distance = np.sqrt(luma * luma + (off_u * off_u + off_v * off_v) / (tint * tint))
    return np.asarray(distance, dtype=np.float32), np.asarray(shade, dtype=np.float32)


def _cells(window: Window, points_mm: Array) -> NDArray[np.int32]:
    """World points to the window's pixels, in steps of a 16th: (n, 1, 2)."""
    return np.round(window.to_px(points_mm) * 2**FINE).astype(np.int32).reshape(-1, 1, 2)
