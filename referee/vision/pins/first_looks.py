"""How pins looked when they were read: those that stand as they did are put back to where that says they are.

Each time that a pin is found from where it was last adds an error, which is small, but always to the same side.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from calibration.table import Table
from hardware.frame import Plane
from referee.vision.pins.bodies import body
from referee.vision.pins.change import standing
from referee.vision.pins.patches import LEAST_REACH_PX, Find, Patch, halves, moved
from referee.vision.pins.pin import Pin, PinReading, PinSize
from referee.vision.pins.reel import Reel

SAME_LOOK: Final = 0.93
"""Correlation of both halves of a pin from which it is the same pin, standing: one that leans has less."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FirstLook:
    """A pin as it was read, and the looks of its halves and of its body alone then."""

    pin: Pin
    halves: Sequence[Patch]
    body: Patch | None


class FirstLooks:
    """The first looks of the pins that stand."""

    def __init__(self) -> None:
        self._looks: dict[Pin, FirstLook] = {}
        self._found: dict[Pin, FirstLook] = {}

    def put_right(self, before: Pin, after: Pin, now: Table, luma: Plane) -> Pin:
        """A pin of the last reading that was found again from there, where its first look has it: the same pin if that
        isn't seen any more. ``luma``: the newest picture of the reel."""
        look = self._looks.get(before)
        if look is None:
            return after
        ahead_px = ((after.x_px - look.pin.x_px) / 2, (after.y_px - look.pin.y_px) / 2)
        finds = _finds(look.halves, luma, ahead_px)
        if len(finds) < 2:
            # What is around it may have changed.
            finds = [] if look.body is None else _finds([look.body], luma, ahead_px)
        if not finds:
            return after
        right = replace(moved(look.pin, finds, now), confidence=after.confidence)
        self._found[right] = look
        return right

    def take(self, reading: PinReading, now: Table, size: PinSize, reel: Reel) -> None:
        """Remember the looks of the pins of a new reading in the newest picture; of those put right, the first ones."""
        found, self._found = self._found, {}
        self._looks = {
            pin: found.get(pin) or _look_of(pin, reading.pins, now, size, reel) for pin in standing(reading.pins)
        }


def _look_of(pin: Pin, others: Sequence[Pin], now: Table, size: PinSize, reel: Reel) -> FirstLook:
    patches = [replace(patch, reach=LEAST_REACH_PX) for patch in halves(pin, now, reel, reel.newest)]
    own = body(pin, others, now, size, reel, reel.newest)
    return FirstLook(pin=pin, halves=patches, body=None if own is None else replace(own, reach=LEAST_REACH_PX))


def _finds(patches: Sequence[Patch], luma: Plane, ahead_px: tuple[float, float]) -> list[Find]:
    """Where those of some patches are that look as they did."""
    finds = (patch.find(luma, ahead_px, slants=True) for patch in patches)
    return [find for find in finds if find is not None and find.likeness >= SAME_LOOK]
