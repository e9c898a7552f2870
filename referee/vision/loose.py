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
class _Patch:
    """What may show a ball: its colour, its middle, (column, row) in the window, how many pixels it has, and its width
    against its height. ``is_own``: (h, w) bool, which pixels about its middle are its own, from ``corner`` of the
    window, (column, row), on; None where it is known to be full."""

    colour: str
    middle: tuple[float, float]
    area: int
    aspect: float
    is_own: NDArray[np.bool_] | None = None
    corner: tuple[int, int] = (0, 0)

    @property
    def is_full(self) -> bool:
        """Whether most of it is about its own middle."""
        if self.is_own is None:
            return True
        rows, columns = np.nonzero(self.is_own)
        column, row = (middle - first for middle, first in zip(self.middle, self.corner, strict=True))
        within = np.hypot(columns - column, rows - row) <= math.sqrt(self.area / math.pi)
        return int(np.count_nonzero(within)) >= FULL_SHARE * self.area


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
        patches: list[_Patch] = []
        for index, colour in enumerate(self.colour_map.colours, start=1):
            beside = outside == index
            if np.count_nonzero(beside) < (1.0 - MAX_RIM_SHARE) * self.least:
                continue  # nothing but what is printed in holes, and specks
            mask = (shown == index).view(np.uint8)
            contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
            for contour in reversed(contours):  # from the top
                box = cv2.boundingRect(contour)
                if box[2] * box[3] >= self.least:
                    patch = self._patch(colour.name, contour, box, mask, beside)
                    patches += [patch] if patch is not None else []
        found = zip(patches, self._balls(patches), strict=True)
        return tuple(ball for patch, ball in found if ball is not None and (ball.hole is not None or patch.is_full))

    def beside_seated(
        self, colours: NDArray[np.uint8], luma: NDArray[np.uint8], seated: Sequence[Seated]
    ) -> tuple[Loose, ...]:
        """The loose balls among labelled pixels of the window, besides those seated in holes.

        ``colours``, ``luma``: labels and luma of the window's pixels, (h, w) uint8.
        """
        rest = without_seated(colours, seated)
        balls = list(self.find(rest))
        discs = [
            (overlapping_disc(colours, rest, seat.label, (seat.column, seat.row), seat.radius), seat) for seat in seated
        ]
        overlapping = [(disc, seat) for disc, seat in discs if disc is not None]
        patches = [
            _Patch(colour=self.colour_map.colours[seat.label - 1].name, middle=disc[:2], area=disc[2], aspect=1.0)
            for disc, seat in overlapping
        ]
        for (_, seat), ball in zip(overlapping, self._balls(patches), strict=True):
            if ball is not None:
                # What was found of it is its part beside the seated ball.
                near_px = 2.0 * seat.radius
                balls = [b for b in balls if math.hypot(b.x_px - ball.x_px, b.y_px - ball.y_px) > near_px]
                balls.append(ball)
        return self._shaded(balls, colours, luma)

    def _shaded(self, balls: Sequence[Loose], colours: NDArray[np.uint8], luma: NDArray[np.uint8]) -> tuple[Loose, ...]:
        """The balls but for those on the top face that are as light all over."""
        if not balls:
            return ()
        places = np.array([[ball.x_mm, ball.y_mm, self.ground.board_z_mm] for ball in balls])
        radii = (self.ground.table.camera.radius_px(places, self.ground.radius_mm) / 2).tolist()
        return tuple(
            ball
            for ball, radius in zip(balls, radii, strict=True)
            if ball.hole is not None or not self._is_flat(ball, WITHIN * radius, colours, luma)
        )

    def _is_flat(self, ball: Loose, reach: float, colours: NDArray[np.uint8], luma: NDArray[np.uint8]) -> bool:
        """Whether what looks like a ball is as light all over, up to ``reach`` pixels of the window from its middle."""
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

    def _patch(
        self, colour: str, contour: MatLike, box: Sequence[int], mask: NDArray[np.uint8], beside: NDArray[np.bool_]
    ) -> _Patch | None:
        """What is in an outline, and its box, of a colour's ``mask``; ``beside``: where that is in no small hole.
        None where it is no ball."""
        left, top, width, height = box
        there = (slice(top, top + height), slice(left, left + width))
        if np.count_nonzero(beside[there]) < (1.0 - MAX_RIM_SHARE) * self.least:
            return None
        _, found, stats, centroids = cv2.connectedComponentsWithStats(mask[there], ltype=cv2.CV_16U)
        parts = np.asarray(found, dtype=np.uint16)
        column, row = contour[0, 0].tolist()
        part = int(parts[row - top, column - left])
        area = int(stats[part, cv2.CC_STAT_AREA])
        is_own = parts == part
        if area < self.least or np.count_nonzero(is_own & beside[there]) < (1.0 - MAX_RIM_SHARE) * area:
            return None
        column, row = centroids[part].tolist()
        return _Patch(
            colour=colour,
            middle=(column + left, row + top),
            area=area,
            aspect=width / height,
            is_own=is_own,
            corner=(left, top),
        )

    def _balls(self, patches: Sequence[_Patch]) -> list[Loose | None]:
        """The ball that each of some patches shows, None where it hasn't a ball's size. All are asked of the camera at
        once."""
        if not patches:
            return []
        camera = self.ground.table.camera
        px = 2.0 * (np.array([patch.middle for patch in patches]) + self.corner[::-1]) + 0.5
        pits = [int(self.pits[int(row), int(column)]) for column, row in (patch.middle for patch in patches)]
        heights = np.array([self.ground.pit_z_mm if pit else self.ground.board_z_mm for pit in pits])
        places = camera.to_mm(px, heights)
        scales = camera.radius_px(places, 1.0)
        each = zip(patches, pits, px.tolist(), places[:, :2].tolist(), scales.tolist(), strict=True)
        return [self._ball(*seen) for seen in each]

    def _ball(
        self, patch: _Patch, pit: int, px: Sequence[float], place: Sequence[float], px_per_mm: float
    ) -> Loose | None:
        kinds = of_colour(self.kinds, patch.colour)
        low, high = PIT_AREA if pit else TOP_AREA
        least, most = (math.pi * (kind.radius_mm * px_per_mm) ** 2 for kind in (kinds[0], kinds[-1]))
        if not low * least <= 4.0 * patch.area <= high * most:
            return None
        if not pit and not 1 / TOP_ASPECT <= patch.aspect <= TOP_ASPECT:
            return None
        kind = nearest_kind(kinds, seen_px=2.0 * math.sqrt(patch.area / math.pi), px_per_mm=px_per_mm)
        return Loose(
            colour=patch.colour,
            ball=kind.name,
            x_px=px[0],
            y_px=px[1],
            x_mm=place[0],
            y_mm=place[1],
            hole=self.ground.pits[pit - 1].name if pit else None,
        )


def without_seated(colours: NDArray[np.uint8], seated: Sequence[Seated]) -> NDArray[np.uint8]:
    """Labels without the balls in holes: only pixels of a ball's own colour are taken out, since another may lie on
    top of it."""
    explained = np.zeros_like(colours)
    for seat in seated:
        cv2.circle(explained, (seat.column, seat.row), math.ceil(HALO * seat.radius), seat.label, -1)
    return np.asarray(colours * (colours != explained), dtype=np.uint8)
