"""Where balls are seen that lie in the holes of a board."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from calibration.layout import Hole
from calibration.table import Table
from referee.vision.window import Window

DISC = 0.85
"""Part of a ball's radius that is looked at: its outermost edge mixes with what is behind."""

MIDDLE = 0.5
"""Inner part of that disc, as a share of its radius: a ball fills it, a printed ring leaves it bare."""

LEAST_IN_SIGHT = 0.15
"""Share of that disc that the rim of the hole leaves in sight at least where a ball in it can be read."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seat:
    """Where a ball in a hole is seen: centre and radius in pixels of the full picture, depth from the camera.

    Its cells, as flat indices into the window of the chroma planes that is read: the ball's ``disc``, as far as the rim
    of the hole leaves it in sight, the ``middle`` of it, and the ``ring`` of board around the hole.
    """

    hole: Hole
    x_px: float
    y_px: float
    radius_px: float
    depth_mm: float
    disc: NDArray[np.intp]
    middle: NDArray[np.intp]
    ring: NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patches:
    """The pixels of k patches in one list, ``cells`` (n,), which patch each belongs to, ``owner`` (n,), and how many
    each has, ``sizes`` (k,)."""

    cells: NDArray[np.intp]
    owner: NDArray[np.intp]
    sizes: NDArray[np.intp]

    @classmethod
    def of(cls, patches: Sequence[NDArray[np.intp]]) -> Self:
        """All patches, one after the other."""
        return cls(
            cells=np.concatenate([np.zeros(0, dtype=np.intp), *patches]),
            owner=np.repeat(np.arange(len(patches)), [len(patch) for patch in patches]),
            sizes=np.array([len(patch) for patch in patches], dtype=np.intp),
        )

    def of_patch(self, k: int) -> NDArray[np.intp]:
        """The pixels of one patch."""
        end = int(self.sizes[: k + 1].sum())
        return self.cells[end - int(self.sizes[k]) : end]


def seat_z_mm(hole: Hole, *, top_mm: float, floor_mm: float, radius_mm: float) -> float:
    """Height of the centre of a ball in a hole: on its floor, or on its rim where it is too big to fall in."""
    if radius_mm <= hole.radius_mm:
        return floor_mm + radius_mm
    return top_mm + math.sqrt(radius_mm**2 - hole.radius_mm**2)


def seats_of(
    holes: Sequence[Hole], rings: Mapping[str, NDArray[np.intp]], table: Table, window: Window, radius_mm: float
) -> tuple[Seat, ...]:
    """Where balls of this radius are seen in some holes; ``rings``: cells of the ring around each, by its name."""
    layout, camera = table.layout, table.camera
    heights = [
        seat_z_mm(hole, top_mm=layout.height_mm, floor_mm=layout.hole_floor_mm, radius_mm=radius_mm) for hole in holes
    ]
    if not holes:
        return ()
    centres = np.array([[hole.x_mm, hole.y_mm, z_mm] for hole, z_mm in zip(holes, heights, strict=True)])
    places_px, radii_px, depths_mm = (
        camera.to_px(centres),
        camera.radius_px(centres, radius_mm),
        camera.depth_mm(centres),
    )
    whole = Patches.of([window.disc(x, y, DISC * r) for (x, y), r in zip(places_px.tolist(), radii_px, strict=True)])
    seen = _seen(whole, window, holes, centres, table, radius_mm)
    off_px = window.places(seen.cells) - places_px[seen.owner]
    in_middle = np.hypot(off_px[:, 0], off_px[:, 1]) < MIDDLE * DISC * radii_px[seen.owner]
    ends = np.cumsum(seen.sizes)
    is_disc = np.zeros(window.shape, dtype=np.bool_).ravel()
    seats = []
    for k, hole in enumerate(holes):
        own = slice(ends[k] - seen.sizes[k], ends[k])
        disc, middle, ring = seen.cells[own], seen.cells[own][in_middle[own]], rings[hole.name]
        is_disc[disc] = True
        seats.append(
            Seat(
                hole=hole,
                x_px=float(places_px[k, 0]),
                y_px=float(places_px[k, 1]),
                radius_px=float(radii_px[k]),
                depth_mm=float(depths_mm[k]),
                disc=disc,
                middle=middle if len(middle) else disc,
                ring=ring[~is_disc[ring]],
            )
        )
        is_disc[disc] = False
    return tuple(seats)


def _seen(
    discs: Patches,
    window: Window,
    holes: Sequence[Hole],
    centres: NDArray[np.float64],
    table: Table,
    radius_mm: float,
) -> Patches:
    """The pixels of discs that show the balls in some holes: those rise above the top face there, or are seen through
    the mouths.

    None of a disc where too few do for the hole to be read. ``centres``: the balls' middles, (k, 3) mm.
    """
    top_mm, camera = table.layout.height_mm, table.camera
    on_top = camera.to_mm(window.places(discs.cells), top_mm)
    off_mm = on_top[:, :2] - centres[discs.owner, :2]
    through = np.hypot(off_mm[:, 0], off_mm[:, 1]) < np.array([hole.radius_mm for hole in holes])[discs.owner]
    # Where a ray first meets the ball: before the point of it that is nearest to the ball's middle.
    rays = on_top - camera.centre_mm
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    to_balls = (centres - camera.centre_mm)[discs.owner]
    nearest = (rays * to_balls).sum(axis=1)
    half_chord = np.sqrt(np.maximum(radius_mm**2 - (to_balls * to_balls).sum(axis=1) + nearest**2, 0.0))
    above = camera.centre_mm[2] + rays[:, 2] * (nearest - half_chord) > top_mm
    shown = above | through
    enough = np.bincount(discs.owner, weights=shown, minlength=len(holes)) >= LEAST_IN_SIGHT * discs.sizes
    shown &= enough[discs.owner]
    owner = discs.owner[shown]
    return Patches(cells=discs.cells[shown], owner=owner, sizes=np.bincount(owner, minlength=len(holes)))
