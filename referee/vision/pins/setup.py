"""Is a set-up as the rules want it? Pins that touch, pins on or outside the border, pins that are missing."""

from calibration.layout import Layout
from referee.vision.pins.pin import PinReading


def problems_of(reading: PinReading, layout: Layout) -> tuple[str, ...]:
    """What is wrong with a set-up: "touching 3 4", "outside 7"; empty where nothing is."""
    return ()
