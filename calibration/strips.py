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
from calibration.solve import Sighting
from hardware.frame import Frame

Array = NDArray[np.float64]

# Percentiles of a plane that are stretched over a range of levels, by no more than a gain.
MOST_OF: Final = (1.0, 99.0)
RANGE: Final = 200.0
MOST_GAIN: Final = 5.0
# Points on a side: enough to see past pins, and for a first look.
SAMPLES: Final = 48
FEW_SAMPLES: Final = 16
# Corners are rounded, and pins crowd nowhere so much as to hide a side: looked at between these shares of its length.
FROM: Final = 0.04
TO: Final = 0.96
# Profiles are sampled this finely; changes are as blurred as a lens and a codec make them, in luma and in chroma.
STEP_PX: Final = 0.5
BLUR_PX: Final = 0.6
CHROMA_BLUR_PX: Final = 2.0
# Grain and noise that are no pattern, in levels; chroma has less of both.
GRAIN: Final = 2.5
CHROMA_GRAIN: Final = 1.5
# How many pixels beside the outermost changes are looked at, at most, and how many steps at least.
CONTEXT_PX: Final = 5.0
LEAST_CONTEXT: Final = 3
# A point speaks for a place with no more than this log-likelihood, and shows the pattern from the other one on.
MOST_SAID: Final = 25.0
LEAST_SAID: Final = 3.0
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
class Planes:
    """Luma (height, width) and both chroma planes of half that size, float32."""

    luma: NDArray[np.float32]
    u: NDArray[np.float32]
    v: NDArray[np.float32]

    def eased(self, blur_px: float) -> "Planes":
        """The same with less noise and more contrast, for finding out what is there; and less sharp."""
        return Planes(luma=_eased(self.luma, blur_px), u=_eased(self.u, blur_px), v=_eased(self.v, blur_px))


def _eased(plane: NDArray[np.float32], blur_px: float) -> NDArray[np.float32]:
    soft = cv2.GaussianBlur(plane, (0, 0), blur_px)
    dark, bright = np.percentile(soft[::4, ::4], MOST_OF)
    gain = float(np.clip(RANGE / max(bright - dark, 1.0), 1.0, MOST_GAIN))
    return np.asarray((soft - dark) * gain, dtype=np.float32)


def planes_of(frame: Frame) -> Planes:
    """The planes of a frame, to look for strips in."""
    luma, u, v = (np.asarray(plane, dtype=np.float32) for plane in (frame.y, frame.u, frame.v))
    return Planes(luma=luma, u=u, v=v)


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
    """The points of one side: which part of it shows, pixels a mm across it, and the rest as in a Sighting."""

    share: float
    scale: float
    base_mm: Array
    spread_mm: Array
    seen_px: Array
    across: Array


def see_strip(planes: Planes, strip: Strip, camera: Projection) -> SeenStrip:
    """Look for the sides of a strip near where a camera expects them."""
    sides = zip(strip.sides_mm, strip.spread_mm, strip.reaches_mm, strict=True)
    seen = [_see_side(planes, side, spread, reach_mm, strip, camera) for side, spread, reach_mm in sides]
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


def _see_side(
    planes: Planes, side: Array, spread: Array, reach_mm: float, strip: Strip, camera: Projection
) -> _SeenSide | None:
    """What shows of a side, from its start to its end, (2, 3); None out of view."""
    along = np.linspace(FROM, TO, strip.samples)[:, None]
    places = side[0] + (side[1] - side[0]) * along
    direction = (side[1] - side[0]) / np.linalg.norm(side[1] - side[0])
    outwards = np.array([direction[1], -direction[0], 0.0])
    places_px = camera.to_px(places)
    across_px = camera.to_px(places + outwards) - places_px
    limits = (planes.luma.shape[1] - 2, planes.luma.shape[0] - 2)
    inside = ((places_px > 1) & (places_px < limits)).all(axis=1)
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
    said, luma_said = _said(planes, places, outwards, strip, camera, reach, step_mm)
    said[~inside] = 0.0
    line = _line(said, along[:, 0])
    steps, good = _points(said, luma_said, line)
    good &= inside
    offset_mm = (steps - reach) * step_mm
    seen_px = camera.to_px(places + outwards * offset_mm[:, None])
    spreads = spread[0] + (spread[1] - spread[0]) * along
    return _SeenSide(
        share=float(good.sum() / inside.sum()),
        scale=scale,
        base_mm=(places - spreads)[good],
        spread_mm=spreads[good],
        seen_px=seen_px[good],
        across=normals[good],
    )


def _said(
    planes: Planes, places: Array, outwards: Array, strip: Strip, camera: Projection, reach: int, step_mm: float
) -> tuple[Array, Array]:
    """How much more likely the pattern is than a plain face, (n points, shifts), in all planes and in luma alone."""
    cuts = np.array(strip.cuts_mm) / step_mm
    context = round(np.clip(min(strip.context_mm / step_mm, reach), LEAST_CONTEXT, CONTEXT_PX / STEP_PX))
    first, last = int(np.floor(cuts.min())) - context, int(np.ceil(cuts.max())) + context
    offsets_mm = np.arange(first - reach, last + reach + 1) * step_mm
    profile_mm = places[:, None] + outwards * offsets_mm[None, :, None]
    profile_px = camera.to_px(profile_mm.reshape(-1, 3)).reshape(len(places), len(offsets_mm), 2)
    half_px = (profile_px + 0.5) / 2 - 0.5
    relative = np.arange(first, last + 1)
    parts = []
    for plane, where, blur_px, grain, counts in (
        (planes.luma, profile_px, BLUR_PX, GRAIN, STEP_PX),
        (planes.u, half_px, CHROMA_BLUR_PX, CHROMA_GRAIN, STEP_PX / 2),
        (planes.v, half_px, CHROMA_BLUR_PX, CHROMA_GRAIN, STEP_PX / 2),
    ):
        maps = where.astype(np.float32)
        sampled = cv2.remap(plane, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        values = np.asarray(sampled, dtype=np.float32)
        parts.append(_unlike(values, relative, cuts, blur_px / STEP_PX, grain, counts))
    together = (parts[0] + parts[1] + parts[2]).min(axis=0)
    return MOST_SAID * (1 - np.exp(-together / MOST_SAID)), parts[0].min(axis=0)


def _unlike(
    values: NDArray[np.float32], relative: NDArray[np.intp], cuts: Array, blur: float, grain: float, counts: float
) -> Array:
    """What each cut adds to the log-likelihood of the windows of profiles, (cuts, n, shifts).

    A pattern of which one cut adds nothing is another one: an edge alone is no line.
    """
    above = [1 / (1 + np.exp(-1.702 * (relative - cut) / blur)) for cut in cuts]
    shifts = values.shape[1] - len(relative) + 1
    level = values - values.mean(axis=1, keepdims=True)

    def along(plane: NDArray[np.float32], kernel: Array) -> NDArray[np.float32]:
        out = cv2.filter2D(plane, cv2.CV_32F, kernel.astype(np.float32)[None], anchor=(0, 0))
        return np.asarray(out[:, :shifts], dtype=np.float32)

    ones = np.ones(len(relative))
    total = along(level**2, ones) - along(level, ones) ** 2 / len(relative)
    floor = len(relative) * grain**2

    def left(levels: Sequence[Array]) -> NDArray[np.float32]:
        basis = np.linalg.qr(np.column_stack([ones, *levels]))[0]
        explained = sum((along(level, column) ** 2 for column in basis.T[1:]), np.zeros_like(total))
        return np.asarray(np.maximum(total - explained, 0.0) + floor, dtype=np.float32)

    whole = left(above)
    simpler = [left([each for number, each in enumerate(above) if number != cut]) for cut in range(len(above))]
    weight = counts * len(relative) / 2
    return np.asarray(weight * np.log(np.stack(simpler) / whole), dtype=np.float64)


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
