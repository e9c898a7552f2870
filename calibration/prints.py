"""What is printed in a board's holes tells which way round it lies: rings of one colour look alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.parts import Layout
from calibration.planes import levels_at

Array = NDArray[np.float64]

# Prints are looked at on rings of these shares of a hole's radius, which has to be seen through this share of the rim.
RINGS: Final = (0.5, 0.7, 0.88)
RAYS: Final = 16
THROUGH: Final = 0.9
LEAST_POINTS: Final = 3
LEAST_SEEN: Final = 6
# Prints of one colour differ by about so many levels of chroma; more than the second is a ball that lies there.
USUAL: Final = 6.0
MOST: Final = 30.0
# So many standard errors one way round has to fit better than another.
CLEARLY: Final = 4.0
# Red, green and blue shares of what people print; others aren't compared.
COLOURS: Final[dict[str, tuple[float, float, float]]] = {
    "red": (0.8, 0.1, 0.1),
    "orange": (0.9, 0.5, 0.1),
    "yellow": (0.8, 0.7, 0.1),
    "green": (0.1, 0.5, 0.2),
    "blue": (0.1, 0.2, 0.7),
    "purple": (0.5, 0.1, 0.6),
    "pink": (0.9, 0.5, 0.7),
    "brown": (0.4, 0.25, 0.1),
    "white": (0.8, 0.8, 0.8),
    "grey": (0.5, 0.5, 0.5),
    "black": (0.1, 0.1, 0.1),
}
RGB_TO_UV: Final = np.array([[-0.169, -0.331, 0.5], [0.5, -0.419, -0.081]])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chroma:
    """The chroma planes of the still view, each (height / 2, width / 2) uint8."""

    u: NDArray[np.uint8]
    v: NDArray[np.uint8]


def fitting_prints(chroma: Chroma, layout: Layout, cameras: Sequence[CameraModel]) -> list[int]:
    """Which of several cameras fit the printed colours best: more than one where those don't tell.

    The cameras are of one view and differ in how the layout is turned below them.
    """
    centres = np.array([(hole.x_mm, hole.y_mm, layout.height_mm) for hole in layout.holes])
    places = cameras[0].to_px(centres)
    misfits = []
    for camera in cameras:
        apart = np.linalg.norm(places[:, None] - camera.to_px(centres)[None], axis=2)
        misfits.append(_misfits(chroma, layout, camera)[apart.argmin(axis=1)])
    seen = np.isfinite(misfits).all(axis=0)
    if seen.sum() < LEAST_SEEN:
        return list(range(len(cameras)))
    compared = [misfit[seen] for misfit in misfits]
    best = int(np.argmin([misfit.mean() for misfit in compared]))
    return [i for i, misfit in enumerate(compared) if i == best or not _is_clear(misfit - compared[best])]


def _is_clear(worse_by: Array) -> bool:
    """Whether numbers, (n,), are positive on average beyond doubt."""
    error = float(worse_by.std(ddof=1)) / np.sqrt(len(worse_by))
    return bool(worse_by.mean() > max(CLEARLY * error, 1e-6))


def _misfits(chroma: Chroma, layout: Layout, camera: CameraModel) -> Array:
    """How far each hole's print is from what its colour would look like, in levels, (n,); NaN where that's unknown.

    The light adds the same to all of them and dims them alike: both are fitted.
    """
    printed = _printed(chroma, layout, camera)
    named = np.array([COLOURS.get(hole.colour, (np.nan, np.nan, np.nan)) for hole in layout.holes])
    ideal = named @ RGB_TO_UV.T
    known = np.isfinite(printed).all(axis=1) & np.isfinite(ideal).all(axis=1)
    out = np.full(len(printed), np.nan)
    if known.sum() < LEAST_SEEN:
        return out
    seen, wanted = printed[known], ideal[known]
    weights = np.ones(len(seen))
    misfit = np.zeros(len(seen))
    for _ in range(5):
        share = (weights / weights.sum())[:, None]
        seen_middle, wanted_middle = (share * seen).sum(axis=0), (share * wanted).sum(axis=0)
        from_seen, from_wanted = seen - seen_middle, wanted - wanted_middle
        spread = float((share * from_wanted**2).sum())
        gain = max(float((share * from_seen * from_wanted).sum()) / max(spread, 1e-9), 0.0)
        misfit = np.linalg.norm(from_seen - gain * from_wanted, axis=1)
        weights = 1 / (1 + (misfit / USUAL) ** 2)
    out[known] = np.minimum(misfit, MOST)
    return out


def _printed(chroma: Chroma, layout: Layout, camera: CameraModel) -> Array:
    """u and v of what is printed in each hole, (n, 2); NaN where it isn't seen."""
    centres = np.array([(hole.x_mm, hole.y_mm) for hole in layout.holes])
    radii = np.array([hole.radius_mm for hole in layout.holes])
    angles = np.arange(RAYS) * (2 * np.pi / RAYS)
    ring = np.concatenate([np.column_stack([np.cos(angles), np.sin(angles)]) * share for share in RINGS])
    floor = centres[:, None] + radii[:, None, None] * ring
    flat = np.column_stack([floor.reshape(-1, 2), np.full(floor.shape[0] * floor.shape[1], layout.hole_floor_mm)])
    seen_px = camera.to_px(flat)
    at_top = camera.to_mm(seen_px, layout.height_mm)[:, :2].reshape(floor.shape)
    free = np.linalg.norm(at_top - centres[:, None], axis=2) < THROUGH * radii[:, None]
    planes = []
    for plane in (chroma.u, chroma.v):
        values = np.where(free, levels_at(plane, seen_px, 0.5).reshape(free.shape), 0.0)
        planes.append(values.sum(axis=1) / np.maximum(free.sum(axis=1), 1))
    colours = np.stack(planes, axis=1)
    colours[free.sum(axis=1) < LEAST_POINTS] = np.nan
    return colours
