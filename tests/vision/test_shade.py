"""A shadow on cloth of a ball's colour is no ball; a ball over such cloth is one."""

import cv2
import numpy as np

from hardware.frame import Frame
from referee.vision.background import Background
from referee.vision.blobs import BlobFinder
from referee.vision.colours import colour_map, half_luma, known_colours
from tests.pictures import frame_of_bgr
from tests.vision.scene import PAINT, RADIUS_MM, picture, table

SPOT = (-250.0, -200.0, RADIUS_MM)
"""Beside the board."""


def on_blue_cloth(*, with_ball: bool, with_shadow: bool) -> Frame:
    scene = table()
    image = picture(scene, [])
    x, y = (int(v) for v in scene.camera.to_px(np.array([SPOT]))[0])
    cv2.rectangle(image, (x - 60, y - 40), (x + 60, y + 40), PAINT["blue"], -1)
    if with_shadow:
        shadow = np.zeros(image.shape[:2], dtype=np.uint8)
        cv2.circle(shadow, (x + 14, y), 11, 1, -1)
        image[shadow > 0] = (0.6 * image[shadow > 0]).astype(np.uint8)
    if with_ball:
        cv2.circle(image, (x - 14, y), 11, [min(255, round(1.25 * level)) for level in PAINT["blue"]], -1)
    return frame_of_bgr(image)


def test_a_shadow_is_told_from_a_ball_of_the_cloths_colour() -> None:
    finder = BlobFinder(table(), RADIUS_MM, colour_map(known_colours(["blue"])))
    still, now = (on_blue_cloth(with_ball=seen, with_shadow=seen) for seen in (False, True))
    background, luma = Background(), half_luma(now)
    background.changed(still, half_luma(still))
    ((ball,),) = finder.find([finder.coloured(now, luma, background.changed(now, luma), background)])
    x, y = table().camera.to_px(np.array([SPOT]))[0]
    assert abs(ball.x_px - (x - 14)) < 2
    assert abs(ball.y_px - y) < 2
