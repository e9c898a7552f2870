"""Reading one picture of a lane: which pins stand, lean and lie."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from hardware.frame import Frame
from referee.vision.pins.candidates import CandidateFinder
from referee.vision.pins.choosing import Chooser
from referee.vision.pins.explain import Scene
from referee.vision.pins.fitting import Fit, fitted
from referee.vision.pins.memory import remembered, union_of
from referee.vision.pins.outlines import outlines_of, sampled
from referee.vision.pins.paint import filled, looked_at, paint_of
from referee.vision.pins.picture import Array, window_of
from referee.vision.pins.pin import Pin, PinReading, PinSize, PinState
from referee.vision.pins.shape import balls_of
from referee.vision.pins.shift import shift_of
from referee.vision.pins.surfaces import MARKER, SIDE, Parts, bare, parts_of
from referee.vision.pins.uncalibrated import read_uncalibrated
from referee.vision.pins.verdict import arm_over, chance_of_rest, dark_things, is_there, pin_of, reading_of

__all__ = ["Pin", "PinReader", "PinReading", "PinSize", "PinState", "read_uncalibrated"]

DISTINCT: Final = 3.0
"""Deviations from the bare lane at which a pixel may as well be a pin."""
SURE: Final = 0.5
"""Score of a candidate, alone, from which its colours are taken for those of pins."""

NEAR: Final = 0.5
"""Radii of a belly between poses that are one pin, a little moved."""

BESIDE_QUALITY: Final = 0.65
"""How well a pin must fit, and look like one, where there is no lane that it could be told from."""


class PinReader:
    """Reads the pins of one table in frames of one size."""

    def __init__(self, table: Table, size: PinSize | None = None) -> None:
        """``size``: of a pin, else as the layout says."""
        pins = table.layout.pins
        if size is None and pins is not None:
            size = PinSize(height_mm=pins.height_mm, radius_mm=pins.radius_mm)
        self._size = size or PinSize(height_mm=50.0, radius_mm=8.0)
        self._count = pins.count if pins is not None else 10
        self._table = table
        self._window = window_of(table, self._size)
        self._lid = parts_of(self._window) < SIDE
        self._finder = CandidateFinder(self._window, self._size)

    def read(self, frame: Frame, known: Sequence[Pin] = ()) -> PinReading:
        """Read one settled frame; ``known``: pins that stood before and weren't touched since."""
        bare_scene, parts = self._scene(frame)
        scene = self._painted(bare_scene)
        candidates = np.array([candidate.pose for candidate in self._finder.find(scene)]).reshape(-1, 5)
        on_lid = candidates[:, 2] >= self._table.layout.height_mm
        fits, more = self._fits(scene, candidates[on_lid])
        beside = self._beside(scene, candidates[~on_lid], [fit.pose for fit in fits])
        seen = [fit for fit in fits if is_there(fit)]
        arm = arm_over(bare_scene, parts)
        covered = union_of(np.array([fit.pose for fit in seen]).reshape(-1, 5), scene)
        reading = reading_of(
            remembered([self._pin(fit) for fit in seen], seen, known, scene, arm),
            [self._pin(fit) for fit in beside],
            doubtful=[fit for fit in fits if not is_there(fit)],
            more=max(more, chance_of_rest(scene, covered, parts)),
            covers=arm is not None,
            count=self._count,
            strange=arm is None and dark_things(bare_scene, covered) > max(len(seen) / 2, 1),
        )
        return replace(reading, lane_shift_mm=scene.shift_mm)

    def _pin(self, fit: Fit) -> Pin:
        return pin_of(fit, self._table.camera, self._size)

    def _beside(self, scene: Scene, poses: Array, others: Sequence[Array]) -> list[Fit]:
        """Pins that fell off the lid and lie in plain view; there may be anything on a table, so that they must fit."""
        left = self._count - len(others)
        if left <= 0 or not len(poses):
            return []
        evidence = np.where(union_of(np.array(others).reshape(-1, 5), scene), 0, scene.evidence)
        alone = replace(scene, evidence=evidence.astype(np.float32))
        fits = fitted([poses[k] for k in Chooser(poses, alone).chosen(left)], alone)
        return [fit for fit in fits if min(fit.quality, fit.inside) > BESIDE_QUALITY]

    def _fits(self, scene: Scene, poses: Array) -> tuple[list[Fit], float]:
        """The pins on the lid that explain a scene best, each in its place, and the chance that there is one more."""
        if not len(poses):
            return [], 0.0
        fits = fitted([poses[k] for k in Chooser(poses, scene).chosen(self._count)], scene)
        # Pins in their places leave other pixels over than candidates on a grid.
        settled = np.array([fit.pose for fit in fits]).reshape(-1, 5)
        again = np.vstack([settled, poses[~_are_near(poses, settled, self._size)]])
        chooser = Chooser(again, scene)
        chosen = chooser.chosen(self._count)
        if set(chosen) != set(range(len(fits))):
            fits = fitted([again[k] for k in chosen], scene)
        return fits, 0.0 if len(fits) >= self._count else chooser.chance_of_more(chosen)

    def _scene(self, frame: Frame) -> tuple[Scene, Parts]:
        """A frame compared with the bare lane, and which part of it is where."""
        planes = self._window.planes(frame)
        shift_mm = shift_of(planes, self._window)
        parts = parts_of(self._window, shift_mm)
        seen = bare(planes, parts)
        evidence = np.clip(seen.distance / DISTINCT - 1, -1, 1)
        evidence[parts == MARKER] = 0
        # Where two surfaces meet colours mix, and pins hide them no less than elsewhere.
        evidence = filled(evidence.astype(np.float32), (~seen.seams).astype(np.float32))
        scene = Scene(
            window=self._window,
            size=self._size,
            evidence=evidence,
            planes=planes,
            shade=seen.shade,
            shift_mm=shift_mm,
        )
        return scene, parts

    def _painted(self, scene: Scene) -> Scene:
        """The scene with evidence made better by the paint of its likeliest pins."""
        sure = [c.pose for c in self._finder.find(scene, is_rough=True) if c.score > SURE]
        if not sure:
            return scene
        outlines = outlines_of(np.array(sure), self._size, self._window)
        is_seen = sampled(scene.evidence, outlines.inside) > 0
        pin = paint_of(sampled(scene.planes, outlines.inside)[is_seen])
        lane = paint_of(scene.planes[(scene.evidence < 0) & self._lid])
        return replace(scene, evidence=looked_at(scene.evidence, scene.planes, pin, lane, self._lid))


def _are_near(poses: Array, others: Array, size: PinSize) -> NDArray[np.bool_]:
    """Which poses, (n, 5), are nearly one of the others, (m, 5): (n,)."""
    balls, _ = balls_of(poses, size)
    about, _ = balls_of(others, size)
    apart = np.linalg.norm(balls[:, None] - about[None], axis=-1).max(axis=2, initial=0.0)
    return np.asarray((apart < NEAR * size.radius_mm).any(axis=1), dtype=np.bool_)
