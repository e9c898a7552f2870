"""Straight strips of different brightness or colour in the picture, such as a painted line or the edge of a lid.

Across a side that is nearly known the picture has levels that change at known distances from each other: board, line,
field. Where along the normal that pattern explains most is found for the side as a whole (most of it may be hidden),
then for each of its points. Contrasts of all planes count, so that red on blue is as good as white on green.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.perspective import Projection
from calibration.planes import Planes
from calibration.profiles import STEP_PX, fit_pattern
from calibration.solve import Sighting

Array = NDArray[np.float64]

# Points on a side: enough to see past pins, and for a first look.
SAMPLES: Final = 48
FEW_SAMPLES: Final = 16
# Corners are rounded, and pins crowd nowhere so much as to hide a side: looked at between these shares of its length.
FROM: Final = 0.04
TO: Final = 0.96
# A point shows the pattern from this log-likelihood on.
LEAST_SAID: Final = 3.0
# A strip this much brighter or darker than what is beside it, in levels, is clearly so.
CLEAR: Final = 8.0
# Points this near to the side's own line are on it.
AGREE_PX: Final = 1.25
# Points agree with a camera that has them within so many standard deviations.
AGREE: Final = 3.0
# One standard deviation of a point; points of one side err together (bevels, shadows): each side counts as this many.
SIGMA_PX: Final = 0.4
INDEPENDENT: Final = 4
# Sides shorter than this in the picture say nothing.
SHORT_PX: Final = 16.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Strip:
    """Sides, (n, 2, 3) mm from start to end, outside on the right of the way.

    ``cuts_mm``: where levels change, outwards from the sides; ``reaches_mm``: how far off each is looked for;
    ``context_mm``: how far beyond the outermost changes nothing else is to be expected.
    ``spread_mm``: (n, 2, 3) how ends move with the scale of the group, which is 1 within ``scale_spread``.
    ``loose_mm``: how far the changes may be from where they are meant, one standard deviation.
    """

    sides_mm: Array
    cuts_mm: tuple[float, ...]
    reaches_mm: tuple[float, ...]
    context_mm: float
    spread_mm: Array
    scale_spread: float
    loose_mm: float
    samples: int = SAMPLES


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenStrip:
    """Points on the sides that show; ``shares``: of each side, which part of its points in view shows the pattern.

    ``counts``: how many of the points are on each side.
    """

    sighting: Sighting
    shares: tuple[float, ...]
    counts: tuple[int, ...]

    @property
    def share(self) -> float:
        """Which part of the sides shows, 0 to 1."""
        return float(np.mean(self.shares)) if self.shares else 0.0

    def agreeing(self, camera: CameraModel) -> "SeenStrip":
        """The same with only those points counted as shown that lie where a camera has them."""
        sighting = self.sighting
        if sighting.across is None or not len(sighting.seen_px):
            return self
        away = camera.to_px(sighting.base_mm + sighting.spread_mm) - sighting.seen_px
        near = np.abs((away * sighting.across).sum(axis=1)) < AGREE * sighting.sigma_px
        kept, first = [], 0
        for share, count in zip(self.shares, self.counts, strict=True):
            kept.append(share * float(near[first : first + count].mean()) if count else 0.0)
            first += count
        return replace(self, shares=tuple(kept))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _SeenSide:
    """The points of one side, as in a Sighting, and which part of it shows, ``scale`` in pixels a mm across it.

    ``brighter``: by how many levels of luma the strip between its changes is brighter than what is beside it.
    """

    share: float
    scale: float
    brighter: float
    base_mm: Array
    spread_mm: Array
    seen_px: Array
    across: Array


def see_strip(planes: Planes, strip: Strip, camera: Projection) -> SeenStrip:
    """Look for the sides of a strip near where a camera expects them."""
    seen = [_see_side(planes, strip, number, camera) for number in range(len(strip.sides_mm))]
    if len(strip.cuts_mm) > 1:
        for number, sign in enumerate(_other_signs(seen)):
            seen[number] = _see_side(planes, strip, number, camera, sign) if sign else seen[number]
    found = [side for side in seen if side is not None]
    base, spreads, points, across = (
        np.concatenate([np.zeros((0, width)), *(getattr(side, key) for side in found)])
        for key, width in (("base_mm", 3), ("spread_mm", 3), ("seen_px", 2), ("across", 2))
    )
    sighting = Sighting(
        base_mm=base,
        spread_mm=spreads,
        seen_px=points,
        across=across,
        sigma_px=float(np.hypot(SIGMA_PX, strip.loose_mm * np.median([side.scale for side in found] or [0.0]))),
        share=INDEPENDENT / strip.samples,
        scale_spread=strip.scale_spread,
    )
    return SeenStrip(
        sighting=sighting,
        shares=tuple(0.0 if side is None else side.share for side in seen),
        counts=tuple(0 if side is None else len(side.seen_px) for side in seen),
    )


def _other_signs(seen: Sequence[_SeenSide | None]) -> list[int]:
    """For sides that are bright where most are dark, or dark where most are bright, what most are: 1 or -1; else 0.

    A line is of one paint all around: what is of another is something else, like the rim beside a thin line.
    """
    signs = [0 if side is None or abs(side.brighter) < CLEAR else round(np.sign(side.brighter)) for side in seen]
    most = round(np.sign(sum(sign * side.share for sign, side in zip(signs, seen, strict=True) if side is not None)))
    return [most if sign == -most else 0 for sign in signs]


def _see_side(planes: Planes, strip: Strip, number: int, camera: Projection, sign: int = 0) -> _SeenSide | None:
    """What shows of one of a strip's sides; None out of view.

    ``sign``: 1 or -1 to look only for what is brighter or darker than what is beside it.
    """
    side, spread, reach_mm = strip.sides_mm[number], strip.spread_mm[number], strip.reaches_mm[number]
    along = np.linspace(FROM, TO, strip.samples)[:, None]
    places = side[0] + (side[1] - side[0]) * along
    direction = (side[1] - side[0]) / np.linalg.norm(side[1] - side[0])
    outwards = np.array([direction[1], -direction[0], 0.0])
    places_px = camera.to_px(places)
    across_px = camera.to_px(places + outwards) - places_px
    limits = (planes.luma.shape[1] - 2, planes.luma.shape[0] - 2)
    inside = np.asarray(((places_px > 1) & (places_px < limits)).all(axis=1), dtype=np.bool_).reshape(-1)
    if inside.sum() < strip.samples / 3 or np.linalg.norm(places_px[-1] - places_px[0]) < SHORT_PX:
        return None
    tangents = np.gradient(places_px, axis=0)
    normals = np.column_stack([-tangents[:, 1], tangents[:, 0]])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    scale = float(np.median(np.abs((across_px * normals).sum(axis=1))))
    if not np.isfinite(scale) or scale * max(reach_mm, 1e-9) < STEP_PX:
        return None
    step_mm = STEP_PX / scale
    reach = int(np.ceil(reach_mm / step_mm))
    fit = fit_pattern(
        planes,
        places,
        outwards,
        camera,
        cuts_mm=strip.cuts_mm,
        context_mm=strip.context_mm,
        reach=reach,
        step_mm=step_mm,
    )
    said = np.where(inside[:, None] & (fit.brighter * sign >= 0), fit.said, 0.0)
    line = _line(said, along[:, 0])
    steps, good = _points(said, fit.by_luma, line)
    good &= inside
    offset_mm = (steps - reach) * step_mm
    seen_px = camera.to_px(places + outwards * offset_mm[:, None])
    spreads = spread[0] + (spread[1] - spread[0]) * along
    return _SeenSide(
        share=float(good.sum() / inside.sum()),
        scale=scale,
        brighter=float(np.median(fit.brighter[good, np.rint(steps[good]).astype(int)])) if good.any() else 0.0,
        base_mm=(places - spreads)[good],
        spread_mm=spreads[good],
        seen_px=seen_px[good],
        across=normals[good],
    )


def _line(said: Array, along: Array) -> Array:
    """The straight line of shifts along the side, (n,) in steps, that has most said for it."""
    width = said.shape[1]
    wide = cv2.dilate(said.astype(np.float32), np.ones((1, 3), dtype=np.uint8))
    ends = np.arange(0, width, 1 if width <= 41 else 2)
    share = (along - along[0]) / (along[-1] - along[0])
    cells = np.rint(ends[:, None, None] * (1 - share) + ends[None, :, None] * share).astype(np.intp)
    total = wide[np.arange(len(said)), cells].sum(axis=2)
    # Of equally good lines the one nearest to where the side is expected.
    middle = (width - 1) / 2
    total -= 1e-3 * (np.abs(ends - middle)[:, None] + np.abs(ends - middle)[None]) / max(middle, 1)
    start, end = np.unravel_index(int(total.argmax()), total.shape)
    return np.asarray(ends[start] * (1 - share) + ends[end] * share, dtype=np.float64)


def _points(said: Array, luma_said: Array, line: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Where on the profiles, (n,) in steps, the pattern is near the line, and whether it shows there."""
    numbers = np.arange(said.shape[1])
    near = np.abs(numbers[None] - line[:, None]) <= AGREE_PX / STEP_PX + 1
    # Luma is sharper than chroma: where it says enough it says where.
    rows = np.arange(len(said))
    most = np.where(near, said, -1.0).max(axis=1)
    by_luma = np.where(near, luma_said, -1.0).max(axis=1) >= LEAST_SAID
    used = np.where(by_luma[:, None], luma_said, said)
    best = np.where(near, used, -1.0).argmax(axis=1)
    # What still grows where the search ends is something else farther off.
    is_top = (best > 0) & (best < said.shape[1] - 1)
    before, at, after = (used[rows, np.clip(best + k, 0, said.shape[1] - 1)] for k in (-1, 0, 1))
    bend = before - 2 * at + after
    shift = np.where(bend < -1e-9, 0.5 * (before - after) / np.where(bend < -1e-9, bend, -1.0), 0.0)
    return best + np.clip(shift, -0.5, 0.5), is_top & (most >= LEAST_SAID)
