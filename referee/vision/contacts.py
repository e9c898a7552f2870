"""A knock of a ball on the table or the board, and those that can only be inferred."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from referee.vision.ballistics import GRAVITY_MM_S2, Array
from referee.vision.ground import EDGE_REACH_MM, Ground, Surface

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
    """Whether a ball that fell on the table, and came off it slower, goes the other way: it has met something else as
    well. What came off it faster was in a hand before."""
    (before_x, before_y, before_z), (after_x, after_y, after_z) = contact.before_mm_s, contact.after_mm_s
    is_fast = min(math.hypot(before_x, before_y), math.hypot(after_x, after_y)) > APPROACH_MM_S
    is_bounce = contact.surface == "table" and after_z < -before_z
    return is_bounce and is_fast and before_x * after_x + before_y * after_y < 0


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
