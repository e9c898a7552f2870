"""What lies on the board: each hole is a hypothesis whose picture is predicted, everything else ball-like is loose."""

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame, Plane
from referee.vision.alike import alike_in
from referee.vision.asides import TAKEN_SHARE, Asides
from referee.vision.background import are_changes
from referee.vision.bare import BareBoard
from referee.vision.colours import ColourMap
from referee.vision.ground import Ground
from referee.vision.kinds import BallKind
from referee.vision.loose import HALO, PIT_AREA, TOP_AREA, Loose, LooseFinder, Seated
from referee.vision.readings import BoardReading, HoleReading, emptied, filled, is_part, lies_beside
from referee.vision.seats import Patches, seats_of
from referee.vision.window import Window, spread

MIDDLE_SHARE = 0.4
"""Share of the middle that must have the colour too where the hole itself is printed in it: gloss may take the rest."""

SURE_SHARE = 0.85
"""Share of a disc in one colour from which its ball lies where it is looked for."""

BESIDE_SHARE = 0.1
"""Share of the ring around a hole that a ball which lies nearly below the top face never has in its colour."""

PROUD = 0.5
"""Part of its radius by which such a ball stands out at the most."""

SEEN_SHARE = 0.4
"""Share of a disc from which a ball seen over the mouth of its hole, nearer to the middle than this share of the
hole's radius, is in it."""

OVER_MOUTH = 0.6

LEAST_SEEN = 0.25
"""Share of a ball's disc that nearer balls must leave in sight for the hole to be read."""

RING = (1.15, 1.55)
"""Rim of board around a hole, in hole radii, that tells whether something covers the hole."""

FACE_PIXELS = 1000
"""Pixels of the board's top face, spread over it, that tell its look: the median of a sample."""

RING_PIXELS = 150
"""Pixels of such a rim, spread over it, that are enough to tell."""

MIN_BARE_SHARE = 0.35
"""Share of a hole's ring that must look like the board: a ball beside it hides less than two thirds, a hand all."""


class BoardReader:
    """Reads the holes and the loose balls of one table in frames of one size."""

    def __init__(self, ground: Ground, colour_map: ColourMap, kinds: Sequence[BallKind], light: float = 1.0) -> None:
        """``light``: share of full light: in the dark the chroma of balls and board draws together."""
        table = ground.table
        self._table = table
        self._map = colour_map
        self._radius_mm = ground.radius_mm
        camera, layout = table.camera, table.layout
        heights = (layout.height_mm, ground.board_z_mm)
        outline = np.array([[x, y, z] for x, y in layout.outline_mm for z in heights])
        self._window = window = Window(camera, outline, layout.height_mm)
        small = [hole for hole in layout.holes if hole not in ground.pits]
        rings = dict(zip((hole.name for hole in layout.holes), window.rings(layout.holes, *RING), strict=True))
        self.seats = seats_of(small, rings, table, window, ground.radius_mm)
        self._seats_px = np.array([(seat.x_px, seat.y_px) for seat in self.seats]).reshape(-1, 2)
        self._seat_radii_px = np.array([seat.radius_px for seat in self.seats])
        self._seat_depths_mm = np.array([seat.depth_mm for seat in self.seats])
        # A ball that is no larger than its hole may lie nearly below the top face.
        is_low = layout.hole_floor_mm + (2 - PROUD) * ground.radius_mm < layout.height_mm
        self._are_deep = [is_low and ground.radius_mm <= seat.hole.radius_mm for seat in self.seats]
        # Place and radius of each hole.
        self._holes_mm = np.array([(s.hole.x_mm, s.hole.y_mm, s.hole.radius_mm) for s in self.seats]).reshape(-1, 3).T
        self._discs = Patches.of([seat.disc for seat in self.seats])
        self._disc_places = np.split(window.places(self._discs.cells), np.cumsum(self._discs.sizes)[:-1])
        self._rings = Patches.of([spread(seat.ring, RING_PIXELS) for seat in self.seats])
        # Most holes are empty in most pictures: their readings are made once.
        self._empty = [
            [HoleReading(hole=seat.hole.name, colour=None, share=0.0, is_covered=covered) for seat in self.seats]
            for covered in (False, True)
        ]
        self._asides = Asides(self.seats, self._disc_places, window.shape)
        face = window.filled([window.to_cells(outline[::2])])
        cv2.fillPoly(face, window.circles(layout.holes, RING[0]), 0)
        bare = np.flatnonzero(face)
        self._bare = BareBoard(spread(bare, FACE_PIXELS), light)
        self._is_in_view = len(bare) > 0
        self._last: tuple[Plane, ...] | None = None
        self._print: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None
        pits = np.zeros(window.shape, dtype=np.uint8)
        for index, circle in enumerate(window.circles(ground.pits, 1.0), start=1):
            cv2.fillPoly(pits, [circle], index)
        self._finder = LooseFinder(
            ground=ground,
            colour_map=colour_map,
            kinds=tuple(kinds),
            corner=window.corner,
            top=window.filled([window.to_cells(outline[1::2])]),
            rims=window.filled(window.circles(small, 1.0)),
            pits=pits,
            least=self._least_cells(outline, kinds, PIT_AREA if ground.pits else TOP_AREA),
        )

    def is_read(self, frame: Frame, luma_half: Plane, steps: tuple[int, int]) -> bool:
        """Whether a picture shows, but for single pixels, the same as the one that was read last; ``steps``: how much
        luma and chroma may differ without being a change."""
        if self._last is None:
            return False
        planes = (plane[self._window.area] for plane in (luma_half, frame.u, frame.v))
        pairs = zip(planes, self._last, strict=True)
        luma, u, v = (np.asarray(cv2.absdiff(*pair), dtype=np.uint8) for pair in pairs)
        changed = are_changes(luma, u, v, *steps)
        return not np.asarray(cv2.medianBlur(changed.view(np.uint8), 3)).any()

    def read(self, frame: Frame, luma_half: Plane) -> BoardReading:
        """Read one frame; ``luma_half``: (h, w) uint8, luma at the size of the chroma planes."""
        if not self._is_in_view:
            return BoardReading(holes=(), loose=())
        self._last = tuple(plane[self._window.area].copy() for plane in (luma_half, frame.u, frame.v))
        luma, u, v = (plane.ravel() for plane in self._last)
        self._bare.learn(u, v, luma)
        labels = self._map.label(luma, u, v)
        alike = alike_in(self._discs, labels, (luma, u, v), self._bare, self._map)
        colours = self._without_board(labels, u, v, luma).reshape(self._window.shape)
        holes = self._read_holes(colours.ravel(), self._are_bare(u, v, luma))
        if alike:
            holes = tuple(filled(hole, alike.get(k)) for k, hole in enumerate(holes))
        doubted = [
            reading.colour is not None
            and k not in alike
            and self._is_doubted(k, self._map.label_of(reading.colour), reading.share, colours)
            for k, reading in enumerate(holes)
        ]
        loose = self._loose(emptied(holes, doubted), colours, luma)
        if any(doubted):
            beside = [lies_beside(loose, seat, hole.colour) for seat, hole in zip(self.seats, holes, strict=True)]
            holes = emptied(holes, [doubt and is_beside for doubt, is_beside in zip(doubted, beside, strict=True)])
            loose = self._loose(holes, colours, luma)
        sunk = self._sunk(loose, colours)
        if sunk:
            holes = tuple(filled(hole, sunk.get(k)) for k, hole in enumerate(holes))
            loose = self._loose(holes, colours, luma)
        return self._look_past(loose, holes, colours)

    def _is_doubted(self, k: int, label: int, share: float, colours: NDArray[np.uint8]) -> bool:
        """Whether what shows the ball in a hole may be another before it; ``share``: of the ball's disc that has its
        ``label``."""
        if self._are_deep[k] and (colours.take(self._rings.of_patch(k)) == label).mean() > BESIDE_SHARE:
            return True
        return share < SURE_SHARE and self._asides.show_more(k, label, share, colours)

    def hues(self, frame: Frame, taken: Sequence[tuple[str, str]]) -> dict[str, float]:
        """The hue, in degrees, of each colour among balls in holes: ``taken``: holes and the colours in them."""
        u, v = frame.u[self._window.area].ravel(), frame.v[self._window.area].ravel()
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
        for ball, seats, halo_px in self._before(loose):
            for k in seats:
                if readings[k].colour is None and not readings[k].is_covered:
                    off_px = self._disc_places[k] - (ball.x_px, ball.y_px)
                    in_sight = self.seats[k].disc[np.hypot(off_px[:, 0], off_px[:, 1]) > halo_px]
                    readings[k] = self._seen_past(k, in_sight, colours)
                    if readings[k].colour is not None or readings[k].is_covered:
                        # What is in sight of a seated ball is no loose one.
                        parts += [other for other in loose if other is not ball and is_part(other, self.seats[k])]
        return BoardReading(holes=tuple(readings), loose=tuple(ball for ball in loose if ball not in parts))

    def _before(self, loose: Sequence[Loose]) -> list[tuple[Loose, list[int], float]]:
        """The loose balls that are before seats: each with the indices of those, and how far from its middle, in
        pixels of the full picture, it leaves in sight what is behind it."""
        on_top = [ball for ball in loose if ball.hole is None]
        if not on_top or not self.seats:
            return []
        camera, z_mm = self._table.camera, self._table.layout.height_mm + self._radius_mm
        places = np.array([[ball.x_mm, ball.y_mm, z_mm] for ball in on_top])
        depths_mm, radii_px = camera.depth_mm(places), camera.radius_px(places, self._radius_mm)
        gaps_px = self._seats_px - np.array([[ball.x_px, ball.y_px] for ball in on_top])[:, None]
        is_near = np.hypot(gaps_px[..., 0], gaps_px[..., 1]) < radii_px[:, None] + self._seat_radii_px
        is_behind = is_near & (self._seat_depths_mm > depths_mm[:, None])
        return [
            (ball, np.flatnonzero(behind).tolist(), HALO * radius_px)
            for ball, behind, radius_px in zip(on_top, is_behind, radii_px.tolist(), strict=True)
            if behind.any()
        ]

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

    def _without_board(self, labels: NDArray[np.uint8], u: Plane, v: Plane, luma: Plane) -> NDArray[np.uint8]:
        """The labels of the window's pixels, but for those that look like the board."""
        labelled = np.flatnonzero(labels != 0)
        labels[labelled] *= self._bare.are_other(*(plane.take(labelled) for plane in (u, v, luma)))
        return labels

    def _are_bare(self, u: Plane, v: Plane, luma: Plane) -> NDArray[np.bool_]:
        """Which pixels of the rings, (n,), look like the board, or as they did in the first picture: what is printed
        around the holes, or the board's pattern. Light that turns since then turns them as it turns the board."""
        u, v, luma = (plane.take(self._rings.cells) for plane in (u, v, luma))
        board_u, board_v = self._bare.chroma
        now = u - np.float32(128 + board_u), v - np.float32(128 + board_v)
        if self._print is None:
            self._print = now
        off = np.square(now[0] - self._print[0]) + np.square(now[1] - self._print[1])
        return np.asarray((off < self._bare.reach**2) | ~self._bare.are_other(u, v, luma), dtype=np.bool_)

    def _read_holes(self, colours: NDArray[np.uint8], bare: NDArray[np.bool_]) -> tuple[HoleReading, ...]:
        """``colours``: labels of the window's pixels; ``bare``: which pixels of the rings look like the board."""
        kinds = len(self._map.colours) + 1
        in_disc = self._discs.owner * kinds + colours.take(self._discs.cells)
        counts = np.bincount(in_disc, minlength=kinds * len(self.seats)).reshape(-1, kinds)[:, 1:]
        best = counts.argmax(axis=1)
        most = counts[np.arange(len(counts)), best]
        shown = np.bincount(self._rings.owner, weights=bare, minlength=len(self.seats))
        discs, rings = self._discs.sizes, self._rings.sizes
        is_seen = (discs > 0) & (rings > 0)
        shares = np.where(is_seen, most / np.maximum(discs, 1), 0.0)
        found: dict[int, str] = {}
        for k in np.flatnonzero(shares >= TAKEN_SHARE).tolist():
            seat, name = self.seats[k], self._map.colours[best[k]].name
            middle = colours.take(seat.middle) if name == seat.hole.colour else None
            if middle is None or np.count_nonzero(middle == best[k] + 1) >= MIDDLE_SHARE * len(middle):
                found[k] = name  # no ring that is printed in the hole
        is_covered = ~is_seen | (shown < MIN_BARE_SHARE * rings)
        readings = [self._empty[covered][k] for k, covered in enumerate(is_covered.tolist())]
        for k, name in found.items():
            readings[k] = replace(readings[k], colour=name, share=float(shares[k]))
        return tuple(readings)

    def _sunk(self, loose: Sequence[Loose], colours: NDArray[np.uint8]) -> dict[int, str]:
        """The colours of loose balls over the mouths of holes, by the index of the hole, where none can lie: they are
        in them, though shade and the board's own colour hide more of them than of others."""
        found: dict[int, str] = {}
        for ball in loose:
            over_mm = np.hypot(*(self._holes_mm[:2] - [[ball.x_mm], [ball.y_mm]]))
            for k in np.flatnonzero(over_mm < OVER_MOUTH * self._holes_mm[2]).tolist():
                label = self._map.label_of(ball.colour)
                if k not in found and np.mean(colours.ravel()[self.seats[k].disc] == label) >= SEEN_SHARE:
                    found[k] = ball.colour
        return found

    def _loose(self, holes: Sequence[HoleReading], colours: NDArray[np.uint8], luma: Plane) -> tuple[Loose, ...]:
        """The balls on the board besides those in the holes."""
        return self._finder.beside_seated(colours, luma.reshape(colours.shape), self._seated(holes))

    def _seated(self, holes: Sequence[HoleReading]) -> list[Seated]:
        return [
            Seated(
                column=round(seat.x_px / 2) - self._window.corner[1],
                row=round(seat.y_px / 2) - self._window.corner[0],
                radius=seat.radius_px / 2,
                label=self._map.label_of(reading.colour),
            )
            for seat, reading in zip(self.seats, holes, strict=True)
            if reading.colour is not None
        ]

    def _least_cells(self, outline: NDArray[np.float64], kinds: Sequence[BallKind], area: tuple[float, float]) -> int:
        """How many pixels a loose ball shows at least: the smallest of them, where it is furthest away."""
        if not kinds:
            return 1
        radius_px = self._table.camera.radius_px(outline, min(kind.radius_mm for kind in kinds)).min()
        return max(1, int(area[0] * math.pi * float(radius_px) ** 2 / 4))
