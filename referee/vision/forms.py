"""What the form of a blob tells beside that of a ball seen a moment before or after: a hand, or two balls in one."""

import math
from collections.abc import Sequence

from referee.vision.blobs import Blob

HAND_WIDTH, HAND_LENGTH = 1.5, 3.5
"""Extent, in radii of a ball seen whole beside it in time, from which what is no circle isn't that ball: blur makes a
ball longer, though seldom as much, and never wider."""

TWICE = 1.6
"""Length of two balls that touch against that of one, less what blur and shade may take."""

WHOLE_BEFORE = 3
"""Sightings in a row that show a ball whole: parts of hands seldom look so for as long."""


def is_hand(blob: Blob, ball: Blob) -> bool:
    """Whether a blob is far too large for a ball that is seen whole a moment before or after."""
    if ball.share == 0 or blob.share > 0:
        return False
    return blob.width_px > HAND_WIDTH * ball.radius_px or blob.length_px > HAND_LENGTH * ball.radius_px


def parts(seen: Sequence[Blob], blobs: Sequence[Blob]) -> bool:
    """Whether what was seen last, of a ball that was whole before, is that ball in one with another, and blobs of the
    next picture show them apart."""
    *before, both = seen
    if both.share > 0 or len(before) < WHOLE_BEFORE or any(blob.share == 0 for blob in before):
        return False
    ball, near_px = before[-1], 2 * both.length_px
    if both.length_px <= TWICE * ball.length_px or both.width_px >= HAND_WIDTH * ball.width_px:
        return False
    near = [b for b in blobs if math.hypot(b.x_px - both.x_px, b.y_px - both.y_px) < near_px]
    return sum(blob.colour == both.colour for blob in near) > 1
