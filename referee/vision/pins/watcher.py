"""Frames in, events out: watches the pins on a lane and says what taps did to them, once they are at rest."""

import math
from collections.abc import Sequence
from typing import Final

from calibration.table import Table
from hardware.frame import Frame
from referee.events import Event
from referee.vision.pins.blows import Blow, Blows
from referee.vision.pins.box import Box, put_right, shifted
from referee.vision.pins.caller import CALM_S, REMEMBERED_S, Episode, PinCaller
from referee.vision.pins.change import Change, change_between, standing
from referee.vision.pins.first_looks import FirstLooks
from referee.vision.pins.halved import Halved
from referee.vision.pins.history import Passage, reading_after
from referee.vision.pins.lane_reader import LaneReader
from referee.vision.pins.lookout import LAG_S, Lookout
from referee.vision.pins.news import news_of
from referee.vision.pins.pin import Pin, PinReading
from referee.vision.pins.reel import Reel
from referee.vision.pins.second_looks import SecondLooks
from referee.vision.pins.touch import NOTHING_TOUCHED, Touched, footage_of, touched
from referee.vision.pins.tripod import Tripod
from referee.vision.pins.zone import zone_of
from referee.vision.reports import camera_moved

REST_S: Final = 0.25
"""How long nothing moves until the pins are at rest: a rocking pin turns round in a tenth of it. A hand that sets pins
up or takes them away is waited for a little longer (``CALM_S``): it fetches the next one sooner, and a reading less is
much saved."""

COVERED_S: Final = 3.0
"""How long a hand that keeps still over the lane is waited for; then it is taken for something that belongs there."""

CHECK_S: Final = 0.1
"""Time between two looks for hands while something moves, and at a knocked camera until it is at rest."""

IDLE_CHECK_S: Final = 1.0
"""The same while nothing moves: a tripod sinks slowly."""

LOOK_STEP_S: Final = 0.05
"""Time between two looks: at all while nothing moves, at whether it still does while something moves."""

SHIFTED_MM: Final = 0.1
"""Shift of the box from which places on it are reckoned anew."""


class PinWatcher:
    """Watches one table with a lane on it."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._caller = PinCaller(table.layout)
        self._blows = Blows()
        self._again = SecondLooks(self._caller.full)
        self._frame: Frame | None = None
        self._began_s: float | None = 0.0
        self._moved_s = 0.0
        self._covered_s: float | None = None
        self._checked_s = self._looked_s = -math.inf
        self._is_view_new = self._stirs = False

    def feed(self, frame: Frame) -> tuple[Event, ...]:
        """Take in the next frame; gives the events that it settled, in order.

        Raises BadCalibration when the frame's size isn't the one that the table was calibrated for.
        """
        if self._is_idle and not self._stirs and frame.t_s - self._looked_s < LOOK_STEP_S:
            return ()
        self._looked_s = frame.t_s
        luma = Halved(frame)
        if self._frame is None:
            self._table.check_size(frame)
            self._aim(self._table, frame, luma)
        self._frame, self._luma = frame, luma
        is_look = self._is_idle or frame.t_s - self._lookout.t_s >= LOOK_STEP_S
        if is_look:
            self._stirs = self._lookout.moves(frame, luma.whole())
        self._reel.add(frame.t_s, luma)
        is_due = frame.t_s - self._checked_s >= (IDLE_CHECK_S if self._is_idle and not self._stirs else CHECK_S)
        if is_due:
            self._checked_s = frame.t_s
        if self._stirs or is_due or not self._is_idle:
            notice = self._follow_view(frame, luma, is_due=is_due)
            if self._tripod.is_knocked or notice:
                return notice
        moves = self._lookout.lasts or any(blow.t_s > self._moved_s for blow in self._blows.found)
        if moves and is_look:
            self._moved_s = frame.t_s
            self._began_s = frame.t_s if self._began_s is None else self._began_s
        if self._began_s is None:
            return (*self._look_again(frame), *self._wait(frame.t_s))
        return self._follow(frame, luma, moves=moves, is_due=is_due)

    def finish(self) -> tuple[Event, ...]:
        """Call what is still open at the end of the recording."""
        frame = self._frame
        if frame is None or self._tripod.is_knocked:
            return ()
        if self._blows.found or self._caller.reading is None:
            return self._settle(frame, self._luma, is_over=False)
        if self._began_s is None:
            return self._wait(math.inf)
        if self._rest_s(frame) < REST_S or self._is_covered:
            return ()
        return (*self._settle(frame, self._luma, is_over=True), *self._wait(math.inf))

    def _aim(self, table: Table, frame: Frame, luma: Halved) -> None:
        """Take a table as the present view, and a frame as what it looks like."""
        self._zone = zone_of(table)
        self._lookout = Lookout(self._zone, frame, luma.whole())
        self._reel = Reel(self._zone)
        self._reel.add(frame.t_s, luma)
        self._still = self._reel.newest
        self._moved_s = self._began_s = frame.t_s
        self._covered_s = None
        self._reader = LaneReader(table)
        self._first = FirstLooks()
        self._table = table
        self._tripod = Tripod(self._zone, table, luma)
        self._box = Box(table, frame)
        self._blows.clear()

    @property
    def _is_idle(self) -> bool:
        """Whether nothing has happened since the lane was last at rest."""
        return self._began_s is None and not self._tripod.is_knocked

    @property
    def _is_covered(self) -> bool:
        """Whether a hand or the like is over the lane."""
        return self._lookout.is_covered(self._box.moved_px)

    def _wait(self, now_s: float) -> tuple[Event, ...]:
        """Nothing has happened since the lane was last at rest."""
        is_near = self._caller.is_setting and self._lookout.is_anybody_near()
        return self._caller.wait(now_s, is_anybody_near=is_near)

    def _rest_s(self, frame: Frame) -> float:
        """How long nothing has moved."""
        return frame.t_s - self._moved_s + LAG_S

    def _follow(self, frame: Frame, luma: Halved, *, moves: bool, is_due: bool) -> tuple[Event, ...]:
        """Something has happened since the lane was last at rest: note hands over it, until it is at rest again."""
        rest_s = self._rest_s(frame)
        is_hand = self._covered_s is not None and not self._blows.found
        is_resting = not moves and rest_s >= (CALM_S if is_hand else REST_S)
        if (is_due or is_resting) and self._is_covered:
            self._covered_s = frame.t_s
            if rest_s < COVERED_S:
                return ()
        return self._settle(frame, luma, is_over=True) if is_resting else ()

    def _settle(self, frame: Frame, luma: Halved, *, is_over: bool) -> tuple[Event, ...]:
        """The lane is at rest: read it, and call what has happened since it was the last time."""
        if self._tripod.is_shake(self._blows.found, luma):
            self._blows.clear()
        before, blows, then = self._caller.reading, self._blows.found, self._table
        away_px = self._box.moved_px
        has_shifted = self._follow_box(frame, luma)
        events: tuple[Event, ...] = ()
        if before is None or has_shifted or blows or self._lookout.differs(away_px):
            passage = Passage(
                reel=self._reel,
                still=self._still,
                before=then,
                now=self._table,
                moved_px=away_px,
                looks=self._first,
                size=self._reader.size,
            )
            reading = self._read(frame, before, passage, is_struck=bool(blows))
            self._first.take(reading, self._table, self._reader.size, self._reel)
            self._again.begin(frame.t_s, is_new=before is None or self._is_view_new)
            change = None if before is None else change_between(before, reading)
            episode = Episode(
                began_s=frame.t_s if self._began_s is None else self._began_s,
                t_s=max(self._moved_s - LAG_S, 0.0),
                now_s=frame.t_s,
                blows=blows,
                touched=self._touched(before, change, passage, blows),
                covered_s=self._covered_s,
                is_over=is_over,
                is_view_new=self._is_view_new,
            )
            events = self._caller.settled(reading, change, episode)
        self._blows.clear()
        self._lookout.settle()
        self._still = self._reel.newest
        self._began_s = self._covered_s = None
        self._is_view_new = False
        return events

    def _look_again(self, frame: Frame) -> tuple[Event, ...]:
        """Nothing has moved since pins of which nothing else is known were read in doubt: is another picture better?"""
        reading = self._caller.reading
        if reading is None or not self._again.is_due(reading, frame.t_s):
            return ()
        better = self._again.better(reading, self._reader.read(frame, self._table))
        return self._caller.looked_again(better, frame.t_s) if better is not reading else ()

    def _follow_box(self, frame: Frame, luma: Halved) -> bool:
        """Reckon from where the box is now; whether it has shifted."""
        shift = self._box.shift(frame)
        has_shifted = shift is not None and math.hypot(shift.x_mm, shift.y_mm) > SHIFTED_MM
        if shift is not None and has_shifted:
            self._table = put_right(shifted(self._table, shift), frame, self._box)
            self._box = Box(self._table, frame, self._box)
            self._tripod.look_from(self._table, luma)
            self._blows.clear()
        else:
            self._box.look(frame)
        return has_shifted

    def _read(self, frame: Frame, before: PinReading | None, passage: Passage, *, is_struck: bool) -> PinReading:
        """The pins now; what they looked like before tells as much as the picture, unless the camera has moved."""
        if before is None or self._is_view_new:
            return self._reader.read(frame, self._table)
        is_setting = self._caller.is_setting
        all_known = self._caller.all_known if is_struck and not is_setting else None

        def read(kept: Sequence[Pin]) -> PinReading:
            news_px = None if is_setting else news_of(kept, before, passage, self._lookout, is_struck=is_struck)
            return self._reader.read(frame, self._table, kept, changed_px=news_px, may_come=not is_struck)

        return reading_after(before, passage, read, all_known=all_known)

    def _touched(
        self, before: PinReading | None, change: Change | None, passage: Passage, blows: Sequence[Blow]
    ) -> Touched:
        """Which pins moved before the blow, or, without one, at all.

        Pins that are set up or taken away are touched, and nothing follows from that.
        """
        if before is None or change is None or self._began_s is None or self._is_view_new:
            return NOTHING_TOUCHED
        if not blows and (self._covered_s is None or self._caller.is_setting or change.come):
            return NOTHING_TOUCHED
        until_s = math.nextafter(blows[0].t_s, 0.0) if blows else self._moved_s
        footage = footage_of(self._reel, self._still, self._began_s, until_s, longest_s=REMEMBERED_S)
        return touched(standing(before.pins), passage.before, footage)

    def _follow_view(self, frame: Frame, luma: Halved, *, is_due: bool) -> tuple[Event, ...]:
        """See where the box is, and whether it is the camera that moved; calling pauses until that is at rest."""
        if self._tripod.is_knocked:
            return self._find_again(frame, luma) if is_due else ()
        place = self._box.shift(frame)
        if place is not None:
            self._blows.add(frame.t_s, place)
        self._tripod.check(frame.t_s, luma, place)
        return ()

    def _find_again(self, frame: Frame, luma: Halved) -> tuple[Event, ...]:
        """Once the camera is at rest, find the table from where it is now."""
        found = self._tripod.found_again(luma)
        if found is None:
            return ()
        blows = [blow for blow in self._blows.found if blow.t_s < found.stood_s]
        self._aim(found.table, frame, luma)
        self._blows.clear(blows)
        # Pins that nobody has struck stand where they stood, and are known by their look in the new view.
        self._caller.look_from(found.table)
        self._is_view_new = self._is_view_new or bool(blows)
        return (camera_moved(found.px, frame.t_s),)
