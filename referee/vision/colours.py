"""Ball colours in the chroma plane: which pixels could be a ball of which colour.

A saturated ball keeps its hue in light and shade; the hue is the angle of (V - 128, U - 128). Luma only tells pale
things (skin, wood, paper) from balls: their chroma is small against their luma.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frame import Frame, Plane

MIN_CHROMA = 8.0
"""Levels of chroma, in full light, below which a hue is noise (H.264 at usual qualities leaves 2 to 3 levels of it)."""

COARSE = 2
"""Levels of chroma that are told apart: half of them would be noise."""

BLACK = 16
"""Luma of black in video levels."""

FULL_LIGHT = 200.0
"""Luma of the brightest things of a well lit scene."""

LEAST_LIGHT = 0.35
"""Share of full light below which chroma drowns in the camera's noise, however it is scaled."""

NOISY = 1.5
"""Deviation of chroma from which a camera's pictures are averaged: compressed video of a lit scene has 0.5."""

MAX_HUE_GAP_DEG = 30.0
"""How far a ball's hue may lie from its colour's: shade, coloured light and white balance move it by up to this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BallColour:
    """A colour people name: its hue in degrees, atan2(V - 128, U - 128), and the least chroma per luma of such a ball.

    Hues follow from BT.601 for saturated paints; ``min_saturation`` lies above that of skin (at most 0.3, and near
    orange in hue) for the warm colours and above that of tinted cloth for the others. ``min_chroma``: levels, in full
    light, that a ball at rest keeps even in its shade. Orange and yellow are bright paints, with chroma to match;
    brown wood in warm light has their hue and saturation, but is dark.
    """

    name: str
    hue_deg: float
    min_saturation: float
    min_chroma: float = MIN_CHROMA


Planes = tuple[Plane, Plane, Plane]
"""Luma at the size of the chroma planes, U and V."""

KNOWN_COLOURS = (
    BallColour(name="red", hue_deg=103.0, min_saturation=0.40),
    BallColour(name="orange", hue_deg=130.0, min_saturation=0.36, min_chroma=26.0),
    BallColour(name="yellow", hue_deg=161.0, min_saturation=0.25, min_chroma=26.0),
    BallColour(name="green", hue_deg=-122.0, min_saturation=0.16),
    BallColour(name="blue", hue_deg=-18.0, min_saturation=0.28),
)


def known_colours(names: Sequence[str]) -> tuple[BallColour, ...]:
    """The known colours among ``names``, each once, in the order given; "orange-small" counts as orange."""
    stems = dict.fromkeys(name.partition("-")[0] for name in names)
    return tuple(colour for stem in stems for colour in KNOWN_COLOURS if colour.name == stem)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ColourMap:
    """Chroma to ball colour by look-up, index ``u * 256 + v``.

    ``labels``: (65536,) uint8, 0 for none, else 1 + index into ``colours``. ``max_luma``: (65536,) uint8, the luma
    above which that chroma is too pale for a ball.
    """

    colours: tuple[BallColour, ...]
    labels: NDArray[np.uint8]
    max_luma: NDArray[np.uint8]

    def label(self, luma: Plane, u: Plane, v: Plane) -> Plane:
        """Label chroma pixels, uint8 arrays of one shape: whole planes, a window of them, or chosen pixels alone.

        ``luma``: at the size of the chroma planes.
        """
        if not u.size:
            return np.zeros(u.shape, dtype=np.uint8)
        # Both levels of chroma as one number, the low byte first.
        chroma = cv2.merge([v.reshape(1, -1), u.reshape(1, -1)]).view(np.dtype("<u2"))
        labels, max_luma = (np.asarray(cv2.LUT(chroma, table[None])) for table in (self.labels, self.max_luma))
        labels = labels.reshape(u.shape)
        labels *= luma <= max_luma.reshape(u.shape)
        return np.asarray(labels, dtype=np.uint8)

    def label_of(self, name: str) -> int:
        """The label of a colour: one more than its index."""
        return 1 + [colour.name for colour in self.colours].index(name)

    def have(self, labels: NDArray[np.uint8], luma: Plane, u: Plane, v: Plane) -> NDArray[np.bool_]:
        """Which chroma pixels have these labels, none of which is 0."""
        return np.asarray(self.label(luma, u, v) == labels, dtype=np.bool_)

    def coloured(self, planes: Planes, chosen: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
        """Those pixels of whole planes that are ``chosen``, (h, w), and have a ball's colour: their flat indices, in
        ascending order, and the label of each.

        Pixels are looked at in words of eight, as most words have none that is chosen; what is left over at the end of
        the last row isn't looked at.
        """
        asked = _words(chosen)
        words = np.flatnonzero(asked != 0)
        labels = self.label(*(_words(plane).take(words).view(np.uint8) for plane in planes))
        labels *= asked.take(words).view(np.uint8)
        # Taking by number is quicker than by mask.
        found = np.flatnonzero(labels != 0)
        return (words.take(found >> 3) << 3) + (found & 7), labels.take(found)


def _words(plane: NDArray[Any]) -> NDArray[np.uint64]:
    """A plane of bytes, eight of them in one, without what is left over."""
    flat = plane.ravel()
    return flat[: len(flat) // 8 * 8].view(np.uint64)


def light_of(frame: Frame) -> float:
    """How well lit a scene is, as a share of full light: chroma shrinks with it."""
    brightest = float(np.percentile(frame.y[::4, ::4], 99.0))
    return min(1.0, max(LEAST_LIGHT, (brightest - BLACK) / (FULL_LIGHT - BLACK)))


def colour_map(colours: Sequence[BallColour], light: float = 1.0, *, at_rest: bool = False) -> ColourMap:
    """The look-up for a game's ball colours: each chroma cell belongs to the nearest hue among them, if near enough.

    ``light``: share of full light, as given by ``light_of``. ``at_rest``: for balls that lie still; motion smears
    chroma, so that it may be as low as noise allows.
    """
    hue, chroma = _hues_and_chromas()
    gaps = np.stack([np.abs((hue - colour.hue_deg + 180) % 360 - 180) for colour in colours])
    nearest = gaps.argmin(axis=0)
    least = np.array([colour.min_chroma if at_rest else MIN_CHROMA for colour in colours])[nearest]
    is_ball = (gaps.min(axis=0) <= MAX_HUE_GAP_DEG) & (chroma >= light * least)
    saturation = np.array([colour.min_saturation for colour in colours])[nearest]
    labels, max_luma = (
        levels.astype(np.uint8).repeat(COARSE, axis=0).repeat(COARSE, axis=1).ravel()
        for levels in (np.where(is_ball, nearest + 1, 0), np.clip(BLACK + chroma / saturation, 0, 255))
    )
    return ColourMap(colours=tuple(colours), labels=labels, max_luma=max_luma)


@cache
def _hues_and_chromas() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Hue, in degrees, and chroma of all cells of the look-up, in rows of the same U."""
    levels = np.arange(0, 256, COARSE) + (COARSE - 1) / 2 - 128.0
    u, v = np.meshgrid(levels, levels, indexing="ij")
    return np.degrees(np.arctan2(v, u)), np.hypot(u, v)


def half_luma(frame: Frame) -> Plane:
    """Luma averaged down to the size of the chroma planes, (ceil(h / 2), ceil(w / 2)) uint8."""
    height, width = frame.u.shape
    return np.asarray(cv2.resize(frame.y, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def noise_of(plane: Plane) -> float:
    """Standard deviation of a plane's noise, from what no smooth picture has (Immerkaer 1996)."""
    rough = cv2.filter2D(plane, cv2.CV_32F, np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], dtype=np.float32))
    return float(np.abs(rough).mean()) * math.sqrt(math.pi / 2) / 6


def calmed(frame: Frame, luma_half: Plane) -> tuple[Frame, Plane]:
    """A frame whose chroma, and the luma beside it, is averaged over 3 x 3: noise frays outlines, a ball is wider."""
    u, v, luma = (np.asarray(cv2.blur(plane, (3, 3)), dtype=np.uint8) for plane in (frame.u, frame.v, luma_half))
    return replace(frame, u=u, v=v), luma
