"""Pins that stood before and weren't touched since: they still stand, also where they can't be seen."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from referee.vision.pins.explain import HIDDEN, Mask, Scene, are_in_one_another, judged, union_of
from referee.vision.pins.fitting import Fit
from referee.vision.pins.pin import Pin

SAME: Final = 1.0
"""Radii of a belly within which a pin is the one known there: a tap on the box makes pins slide a little."""

MOSTLY_SEEN: Final = 0.5
"""Share of a pin in view from which a picture tells by itself whether it stands there."""

BARE: Final = -0.3
"""Evidence, on average, below which what is in view of a pin's place is bare lane."""

REMEMBERED: Final = 0.9
"""Confidence that an untouched pin that can't be seen still stands."""


def remembered(
    pins: Sequence[Pin], fits: Sequence[Fit], known: Sequence[Pin], scene: Scene, arm: Mask | None
) -> list[Pin]:
    """The pins read, those known to stand among them surer, and known ones added that are hidden."""
    out = list(pins)
    taken: set[int] = set()
    for old in known:
        if old.mm is None or old.state != "standing":
            continue
        k = _same(out, old.mm, taken, SAME * scene.size.radius_mm)
        if k is None:
            hidden = _hidden(old.mm, fits, scene, arm)
            if hidden is not None:
                out.append(replace(old, confidence=REMEMBERED, hidden=hidden))
            continue
        taken.add(k)
        if out[k].state == "standing":
            out[k] = replace(out[k], confidence=max(out[k].confidence, old.confidence, REMEMBERED))
    return out


def _same(pins: Sequence[Pin], place_mm: tuple[float, float], taken: set[int], within_mm: float) -> int | None:
    """Which of the pins is at a place."""
    gaps = {
        k: float(np.hypot(pin.mm[0] - place_mm[0], pin.mm[1] - place_mm[1]))
        for k, pin in enumerate(pins)
        if k not in taken and pin.mm is not None
    }
    nearest = min(gaps, key=lambda k: gaps[k], default=None)
    return nearest if nearest is not None and gaps[nearest] < within_mm else None


def _hidden(place_mm: tuple[float, float], fits: Sequence[Fit], scene: Scene, arm: Mask | None) -> float | None:
    """Share of a pin at a place that can't be seen, None if it should be seen and isn't, or can't be there."""
    pose = np.array([*place_mm, scene.window.table.layout.height_mm, 0.0, 0.0])
    others = np.array([fit.pose for fit in fits]).reshape(-1, 5)
    if are_in_one_another(np.vstack([pose, others]), scene.size)[0, 1:].any():
        return None
    covered = union_of(others, scene)
    if arm is not None:
        covered |= arm
    seen = judged(pose[None], scene, HIDDEN * covered[None].astype(np.uint8), np.zeros(1, dtype=np.intp))
    visible, evidence = float(seen.visible[0]), float(seen.inside[0])
    return None if visible > MOSTLY_SEEN or (visible > 0.1 and evidence < BARE) else 1 - visible
