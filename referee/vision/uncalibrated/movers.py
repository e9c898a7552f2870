"""Ball-like moving things in one frame: discs, and the streaks that a disc draws while the shutter is open."""

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from hardware.frame import Frame, Plane
from referee.vision.circles import fit_circles
from referee.vision.colours import BLACK, KNOWN_COLOURS, ColourMap, colour_map
from referee.vision.uncalibrated.names import colour_name
from referee.vision.uncalibrated.scene import Change

COLOURS: Final = colour_map(KNOWN_COLOURS)

MIN_WIDTH: Final = 3.0
"""Width, in chroma pixels, from which a thing has a shape."""

MAX_WIDTH_SHARE: Final = 0.3
"""Width against the picture's shorter side up to which a thing is a ball in play."""

MAX_LENGTH: Final = 7.0
"""Length of a streak against its width: a shutter that is open for longer shows no ball."""

FULL: Final = 0.78
"""Area against that of the streak with the same extents: a disc that moves leaves two half discs and a bar."""

SOLID: Final = 0.86
"""Area against that of the convex hull."""

NO_SHADOW: Final = 0.6
"""Share of a thing that no shadow explains, from which it has none on it: a streak fades out at its ends."""

MIN_ROUND: Final = 12
ROUND: Final = 0.55
"""Points of an outline, and share of them on one circle, from which that circle is a ball partly hidden."""

USUAL_RADIUS: Final = 12.0
"""Radius, in chroma pixels, for which the tolerance of a circle's outline is made."""

MIN_PARTED: Final = 12.0
"""Area, in chroma pixels, from which something with no ball's shape may have a part that has: what noise makes is
smaller."""

MIN_MIXED: Final = 30.0
MOST_MIXED: Final = 4
"""Area, in chroma pixels, from which things that aren't ball-like are parted by hue, and how many of them in a frame:
leaves are smaller, and many."""

THIN: Final = 5
"""Width, in chroma pixels, up to which what hangs on a ball is cut off: a string, or what compression leaves of a
pattern that the ball passes."""

ALONE: Final = 0.6
"""Share of what is solid and thick in a thing that its one ball-like part must be, for nothing else to touch it."""

LEAST_OF_SHADOW: Final = 0.25
"""Share that a ball has at least in all that changes with it: a larger shadow is a dark hand's, no ball's own."""

MOVED_SHARE: Final = 0.08
"""Part of a coloured region that must have changed for it to be a moving thing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mover:
    """A thing that moves, in pixels of the full picture.

    ``length_px``, ``width_px``: of its streak. ``is_free``: nothing else that moves touches it, as a hand would.
    ``is_solid``: it is no shadow; a dull ball before a dull wall may look like one. ``colour``: its name.
    """

    x_px: float
    y_px: float
    length_px: float
    width_px: float
    is_free: bool
    is_solid: bool
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Streak:
    """In chroma pixels."""

    x: float
    y: float
    length: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Picture:
    """All planes at the size of the chroma planes."""

    frame: Frame
    luma: Plane
    change: Change
    colours: ColourMap


def find_movers(frame: Frame, luma_half: Plane, change: Change) -> tuple[Mover, ...]:
    """All movers of a frame; ``luma_half``: at the size of the chroma planes.

    A thing that isn't ball-like is looked at again without its shadows, then by colours: a ball parts from the hand
    that holds it.
    """
    picture = _Picture(frame=frame, luma=luma_half, change=change, colours=COLOURS)
    found: list[Mover] = []
    mixed: list[tuple[MatLike, float]] = []
    for outline in _outlines(change.any):
        streak = _streak(outline, change.any.shape)
        if streak is None and cv2.contourArea(outline) < MIN_PARTED:
            continue
        window = _window(outline, change.any.shape, THIN)
        within = _mask(outline, window, change.any.shape)
        solid = cv2.bitwise_and(np.ascontiguousarray(change.solid[window]), within)
        changed, whole = cv2.countNonZero(within), cv2.countNonZero(solid)
        if streak is not None and whole >= NO_SHADOW * changed:
            found.append(_mover(picture, streak, is_free=True))
            continue
        parts, streaks = [outline], [streak]
        if whole < changed:
            parts = _outlines(solid, offset=(window[1].start, window[0].start))
            streaks = [_streak(part, change.any.shape) for part in parts]
        if any(streaks):
            least = max(ALONE * cv2.countNonZero(_thick(solid)), LEAST_OF_SHADOW * changed)
            found += [
                _mover(picture, one, is_free=cv2.contourArea(part) >= least)
                for part, one in zip(parts, streaks, strict=True)
                if one is not None
            ]
        if streak is not None and not any(streaks):
            found.append(_mover(picture, streak, is_free=True, is_solid=False))
        elif streak is None:
            mixed += [
                (part, LEAST_OF_SHADOW * changed) for part, one in zip(parts, streaks, strict=True) if one is None
            ]
    for part, least in sorted(mixed, key=lambda pair: -cv2.contourArea(pair[0]))[:MOST_MIXED]:
        if cv2.contourArea(part) >= MIN_MIXED:
            found += _parted(picture, part, least)
    return tuple(_apart(found))


def _apart(movers: list[Mover]) -> list[Mover]:
    """Of movers that overlap the free one, or the largest: parts of a thing are no things."""
    kept: list[Mover] = []
    for mover in sorted(movers, key=lambda m: (not m.is_free, -m.width_px)):
        if all(math.hypot(mover.x_px - k.x_px, mover.y_px - k.y_px) > k.width_px / 2 for k in kept):
            kept.append(mover)
    return kept


def _parted(picture: _Picture, outline: MatLike, least: float) -> list[Mover]:
    """Ball-like regions of a moving thing: what is thick in it, or has one colour and has changed in part.

    ``least``: area from which the shadow that it hangs together with can be its own.
    """
    shape = picture.change.any.shape
    # Not all of the thing may have changed.
    window = _window(outline, shape, max(cv2.boundingRect(outline)[2:]))
    offset = (window[1].start, window[0].start)
    thick = _thick(_mask(outline, window, shape))
    pieces = [c for c in _outlines(thick, offset=offset) if cv2.contourArea(c) > cv2.contourArea(outline) / 2]
    streak = _streak(pieces[0], shape) if pieces else None
    if streak is not None:
        is_free = cv2.contourArea(pieces[0]) >= max(ALONE * cv2.countNonZero(thick), least)
        return [_mover(picture, streak, is_free=is_free)]
    labels = picture.colours.label(picture.luma[window], picture.frame.u[window], picture.frame.v[window])
    changed = picture.change.solid[window] > 0
    found: list[Mover] = []
    for label in np.unique(labels[changed]).tolist():
        if label == 0:
            continue
        for piece in _outlines((labels == label).astype(np.uint8), offset=offset):
            streak = _streak(piece, shape) or _disc(piece, shape)
            if streak is None:
                continue
            inside = _mask(piece, window, shape) > 0
            if np.count_nonzero(changed & inside) >= MOVED_SHARE * np.count_nonzero(inside):
                alone = np.count_nonzero(inside & (thick > 0))
                least_alone = max(ALONE * np.count_nonzero(inside | (thick > 0)), least)
                found.append(_mover(picture, streak, is_free=bool(alone >= least_alone)))
    return found


def _thick(mask: MatLike) -> MatLike:
    """What of a mask is wider than what hangs on a ball."""
    return cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((THIN, THIN), np.uint8))


def _disc(outline: MatLike, shape: tuple[int, ...]) -> _Streak | None:
    """The disc that an outline is a good part of: fingers and what touches it hide the rest."""
    if len(outline) < MIN_ROUND or _is_cut(outline, shape):
        return None
    # Circles are fitted in pixels, to within one or two: a large outline is brought to the size of a usual ball.
    scale = max(1.0, math.sqrt(cv2.contourArea(outline) / math.pi) / USUAL_RADIUS)
    points = np.asarray(outline, dtype=np.float64).reshape(-1, 2) / scale
    (circle,) = fit_circles(points, [len(points)])
    if circle is None or circle.share < ROUND:
        return None
    x, y, radius = circle.x_px * scale, circle.y_px * scale, circle.radius_px * scale + 0.5
    if not MIN_WIDTH <= 2 * radius <= MAX_WIDTH_SHARE * min(shape) or cv2.contourArea(outline) < radius**2:
        return None
    return _Streak(x=x, y=y, length=2 * radius, width=2 * radius)


def _outlines(mask: MatLike, offset: tuple[int, int] = (0, 0)) -> list[MatLike]:
    """Outlines of regions that are large enough to have a shape."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=offset)
    return [c for c in contours if len(c) >= 2 * MIN_WIDTH and cv2.contourArea(c) >= MIN_WIDTH]


def _streak(outline: MatLike, shape: tuple[int, ...]) -> _Streak | None:
    """The streak with the extents of an outline, if that is what it is and all of it is in the picture."""
    if _is_cut(outline, shape):
        return None
    # An outline runs through the middles of its pixels: half a pixel is missing all round.
    _, extents, _ = cv2.minAreaRect(outline)
    width, length = min(extents) + 1.0, max(extents) + 1.0
    if not MIN_WIDTH <= width <= MAX_WIDTH_SHARE * min(shape) or length > MAX_LENGTH * width:
        return None
    area = cv2.contourArea(outline) + len(outline) / 2.0
    hull = cv2.convexHull(outline)
    hull_area = cv2.contourArea(hull) + cv2.arcLength(hull, True) / 2.0
    if area < FULL * (width * (length - width) + math.pi / 4 * width**2) or area < SOLID * hull_area:
        return None
    moments = cv2.moments(hull)
    if moments["m00"] <= 0:
        return None
    x, y = moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
    return _Streak(x=x, y=y, length=length, width=width)


def _is_cut(outline: MatLike, shape: tuple[int, ...]) -> bool:
    """Whether the picture's edge cuts an outline off."""
    left, top, wide, tall = cv2.boundingRect(outline)
    return bool(left <= 0 or top <= 0 or left + wide >= shape[1] or top + tall >= shape[0])


def _mover(picture: _Picture, streak: _Streak, *, is_free: bool, is_solid: bool = True) -> Mover:
    reach = max(1, round(streak.width / 4))
    column, row = round(streak.x), round(streak.y)
    core = np.s_[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1]
    luma, u, v = (float(np.median(p[core])) for p in (picture.luma, picture.frame.u, picture.frame.v))
    return Mover(
        x_px=2.0 * streak.x + 0.5,
        y_px=2.0 * streak.y + 0.5,
        length_px=2.0 * streak.length,
        width_px=2.0 * streak.width,
        is_free=is_free,
        is_solid=is_solid,
        colour=colour_name(luma - BLACK, u - 128.0, v - 128.0),
    )


def _window(outline: MatLike, shape: tuple[int, ...], margin: int) -> tuple[slice, slice]:
    """The rectangle about an outline, and a margin."""
    left, top, wide, tall = cv2.boundingRect(outline)
    rows = slice(max(0, top - margin), min(shape[0], top + tall + margin))
    return rows, slice(max(0, left - margin), min(shape[1], left + wide + margin))


def _mask(outline: MatLike, window: tuple[slice, slice], shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """255 within an outline, of the window's shape."""
    rows, columns = window
    mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), dtype=np.uint8)
    cv2.drawContours(mask, [outline], -1, 255, -1, offset=(-columns.start, -rows.start))
    return mask
