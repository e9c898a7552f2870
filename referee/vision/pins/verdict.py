"""From pins fitted to a picture to what is said about it: states, how sure they are, and what people should look at."""

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from calibration.camera_model import CameraModel
from referee.vision.pins.explain import PIN_AREA, Mask, Scene
from referee.vision.pins.fitting import Fit
from referee.vision.pins.nearby import LEAST_LEAN, LYING_FROM
from referee.vision.pins.outlines import outlines_of, sampled_at
from referee.vision.pins.picture import BELLY_PX
from referee.vision.pins.pin import Pin, PinReading, PinSize, PinState
from referee.vision.pins.surfaces import SIDE, Parts

LEAST_SEEN: Final = 0.08
LEAST_QUALITY: Final = 0.4
"""What a pin must show, as a share of an upright one in plain view, and how well that must fit."""

SEEN_SLACK: Final = 0.02
QUALITY_SLACK: Final = 0.05
STATE_SLACK: Final = 0.03
"""How far these, and the scores of standing and lying, may be off."""

ARM: Final = 2.2
"""Half the width, in radii of a pin's belly, of what is no pin: side by side or on top of each other, pins leave gaps
and reach 1.7; a child's wrist reaches 2.5."""

SURELY_PIN: Final = 0.6
REST_OF_PRINT: Final = 0.15
REST_OF_PIN: Final = 0.2
"""Evidence of what has the pins' paint; and areas, in those of a pin, that prints of such paint, and parts of pins,
leave unexplained."""

TWO_COLOURS: Final = (20.0, 3.0)
MAYBE_TWO: Final = 0.4
"""Levels of chroma by which the halves of a pin that lies differ, and how many times more than those of most pins, from
which it may be two that stand behind one another; and the chance that it is."""

FOREGROUND: Final = 0.5
SURE: Final = 0.5
"""Confidence below which a person should look."""

SURE_OF_PART: Final = 0.8
"""The same where less than a whole set stands: a pin that is missing or lies may be one that is misread."""

BEHIND: Final = 0.15
MISSED: Final = 0.75
"""Share of a pin that others hide from which a row of them may hide one more; and how sure a count is that lacks just
one of a whole set, where that may be so."""

UNLIKE: Final = 0.75
UNLIKE_SLACK: Final = 0.03
"""How well pins fit on the whole that may as well be something else, and how far off this may be."""

CALIBRATED: Final = 0.995
"""Most that is ever claimed for one pin."""

FOOT_ABOVE: Final = 0.8
"""How high the middle of a lying pin's foot is, in radii of the belly."""


def is_there(fit: Fit) -> bool:
    """Whether enough of a pin is seen, and fits."""
    return fit.worth > LEAST_SEEN * fit.unit and fit.quality > LEAST_QUALITY


def arm_over(bare: Scene, parts: Parts) -> Mask | None:
    """Where a hand, an arm or the like is over the lid: (h, w), None where nothing thicker than pins is.

    ``bare``: the scene as compared with the bare lane alone.
    """
    foreground = (bare.evidence > FOREGROUND).astype(np.uint8)
    thickness = cv2.distanceTransform(foreground, cv2.DIST_L2, 3)
    thick = (thickness > ARM * BELLY_PX) & (parts < SIDE)
    if not thick.any():
        return None
    _, labels = cv2.connectedComponents(foreground)
    return np.asarray(np.isin(labels, np.unique(labels[thick])), dtype=np.bool_)


def chance_of_rest(scene: Scene, pins: Mask, parts: Parts) -> float:
    """How likely it is that what looks like pins on the lid, and is explained by none of them, is part of one."""
    about = cv2.dilate(pins.astype(np.uint8), np.ones((7, 7), np.uint8))
    rest = ((scene.evidence > SURELY_PIN) & (about == 0) & (parts < SIDE)).astype(np.uint8)
    rest = np.asarray(cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), dtype=np.uint8)
    if cv2.countNonZero(rest) < REST_OF_PRINT * PIN_AREA * BELLY_PX**2:
        return 0.0
    _, _, stats, _ = cv2.connectedComponentsWithStats(rest)
    largest = float(stats[1:, cv2.CC_STAT_AREA].max(initial=0)) / (PIN_AREA * BELLY_PX**2)
    return 1 - math.exp(-max(largest - REST_OF_PRINT, 0.0) / REST_OF_PIN)


def chance_of_two(scene: Scene, fits: Sequence[Fit]) -> float:
    """How likely it is that one of some pins, taken to lie, is two of other colours that stand behind one another."""
    if all(fit.pose[4] < LYING_FROM for fit in fits):
        return 0.0
    outlines = outlines_of(np.array([fit.pose for fit in fits]), scene.size, scene.window)
    seen = sampled_at(scene.seen, *outlines.inside)
    weights, colours = np.maximum(seen[..., :1], 1e-3), seen[..., 2:]
    half = colours.shape[1] // 2
    foot, head = (
        (weights[:, part] * colours[:, part]).sum(axis=(0, 1)) / weights[:, part].sum(axis=(0, 1))
        for part in (slice(half), slice(half, None))
    )
    apart = np.hypot(*(foot - head).T)
    lies = np.array([fit.pose[4] >= LYING_FROM for fit in fits])
    least, times = TWO_COLOURS
    return MAYBE_TWO if (apart[lies] > max(least, times * float(np.median(apart)))).any() else 0.0


def pin_of(fit: Fit, camera: CameraModel, size: PinSize) -> Pin:
    """What is said of one pin."""
    x, y, z, turn, tilt = (float(value) for value in fit.pose)
    state: PinState = "standing" if tilt < LEAST_LEAN else "leaning" if tilt < LYING_FROM else "fallen"
    axis = np.array([math.sin(tilt) * math.cos(turn), math.sin(tilt) * math.sin(turn), max(math.cos(tilt), 0.0)])
    foot = np.array([x, y, z + (size.radius_mm * FOOT_ABOVE if state == "fallen" else 0.0)])
    foot_px, head_px = camera.to_px(np.stack([foot, foot + size.height_mm * axis]))
    return Pin(
        state=state,
        x_px=float(foot_px[0]),
        y_px=float(foot_px[1]),
        mm=(x, y),
        head_px=(float(head_px[0]), float(head_px[1])),
        confidence=CALIBRATED * _chance(fit) * _share(abs(fit.upright - fit.tilted) / STATE_SLACK),
        hidden=1 - fit.visible,
    )


def reading_of(
    pins: Sequence[Pin],
    beside: Sequence[Pin],
    *,
    doubtful: Sequence[Fit],
    more: float,
    covers: bool,
    strange: bool,
    count: int,
    quality: float = 1.0,
) -> PinReading:
    """All that is said of a picture.

    ``beside``: pins that lie off the lid; ``doubtful``: pins that may be there, but were not counted; ``more``: the
    chance of one that wasn't tried; ``covers``: something is over the lane; ``strange``: there are dark
    things on it that nothing explains; ``count``: pins of a whole set; ``quality``: how well pins fit on the whole.
    """
    standing = sum(pin.state == "standing" for pin in pins)
    confidence = (1 - more) * math.prod(pin.confidence for pin in pins)
    confidence *= math.prod(1 - _chance(fit) for fit in doubtful if fit.pose[4] < LEAST_LEAN)
    if pins and standing < count:
        # What looks like no pin that is known may stand or lie; but a whole set doesn't come by chance.
        confidence *= _share((quality - UNLIKE) / UNLIKE_SLACK)
        if len(pins) + len(beside) == count - 1 and any(pin.hidden > BEHIND for pin in pins):
            confidence *= MISSED
    review = None
    if covers:
        confidence /= 2
        review = "something reaches over the lane"
    elif strange:
        confidence /= 4
        review = "dark things on the lane may be pins that look like shadows"
    elif confidence < (SURE if standing >= count else SURE_OF_PART):
        review = _why(pins)
    return PinReading(
        pins=(*pins, *beside),
        standing=standing,
        fallen=len(pins) + len(beside) - standing,
        confidence=confidence,
        review=review,
    )


def _why(pins: Sequence[Pin]) -> str:
    unsure = [pin for pin in pins if pin.confidence < SURE]
    hidden = [pin for pin in unsure if pin.hidden > 0.5]
    if hidden:
        return "a pin is nearly hidden behind others" if len(hidden) == 1 else "pins are nearly hidden behind others"
    if unsure:
        return "a pin may stand or not" if len(unsure) == 1 else f"{len(unsure)} pins may stand or not"
    return "there may be one more pin than counted, or one fewer"


def _chance(fit: Fit) -> float:
    """How likely it is that a pin is there at all."""
    seen, quality = fit.worth / fit.unit - LEAST_SEEN, fit.quality - LEAST_QUALITY
    return _share(seen / SEEN_SLACK) * _share(quality / QUALITY_SLACK)


def _share(value: float) -> float:
    """The logistic function."""
    return 1 / (1 + math.exp(-min(max(value, -50.0), 50.0)))
