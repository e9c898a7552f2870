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
    """The pixels of many patches in one list, ``cells`` (n,), and which patch each belongs to, ``owner`` (n,)."""

    cells: NDArray[np.intp]
    owner: NDArray[np.intp]

    @classmethod
    def of(cls, patches: Sequence[NDArray[np.intp]]) -> Self:
        """All patches, one after the other."""
        return cls(
            cells=np.concatenate([np.zeros(0, dtype=np.intp), *patches]),
            owner=np.repeat(np.arange(len(patches)), [len(patch) for patch in patches]),
        )


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
    places, radii_px, depths_mm = camera.to_px(centres), camera.radius_px(centres, radius_mm), camera.depth_mm(centres)
    seats = []
    for hole, z_mm, (x_px, y_px), radius_px, depth_mm in zip(
        holes, heights, places.tolist(), radii_px.tolist(), depths_mm.tolist(), strict=True
    ):
        disc = window.disc(x_px, y_px, DISC * radius_px)
        disc = disc[_is_in_sight(window.places(disc), hole, z_mm, table, radius_mm)]
        off_px = window.places(disc) - (x_px, y_px)
        in_middle = np.hypot(off_px[:, 0], off_px[:, 1]) < MIDDLE * DISC * radius_px
        seats.append(
            Seat(
                hole=hole,
                x_px=x_px,
                y_px=y_px,
                radius_px=radius_px,
                depth_mm=depth_mm,
                disc=disc,
                middle=disc[in_middle] if in_middle.any() else disc,
                ring=np.setdiff1d(rings[hole.name], disc, assume_unique=True),
            )
        )
    return tuple(seats)


def _is_in_sight(
    places_px: NDArray[np.float64], hole: Hole, z_mm: float, table: Table, radius_mm: float
) -> NDArray[np.bool_]:
    """Which pixels, (n, 2), show a ball in a hole: it rises above the top face there, or is seen through the mouth.

    None of them where too few do for the hole to be read. ``z_mm``: height of the ball's middle.
    """
    top_mm, camera = table.layout.height_mm, table.camera
    on_top = camera.to_mm(places_px, top_mm)
    through = np.hypot(on_top[:, 0] - hole.x_mm, on_top[:, 1] - hole.y_mm) < hole.radius_mm
    # Where a ray first meets the ball: before the point of it that is nearest to the ball's middle.
    rays = on_top - camera.centre_mm
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    to_ball = np.array([hole.x_mm, hole.y_mm, z_mm]) - camera.centre_mm
    nearest = rays @ to_ball
    half_chord = np.sqrt(np.maximum(radius_mm**2 - to_ball @ to_ball + nearest**2, 0.0))
    above = camera.centre_mm[2] + rays[:, 2] * (nearest - half_chord) > top_mm
    shown = np.asarray(above | through, dtype=np.bool_)
    return shown if shown.sum() >= LEAST_IN_SIGHT * len(shown) else np.zeros_like(shown)
