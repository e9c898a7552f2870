"""What a picture shows of a board where a camera expects it."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.borders import Borders, see_borders
from calibration.parts import Layout
from calibration.perspective import Projection
from calibration.rims import Rims, see_rims
from calibration.solve import Sighting, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far rims (in radii) and borders (in mm of a board 500 mm wide) are looked for."""

    rims: float
    borders: float


# Wide at first; borders have many things beside them that look alike.
REACHES: Final = (
    Reach(rims=0.35, borders=20.0),
    Reach(rims=0.25, borders=12.0),
    Reach(rims=0.2, borders=9.0),
    Reach(rims=0.15, borders=6.0),
    Reach(rims=0.12, borders=6.0),
)
USUAL_WIDTH_MM: Final = 500.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pose:
    """A camera with what it shows of the board where it should be."""

    view: View
    rims: Rims
    borders: Borders

    @property
    def evidence(self) -> float:
        """How much of the rims and of the border shows, 0 to 2."""
        return self.rims.agreed + self.borders.share

    @property
    def sightings(self) -> tuple[Sighting, ...]:
        return tuple(s for s in (self.rims.sighting, self.borders.sighting) if len(s.seen_px))


def look(luma: NDArray[np.float32], layout: Layout, seen_by: Projection, view: View, reach: Reach) -> Pose:
    """A pose with what luma, (height, width), shows near where ``seen_by`` puts rims and borders."""
    borders_mm = reach.borders * min(layout.size_mm) / USUAL_WIDTH_MM
    return Pose(
        view=view,
        rims=see_rims(luma, layout, seen_by, reach.rims),
        borders=see_borders(luma, layout, seen_by, borders_mm),
    )
