"""Ball colours as they look in this light: learned from balls that lie in holes, followed as the light turns."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.vision.colours import BallColour

LEARN_S = 0.5
"""Time between two looks at the balls that lie."""

RATE = 0.3
"""Part of the way to what is seen that a look goes: half of it in a second. Daylight and lamps turn slower."""

FAMILIAR_DEG = 20.0
"""Farthest that a ball's hue is from where it was believed for the ball to be learned from: else it is another's."""

FARTHEST_DEG = 45.0
"""Farthest that light turns a hue: beyond, a red ball would be called yellow."""

APART_DEG = 20.0
"""Least distance of two colours' hues: nearer they can't be told apart, so neither follows the other."""

STEP_DEG = 3.0
"""Change of a hue from which it is worth making new tables of colours."""


class Palette:
    """The colours of a game's balls, each with the hue that its balls show now."""

    def __init__(self, colours: Sequence[BallColour]) -> None:
        self._named = {colour.name: colour for colour in colours}
        self._hues = {colour.name: colour.hue_deg for colour in colours}
        self.colours: tuple[BallColour, ...] = tuple(colours)

    def learn(self, seen: Mapping[str, float]) -> bool:
        """Take in the hues, in degrees, of balls that lie; gives whether ``colours`` are other ones now."""
        for name, hue in seen.items():
            turn = _turn(self._hues[name], hue)
            new = self._hues[name] + RATE * turn
            others = [other for named, other in self._hues.items() if named != name]
            is_apart = all(
                abs(_turn(new, other)) >= min(APART_DEG, abs(_turn(self._hues[name], other))) for other in others
            )
            if abs(turn) <= FAMILIAR_DEG and abs(_turn(self._named[name].hue_deg, new)) <= FARTHEST_DEG and is_apart:
                self._hues[name] = new
        if all(abs(_turn(colour.hue_deg, self._hues[colour.name])) < STEP_DEG for colour in self.colours):
            return False
        self.colours = tuple(replace(colour, hue_deg=self._hues[colour.name]) for colour in self.colours)
        return True


def _turn(from_deg: float, to_deg: float) -> float:
    """The shorter way from one hue to another, -180 to 180 degrees."""
    return (to_deg - from_deg + 180.0) % 360.0 - 180.0
