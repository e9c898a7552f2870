"""What may have happened to a ball before it was first seen flying: bounces behind hands, and knocks on the board."""

import math
from dataclasses import dataclass

import numpy as np

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
    if _under_table_mm(first, seen_s, ground) > ground.radius_mm or _left_board(first, seen_s, held_s, ground):
        return True
    left_s = first.t_s - since_table_s(first, ground)
    is_brief = first.surface != "table" and first.t_s - seen_s < BRIEF_S and seen_s - left_s < HIDDEN_S
    return is_brief and held_s - left_s < GRIPPED_S


def _under_table_mm(first: Contact, seen_s: float, ground: Ground) -> float:
    """How far below a ball on the table the flight to a first contact was at a time before."""
    lead_s = first.t_s - seen_s
    return ground.table_z_mm - first.z_mm + first.before_mm_s[2] * lead_s + GRAVITY_MM_S2 * lead_s**2 / 2


def _left_board(first: Contact, seen_s: float, held_s: float, ground: Ground) -> bool:
    """Whether a ball that then met the table can have come off the board, or its side, a moment before it was seen."""
    if first.surface != "table" or held_s - seen_s > GRIPPED_S:
        return False
    (vx, vy, vz), heights = first.before_mm_s, (ground.table_z_mm, ground.board_z_mm + EDGE_REACH_MM)
    for back_s in np.linspace(first.t_s - seen_s, first.t_s - seen_s + HIDDEN_S, LOOKS_BACK).tolist():
        z_mm = first.z_mm - vz * back_s - GRAVITY_MM_S2 * back_s**2 / 2
        outside_mm = ground.outside_mm(first.x_mm - vx * back_s, first.y_mm - vy * back_s)
        if outside_mm < ground.radius_mm + EDGE_REACH_MM and heights[0] <= z_mm <= heights[1]:
            return True
    return False


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
    vx, vy, vz = first.before_mm_s
    lead_s = first.t_s - seen_s
    rising_mm_s = vz + GRAVITY_MM_S2 * lead_s
    if lead_s < LEAST_RISE_S or rising_mm_s <= 3 * rise_sigma_mm_s:
        return None
    since_s = since_table_s(first, ground)
    x_mm, y_mm = first.x_mm - vx * since_s, first.y_mm - vy * since_s
    if _under_table_mm(first, seen_s, ground) > ground.radius_mm:
        return None
    if (
        since_s - lead_s > HIDDEN_S
        or held_s - first.t_s + since_s > GRIPPED_S
        or ground.outside_mm(x_mm, y_mm) < ground.radius_mm / 2
    ):
        return None
    hidden = Contact(
        t_s=first.t_s - since_s,
        surface="table",
        x_mm=x_mm,
        y_mm=y_mm,
        z_mm=ground.table_z_mm,
        before_mm_s=(vx, vy, 0.0),
        after_mm_s=(vx, vy, vz + GRAVITY_MM_S2 * since_s),
        margin=0.0,
        is_inferred=True,
    )
    # Pictures in which it wasn't seen; half a step is left for the times of pictures that don't come evenly.
    way_s = np.arange(lead_s + frame_s, since_s - frame_s / 2, frame_s)
    way_mm = np.column_stack(
        [first.x_mm - vx * way_s, first.y_mm - vy * way_s, first.z_mm - vz * way_s - GRAVITY_MM_S2 * way_s**2 / 2]
    )
    size_px = ground.table.camera.radius_px(way_mm, ground.radius_mm) / 2 if len(way_s) else np.zeros(0)
    unseen = [
        any(could_hide(first.t_s - float(back_s), float(x_px + a * r), float(y_px + b * r)) for a, b in AROUND)
        for back_s, (x_px, y_px), r in zip(way_s, ground.table.camera.to_px(way_mm), size_px, strict=True)
    ]
    # A hand that was at the ball in one picture may have been until the next.
    left_s = held_s + frame_s if held_s > seen_s else held_s
    is_held = left_s - hidden.t_s > CARRIED_S
    return Hidden(contact=hidden, pictures=len(unseen), in_view=unseen.count(False), is_held=is_held)
