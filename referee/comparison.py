"""Events against the truth: which shots were found, and how far off times and places are."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.alignment import align
from referee.disturbance import Found, compare_bumps, compare_hands
from referee.events import Event, InHole, Move, Off, OnBall, OnBoard, Place, SeenBoard, SeenBounce, Shot, Stamp
from referee.truth import BallTruth, Foul, TrueContact, TrueShot

SAME_CONTACT_S: Final = 0.1
"""Contacts further apart in time than this are two: the shortest hop that the rules care about is about as long."""

COUNTED_BOUNCES: Final = 2
"""Of a ball that missed the board the rules tell no bounce, one, and several; a ball that rolls has no number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactError:
    """How far a seen contact lies from the true one; ``place_mm`` is None when no millimetres were given."""

    time_ms: float
    place_mm: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundShot:
    """A true shot, the shot in the log that is the same one, and what is right in it."""

    truth: TrueShot
    shot: Shot
    bounces: bool
    result: bool
    moved: bool
    foul: bool
    side: bool
    ball: bool
    true_contacts: int
    seen_contacts: int
    errors: tuple[ContactError, ...]

    @property
    def stamp(self) -> Stamp:
        return self.shot.stamp

    @property
    def is_right(self) -> bool:
        """Whether the rules would make the same of it."""
        return self.bounces and self.result and self.moved and self.foul and self.side and self.ball


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One recording's log against its truth; ``start_wrong``, ``final_wrong``: holes read wrongly.

    ``hands``: balls moved by hand, ``bumps``: knocks to the camera.
    """

    found: tuple[FoundShot, ...]
    missed: tuple[TrueShot, ...]
    invented: tuple[Shot, ...]
    start_wrong: int
    final_wrong: int
    hands: Found
    bumps: Found


def compare(truth: BallTruth, events: Sequence[Event]) -> Comparison:
    """Match the shots of a log with the true ones and judge each."""
    shots = [(i, event) for i, event in enumerate(events) if isinstance(event, Shot)]
    pairs = match_shots(truth.shots, [shot for _, shot in shots])
    found = tuple(_judge(truth.shots[t], shots[s][1], bounces_of(shots[s][0], events)) for t, s in pairs)
    matched_true, matched_seen = {t for t, _ in pairs}, {s for _, s in pairs}
    boards = [event for event in events if isinstance(event, SeenBoard)]
    return Comparison(
        found=found,
        missed=tuple(shot for i, shot in enumerate(truth.shots) if i not in matched_true),
        invented=tuple(shot for i, (_, shot) in enumerate(shots) if i not in matched_seen),
        start_wrong=wrong_holes(truth.start, boards[0].holes if boards else ()),
        final_wrong=wrong_holes(truth.final, boards[-1].holes if boards else ()),
        hands=compare_hands(truth.handled, events),
        bumps=compare_bumps(truth.bumps_s, events),
    )


def match_shots(true: Sequence[TrueShot], seen: Sequence[Shot]) -> list[tuple[int, int]]:
    """Pairs (index in true, index in seen) of the same shot: the same colour, and times that overlap.

    As many pairs as possible; among those, the greatest common time. Within a colour the order of time is kept.
    """
    pairs: list[tuple[int, int]] = []
    for colour in sorted({shot.colour for shot in true}):
        mine = sorted((i for i, s in enumerate(true) if s.colour == colour), key=lambda i: true[i].t_s)
        theirs = sorted((i for i, s in enumerate(seen) if s.colour == colour), key=lambda i: seen[i].stamp.t_s or 0.0)
        overlaps = [[_overlap_s(true[t], seen[s]) for s in theirs] for t in mine]

        def weight(i: int, j: int, overlaps: list[list[float]] = overlaps) -> float | None:
            # A pair outweighs any sum of common times: the number of pairs comes first.
            return 1e6 + overlaps[i][j] if overlaps[i][j] > 0 else None

        pairs += [(mine[i], theirs[j]) for i, j in align(len(mine), len(theirs), weight)]
    return sorted(pairs)


def bounces_of(index: int, events: Sequence[Event]) -> list[SeenBounce]:
    """The bounces of the shot at ``index``: a log lists them before their shot and after the one before."""
    shot = events[index]
    bounces: list[SeenBounce] = []
    for event in reversed(events[:index]):
        if isinstance(event, Shot):
            break
        if isinstance(event, SeenBounce) and isinstance(shot, Shot) and event.colour in (None, shot.colour):
            bounces.append(event)
    return sorted(bounces, key=lambda bounce: bounce.stamp.t_s or 0.0)


def foul_of(shot: Shot) -> Foul | None:
    """The foul that a shot shows, in the order in which the rules look; on whose side it bounced is left out."""
    if not has_come_to_board(shot.result, shot.touched_board):
        return "missed_board"
    if shot.table_bounces != 1:
        return "double_bounce" if shot.table_bounces else "no_bounce"
    if isinstance(shot.result, Off):
        return "bounced_out"
    return "landed_on_ball" if isinstance(shot.result, OnBall) else None


def has_come_to_board(result: Place, touched_board: bool | None) -> bool:
    """Whether the ball touched the board or a ball on it."""
    return isinstance(result, InHole | OnBoard | OnBall) or bool(touched_board)


def wrong_holes(true: Sequence[tuple[str, str]], seen: Sequence[tuple[str, str]]) -> int:
    """How many holes are read as something else than what lies in them.

    Of a pit with several balls the truth names one: it must be among those read. Sizes of a colour aren't judged here.
    """
    lies = dict(true)
    read: dict[str, set[str]] = {}
    for hole, ball in seen:
        read.setdefault(hole, set()).add(ball.partition("-")[0])
    return sum(lies.get(hole) not in read.get(hole, {None}) for hole in lies.keys() | read.keys())


def _judge(true: TrueShot, shot: Shot, bounces: Sequence[SeenBounce]) -> FoundShot:
    came = true.foul != "missed_board"
    expected, claimed = _true_contacts(true, came), _seen_contacts(bounces, came)

    def weight(i: int, j: int) -> float | None:
        late_s = abs(expected[i].t_s - (claimed[j].stamp.t_s or 0.0))
        same = (expected[i].surface == "table") == (claimed[j].surface == "table")
        return 2 * SAME_CONTACT_S - late_s if same and late_s <= SAME_CONTACT_S else None

    has_side = bool(expected) and expected[0].surface == "table"
    pairs = align(len(expected), len(claimed), weight)
    return FoundShot(
        truth=true,
        shot=shot,
        bounces=_bounces(true.table_bounces, came) == _bounces(shot.table_bounces, came),
        result=true.result == shot.result,
        moved=_moves(true.moved) == _moves(shot.moved),
        foul=true.foul == foul_of(shot),
        side=not has_side or expected[0].side == shot.side,
        ball=true.ball in (None, shot.ball or shot.colour),
        true_contacts=len(expected),
        seen_contacts=len(claimed),
        errors=tuple(_error(expected[i], claimed[j]) for i, j in pairs),
    )


def _bounces(count: int, came_to_board: bool) -> int:
    return count if came_to_board else min(count, COUNTED_BOUNCES)


def _true_contacts(shot: TrueShot, came_to_board: bool) -> list[TrueContact]:
    """What is compared: the table contacts before the board, and the first on it; of a miss the first two."""
    if not came_to_board:
        return [contact for contact in shot.contacts if contact.surface == "table"][:COUNTED_BOUNCES]
    first = next((i for i, contact in enumerate(shot.contacts) if contact.surface != "table"), len(shot.contacts))
    return list(shot.contacts[: first + 1])


def _seen_contacts(bounces: Sequence[SeenBounce], came_to_board: bool) -> list[SeenBounce]:
    """The same of what was seen, so that the two lists should agree one to one."""
    first = next((i for i, bounce in enumerate(bounces) if bounce.surface != "table"), len(bounces))
    if not came_to_board:
        return list(bounces[: min(first + 1, COUNTED_BOUNCES)])
    return list(bounces[: first + 1])


def _moves(moves: Sequence[Move]) -> Counter[tuple[str, str, str | None]]:
    return Counter((move.colour, move.source, move.target) for move in moves if move.source != move.target)


def _error(true: TrueContact, seen: SeenBounce) -> ContactError:
    place_mm = None
    if seen.mm is not None:
        place_mm = ((seen.mm[0] - true.x_mm) ** 2 + (seen.mm[1] - true.y_mm) ** 2) ** 0.5
    return ContactError(time_ms=abs((seen.stamp.t_s or 0.0) - true.t_s) * 1000, place_mm=place_mm)


def _overlap_s(true: TrueShot, seen: Shot) -> float:
    """How long a true and a seen shot are under way together; a shot whose end isn't said lasts a moment."""
    begin_s = seen.stamp.t_s
    if begin_s is None:
        return 0.0
    end_s = seen.stamp.t_end_s if seen.stamp.t_end_s is not None else begin_s + 1e-3
    return min(true.t_end_s, end_s) - max(true.t_s, begin_s)
