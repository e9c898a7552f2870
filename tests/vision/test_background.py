"""What counts as changed, and for how long."""

import numpy as np

from hardware.frame import Frame
from referee.vision.background import ABSORB_S, SAMPLE_S, Background
from referee.vision.colours import half_luma
from tests.pictures import frame_of_bgr
from tests.vision.scene import picture, table


def changed(background: Background, shown: Frame) -> int:
    return int(np.count_nonzero(background.changed(shown, half_luma(shown))))


def test_a_ball_is_a_change_until_it_has_lain_still_for_a_while() -> None:
    scene, background = table(), Background()
    empty, ball = picture(scene, []), picture(scene, [("red", (200.0, -200.0, 17.0))])
    assert changed(background, frame_of_bgr(empty)) == 0
    assert changed(background, frame_of_bgr(ball, t_s=SAMPLE_S)) > 40
    seen = [changed(background, frame_of_bgr(ball, t_s=SAMPLE_S * k)) for k in range(2, 20)]
    still = round(ABSORB_S / SAMPLE_S)
    assert min(seen[: still - 2]) > 40
    assert seen[-1] == 0


def test_a_ball_that_never_stops_is_never_taken_in() -> None:
    scene, background = table(), Background()
    changed(background, frame_of_bgr(picture(scene, [])))
    for k in range(1, 30):
        ball = picture(scene, [("red", (-250.0 + 15.0 * k, -250.0, 17.0))])
        assert changed(background, frame_of_bgr(ball, t_s=SAMPLE_S * k)) > 40
