"""Where brightness changes across a line that is nearly known: edges to a fraction of a pixel."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

STEP_PX: Final = 0.5
# Half width of the smoothing before the slope is taken: about the blur of a lens and a video codec.
BLUR_PX: Final = 0.8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Edges:
    """Edges found near n points: ``offset_px`` along the normal, (n,), and ``slope``, (n,), brightness per pixel.

    The slope is positive where it gets brighter along the normal. Where nothing changes, the slope is near 0.
    """

    offset_px: Array
    slope: Array


def find_edges(luma: NDArray[np.float32], points_px: Array, normals: Array, reach_px: Array | float) -> Edges:
    """The steepest change of ``luma``, (height, width), near points, (n, 2), along their unit normals, (n, 2).

    ``reach_px``: how far from the points to look, one for all or (n,).
    """
    reach = np.broadcast_to(np.asarray(reach_px, dtype=np.float64), len(points_px))
    longest = float(np.max(reach, initial=STEP_PX))
    steps = np.arange(-longest - 2, longest + 2 + STEP_PX / 2, STEP_PX)
    places = points_px[:, None] + normals[:, None] * steps[None, :, None]
    maps = np.ascontiguousarray(places, dtype=np.float32)
    profiles = cv2.remap(luma, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    smooth = cv2.GaussianBlur(profiles, (0, 1), sigmaX=BLUR_PX / STEP_PX, sigmaY=0, borderType=cv2.BORDER_REPLICATE)
    slopes = np.gradient(smooth.astype(np.float64), STEP_PX, axis=1)
    within = np.abs(steps)[None] <= reach[:, None]
    best = np.argmax(np.where(within, np.abs(slopes), -1.0), axis=1)
    rows = np.arange(len(points_px))
    before, at, after = (np.abs(slopes[rows, np.clip(best + k, 0, len(steps) - 1)]) for k in (-1, 0, 1))
    bend = before - 2 * at + after
    shift = np.where(bend < -1e-9, 0.5 * (before - after) / np.where(bend < -1e-9, bend, -1.0), 0.0)
    return Edges(offset_px=steps[best] + np.clip(shift, -0.5, 0.5) * STEP_PX, slope=slopes[rows, best])
