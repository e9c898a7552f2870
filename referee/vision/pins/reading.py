"""Reading one picture of a lane: which pins stand, lean and lie."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from calibration.table import Table
from hardware.frame import Frame
from referee.vision.pins.candidates import CandidateFinder
from referee.vision.pins.explain import NONE_KNOWN, Mask, Scene
from referee.vision.pins.explanation import FITTING, LITTLE, Explanation, explanation_of
from referee.vision.pins.fitting import Fit
from referee.vision.pins.memory import remembered
from referee.vision.pins.outlines import outlines_of
from referee.vision.pins.picture import BELLY_PX, Array, Window, window_of
from referee.vision.pins.pin import Pin, PinReading, PinSize, PinState
from referee.vision.pins.profiles import FAMILY
from referee.vision.pins.scenes import bare_scene, painted, part_of_scene, shaded, shaded_by
from referee.vision.pins.sizing import fitting_size, gains_by
from referee.vision.pins.uncalibrated import read_uncalibrated
from referee.vision.pins.verdict import SURE_OF_PART, arm_over, chance_of_rest, chance_of_two, pin_of, reading_of

__all__ = ["Pin", "PinReader", "PinReading", "PinSize", "PinState", "read_uncalibrated"]

BETTER: Final = 1.07
SEARCHES: Final = 2
"""How much better another shape must explain pins to be theirs; and readings in which shapes and sizes are tried,
unless one is found before that fits."""

OTHER_SIZES: Final = (0.85, 1.18)
"""Sizes that are tried, as shares of the one that pins are said to have: from these the right one is found."""

FAIRLY: Final = 0.8
MUCH_WORSE: Final = 0.06
MOST_WORSE: Final = 3
"""Quality of pins that are nearly like those in view; how much worse other ones may fit where they stand, to be worth a
thought if these leave things unexplained; and how many that explain less are tried one after another."""

ENOUGH: Final = 3
"""Pins that are known to stand by which others are told."""

LIKELY: Final = 0.5
"""Confidence of a reading that is right rather than wrong."""

AROUND: Final = 0.5
MOST_OF_IT: Final = 0.6
"""How far around what has changed is looked at, in heights of a pin; the share of the picture from which all of it may
as well be read."""

MOST_ROUNDS: Final = 4
LEAST_GAINED: Final = 0.1
MOST_GAINED: Final = 3.0
"""Of learning what pins look like from where they are, and then where they are from that; how much better pins are
explained by one that is worth another one, and after the first one, at most."""


class PinReader:
    """Reads the pins of one table in frames of one size."""

    def __init__(self, table: Table, size: PinSize | None = None) -> None:
        """``size``: of a pin, else as the layout says."""
        pins = table.layout.pins
        if size is None and pins is not None:
            size = PinSize(height_mm=pins.height_mm, radius_mm=pins.radius_mm)
        self._usual = self._size = size or PinSize(height_mm=50.0, radius_mm=8.0)
        self._count = pins.count if pins is not None else 10
        self._table = table
        self._window = window_of(table, self._size)
        self._searches_left = SEARCHES
        self._last: Explanation | None = None
        self._last_mm = (0.0, 0.0)
        self._finders = {self._size: CandidateFinder(self._window, self._size)}

    @property
    def size(self) -> PinSize:
        """Of a pin, as learned from those in view."""
        return self._size

    def read(
        self,
        frame: Frame,
        known: Sequence[Pin] = (),
        *,
        changed_px: Array | None = None,
        may_come: bool = False,
        lane_mm: tuple[float, float] = (0.0, 0.0),
    ) -> PinReading:
        """Read one settled frame; ``known``: pins that stood before and weren't touched since. Where they are enough to
        tell others by, they are taken to be where they were, and only what they don't explain is looked into.

        ``changed_px``: (n, 2), where the picture isn't as it was when it was read last, or is to be read anyhow; None
        if that isn't known. ``may_come``: whether pins may have been set up; where any were, all is read, as their
        places count to the millimetre. ``lane_mm``: how far the lane has shifted since the table was calibrated.
        """
        if changed_px is not None and self._last is not None:
            moved_mm = (lane_mm[0] - self._last_mm[0], lane_mm[1] - self._last_mm[1])
            reading = self._read_part(frame, known, changed_px, self._last, moved_mm)
            if reading is not None and _is_enough(reading, len(known), may_come=may_come):
                return reading
        before = None if self._last is None else self._last.scene.looks
        bare = replace(bare_scene(frame, self._window, self._size, before), known=self._poses_of(known))
        arm = arm_over(bare, bare.parts)
        best = self._explained(bare)
        if arm is None:
            best = self._looked_into(best)
        reading = self._said(best, known, arm)
        # Doubts may be about any part of the picture.
        is_plain = reading.review is None and best.seen and not best.is_by_shadows
        self._last, self._last_mm = best if is_plain else None, lane_mm
        return reading

    def _read_part(
        self, frame: Frame, known: Sequence[Pin], changed_px: Array, last: Explanation, moved_mm: tuple[float, float]
    ) -> PinReading | None:
        """Read what has changed alone; None where that can't be. ``moved_mm``: of the lane since the ``last``."""
        poses = self._poses_of(known)
        window = self._part_of(changed_px)
        if len(poses) != len(known) or not known or window is None or last.scene.size != self._size:
            return None
        scene = part_of_scene(frame, window, last.scene, moved_mm)
        if scene is None:
            return None
        x, y = outlines_of(poses, self._size, window).inside
        is_in = (x > 0) & (x < window.shape[1]) & (y > 0) & (y < window.shape[0])
        is_in = is_in.reshape(-1, len(poses))
        shows, shows_all = np.any(is_in, axis=0), np.all(is_in, axis=0)
        looks = replace(scene.looks, light=last.light)
        bare = replace(scene, known=poses[shows], around=poses[~shows], looks=looks)
        if arm_over(bare, bare.parts) is not None:
            return None
        finder = self._finder(self._size)
        best = explanation_of(painted(bare, finder), bare, finder, self._count - len(bare.around))
        if best.unexplained > LITTLE:
            return None
        # Of pins that are cut off nothing tells how well they fit.
        is_whole = [*shows_all[shows], *[True] * (len(best.seen) - len(bare.known))]
        qualities = [fit.quality for fit, is_all in zip(best.seen, is_whole, strict=True) if is_all]
        shown, around = ([pin for pin, is_so in zip(known, some, strict=True) if is_so] for some in (shows, ~shows))
        return self._said(best, shown, None, around=around, quality=float(np.mean(qualities or 1.0)))

    def _said(
        self,
        best: Explanation,
        known: Sequence[Pin],
        arm: Mask | None,
        *,
        around: Sequence[Pin] = (),
        quality: float | None = None,
    ) -> PinReading:
        """What an explanation says of the pins; ``around``: those that stand beside the part of the picture that it is
        of; ``quality``: how well pins fit, if it isn't that of all."""
        scene = best.scene
        pins = remembered([self._pin(fit) for fit in best.seen], best.seen, known, scene, arm)
        reading = reading_of(
            [*pins, *around],
            [self._pin(fit) for fit in best.beside],
            doubtful=best.doubtful,
            more=max(best.more, chance_of_rest(scene, best.covered, scene.parts), chance_of_two(scene, best.seen)),
            covers=arm is not None,
            count=self._count,
            strange=arm is None and best.unexplained > LITTLE and not self._are_all_seen(best),
            quality=best.quality if quality is None else quality,
        )
        return replace(reading, lane_shift_mm=scene.shift_mm)

    def _part_of(self, places_px: Array) -> Window | None:
        """The part of the window around places, (n, 2) in the camera's picture; None where that is most of it."""
        if not len(places_px):
            return None
        camera, layout = self._table.camera, self._table.layout
        places = self._window.to_px(camera.to_mm(places_px, layout.height_mm))
        height, width = self._window.shape
        margin = AROUND * BELLY_PX / self._size.radius_mm * self._size.height_mm
        is_in = ((places > -margin) & (places < (width + margin, height + margin))).all(axis=1)
        if not is_in.any():
            return None
        low = np.maximum(places[is_in].min(axis=0) - margin, 0).astype(int) // 2 * 2
        high = np.minimum(places[is_in].max(axis=0) + margin, (width, height)).astype(int) // 2 * 2
        (left, top), (right, bottom) = low.tolist(), high.tolist()
        if (right - left) * (bottom - top) > MOST_OF_IT * width * height:
            return None
        return self._window.part(slice(top, bottom), slice(left, right))

    def _poses_of(self, known: Sequence[Pin]) -> Array:
        """Of pins that are known to stand, (k, 5), if they are enough to tell what pins look like, else none."""
        top_mm = self._table.layout.height_mm
        poses = [(*pin.mm, top_mm, 0.0, 0.0) for pin in known if pin.mm is not None and pin.state == "standing"]
        return np.array(poses if len(poses) >= ENOUGH else [], dtype=np.float64).reshape(-1, 5)

    def _pin(self, fit: Fit) -> Pin:
        return pin_of(fit, self._table.camera, self._size)

    def _looked_into(self, first: Explanation) -> Explanation:
        """A better explanation where pins fit badly, or leave dark things over that their shadows don't explain."""
        best = first if self._are_all_seen(first) else self._with_shadows(first)
        is_bare = not best.seen and best.unexplained < LITTLE
        if is_bare or not self._searches_left:
            return best
        self._searches_left -= 1
        if not best.is_good:
            best = self._by_other_pins(best)
        size = fitting_size(best.scene, best.poses[best.poses[:, 4] == 0])
        if size != best.scene.size:
            other = self._with_shadows(self._explained(replace(first.bare, size=size)))
            # A size that fits better where pins stand may leave as much to be explained where they lie.
            best = other if BETTER * other.worth > best.worth else best
        self._size = best.scene.size
        if best.is_good:
            self._searches_left = 0
        return best

    def _are_all_seen(self, best: Explanation) -> bool:
        """Whether all pins that there are fit: what is left over then is a print, a hand's shadow, or their shape."""
        return len(best.seen) >= self._count and best.quality > FITTING

    def _by_other_pins(self, best: Explanation) -> Explanation:
        """The explanation by pins of another shape or size, if that is clearly better."""
        sizes = [replace(self._size, profile=profile) for profile in FAMILY if profile != self._size.profile]
        sizes += [replace(self._usual.times(factor), profile=self._size.profile) for factor in OTHER_SIZES]
        sizes = [size for size in sizes if size != self._size]
        gains = gains_by(sizes, best.scene, best.poses[best.poses[:, 4] == 0])
        # Where these pins nearly fit, those that are really there don't fit much worse; where nothing is left to be
        # found, they fit better.
        is_all = best.unexplained < LITTLE or self._are_all_seen(best)
        least = -math.inf if best.quality <= FAIRLY else 0.0 if is_all else -MUCH_WORSE
        others: list[Explanation] = []
        worse = 0
        for gain, size in sorted(zip(gains, sizes, strict=True), key=lambda pair: -pair[0]):
            if gain <= least or worse == MOST_WORSE or (others and others[-1].is_good):
                break
            others.append(self._with_shadows(self._explained(replace(best.bare, size=size)), 1))
            worse = 0 if others[-1].worth > best.worth else worse + 1
        other = max(others, key=_worth, default=best)
        if other is not best and other.is_by_shadows and other.worth > best.worth - MOST_GAINED:
            other = self._with_shadows(other)
        return other if other.worth > BETTER * best.worth else best

    def _with_shadows(self, first: Explanation, rounds: int = MOST_ROUNDS) -> Explanation:
        """The better of an explanation and one by what pins and their shadows look like, learned in some rounds."""
        if first.is_by_shadows:
            # Where pins surely are tells better what they look like.
            scene: Scene | None = shaded_by(first.bare, first.poses)
        else:
            scene = None if first.unexplained < LITTLE else shaded(first.bare, self._finder(first.bare.size))
        best = first
        for _ in range(rounds):
            other = best if scene is None else self._explained(first.bare, scene, best.poses)
            gain = other.worth - best.worth
            # More pins that explain nothing of what was left over have come of shadows.
            is_idle = not best.is_by_shadows and other.unexplained >= best.unexplained
            if gain <= 0 or not other.seen or is_idle:
                break
            best = other
            if gain < LEAST_GAINED:
                break
            scene = shaded_by(first.bare, best.poses)
        return best

    def _explained(self, bare: Scene, by_shadows: Scene | None = None, likely: Array = NONE_KNOWN) -> Explanation:
        """The pins that explain a scene best, as told by their paint or by their shadows; ``likely``: where they are if
        that is nearly known, (n, 5)."""
        finder = self._finder(bare.size)
        if by_shadows is None:
            return explanation_of(painted(bare, finder), bare, finder, self._count)
        return replace(explanation_of(by_shadows, bare, finder, self._count, likely), is_by_shadows=True)

    def _finder(self, size: PinSize) -> CandidateFinder:
        if size not in self._finders:
            self._finders[size] = CandidateFinder(self._window, size)
        return self._finders[size]


def _is_enough(part: PinReading, known: int, *, may_come: bool) -> bool:
    """Whether a reading of what has changed alone will do.

    Where nobody struck, and no more stand than are ``known`` to, it tells what lies: of that the rest of the picture,
    which is as it was, tells nothing.
    """
    if may_come:
        return part.standing <= known and part.confidence >= LIKELY
    return part.review is None and part.confidence >= SURE_OF_PART


def _worth(explanation: Explanation) -> float:
    return explanation.worth
