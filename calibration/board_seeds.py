"""Where a board may be by its outline, where its holes don't tell: perspectives that put it onto straight lines."""

from typing import Final

import numpy as np

from calibration.drawn_lines import Drawn, homographies_onto
from calibration.evidence import REACHES
from calibration.lens import Lens
from calibration.parts import Layout
from calibration.perspective import Plane
from calibration.planes import Planes
from calibration.rims import see_rims

# Perspectives that are looked at for rims, in each turn, and those that are looked at closely.
HOPEFUL: Final = 12
KEPT: Final = 5
CORNERS: Final = 4


def match_outline(planes: Planes, layout: Layout, lens: Lens | None) -> list[Plane]:
    """Perspectives, mm on the top face to pixels, of a four-sided board, in all turns: those that show most rims."""
    outline = np.array(layout.outline_mm)
    if len(outline) != CORNERS:
        return []
    drawn = Drawn.of(planes)
    rated: list[tuple[float, Plane]] = []
    for quads in (drawn.quads, drawn.faces):
        found: list[Plane] = []
        for turn in range(CORNERS):
            turned = homographies_onto(quads, [np.roll(outline, turn, axis=0)])
            found += drawn.best(turned, [outline], layout, lens, HOPEFUL)
        rated += [(see_rims(planes.luma, layout, plane, REACHES[0].rims).agreed, plane) for plane in found]
    rated.sort(key=lambda each: -each[0])
    return [plane for _, plane in rated[:KEPT]]
