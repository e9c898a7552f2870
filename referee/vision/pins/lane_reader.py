"""Reading a lane whose box is knocked about a little: places are always told from where it is now."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from hardware.frame import Frame
from referee.vision.pins.pin import Pin, PinReading, PinSize
from referee.vision.pins.reading import PinReader
from referee.vision.pins.zone import pin_height_mm

FAR_MM: Final = 8.0
"""How far a box may be from where its reader expects it: making another reader takes as long as a reading."""


class LaneReader:
    """A PinReader that lasts while the box shifts by a few millimetres."""

    def __init__(self, table: Table) -> None:
        self._table, self._reader = table, PinReader(table)

    @property
    def size(self) -> PinSize:
        """Of a pin, as learned from those read."""
        return self._reader.size

    def read(
        self,
        frame: Frame,
        now: Table,
        known: Sequence[Pin] = (),
        *,
        changed_px: NDArray[np.float64] | None = None,
        may_come: bool = False,
    ) -> PinReading:
        """Read one settled frame, in millimetres of the table as it is seen now; the rest is as for PinReader."""
        shift_mm = self._shift_mm(now)
        if float(np.hypot(*shift_mm)) > FAR_MM:
            self._aim(now)
            shift_mm = np.zeros(2)
        lane_mm = (float(shift_mm[0]), float(shift_mm[1]))
        placed = _placed(known, self._table)
        reading = self._reader.read(frame, placed, changed_px=changed_px, may_come=may_come, lane_mm=lane_mm)
        east, north = np.array(reading.lane_shift_mm) - shift_mm
        return replace(reading, pins=_placed(reading.pins, now), lane_shift_mm=(float(east), float(north)))

    def _aim(self, table: Table) -> None:
        self._table, self._reader = table, PinReader(table, self._reader.size)

    def _shift_mm(self, now: Table) -> NDArray[np.float64]:
        """How far the middle of the box is, east and north, from where the reader expects it."""
        middle = np.array([[0.0, 0.0, now.layout.height_mm]])
        place = self._table.camera.to_mm(now.camera.to_px(middle), now.layout.height_mm)[0]
        return np.asarray(place[:2], dtype=np.float64)


def seen_from(reading: PinReading, table: Table) -> PinReading:
    """A reading as it would be seen from elsewhere: the same places in millimetres, in other pixels."""
    top_mm, high_mm = table.layout.height_mm, pin_height_mm(table)
    pins = []
    for pin in reading.pins:
        if pin.mm is None:
            continue
        foot, head = table.camera.to_px(np.array([[*pin.mm, top_mm], [*pin.mm, top_mm + high_mm]])).tolist()
        stands = pin.state == "standing"
        pins.append(replace(pin, x_px=foot[0], y_px=foot[1], head_px=(head[0], head[1]) if stands else None))
    return replace(reading, pins=tuple(pins))


def _placed(pins: Sequence[Pin], table: Table) -> tuple[Pin, ...]:
    """Pins with the places of their feet on a table's lane."""
    if not pins:
        return ()
    feet = table.camera.to_mm(np.array([[pin.x_px, pin.y_px] for pin in pins]), table.layout.height_mm)
    return tuple(replace(pin, mm=(float(x), float(y))) for pin, (x, y, _) in zip(pins, feet, strict=True))
