"""Where a lane stands now: its box slides a little on the table with every tap, the camera stays where it is."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.lane_look import LaneLook, look_at_lane
from calibration.strips import planes_of
from calibration.table import Table
from hardware.frame import Frame

Array = NDArray[np.float64]

# Taps push a box a few millimetres: so far off it is looked for, then nearer, at so many points of each side.
REACHES_MM: Final = (9.0, 2.0)
POINTS: Final = 24
# Of the line around the field (of the lid's edge, where there is no line) at least so much has to show.
LEAST_SHARE: Final = 0.4
# Places on the lane have to be fixed to this, one standard deviation, in mm.
UNSURE_MM: Final = 0.5
# Beyond this many standard deviations a point loses its say.
CAUCHY: Final = 2.5
STEPS: Final = 5
# The turn is tried with so small a one, in radians; a quarter turn on the table, as a matrix for rows.
SMALL: Final = 0.01
QUARTER: Final = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])


def refined(table: Table, frame: Frame) -> Table | None:
    """The table with its lane where it stands in a settled frame; None where too little of it shows to tell.

    The lane's millimetres go with its box: a pin that was carried along has the same place as before. The camera and
    the table top are taken to be where they were; a slide and a turn on the table are found, by the line around the
    field and the edge of the lid. Costs a few milliseconds.
    """
    planes = planes_of(frame)
    camera = table.camera
    for reach_mm in REACHES_MM:
        look = look_at_lane(planes, table.layout, camera, reach_mm, with_foot=False, samples=POINTS)
        slide = _slide(look, camera)
        if slide is None or np.hypot(*slide.shift_mm) > REACHES_MM[0]:
            return None
        camera = slide.followed_by(camera)
    sharpest = look.agreeing(camera).sharpest
    return None if sharpest is None or sharpest.share < LEAST_SHARE else replace(table, camera=camera)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Slide:
    """How a box moved on the table: by ``shift_mm``, (2,), and counter-clockwise by ``turn_rad`` about its origin."""

    shift_mm: Array
    turn_rad: float

    def followed_by(self, camera: CameraModel) -> CameraModel:
        """The camera as the box sees it after it moved."""
        c, s = np.cos(self.turn_rad), np.sin(self.turn_rad)
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        shift = np.array([*self.shift_mm, 0.0])
        rotation = camera.rotation @ turn
        return replace(camera, rotation=rotation, translation_mm=camera.translation_mm + camera.rotation @ shift)


def _slide(look: LaneLook, camera: CameraModel) -> _Slide | None:
    """The slide that brings a lane's sides onto what is seen of them: least squares with Cauchy weights."""
    slopes, misses, shares = [], [], []
    for sighting in look.sightings:
        if sighting.across is None:
            continue
        places = sighting.base_mm + sighting.spread_mm
        here = camera.to_px(places)
        # Places move by 1 mm east, by 1 mm north, and by a turn of 1 radian.
        moves = (np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), places @ QUARTER * SMALL)
        sizes = (1.0, 1.0, SMALL)
        columns = [
            ((camera.to_px(places + move) - here) * sighting.across).sum(axis=1) / size
            for move, size in zip(moves, sizes, strict=True)
        ]
        slopes.append(np.stack(columns, axis=1) / sighting.sigma_px)
        misses.append(((sighting.seen_px - here) * sighting.across).sum(axis=1) / sighting.sigma_px)
        shares.append(np.full(len(here), sighting.share))
    if not slopes:
        return None
    jacobian, miss, share = np.concatenate(slopes), np.concatenate(misses), np.concatenate(shares)
    found = np.zeros(3)
    for _ in range(STEPS):
        weights = share / (1 + ((miss - jacobian @ found) / CAUCHY) ** 2)
        normal = jacobian.T @ (jacobian * weights[:, None])
        if np.linalg.cond(normal) > 1e12:
            return None
        found = np.linalg.solve(normal, jacobian.T @ (weights * miss))
    if float(np.sqrt(np.linalg.inv(normal)[:2, :2].diagonal().max())) > UNSURE_MM:
        return None
    return _Slide(shift_mm=found[:2], turn_rad=float(found[2]))
