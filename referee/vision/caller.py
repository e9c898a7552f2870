"""When a throw or a hand's work is over, and what is then said of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import hypot

import numpy as np

from referee.events import BallAt, Event, Off, Placed, Removed, Stamp
from referee.vision.ends import is_none, is_same_ball, is_sure
from referee.vision.ground import Ground
from referee.vision.meetings import after_collisions, is_told_by
from referee.vision.outcomes import by_hand, is_same, outcomes
from referee.vision.pits import came_and_left, with_hidden, with_thrown
from referee.vision.reports import seen_board, seen_bounces, shot, span
from referee.vision.seats import Seat
from referee.vision.steady import BoardState, SteadyBoard
from referee.vision.throws import MIN_SIGHTINGS, MIN_TRAVEL_RADII, Throw, shows_a_ball
from referee.vision.tracks import Track
from referee.vision.veil import Spot

SETTLE_S = 0.45
"""How long after a ball's end the board is watched for it: time for its readings to agree."""

WAIT_S = 2.5
"""Longest wait for the board to settle, or for a knocked ball to end."""

HAND_S = 1.0
"""How long a change without a throw must last before it was a hand: longer than a ball in flight goes unseen."""

MOVING_S = 0.1
"""A track that was seen within this time and isn't at rest is a ball in motion."""

HAND_BEFORE_S = 1.5
"""How long before its work shows a hand may have been there: it hides what it does until it withdraws."""

UNSEEN_HAND = "no hand was seen there: a throw may have been missed"

HandWasAt = Callable[[float, float, Spot, float], bool]

FOLLOWED_RADII = 2.0
"""A track nearer than this, in ball radii, to a ball that came to the board follows that ball."""


LEFT_RADII = 5.0
"""How far off the board, in its radii, a knocked ball won't come back to it: a knock throws it up by less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """What the tracks say at a moment: ``followed``: balls that travelled and whose end is not yet known, ``is_any``:
    whether a ball moves, ``is_knocked``: whether one is followed that lay on the board before and may still end on it,
    ``rolling``: colours of balls that were followed for long enough to be sure of them and that move."""

    followed: tuple[Track, ...]
    is_any: bool
    is_knocked: bool
    rolling: frozenset[str]


def motion_of(tracks: Sequence[Track], t_s: float, ground: Ground) -> Motion:
    travelled = [track for track in tracks if track.has_travelled(MIN_TRAVEL_RADII / 2)]
    nudged = [track for track in travelled if not (track.lay_before and _has_left(track, ground))]
    moving = [track for track in nudged if t_s - track.last.t_s <= MOVING_S and not track.is_at_rest()]
    return Motion(
        followed=tuple(track for track in travelled if track.has_travelled(MIN_TRAVEL_RADII)),
        is_any=bool(moving),
        is_knocked=any(track.lay_before for track in nudged),
        rolling=frozenset(track.colour for track in moving if len(track.sightings) >= MIN_SIGHTINGS),
    )


def _has_left(track: Track, ground: Ground) -> bool:
    """Whether a ball is well off the board, even if it should be in the air, and on its way from there."""
    places = ground.table.camera.to_mm(
        np.array([(s.blob.x_px, s.blob.y_px) for s in track.sightings[-2:]]), ground.board_z_mm
    )
    outside = [ground.outside_mm(float(x), float(y)) for x, y, _ in places]
    return outside[-1] > LEFT_RADII * ground.radius_mm and outside[-1] >= outside[0]


class Caller:
    """Keeps what was last told of the board and the throws that aren't called yet."""

    def __init__(self, hand_was_at: HandWasAt) -> None:
        """``hand_was_at``: whether a hand was seen between two times at a place where a ball has that radius, px."""
        self._hand_was_at = hand_was_at
        self._seats: dict[str, Seat] = {}
        self._board: BoardState | None = None
        self._pending: list[Throw] = []
        self._called: Sequence[Throw] = ()
        self._knocked: list[Track] = []
        self._changes: list[tuple[float, BoardState]] = []
        self._told_s = 0.0

    def aim(self, ground: Ground, seats: Sequence[Seat]) -> None:
        """Take these surfaces and places of balls in holes as those of the present view."""
        self._ground = ground
        self._seats = {seat.hole.name: seat for seat in seats}

    @property
    def board(self) -> BoardState | None:
        """What was last told of the board; None before the first look."""
        return self._board

    @property
    def has_pending(self) -> bool:
        """Whether a throw waits to be called."""
        return bool(self._pending)

    def add(self, throw: Throw) -> None:
        """A throw whose ball's end was seen, to be called once the board has settled.

        A ball that exists once can't be thrown again while it flies: what was read of it before is the same throw.
        """
        same = [other for other in self._pending if is_same_ball(other, throw)]
        self._pending = [other for other in self._pending if other not in same]
        self._pending.append(replace(throw, is_whole=throw.is_whole and not same))

    def add_knocked(self, track: Track) -> None:
        """The track, now ended, of a ball that lay on the board."""
        if track.has_travelled(1.0):
            self._knocked.append(track)

    def look(self, t_s: float, steady: SteadyBoard, motion: Motion, *, is_last: bool) -> tuple[Event, ...]:
        """What can be called at ``t_s``; ``is_last``: nothing more will be seen, so everything is."""
        if not steady.is_known and not is_last:
            return ()
        if self._board is None:
            self._board = steady.state
            found = by_hand(BoardState(), self._board)[1]
            placed = (Placed(balls=found, stamp=span(0.0, t_s)),) if found else ()
            return (*placed, seen_board(self._board, t_s))
        lying = with_hidden(steady.state, self._board, lambda pit: self._was_reached(pit, t_s))
        state = lying if is_last else self._without_followed(lying, self._board, motion.followed)
        if self._pending:
            earlier = self._call_earlier(state, self._board)
            now = self._call_throws(t_s, state, self._board, steady, motion, is_open=state != lying, is_last=is_last)
            return (*earlier, *now)
        if not any(by_hand(self._board, state)):
            self._changes.clear()
            return ()
        self._changes.append((t_s, state))
        changed_s = self._changes[0][0]
        if not is_last and (t_s - changed_s < HAND_S or motion.is_any):
            return ()
        return self._call_hand(t_s, state, self._board, changed_s)

    def _call_earlier(self, state: BoardState, before: BoardState) -> tuple[Event, ...]:
        """What a hand did before the throws that are pending began, and that still shows, is none of theirs."""
        began_s = min(throw.flight.start_s for throw in self._pending)
        earlier = [(t_s, changed) for t_s, changed in self._changes if t_s < began_s]
        self._changes.clear()
        if not earlier:
            return ()
        since_s, (t_s, changed) = earlier[0][0], earlier[-1]
        then, now = by_hand(before, changed), by_hand(before, state)
        lay = (before, changed)
        stamps = [self._hand_stamp(balls, state, since_s, t_s) for balls, state in zip(then, lay, strict=True)]
        still_shows = all(set(balls) <= set(others) for balls, others in zip(then, now, strict=True))
        if not still_shows or any(stamp.review for stamp in stamps):
            return ()
        return self._call_hand(t_s, changed, before, since_s)

    def _call_throws(
        self,
        t_s: float,
        state: BoardState,
        before: BoardState,
        steady: SteadyBoard,
        motion: Motion,
        *,
        is_open: bool,
        is_last: bool,
    ) -> tuple[Event, ...]:
        """``is_open``: a ball that came to the board is still followed."""
        throws = after_collisions(sorted(self._pending, key=lambda throw: throw.flight.start_s), self._called)
        since_s = throws[0].flight.start_s
        knocked = [
            track for track in (*self._knocked, *motion.followed) if track.lay_before and track.last.t_s > since_s
        ]

        def hand_was_at(ball: BallAt) -> bool:
            # Of a ball seen to leave, when it did.
            left = [track.sightings[0].t_s for track in knocked if track.colour == ball.colour.partition("-")[0]]
            times = [(left_s - MOVING_S, left_s + MOVING_S) for left_s in left] or [(since_s - HAND_BEFORE_S, t_s)]
            return all(self._hand_was_there([ball], before, *between) for between in times)

        aftermath = outcomes(throws, before, state, tuple(self._seats.values()), self._ground, knocked, hand_was_at)
        results = aftermath.outcomes
        lost = {move.colour for result in results for move in result.moved if move.target is None}
        is_open |= motion.is_knocked or steady.is_open(lost | {throw.kind.colour for throw in throws})
        is_open |= any(colour in motion.rolling for colour in lost)
        # One that isn't found isn't waited for while others are thrown.
        is_open |= any(
            not result.is_near and isinstance(result.place, Off) and t_s - throw.end_s < WAIT_S
            for throw, result in zip(throws, results, strict=True)
        )
        is_open |= _hangs_over_hole(state, before, self._ground)
        # Of a ball that met another the other tells as well what became of it.
        thrown = [track for track in motion.followed if not track.lay_before and shows_a_ball(track)]
        is_open |= any(is_told_by(throw, track) for throw in throws for track in thrown)
        are_sure = all(is_sure(throw, result) for throw, result in zip(throws, results, strict=True))
        waited_s = t_s - max(throw.end_s for throw in throws)
        if not is_last and waited_s < (WAIT_S if is_open else 0.0 if are_sure else SETTLE_S):
            return ()
        placed = aftermath.placed
        put = self._hand_stamp(placed, state, since_s, t_s)
        events: list[Event] = []
        for throw, result in zip(throws, results, strict=True):
            if not is_none(throw, result, self._ground):
                told = replace(result, tells_all=put.review is None)
                events += [*seen_bounces(throw, self._ground.table), shot(throw, told)]
        if aftermath.removed:
            events.append(Removed(balls=aftermath.removed, stamp=span(since_s, t_s)))
        if placed:
            events.append(Placed(balls=placed, stamp=put))
        after = with_thrown(state, before, throws, self._ground)
        if any(by_hand(before, after)):
            events.append(seen_board(after, t_s))
        self._board, self._pending, self._called, self._told_s = after, [], throws, t_s
        self._changes.clear()
        self._knocked.clear()
        return tuple(events)

    def _call_hand(self, t_s: float, state: BoardState, before: BoardState, since_s: float) -> tuple[Event, ...]:
        removed, placed = by_hand(before, state)
        events: list[Event] = []
        if removed:
            events.append(Removed(balls=removed, stamp=self._hand_stamp(removed, before, since_s, t_s)))
        if placed:
            events.append(Placed(balls=placed, stamp=self._hand_stamp(placed, state, since_s, t_s)))
        events.append(seen_board(state, t_s))
        self._board, self._told_s = state, t_s
        self._changes.clear()
        return tuple(events)

    def _hand_stamp(self, balls: Sequence[BallAt], state: BoardState, since_s: float, t_s: float) -> Stamp:
        """Asks for a look where no hand was seen at one of these balls of ``state``, which changed at ``since_s``."""
        is_seen = self._hand_was_there(balls, state, since_s - HAND_BEFORE_S, t_s)
        return span(since_s, t_s) if is_seen else replace(span(since_s, t_s), review=UNSEEN_HAND)

    def _hand_was_there(self, balls: Sequence[BallAt], state: BoardState, from_s: float, to_s: float) -> bool:
        """Whether a hand was seen, between two times, at all of these balls of ``state``."""
        middle = np.array([[0.0, 0.0, self._ground.board_z_mm]])
        ball_px = float(self._ground.table.camera.radius_px(middle, self._ground.radius_mm)[0])
        names = {ball.colour for ball in balls if ball.at not in self._seats}
        spots = [
            *(
                Spot(x_px=seat.x_px, y_px=seat.y_px, radius_px=ball_px)
                for ball in balls
                if (seat := self._seats.get(ball.at))
            ),
            *(Spot(x_px=ball.x_px, y_px=ball.y_px, radius_px=ball_px) for ball in state.loose if ball.ball in names),
        ]
        return all(self._hand_was_at(from_s, to_s, spot, ball_px) for spot in spots)

    def _was_reached(self, pit: str, t_s: float) -> bool:
        """Whether a hand was at a pit since what lies there was last told, and isn't any more."""
        hole = next(hole for hole in self._ground.pits if hole.name == pit)
        camera = self._ground.table.camera
        place = np.array([[hole.x_mm, hole.y_mm, self._ground.table.layout.height_mm]])
        (x_px, y_px), mm_px = camera.to_px(place)[0], float(camera.radius_px(place, 1.0)[0])
        spot = Spot(x_px=float(x_px), y_px=float(y_px), radius_px=hole.radius_mm * mm_px)
        ball_px = self._ground.radius_mm * mm_px
        return came_and_left(lambda since, until: self._hand_was_at(since, until, spot, ball_px), self._told_s, t_s)

    def _without_followed(self, state: BoardState, before: BoardState, followed: Sequence[Track]) -> BoardState:
        """The board but for balls that came and that a track still follows: their throws aren't over."""
        if not followed:
            return state
        known = set(before.holes)
        return replace(
            state,
            holes=tuple(
                (hole, colour)
                for hole, colour in state.holes
                if (hole, colour) in known
                or not _is_followed(colour, self._seats[hole].x_px, self._seats[hole].y_px, followed)
            ),
            loose=tuple(
                ball
                for ball in state.loose
                if any(is_same(ball, other) for other in before.loose)
                or not _is_followed(ball.colour, ball.x_px, ball.y_px, followed)
            ),
        )


def _hangs_over_hole(state: BoardState, before: BoardState, ground: Ground) -> bool:
    """Whether a ball that came to the board is seen over the rim of an empty hole: it will roll in, or off."""
    taken = {hole for hole, _ in state.holes}
    empty = [hole for hole in ground.table.layout.holes if hole.name not in taken]
    came = [b for b in state.loose if b.hole is None and not any(is_same(b, other) for other in before.loose)]
    return any(hypot(ball.x_mm - hole.x_mm, ball.y_mm - hole.y_mm) < hole.radius_mm for ball in came for hole in empty)


def _is_followed(colour: str, x_px: float, y_px: float, followed: Sequence[Track]) -> bool:
    return any(
        track.colour == colour
        and hypot(track.last.blob.x_px - x_px, track.last.blob.y_px - y_px) < FOLLOWED_RADII * track.last.blob.radius_px
        for track in followed
    )
