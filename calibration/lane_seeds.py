"""Where a lane may be in a picture: perspectives of its lid that put the layout's lines onto straight ones there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.drawn_lines import Drawn, distinct, homographies_onto
from calibration.lane_look import has_line, look_at_lane
from calibration.lens import Lens
from calibration.parts import Layout
from calibration.perspective import Plane
from calibration.planes import Planes
from calibration.strips import FEW_SAMPLES

Array = NDArray[np.float64]

# Perspectives that are looked at closely.
HOPEFUL: Final = 10
HOPEFUL_FACES: Final = 5
# A field this near to the middle of the lid is in its middle.
EVEN_MM: Final = 1.0
# How far off lines are looked for at last, as a share of the lid's smaller side.
REACH: Final = 0.04


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Guess:
    """A perspective of the lid's face, and how much of lid and line shows near it at a first look, 0 to 1."""

    plane: Plane
    evidence: float


def lane_guesses(planes: Planes, layout: Layout, lens: Lens | None) -> list[Guess]:
    """Perspectives of the lid's face that put the layout's lines onto drawn ones, the best first."""
    drawn, figures = Drawn.of(planes), _figures(layout)
    turns = 2 if _is_even(figures) else 4
    found: list[Plane] = []
    for quads, count in ((drawn.quads, HOPEFUL), (drawn.faces, HOPEFUL_FACES)):
        found += drawn.best(homographies_onto(quads, figures, turns), figures, layout, lens, count)
    reach_mm = REACH * min(layout.size_mm)
    guesses = [
        Guess(plane=plane, evidence=look_at_lane(planes, layout, plane, reach_mm, samples=FEW_SAMPLES).evidence)
        for plane in distinct(found, layout, len(found))
    ]
    return sorted(guesses, key=lambda guess: -guess.evidence)


def _figures(layout: Layout) -> list[Array]:
    """The four-sided figures on the lid, (4, 2) mm each: its outline, and both edges of the line around the field."""
    figures = [np.array(layout.corners_mm)[:, :2]]
    if layout.lane is not None and has_line(layout):
        field = np.array(layout.lane.corners_mm)[:, :2]
        figures.append(field)
        if layout.lane.border_mm > 0:
            figures.append(field + layout.lane.border_mm * np.sign(field - field.mean(axis=0)))
    return figures


def _is_even(figures: Sequence[Array]) -> bool:
    """Whether the figures on the lid are the same after half a turn."""
    return all(np.allclose(np.roll(figure, 2, axis=0), -figure, atol=EVEN_MM) for figure in figures)
