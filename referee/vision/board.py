"""What lies on the board: each hole is a hypothesis whose picture is predicted, everything else ball-like is loose."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import Hole
from hardware.frame import Frame, Plane
from referee.vision.colours import BLACK, ColourMap
from referee.vision.ground import Ground
from referee.vision.kinds import BallKind
from referee.vision.loose import Loose, LooseFinder, without_seated
from referee.vision.seats import Patches, Seat, seat_z_mm

TAKEN_SHARE = 0.58
"""Share of a ball's disc that must have its colour. A ball shows 0.7 to 1 of it (gloss and shade take the rest); the
ring printed in an empty hole, seen through it, at most half."""

DISC = 0.85
"""Part of a ball's radius that is looked at: its outermost edge mixes with what is behind."""

MIDDLE = 0.5
"""Inner part of that disc, as a share of its radius: a ball fills it, a printed ring leaves it bare."""

MIDDLE_SHARE = 0.4
"""Share of the middle that must have the colour too where the hole itself is printed in it: gloss may take the rest."""

HALO = 1.15
"""Part of a ball's radius within which its own edge mixes with what is behind it."""

LEAST_SEEN = 0.25
"""Share of a ball's disc that nearer balls must leave in sight for the hole to be read."""

RING = (1.15, 1.55)
"""Rim of board around a hole, in hole radii, that tells whether something covers the hole."""

BOARD_CHROMA = 14.0
"""Chroma levels about the board's own, in full light, within which a pixel is board, in light or shade."""

SHADED_CHROMA = 0.25
"""Chroma, relative to the board's own, by which shaded board may differ from it once the light is made equal."""

MIN_BARE_SHARE = 0.35
"""Share of a hole's ring that must look like the board: a ball beside it hides less than two thirds, a hand all."""


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


class BoardReader:
    """Reads the holes and the loose balls of one table in frames of one size."""

    def __init__(self, ground: Ground, colour_map: ColourMap, kinds: Sequence[BallKind], light: float = 1.0) -> None:
        """``light``: share of full light: in the dark the chroma of balls and board draws together."""
        table = ground.table
        self._table = table
        self._map = colour_map
        self._board_chroma = light * BOARD_CHROMA
        self._look: tuple[float, float, float] | None = None
        self._radius_mm = ground.radius_mm
        camera, layout = table.camera, table.layout
        heights = (layout.height_mm, ground.board_z_mm)
        outline = np.array([[x, y, z] for x, y in layout.outline_mm for z in heights])
        left, top, width, height = cv2.boundingRect(np.round(camera.to_px(outline) / 2).astype(np.int32))
        rows, columns = (camera.height_px + 1) // 2, (camera.width_px + 1) // 2
        # All is read in the rectangle around the board: (row, column) of its corner, and its shape.
        self._corner = (min(max(top, 0), rows), min(max(left, 0), columns))
        self._shape = (
            max(min(top + height, rows) - self._corner[0], 0),
            max(min(left + width, columns) - self._corner[1], 0),
        )
        small = [hole for hole in layout.holes if hole not in ground.pits]
        self.seats = tuple(self._seat(hole) for hole in small)
        self._discs = Patches.of([seat.disc for seat in self.seats])
        self._rings = Patches.of([seat.ring for seat in self.seats])
        rings = [np.flatnonzero(self._ring(hole)) for hole in layout.holes]
        self._around = np.concatenate(rings) if rings else np.zeros(0, dtype=np.intp)
        pits = np.zeros(self._shape, dtype=np.uint8)
        for index, pit in enumerate(ground.pits, start=1):
            cv2.fillPoly(pits, [self._circle(pit, 1.0)], index)
        self._finder = LooseFinder(
            ground=ground,
            colour_map=colour_map,
            kinds=tuple(kinds),
            corner=self._corner,
            top=self._filled([self._to_cells(outline[1::2])]),
            rims=self._filled([self._circle(hole, 1.0) for hole in small]),
            pits=pits,
        )

    def read(self, frame: Frame, luma_half: Plane) -> BoardReading:
        """Read one frame; ``luma_half``: (h, w) uint8, luma at the size of the chroma planes."""
        (row, column), (height, width) = self._corner, self._shape
        window = np.s_[row : row + height, column : column + width]
        if not len(self._around):
            return BoardReading(holes=(), loose=())
        u, v, luma = frame.u[window], frame.v[window], luma_half[window]
        bare = self._bare(u.astype(np.float32) - 128, v.astype(np.float32) - 128, luma.astype(np.float32) - BLACK)
        colours = np.zeros(self._shape, dtype=np.uint8)
        other = np.flatnonzero(~bare)
        colours.ravel()[other] = self._map.label(luma.ravel()[other], u.ravel()[other], v.ravel()[other])
        holes = self._read_holes(colours.ravel(), bare.ravel())
        loose = self._finder.find(without_seated(colours, self._seated(holes)))
        return self._look_past(loose, holes, colours)

    def hues(self, frame: Frame, taken: Sequence[tuple[str, str]]) -> dict[str, float]:
        """The hue, in degrees, of each colour among balls in holes: ``taken``: holes and the colours in them."""
        (row, column), (height, width) = self._corner, self._shape
        window = np.s_[row : row + height, column : column + width]
        u, v = frame.u[window].ravel(), frame.v[window].ravel()
        discs: dict[str, list[NDArray[np.intp]]] = {}
        for seat in self.seats:
            for colour in (colour for hole, colour in taken if hole == seat.hole.name):
                discs.setdefault(colour, []).append(seat.disc)
        cells = {colour: np.concatenate(found) for colour, found in discs.items()}
        return {
            colour: math.degrees(math.atan2(np.median(v[of]) - 128.0, np.median(u[of]) - 128.0))
            for colour, of in cells.items()
            if len(of)
        }

    def recolour(self, colour_map: ColourMap) -> None:
        """Take the same colours as they look in another light."""
        self._map = colour_map

    def _look_past(
        self, loose: Sequence[Loose], holes: Sequence[HoleReading], colours: NDArray[np.uint8]
    ) -> BoardReading:
        """Empty looking holes that have a loose ball before them, read by what it leaves in sight."""
        readings, parts = list(holes), list[Loose]()
        for ball in loose:
            for k, cells in self._behind(ball):
                if readings[k].colour is None:
                    readings[k] = self._seen_past(k, cells, colours)
                    if readings[k].colour is not None or readings[k].is_covered:
                        # What is in sight of a seated ball is no loose one.
                        parts += [other for other in loose if other is not ball and _is_part(other, self.seats[k])]
        return BoardReading(holes=tuple(readings), loose=tuple(ball for ball in loose if ball not in parts))

    def _behind(self, ball: Loose) -> Iterator[tuple[int, NDArray[np.intp]]]:
        """Indices of the seats that a loose ball is before, and the cells of their discs that it leaves in sight."""
        if ball.hole is not None:
            return
        camera = self._table.camera
        place = np.array([[ball.x_mm, ball.y_mm, self._table.layout.height_mm + self._radius_mm]])
        depth_mm, radius_px = float(camera.depth_mm(place)[0]), float(camera.radius_px(place, self._radius_mm)[0])
        for k, seat in enumerate(self.seats):
            gap_px = math.hypot(ball.x_px - seat.x_px, ball.y_px - seat.y_px)
            if depth_mm < seat.depth_mm and gap_px < radius_px + seat.radius_px:
                rows, columns = np.divmod(seat.disc, self._shape[1])
                x, y = 2 * (columns + self._corner[1]) + 0.5, 2 * (rows + self._corner[0]) + 0.5
                yield k, seat.disc[np.hypot(x - ball.x_px, y - ball.y_px) > HALO * radius_px]

    def _seen_past(self, k: int, cells: NDArray[np.intp], colours: NDArray[np.uint8]) -> HoleReading:
        """A hole read by those ``cells`` of its disc that a nearer ball leaves in sight."""
        seat = self.seats[k]
        counts = np.bincount(colours.ravel()[cells], minlength=len(self._map.colours) + 1)[1:]
        best = int(counts.argmax())
        share = float(counts[best]) / max(1, len(cells))
        is_covered = len(cells) < LEAST_SEEN * len(seat.disc)
        is_taken = share >= TAKEN_SHARE and not is_covered
        return HoleReading(
            hole=seat.hole.name,
            colour=self._map.colours[best].name if is_taken else None,
            share=share,
            is_covered=is_covered,
        )

    def _bare(self, u: NDArray[np.float32], v: NDArray[np.float32], luma: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Which pixels have the board's own chroma (the median around the holes), as it is or scaled down by shade.

        The board's look is learned anew with each reading, but not from under a hand: only while most of it still
        looks as it did.
        """
        rings = [plane.ravel()[self._around] for plane in (u, v, luma)]
        look = (float(np.median(rings[0])), float(np.median(rings[1])), float(np.median(rings[2])))
        if self._look is None or math.hypot(look[0] - self._look[0], look[1] - self._look[1]) < self._board_chroma / 2:
            self._look = look
        board_u, board_v, board_y = self._look
        same = (u - board_u) ** 2 + (v - board_v) ** 2 < self._board_chroma**2
        light = board_y / np.maximum(luma, 8.0)
        off = (u * light - board_u) ** 2 + (v * light - board_v) ** 2
        return np.asarray(same | (off < (SHADED_CHROMA * math.hypot(board_u, board_v)) ** 2), dtype=np.bool_)

    def _read_holes(self, colours: NDArray[np.uint8], bare: NDArray[np.bool_]) -> tuple[HoleReading, ...]:
        kinds = len(self._map.colours) + 1
        in_disc = self._discs.owner * kinds + colours[self._discs.cells]
        counts = np.bincount(in_disc, minlength=kinds * len(self.seats)).reshape(-1, kinds)[:, 1:]
        shown = np.bincount(self._rings.owner, weights=bare[self._rings.cells], minlength=len(self.seats))
        return tuple(
            self._read_hole(seat, counts[k], float(shown[k]) / max(1, len(seat.ring)), colours)
            for k, seat in enumerate(self.seats)
        )

    def _read_hole(
        self, seat: Seat, counts: NDArray[np.intp], bare_share: float, colours: NDArray[np.uint8]
    ) -> HoleReading:
        """``counts``: pixels of the disc in each colour; ``bare_share``: of the ring that looks like the board."""
        if not len(seat.disc) or not len(seat.ring):
            return HoleReading(hole=seat.hole.name, colour=None, share=0.0, is_covered=True)
        best = int(counts.argmax())
        share = float(counts[best]) / len(seat.disc)
        name = self._map.colours[best].name
        is_ring = name == seat.hole.colour and np.mean(colours[seat.middle] == best + 1) < MIDDLE_SHARE
        return HoleReading(
            hole=seat.hole.name,
            colour=name if share >= TAKEN_SHARE and not is_ring else None,
            share=share,
            is_covered=bare_share < MIN_BARE_SHARE,
        )

    def _seated(self, holes: Sequence[HoleReading]) -> list[tuple[int, int, int, int]]:
        """Where balls in holes are, as ``without_seated`` takes them."""
        names = [colour.name for colour in self._map.colours]
        return [
            (
                round(seat.x_px / 2) - self._corner[1],
                round(seat.y_px / 2) - self._corner[0],
                math.ceil(1.15 * seat.radius_px / 2),
                names.index(reading.colour) + 1,
            )
            for seat, reading in zip(self.seats, holes, strict=True)
            if reading.colour is not None
        ]

    def _seat(self, hole: Hole) -> Seat:
        layout, camera = self._table.layout, self._table.camera
        z_mm = seat_z_mm(hole, top_mm=layout.height_mm, floor_mm=layout.hole_floor_mm, radius_mm=self._radius_mm)
        centre = np.array([[hole.x_mm, hole.y_mm, z_mm]])
        (x_px, y_px), radius_px = camera.to_px(centre)[0], float(camera.radius_px(centre, self._radius_mm)[0])
        rows, columns = np.indices(self._shape, sparse=True)
        row, column = self._corner
        away = np.hypot(2 * (columns + column) + 0.5 - x_px, 2 * (rows + row) + 0.5 - y_px)
        disc = away < DISC * radius_px
        return Seat(
            hole=hole,
            x_px=float(x_px),
            y_px=float(y_px),
            radius_px=radius_px,
            depth_mm=float(camera.depth_mm(centre)[0]),
            disc=np.flatnonzero(disc),
            middle=np.flatnonzero(away < MIDDLE * DISC * radius_px),
            ring=np.flatnonzero((self._ring(hole) > 0) & ~disc),
        )

    def _ring(self, hole: Hole) -> NDArray[np.uint8]:
        """1 on the ring of board around a hole."""
        return self._filled([self._circle(hole, RING[1])]) - self._filled([self._circle(hole, RING[0])])

    def _circle(self, hole: Hole, scale: float) -> NDArray[np.int32]:
        """A circle about a hole on the top face, ``scale`` of its radius, in cells of the window: (32, 1, 2)."""
        angles = np.linspace(0.0, 2 * math.pi, 32, endpoint=False)
        return self._to_cells(
            np.column_stack(
                [
                    hole.x_mm + scale * hole.radius_mm * np.cos(angles),
                    hole.y_mm + scale * hole.radius_mm * np.sin(angles),
                    np.full(32, self._table.layout.height_mm),
                ]
            )
        )

    def _to_cells(self, points_mm: NDArray[np.float64]) -> NDArray[np.int32]:
        """World points, (n, 3) mm, to chroma pixels of the window, (n, 1, 2)."""
        cells = np.round(self._table.camera.to_px(points_mm) / 2) - self._corner[::-1]
        return cells.astype(np.int32).reshape(-1, 1, 2)

    def _filled(self, polygons: Sequence[NDArray[np.int32]]) -> NDArray[np.uint8]:
        """1 inside any of the polygons, 0 elsewhere, of the window's shape."""
        mask = np.zeros(self._shape, dtype=np.uint8)
        for polygon in polygons:
            cv2.fillPoly(mask, [polygon], 1)
        return mask


def _is_part(ball: Loose, seat: Seat) -> bool:
    """Whether a loose ball is seen within a seat's ball."""
    return math.hypot(ball.x_px - seat.x_px, ball.y_px - seat.y_px) < seat.radius_px
