"""What lies on the board: each hole is a hypothesis whose picture is predicted, everything else ball-like is loose."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import Hole
from calibration.table import Table
from hardware.frame import Frame, Plane
from referee.vision.colours import ColourMap

TAKEN_SHARE = 0.58
"""Share of a ball's disc that must have its colour. A ball shows 0.7 to 1 of it (gloss and shade take the rest); the
ring printed in an empty hole, seen through it, at most half."""

DISC = 0.85
"""Part of a ball's radius that is looked at: its outermost edge mixes with what is behind."""

RING = (1.15, 1.55)
"""Rim of board around a hole, in hole radii, that tells whether something covers the hole."""

BOARD_CHROMA = 14.0
"""Chroma levels about the board's own within which a pixel is board, in light or shade."""

MIN_BARE_SHARE = 0.35
"""Share of a hole's ring that must look like the board: a ball beside it hides less than two thirds, a hand all."""

LOOSE_AREA = (0.45, 1.6)
"""Area of a loose ball against its predicted disc: hidden in part by another, or smeared by gloss."""


MAX_RIM_SHARE = 0.75
"""Share of a loose ball's picture that may lie within holes: more is what is printed in an empty one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loose:
    """A ball on the board in no hole. ``x_mm``, ``y_mm``: its centre, if it lies on the top face."""

    colour: str
    x_px: float
    y_px: float
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HoleReading:
    """``colour``: of the ball in it, or None. ``share``: of the predicted disc in the likeliest colour.
    ``is_covered``: something else is over it, so that it can't be read."""

    hole: str
    colour: str | None
    share: float
    is_covered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardReading:
    holes: tuple[HoleReading, ...]
    loose: tuple[Loose, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seat:
    """Where a ball in a hole is seen: centre and radius in pixels of the full picture, and its pixels (flat indices
    into the chroma planes): the ball's disc, and the ring of board around the hole."""

    hole: Hole
    x_px: float
    y_px: float
    radius_px: float
    disc: NDArray[np.intp]
    ring: NDArray[np.intp]


def seat_z_mm(hole: Hole, *, top_mm: float, floor_mm: float, radius_mm: float) -> float:
    """Height of the centre of a ball in a hole: on its floor, or on its rim where it is too big to fall in."""
    if radius_mm <= hole.radius_mm:
        return floor_mm + radius_mm
    return top_mm + math.sqrt(radius_mm**2 - hole.radius_mm**2)


class BoardReader:
    """Reads the holes and the loose balls of one table in frames of one size."""

    def __init__(self, table: Table, colour_map: ColourMap, radius_mm: float) -> None:
        self._table = table
        self._map = colour_map
        self._radius_mm = radius_mm
        camera, layout = table.camera, table.layout
        self._shape = ((camera.height_px + 1) // 2, (camera.width_px + 1) // 2)
        self.seats = tuple(self._seat(hole) for hole in layout.holes)
        self._top = np.zeros(self._shape, dtype=np.uint8)
        height_mm = layout.height_mm + radius_mm
        outline = np.array([[x, y, height_mm] for x, y in layout.outline_mm])
        corners = np.round(camera.to_px(outline) / 2).astype(np.int32)
        cv2.fillPoly(self._top, [corners.reshape(-1, 1, 2)], 1)
        self._rims = np.zeros(self._shape, dtype=np.uint8)
        for hole in layout.holes:
            cv2.fillPoly(self._rims, [self._circle(hole, 1.0)], 1)
        self._ring = np.concatenate([seat.ring for seat in self.seats]) if self.seats else np.zeros(0, dtype=np.intp)

    def read(self, frame: Frame, luma_half: Plane, labels: Plane) -> BoardReading:
        """Read one frame; ``labels``: as given by ``ColourMap.label`` for it."""
        u, v = frame.u.astype(np.float64), frame.v.astype(np.float64)
        board_u, board_v = np.median(u.ravel()[self._ring]), np.median(v.ravel()[self._ring])
        board_y = float(np.median(luma_half.ravel()[self._ring]))
        bare = self._bare(u - 128.0, v - 128.0, luma_half, board_u - 128.0, board_v - 128.0, board_y)
        colours = np.where(bare, np.uint8(0), labels)
        holes = tuple(self._read_hole(seat, colours.ravel(), bare.ravel()) for seat in self.seats)
        return BoardReading(holes=holes, loose=self._loose(colours, holes))

    def _bare(
        self,
        u: NDArray[np.float64],
        v: NDArray[np.float64],
        luma: Plane,
        board_u: float,
        board_v: float,
        board_y: float,
    ) -> NDArray[np.bool_]:
        """Which pixels have the board's own chroma, as it is or scaled down by shade."""
        same = np.hypot(u - board_u, v - board_v) < BOARD_CHROMA
        light = (board_y - 16.0) / np.maximum(luma - 16.0, 8.0)
        tint = math.hypot(board_u, board_v)
        shaded = np.hypot(u * light - board_u, v * light - board_v) < 0.25 * tint
        return np.asarray(same | shaded, dtype=np.bool_)

    def _read_hole(self, seat: Seat, colours: NDArray[np.uint8], bare: NDArray[np.bool_]) -> HoleReading:
        if not len(seat.disc) or not len(seat.ring):
            return HoleReading(hole=seat.hole.name, colour=None, share=0.0, is_covered=True)
        counts = np.bincount(colours[seat.disc], minlength=len(self._map.colours) + 1)[1:]
        best = int(counts.argmax())
        share = float(counts[best]) / len(seat.disc)
        return HoleReading(
            hole=seat.hole.name,
            colour=self._map.colours[best].name if share >= TAKEN_SHARE else None,
            share=share,
            is_covered=bool(bare[seat.ring].mean() < MIN_BARE_SHARE),
        )

    def _loose(self, colours: NDArray[np.uint8], holes: Sequence[HoleReading]) -> tuple[Loose, ...]:
        rest = np.where(self._top > 0, colours, np.uint8(0))
        for seat, reading in zip(self.seats, holes, strict=True):
            if reading.colour is not None:
                centre = (round(seat.x_px / 2), round(seat.y_px / 2))
                cv2.circle(rest, centre, math.ceil(1.15 * seat.radius_px / 2), 0, -1)
        found: list[Loose] = []
        for index, colour in enumerate(self._map.colours, start=1):
            mask = (rest == index).astype(np.uint8)
            count, parts, stats, centroids = cv2.connectedComponentsWithStats(mask, ltype=cv2.CV_16U)
            inside = np.bincount(parts[self._rims > 0], minlength=count)
            for part in range(1, count):
                _, _, width, height, area = (int(value) for value in stats[part])
                if inside[part] > MAX_RIM_SHARE * area:
                    continue
                x, y = centroids[part]
                loose = self._loose_ball(colour.name, 2 * x + 0.5, 2 * y + 0.5, 4.0 * area, width / height)
                if loose is not None:
                    found.append(loose)
        return tuple(found)

    def _loose_ball(self, colour: str, x_px: float, y_px: float, area_px: float, aspect: float) -> Loose | None:
        height_mm = self._table.layout.height_mm + self._radius_mm
        place = self._table.camera.to_mm(np.array([[x_px, y_px]]), height_mm)
        disc_px = math.pi * float(self._table.camera.radius_px(place, self._radius_mm)[0]) ** 2
        if not (LOOSE_AREA[0] * disc_px <= area_px <= LOOSE_AREA[1] * disc_px and 0.5 <= aspect <= 2.0):
            return None
        return Loose(colour=colour, x_px=x_px, y_px=y_px, x_mm=float(place[0, 0]), y_mm=float(place[0, 1]))

    def _seat(self, hole: Hole) -> Seat:
        layout, camera = self._table.layout, self._table.camera
        z_mm = seat_z_mm(hole, top_mm=layout.height_mm, floor_mm=layout.hole_floor_mm, radius_mm=self._radius_mm)
        centre = np.array([[hole.x_mm, hole.y_mm, z_mm]])
        (x_px, y_px), radius_px = camera.to_px(centre)[0], float(camera.radius_px(centre, self._radius_mm)[0])
        rows, columns = np.indices(self._shape, sparse=True)
        disc = np.hypot(2 * columns + 0.5 - x_px, 2 * rows + 0.5 - y_px) < DISC * radius_px
        ring = np.zeros(self._shape, dtype=np.uint8)
        cv2.fillPoly(ring, [self._circle(hole, RING[1])], 1)
        cv2.fillPoly(ring, [self._circle(hole, RING[0])], 0)
        return Seat(
            hole=hole,
            x_px=float(x_px),
            y_px=float(y_px),
            radius_px=radius_px,
            disc=np.flatnonzero(disc),
            ring=np.flatnonzero((ring > 0) & ~disc),
        )

    def _circle(self, hole: Hole, scale: float) -> NDArray[np.int32]:
        """A circle about a hole, ``scale`` of its radius, in pixels of the chroma planes: (32, 1, 2)."""
        angles = np.linspace(0.0, 2 * math.pi, 32, endpoint=False)
        circle = np.column_stack(
            [
                hole.x_mm + scale * hole.radius_mm * np.cos(angles),
                hole.y_mm + scale * hole.radius_mm * np.sin(angles),
                np.full(32, self._table.layout.height_mm),
            ]
        )
        return np.round(self._table.camera.to_px(circle) / 2).astype(np.int32).reshape(-1, 1, 2)
