"""A knock of a ball on the table or the board, and those that can only be inferred."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from referee.vision.ballistics import GRAVITY_MM_S2, Array
from referee.vision.ground import EDGE_REACH_MM, Ground, Surface

HIDDEN_S = 0.25
"""How long the hand that threw may hide the ball after its bounce: the ball is off by half a metre by then."""

CARRIED_S = 0.12
"""How long after a hidden bounce the ball is out of the hand that hid it: a ball that comes off the table leaves behind
what is as long as a hand in less, while a hand goes along for a moment with one that it throws upwards."""

GRIPPED_S = 0.2
"""How long after a bounce a hand at the ball shows that there was none: it would have gone along down and up."""

LEAST_RISE_S = 0.12
"""How long the flight after a hidden bounce must be seen: no ball in a hand keeps to a parabola for that long."""

BRIEF_S = 0.2
"""How long a ball must be seen flying to the board for its way there to be known."""

LEAST_HOP_MM = 0.2
"""A lower hop is rolling: cloth and wood are no flatter, and no eye sees it."""

APPROACH_MM_S = 150.0
"""Slowest approach to the board's side that counts as a knock on it."""

KEPT_APPROACH = 0.4
"""Least share of its approach that a table bounce leaves a ball: what keeps less has met the board's side."""

MORE_KEPT = 1.2
"""Restitution of a bounce against that of the one before it from which two were taken for one: a ball's hardly differs
from bounce to bounce, and is smaller for slow ones if anything."""

ORDER_S = 0.0015
"""How well the time of a knock is known that is seen from both sides: one contact is fitted where there were two."""

UNSEEN_FRAMES = 2.5
"""Time between two sightings, in pictures, from which it isn't known what the ball did between them."""

AROUND = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
"""Where in a ball, in half radii, something is looked for that hid it."""

CouldHide = Callable[[float, float, float], bool]
"""Whether a ball at a time (s) and pixel (x, y) could have gone unseen."""

Holds = Callable[[float, float, float, float], bool]
"""Whether what moves at a time (s) and pixel (x, y), where a ball has a radius (px), is of a hand's size."""

Velocity = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A knock. ``x_mm``, ``y_mm``, ``z_mm``: the ball's centre then. ``before_mm_s``, ``after_mm_s``: velocities.

    ``margin``: squared sigmas by which the pixels prefer it to no contact; 0 for an inferred one (``is_inferred``):
    hidden by a hand, or a hop too low to be resolved.
    """

    t_s: float
    surface: Surface
    x_mm: float
    y_mm: float
    z_mm: float
    before_mm_s: Velocity
    after_mm_s: Velocity
    margin: float
    is_inferred: bool = False


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
    """Whether a ball that then met the table was on its way up from the board a moment before it was first seen."""
    above_mm, vz = first.z_mm - ground.board_z_mm, first.before_mm_s[2]
    if first.surface != "table" or vz * vz + 2 * GRAVITY_MM_S2 * above_mm < 0:
        return False
    since_s = (math.sqrt(vz * vz + 2 * GRAVITY_MM_S2 * above_mm) - vz) / GRAVITY_MM_S2
    left_s = first.t_s - since_s
    x_mm, y_mm = first.x_mm - first.before_mm_s[0] * since_s, first.y_mm - first.before_mm_s[1] * since_s
    is_late = 0 <= seen_s - left_s < HIDDEN_S and held_s - left_s < GRIPPED_S
    return is_late and ground.outside_mm(x_mm, y_mm) < ground.radius_mm


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


def board_edge(contact: Contact, ground: Ground) -> Contact | None:
    """The knock on the board's side that comes with a table contact right beside it: the ball stops approaching.

    Its place is where the ball touches the side, its time when it has crossed the gap.
    """
    gap_mm = ground.outside_mm(contact.x_mm, contact.y_mm) - ground.radius_mm
    if contact.surface != "table" or gap_mm > EDGE_REACH_MM:
        return None
    away = ground.away(contact.x_mm, contact.y_mm)
    approach = -float(away @ contact.before_mm_s[:2])
    kept = -float(away @ contact.after_mm_s[:2])
    if approach < APPROACH_MM_S or kept > KEPT_APPROACH * approach:
        return None
    later_s = max(0.0, gap_mm) / approach
    vx, vy, _ = contact.before_mm_s
    return replace(
        contact,
        surface="board",
        t_s=contact.t_s + later_s,
        x_mm=contact.x_mm + vx * later_s - float(away[0]) * ground.radius_mm,
        y_mm=contact.y_mm + vy * later_s - float(away[1]) * ground.radius_mm,
    )


def is_order_open(contacts: Sequence[Contact], count: int, t_s: Array, frame_s: float) -> bool:
    """Whether after so many table bounces the last may have come after the knock on the board's side that came with it:
    the two are closer together than their times are known, or the ball wasn't seen around that time."""
    if not 0 < count < len(contacts) or contacts[count].before_mm_s != contacts[count - 1].before_mm_s:
        return False
    bounce_s, knock_s = contacts[count - 1].t_s, contacts[count].t_s
    k = int(np.clip(np.searchsorted(t_s, bounce_s), 1, len(t_s) - 1))
    return knock_s - bounce_s < ORDER_S or bool(t_s[k] - t_s[k - 1] > UNSEEN_FRAMES * frame_s)


def turns_back(contact: Contact) -> bool:
    """Whether a ball leaves a table contact the other way: it has met something else as well."""
    (before_x, before_y, _), (after_x, after_y, _) = contact.before_mm_s, contact.after_mm_s
    is_fast = min(math.hypot(before_x, before_y), math.hypot(after_x, after_y)) > APPROACH_MM_S
    return contact.surface == "table" and is_fast and before_x * after_x + before_y * after_y < 0


def is_thrown_back(contacts: Sequence[Contact], ground: Ground) -> bool:
    """Whether a ball that came to the board leaves it after some table contacts: its side has thrown it back."""
    for k, contact in enumerate(contacts):
        away = ground.away(contact.x_mm, contact.y_mm)
        approach = -float(away @ contact.before_mm_s[:2])
        leaves = max(float(away @ later.after_mm_s[:2]) for later in contacts[k:])
        if approach > APPROACH_MM_S and leaves > KEPT_APPROACH * approach:
            return True
    return False


def misses_hops(bounces: Sequence[Contact]) -> bool:
    """Whether some of a ball's table bounces in a row, low ones, can't have been seen: they are inferred, or the ball
    seems to keep more of its speed than in those before. What the last keeps depends on what it met then."""
    if any(contact.is_inferred for contact in bounces[1:]):
        return True
    kept = [c.after_mm_s[2] / -c.before_mm_s[2] for c in bounces[1:-1] if c.before_mm_s[2] < 0]
    return any(later > MORE_KEPT * earlier for earlier, later in pairwise(kept))


def low_hops(contacts: Sequence[Contact], last_seen_s: float, ground: Ground) -> tuple[Contact, ...]:
    """The hops after the last resolved table contact, each lower by the ball's own restitution, until it rolls.

    They end with a knock on the board's side where they run into it. ``last_seen_s``: when the ball left the view;
    nothing is inferred after that.
    """
    ratios = [
        c.after_mm_s[2] / -c.before_mm_s[2]
        for c in contacts[:-1]
        if c.surface == "table" and not c.is_inferred and c.before_mm_s[2] < 0
    ]
    last = contacts[-1]
    # The first contact's fall is seen near the hand, if at all: later ones tell the restitution, where there are any.
    ratios = ratios[1:] or ratios
    if not ratios or last.surface != "table" or last.before_mm_s[2] >= 0:
        return ()
    restitution = float(np.clip(np.median(ratios), 0.0, 0.95))
    hops: list[Contact] = []
    vx, vy = last.before_mm_s[:2]
    t_s, x_mm, y_mm = last.t_s, last.x_mm, last.y_mm
    speed = -last.before_mm_s[2] * restitution
    while speed * speed / (2 * GRAVITY_MM_S2) >= LEAST_HOP_MM:
        hop_s = 2 * speed / GRAVITY_MM_S2
        t_s, x_mm, y_mm = t_s + hop_s, x_mm + vx * hop_s, y_mm + vy * hop_s
        if t_s > last_seen_s:
            break
        meets_board = ground.outside_mm(x_mm, y_mm) < ground.radius_mm
        hops.append(
            replace(
                last,
                surface="board" if meets_board else "table",
                t_s=t_s,
                x_mm=x_mm,
                y_mm=y_mm,
                before_mm_s=(vx, vy, -speed),
                after_mm_s=(vx, vy, speed * restitution),
                margin=0.0,
                is_inferred=True,
            )
        )
        if meets_board:
            break
        speed *= restitution
    return tuple(hops)
