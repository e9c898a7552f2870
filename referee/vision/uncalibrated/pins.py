"""Pins in an unknown view, as far as they can be believed."""

from typing import Final

from hardware.frame import Frame
from referee.vision.pins.reading import PinReading, read_uncalibrated

CLEAR: Final = 0.7
"""Confidence in a pin of an unknown view that stands in plain view: where there are pins, one does, and edges of cards
or boards, which look a little like many, never reach it."""

LEAST_SIDE_PX: Final = 64
MOST_SIDES: Final = 8
"""Shorter side of a picture, and its longer one against it, from which and up to which pins can be seen in it."""

NO_PINS: Final = PinReading(pins=(), standing=0, fallen=0, confidence=1.0, review=None)


def unknown_pins(frame: Frame) -> PinReading:
    """The pins of an unknown view, if one of them at least looks like nothing else; else none of them is one."""
    shorter, longer = sorted((frame.width_px, frame.height_px))
    if shorter < LEAST_SIDE_PX or longer > MOST_SIDES * shorter:
        return NO_PINS
    pins = read_uncalibrated(frame)
    return pins if any(pin.confidence >= CLEAR for pin in pins.pins) else NO_PINS
