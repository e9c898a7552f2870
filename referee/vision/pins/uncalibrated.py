"""Pins in a picture of which nothing is known: pale upright pins seen from the side, in pixels only.

Every place and size is tried with the outline of a standing pin; those that together explain the pale parts of the
picture are taken, front ones first. All stand on one plane, so their sizes must follow their feet.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame
from referee.vision.pins.outlines import sampled
from referee.vision.pins.picture import Array, Image
from referee.vision.pins.pin import Pin, PinReading
from referee.vision.pins.profiles import BOWLING

WIDTH_PX: Final = 480
"""Width of the picture that is searched."""

SLENDER: Final = (6.3, 5.2, 3.8)
"""Heights of pins in radii of their belly: seen level, from 35 and from 53 degrees above."""

SMALLEST_PX: Final = 26.0
LARGEST: Final = 0.55
GROWTH: Final = 1.14
"""Least height of a pin that still shows a neck, the largest as a share of the picture, and the step between sizes."""

PALER: Final = 30.0
"""Levels by which a pin is paler than what is behind it."""

COLOURED: Final = 0.6
"""Worth of an edge between colours against one of paleness."""

BESIDE: Final = ((0.3, 1.5), (0.67, 0.95), (0.87, 1.05), (0.12, 1.3))
MOST_BESIDE: Final = 5
"""Heights at which a pin is paler than what is beside it, so many radii of the belly away; and on how many of the eight
sides it must be: others may stand there."""

LEAST_SCORE: Final = 0.5
LEAST_ADDED: Final = 0.25
HEAD: Final = len(BOWLING) - 3
MOST_HIDDEN: Final = 0.7
MOST_OVER: Final = 0.3
"""Of an outline: how strong what is seen of it must be, and all of it; and how much of a pin others in front may hide,
and how much it may hide of what others explain. Its head, the last discs of the profile, must be seen."""

MOST: Final = 350
MOST_PINS: Final = 30

CONFIDENCE: Final = 0.75
"""Most that is claimed of a pin of which no size is known."""

SIZE_SLACK: Final = 0.25
"""How far, as a share, the size of a pin may be from what its place among the others asks for."""


@dataclass(frozen=True, kw_only=True, eq=False)
class _Shapes:
    """Outlines of n standing pins: ``feet``, (n, 2), ``heights``, (n,), ``belly``, (n,) px, and how well they fit."""

    feet: Array
    heights: Array
    belly: Array
    scores: Array

    def some(self, which: NDArray[np.intp]) -> "_Shapes":
        return _Shapes(
            feet=self.feet[which], heights=self.heights[which], belly=self.belly[which], scores=self.scores[which]
        )


def read_uncalibrated(frame: Frame) -> PinReading:
    """Read a picture of anywhere: standing pins in pixels only, none of them for sure."""
    scale = WIDTH_PX / frame.width_px
    look = _look(frame, scale)
    found = _chosen(_candidates(look), look)
    pins = tuple(
        Pin(
            state="standing",
            x_px=float(foot[0] / scale),
            y_px=float(foot[1] / scale),
            mm=None,
            head_px=(float(foot[0] / scale), float((foot[1] - height) / scale)),
            confidence=CONFIDENCE * min(1.0, float(score) / 0.8),
            hidden=0.0,
        )
        for foot, height, score in zip(found.feet, found.heights, found.scores, strict=True)
    )
    confidence = float(np.prod([pin.confidence for pin in pins])) if pins else 0.5
    review = "the view isn't calibrated: pins are counted by their look alone"
    return PinReading(pins=pins, standing=len(pins), fallen=0, confidence=confidence, review=review)


def _look(frame: Frame, scale: float) -> Image:
    """The shrunk picture, (h, w, 3): paleness (luma less chroma) and both chroma planes, in levels."""
    size = (WIDTH_PX, max(1, round(frame.height_px * scale)))
    planes = (frame.y, frame.u, frame.v)
    y, u, v = (cv2.resize(plane, size, interpolation=cv2.INTER_AREA).astype(np.float32) for plane in planes)
    return np.stack([y - np.hypot(u - 128, v - 128), u - 128, v - 128], axis=-1)


def _candidates(look: Image) -> _Shapes:
    """Places and sizes that look like a standing pin, the best first."""
    height, width = look.shape[:2]
    feet, heights, bellies = [], [], []
    size = SMALLEST_PX
    while size < LARGEST * height:
        step = size / 14
        rows = np.arange(0.8 * size, height + 0.1 * size, step)
        grid = np.stack(np.meshgrid(np.arange(0, width, step), rows), axis=-1).reshape(-1, 2)
        for slender in SLENDER:
            feet.append(grid)
            heights.append(np.full(len(grid), size))
            bellies.append(np.full(len(grid), size / slender))
        size *= GROWTH
    shapes = _Shapes(
        feet=np.concatenate(feet),
        heights=np.concatenate(heights),
        belly=np.concatenate(bellies),
        scores=np.zeros(sum(map(len, feet))),
    )
    shapes = shapes.some(_glanced(shapes, look))
    if not len(shapes.feet):
        return shapes
    inner, outer, edges, _ = _outlines(shapes)
    scores = np.where(edges, _steps(look, inner, outer), 0.0).sum(axis=1) / edges.sum(axis=1)
    # Parts of pins look like smaller pins, and there are many more of those.
    best = np.argsort(-scores * shapes.heights)
    best = best[scores[best] > LEAST_SCORE][: 8 * MOST]
    apart = _apart(_Shapes(feet=shapes.feet, heights=shapes.heights, belly=shapes.belly, scores=scores).some(best))
    return _moved(apart, look) if len(apart.feet) else apart


def _moved(shapes: _Shapes, look: Image) -> _Shapes:
    """Shapes moved and stretched a little, by less than the steps in which they were tried, to where they fit best."""
    for step in (0.04, 0.02):
        nudges = step * np.vstack([np.zeros((1, 3)), np.eye(3), -np.eye(3)])
        count = len(nudges)
        heights = np.repeat(shapes.heights, count)
        many = np.tile(nudges, (len(shapes.feet), 1))
        tries = _Shapes(
            feet=np.repeat(shapes.feet, count, axis=0) + many[:, :2] * heights[:, None],
            heights=heights * (1 + 1.5 * many[:, 2]),
            belly=np.repeat(shapes.belly, count) * (1 + 1.5 * many[:, 2]),
            scores=np.zeros(len(heights)),
        )
        inner, outer, edges, _ = _outlines(tries)
        scores = np.where(edges, _steps(look, inner, outer), 0.0).sum(axis=1) / edges.sum(axis=1)
        best = scores.reshape(-1, count).argmax(axis=1) + count * np.arange(len(shapes.feet))
        shapes = _Shapes(feet=tries.feet, heights=tries.heights, belly=tries.belly, scores=scores).some(best)
    return shapes


def _glanced(shapes: _Shapes, look: Image) -> NDArray[np.intp]:
    """Which shapes are paler at belly, neck and head than beside them, most of the time."""
    brighter = np.zeros(len(shapes.feet), dtype=np.intp)
    for share, beside in BESIDE:
        middle = shapes.feet - np.stack([np.zeros_like(shapes.heights), share * shapes.heights], axis=1)
        within = sampled(look[..., 0], middle.astype(np.float32)[:, None])[:, 0]
        for side in (-beside, beside):
            out = middle + np.stack([side * shapes.belly, np.zeros_like(shapes.belly)], axis=1)
            brighter += within - sampled(look[..., 0], out.astype(np.float32)[:, None])[:, 0] > PALER / 2
    return np.flatnonzero(brighter >= MOST_BESIDE)


def _steps(look: Image, inner: Image, outer: Image) -> Image:
    """How much paler points within are than those without, or, as collars and prints are not, of how much another
    colour: -1 to 1."""
    change = sampled(look, inner) - sampled(look, outer)
    coloured = COLOURED * np.minimum(np.hypot(change[..., 1], change[..., 2]) / PALER, 1.0)
    return np.asarray(np.maximum(np.clip(change[..., 0] / PALER, -1, 1), coloured), dtype=np.float32)


def _apart(shapes: _Shapes) -> _Shapes:
    """The best of shapes that are much alike."""
    left = np.ones(len(shapes.feet), dtype=np.bool_)
    kept: list[int] = []
    for k in range(len(shapes.feet)):
        if left[k] and len(kept) < MOST:
            kept.append(k)
            near = np.hypot(*(shapes.feet - shapes.feet[k]).T) < 0.35 * shapes.belly[k]
            left &= ~(near & (np.abs(np.log(shapes.heights / shapes.heights[k])) < 0.1))
    return shapes.some(np.array(kept, dtype=np.intp))


def _outlines(shapes: _Shapes) -> tuple[Image, Image, NDArray[np.bool_], Image]:
    """Points within and without the outlines, (n, c, 2), which are on them, and middles of the discs, (n, k, 2)."""
    sizes, which = np.unique(np.stack([shapes.heights, shapes.belly], axis=1), axis=0, return_inverse=True)
    heights, belly = sizes.T
    radii = np.array([r for _, r in BOWLING])[None] * belly[:, None]
    # About the foot, and so the same for all shapes of a size.
    centres = np.zeros((len(sizes), len(BOWLING), 2))
    centres[:, :, 1] = -np.array([h for h, _ in BOWLING])[None] * heights[:, None]
    angles = np.linspace(0, 2 * np.pi, 10, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    away = np.maximum(0.12 * belly, 1.0)[:, None, None, None]
    shape = (len(sizes), -1, 2)
    inner = (centres[:, :, None] + (radii[:, :, None, None] - away) * ring).reshape(shape)
    outer = (centres[:, :, None] + (radii[:, :, None, None] + away) * ring).reshape(shape)
    gaps = (outer[:, :, None, 0] - centres[:, None, :, 0]) ** 2 + (outer[:, :, None, 1] - centres[:, None, :, 1]) ** 2
    edges = (gaps > ((radii + 0.7 * away[:, :, 0, 0]) ** 2)[:, None, :]).all(axis=-1)
    feet = shapes.feet[:, None]
    placed = ((feet + points[which]).astype(np.float32) for points in (inner, outer, centres))
    within, without, middles = placed
    return within, without, edges[which], middles


def _chosen(shapes: _Shapes, look: Image) -> _Shapes:
    """Shapes that together explain the outlines, all as slender as the view makes them, of sizes that fit one plane."""
    best, most = shapes.some(np.zeros(0, dtype=np.intp)), 0.0
    for slender in SLENDER:
        alike = shapes.some(np.flatnonzero(np.abs(shapes.heights / shapes.belly - slender) < 0.1))
        picked = alike.some(np.array(_greedy(alike, look), dtype=np.intp))
        if len(picked.feet) >= 3:
            start, slope = _on_one_plane(picked)
            asked = np.maximum(start + slope * alike.feet[:, 1], 1.0)
            alike = alike.some(np.flatnonzero(np.abs(alike.heights / asked - 1) < SIZE_SLACK))
            picked = alike.some(np.array(_greedy(alike, look), dtype=np.intp))
        explained = float(((picked.scores - LEAST_SCORE) * picked.belly * picked.heights).sum())
        if explained > most:
            best, most = picked, explained
    return best


def _greedy(shapes: _Shapes, look: Image) -> list[int]:
    """Shapes, the one that adds most first: outline that none in front hides, of a pin that none covers."""
    if not len(shapes.feet):
        return []
    inner, outer, edges, centres = _outlines(shapes)
    steps = np.where(edges, _steps(look, inner, outer), 0.0)
    owner = np.full(look.shape[:2], -1.0, dtype=np.float32)
    largest = float(shapes.heights.max())
    picked: list[int] = []
    while len(picked) < MOST_PINS:
        shown = edges & (sampled(owner, inner) <= shapes.feet[:, 1][:, None])
        outline = np.where(shown, steps, 0.0).sum(axis=1)
        covering, rows = sampled(owner, centres), shapes.feet[:, 1][:, None]
        # Pins in front may hide most of one; over those behind it, it would have been seen first.
        hidden, over = covering > rows, (covering >= 0) & (covering <= rows)
        free = (hidden.mean(axis=1) < MOST_HIDDEN) & (over.mean(axis=1) < MOST_OVER) & ~hidden[:, HEAD:].any(axis=1)
        fits = (outline > LEAST_SCORE * shown.sum(axis=1)) & free
        # The whole explains more than a part of it.
        gains = np.where(fits, outline / edges.sum(axis=1), 0.0) * shapes.heights / largest
        for k in picked:
            gains[np.hypot(*(shapes.feet - shapes.feet[k]).T) < shapes.belly[k]] = 0.0
        best = int(gains.argmax())
        if outline[best] < LEAST_ADDED * edges[best].sum() or gains[best] <= 0:
            break
        picked.append(best)
        _paint(owner, shapes, best)
    return picked


def _paint(owner: Image, shapes: _Shapes, k: int) -> None:
    """Mark the pixels of a shape and just around it, where its outline is, with how near it is: the row of its foot."""
    mask = np.zeros(owner.shape, dtype=np.uint8)
    for share, radius in BOWLING:
        centre = (round(float(shapes.feet[k, 0])), round(float(shapes.feet[k, 1] - share * shapes.heights[k])))
        cv2.circle(mask, centre, max(1, round((radius + 0.25) * float(shapes.belly[k]))), 1, -1)
    owner[mask > 0] = np.maximum(owner[mask > 0], shapes.feet[k, 1])


def _on_one_plane(shapes: _Shapes) -> tuple[float, float]:
    """Heights as a line over the feet's rows, from the two pins that most others agree with."""
    best, votes = (float(np.median(shapes.heights)), 0.0), -1
    rows, heights = shapes.feet[:, 1], shapes.heights
    for i in range(len(rows)):
        for j in range(len(rows)):
            slope = (heights[j] - heights[i]) / (rows[j] - rows[i]) if rows[j] - rows[i] > 3 else 0.0
            start = heights[i] - slope * rows[i]
            agreeing = int((np.abs(heights / np.maximum(start + slope * rows, 1.0) - 1) < SIZE_SLACK / 2).sum())
            if slope >= 0 and agreeing > votes:
                best, votes = (float(start), float(slope)), agreeing
    return best
