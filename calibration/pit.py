"""A box by its one large hole: an ellipse with straight sides around it where the layout has them.

Three sides and the middle of the hole fix a perspective (eight equations); of all threes of straight lines around each
ellipse those count whose perspective also shows the hole as large and as slanted as the ellipse is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.blobs import find_large_blobs, together
from calibration.borders import see_borders
from calibration.ellipses import first_edges, sharpen
from calibration.parts import Hole, Layout
from calibration.perspective import Plane, map_places, misshapen
from calibration.quads import find_segments
from calibration.rims import see_rims

Array = NDArray[np.float64]

# Straight lines that are shorter than this share of a side are left out.
LEAST_LENGTH: Final = 0.12
# Lines that rays from the hole meet first are the face's border: so near to a line, so many rays, so far (corners).
ON_LINE_PX: Final = 2.0
LEAST_SUPPORT: Final = 2
FACE: Final = 1.3
# How far sides may be from where the ellipse alone puts them: of their distance, and the sine to their direction.
OFF: Final = 0.45
SKEW: Final = 0.55
# Ellipses and lines to try.
MOST_BLOBS: Final = 16
MOST_LINES: Final = 14
# The hole's shape in a perspective and the ellipse differ by no more than this (log ratio of squared axes).
UNLIKE: Final = 0.7
# Perspectives that are looked at closely, and those handed on.
HOPEFUL: Final = 60
KEPT: Final = 5
# How far from where they should be rims (in radii) and borders (in widths) are looked for then.
RIM_REACH: Final = 0.25
BORDER_REACH: Final = 0.05
# Perspectives whose corners lie this near to each other, as a share of the board's width, are one.
SAME: Final = 0.03


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rated:
    """A perspective, (3, 3), and what it is worth."""

    worth: float
    homography: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Lines:
    """Straight lines near a hole: ``ends_px``, (n, 2, 2); ``normal``, (n, 2), and ``off_mm``, (n,), in its own frame.

    ``support``: how many rays from the hole meet their first edge there, (n,).
    """

    ends_px: Array
    normal: Array
    off_mm: Array
    support: Array


def match_pit(planes: Sequence[NDArray[np.uint8]], layout: Layout) -> list[Array]:
    """Perspectives, (3, 3) mm on the top face to pixels, of a box with one large hole; the most promising first.

    ``planes``: luma, (height, width), and further planes of the same view, of any size: a box may differ from the
    table in nothing but colour.
    """
    if not layout.holes:
        return []
    luma = planes[0].astype(np.float32)
    pit = max(layout.holes, key=lambda hole: hole.radius_mm)
    segments = np.concatenate([find_segments(plane, luma.shape[1]) for plane in planes])
    blobs = [find_large_blobs(plane, luma.shape[1]) for plane in planes]
    ellipses = sharpen(luma, together([each.first(MOST_BLOBS) for each in blobs]).first(MOST_BLOBS))
    triples = _side_triples(layout, pit)
    reach = max(float(np.hypot(x - pit.x_mm, y - pit.y_mm)) for x, y in layout.outline_mm) / pit.radius_mm
    rated: list[_Rated] = []
    for centre, shape in zip(ellipses.centres_px, ellipses.shapes_px2, strict=True):
        edges_px = first_edges(planes, centre, shape, FACE * reach)
        lines = _lines_around(segments, edges_px, centre, shape, pit, layout)
        for sides in triples:
            rated.extend(_perspectives(lines, sides, centre, shape, pit, layout))
    hopeful = _distinct(rated, layout, HOPEFUL)
    seen = [_Rated(worth=_evidence(luma, layout, each.homography), homography=each.homography) for each in hopeful]
    return [each.homography for each in _distinct(seen, layout, KEPT)]


def _evidence(luma: NDArray[np.float32], layout: Layout, homography: Array) -> float:
    """How much of the rims and of the border shows near where a perspective puts them, 0 to 2."""
    plane = Plane(homography=homography)
    rims = see_rims(luma, layout, plane, RIM_REACH)
    borders = see_borders(luma, layout, plane, BORDER_REACH * min(layout.size_mm))
    return rims.agreed + borders.share


def _side_triples(layout: Layout, pit: Hole) -> list[tuple[int, int, int]]:
    """A side with two others across it, once for each different way in which they lie around the hole."""
    count = len(layout.outline_mm)
    apart = max(1, count // 4)
    triples: dict[tuple[int, ...], tuple[int, int, int]] = {}
    for side in range(count):
        sides = (side, (side - apart) % count, (side + apart) % count)
        offs = [_side(layout, number, pit) for number in sides]
        turns = [float(np.degrees(np.arctan2(n[1], n[0]) - np.arctan2(offs[0][0][1], offs[0][0][0]))) for n, _ in offs]
        key = (*(round(off) for _, off in offs), *(round(turn) % 360 for turn in turns))
        triples.setdefault(key, sides)
    return list(triples.values())


def _side(layout: Layout, number: int, pit: Hole) -> tuple[Array, float]:
    """The outward normal of a side of the outline, and its distance from the hole's middle."""
    start = np.array(layout.outline_mm[number])
    end = np.array(layout.outline_mm[(number + 1) % len(layout.outline_mm)])
    along = (end - start) / np.linalg.norm(end - start)
    normal = np.array([along[1], -along[0]])
    return normal, float(normal @ (start - (pit.x_mm, pit.y_mm)))


def _lines_around(segments: Array, edges_px: Array, centre: Array, shape: Array, pit: Hole, layout: Layout) -> _Lines:
    """Lines where sides may be, in the frame in which the ellipse is a circle of the hole's radius."""
    frame = np.linalg.cholesky(shape) / pit.radius_mm
    # The picture's y runs down and the board's up.
    frame = frame @ np.diag([1.0, -1.0])
    ends = (segments - centre) @ np.linalg.inv(frame).T
    along = ends[:, 1] - ends[:, 0]
    length = np.linalg.norm(along, axis=1)
    normal = np.column_stack([along[:, 1], -along[:, 0]]) / np.maximum(length, 1e-9)[:, None]
    off = (normal * ends[:, 0]).sum(axis=1)
    normal *= np.where(off < 0, -1.0, 1.0)[:, None]
    off = np.abs(off)
    places = np.array(layout.outline_mm) - (pit.x_mm, pit.y_mm)
    reach = 1.3 * np.linalg.norm(places, axis=1).max()
    least = LEAST_LENGTH * np.linalg.norm(places - np.roll(places, 1, axis=0), axis=1).min()
    offs = [_side(layout, number, pit)[1] for number in range(len(places))]
    good = (np.linalg.norm(ends, axis=2).max(axis=1) < 1.6 * reach) & (length > least)
    good &= (off > (1 - OFF) * min(offs)) & (off < (1 + OFF) * max(offs))
    good[good] = (support := _support(segments[good], edges_px)) >= LEAST_SUPPORT
    support = support[support >= LEAST_SUPPORT]
    return _Lines(ends_px=segments[good], normal=normal[good], off_mm=off[good], support=support)


def _support(segments: Array, edges_px: Array) -> Array:
    """How many edge points, (m, 2), lie on each straight line, (n, 2, 2): (n,)."""
    along = segments[:, 1] - segments[:, 0]
    length = np.maximum(np.linalg.norm(along, axis=1), 1e-9)
    along /= length[:, None]
    away = edges_px[None] - segments[:, None, 0]
    share = np.einsum("nmk,nk->nm", away, along) / length[:, None]
    across = np.abs(away[..., 0] * along[:, None, 1] - away[..., 1] * along[:, None, 0])
    return np.asarray(((across < ON_LINE_PX) & (share > -0.05) & (share < 1.05)).sum(axis=1), dtype=np.float64)


def _perspectives(
    lines: _Lines, sides: tuple[int, int, int], centre: Array, shape: Array, pit: Hole, layout: Layout
) -> list[_Rated]:
    """Perspectives that put three sides onto lines and the hole onto the ellipse, each with what it is worth."""
    normals, offs = zip(*(_side(layout, number, pit) for number in sides), strict=True)
    chosen: list[tuple[int, int, int]] = []
    for first in _strongest(lines, np.abs(lines.off_mm / offs[0] - 1) < OFF):
        # What turns the layout's first side onto this line turns the others with it.
        c, s = (
            normals[0] @ lines.normal[first],
            normals[0][0] * lines.normal[first][1] - normals[0][1] * lines.normal[first][0],
        )
        turn = np.array([[c, -s], [s, c]])
        others = []
        for normal, off in zip(normals[1:], offs[1:], strict=True):
            leans = 1 - (lines.normal @ (turn @ normal)) ** 2
            alike = (leans < SKEW**2) & (lines.normal @ (turn @ normal) > 0) & (np.abs(lines.off_mm / off - 1) < OFF)
            others.append(_strongest(lines, alike))
        chosen.extend((first, a, b) for a in others[0] for b in others[1])
    if not chosen:
        return []
    picked = np.array(chosen)
    homographies = _solved(lines.ends_px[picked], normals, offs, centre, pit)
    around = np.array([(pit.x_mm, pit.y_mm)])
    rated = []
    for row, homography in zip(picked, homographies, strict=True):
        corners = np.column_stack([layout.outline_mm, np.ones(len(layout.outline_mm))]) @ homography.T
        middle = homography @ (pit.x_mm, pit.y_mm, 1.0)
        if (corners[:, 2] * middle[2] <= 0).any():
            continue
        at = map_places(homography, around)
        local = np.column_stack([(map_places(homography, around + step) - at)[0] for step in ((1.0, 0.0), (0.0, 1.0))])
        if np.linalg.det(local) >= 0:
            continue
        unlike = float(misshapen(np.linalg.solve(shape, pit.radius_mm**2 * local @ local.T)))
        if unlike < UNLIKE:
            worth = float(lines.support[row].sum()) * (1 - unlike)
            rated.append(_Rated(worth=worth, homography=homography / homography[2, 2]))
    return rated


def _strongest(lines: _Lines, alike: NDArray[np.bool_]) -> list[int]:
    numbers = np.flatnonzero(alike)
    return [int(n) for n in numbers[np.argsort(-lines.support[numbers])][:MOST_LINES]]


def _solved(ends_px: Array, normals: tuple[Array, ...], offs: tuple[float, ...], centre: Array, pit: Hole) -> Array:
    """The perspectives, (n, 3, 3), of three lines, (n, 3, 2, 2), that lie on sides, and the hole's middle."""
    # In units of the ellipse's surroundings all numbers are near 1, which keeps the equations well behaved.
    unit_px, unit_mm = float(np.abs(ends_px - centre).max()), float(max(offs))
    ends = (ends_px - centre) / unit_px
    count = len(ends)
    rows = np.zeros((count, 8, 9))
    for number, (normal, off) in enumerate(zip(normals, offs, strict=True)):
        # A point of the picture, taken back to the board by the inverse G, lies on the side: n . G p = off * (G p)_z.
        for end in range(2):
            point = np.column_stack([ends[:, number, end], np.ones(count)])
            row = rows[:, 2 * number + end]
            row[:, 0:3], row[:, 3:6], row[:, 6:9] = normal[0] * point, normal[1] * point, -off / unit_mm * point
    rows[:, 6, 2] = 1.0
    rows[:, 7, 5] = 1.0
    inverse = np.linalg.svd(rows)[2][:, -1].reshape(count, 3, 3)
    usable = np.abs(np.linalg.det(inverse)) > 1e-9
    inverse[~usable] = np.eye(3)
    forward = np.linalg.inv(inverse)
    to_px = np.array([[unit_px, 0, centre[0]], [0, unit_px, centre[1]], [0, 0, 1.0]])
    from_mm = np.array([[1 / unit_mm, 0, -pit.x_mm / unit_mm], [0, 1 / unit_mm, -pit.y_mm / unit_mm], [0, 0, 1.0]])
    return np.asarray(to_px @ forward @ from_mm)


def _distinct(rated: list[_Rated], layout: Layout, count: int) -> list[_Rated]:
    """The best of each group of perspectives that put the board to nearly the same place, best first."""
    outline = np.array(layout.outline_mm)
    kept: list[_Rated] = []
    corners_kept: list[Array] = []
    for each in sorted(rated, key=lambda each: each.worth, reverse=True):
        corners = map_places(each.homography, outline)
        width = np.ptp(corners, axis=0).max()
        # The same corners in another order are the same board turned.
        apart = [np.linalg.norm(corners[:, None] - other, axis=2).min(axis=1).max() for other in corners_kept]
        if all(away > SAME * width for away in apart):
            kept.append(each)
            corners_kept.append(corners)
        if len(kept) == count:
            break
    return kept
