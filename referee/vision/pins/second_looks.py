"""Pins that are read in doubt are read again while nothing moves: noise differs from picture to picture."""

from typing import Final

from referee.vision.pins.change import gap_mm
from referee.vision.pins.pin import PinReading

AGAIN_S: Final = 0.1
"""Time between two looks at the same pins."""

MOST: Final = 4
"""Looks that are worth their while: each takes as long as many pictures."""

NO_DOUBT: Final = 0.9
"""Confidence from which another look tells nothing new."""

SAME_PLACES_MM: Final = 0.2
"""How far apart two looks see the pins on average, up to which they saw the same picture: noise makes a millimetre."""


class SecondLooks:
    """Says when to look again, and which of two readings of pins that nobody has touched is the better one."""

    def __init__(self, full: int) -> None:
        """``full``: pins of a whole set."""
        self._full = full
        self._last: PinReading | None = None
        self._left = 0
        self._looked_s = 0.0

    def begin(self, t_s: float, *, is_new: bool) -> None:
        """Pins have been read; only where nothing was known of them before (``is_new``) are there other looks."""
        self._left, self._looked_s, self._last = MOST if is_new else 0, t_s, None

    def is_due(self, reading: PinReading, t_s: float) -> bool:
        """Whether to look again now, which counts as a look."""
        # Of a whole set another look would only say that it is whole.
        is_open = reading.confidence < NO_DOUBT and not self._is_whole(reading)
        if not self._left or not is_open or t_s - self._looked_s < AGAIN_S:
            return False
        self._left, self._looked_s = self._left - 1, t_s
        return True

    def better(self, one: PinReading, other: PinReading) -> PinReading:
        """The better one: more often than not a whole set stands, so one that accounts for it and is in no doubt
        wins; then the surer one.

        ``other``: of the newest look; where it saw what the one before it saw, noise isn't what makes the doubt, and
        there will be no more.
        """
        last, self._last = self._last or one, other
        if _saw_the_same(last, other):
            self._left = 0
        return max(one, other, key=lambda each: (self._is_whole(each), each.confidence))

    def _is_whole(self, reading: PinReading) -> bool:
        return reading.standing >= self._full and not reading.review


def _saw_the_same(one: PinReading, other: PinReading) -> bool:
    if (one.standing, one.fallen) != (other.standing, other.fallen):
        return False
    gaps_mm = [min(gap_mm(pin, there) for there in other.pins) for pin in one.pins]
    return sum(gaps_mm) <= SAME_PLACES_MM * len(gaps_mm)
