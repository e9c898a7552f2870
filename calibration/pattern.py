"""A layout's holes among blobs in a picture: which perspective puts most holes onto blobs.

Three neighbouring blobs and three neighbouring holes give a local affine map; where it puts the holes around onto
blobs too it grows outwards, hole by hole, into a homography. What it then says of all blobs, back on the board, shows
how the whole layout lies: a lattice looks the same around each of its inner holes.
"""

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from calibration.blobs import Blobs
from calibration.parts import Hole, Layout
from calibration.perspective import map_places, misshapen, turn_matrix
from calibration.seeds import NEAR, Array, Field, Holes, Seed, Whole, distances, find_seeds

# Blobs on holes have about their areas, as a log ratio.
SIZED: Final = 0.9
# Local maps to grow, and perspectives to hand on.
GROWN: Final = 40
KEPT: Final = 5
# Shifts of the layout on a lattice that are tried, and those of them that are fitted.
SHIFTS: Final = 4
REFITTED: Final = 3
# One that is worth this share of the best one may be right: a row of holes can be hidden or in the dark.
AS_GOOD: Final = 0.9
# Growing goes this many holes' distances outwards at a time.
REACH: Final = 1.6
ROUNDS: Final = 14
# Fewer holes found than this, or a smaller share of them, are an accident.
FEWEST: Final = 6
LEAST_SHARE: Final = 0.4
# A match of which holes are worth this much on average need not be looked for again.
GOOD: Final = 0.3
# After one of this worth fewer others are looked for: each counts as so many.
EXCELLENT: Final = 0.5
EXCELLENT_STEP: Final = 6
# Perspectives have more unknowns than affine maps: they need this many holes.
PERSPECTIVE_HOLES: Final = 8
# Turns by which a layout may cover itself, and the share of holes that have to meet another for one that may be taken.
TURNS_DEG: Final = tuple(range(0, 360, 15))
COVERED: Final = 0.5
EAST: Final = np.array([1.0, 0.0])
NORTH: Final = np.array([0.0, 1.0])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Match:
    """A perspective, (3, 3): mm on the top face to pixels; ``holes`` are on ``blobs``, both (m,) indices.

    ``worth``: the number of those holes, each counting less the worse its blob fits in place and shape.
    """

    homography: Array
    holes: Whole
    blobs: Whole
    worth: float


def match_holes(blobs: Blobs, layout: Layout, width_px: int, height_px: int) -> list[Match]:
    """Perspectives of the layout that explain many blobs as holes, the best first, each in one of its orientations."""
    if len(layout.holes) < FEWEST or len(blobs.centres_px) < FEWEST:
        return []
    holes = Holes.of(layout)
    field = Field.of(blobs, width_px, height_px)
    outline_mm = np.array(layout.outline_mm)
    found: list[Match] = []
    used = np.zeros(len(blobs.centres_px), dtype=bool)
    grown = 0
    for seed in find_seeds(holes, field):
        if used[seed.blob]:
            continue
        if grown >= GROWN:
            break
        grown += EXCELLENT_STEP if any(match.worth > EXCELLENT * len(holes.places_mm) for match in found) else 1
        match = _grow(seed, holes, field)
        used[seed.blob] = True
        if match is not None:
            match, *others = _whole(match, holes, field)
            found += [match, *others]
            if match.worth < GOOD * len(holes.places_mm):
                continue
            # What lies on this board, holes or not, need not be tried again; nor what is on another try of it.
            outline_px = map_places(match.homography, outline_mm).astype(np.float32)
            used |= np.array([cv2.pointPolygonTest(outline_px, xy, False) >= 0 for xy in blobs.centres_px.tolist()])
    enough = [m for m in found if len(m.holes) >= max(FEWEST, LEAST_SHARE * len(holes.places_mm))]
    return sorted(enough, key=lambda m: m.worth, reverse=True)[:KEPT]


def turns_deg(layout: Layout) -> tuple[float, ...]:
    """By how much the layout can be turned so that most of its holes still meet holes; 0 first."""
    holes = Holes.of(layout)
    return tuple(float(turn) for turn in TURNS_DEG if _share_met(holes, turn) >= COVERED)


def holes_apart_mm(layout: Layout) -> float:
    """How far holes are from their nearest neighbours, most of them."""
    return float(np.median(Holes.of(layout).spacing_mm))


def rows_beyond(layout: Layout) -> list[tuple[Hole, ...]]:
    """Where a layout's rows of holes would go on to the east, north, west and south."""
    holes = Holes.of(layout)
    apart = holes_apart_mm(layout)
    beyond = []
    for step in (EAST, NORTH, -EAST, -NORTH):
        x_mm, y_mm = (apart * step).tolist()
        shifted = holes.places_mm + apart * step
        free = distances(shifted, holes.places_mm).min(axis=1) > 0.5 * apart
        row = [hole for hole, is_free in zip(layout.holes, free, strict=True) if is_free]
        beyond.append(tuple(replace(hole, x_mm=hole.x_mm + x_mm, y_mm=hole.y_mm + y_mm) for hole in row))
    return beyond


def _grow(seed: Seed, holes: Holes, field: Field) -> Match | None:
    """Follow a local map outwards over the holes."""
    places = holes.places_mm
    homography = np.eye(3)
    homography[:2, :2] = seed.local
    homography[:2, 2] = field.blobs.centres_px[seed.blob] - seed.local @ places[seed.hole]
    known = np.array([seed.hole])
    matched = None
    for _ in range(ROUNDS):
        frontier = (distances(places, places[known]) < REACH * holes.spacing_mm[:, None]).any(axis=1)
        found = _met(homography, holes, field, np.flatnonzero(frontier))
        if len(found.holes) < 4:
            return None
        fitted = _fit(found, holes, field)
        if fitted is None:
            return None
        done = matched is not None and len(found.holes) == len(matched.holes) and len(found.holes) == len(known)
        homography, known = fitted, found.holes
        matched = replace(found, homography=homography)
        if done:
            break
    return matched


def _whole(match: Match, holes: Holes, field: Field) -> list[Match]:
    """The best of the layout's places on the lattice that was found, fitted to all of it, and any nearly as good."""
    everywhere = np.arange(len(holes.places_mm))
    best = [match]
    for _ in range(2):
        shifted = [_shifted(best[0].homography, shift) for shift in _shifts_mm(best[0].homography, holes, field)]
        met = sorted((_met(each, holes, field, everywhere) for each in shifted), key=lambda each: -each.worth)
        tried = [_refitted(each.homography, holes, field) for each in met[:REFITTED]]
        better = sorted((each for each in tried if each is not None), key=lambda each: -each.worth)
        if not better or better[0].worth <= best[0].worth:
            break
        best = [better[0], *(each for each in better[1:] if each.worth >= AS_GOOD * better[0].worth)]
        best = [each for i, each in enumerate(best) if not any(_is_same(each, other, holes) for other in best[:i])]
    return best


def _is_same(one: Match, other: Match, holes: Holes) -> bool:
    """Whether two put the same holes to the same places."""
    apart = map_places(one.homography, holes.places_mm) - map_places(other.homography, holes.places_mm)
    next_ = distances(map_places(one.homography, holes.places_mm[:1]), map_places(one.homography, holes.places_mm[1:]))
    return bool(np.linalg.norm(apart, axis=1).max() < next_.min() / 2)


def _shifted(homography: Array, shift_mm: Array) -> Array:
    shift = np.eye(3)
    shift[:2, 2] = shift_mm
    return homography @ shift


def _refitted(homography: Array, holes: Holes, field: Field) -> Match | None:
    """The layout fitted to what it meets; None where that is nothing."""
    found = None
    for _ in range(4):
        found = _met(homography, holes, field, np.arange(len(holes.places_mm)))
        fitted = _fit(found, holes, field) if len(found.holes) >= FEWEST else None
        if fitted is None:
            return None
        homography = fitted
    return None if found is None else replace(found, homography=homography)


def _shifts_mm(homography: Array, holes: Holes, field: Field) -> list[Array]:
    """By how much the layout may have to be shifted to cover most blobs, each (2,): the most voted for."""
    blobs_mm = map_places(np.asarray(np.linalg.inv(homography), dtype=np.float64), field.blobs.centres_px)
    span = np.abs(holes.places_mm).max() + holes.spacing_mm.max()
    steps = np.stack([map_places(homography, blobs_mm + step) for step in (EAST, NORTH)], axis=-1)
    areas = np.abs(np.linalg.det(steps - field.blobs.centres_px[..., None])) * float(np.median(holes.radii_mm)) ** 2
    sized = np.abs(np.log(field.areas / np.maximum(areas, 1e-6))) < SIZED
    on_board = blobs_mm[sized & (np.abs(blobs_mm).max(axis=1) < 2 * span)]
    cell = NEAR * float(np.median(holes.spacing_mm))
    shifts = (on_board[:, None] - holes.places_mm[None]).reshape(-1, 2)
    shifts = shifts[np.abs(shifts).max(axis=1) < span]
    half = int(span / cell) + 2
    bins = np.rint(shifts / cell).astype(int) + half
    votes = np.zeros((2 * half + 1, 2 * half + 1), dtype=np.float32)
    np.add.at(votes, (bins[:, 1], bins[:, 0]), 1)
    summed = np.asarray(cv2.GaussianBlur(votes, (5, 5), 1.0, borderType=cv2.BORDER_CONSTANT))
    found = [np.zeros(2)]
    for _ in range(SHIFTS):
        row, column = np.unravel_index(int(summed.argmax()), summed.shape)
        middle = np.array([column - half, row - half]) * cell
        near = shifts[np.abs(shifts - middle).max(axis=1) < 1.5 * cell]
        if len(near):
            found.append(np.median(near, axis=0))
        summed[max(row - 2, 0) : row + 3, max(column - 2, 0) : column + 3] = 0
    return found


def _met(homography: Array, holes: Holes, field: Field, chosen: Whole) -> Match:
    """Which of the chosen holes are on blobs of about the right size."""
    places, centres = holes.places_mm[chosen], field.blobs.centres_px
    seen = map_places(homography, places)
    local = np.stack([map_places(homography, places + step) - seen for step in (EAST, NORTH)], axis=-1)
    scale = np.sqrt(np.abs(np.linalg.det(local)))
    away = distances(seen, centres) / np.maximum(holes.spacing_mm[chosen] * scale, 1e-6)[:, None]
    areas = np.maximum(scale * holes.radii_mm[chosen], 1e-6) ** 2
    away[np.abs(np.log(field.areas[None] / areas[:, None])) > SIZED] = np.inf
    blob = np.argmin(away, axis=1)
    nearest = away[np.arange(len(chosen)), blob]
    met = nearest < NEAR
    circles = holes.radii_mm[chosen][met, None, None] ** 2 * local[met] @ local[met].transpose(0, 2, 1)
    unlike = misshapen(np.linalg.solve(field.blobs.shapes_px2[blob[met]], circles))
    worth = (1 - nearest[met] / NEAR) * np.maximum(1 - unlike, 0)
    return Match(homography=homography, holes=chosen[met], blobs=blob[met], worth=float(worth.sum()))


def _fit(match: Match, holes: Holes, field: Field) -> Array | None:
    """The perspective that fits what is matched; an affine one while that is little."""
    places, seen = holes.places_mm[match.holes], field.blobs.centres_px[match.blobs]
    if len(places) < PERSPECTIVE_HOLES:
        affine, _ = cv2.estimateAffine2D(places, seen, method=cv2.LMEDS)
        return None if affine is None else np.vstack([affine, [0, 0, 1]]).astype(np.float64)
    homography, _ = cv2.findHomography(places, seen, 0)
    return None if homography is None else np.asarray(homography, dtype=np.float64)


def _share_met(holes: Holes, turn_deg: float) -> float:
    apart = distances(holes.places_mm @ turn_matrix(turn_deg).T, holes.places_mm)
    return float((apart.min(axis=1) < NEAR * holes.spacing_mm).mean())
