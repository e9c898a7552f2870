"""Frames of an unknown view in, events out: bounces in pixels, tracks of what flew, rolled or was carried, and pins."""

import json
from collections.abc import Sequence
from typing import Final

from hardware.frame import Frame
from referee.events import Event, OtherEvent, SeenBounce, SeenPin, SeenPins, Stamp
from referee.vision.colours import NOISY, calmed, half_luma, noise_of
from referee.vision.uncalibrated.bounces import PixelBounce, find_bounces
from referee.vision.uncalibrated.movers import find_movers
from referee.vision.uncalibrated.pins import unknown_pins
from referee.vision.uncalibrated.scene import Scene
from referee.vision.uncalibrated.trails import Trail, Trails

LEAST_SIGHTINGS: Final = 5
LEAST_TRAVEL: Final = 2.0
"""Sightings and way, in its widths, from which a thing's trail is worth telling: all else is flicker."""

QUIET_S: Final = 0.5
"""How long nothing must have moved for pins to be counted."""

PATIENCE_S: Final = 5.0
"""How long what was found waits for others that it may belong with, where something moves all the time."""

SAME_S: Final = 0.06
"""Two bounces closer in time, of two trails, are one: of a ball and its shadow, or of a ball seen in two parts."""


class UncalibratedWatcher:
    """Watches a view of which nothing is known."""

    def __init__(self) -> None:
        self._scene = Scene()
        self._trails = Trails()
        self._size_px = (0, 0)
        self._is_noisy: bool | None = None
        self._found: list[tuple[Trail, tuple[PixelBounce, ...]]] = []
        self._moved_s = -QUIET_S
        self._is_read = False
        self._standing = 0

    def feed(self, frame: Frame) -> tuple[Event, ...]:
        """Take in the next frame; events come once no trail is open that they could belong to."""
        self._size_px = (frame.width_px, frame.height_px)
        luma = half_luma(frame)
        if self._is_noisy is None:
            self._is_noisy = noise_of(frame.u) > NOISY
        if self._is_noisy:
            frame, luma = calmed(frame, luma)
        movers = find_movers(frame, luma, self._scene.change(frame, luma))
        self._take(self._trails.update(frame.index, frame.t_s, movers))
        pins = self._pins(frame)
        oldest_s = self._found[0][0].sightings[-1].t_s if self._found else frame.t_s
        if self._trails.is_moving and frame.t_s - oldest_s < PATIENCE_S:
            return pins
        return (*self._settled(), *pins)

    def finish(self) -> tuple[Event, ...]:
        """What is still open at the end of the recording."""
        self._take(self._trails.finish())
        return self._settled()

    def _pins(self, frame: Frame) -> tuple[Event, ...]:
        """The pins at the beginning, and whenever as many as before no longer stand when all has come to rest."""
        if self._trails.is_moving:
            self._moved_s, self._is_read = frame.t_s, False
        if self._is_read or frame.t_s - self._moved_s < QUIET_S:
            return ()
        self._is_read = True
        reading = unknown_pins(frame)
        if reading.standing == self._standing:
            return ()
        self._standing = reading.standing
        t_s = round(frame.t_s, 4)
        pins = tuple(SeenPin(px=(round(p.x_px, 1), round(p.y_px, 1)), state=p.state) for p in reading.pins)
        confidence = min((pin.confidence for pin in reading.pins), default=reading.confidence)
        stamp = Stamp(t_s=t_s, t_end_s=t_s, confidence=round(confidence, 2), review=reading.review)
        return (SeenPins(standing=reading.standing, fallen=reading.fallen, pins=pins, stamp=stamp),)

    def _take(self, ended: Sequence[Trail]) -> None:
        for trail in ended:
            if len(trail.sightings) >= LEAST_SIGHTINGS and trail.travel_px >= LEAST_TRAVEL * trail.width_px:
                self._found.append((trail, find_bounces(trail, self._size_px)))

    def _settled(self) -> tuple[Event, ...]:
        """The bounces and tracks found since the last time, in order of time."""
        found, self._found = self._found, []
        bounces = sorted(
            ((bounce, trail) for trail, several in found for bounce in several),
            key=lambda pair: (not pair[1].is_solid, -pair[0].margin),
        )
        chosen: list[tuple[PixelBounce, Trail]] = []
        for bounce, trail in bounces:
            if all(other is trail or abs(bounce.t_s - one.t_s) > SAME_S for one, other in chosen):
                chosen.append((bounce, trail))
        events = [_track(trail, sum(other is trail for _, other in chosen)) for trail, _ in found if trail.is_ball_like]
        return tuple(sorted([*(_bounce(b, t) for b, t in chosen), *events], key=lambda event: event.stamp.t_s or 0.0))


def _bounce(bounce: PixelBounce, trail: Trail) -> SeenBounce:
    """What it bounced on isn't known: whatever lies flat counts as the table."""
    t_s = round(bounce.t_s, 4)
    return SeenBounce(
        colour=trail.colour,
        surface="table",
        px=(round(bounce.x_px, 1), round(bounce.y_px, 1)),
        stamp=Stamp(t_s=t_s, t_end_s=t_s, confidence=bounce.confidence),
    )


def _track(trail: Trail, bounces: int) -> OtherEvent:
    first, last = trail.sightings[0].t_s, trail.sightings[-1].t_s
    stamp = Stamp(t_s=round(first, 4), t_end_s=round(last, 4))
    points = [[round(s.t_s, 4), round(s.mover.x_px, 1), round(s.mover.y_px, 1)] for s in trail.sightings]
    text = {
        "type": "seen.track",
        "t": stamp.t_s,
        "t_end": stamp.t_end_s,
        "colour": trail.colour,
        "r_px": round(trail.width_px / 2, 1),
        "bounces": bounces,
        "points": points,
    }
    return OtherEvent(type="seen.track", text=json.dumps(text), stamp=stamp)
