"""Which way round a board lies."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import calibration.ways
from calibration.evidence import REACHES, Pose, Reach, look
from calibration.layout import Layout, load_layout
from calibration.perspective import Projection
from calibration.solve import View
from calibration.ways import ways_round
from tests.calibration.scene import camera_at, picture

SIX = replace(load_layout("grid-6x6"), markers=())


def test_all_ways_round_a_square_board_are_left_though_a_wider_look_shows_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    camera = camera_at()
    luma = picture(SIX, camera).y.astype(np.float32)

    def looked(luma: NDArray[np.float32], layout: Layout, seen_by: Projection, view: View, reach: Reach) -> Pose:
        """Prints around the holes hide half of the rims from all but the narrowest look."""
        found = look(luma, layout, seen_by, view, reach)
        rims = found.rims if reach == REACHES[-1] else replace(found.rims, expected=2 * found.rims.expected)
        return replace(found, rims=rims)

    monkeypatch.setattr(calibration.ways, "look", looked)
    view = View(camera=camera, scales=(1.0, 1.0), cost=0.0)
    pose = looked(luma, SIX, camera, view, REACHES[-1])
    assert len(ways_round(pose, luma, SIX, None)) == 4
