"""Reading a lane whose box is knocked about a little: places are always told from where it is now."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from hardware.frame import Frame
from referee.vision.pins.pin import Pin, PinReading
from referee.vision.pins.reading import PinReader

FAR_MM: Final = 4.0
"""How far a box may be from where its reader expects it: making another reader takes as long as a reading."""


class LaneReader:
    """A PinReader that lasts while the box shifts by a few millimetres."""

    def __init__(self, table: Table) -> None:
        self._aim(table)

    def read(self, frame: Frame, now: Table, known: Sequence[Pin] = ()) -> PinReading:
        """Read one settled frame, in millimetres of the table as it is seen now; ``known`` as for PinReader."""
        shift_mm = self._shift_mm(now)
        if float(np.hypot(*shift_mm)) > FAR_MM:
            self._aim(now)
            shift_mm = np.zeros(2)
        reading = self._reader.read(frame, _placed(known, self._table))
        east, north = np.array(reading.lane_shift_mm) - shift_mm
        return replace(reading, pins=_placed(reading.pins, now), lane_shift_mm=(float(east), float(north)))

    def _aim(self, table: Table) -> None:
        self._table = table
        self._reader = PinReader(table)

    def _shift_mm(self, now: Table) -> NDArray[np.float64]:
        """How far the middle of the box is, east and north, from where the reader expects it."""
        middle = np.array([[0.0, 0.0, now.layout.height_mm]])
        place = self._table.camera.to_mm(now.camera.to_px(middle), now.layout.height_mm)[0]
        return np.asarray(place[:2], dtype=np.float64)


def _placed(pins: Sequence[Pin], table: Table) -> tuple[Pin, ...]:
    """Pins with the places of their feet on a table's lane."""
    if not pins:
        return ()
    feet = table.camera.to_mm(np.array([[pin.x_px, pin.y_px] for pin in pins]), table.layout.height_mm)
    return tuple(replace(pin, mm=(float(x), float(y))) for pin, (x, y, _) in zip(pins, feet, strict=True))
