"""Reading one picture of a lane: which pins stand, lean and lie."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from calibration.table import Table
from hardware.frame import Frame
from referee.vision.pins.candidates import CandidateFinder
from referee.vision.pins.choosing import Chooser
from referee.vision.pins.explain import Scene
from referee.vision.pins.fitting import LEAST_LEAN, LYING_FROM, Fit, fitted
from referee.vision.pins.outlines import outlines_of, sampled
from referee.vision.pins.paint import looked_at, paint_of
from referee.vision.pins.picture import window_of
from referee.vision.pins.pin import Pin, PinReading, PinSize, PinState
from referee.vision.pins.shift import shift_of
from referee.vision.pins.surfaces import MARKER, SIDE, bare, parts_of

__all__ = ["Pin", "PinReader", "PinReading", "PinSize", "PinState", "read_uncalibrated"]

DISTINCT: Final = 3.0
"""Deviations from the bare lane at which a pixel may as well be a pin."""
SURE: Final = 0.5
"""Score of a candidate, alone, from which its colours are taken for those of pins."""

LEAST_SEEN: Final = 0.12
LEAST_QUALITY: Final = 0.4
"""What a pin must show, as a share of an upright one in plain view, and how well that must fit."""


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
        scene = self._painted(self._scene(frame))
        poses = np.array([candidate.pose for candidate in self._finder.find(scene)]).reshape(-1, 5)
        on_lid = poses[poses[:, 2] >= self._table.layout.height_mm]
        if not len(on_lid):
            return PinReading(pins=(), standing=0, fallen=0, confidence=0.9, review=None)
        fits = fitted([on_lid[k] for k in Chooser(on_lid, scene).chosen(self._count)], scene)
        again = np.vstack([np.array([fit.pose for fit in fits]).reshape(-1, 5), on_lid])
        chosen = Chooser(again, scene).chosen(self._count)
        if set(chosen) != set(range(len(fits))):
            fits = fitted([again[k] for k in chosen], scene)
        fits = [fit for fit in fits if fit.worth > LEAST_SEEN * fit.unit and fit.quality > LEAST_QUALITY]
        pins = tuple(self._pin(fit) for fit in fits)
        standing = sum(pin.state == "standing" for pin in pins)
        confidence = float(np.prod([pin.confidence for pin in pins]))
        return PinReading(pins=pins, standing=standing, fallen=len(pins) - standing, confidence=confidence, review=None)

    def _scene(self, frame: Frame) -> Scene:
        planes = self._window.planes(frame)
        shift_mm = shift_of(planes, self._window)
        parts = parts_of(self._window, shift_mm)
        seen = bare(planes, parts)
        evidence = np.clip(seen.distance / DISTINCT - 1, -1, 1)
        evidence = np.where(seen.seams, np.minimum(evidence, 0), evidence)
        evidence[parts == MARKER] = 0
        return Scene(
            window=self._window,
            size=self._size,
            evidence=np.asarray(evidence, dtype=np.float32),
            planes=planes,
            shift_mm=shift_mm,
        )

    def _painted(self, scene: Scene) -> Scene:
        """The scene with evidence made better by the paint of its likeliest pins."""
        sure = [c.pose for c in self._finder.find(scene) if c.score > SURE]
        if not sure:
            return scene
        outlines = outlines_of(np.array(sure), self._size, self._window)
        is_seen = sampled(scene.evidence, outlines.inside) > 0
        pin = paint_of(sampled(scene.planes, outlines.inside)[is_seen])
        lane = paint_of(scene.planes[(scene.evidence < 0) & self._lid])
        return replace(scene, evidence=looked_at(scene.evidence, scene.planes, pin, lane))

    def _pin(self, fit: Fit) -> Pin:
        camera = self._table.camera
        x, y, z, turn, tilt = (float(value) for value in fit.pose)
        state: PinState = "standing" if tilt < LEAST_LEAN else "leaning" if tilt < LYING_FROM else "fallen"
        height = self._size.height_mm
        axis = np.array([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), max(np.cos(tilt), 0.0)])
        foot = np.array([x, y, z + (self._size.radius_mm * 0.8 if state == "fallen" else 0.0)])
        (foot_px, head_px) = camera.to_px(np.stack([foot, foot + height * axis]))
        margin = abs(fit.upright - fit.tilted)
        return Pin(
            state=state,
            x_px=float(foot_px[0]),
            y_px=float(foot_px[1]),
            mm=(x, y),
            head_px=(float(head_px[0]), float(head_px[1])),
            confidence=float(1 / (1 + np.exp(-margin / 0.03))),
            hidden=1 - fit.visible,
        )


def read_uncalibrated(frame: Frame) -> PinReading:
    """Read a picture of anywhere: pins in pixels only."""
    return PinReading(pins=(), standing=0, fallen=0, confidence=0.0, review="not read")
