"""How well pins explain a picture: what they cover, where their outlines are, and what hides what."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.pins.fields import Field
from referee.vision.pins.outlines import Edges, Outlines, mask_of_all, outlines_of, sampled_at
from referee.vision.pins.picture import Array, Image, Window
from referee.vision.pins.pin import PinSize
from referee.vision.pins.shape import balls_of
from referee.vision.pins.surfaces import SIDE, Parts

Mask = NDArray[np.bool_]
Cover = NDArray[np.uint8]

EDGE_WORTH: Final = 0.8
"""Worth of a whole outline against a whole inside, of one pin."""

LYING_PRICE: Final = 0.12
LEANING_PRICE: Final = 0.3
"""What a pin that doesn't stand must explain better than an upright one, in pins in plain view: most that look upright
are, and few that fell are held by others."""

OVERLAP: Final = 0.7
"""How far, in radii of the belly, two pins may seem to be in one another before they are one too many."""

BLIND: Final = 0.5
"""Evidence for the bare lane below which it isn't sure, so that a change of colour may be the edge of a pin."""

NO_EDGE: Final = 0.25
"""Strength below which an edge speaks against a pin that ought to have one there."""

COLOUR_STEP: Final = 30.0
"""Levels of luma and chroma together that are a full edge between two pins."""


NONE_KNOWN: Final = np.zeros((0, 5))

HIDDEN, TAKEN = 1, 2
"""What other pins do at a pixel: they hide it, they explain it."""

PIN_AREA: Final = 9.0
"""Area of a pin seen from its side, in squares of its belly's radius."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """``east``, ``north``: how far shadows reach, mm per mm of height; ``clear``: how much of them shows, 0 to 1."""

    east: float
    north: float
    clear: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Looks:
    """``gain``: by how much the picture was made brighter; ``fields``: the lane's parts; ``cloth``: how much the table
    tells, 0 to 1; ``pin``, ``lane``: the paints of pins and of the lane, as ``paint_of`` gives them; ``light``: by
    which shadows fall."""

    gain: float
    fields: Mapping[int, Field]
    cloth: float
    pin: Image | None = None
    lane: Image | None = None
    light: Light | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    """What pins are fitted to. ``evidence``: (h, w), 1 for pins, -1 for the bare lane, 0 for what can't be told;
    ``planes``: (h, w, 3) levels. ``shade``: (h, w), light on each surface as a share of full light. ``parts``: (h, w),
    which surface is where. ``shift_mm``: how far the lane has been knocked out of its place. ``known``: (k, 5), where
    pins are for sure; ``around``: (m, 5), and where others are that aren't in the picture, but their shadows may be.
    ``looks``: what the empty lane looks like, and pins, as far as that is known."""

    window: Window
    size: PinSize
    evidence: Image
    planes: Image
    shade: Image
    parts: Parts
    shift_mm: tuple[float, float] = (0.0, 0.0)
    known: Array = field(default_factory=lambda: NONE_KNOWN)
    around: Array = field(default_factory=lambda: NONE_KNOWN)
    looks: Looks

    @cached_property
    def open(self) -> Image:
        """What speaks for pins that aren't known: (h, w), 0 to 1."""
        return np.where(union_of(self.known, self), 0.0, self.evidence).clip(0.0).astype(np.float32)

    @cached_property
    def seen(self) -> Image:
        """Evidence and planes together, (h, w, 4), to be asked at once."""
        return np.asarray(cv2.merge([self.evidence, self.planes]), dtype=np.float32)

    @cached_property
    def is_lid(self) -> Mask:
        """Where the lid is behind what is seen: (h, w)."""
        return np.asarray(self.parts < SIDE, dtype=np.bool_)

    def is_over_lid(self, x_mm: Array, y_mm: Array, within_mm: Array | float = 0.0) -> NDArray[np.bool_]:
        """Which places, (n,), the lid is under, so far within its edge."""
        layout = self.window.table.layout
        x, y = np.abs(x_mm - self.shift_mm[0]) + within_mm, np.abs(y_mm - self.shift_mm[1]) + within_mm
        return np.asarray((x < layout.size_mm[0] / 2) & (y < layout.size_mm[1] / 2), dtype=np.bool_)


def union_of(poses: Array, scene: Scene) -> Mask:
    """The pixels that any of some pins, (n, 5), covers: (h, w)."""
    return mask_of_all(outlines_of(poses, scene.size, scene.window), scene.window.shape)


def distances_mm(poses: Array, scene: Scene) -> Array:
    """How far from the camera pins in some poses, (n, 5), are, by which pins hide pins: (n,)."""
    balls, _ = balls_of(poses, scene.size)
    away = balls.mean(axis=1) - scene.window.centre_mm
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", away, away)), dtype=np.float64)


def are_in_one_another(poses: Array, size: PinSize) -> NDArray[np.bool_]:
    """Which of some poses, (n, 5), can't be there together: (n, n)."""
    balls, radii = balls_of(poses, size)
    middles = balls.mean(axis=1)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=-1)
    least = (radii[:, None] + radii[None] - OVERLAP * size.radius_mm).clip(0.0)
    # Upright ones on one level are as far apart, ball by ball, as their feet, and as heights differ.
    stands = (poses[:, 4] == 0) & (poses[:, 2] == poses[:1, 2])
    levels = balls[stands][:1, :, 2].reshape(-1, 1)
    widest = (least**2 - (levels - levels.T) ** 2).max() if stands.any() else 0.0
    out = stands[:, None] & stands & (apart * apart < widest)
    one, other = np.nonzero(np.triu((apart < 1.2 * size.height_mm) & ~(stands[:, None] & stands)))
    nearest = np.full(len(one), np.inf)
    squares = (balls * balls).sum(axis=2)
    for start in range(0, len(one), 500):
        part = np.s_[start : start + 500]
        gaps = squares[one[part], :, None] + squares[other[part], None]
        gaps -= 2 * np.einsum("nik,njk->nij", balls[one[part]], balls[other[part]])
        nearest[part] = (gaps - least**2).min(axis=(1, 2))
    out[one, other] = nearest < 0
    return np.asarray(out | out.T, dtype=np.bool_)


@dataclass(frozen=True, kw_only=True, eq=False)
class Judged:
    """How well n poses fit, each (n,). ``inside`` and ``outline``: of what nearer pins don't hide, -1 to 1;
    ``visible``: that share of it. ``own``: evidence that no other pin explains. ``area``: as a share of a pin's area
    as seen from its side."""

    inside: Array
    outline: Array
    visible: Array
    own: Array
    area: Array

    @property
    def fit(self) -> Array:
        """1 for a pin in plain view, 0 for what explains nothing: to compare poses of one kind."""
        return (self.own + EDGE_WORTH * self.visible * self.outline) / (1 + EDGE_WORTH)

    @property
    def quality(self) -> Array:
        """1 for what fits wherever it is seen."""
        return (self.inside + EDGE_WORTH * self.outline) / (1 + EDGE_WORTH)

    @property
    def worth(self) -> Array:
        """How much of the picture is explained: to compare poses of all kinds."""
        return self.fit * self.area


def judged(poses: Array, scene: Scene, covers: Cover, of: NDArray[np.intp], alike: int = 1) -> Judged:
    """Judge poses, (n, 5), each among other pins: ``covers``, (k, h, w), has ``HIDDEN`` and ``TAKEN`` for each of k
    pins, ``of``, (n,), says which of them each pose is of. ``alike``: as for ``outlines_of``.
    """
    outlines = outlines_of(poses, scene.size, scene.window, alike)
    x, y = outlines.inside
    covered = _at(covers, x, y, of)
    values = sampled_at(scene.evidence, x, y)
    shares = outlines.weights
    is_seen = (covered & HIDDEN) == 0
    visible = (is_seen.sum(axis=0) * shares).sum(axis=0)
    inside = ((values * is_seen).sum(axis=0) * shares).sum(axis=0)
    own = ((values * ((covered & TAKEN) == 0)).sum(axis=0) * shares).sum(axis=0)
    edges = outlines.edges
    is_seen = (_at(covers, edges.x[0], edges.y[0], of.reshape(-1, alike).take(edges.of, axis=0)) & HIDDEN) == 0
    outline = edges.sums(strength_of(edges, scene) * is_seen) / np.maximum(edges.sums(is_seen), 1)
    return Judged(
        inside=inside / np.maximum(visible, 1e-3),
        outline=outline,
        visible=visible,
        own=own,
        area=_areas(outlines),
    )


def _areas(outlines: Outlines) -> Array:
    """Areas of outlines, (n,), as shares of the largest that a pin at that distance can have."""
    x, y, radii = outlines.x, outlines.y, outlines.radii
    apart = np.hypot(x[1:] - x[:-1], y[1:] - y[:-1])
    tube = (apart * (radii[1:] + radii[:-1])).sum(axis=0) + np.pi / 2 * (radii[0] ** 2 + radii[-1] ** 2)
    belly = radii.max(axis=0)
    return np.asarray(np.maximum(tube, np.pi * belly**2) / (PIN_AREA * belly**2), dtype=np.float64)


def strength_of(edges: Edges, scene: Scene) -> Image:
    """How much of an edge there is at points of outlines, -1 to 1: (e, m).

    An edge is where pin ends and lane begins; or, where no bare lane is seen without, where the colour changes.
    """
    seen = sampled_at(scene.seen, edges.x, edges.y)
    (within, *one), (without, *other) = np.ascontiguousarray(np.moveaxis(seen, 3, 1))
    light, blue, red = (a - b for a, b in zip(one, other, strict=True))
    change = np.minimum(np.sqrt(light * light + blue * blue + red * red) / COLOUR_STEP, 1.0)
    change *= _unsure(without)
    change *= _unsure(within)
    return np.asarray((np.maximum((within - without) / 2, change) - NO_EDGE) / (1 - NO_EDGE), dtype=np.float32)


def _unsure(evidence: Image) -> Image:
    """How little sure it is that evidence is of the bare lane, 0 to 1."""
    return np.asarray(np.minimum(np.maximum(1 + evidence / np.float32(BLIND), 0.0), 1.0), dtype=np.float32)


def _at(covers: Cover, x: Image, y: Image, of: NDArray[np.intp]) -> Cover:
    """What covers points (...) in the layers ``of``, which fit their shape: (...)."""
    _, height, width = covers.shape
    column, row = np.rint(x).astype(np.int32), np.rint(y).astype(np.int32)
    # Below 0 is far beyond, without a sign.
    is_in = (column.view(np.uint32) < width) & (row.view(np.uint32) < height)
    row *= width
    row += column
    cells = np.where(is_in, row, 0) + of * (height * width)
    return np.asarray(covers.ravel().take(cells) * is_in, dtype=np.uint8)
