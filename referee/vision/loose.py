"""Balls on the board that no small hole holds: on the top face, on other balls, or in a pit."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from referee.vision.colours import BLACK, ColourMap
from referee.vision.ground import Ground
from referee.vision.kinds import BallKind, nearest_kind, of_colour
from referee.vision.overlaps import overlapping_disc

TOP_AREA = (0.45, 1.6)
"""Area of a ball on the top face against its predicted disc: hidden in part by another, or smeared by gloss."""

PIT_AREA = (0.2, 1.6)
"""The same in a pit, whose near wall hides most of a ball that lies against it."""

TOP_ASPECT = 2.0
"""Width against height, or the other way round, of a ball on the top face."""

FULL_SHARE = 0.65
"""Share of a circle as large as a ball's picture, about its middle, that has its colour. Of what other balls leave in
sight of a ball it is more; a printed ring, or a line, is empty there."""

FLAT = 0.1
"""Luma from the darkest to the brightest tenth of a ball's picture, against its median, in which it differs at least:
a ball turns from the light, what is painted on the board is as light all over."""

WITHIN = 0.8
"""Part of a ball's radius within which that is asked: its edge mixes with what is behind it."""

HALO = 1.15
"""Part of a ball's radius within which its own edge mixes with what is behind it."""

MAX_RIM_SHARE = 0.75
"""Share of a ball's picture that may lie within small holes: more is what is printed in an empty one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loose:
    """A ball on the board that no small hole holds. ``x_mm``, ``y_mm``: its centre, if it lies on the top face, or on
    the floor of the pit ``hole``. ``ball``: its name, which tells balls of one colour and several sizes apart."""

    colour: str
    ball: str
    x_px: float
    y_px: float
    x_mm: float
    y_mm: float
    hole: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Seated:
    """A ball in a hole, in pixels of the window: its middle, its radius, and the label of its colour."""

    column: int
    row: int
    radius: float
    label: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LooseFinder:
    """Finds loose balls in a window of the chroma planes.

    ``corner``: (row, column) of the window. ``top``: (h, w) uint8, 1 where a ball on the board can be seen; ``rims``:
    1 within a small hole; ``pits``: 1 + index of the pit there. ``least``: pixels that a ball shows at least.
    """

    ground: Ground
    colour_map: ColourMap
    kinds: tuple[BallKind, ...]
    corner: tuple[int, int]
    top: NDArray[np.uint8]
    rims: NDArray[np.uint8]
    pits: NDArray[np.uint8]
    least: int

    def find(self, colours: NDArray[np.uint8]) -> tuple[Loose, ...]:
        """The loose balls among labelled pixels of the window, (h, w) uint8, without those in holes."""
        shown = self.top * colours
        outside = shown * (self.rims ^ 1)
        found: list[Loose] = []
        for index, colour in enumerate(self.colour_map.colours, start=1):
            beside = outside == index
            if np.count_nonzero(beside) < (1.0 - MAX_RIM_SHARE) * self.least:
                continue  # nothing but what is printed in holes, and specks
            mask = (shown == index).view(np.uint8)
            contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
            for contour in reversed(contours):  # from the top
                box = cv2.boundingRect(contour)
                if box[2] * box[3] >= self.least:
                    ball = self._in_outline(colour.name, contour, box, mask, beside)
                    found += [ball] if ball is not None else []
        return tuple(found)

    def beside_seated(
        self, colours: NDArray[np.uint8], luma: NDArray[np.uint8], seated: Sequence[Seated]
    ) -> tuple[Loose, ...]:
        """The loose balls among labelled pixels of the window, besides those seated in holes.

        ``colours``, ``luma``: labels and luma of the window's pixels, (h, w) uint8.
        """
        rest = without_seated(colours, seated)
        balls = list(self.find(rest))
        for seat in seated:
            disc = overlapping_disc(colours, rest, seat.label, (seat.column, seat.row), seat.radius)
            ball = (
                self._ball(self.colour_map.colours[seat.label - 1].name, np.array(disc[:2]), disc[2], 1.0)
                if disc
                else None
            )
            if ball is not None:
                # What was found of it is its part beside the seated ball.
                near_px = 2.0 * seat.radius
                balls = [b for b in balls if math.hypot(b.x_px - ball.x_px, b.y_px - ball.y_px) > near_px]
                balls.append(ball)
        return tuple(ball for ball in balls if ball.hole is not None or not self._is_flat(ball, colours, luma))

    def _is_flat(self, ball: Loose, colours: NDArray[np.uint8], luma: NDArray[np.uint8]) -> bool:
        """Whether what looks like a ball is as light all over."""
        camera, place = self.ground.table.camera, np.array([[ball.x_mm, ball.y_mm, self.ground.board_z_mm]])
        reach = WITHIN * float(camera.radius_px(place, self.ground.radius_mm)[0]) / 2
        column, row = (
            (px - 0.5) / 2 - first for px, first in zip((ball.x_px, ball.y_px), self.corner[::-1], strict=True)
        )
        left, top = max(0, math.ceil(column - reach)), max(0, math.ceil(row - reach))
        there = (slice(top, math.floor(row + reach) + 1), slice(left, math.floor(column + reach) + 1))
        label = self.colour_map.label_of(ball.colour)
        rows, columns = np.nonzero(colours[there] == label)
        within = np.hypot(columns + left - column, rows + top - row) <= reach
        own = luma[there][rows[within], columns[within]]
        if not len(own):
            return False
        own.sort()
        dark, middle, bright = (float(own[round(share * (len(own) - 1))]) for share in (0.1, 0.5, 0.9))
        return bright - dark < FLAT * (middle - BLACK)

    def _in_outline(
        self, colour: str, contour: MatLike, box: Sequence[int], mask: NDArray[np.uint8], beside: NDArray[np.bool_]
    ) -> Loose | None:
        """The ball in an outline, and its box, of a colour's ``mask``; ``beside``: where that is not within a small
        hole."""
        left, top, width, height = box
        there = (slice(top, top + height), slice(left, left + width))
        if np.count_nonzero(beside[there]) < (1.0 - MAX_RIM_SHARE) * self.least:
            return None
        _, found, stats, centroids = cv2.connectedComponentsWithStats(mask[there], ltype=cv2.CV_16U)
        parts = np.asarray(found, dtype=np.uint16)
        column, row = contour[0, 0].tolist()
        part = int(parts[row - top, column - left])
        area = int(stats[part, cv2.CC_STAT_AREA])
        if area < self.least or np.count_nonzero((parts == part) & beside[there]) < (1.0 - MAX_RIM_SHARE) * area:
            return None
        ball = self._ball(colour, centroids[part] + (left, top), area, width / height)
        is_ball = ball is not None and (ball.hole is not None or _is_full(parts, part, centroids[part], area))
        return ball if is_ball else None

    def _ball(self, colour: str, cell: NDArray[np.float64], area: int, aspect: float) -> Loose | None:
        camera = self.ground.table.camera
        px = 2.0 * (cell + self.corner[::-1]) + 0.5
        pit = int(self.pits[int(cell[1]), int(cell[0])])
        height_mm = self.ground.pit_z_mm if pit else self.ground.board_z_mm
        place = camera.to_mm(px[None, :], height_mm)
        kinds = of_colour(self.kinds, colour)
        px_per_mm = float(camera.radius_px(place, 1.0)[0])
        low, high = PIT_AREA if pit else TOP_AREA
        least, most = (math.pi * (kind.radius_mm * px_per_mm) ** 2 for kind in (kinds[0], kinds[-1]))
        if not low * least <= 4.0 * area <= high * most:
            return None
        if not pit and not 1 / TOP_ASPECT <= aspect <= TOP_ASPECT:
            return None
        kind = nearest_kind(kinds, seen_px=2.0 * math.sqrt(area / math.pi), px_per_mm=px_per_mm)
        return Loose(
            colour=colour,
            ball=kind.name,
            x_px=float(px[0]),
            y_px=float(px[1]),
            x_mm=float(place[0, 0]),
            y_mm=float(place[0, 1]),
            hole=self.ground.pits[pit - 1].name if pit else None,
        )


def _is_full(parts: NDArray[np.uint16], part: int, middle: NDArray[np.float64], area: int) -> bool:
    """Whether most of a part, one of the labels of ``parts``, is about its own middle, (x, y)."""
    reach_px = math.sqrt(area / math.pi)
    left, top = (max(0, math.ceil(float(value) - reach_px)) for value in middle)
    near = parts[top : math.floor(middle[1] + reach_px) + 1, left : math.floor(middle[0] + reach_px) + 1]
    rows, columns = np.nonzero(near == part)
    within = np.hypot(columns + left - middle[0], rows + top - middle[1]) <= reach_px
    return int(np.count_nonzero(within)) >= FULL_SHARE * area


def without_seated(colours: NDArray[np.uint8], seated: Sequence[Seated]) -> NDArray[np.uint8]:
    """Labels without the balls in holes: only pixels of a ball's own colour are taken out, since another may lie on
    top of it."""
    explained = np.zeros_like(colours)
    for seat in seated:
        cv2.circle(explained, (seat.column, seat.row), math.ceil(HALO * seat.radius), seat.label, -1)
    return np.asarray(colours * (colours != explained), dtype=np.uint8)
