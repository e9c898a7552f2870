"""What a picture shows of a lane where a camera expects it: the line around its field, its lid's edge and its foot."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.outline import room_mm
from calibration.parts import Layout
from calibration.perspective import Projection
from calibration.planes import Planes
from calibration.solve import Sighting
from calibration.strips import SAMPLES, SeenStrip, Strip, see_strip

Array = NDArray[np.float64]

# How well people draw a line and measure a box: one standard deviation, as a share of the size.
LINE_SPREAD: Final = 0.004
BOX_SPREAD: Final = 0.01
# Lids have rounded edges: where they seem to end depends on the light. One standard deviation.
LID_MM: Final = 0.8
FOOT_MM: Final = 0.8
# A field nearer than this to the lid's edge all around has no edge of its own.
LEAST_RIM_MM: Final = 2.0
# A field without a border may have the lid's colour: with less of its edge to be seen it is left out.
LEAST_FIELD: Final = 0.5
# What lies next to a side stays out of view with what is looked at beside it: twice this share, and some blur.
UP_TO_NEXT: Final = 0.38
# So much of the rim beside the line is looked at with it: the lid's edge stays out of view.
BESIDE: Final = 0.7
# But at least this near. Faces that are no higher in the picture than this show no foot.
LEAST_REACH_MM: Final = 1.0
FACE_PX: Final = 6.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LaneLook:
    """``line``: the border of the field, None where the layout has none; ``foot``: None where none is looked for."""

    lid: SeenStrip | None
    line: SeenStrip | None
    foot: SeenStrip | None

    @property
    def sharpest(self) -> SeenStrip | None:
        """What tells places best: the line, else the lid's edge."""
        return self.lid if self.line is None else self.line

    @property
    def evidence(self) -> float:
        """How much of lid and line shows, 0 to 1."""
        shares = [each.share for each in (self.lid, self.line) if each is not None]
        return float(np.mean(shares)) if shares else 0.0

    @property
    def sightings(self) -> tuple[Sighting, ...]:
        parts = (self.line, self.lid, self.foot)
        return tuple(each.sighting for each in parts if each is not None and len(each.sighting.seen_px))

    @property
    def missing(self) -> float:
        """How many sides don't show, whole or in parts, of line, lid and foot together."""
        strips = [each for each in (self.line, self.lid, self.foot) if each is not None]
        return float(sum(1 - share for strip in strips for share in strip.shares))

    def agreeing(self, camera: CameraModel) -> "LaneLook":
        """The same with only those points counted as seen that lie where a camera has them."""
        lid, line, foot = (each and each.agreeing(camera) for each in (self.lid, self.line, self.foot))
        return LaneLook(lid=lid, line=line, foot=foot)


def has_line(layout: Layout) -> bool:
    """Whether the field has an edge of its own within the lid."""
    return has_border(layout) or _rim_mm(layout) >= LEAST_RIM_MM


def has_border(layout: Layout) -> bool:
    """Whether a line is drawn around the field."""
    return layout.lane is not None and layout.lane.border_mm > 0


def look_at_lane(
    planes: Planes,
    layout: Layout,
    seen_by: Projection,
    reach_mm: float,
    *,
    only_line: bool = False,
    samples: int = SAMPLES,
) -> LaneLook:
    """What shows within ``reach_mm`` of where a camera expects it; the foot only where it faces a camera.

    ``only_line``: leave lid and foot out, beside which others lie that look alike. ``samples``: points on each side.
    """
    line = lid = foot = None
    if has_line(layout):
        line = see_strip(planes, replace(_line_strip(layout, reach_mm), samples=samples), seen_by)
        if not has_border(layout) and line.share < LEAST_FIELD:
            line = None
    # Where the line runs along the lid's edge, that edge is the line's.
    if line is None or not (only_line or _rim_mm(layout) < LEAST_RIM_MM):
        lid_reach = reach_mm if line is None else min(reach_mm, UP_TO_NEXT * _rim_mm(layout))
        lid = see_strip(planes, replace(_lid_strip(layout, lid_reach, seen_by), samples=samples), seen_by)
    if not only_line and isinstance(seen_by, CameraModel):
        foot = see_strip(planes, _foot_strip(layout, reach_mm, seen_by), seen_by)
    return LaneLook(lid=lid, line=line, foot=foot)


def _rim_mm(layout: Layout) -> float:
    """How wide the lid is beside the field and its border, at least."""
    if layout.lane is None:
        return 0.0
    rooms = [room_mm((x, y), layout.outline_mm) for x, y, _ in layout.lane.corners_mm]
    return max(min(rooms) - layout.lane.border_mm, 0.0)


def _line_strip(layout: Layout, reach_mm: float) -> Strip:
    lane = layout.lane
    assert lane is not None
    corners = np.array(lane.corners_mm)
    cuts = (0.0, lane.border_mm) if lane.border_mm > 0 else (0.0,)
    sides = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
    middle = corners.mean(axis=0)
    return Strip(
        sides_mm=sides,
        cuts_mm=cuts,
        reaches_mm=(reach_mm,) * len(sides),
        context_mm=BESIDE * _rim_mm(layout) if _rim_mm(layout) >= LEAST_RIM_MM else np.inf,
        spread_mm=sides - middle,
        scale_spread=LINE_SPREAD,
        loose_mm=0.0,
    )


def _lid_strip(layout: Layout, reach_mm: float, seen_by: Projection) -> Strip:
    """The lid's edges; those of faces that the camera sees are looked for no further off than up to their feet."""
    sides = _sides(layout, layout.height_mm)
    reaches = np.full(len(sides), reach_mm)
    if isinstance(seen_by, CameraModel):
        below_mm = _below_mm(layout, seen_by)
        reaches = np.where(
            below_mm > 0, np.minimum(reaches, np.maximum(UP_TO_NEXT * below_mm, LEAST_REACH_MM)), reaches
        )
    return Strip(
        sides_mm=sides,
        cuts_mm=(0.0,),
        reaches_mm=tuple(reaches.tolist()),
        context_mm=np.inf,
        spread_mm=sides - np.array([0.0, 0.0, layout.height_mm]),
        scale_spread=BOX_SPREAD,
        loose_mm=LID_MM,
    )


def _foot_strip(layout: Layout, reach_mm: float, camera: CameraModel) -> Strip:
    """The lower edges of the faces that the camera sees."""
    sides, lid = _sides(layout, 0.0), _sides(layout, layout.height_mm)
    below_mm = _below_mm(layout, camera)
    face_px = np.linalg.norm(camera.to_px(sides.mean(axis=1)) - camera.to_px(lid.mean(axis=1)), axis=1)
    seen = (below_mm > 0) & (face_px > FACE_PX)
    reaches = np.minimum(reach_mm, UP_TO_NEXT * below_mm[seen])
    return Strip(
        sides_mm=sides[seen],
        cuts_mm=(0.0,),
        reaches_mm=tuple(reaches.tolist()),
        context_mm=np.inf,
        spread_mm=sides[seen],
        scale_spread=BOX_SPREAD,
        loose_mm=FOOT_MM,
    )


def _sides(layout: Layout, z_mm: float) -> Array:
    """The sides of the outline at a height, (n, 2, 3), counter-clockwise from above."""
    corners = np.array([(x, y, z_mm) for x, y in layout.outline_mm])
    return np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)


def _below_mm(layout: Layout, camera: CameraModel) -> Array:
    """How far outside of each edge of the lid its foot is seen, on the lid's plane, (n,); negative: it is hidden."""
    sides = _sides(layout, 0.0)
    along = sides[:, 1] - sides[:, 0]
    outwards = np.column_stack([along[:, 1], -along[:, 0], np.zeros(len(along))])
    outwards /= np.linalg.norm(outwards, axis=1, keepdims=True)
    away_mm = (outwards * (camera.centre_mm - sides.mean(axis=1))).sum(axis=1)
    return np.asarray(away_mm * layout.height_mm / max(float(camera.centre_mm[2]), layout.height_mm))
