"""The still scene of an unknown view, and how the picture differs from it now: lighter, darker, or of another hue."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from hardware.frame import Frame, Plane
from referee.vision.colours import BLACK, light_of

SAMPLE_S: Final = 0.1
"""Time between two looks at what stays the same."""

ABSORB_SAMPLES: Final = 8
"""Looks at which a pixel must be the same before it becomes part of the scene: longer than a ball pauses."""

STILL_LEVELS: Final = 6
"""Difference between two looks up to which a pixel is the same: noise and compression."""

LUMA_STEP: Final = 14.0
CHROMA_STEP: Final = 7.0
"""Differences from the scene that count as a change in full light: luma, and the larger of both chroma planes."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Change:
    """Where a picture differs from the scene, (h, w) uint8 at the size of the chroma planes, 255 where it does.

    ``any``: in any way. ``solid``: in hue or by being lighter, as no shadow does.
    """

    any: NDArray[np.uint8]
    solid: NDArray[np.uint8]


class Scene:
    """Remembers what stays the same."""

    def __init__(self) -> None:
        self._light = 1.0
        self._still: tuple[Plane, Plane, Plane] | None = None
        self._last: tuple[Plane, Plane, Plane] | None = None
        self._last_s = 0.0
        self._steady: NDArray[np.uint8] = np.zeros((0, 0), dtype=np.uint8)

    def change(self, frame: Frame, luma_half: Plane) -> Change:
        """Compare a frame, whose luma comes at the size of the chroma planes too, and learn from it."""
        now = (luma_half, frame.u, frame.v)
        if self._still is None or self._last is None:
            self._still = (luma_half.copy(), frame.u.copy(), frame.v.copy())
            self._last, self._last_s = self._still, frame.t_s
            self._steady = np.zeros(luma_half.shape, dtype=np.uint8)
            self._light = light_of(frame)
        elif frame.t_s - self._last_s >= SAMPLE_S:
            self._learn(now, self._last)
            self._last, self._last_s = (now[0].copy(), now[1].copy(), now[2].copy()), frame.t_s
        still = self._still
        luma, u, v = (cv2.absdiff(plane, before) for plane, before in zip(now, still, strict=True))
        tinted = _over(cv2.max(u, v), self._light * CHROMA_STEP)
        changed = np.asarray(cv2.bitwise_or(_over(luma, self._light * LUMA_STEP), tinted), dtype=np.uint8)
        solid = np.zeros_like(changed)
        cells = np.flatnonzero(changed)
        solid.ravel()[
            cells[_is_solid([p.ravel()[cells] for p in now], [p.ravel()[cells] for p in still], self._light)]
        ] = 255
        return Change(any=changed, solid=solid)

    def _learn(self, now: tuple[Plane, Plane, Plane], last: tuple[Plane, Plane, Plane]) -> None:
        assert self._still is not None
        moved = cv2.absdiff(now[0], last[0])
        for plane, before in zip(now[1:], last[1:], strict=True):
            moved = cv2.max(moved, cv2.absdiff(plane, before))
        _, same = cv2.threshold(moved, STILL_LEVELS, 255, cv2.THRESH_BINARY_INV)
        one_more = cv2.add(self._steady, np.ones_like(self._steady))
        self._steady = np.asarray(cv2.bitwise_and(one_more, same), dtype=np.uint8)
        _, take = cv2.threshold(self._steady, ABSORB_SAMPLES - 1, 255, cv2.THRESH_BINARY)
        for still, plane in zip(self._still, now, strict=True):
            cv2.copyTo(plane, take, still)


def _is_solid(now: list[Plane], still: list[Plane], light: float) -> NDArray[np.bool_]:
    """Which of some pixels, (n,) y, u, v each, no shadow explains: one takes luma and chroma in proportion."""
    luma, before = now[0].astype(np.float32) - BLACK, np.maximum(still[0].astype(np.float32) - BLACK, 1.0)
    shade = np.clip(luma / before, 0.0, 1.0)
    u, v = (
        np.abs((plane.astype(np.float32) - 128) - shade * (tint.astype(np.float32) - 128))
        for plane, tint in zip(now[1:], still[1:], strict=True)
    )
    return np.asarray((luma - before > light * LUMA_STEP) | (np.maximum(u, v) > light * CHROMA_STEP), dtype=np.bool_)


def _over(difference: MatLike, step: float) -> MatLike:
    return cv2.threshold(difference, step, 255, cv2.THRESH_BINARY)[1]
