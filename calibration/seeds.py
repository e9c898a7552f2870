"""Where a layout's holes may lie among blobs: local maps that put neighbouring holes onto neighbouring blobs."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.blobs import Blobs
from calibration.parts import Layout
from calibration.perspective import misshapen

Array = NDArray[np.float64]
Whole = NDArray[np.intp]

# Neighbours of a blob and of a hole that are looked at.
BLOB_NEIGHBOURS: Final = 8
HOLE_NEIGHBOURS: Final = 8
# Neighbouring blobs are alike in size, as a log ratio of areas, and shaped as circles there would be (of squared axes).
ALIKE: Final = 1.0
SHAPED: Final = 1.2
# Neighbours of a hole are not in line with it: the least sine between them; of blobs a smaller one will do.
LEAST_SINE: Final = 0.6
LEAST_BLOB_SINE: Final = 0.2
# Holes further away than this many of the nearest one's distance are no neighbours.
AROUND: Final = 2.2
# A hole is met by a blob that is no further off than this share of the way to the next hole.
NEAR: Final = 0.22
# So many neighbours have to be met, or all there are.
FEWEST_MET: Final = 5
# Kinds of surroundings of holes to try.
SURROUNDINGS: Final = 24


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Holes:
    """``places_mm``: (n, 2), ``radii_mm`` and ``spacing_mm`` (to the next hole): (n,)."""

    places_mm: Array
    radii_mm: Array
    spacing_mm: Array

    @classmethod
    def of(cls, layout: Layout) -> "Holes":
        places = np.array([(hole.x_mm, hole.y_mm) for hole in layout.holes])
        apart = distances(places, places) + np.diag(np.full(len(places), np.inf))
        radii = np.array([hole.radius_mm for hole in layout.holes])
        return cls(places_mm=places, radii_mm=radii, spacing_mm=apart.min(axis=1))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Field:
    """Blobs that can be asked for the one next to a place: ``nearest`` holds its index for each pixel."""

    blobs: Blobs
    areas: Array
    nearest: NDArray[np.int32]

    @classmethod
    def of(cls, blobs: Blobs, width_px: int, height_px: int) -> "Field":
        free = np.full((height_px, width_px), 255, dtype=np.uint8)
        cells = np.clip(np.rint(blobs.centres_px).astype(int), 0, (width_px - 1, height_px - 1))
        free[cells[:, 1], cells[:, 0]] = 0
        _, labels = cv2.distanceTransformWithLabels(free, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
        owner = np.zeros(int(labels.max()) + 1, dtype=np.int32)
        owner[labels[cells[:, 1], cells[:, 0]]] = np.arange(len(cells))
        areas = np.sqrt(np.linalg.det(blobs.shapes_px2))
        return cls(blobs=blobs, areas=areas, nearest=owner[labels])

    def at(self, places_px: Array) -> tuple[NDArray[np.int32], Array]:
        """The blob next to each place, (..., 2), and how far off it is; infinite outside of the picture."""
        height, width = self.nearest.shape
        known = np.where(np.isfinite(places_px), places_px, -1e6).clip(-1e6, 1e6)
        cells = np.rint(known).astype(int)
        inside = ((cells >= 0) & (cells < (width, height))).all(axis=-1)
        cells = np.where(inside[..., None], cells, 0)
        index = self.nearest[cells[..., 1], cells[..., 0]]
        away = np.linalg.norm(self.blobs.centres_px[index] - known, axis=-1)
        return index, np.where(inside, away, np.inf)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seed:
    """A hole on a blob and the map around it, (2, 2): mm to pixels."""

    hole: int
    blob: int
    local: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Surroundings:
    """A hole, where its neighbours lie from it, (k, 2) mm, and the inverse of two of them as columns, (2, 2)."""

    hole: int
    around_mm: Array
    inverse: Array


def find_seeds(holes: Holes, field: Field) -> list[Seed]:
    """Local maps that put neighbours onto blobs, the best first."""
    blobs = field.blobs
    first, second, third = _corners_of_blobs(field)
    sides = np.stack([blobs.centres_px[second], blobs.centres_px[third]], axis=-1) - blobs.centres_px[first][..., None]
    inverse_shapes = np.linalg.inv(blobs.shapes_px2)
    seeds: list[tuple[float, Seed]] = []
    for kind in _surroundings(holes):
        local = sides @ kind.inverse
        seen = holes.radii_mm[kind.hole] ** 2 * inverse_shapes[first] @ (local @ local.transpose(0, 2, 1))
        usable = np.flatnonzero(misshapen(seen) < SHAPED)
        places = blobs.centres_px[first[usable], None] + kind.around_mm @ local[usable].transpose(0, 2, 1)
        near, away = field.at(places)
        limit = NEAR * holes.spacing_mm[kind.hole] * np.sqrt(np.abs(np.linalg.det(local[usable])))
        met = (away < limit[:, None]).sum(axis=1)
        circles = holes.radii_mm[kind.hole] ** 2 * local[usable] @ local[usable].transpose(0, 2, 1)
        unlike = misshapen(inverse_shapes[near] @ circles[:, None])
        fit = np.maximum(1 - away / limit[:, None], 0) * np.maximum(1 - unlike, 0)
        for i in np.flatnonzero(met >= min(FEWEST_MET, len(kind.around_mm))):
            row = int(usable[i])
            seeds.append((float(fit[i].sum()), Seed(hole=kind.hole, blob=int(first[row]), local=local[row])))
    seeds.sort(key=lambda pair: pair[0], reverse=True)
    return [seed for _, seed in seeds]


def _corners_of_blobs(field: Field) -> tuple[Whole, Whole, Whole]:
    """Each blob with two neighbours, the second clockwise of the first as the picture shows it: three of (p,)."""
    centres = field.blobs.centres_px
    apart = distances(centres, centres)
    alike = np.abs(np.log(field.areas[:, None] / field.areas[None])) < ALIKE
    apart[~alike] = np.inf
    np.fill_diagonal(apart, np.inf)
    count = min(BLOB_NEIGHBOURS, len(centres) - 1)
    near = np.argsort(apart, axis=1)[:, :count]
    one, other = (grid.ravel() for grid in np.meshgrid(np.arange(count), np.arange(count), indexing="ij"))
    first = np.repeat(np.arange(len(centres)), len(one))
    second, third = near[:, one].ravel(), near[:, other].ravel()
    a, b = centres[second] - centres[first], centres[third] - centres[first]
    # World y points up and picture y down: what runs counter-clockwise on the board runs the other way there.
    turns = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    good = (turns < -LEAST_BLOB_SINE * lengths) & np.isfinite(apart[first, second]) & np.isfinite(apart[first, third])
    return first[good], second[good], third[good]


def _surroundings(holes: Holes) -> list[_Surroundings]:
    """The different ways in which holes lie around a hole, the most frequent first."""
    places = holes.places_mm
    apart = distances(places, places)
    counted: dict[tuple[tuple[int, int], ...], int] = {}
    kinds: dict[tuple[tuple[int, int], ...], _Surroundings] = {}
    for hole in range(len(places)):
        near = np.argsort(apart[hole], kind="stable")[1 : HOLE_NEIGHBOURS + 1]
        around = places[near] - places[hole]
        around = around[np.linalg.norm(around, axis=1) < AROUND * holes.spacing_mm[hole]]
        pair = _pair(around)
        if pair is None:
            continue
        key = tuple(sorted((round(x), round(y)) for x, y in around.tolist()))
        counted[key] = counted.get(key, 0) + 1
        kinds.setdefault(
            key, _Surroundings(hole=hole, around_mm=around, inverse=np.asarray(np.linalg.inv(pair), dtype=np.float64))
        )
    frequent = sorted(kinds, key=lambda key: (counted[key], len(key)), reverse=True)
    return [kinds[key] for key in frequent[:SURROUNDINGS]]


def _pair(around_mm: Array) -> Array | None:
    """Two near neighbours as columns, the second counter-clockwise of the first and well apart from its line."""
    best, least = None, np.inf
    for a in around_mm:
        for b in around_mm:
            lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
            if a[0] * b[1] - a[1] * b[0] > LEAST_SINE * lengths and lengths < least:
                best, least = np.column_stack([a, b]), lengths
    return best


def distances(a: Array, b: Array) -> Array:
    """From each of n places to each of m, (n, m)."""
    return np.asarray(np.linalg.norm(a[:, None] - b[None], axis=2), dtype=np.float64)
