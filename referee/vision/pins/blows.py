"""Blows on the box, out of how it shifts: it jumps by a millimetre or two within a few hundredths of a second."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.vision.pins.box import BoxShift

STEP_MM: Final = 0.3
"""Shift that is a blow: five times what the measurement is off in poor light, a fifth of what a light tap does."""

MOVING_MM: Final = 0.1
"""Shift that is none of the measurement's noise: where a jump begins."""

WITHIN_S: Final = 0.04
"""Time in which a blow shifts the box: friction stops what slides by two millimetres in 30 ms; a push takes longer."""

SAME_S: Final = 0.4
"""Shakes so soon after a blow belong to it: the stick bounces, the box rocks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blow:
    """``t_s``: of the first picture that shows the box shifted; ``mm``: how far it jumped at least."""

    t_s: float
    mm: float


class Blows:
    """Takes in where the box is, picture by picture, and tells of its jumps."""

    def __init__(self) -> None:
        self._places: list[tuple[float, float, float]] = []
        self._found: list[Blow] = []

    @property
    def found(self) -> tuple[Blow, ...]:
        """The blows since the last ``clear``, in order."""
        return tuple(self._found)

    def clear(self, kept: Sequence[Blow] = ()) -> None:
        """Forget all but these blows; the box is now where it is reckoned from."""
        self._places.clear()
        self._found = list(kept)

    def add(self, t_s: float, shift: BoxShift) -> None:
        """Take in the next place of the box."""
        places = self._places
        before = [place for place in places if t_s - place[0] <= WITHIN_S] or places[-1:] or [(t_s, 0.0, 0.0)]
        places.append((t_s, shift.x_mm, shift.y_mm))
        del places[: -max(2, len(before) + 1)]
        _, x_mm, y_mm = before[0]
        jump_mm = math.hypot(shift.x_mm - x_mm, shift.y_mm - y_mm)
        if jump_mm < STEP_MM:
            return
        began_s = next(t for t, x, y in places if t >= before[0][0] and math.hypot(x - x_mm, y - y_mm) > MOVING_MM)
        if self._found and began_s - self._found[-1].t_s < SAME_S:
            return
        self._found.append(Blow(t_s=began_s, mm=jump_mm))
