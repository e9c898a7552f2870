"""Pictures are put into the light of the first one."""

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.frame import Frame
from referee.vision.colours import half_luma
from referee.vision.exposure import Exposure
from tests.pictures import frame_of_bgr
from tests.vision.scene import picture, seat_mm, table

LEVELS = 3.0
"""What rounding leaves of a picture that was made half as bright."""


def scene() -> Frame:
    return frame_of_bgr(picture(table(), [("red", seat_mm("B2"))]))


def lit(seen: Frame, light: NDArray[np.float64] | float) -> Frame:
    """The same scene under another light: (h, 1) for its rows, or one number."""
    rows = np.broadcast_to(np.atleast_2d(np.asarray(light, dtype=np.float64)), (len(seen.y), 1))
    luma = 16 + (seen.y - 16.0) * rows
    chroma = (128 + (plane - 128.0) * rows[::2] for plane in (seen.u, seen.v))
    y, u, v = (np.clip(np.round(plane), 0, 255).astype(np.uint8) for plane in (luma, *chroma))
    return Frame(index=1, t_s=0.1, y=y, u=u, v=v)


def bands(seen: Frame) -> NDArray[np.float64]:
    """A pulsing lamp under a rolling shutter."""
    return (1 + 0.2 * np.sin(np.arange(len(seen.y)) * 9.0 / len(seen.y)))[:, None]


@pytest.mark.parametrize("light", [0.5, 0.9, 1.1, "bands"])
def test_a_changed_light_is_made_up_for(light: float | str) -> None:
    seen = scene()
    other = lit(seen, bands(seen) if light == "bands" else float(light))
    evened, luma = Exposure(half_luma(seen)).evened(other, half_luma(other), None)
    for now, first in ((luma, half_luma(seen)), (evened.u, seen.u), (evened.v, seen.v)):
        shown = half_luma(seen) < 200  # brighter than that can't be shown brighter still
        assert np.percentile(np.abs(now.astype(float) - first)[shown], 99) <= LEVELS


def test_the_same_light_costs_nothing() -> None:
    seen = scene()
    luma = half_luma(seen)
    evened, same = Exposure(luma).evened(seen, luma, None)
    assert evened is seen
    assert same is luma


def test_a_hand_is_no_change_of_light() -> None:
    seen = scene()
    covered = Frame(index=1, t_s=0.1, y=seen.y.copy(), u=seen.u, v=seen.v)
    height, width = seen.y.shape
    covered.y[height // 3 :, width // 4 : 3 * width // 4] = 40
    changed = half_luma(covered) != half_luma(seen)
    evened, luma = Exposure(half_luma(seen)).evened(covered, half_luma(covered), changed)
    untouched = ~changed
    assert np.abs(luma.astype(float) - half_luma(seen))[untouched].max() <= LEVELS
    assert evened.u.shape == seen.u.shape
