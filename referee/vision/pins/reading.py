"""Reading one picture of a lane: which pins stand, lean and lie."""

from collections.abc import Sequence

from calibration.table import Table
from hardware.frame import Frame
from referee.vision.pins.pin import Pin, PinReading, PinSize, PinState

__all__ = ["Pin", "PinReader", "PinReading", "PinSize", "PinState", "read_uncalibrated"]


class PinReader:
    """Reads the pins of one table in frames of one size."""

    def __init__(self, table: Table, size: PinSize | None = None) -> None:
        self._table = table
        self._size = size

    def read(self, frame: Frame, known: Sequence[Pin] = ()) -> PinReading:
        """Read one settled frame; ``known``: pins that stood before and weren't touched since."""
        return PinReading(pins=tuple(known), standing=len(known), fallen=0, confidence=0.0, review="not read")


def read_uncalibrated(frame: Frame) -> PinReading:
    """Read a picture of anywhere: pins in pixels only."""
    return PinReading(pins=(), standing=0, fallen=0, confidence=0.0, review="not read")
