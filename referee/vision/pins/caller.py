"""From settled readings of the pins, and what happened between them, to taps and set-ups."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Final

from calibration.layout import Layout
from calibration.table import Table
from referee.events import Event, Rack, SeenPin, SeenPins, Stamp, Tap
from referee.vision.pins.blows import Blow
from referee.vision.pins.change import SAME_MM, Change, gap_mm
from referee.vision.pins.lane_reader import seen_from
from referee.vision.pins.pin import Pin, PinReading
from referee.vision.pins.setup import doubts_of, problems_of
from referee.vision.pins.touch import NOTHING_TOUCHED, Touch, Touched

PINS: Final = 10
"""Pins of a set where the layout tells no number."""

CALM_S: Final = 0.4
"""How long nobody is near before a full set is taken to be ready: hands fetch the next pin sooner."""

LONG_CALM_S: Final = 3.0
"""The same for a set that isn't full: somebody may still look for the last pin."""

LEAST_SET_UP: Final = 2
"""Pins that make a set-up that isn't full: a single one may have stood there before, hidden by what was taken away."""

REMEMBERED_S: Final = 3.0
"""How long before the blow a pin may have been touched: the stick slips, and then strikes."""

SWING_MM: Final = 1.5
"""How far a pin must have rocked that stands as before, to have been touched: shadows on it seem to move it by less."""

TAKEN_S: Final = 1.2
"""How long after the blow a hand over the lane is still the one that struck."""

ANOTHER_S: Final = 0.7
"""Time between two blows that are two taps: a stick that bounces strikes again sooner."""

DOUBTED: Final = 0.6
"""Share of taps that are called right although something about them is in doubt: most are as they seem."""

NO_BLOW: Final = 0.5
"""The same for taps of which no blow was seen, only pins that fell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """What was seen between two settled pictures.

    ``t_s``: since when nothing moves; ``now_s``: when that was sure. ``began_s``: when something began to move.
    ``touched``: the pins that stood, before the first blow. ``covered_s``: when something that reaches in from the
    picture's edge was last over the lane. ``is_over``: whether the pins were seen to come to rest, and weren't just
    looked at when the recording ended. ``is_view_new``: whether the camera has moved meanwhile.
    """

    began_s: float
    t_s: float
    now_s: float
    blows: tuple[Blow, ...] = ()
    touched: Touched = NOTHING_TOUCHED
    covered_s: float | None = None
    is_over: bool = True
    is_view_new: bool = False


class PinCaller:
    """Knows what stood at the last settled picture; tells what each new one means."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._full = PINS if layout.pins is None else layout.pins.count
        self._reading: PinReading | None = None
        self._touches: tuple[Touch, ...] = ()
        self._setting_s: float | None = None
        self._set_up = 0
        self._all_known = False
        self._settled_s = 0.0

    @property
    def reading(self) -> PinReading | None:
        """The pins at the last settled picture."""
        return self._reading

    @property
    def full(self) -> int:
        """Pins of a whole set."""
        return self._full

    def looked_again(self, reading: PinReading, now_s: float) -> tuple[Event, ...]:
        """Take a better reading of the same pins for the last one; gives the event that says so if it says another."""
        before, self._reading = self._reading, reading
        self._all_known = len(reading.pins) >= self._full
        is_news = before is None or _said(before) != _said(reading)
        return (_seen_pins(reading, now_s),) if is_news else ()

    def settled(self, reading: PinReading, change: Change | None, episode: Episode) -> tuple[Event, ...]:
        """Take in a settled picture and what came before it; gives what it settles, in order.

        ``change``: of the last reading to this one, None when it is the first.
        """
        before = self._reading
        since_s, self._settled_s = self._settled_s, episode.t_s
        is_whole = len(reading.pins) >= self._full
        self._all_known = is_whole or (self._all_known and not (change is not None and change.come))
        if before is not None and change is not None and not episode.blows:
            reading = self._surer(reading, before, change)
        self._reading = reading
        seen = _seen_pins(reading, episode.now_s)
        if before is None or change is None:
            return (seen,)
        if self._is_tap(change, episode):
            rack = self._rack(before, since_s)
            tap = self._tap(before, reading, change, episode)
            self._touches = ()
            return (*rack, tap, seen)
        self._follow_hand(change, episode)
        return () if change.is_nothing else (seen,)

    def look_from(self, table: Table) -> None:
        """See the pins that are known from where the camera is now."""
        if self._reading is not None:
            self._reading = seen_from(self._reading, table)

    def wait(self, now_s: float, *, is_anybody_near: bool) -> tuple[Event, ...]:
        """Nothing has moved since the last settled picture: is a set-up ready?"""
        if self._setting_s is None or self._reading is None or is_anybody_near:
            return ()
        calm_s = CALM_S if self._reading.standing >= self._full else LONG_CALM_S
        return self._rack(self._reading, self._settled_s) if now_s - self._settled_s >= calm_s else ()

    @property
    def all_known(self) -> bool:
        """Whether no pin is on the lane that hasn't been read: the whole set once was, and only less came of it."""
        return self._all_known

    @property
    def is_setting(self) -> bool:
        """Whether pins are being set up."""
        return self._setting_s is not None

    def _surer(self, reading: PinReading, before: PinReading, change: Change) -> PinReading:
        """A reading as sure as the one before, when all pins were known then and the same ones stand where they did."""
        is_same = self._all_known and not (self.is_setting or change.come or change.gone)
        if not is_same or before.confidence <= reading.confidence:
            return reading
        return replace(reading, confidence=before.confidence, review=before.review)

    def _is_tap(self, change: Change, episode: Episode) -> bool:
        grew = len(change.come) - len(change.gone)
        if episode.blows:
            return grew <= 0 if change.come and self.is_setting else grew <= 1
        # Pins that fell where nobody struck the box, and nobody took or set any.
        is_felled = 0 < len(change.gone) <= change.fell and not change.come
        return is_felled and episode.covered_s is not None and not self.is_setting

    def _follow_hand(self, change: Change, episode: Episode) -> None:
        """No tap: hands set pins up, take them away, or pass by."""
        if episode.covered_s is not None and change.come:
            self._setting_s = episode.began_s if self._setting_s is None else self._setting_s
            self._set_up += len(change.come)
        if change.gone or change.come:
            self._touches = ()
            return
        fresh = [touch for touch in self._touches if touch.t_s > episode.now_s - REMEMBERED_S]
        self._touches = (*fresh, *episode.touched.moved)

    def _rack(self, reading: PinReading, t_s: float) -> tuple[Event, ...]:
        """The set-up that has ended, if there was one."""
        if self._setting_s is None:
            return ()
        began_s, self._setting_s = self._setting_s, None
        set_up, self._set_up = self._set_up, 0
        if set_up < LEAST_SET_UP and reading.standing < self._full:
            return ()
        doubts = (f"{doubt}?" for doubt in doubts_of(reading, self._layout))
        return (
            Rack(
                standing=reading.standing,
                problems=problems_of(reading, self._layout),
                stamp=Stamp(
                    t_s=_time(began_s),
                    t_end_s=_time(t_s),
                    confidence=round(reading.confidence, 2),
                    review="; ".join(filter(None, (reading.review, *doubts))) or None,
                ),
            ),
        )

    def _tap(self, before: PinReading, after: PinReading, change: Change, episode: Episode) -> Tap:
        blow_s = episode.blows[0].t_s if episode.blows else None
        touches = self._touches_before(blow_s, episode)
        felled = [touch for touch in touches if any(gap_mm(pin, touch.pin) < SAME_MM for pin in change.gone)]
        touches = felled or [touch for touch in touches if touch.swing_mm >= SWING_MM]
        is_touched = bool(touches) and not (blow_s is None and _is_shaken(change, episode.touched))
        doubts = _doubts(change, episode)
        if is_touched and not felled and change.gone:
            doubts.append(("a pin was touched, but others fell", DOUBTED))
        if blow_s is not None and not is_touched and any(pin in change.gone for pin in episode.touched.unseen):
            doubts.append(("a pin that fell was hidden when the box was struck: was it touched?", DOUBTED))
        struck_s = episode.began_s if blow_s is None else blow_s
        start_s = min([touch.t_s for touch in touches] if is_touched else [], default=struck_s)
        standing = min(after.standing, before.standing)
        # What stood before tells what stands now: doubts about the one are doubts about the other.
        reviews = (after.review, before.review, *(words for words, _ in doubts))
        return Tap(
            standing=standing,
            direct_touch=is_touched,
            stamp=Stamp(
                t_s=_time(start_s),
                t_end_s=_time(max(start_s, episode.t_s)),
                confidence=round(min(before.confidence, after.confidence) * prod(share for _, share in doubts), 2),
                review="; ".join(dict.fromkeys(filter(None, reviews))) or None,
                evidence=json.dumps(_evidence(before, standing, episode)),
            ),
        )

    def _touches_before(self, blow_s: float | None, episode: Episode) -> Sequence[Touch]:
        """Pins touched in this try: before its blow, and not long before."""
        earlier = [touch for touch in self._touches if blow_s is None or blow_s - touch.t_s < REMEMBERED_S]
        return [*earlier, *episode.touched.moved]


def _doubts(change: Change, episode: Episode) -> list[tuple[str, float]]:
    """What makes a tap doubtful, in words, and the share of such calls that are right all the same."""
    found = []
    if len(change.come) > len(change.gone):
        found.append(("more pins stand than before the tap", DOUBTED))
    if not episode.blows:
        found.append(("pins fell, but no blow on the box was seen", NO_BLOW))
    elif change.missing > 0 and _is_late(episode, episode.blows[0].t_s):
        found.append(("a hand was over the lane before the pins were at rest: were any taken?", DOUBTED))
    elif change.missing > 0 and not change.gone:
        found.append(("pins were taken away: was the box struck, or only pushed?", DOUBTED))
    if any(blow.t_s - episode.blows[0].t_s > ANOTHER_S for blow in episode.blows):
        found.append(("the box was struck again before the pins were at rest", DOUBTED))
    if episode.is_view_new:
        found.append(("the camera was moved before the pins were at rest", DOUBTED))
    if not episode.is_over:
        found.append(("the recording ends before the pins are at rest", DOUBTED))
    return found


def _evidence(before: PinReading, standing: int, episode: Episode) -> dict[str, float]:
    felled: dict[str, float] = {"felled": before.standing - standing}
    if not episode.blows:
        return felled
    blow = episode.blows[0]
    return {**felled, "blow_s": _time(blow.t_s), "box_mm": round(blow.mm, 1)}


def _is_shaken(change: Change, touched: Touched) -> bool:
    """Whether most of the pins that still stand have moved: a blow that wasn't seen, and nobody touched them all."""
    shaken = sum(touch.pin not in change.gone for touch in touched.moved)
    return shaken > 0.5 * (touched.pins - len(change.gone))


def _is_late(episode: Episode, blow_s: float) -> bool:
    return episode.covered_s is not None and episode.covered_s - blow_s > TAKEN_S


def _said(reading: PinReading) -> tuple[int, int, str | None]:
    return reading.standing, reading.fallen, reading.review


def _seen_pins(reading: PinReading, t_s: float) -> SeenPins:
    return SeenPins(
        standing=reading.standing,
        fallen=reading.fallen,
        pins=tuple(map(_seen_pin, reading.pins)),
        stamp=Stamp(t_s=_time(t_s), t_end_s=_time(t_s), confidence=round(reading.confidence, 2), review=reading.review),
    )


def _seen_pin(pin: Pin) -> SeenPin:
    return SeenPin(
        px=(round(pin.x_px, 1), round(pin.y_px, 1)),
        state=pin.state,
        mm=None if pin.mm is None else (round(pin.mm[0], 1), round(pin.mm[1], 1)),
    )


def _time(t_s: float) -> float:
    """Times are written to the tenth of a millisecond: finer is noise."""
    return round(t_s, 4)
