"""Where a lane stands now: its box slides a little on the table with every tap, the camera stays where it is."""

from dataclasses import replace
from typing import Final

import numpy as np

from calibration.lane_look import look_at_lane
from calibration.planes import planes_of
from calibration.slide import slide_of
from calibration.table import Table
from hardware.frame import Frame

# Taps push a box a few millimetres: so far off it is looked for, then nearer, at so many points of each side.
REACHES_MM: Final = (9.0, 2.0)
POINTS: Final = 24
# Of the line around the field (of the lid's edge, where there is no line) at least so much has to show.
LEAST_SHARE: Final = 0.4
# Places on the lane have to be fixed to this, one standard deviation, in mm.
UNSURE_MM: Final = 0.5


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
        slide = slide_of(look.sightings, camera)
        if slide is None or slide.unsure_mm > UNSURE_MM or np.hypot(*slide.shift_mm) > REACHES_MM[0]:
            return None
        camera = slide.carried(camera)
    sharpest = look.agreeing(camera).sharpest
    return None if sharpest is None or sharpest.share < LEAST_SHARE else replace(table, camera=camera)
