"""Bounces of a trail: where two free flights meet and the ball is kicked upwards, along the line of its flight.

Nothing is known of the view but that its up is up. What a hand does has no two free flights under one pull; a wall
kicks sideways; what rolls isn't pulled; a toss is one flight; a ball behind something goes on as it came.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

import numpy as np

from referee.vision.track_noise import noise_px
from referee.vision.uncalibrated.arcs import PIECE_COST, PULL_SPREAD, Arc, Array, Path, cut_arcs, fit_arc
from referee.vision.uncalibrated.trails import Trail

TILTS: Final = (0.0, 0.6, 1.2, 2.0, 3.5)
"""Views that are tried: tangent of the angle by which the camera looks down; its focal length is taken for the longer
side of the picture, as in most cameras."""

UNLIKE_COST: Final = 25.0
"""What an arc costs at most, in squared sigmas, that is pulled otherwise than the rest: what rolls is."""

GRAVITY_MM_S2: Final = 9810.0

BALL_MM: Final = (4.0, 150.0)
"""Radii of things that people call balls: the pull in pixels against the radius in pixels tells the radius in mm."""

SHARP: Final = 4.0
"""Sigmas by which a flight's pull must differ from none to speak for the others."""

PULLS: Final = 0.5
"""How far, beyond its noise, a flight's pull may be from that of the others, against it."""

CONE: Final = 0.8
"""Sideways kick against the upward one: what friction and a view from aside make of it."""

LIVELY: Final = 1.3
"""Upward speed after against downward speed before, in a level view: no table gives back more than all of it. In a view
from above a ball that goes away goes up as well."""

LEAST_KICK_S: Final = 0.03
"""Least kick, as the time that the pull takes for it: in less the ball was hardly off the table."""

APART: Final = 0.6
"""How far from each other two flights may pass where they meet, in widths of the ball."""

UNSEEN_S: Final = 0.25
"""How long before and after the kick the ball may be unseen together: longer, and much can happen."""

FREE: Final = 0.6
"""Share of the sightings about a kick at which nothing else that moves touches the ball."""

ABOUT: Final = 4
"""Sightings before and after a kick that are asked so."""

SHAKY: Final = 0.15
"""Noise of a trail, in widths of its thing, from which it is no ball: its outline is seen far better."""

WIDTH_SIGMA: Final = 0.03
BLUR_SIGMA: Final = 0.06
"""How well a centre is known, against the ball's width and against the length that its motion adds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PixelBounce:
    """``margin``: squared sigmas by which one flight would explain worse what two explain."""

    t_s: float
    x_px: float
    y_px: float
    margin: float

    @property
    def confidence(self) -> float:
        """Near 1 where the pixels leave no other explanation."""
        return round(1.0 - 0.5 * math.exp(-max(0.0, self.margin) / PIECE_COST), 2)


def find_bounces(trail: Trail, size_px: tuple[int, int]) -> tuple[PixelBounce, ...]:
    """The bounces of a trail, in order of time. ``size_px``: width and height of the picture."""
    noise = noise_px(trail.t_s, trail.px)
    if noise > SHAKY * trail.width_px:
        return ()
    middle = np.array(size_px) / 2
    sigma_px = np.array(
        [
            math.hypot(noise, WIDTH_SIGMA * s.mover.width_px, BLUR_SIGMA * (s.mover.length_px - s.mover.width_px))
            for s in trail.sightings
        ]
    )
    paths = [Path(t_s=trail.t_s, px=trail.px - middle, sigma_px=sigma_px, tilt=tilt / max(size_px)) for tilt in TILTS]
    # The view that explains the trail best: how far the camera looks down isn't known.
    best = min((_explained(trail, path, max(size_px)) for path in paths), key=lambda seen: seen.cost)
    arcs, widths_px, usual, path = best.arcs, best.widths_px, best.pull, best.path
    if usual is None:
        return ()
    found: list[PixelBounce] = []
    for (before, width_px), (after, width_after_px) in pairwise(zip(arcs, widths_px, strict=True)):
        pulls = _pulls_there(before, after, usual, (width_px, width_after_px))
        flights = (before, after)
        if not (all(map(_is_flight, flights, pulls)) and _is_free(trail, before, after)):
            continue
        sure = (fit_arc(path, a.start, a.stop, pull=pull) for a, pull in zip(flights, pulls, strict=True))
        bounce = _meeting(trail.t_s, trail.width_px, sum(pulls) / 2, *sure)
        if bounce is not None:
            whole = fit_arc(path, before.start, after.stop)
            margin = whole.cost - before.cost - after.cost - PIECE_COST
            x_px, y_px = bounce[1] + middle[0], bounce[2] + middle[1]
            found.append(PixelBounce(t_s=bounce[0], x_px=float(x_px), y_px=float(y_px), margin=margin))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _View:
    """A trail as seen in a view. ``widths_px``: of the ball in each arc. ``pull``: of its flights, in such widths a
    second squared; None where none tells it. ``cost``: squared sigmas."""

    path: Path
    arcs: tuple[Arc, ...]
    widths_px: tuple[float, ...]
    pull: float | None
    cost: float


def _explained(trail: Trail, path: Path, size_px: int) -> _View:
    """A trail cut up as one view has it; in the right one all flights are pulled alike. ``size_px``: of the picture's
    longer side."""
    arcs, cost = cut_arcs(path)
    widths_px = tuple(trail.width_of(arc.start, arc.stop) for arc in arcs)
    pull = _common_pull(arcs, widths_px, path.tilt * size_px)
    for arc, width_px in zip(arcs, widths_px, strict=True):
        expected = 0.0 if pull is None else pull * width_px
        gap = (arc.pull_px_s2 - expected) / math.hypot(arc.pull_sigma, PULL_SPREAD * expected)
        cost += UNLIKE_COST if pull is None else min(gap**2, UNLIKE_COST)
    return _View(path=path, arcs=arcs, widths_px=widths_px, pull=pull, cost=cost)


def _pulls_there(before: Arc, after: Arc, usual: float, widths_px: tuple[float, float]) -> tuple[float, float]:
    """The pulls of two flights that meet: as the one has it that tells it well, if it is about the usual one."""
    expected = (usual * widths_px[0], usual * widths_px[1])
    sharper = 0 if before.pull_sigma / widths_px[0] < after.pull_sigma / widths_px[1] else 1
    arc = (before, after)[sharper]
    if arc.pull_px_s2 > SHARP * arc.pull_sigma and _is_flight(arc, expected[sharper]):
        usual = arc.pull_px_s2 / widths_px[sharper]
    return usual * widths_px[0], usual * widths_px[1]


def _common_pull(arcs: Sequence[Arc], widths_px: Sequence[float], tangent: float) -> float | None:
    """The pull of those flights that tell it well, in widths of the ball a second squared, if it can be that on a ball.

    What comes nearer is pulled faster in the picture and becomes wider alike. ``tangent``: of the angle by which the
    camera looks down: it sees that part of gravity which lies across its view.
    """
    across_mm_s2 = GRAVITY_MM_S2 / math.hypot(1.0, tangent)
    least, most = (across_mm_s2 / (2 * radius_mm) for radius_mm in reversed(BALL_MM))
    told = [
        a.pull_px_s2 / width_px
        for a, width_px in zip(arcs, widths_px, strict=True)
        if a.pull_px_s2 > SHARP * a.pull_sigma and least <= a.pull_px_s2 / width_px <= most
    ]
    return median(told) if told else None


def _is_flight(arc: Arc, pull: float) -> bool:
    """Whether a flight's own pull agrees with what others tell of it."""
    return abs(arc.pull_px_s2 - pull) <= 2.0 * arc.pull_sigma + PULLS * pull


def _is_free(trail: Trail, before: Arc, after: Arc) -> bool:
    """Whether nothing touches the ball about where two flights meet."""
    about = [
        *trail.sightings[max(before.start, before.stop - ABOUT) : before.stop],
        *trail.sightings[after.start : min(after.stop, after.start + ABOUT)],
    ]
    return sum(s.mover.is_free for s in about) >= FREE * len(about)


def _meeting(t_s: Array, width_px: float, pull: float, before: Arc, after: Arc) -> tuple[float, float, float] | None:
    """When and where, in pixels, two flights meet in a bounce; None when it is no bounce."""
    last_s, first_s = float(t_s[before.stop - 1]), float(t_s[after.start])
    if first_s - last_s > UNSEEN_S:
        return None
    step_s = float(np.median(np.diff(t_s)))
    times = np.linspace(last_s - step_s, first_s + step_s, 49)
    gaps = [math.hypot(*np.subtract(before.at(t), after.at(t))) for t in times.tolist()]
    nearest = int(np.argmin(gaps))
    if gaps[nearest] > APART * width_px:
        return None
    t = float(times[nearest])
    (right, down), (right_after, down_after) = before.speed(t), after.speed(t)
    (x, y), (x_after, y_after) = before.at(t), after.at(t)
    x, y = (x + x_after) / 2, (y + y_after) / 2
    # What falls goes, in the picture, towards the point straight below the camera.
    below = np.array([-before.tilt * x, 1.0 - before.tilt * y])
    below /= max(float(np.hypot(*below)), 1e-9)
    kick = np.array([right_after - right, down_after - down])
    up, aside = -float(kick @ below), float(kick @ (below[1], -below[0]))
    if up < LEAST_KICK_S * pull or abs(aside) > CONE * up:
        return None
    if before.tilt == 0 and -down_after > LIVELY * down:
        return None
    return t, x, y
