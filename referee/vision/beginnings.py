"""What may have happened to a ball before it was first seen flying: bounces behind hands, and knocks on the board."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.vision.ballistics import GRAVITY_MM_S2
from referee.vision.contacts import Contact, CouldHide
from referee.vision.ground import EDGE_REACH_MM, Ground

HIDDEN_S = 0.25
"""How long the hand that threw may hide the ball after its bounce: the ball is off by half a metre by then."""

CARRIED_S = 0.12
"""How long after a hidden bounce the ball is out of the hand that hid it: a ball that comes off the table leaves behind
what is as long as a hand in less, while a hand goes along for a moment with one that it throws upwards."""

GRIPPED_S = 0.2
"""How long after a bounce a hand at the ball shows that there was none: it would have gone along down and up."""

LOOKS_BACK = 26
"""Times within that at which a ball's way back is looked at: it goes on by less than its size between two."""

LEAST_RISE_S = 0.12
"""How long the flight after a hidden bounce must be seen: no ball in a hand keeps to a parabola for that long."""

BRIEF_S = 0.2
"""How long a ball must be seen flying to the board for its way there to be known."""

AROUND = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
"""Where in a ball, in half radii, something is looked for that hid it."""


def is_start_open(first: Contact, seen_s: float, held_s: float, ground: Ground) -> bool:
    """Whether a ball first met the board, and was seen for so short a time before, at ``seen_s`` first, that it may as
    well have come from the table, unless a hand was at it, until ``held_s``, for too long after that; or its flight
    would begin under the table, or comes off the board: then it knocked unnoticed."""
    if under_table_mm(first, seen_s, ground) > ground.radius_mm or _left_board(first, seen_s, held_s, ground):
        return True
    left_s = first.t_s - since_table_s(first, ground)
    is_brief = first.surface != "table" and first.t_s - seen_s < BRIEF_S and seen_s - left_s < HIDDEN_S
    return is_brief and held_s - left_s < GRIPPED_S


def under_table_mm(first: Contact, seen_s: float, ground: Ground) -> float:
    """How far below a ball on the table the flight to a first contact was at a time before."""
    (place_mm,) = _places_before(first, np.array([first.t_s - seen_s]))
    return ground.table_z_mm - float(place_mm[2])


def _left_board(first: Contact, seen_s: float, held_s: float, ground: Ground) -> bool:
    """Whether a ball that then met the table can have come off the board, or its side, a moment before it was seen."""
    if first.surface != "table" or held_s - seen_s > GRIPPED_S:
        return False
    lead_s, highest_mm = first.t_s - seen_s, ground.board_z_mm + EDGE_REACH_MM
    places_mm = _places_before(first, np.linspace(lead_s, lead_s + HIDDEN_S, LOOKS_BACK))
    return any(
        ground.outside_mm(x_mm, y_mm) < ground.radius_mm + EDGE_REACH_MM and ground.table_z_mm <= z_mm <= highest_mm
        for x_mm, y_mm, z_mm in places_mm.tolist()
    )


def _places_before(first: Contact, back_s: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the flight to a first contact was, (n, 3) mm, so many seconds before it, (n,)."""
    vx, vy, vz = first.before_mm_s
    heights_mm = first.z_mm - vz * back_s - GRAVITY_MM_S2 * back_s**2 / 2
    return np.column_stack([first.x_mm - vx * back_s, first.y_mm - vy * back_s, heights_mm])


def since_table_s(first: Contact, ground: Ground) -> float:
    """How long before its first contact a ball was at the table's height, on its way up."""
    # Height s before the contact: z - vz s - g s^2 / 2. It equals the table's before the top of the flight.
    above_mm, vz = first.z_mm - ground.table_z_mm, first.before_mm_s[2]
    return (math.sqrt(max(0.0, vz * vz + 2 * GRAVITY_MM_S2 * above_mm)) - vz) / GRAVITY_MM_S2


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """A bounce before the first sighting. ``pictures``: between the two; ``in_view``: of these, those in which nothing
    hid the ball, had it been there; ``is_held``: whether for long after it nothing showed the ball out of
    a hand."""

    contact: Contact
    pictures: int
    in_view: int
    is_held: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it can't be told: in one picture a ball in plain view may be overlooked, in more it wasn't there;
        what was in a hand may have been thrown upwards."""
        return self.in_view == (0 if self.is_held else 1)

    @property
    def is_likely(self) -> bool:
        return not self.is_held and (self.in_view == 0 or (self.is_open and self.pictures > 2))


def hidden_bounce(
    first: Contact,
    seen_s: float,
    held_s: float,
    rise_sigma_mm_s: float,
    frame_s: float,
    ground: Ground,
    could_hide: CouldHide,
) -> Hidden | None:
    """The table bounce before the first sighting: the first seen flight rises, and a moment earlier it left the table.

    ``seen_s``: first sighting; ``held_s``: until when a hand was at the ball; ``rise_sigma_mm_s``: how well the
    vertical speed before ``first`` is known; ``frame_s``: time between pictures; ``could_hide``: whether a ball at a
    time and pixel could have gone unseen. It must have in the pictures between the bounce and the first sighting: a
    toss from the hand, rising in plain view, had no bounce.
    """
    lead_s, since_s = first.t_s - seen_s, since_table_s(first, ground)
    left_s = first.t_s - since_s
    vx, vy, vz = first.before_mm_s
    if lead_s < LEAST_RISE_S or vz + GRAVITY_MM_S2 * lead_s <= 3 * rise_sigma_mm_s:
        return None
    if since_s - lead_s > HIDDEN_S or held_s - left_s > GRIPPED_S:
        return None
    x_mm, y_mm = first.x_mm - vx * since_s, first.y_mm - vy * since_s
    if under_table_mm(first, seen_s, ground) > ground.radius_mm or ground.outside_mm(x_mm, y_mm) < ground.radius_mm / 2:
        return None
    contact = Contact(
        t_s=left_s,
        surface="table",
        x_mm=x_mm,
        y_mm=y_mm,
        z_mm=ground.table_z_mm,
        before_mm_s=(vx, vy, 0.0),
        after_mm_s=(vx, vy, vz + GRAVITY_MM_S2 * since_s),
        margin=0.0,
        is_inferred=True,
    )
    # Half a step is left for the times of pictures that don't come evenly.
    way_s = np.arange(lead_s + frame_s, since_s - frame_s / 2, frame_s)
    # A hand that was at the ball in one picture may have been until the next.
    let_go_s = held_s + frame_s if held_s > seen_s else held_s
    return Hidden(
        contact=contact,
        pictures=len(way_s),
        in_view=_in_view(first, way_s, ground, could_hide),
        is_held=let_go_s - left_s > CARRIED_S,
    )


def _in_view(first: Contact, back_s: NDArray[np.float64], ground: Ground, could_hide: CouldHide) -> int:
    """In how many pictures, so many seconds before a first contact, nothing could have hidden the ball."""
    if not len(back_s):
        return 0
    camera, places_mm = ground.table.camera, _places_before(first, back_s)
    pixels, half_radii = camera.to_px(places_mm).tolist(), (camera.radius_px(places_mm, ground.radius_mm) / 2).tolist()
    return sum(
        not any(could_hide(first.t_s - ago_s, x_px + right * step, y_px + down * step) for right, down in AROUND)
        for ago_s, (x_px, y_px), step in zip(back_s.tolist(), pixels, half_radii, strict=True)
    )
