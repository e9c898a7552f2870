"""Frames in, events out: follows balls over a table and says what happened, once it is settled."""

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from hardware.frame import Frame
from referee.events import Event
from referee.vision.arrivals import read_arrival
from referee.vision.background import Background
from referee.vision.blobs import Blob, BlobFinder
from referee.vision.board import BoardReader
from referee.vision.caller import Caller, motion_of
from referee.vision.colours import NOISY, calmed, colour_map, half_luma, known_colours, light_of, noise_of
from referee.vision.dropped import read_drop
from referee.vision.exposure import Exposure
from referee.vision.forerunners import Forerunners
from referee.vision.ground import Ground
from referee.vision.kinds import ball_kinds
from referee.vision.lying import LyingBall, lying_balls
from referee.vision.palette import LEARN_S, Palette
from referee.vision.pictures import Look, Picture
from referee.vision.reports import camera_moved
from referee.vision.rolls import read_roll
from referee.vision.steady import BoardState, SteadyBoard
from referee.vision.throws import read_throw
from referee.vision.tracks import MAX_SPEED_MM_S, Track, Tracker
from referee.vision.veil import Veil
from referee.vision.view import MOVED_PX, View

READ_S = 0.1
"""Time between two readings of the board."""

REREAD_S = 1.0
"""The same where nothing changes: light and paint may do so too slowly to be noticed."""

STARTLED = 3.0
"""Growth of the changed part of the picture, from one frame to the next, that only a knocked camera or a switched lamp
makes: the view is then checked at once."""

QUIET = 0.02
"""Changed part of a picture that is nothing to be startled by."""

GLANCE_S = 0.06
"""Least time between two looks while no ball is followed: what is in the picture for less shows nobody what it does,
and of what is in one of the looks all pictures are looked at."""


class BallWatcher:
    """Watches one table. ``colours``: the balls in play (None: all that the layout names)."""

    def __init__(self, table: Table, colours: Sequence[str] | None = None) -> None:
        self._kinds = ball_kinds(table.layout, colours)
        self._palette = Palette(known_colours([kind.colour for kind in self._kinds]))
        self._learned_s = 0.0
        self._veil = Veil()
        self._steady = SteadyBoard()
        self._tracker = Tracker()
        self._forerunners = Forerunners()
        self._caller = Caller(self._veil.hand_was_at)
        self._is_noisy: bool | None = None
        self._light: float | None = None
        self._exposure: Exposure | None = None
        self._changed: NDArray[np.bool_] | None = None
        self._view: View | None = None
        self._moved_px: float | None = None
        self._read_s = -math.inf
        self._last_reading_s = -math.inf
        self._now_s = 0.0
        self._waiting: list[Picture] = []
        self._passed: list[Frame] = []
        self._glanced_s = -math.inf
        self._has_time = False
        self._busy = 0.0
        self._ground = Ground(table=table, radius_mm=float(np.median([kind.radius_mm for kind in self._kinds])))
        self._lying_on: BoardState | None = None
        self._found_lying: tuple[LyingBall, ...] = ()

    def _aim(self, table: Table, picture: Picture) -> View:
        """Take a table, and the light of a picture, as the present view: all that depends on where things are seen."""
        # Later pictures are put into the light of the first.
        self._light = self._light or light_of(picture.frame)
        light = self._light
        ground = self._ground = replace(self._ground, table=table)
        self._background = Background(light)
        self._finder = BlobFinder(table, ground.radius_mm, colour_map(self._palette.colours, light))
        at_rest = colour_map(self._palette.colours, light, at_rest=True)
        self._reader = BoardReader(ground, at_rest, self._kinds, light)
        self._caller.aim(ground, self._reader.seats)
        nearest_mm = float(table.camera.depth_mm(np.zeros((1, 3)))[0]) / 2
        self._tracker.max_speed_px_s = MAX_SPEED_MM_S * table.camera.focal_px / nearest_mm
        self._exposure, self._changed = Exposure(picture.luma), None
        self._lying_on = None
        self._view = View(table, picture.luma)
        return self._view

    def feed(self, frame: Frame) -> tuple[Event, ...]:
        """Take in the next frame; gives the events that were settled by now, in order.

        Frames are kept until the board is to be read again, as nothing is called before, and once more while balls fly
        and nothing can be called then either; they are looked at one after the other: one at a time, between those of
        a decoder, each would find another's data in the processor's caches. While no ball is followed some are passed
        over, until something of one is seen.
        Raises BadCalibration when the frame's size isn't the one that the table was calibrated for.
        """
        self._ground.table.check_size(frame)
        is_due = frame.t_s - self._read_s >= READ_S
        if is_due or self._is_busy() or frame.t_s - self._glanced_s >= GLANCE_S:
            self._glanced_s = frame.t_s
            self._waiting.append(Picture(frame=frame, luma=half_luma(frame), is_due=is_due))
        else:
            self._passed.append(frame)
        if not is_due:
            return ()
        self._read_s = frame.t_s
        if self._has_time:
            self._has_time = False
            return ()
        return self._look_at_waiting()

    def _is_busy(self) -> bool:
        """Whether a ball is followed, or a knocked camera comes to rest: no picture is passed over then."""
        return bool(self._tracker.open) or self._moved_px is not None

    def _look_at_waiting(self) -> tuple[Event, ...]:
        """Look at the frames that wait, and at the board where that is due."""
        waiting, self._waiting = self._waiting, []
        events: list[Event] = []
        looks: list[Look] = []
        for waits in waiting:
            self._now_s = waits.frame.t_s
            picture = self._in_first_light(waits)
            view = self._view or self._aim(self._ground.table, picture)
            changed = self._changed = self._background.changed(picture.frame, picture.luma)
            if self._may_have_moved(view, picture, changed):
                events += self._follow(looks)
                looks = []
                notice = self._check_view(view, picture)
                if self._moved_px is not None or notice:
                    self._passed.clear()
                    self._read_s = -math.inf
                    events += notice
                    continue
            looks.append(self._look_at(picture, changed))
        events += self._follow(looks)
        self._has_time = bool(looks) and self._can_nothing_end(looks[-1].t_s)
        return tuple(events)

    def _can_nothing_end(self, seen_s: float) -> bool:
        """Whether nothing can be called at the next reading of the board: no throw is pending, and no ball that is
        followed can be found at rest, or lost, by then."""
        followed = self._tracker.open
        # Where none is followed waiting hardly saves anything, and what was passed over would be looked at late.
        if not followed or self._caller.has_pending or self._moved_px is not None:
            return False
        return all(track.last.t_s == seen_s and not track.lingers(READ_S) for track in followed)

    def _look_at(self, picture: Picture, changed: NDArray[np.bool_]) -> Look:
        self._veil.add(picture.frame.t_s, changed)
        coloured = self._finder.coloured(picture.frame, picture.luma, changed, self._background)
        return Look(picture=picture, coloured=coloured)

    def _in_first_light(self, picture: Picture) -> Picture:
        frame, luma = picture.frame, picture.luma
        if self._is_noisy is None:
            self._is_noisy = noise_of(frame.u) > NOISY
        if self._is_noisy:
            frame, luma = calmed(frame, luma)
        if self._exposure is not None:
            frame, luma = self._exposure.evened(frame, luma, self._changed)
        return replace(picture, frame=frame, luma=luma)

    def _may_have_moved(self, view: View, picture: Picture, changed: NDArray[np.bool_]) -> bool:
        """Whether the camera may have been knocked, or hasn't been found again since it was."""
        busy = cv2.countNonZero(changed.view(np.uint8)) / changed.size
        is_startled, self._busy = busy > STARTLED * max(self._busy, QUIET), busy
        return self._moved_px is not None or ((is_startled or picture.is_due) and view.is_suspect(picture.luma))

    def _follow(self, looks: Sequence[Look]) -> list[Event]:
        """Join what is found in pictures to tracks, read those that end, and the board where that is due."""
        if not looks:
            return []
        found = self._found(looks)
        passed = [frame for frame in self._passed if frame.t_s < looks[-1].t_s]
        self._passed = self._passed[len(passed) :]
        if passed and any(blobs for _, blobs in found):
            found = sorted(found + self._found(self._after_all(passed)), key=lambda pair: pair[0].t_s)
        events: list[Event] = []
        for look, blobs in found:
            index, t_s = look.picture.frame.index, look.t_s
            self._take_ended(self._tracker.update(index, t_s, blobs, self._lay_before))
            if look.picture.is_due:
                self._read_board(look.picture)
                events += self._look(t_s, is_last=False)
        return events

    def _found(self, looks: Sequence[Look]) -> list[tuple[Look, tuple[Blob, ...]]]:
        return list(zip(looks, self._finder.find([look.coloured for look in looks]), strict=True))

    def _after_all(self, passed: Sequence[Frame]) -> list[Look]:
        """Look at pictures that were passed over."""
        lit = (self._in_first_light(Picture(frame=frame, luma=half_luma(frame))) for frame in passed)
        return [self._look_at(picture, self._background.changed(picture.frame, picture.luma)) for picture in lit]

    def _read_board(self, picture: Picture) -> None:
        """Read the board, unless nothing has changed there since a reading that agreed with those before it."""
        frame, luma = picture.frame, picture.luma
        is_old = frame.t_s - self._last_reading_s >= REREAD_S
        if is_old or self._steady.is_in_doubt or not self._reader.is_read(frame, luma, self._background.steps):
            self._steady.update(self._reader.read(frame, luma))
            self._last_reading_s = frame.t_s
        if frame.t_s - self._learned_s >= LEARN_S:
            self._learned_s = frame.t_s
            self._learn_colours(frame)

    def _learn_colours(self, frame: Frame) -> None:
        """Follow the colours of the balls that lie while the light changes."""
        if self._light is not None and self._palette.learn(self._reader.hues(frame, self._steady.agreed)):
            self._finder.recolour(colour_map(self._palette.colours, self._light))
            self._reader.recolour(colour_map(self._palette.colours, self._light, at_rest=True))
            self._last_reading_s = -math.inf

    def _check_view(self, view: View, picture: Picture) -> tuple[Event, ...]:
        """Notice a knocked camera, wait until it is at rest, and find the table again; calling pauses meanwhile."""
        luma = picture.luma
        shift = view.shift(luma)
        if self._moved_px is None:
            if shift is not None and shift.px > MOVED_PX:
                self._moved_px = shift.px
                view.is_settled(luma)
            return ()
        if shift is None or not view.is_settled(luma):
            return ()
        table = view.found_again(luma)
        if table is None:
            return ()
        moved_px, self._moved_px = shift.px, None
        self._tracker.move(shift.homography)
        self._aim(table, picture)
        return (camera_moved(moved_px, self._now_s),)

    def finish(self) -> tuple[Event, ...]:
        """Call what is still open at the end of the recording."""
        late = self._look_at_waiting()
        self._take_ended(self._tracker.finish())
        return (*late, *self._look(self._now_s, is_last=True))

    def _look(self, t_s: float, *, is_last: bool) -> tuple[Event, ...]:
        motion = motion_of(self._tracker.open, t_s, self._ground)
        return self._caller.look(t_s, self._steady, motion, is_last=is_last)

    def _take_ended(self, tracks: Sequence[Track]) -> None:
        for track in tracks:
            if track.lay_before:
                if (whole := self._bounced_off(track)) is None:
                    self._caller.add_knocked(track)
                    continue
                track = whole
            scene = (self._ground.table, self._kinds, self._veil, self._lying())
            is_whole = not self._forerunners.has(track)
            if (throw := read_throw(track, *scene)) is not None:
                self._caller.add(replace(throw, is_whole=is_whole))
            else:
                others = (read_roll, read_arrival, read_drop) if is_whole else (read_drop,)
                throw = next((found for read in others if (found := read(track, *scene)) is not None), None)
                if throw is not None:
                    self._caller.add(throw)
            self._forerunners.add(track, is_read=throw is not None)

    def _bounced_off(self, track: Track) -> Track | None:
        """The whole track of a ball that was lost at one of its colour, and seen to come off it, if that still lies
        there; None where it is that one that moved."""
        earlier = self._forerunners.unread_before(track)
        if earlier is None or not any(
            ball.may_show_as(track.sightings[0].blob) for ball in self._balls_of(self._steady.state)
        ):
            return None
        return Track.joined(earlier, track)

    def _lying(self) -> tuple[LyingBall, ...]:
        """The balls that lie on the board, as far as is known."""
        board = self._caller.board
        if board is not self._lying_on:
            self._lying_on = board
            self._found_lying = () if board is None else self._balls_of(board)
        return self._found_lying

    def _balls_of(self, board: BoardState) -> tuple[LyingBall, ...]:
        return lying_balls(board, [seat.hole for seat in self._reader.seats], self._kinds, self._ground)

    def _lay_before(self, blob: Blob) -> bool:
        """Whether what is seen can be a ball that lay there, as far as is known."""
        return any(ball.may_show_as(blob) for ball in self._lying())
