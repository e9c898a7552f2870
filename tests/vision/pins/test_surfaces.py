"""Pictures compared with the bare lane, whole and in parts."""

import numpy as np

from referee.vision.pins.fields import Within
from referee.vision.pins.picture import window_of
from referee.vision.pins.pin import PinSize
from referee.vision.pins.surfaces import FIELD, TERMS, bare, parts_of
from tests.vision.pins.filmed import Scene, table

SIZE = PinSize(height_mm=50.0, radius_mm=8.0)


def test_pins_stand_out_from_the_bare_lane_and_a_part_shows_what_the_whole_does() -> None:
    frame, window = Scene().frame(), window_of(table(), SIZE)
    parts = parts_of(window)
    whole = bare(window.planes(frame), parts)
    assert set(whole.fields) <= set(TERMS)
    is_plain = (parts == FIELD) & ~whole.seams
    odd = whole.distance[is_plain] > 3
    assert 0.02 < odd.mean() < 0.5
    assert abs(np.median(whole.shade[is_plain]) - 1) < 0.02
    assert not whole.distance[parts > max(TERMS)].any()

    rows, columns = slice(60, 180), slice(80, 260)
    part = window.part(rows, columns)
    again = bare(
        part.planes(frame),
        parts_of(part),
        whole.fields,
        Within(left=part.left, top=part.top, shape=window.shape),
    )
    off = np.abs(again.distance - whole.distance[rows, columns])
    assert np.median(off) < 0.05
    assert np.quantile(off, 0.95) < 1.0

    inner = np.full((20, 30), FIELD, dtype=np.uint8)  # a part of one surface alone
    assert set(bare(np.full((20, 30, 3), 90, dtype=np.float32), inner, whole.fields).fields) == {FIELD}
