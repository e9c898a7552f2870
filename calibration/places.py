"""Where a board may lie by its look, and whether that is surely it: enough shows, and there is no other place."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.borders import border_in_colour
from calibration.errors import BadCalibration
from calibration.evidence import REACHES, Pose
from calibration.outline import room_mm
from calibration.parts import Hole, Layout
from calibration.pattern import FEWEST, holes_apart_mm, rows_beyond
from calibration.planes import Planes
from calibration.rims import see_rims
from calibration.seeds import distances

# A board shows at least these shares of its rims and its border, and so much of both together.
LEAST_RIMS: Final = 0.4
LEAST_BORDER: Final = 0.62
LEAST_EVIDENCE: Final = 1.3
# What nowhere differs from what is beside it, in light or in colour, has edges but no border: a checked cloth.
LEAST_SET_OFF: Final = 0.15
# Of few holes more has to be seen.
FEW_RIMS: Final = 0.5
# A second place that looks as much like the board as the first one, less this, is one too many.
CLEAR_GAP: Final = 0.3
# A row of so many places beyond the layout's holes, of which more than this share are holes too, is of another board.
LEAST_ROW: Final = 3
MOST_BEYOND: Final = 0.5
# A side of the border is seen all along if this share of it is; a border if so much of all sides is, and half of each.
# Of a board in the table's colour, or half hidden, a corner with two such sides will do where nearly all rims show.
WHOLE_SIDE: Final = 0.85
HALF_SIDE: Final = 0.5
NEARLY_ALL_RIMS: Final = 0.75
# Two guesses that put corners this near to each other, in distances between holes, are one: a grid's holes are met
# again a whole one further. Of few holes the same in widths of the board.
SAME_GRID: Final = 0.75
SAME_PLACE: Final = 0.05
REMEDY: Final = "give its four --corners, SW SE NE NW in pixels, light it evenly, or lay printed markers"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """Where a board may lie, in all ``ways`` round, the best first; ``in_colour``: the share of each side of its
    border that sets off the board, in light or in colour, from what is beside it.

    Lines on a cloth look like a border where only edges are asked for; and a motley cloth is now lighter, now darker
    than the board, so that there is no such edge.
    """

    ways: Sequence[Pose]
    in_colour: tuple[float, ...]

    @classmethod
    def of(cls, ways: Sequence[Pose], planes: Planes, layout: Layout) -> "Place":
        return cls(ways=ways, in_colour=border_in_colour(planes, layout, ways[0].view.camera))

    @property
    def pose(self) -> Pose:
        return self.ways[0]

    @property
    def borders(self) -> tuple[float, float]:
        """Which part of the border shows, by its edges and by colour."""
        return self.pose.borders.share, float(np.mean(self.in_colour))

    @property
    def shows_border(self) -> bool:
        """Whether enough of the border shows to tell that the board ends where the layout does."""
        corners = zip(self.in_colour, self.in_colour[1:] + self.in_colour[:1], strict=True)
        has_corner = any(min(sides) >= WHOLE_SIDE for sides in corners)
        if min(self.borders) < LEAST_SET_OFF:
            return False
        return max(self.borders) >= LEAST_BORDER or (has_corner and self.pose.rims.agreed >= NEARLY_ALL_RIMS)

    @property
    def ends(self) -> bool:
        """Whether the border is seen all around, by its edges or by colour: the board has no holes beyond it."""
        looks = [sides for sides in (self.pose.borders.shares, self.in_colour) if len(sides) == len(self.in_colour)]
        return any(float(np.mean(sides)) >= WHOLE_SIDE and min(sides) >= HALF_SIDE for sides in looks)

    @property
    def most(self) -> float:
        """How much of rims and border shows, 0 to 2, where either look of the border will do."""
        return self.pose.rims.agreed + max(self.borders)

    @property
    def least(self) -> float:
        """The same where the border has to show in both ways."""
        return self.pose.rims.agreed + min(self.borders)


def check_places(places: Sequence[Place], luma: NDArray[np.float32], layout: Layout, tried: str) -> None:
    """Raise unless the first place shows enough of the board, and no other nearly as much."""
    best = places[0]
    least_rims = LEAST_RIMS if len(layout.holes) >= FEWEST else FEW_RIMS
    if best.pose.rims.agreed < least_rims or not best.shows_border or best.most < LEAST_EVIDENCE:
        border = (min if min(best.borders) < LEAST_SET_OFF else max)(best.borders)
        wrong = (
            f"{tried}what looks like this board shows {best.pose.rims.agreed:.0%} of its holes' rims and "
            f"{border:.0%} of its border where the layout has them"
        )
        raise BadCalibration(wrong, layout.name, f"{REMEDY}; or give the layout of this board")
    if _has_more_holes(best.pose, luma, layout, within=best.ends):
        wrong = f"{tried}what looks like this board has more holes than the layout"
        raise BadCalibration(wrong, layout.name, "give the layout of this board")
    same = SAME_PLACE if len(layout.holes) < FEWEST else SAME_GRID * holes_apart_mm(layout) / max(layout.size_mm)
    for other in places[1:]:
        if other.least > best.most - CLEAR_GAP and _apart(best.pose, other.pose, layout) > same:
            wrong = f"{tried}more than one place in view looks like this board"
            raise BadCalibration(wrong, layout.name, REMEDY)


def _has_more_holes(pose: Pose, luma: NDArray[np.float32], layout: Layout, *, within: bool) -> bool:
    """Whether the rows of holes go on beyond the layout's: it fits onto a part of a larger board.

    ``within``: the board ends where the layout does, so that it has no holes outside, whatever looks like them.
    """
    if len(layout.holes) < FEWEST:
        return False
    for row in rows_beyond(layout):
        beyond = tuple(hole for hole in row if not within or _has_room(hole, layout))
        if len(beyond) < LEAST_ROW:
            continue
        rims = see_rims(luma, replace(layout, holes=beyond), pose.view.camera, REACHES[-1].rims)
        if rims.expected >= LEAST_ROW and rims.share > MOST_BEYOND:
            return True
    return False


def _has_room(hole: Hole, layout: Layout) -> bool:
    """Whether a hole would lie on the board as a whole."""
    return room_mm((hole.x_mm, hole.y_mm), layout.outline_mm) > hole.radius_mm


def _apart(one: Pose, other: Pose, layout: Layout) -> float:
    """How far the farthest corner of one is from all corners of the other, as a share of the board's width."""
    corners = np.array(layout.corners_mm)
    a, b = one.view.camera.to_px(corners), other.view.camera.to_px(corners)
    return float(distances(a, b).min(axis=1).max() / np.ptp(a, axis=0).max())
