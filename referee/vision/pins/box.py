"""How far the box under the pins has shifted: told by the lines on it, to a few hundredths of a millimetre.

Short cuts across the edges of the box's top and across the border line are remembered as they look at first, and found
again along their own direction (as in RAPiD, Harris and Stennett 1990); one rigid motion on the lane explains them all.
Where a hand, a pin or its shadow covers a cut, it doesn't look like itself and is left out.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_model import CameraModel
from calibration.table import Table
from hardware.frame import Frame
from referee.vision.pins.cuts import TURN_ARM_MM, cuts_of

Array = NDArray[np.float64]
Image = NDArray[np.float32]
Maps = tuple[NDArray[Any], NDArray[Any]]
"""Whole pixels and what is left of them, as OpenCV has them."""

REACH_MM: Final = 4.0
"""How far a box is looked for from where it was last: a tap shifts it by one to three millimetres."""

WIDE: Final = 3
"""How many times further it is looked for when it was lost."""

HALF_MM: Final = 3.0
"""Half the length of what is remembered of a cut: a border line and both its sides."""

LEAST_HALF_PX: Final = 4
LEAST_REACH_PX: Final = 4

CONTRAST: Final = 12.0
"""Least contrast of a cut, in levels (root of the summed squares): less is noise."""

ALIKE: Final = 0.8
"""Correlation from which a cut is the same one."""

UNCHANGED: Final = 0.97
"""Correlation from which a cut is where it was last: a third of a millimetre away it has less."""

SAME_MM: Final = 0.1
"""Shift of the box that is none: cuts that differ by less than it makes look the same."""

LEAST_CUTS: Final = 8

LEAST_SHARE: Final = 0.25
"""Share of the cuts across each direction that must agree: fewer may all lie on one side, beside the hand."""

OFF_PX: Final = 0.4
"""Median distance of the cuts from the motion that is said to explain them, up to which it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxShift:
    """How far the box is from where it was: millimetres east and north, and its turn, in radians, to the left.

    ``seen``: share of the cuts that were recognised.
    """

    x_mm: float
    y_mm: float
    turn_rad: float
    seen: float


UNMOVED: Final = BoxShift(x_mm=0.0, y_mm=0.0, turn_rad=0.0, seen=1.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Look:
    """How cuts look, centred and of length 1: ``profiles`` (n, k); which of them are ``usable``, (n,); ``groups``:
    their indices by the two directions in which a box can shift, each of which leaves half of the cuts as they are."""

    profiles: Image
    usable: NDArray[np.bool_]
    groups: tuple[NDArray[np.intp], ...]

    @classmethod
    def of(cls, profiles: Image, usable: NDArray[np.bool_], pull: Array) -> "_Look":
        groups = tuple(np.flatnonzero(usable & chosen) for chosen in _by_direction(pull))
        return cls(profiles=profiles, usable=usable, groups=groups)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Seen:
    """Cuts as they were last seen in place, (n, k) uint8; ``share`` of them that were recognised; ``different``: sum of
    the differences from which they aren't surely in place."""

    cuts: NDArray[np.uint8]
    share: float
    different: float


class Box:
    """The box of one table as it looks in one frame."""

    def __init__(self, table: Table, frame: Frame, earlier: "Box | None" = None) -> None:
        """``earlier``: the same box where it was before, by which its first look is known."""
        self._table = table
        self._points_px, self._normals, self._pull, self._inside = cuts_of(table)
        per_mm = float(np.median(np.hypot(self._pull[:, 0], self._pull[:, 1])))
        self._half: int = max(LEAST_HALF_PX, round(HALF_MM * per_mm)) if earlier is None else earlier._half
        self._reach = max(LEAST_REACH_PX, round(REACH_MM * per_mm))
        self._same_px = SAME_MM * per_mm
        self._shown_px: Array | None = None
        self.look(frame)
        self._first: Image = self._whole_look() if earlier is None else earlier._first

    def _whole_look(self) -> Image:
        """The profiles of all cuts, (all, k), zeros for those that are out of the picture or show nothing."""
        every = np.zeros((len(self._inside), self._look.profiles.shape[1]), dtype=np.float32)
        every[self._inside] = self._look.profiles * self._look.usable[:, None]
        return every

    def off(self, frame: Frame) -> BoxShift | None:
        """How far the box is from where its table has it, by its first look; None when too little of that is
        recognised.

        Each time that it is found from where it was last adds an error, which is small, but always to the same side.
        """
        first = self._first[self._inside]
        look = _Look.of(first, np.asarray(first.any(axis=1), dtype=np.bool_), self._pull)
        motion = self._matched(frame, self._reach, np.zeros(len(first)), look)
        return None if motion is None else self._at(*motion)

    def look(self, frame: Frame) -> None:
        """Remember how it looks now, in the place where the table has it."""
        self._stays_at(np.zeros(3))
        self._is_lost = False
        seen = self._sampled(frame, self._here)
        centred = seen - seen.mean(axis=1, keepdims=True)
        contrast = np.sqrt((centred**2).sum(axis=1))
        profiles = centred / np.maximum(contrast, 1e-3)[:, None]
        self._look = _Look.of(profiles, contrast >= CONTRAST, self._pull)

    def shift(self, frame: Frame) -> BoxShift | None:
        """Where the box is now; None when too little of it is recognised."""
        found = self._search(frame, self._reach)
        if found is None and not self._is_lost:
            found = self._search(frame, WIDE * self._reach)
        self._is_lost = found is None
        return found

    @property
    def moved_px(self) -> Array:
        """(2, 3): from pixels of the box's top where its table has it to where these were seen last."""
        if self._shown_px is None:
            self._shown_px = moved_px(self._table, self._at(self._last, 1.0))
        return self._shown_px

    def _stays_at(self, motion: Array) -> None:
        """Take a place for that where the box is until it moves."""
        self._last = motion
        self._ahead = self._pull @ motion
        self._here = self._maps(self._half, self._ahead)
        self._seen: _Seen | None = None
        self._shown_px = None

    def _search(self, frame: Frame, reach: int) -> BoxShift | None:
        cuts = np.asarray(cv2.remap(frame.y, *self._here, cv2.INTER_LINEAR), dtype=np.uint8)
        if self._seen is not None and cv2.norm(cuts, self._seen.cuts, cv2.NORM_L1) < self._seen.different:
            return self._at(self._last, self._seen.share)
        if (share := self._unchanged(cuts.astype(np.float32))) is not None:
            # A shift leaves half of the cuts as they are.
            slope = cv2.norm(cuts[:, 1:], cuts[:, :-1], cv2.NORM_L1)
            self._seen = _Seen(cuts=cuts, share=share, different=0.5 * self._same_px * slope)
            return self._at(self._last, share)
        found = self._matched(frame, reach, self._ahead, self._look)
        if found is None:
            return None
        self._stays_at(found[0])
        return self._at(*found)

    def _matched(self, frame: Frame, reach: int, ahead: Array, look: _Look) -> tuple[Array, float] | None:
        """The motion that brings the cuts from a look to where they are now, and the share that was recognised."""
        along = self._sampled(frame, self._maps(self._half + reach, ahead))
        offsets, likeness = _found(along, look.profiles, reach)
        good = look.usable & (likeness > ALIKE)
        if good.sum() < LEAST_CUTS:
            return None
        motion, off_px = _rigid(self._pull[good], (offsets + ahead)[good])
        agreeing = good & (np.abs(offsets + ahead - self._pull @ motion) < 2 * OFF_PX)
        if off_px > OFF_PX or any(agreeing[group].sum() < LEAST_SHARE * len(group) for group in look.groups):
            return None
        return motion, float(good.sum() / look.usable.sum())

    def _unchanged(self, middle: Image) -> float | None:
        """Share of the cuts that are where they were last, if they are most: a tenth of the work of finding them."""
        # Profiles are centred: what all of a cut shares is nothing to them.
        alike = np.einsum("ij,ij->i", middle, self._look.profiles)
        total = middle.sum(axis=1)
        spread = np.einsum("ij,ij->i", middle, middle) - total * total / np.float32(middle.shape[1])
        likeness = alike / np.sqrt(np.maximum(spread, CONTRAST**2))
        same = likeness > UNCHANGED
        shares = [np.count_nonzero(same.take(group)) / max(1, len(group)) for group in self._look.groups]
        return sum(shares) / 2 if min(shares) > 0.5 else None

    def _at(self, motion: Array, seen: float) -> BoxShift:
        return BoxShift(
            x_mm=float(motion[0]), y_mm=float(motion[1]), turn_rad=float(motion[2]) / TURN_ARM_MM, seen=seen
        )

    def _maps(self, half_px: int, ahead_px: Array) -> Maps:
        """Where the pixels of the cuts lie, (n, 2 * half_px + 1), each moved along by so many."""
        along = ahead_px[:, None] + np.arange(-half_px, half_px + 1)
        x = (self._points_px[:, :1] + self._normals[:, :1] * along).astype(np.float32)
        y = (self._points_px[:, 1:] + self._normals[:, 1:] * along).astype(np.float32)
        return cv2.convertMaps(x, y, cv2.CV_16SC2)

    def _sampled(self, frame: Frame, maps: Maps) -> Image:
        """Luma there, of the same shape."""
        return np.asarray(cv2.remap(frame.y, *maps, cv2.INTER_LINEAR), dtype=np.float32)


def put_right(table: Table, frame: Frame, earlier: Box) -> Table:
    """A table to which a box has shifted, put right by how the box looked at first, if that can still be seen."""
    off = Box(table, frame, earlier).off(frame)
    return table if off is None else shifted(table, off)


def moved_px(table: Table, shift: BoxShift) -> Array:
    """(2, 3): from pixels of the box's top to where these are when it has shifted, nearly enough all over it."""
    if (shift.x_mm, shift.y_mm, shift.turn_rad) == (0.0, 0.0, 0.0):
        return np.eye(2, 3)
    corners = np.array(table.layout.corners_mm)
    before = table.camera.to_px(corners)
    after = shifted(table, shift).camera.to_px(corners)
    terms = np.column_stack([before, np.ones(len(before))])
    return np.asarray(np.linalg.lstsq(terms, after, rcond=None)[0].T, dtype=np.float64)


def px_per_mm(table: Table) -> float:
    """Pixels of a picture to a millimetre in the middle of the box's top."""
    middle = np.array([[0.0, 0.0, table.layout.height_mm]])
    return float(table.camera.radius_px(middle, 1.0)[0])


def shifted(table: Table, shift: BoxShift) -> Table:
    """The table as seen when its box has shifted: the middle of the box stays the origin of the world."""
    camera = table.camera
    cos, sin = np.cos(shift.turn_rad), np.sin(shift.turn_rad)
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    moved = CameraModel(
        matrix=camera.matrix,
        dist=camera.dist,
        rotation=np.asarray(camera.rotation @ turn, dtype=np.float64),
        translation_mm=np.asarray(
            camera.translation_mm + camera.rotation @ (shift.x_mm, shift.y_mm, 0.0), dtype=np.float64
        ),
        width_px=camera.width_px,
        height_px=camera.height_px,
    )
    return replace(table, camera=moved)


def _by_direction(pull: Array) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which cuts a shift to the east moves more than one to the north, and the others."""
    eastern = np.abs(pull[:, 0]) > np.abs(pull[:, 1])
    return eastern, ~eastern


def _found(sampled: Image, profiles: Image, reach: int) -> tuple[Array, Array]:
    """Where along its cut each profile is best found, (n,) px from the middle, and its correlation there, (n,)."""
    windows = np.lib.stride_tricks.sliding_window_view(sampled, profiles.shape[1], axis=1)
    products = np.einsum("nkl,nl->nk", windows, profiles)
    size = profiles.shape[1]
    sums = np.cumsum(np.pad(sampled, ((0, 0), (1, 0))), axis=1, dtype=np.float64)
    squares = np.cumsum(np.pad(sampled**2, ((0, 0), (1, 0))), axis=1, dtype=np.float64)
    total = sums[:, size:] - sums[:, :-size]
    spread = squares[:, size:] - squares[:, :-size] - total**2 / size
    likeness = products / np.sqrt(np.maximum(spread, CONTRAST**2))
    best = likeness[:, 1:-1].argmax(axis=1) + 1
    rows = np.arange(len(best))
    before, top, after = (likeness[rows, best + step] for step in (-1, 0, 1))
    bend = np.minimum(before - 2 * top + after, -1e-9)
    peak = np.clip(0.5 * (before - after) / bend, -1.0, 1.0)
    is_inside = (top >= before) & (top >= after)
    return best - reach + peak, np.where(is_inside, top, 0.0)


def _rigid(pull: Array, offsets_px: Array) -> tuple[Array, float]:
    """The motion that explains most offsets, (3,), and the median distance from it (least squares, Huber's weights)."""
    weights = np.ones(len(pull))
    for _ in range(5):
        motion = np.linalg.lstsq(pull * weights[:, None], offsets_px * weights, rcond=None)[0]
        off = np.abs(offsets_px - pull @ motion)
        weights = 1 / np.sqrt(np.maximum(1.0, off / (0.5 * OFF_PX)))
    return np.asarray(motion), float(np.median(off))
