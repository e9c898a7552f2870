"""Frames in, events out: follows balls over a table and says what happened, once it is settled."""

import json
import math
from collections.abc import Sequence

import numpy as np

from calibration.errors import BadCalibration
from calibration.table import Table
from hardware.frame import Frame
from referee.events import (
    Event,
    Off,
    OnBoard,
    Placed,
    Removed,
    SeenBoard,
    SeenBounce,
    Shot,
    Stamp,
)
from referee.vision.background import Background
from referee.vision.blobs import find_blobs, sizes_on_table
from referee.vision.board import BoardReader
from referee.vision.colours import colour_map, half_luma, known_colours
from referee.vision.contacts import Contact
from referee.vision.ground import Ground
from referee.vision.outcomes import Outcome, by_hand, outcomes
from referee.vision.segments import PIECE_COST
from referee.vision.steady import BoardState, SteadyBoard
from referee.vision.throws import Throw, read_throw
from referee.vision.tracks import Track, Tracker
from referee.vision.veil import Veil

READ_S = 0.1
"""Time between two readings of the board."""

SETTLE_S = 0.45
"""How long after a ball's end the board must agree before the shot is called: time for the readings to agree."""

WAIT_S = 2.5
"""Longest wait for the board to settle, or for another ball in flight to end."""

HAND_S = 1.0
"""How long a change without a throw must last before it was a hand: longer than a ball in flight goes unseen."""

FLYING_S = 0.1
"""A track that moved within this time is a ball in motion."""

KNOCKED_RADII = 1.5
"""How far, in its radii, from where it lay a knocked ball may be when it is first told from the still scene."""

HIDDEN_CONFIDENCE = 0.8
"""For a bounce inferred behind a hand: a toss straight onto the board from that height is rare, not impossible."""


class BallWatcher:
    """Watches one table. ``colours``: the balls in play (None: all that the layout names)."""

    def __init__(self, table: Table, colours: Sequence[str] | None = None) -> None:
        layout = table.layout
        names = [name for name, _ in layout.ball_radius_mm]
        radii = [radius for _, radius in layout.ball_radius_mm]
        self._table = table
        self._ground = Ground(table=table, radius_mm=float(np.median(radii)))
        self._map = colour_map(known_colours(colours or names))
        self._background = Background()
        self._veil = Veil()
        self._reader = BoardReader(table, self._map, self._ground.radius_mm)
        self._sizes = sizes_on_table(table, self._ground.radius_mm)
        self._steady = SteadyBoard()
        nearest_mm = float(table.camera.depth_mm(np.zeros((1, 3)))[0]) / 2
        self._tracker = Tracker(px_per_mm=table.camera.focal_px / nearest_mm)
        self._board: BoardState | None = None
        self._pending: list[Throw] = []
        self._read_s = -math.inf
        self._changed_s: float | None = None
        self._now_s = 0.0

    def feed(self, frame: Frame) -> tuple[Event, ...]:
        """Take in the next frame; gives the events that it settled, in order.

        Raises BadCalibration when the frame's size isn't the one that the table was calibrated for.
        """
        camera = self._table.camera
        if (frame.width_px, frame.height_px) != (camera.width_px, camera.height_px):
            raise BadCalibration(
                f"pictures of {frame.width_px}x{frame.height_px}, the table was calibrated for "
                f"{camera.width_px}x{camera.height_px}",
                f"frame {frame.index}",
                "calibrate again with this camera mode",
            )
        self._now_s = frame.t_s
        luma = half_luma(frame)
        changed = self._background.changed(frame, luma)
        self._veil.add(frame.t_s, changed)
        labels = self._map.label(luma, frame)
        blobs = find_blobs(labels, changed, self._map, self._sizes)
        for track in self._tracker.update(frame.index, frame.t_s, blobs):
            self._take_ended(track)
        if frame.t_s - self._read_s >= READ_S:
            self._read_s = frame.t_s
            self._steady.update(self._reader.read(frame, luma, labels))
            return self._settle(is_last=False)
        return ()

    def finish(self) -> tuple[Event, ...]:
        """Call what is still open at the end of the recording."""
        for track in self._tracker.finish():
            self._take_ended(track)
        return self._settle(is_last=True)

    def _take_ended(self, track: Track) -> None:
        if self._was_lying(track):
            return
        throw = read_throw(track, self._table, self._ground.radius_mm, self._veil.could_hide)
        if throw is not None:
            self._pending.append(throw)

    def _was_lying(self, track: Track) -> bool:
        """Whether a track begins where a ball of its colour lay: knocked or taken, not thrown."""
        if self._board is None:
            return False
        first = track.sightings[0].blob
        lying = [
            (seat.x_px, seat.y_px)
            for seat in self._reader.seats
            if self._board.colour_in(seat.hole.name) == track.colour
        ] + [(ball.x_px, ball.y_px) for ball in self._board.loose if ball.colour == track.colour]
        return any(math.hypot(first.x_px - x, first.y_px - y) < KNOCKED_RADII * first.radius_px for x, y in lying)

    def _is_in_motion(self, *, knocked: bool) -> bool:
        """Whether a ball moves now: any, or (``knocked``) one that lay on the board before."""
        return any(
            track.has_travelled(2.0)
            and self._now_s - track.last.t_s <= FLYING_S
            and not track.is_at_rest()
            and (not knocked or self._was_lying(track))
            for track in self._tracker.open
        )

    def _settle(self, *, is_last: bool) -> tuple[Event, ...]:
        if not self._steady.is_known and not is_last:
            return ()
        state = self._steady.state
        if self._board is None:
            self._board = state
            lying = by_hand(BoardState(), state)[1]
            placed = (Placed(balls=lying, stamp=Stamp(t_s=0.0, t_end_s=self._now_s)),) if lying else ()
            return (*placed, self._seen_board(state))
        if self._pending:
            return self._settle_throws(state, is_last=is_last)
        if state == self._board or _same(state, self._board):
            self._changed_s = None
            return ()
        if self._changed_s is None:
            self._changed_s = self._now_s
        if (self._now_s - self._changed_s < HAND_S or self._is_in_motion(knocked=False)) and not is_last:
            return ()
        return self._settle_hand(state)

    def _settle_throws(self, state: BoardState, *, is_last: bool) -> tuple[Event, ...]:
        since_s = self._now_s - max(throw.end_s for throw in self._pending)
        is_open = self._steady.is_open({t.colour for t in self._pending}) or self._is_in_motion(knocked=True)
        if not is_last and (since_s < SETTLE_S or (is_open and since_s < WAIT_S)):
            return ()
        assert self._board is not None
        throws = sorted(self._pending, key=lambda throw: throw.flight.start_s)
        results, moves = outcomes(throws, self._board, state, self._reader.seats, self._ground)
        events: list[Event] = []
        for i, (throw, outcome) in enumerate(zip(throws, results, strict=True)):
            events += [self._seen_bounce(throw.colour, contact) for contact in throw.flight.contacts]
            # What else moved is told with the last throw: nothing tells here which of several did it.
            moved = moves if i == len(throws) - 1 else ()
            events.append(
                Shot(
                    colour=throw.colour,
                    table_bounces=throw.flight.table_bounces,
                    result=outcome.place,
                    side=throw.side,
                    touched_board=throw.flight.touched_board if isinstance(outcome.place, Off) else None,
                    moved=moved,
                    stamp=self._stamp(throw, outcome),
                )
            )
        if not _same(state, self._board):
            events.append(self._seen_board(state))
        self._board, self._pending, self._changed_s = state, [], None
        return tuple(events)

    def _settle_hand(self, state: BoardState) -> tuple[Event, ...]:
        assert self._board is not None
        removed, placed = by_hand(self._board, state)
        stamp = Stamp(t_s=self._changed_s, t_end_s=self._now_s)
        events: list[Event] = []
        if removed:
            events.append(Removed(balls=removed, stamp=stamp))
        if placed:
            events.append(Placed(balls=placed, stamp=stamp))
        events.append(self._seen_board(state))
        self._board, self._changed_s = state, None
        return tuple(events)

    def _seen_board(self, state: BoardState) -> SeenBoard:
        return SeenBoard(
            holes=state.holes,
            loose=tuple(ball.colour for ball in state.loose),
            loose_mm=tuple((round(ball.x_mm, 1), round(ball.y_mm, 1)) for ball in state.loose),
            stamp=Stamp(t_s=_time(self._now_s), t_end_s=_time(self._now_s)),
        )

    def _seen_bounce(self, colour: str, contact: Contact) -> SeenBounce:
        px = self._table.camera.to_px(np.array([[contact.x_mm, contact.y_mm, contact.z_mm]]))[0]
        stamp = Stamp(
            t_s=_time(contact.t_s),
            t_end_s=_time(contact.t_s),
            confidence=_confidence(contact),
            evidence=_evidence(contact),
        )
        return SeenBounce(
            colour=colour,
            surface=contact.surface,
            px=(round(float(px[0]), 1), round(float(px[1]), 1)),
            mm=(round(contact.x_mm, 1), round(contact.y_mm, 1)),
            side=self._table.side_at(contact.x_mm, contact.y_mm) if contact.surface == "table" else None,
            stamp=stamp,
        )

    def _stamp(self, throw: Throw, outcome: Outcome) -> Stamp:
        judged = _judged(throw)
        confidence = min((_confidence(c) for c in judged), default=0.9)
        review = None
        if not outcome.is_near:
            confidence, review = min(confidence, 0.4), "the ball was found away from where it was last seen"
        elif isinstance(outcome.place, OnBoard | Off) and throw.flight.contacts[0].surface == "board":
            confidence = min(confidence, 0.8)
        return Stamp(
            t_s=_time(throw.flight.start_s),
            t_end_s=_time(throw.end_s),
            confidence=round(confidence, 2),
            review=review,
            evidence=json.dumps({"cost_per_sample": round(throw.flight.cost_per_sample, 2)}),
        )


def _judged(throw: Throw) -> list[Contact]:
    """The contacts that the call rests on: up to the first on the board, the first two of a ball that missed it."""
    count = throw.flight.table_bounces + 1 if throw.flight.touched_board else 2
    return list(throw.flight.contacts[:count])


def _confidence(contact: Contact) -> float:
    if contact.is_inferred:
        return HIDDEN_CONFIDENCE
    return round(1.0 - math.exp(-contact.margin / PIECE_COST), 2)


def _evidence(contact: Contact) -> str:
    return json.dumps({"inferred": contact.is_inferred, "speed_mm_s": [round(v) for v in contact.after_mm_s]})


def _same(state: BoardState, other: BoardState) -> bool:
    """Whether two states hold the same balls at the same places."""
    removed, placed = by_hand(state, other)
    return not removed and not placed


def _time(t_s: float) -> float:
    """Times are written to the tenth of a millisecond: finer is noise."""
    return round(t_s, 4)
