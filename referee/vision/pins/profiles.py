"""Shapes that pins are turned to: solids of revolution, told as balls strung along their axis."""

from typing import Final

Profile = tuple[tuple[float, float], ...]
"""Centres of the balls as shares of the height, and their radii as shares of the largest one's."""

BOWLING: Final[Profile] = (
    (0.055, 0.66),
    (0.13, 0.82),
    (0.22, 0.95),
    (0.30, 1.00),
    (0.38, 0.97),
    (0.46, 0.83),
    (0.54, 0.62),
    (0.62, 0.47),
    (0.69, 0.43),
    (0.77, 0.46),
    (0.84, 0.52),
    (0.915, 0.53),
)
"""A bowling pin as its rules draw it (38.1 cm high, belly 12.1 cm, neck 4.6 cm, head 6.5 cm), which toy pins copy."""

PEG: Final[Profile] = (
    (0.06, 1.00),
    (0.14, 0.98),
    (0.22, 0.94),
    (0.30, 0.88),
    (0.38, 0.80),
    (0.46, 0.70),
    (0.54, 0.60),
    (0.62, 0.51),
    (0.70, 0.45),
    (0.77, 0.58),
    (0.83, 0.72),
    (0.88, 0.72),
)
"""A foot that narrows upwards, with a round head on it."""

ROLLER: Final[Profile] = tuple((share / 100, 1.0) for share in (8, 15, 22, 30, 38, 46, 54, 62, 69, 77, 84, 91))
"""A cylinder."""

CONE: Final[Profile] = tuple(
    (share / 100, 1.02 - share / 110) for share in (6, 13, 21, 29, 37, 45, 53, 61, 69, 77, 85, 93)
)

FAMILY: Final = (BOWLING, PEG, ROLLER, CONE)
