"""Half pictures, and parts of them."""

import numpy as np
import pytest

from hardware.frame import Frame
from referee.vision.colours import half_luma
from referee.vision.pins.halved import Halved


@pytest.mark.parametrize(("height", "width"), [(48, 64), (47, 63)])
def test_a_part_is_what_is_there_in_the_whole(height: int, width: int) -> None:
    rng = np.random.default_rng(5)
    luma = rng.integers(16, 235, (height, width), dtype=np.uint8)
    chroma = np.full(((height + 1) // 2, (width + 1) // 2), 128, dtype=np.uint8)
    frame = Frame(index=0, t_s=0.0, y=luma, u=chroma, v=chroma)
    rows, columns = slice(4, 20), slice(6, 25)
    first, whole = Halved(frame), Halved(frame)
    assert np.array_equal(whole.whole(), half_luma(frame))
    for halved in (first, whole):
        assert np.array_equal(halved.part(rows, columns), half_luma(frame)[rows, columns])
