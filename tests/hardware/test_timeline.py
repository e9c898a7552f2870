from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.timeline import Timeline


def times(stamps: list[float | None]) -> tuple[list[float], int]:
    timeline = Timeline(period_s=0.1)
    return [timeline.next_s(stamp) for stamp in stamps], timeline.mended


def test_good_stamps_are_kept() -> None:
    assert times([5.0, 5.1, 5.5]) == (pytest.approx([0.0, 0.1, 0.5]), 0)


def test_missing_stamps_are_filled_in() -> None:
    assert times([None, None, None]) == (pytest.approx([0.0, 0.1, 0.2]), 3)
    assert times([1.0, None, 1.2]) == (pytest.approx([0.0, 0.1, 0.2]), 1)


def test_one_wrong_stamp_harms_one_picture() -> None:
    assert times([0.0, 0.1, 0.0, 0.3, 0.4]) == (pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4]), 1)


def test_after_a_clock_was_set_back_time_goes_on() -> None:
    stamps = [0.1 * i for i in range(5)] + [0.1 * i for i in range(8)]
    seen, mended = times(list(stamps))
    assert seen == pytest.approx([0.1 * i for i in range(13)])
    assert mended == 1


@given(st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6)), max_size=30))
def test_time_always_grows(stamps: list[float | None]) -> None:
    seen, _ = times(stamps)
    assert all(earlier < later for earlier, later in pairwise(seen))
