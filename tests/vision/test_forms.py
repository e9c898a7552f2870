"""What forms of blobs beside one another tell."""

from dataclasses import replace

import pytest

from referee.vision.blobs import Blob
from referee.vision.forms import parts

BALL = Blob(
    colour="red", x_px=100.0, y_px=100.0, radius_px=12.0, length_px=12.0, width_px=12.0, share=1.0, at_border=False
)
BOTH = replace(BALL, x_px=112.0, length_px=24.0, share=0.0)
APART = [replace(BALL, x_px=95.0), replace(BALL, x_px=130.0)]


def test_a_ball_that_touched_another_is_parted_from_it() -> None:
    assert parts([BALL, BALL, BALL, BOTH], APART)


@pytest.mark.parametrize(
    ("seen", "blobs"),
    [
        ([BALL, BALL, BALL, BALL], APART),
        ([BALL, BALL, BALL, BOTH], APART[:1]),
        ([BALL, BALL, BALL, BOTH], [APART[0], replace(APART[1], colour="blue")]),
        ([BALL, BALL, BALL, replace(BOTH, width_px=24.0)], APART),
        ([BALL, replace(BALL, share=0.0), BALL, BOTH], APART),
        ([BALL, BOTH], APART),
    ],
    ids=["one", "still one", "another colour", "a hand", "no ball before", "too short"],
)
def test_what_is_no_ball_with_another_is_not(seen: list[Blob], blobs: list[Blob]) -> None:
    assert not parts(seen, blobs)
