"""What a reading of pins consists of: plain facts, in pixels of the picture and millimetres on the lane."""

from dataclasses import dataclass, replace
from typing import Literal

from referee.vision.pins.profiles import BOWLING, Profile

PinState = Literal["standing", "leaning", "fallen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PinSize:
    """How large a standing pin is: its height, and the radius of its belly; and how it is turned."""

    height_mm: float
    radius_mm: float
    profile: Profile = BOWLING

    def times(self, high: float, wide: float | None = None) -> "PinSize":
        """So many times as high, and as wide (as the height where not given)."""
        wide = high if wide is None else wide
        return replace(self, height_mm=self.height_mm * high, radius_mm=self.radius_mm * wide)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """A pin as seen in one picture.

    ``x_px``, ``y_px``: the foot of a standing pin, else its foot end (the middle where the ends can't be told apart).
    ``mm``: that foot on the lane's top face (world x, y), None in a picture that isn't calibrated. ``confidence``:
    that the state is right, 0 to 1. ``hidden``: share of its outline that other pins cover, 0 to 1.
    """

    state: PinState
    x_px: float
    y_px: float
    mm: tuple[float, float] | None
    head_px: tuple[float, float] | None
    confidence: float
    hidden: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PinReading:
    """All pins of a picture; ``standing`` and ``fallen`` (leaning ones too) are their numbers.

    ``confidence``: that the number standing is right, 0 to 1. ``review``: why a person should look, else None.
    ``lane_shift_mm``: how far the lane has been knocked out of the place where calibration saw it (east, north).
    """

    pins: tuple[Pin, ...]
    standing: int
    fallen: int
    confidence: float
    review: str | None
    lane_shift_mm: tuple[float, float] = (0.0, 0.0)
