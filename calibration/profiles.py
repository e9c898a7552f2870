"""How well a pattern of levels fits across a line that is nearly known, at each place around it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.perspective import Projection
from calibration.planes import Planes

Array = NDArray[np.float64]

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
# A point speaks for a place with no more than this log-likelihood.
MOST_SAID: Final = 25.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """``said``: how much more likely the pattern is than a plainer one, (n points, shifts); ``by_luma``: luma alone.

    ``brighter``: by how many levels of luma it is brighter between its changes than beside them.
    """

    said: Array
    by_luma: Array
    brighter: Array


def fit_pattern(
    planes: Planes,
    places: Array,
    outwards: Array,
    camera: Projection,
    *,
    cuts_mm: Sequence[float],
    context_mm: float,
    reach: int,
    step_mm: float,
) -> Fit:
    """Try a pattern of levels that change at ``cuts_mm`` at places, (n, 3) mm, shifted along ``outwards``, (3,).

    ``reach``: how many steps of ``step_mm`` to both sides; ``context_mm``: how far beyond the changes is looked at.
    """
    cuts = np.array(cuts_mm) / step_mm
    context = round(np.clip(min(context_mm / step_mm, reach), LEAST_CONTEXT, CONTEXT_PX / STEP_PX))
    first, last = int(np.floor(cuts.min())) - context, int(np.ceil(cuts.max())) + context
    offsets_mm = np.arange(first - reach, last + reach + 1) * step_mm
    profile_mm = places[:, None] + outwards * offsets_mm[None, :, None]
    profile_px = camera.to_px(profile_mm.reshape(-1, 3)).reshape(len(places), len(offsets_mm), 2)
    half_px = (profile_px + 0.5) / 2 - 0.5
    relative = np.arange(first, last + 1)
    parts, brighter = [], np.zeros(0)
    for plane, where, blur_px, grain, counts in (
        (planes.luma, profile_px, BLUR_PX, GRAIN, STEP_PX),
        (planes.u, half_px, CHROMA_BLUR_PX, CHROMA_GRAIN, STEP_PX / 2),
        (planes.v, half_px, CHROMA_BLUR_PX, CHROMA_GRAIN, STEP_PX / 2),
    ):
        maps = where.astype(np.float32)
        sampled = cv2.remap(plane, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        values = np.asarray(sampled, dtype=np.float32)
        brighter = brighter if len(brighter) else _brighter(values, relative, cuts)
        parts.append(_unlike(values, relative, cuts, blur_px / STEP_PX, grain, counts))
    together = (parts[0] + parts[1] + parts[2]).min(axis=0)
    said = MOST_SAID * (1 - np.exp(-together / MOST_SAID))
    return Fit(said=said, by_luma=parts[0].min(axis=0), brighter=brighter)


def _brighter(values: NDArray[np.float32], relative: NDArray[np.intp], cuts: Array) -> Array:
    """How much brighter windows of profiles are in the middle of the cuts than as far beside it as those are apart."""
    shifts = values.shape[1] - len(relative) + 1
    middle = round(float(cuts.mean())) - int(relative[0])
    beside = min(max(round(float(np.ptp(cuts))), 2), middle)
    here, before, after = (values[:, i : i + shifts] for i in (middle, middle - beside, middle + beside))
    return np.asarray(here - (before + after) / 2, dtype=np.float64)


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
