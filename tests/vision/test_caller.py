"""What becomes of throws that end together: who moved which ball, and what nobody is known to have done."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from referee.events import BallAt, Event, InHole, Move, Off, Removed, Shot
from referee.vision.blobs import Blob
from referee.vision.caller import Caller, motion_of
from referee.vision.contacts import Contact
from referee.vision.ground import Ground
from referee.vision.kinds import BallKind
from referee.vision.outcomes import outcomes
from referee.vision.readings import BoardReading, HoleReading
from referee.vision.reports import CAME, MET, shot
from referee.vision.seats import Seat
from referee.vision.steady import BoardState, SteadyBoard
from referee.vision.throws import Throw
from referee.vision.tracks import Sighting, Track
from tests.vision.rolling import flown
from tests.vision.scene import RADIUS_MM, seat_mm, table

GROUND = Ground(table=table(), radius_mm=RADIUS_MM)
HOLES = GROUND.table.layout.holes


def seats() -> tuple[Seat, ...]:
    camera, none = GROUND.table.camera, np.zeros(0, dtype=np.intp)
    found = []
    for hole in GROUND.table.layout.holes:
        place = np.array([seat_mm(hole.name)])
        (x_px, y_px), radius_px = camera.to_px(place)[0], float(camera.radius_px(place, RADIUS_MM)[0])
        found.append(
            Seat(
                hole=hole,
                x_px=float(x_px),
                y_px=float(y_px),
                radius_px=radius_px,
                depth_mm=1000.0,
                disc=none,
                middle=none,
                ring=none,
            )
        )
    return tuple(found)


def thrown(colour: str, into: str, *, met: str, start_s: float) -> Throw:
    """A throw that met the board at one hole and came to rest in another."""
    x_mm, y_mm, z_mm = seat_mm(met)
    contact = Contact(
        surface="board",
        t_s=start_s + 0.5,
        x_mm=x_mm,
        y_mm=y_mm,
        z_mm=z_mm,
        before_mm_s=(0.0, 500.0, -800.0),
        after_mm_s=(0.0, 400.0, 500.0),
        margin=500.0,
        is_inferred=False,
    )
    end = next(seat for seat in seats() if seat.hole.name == into)
    return Throw(
        kind=BallKind(name=colour, colour=colour, radius_mm=RADIUS_MM),
        flight=flown((contact,), start_s),
        side="south",
        sightings=(),
        end_s=start_s + 1.0,
        end_px=(end.x_px, end.y_px),
        end_radius_px=end.radius_px,
        rests=True,
        is_gone=False,
        sureness=1.0,
    )


def test_each_of_two_throws_at_once_is_told_with_the_ball_that_it_knocked() -> None:
    throws = [thrown("red", "A1", met="A1", start_s=1.0), thrown("yellow", "C3", met="C3", start_s=1.2)]
    before = BoardState(holes=(("A2", "green"), ("B3", "blue")))
    after = BoardState(holes=(("A1", "red"), ("A3", "green"), ("C3", "yellow"), ("B2", "blue")))
    aftermath = outcomes(throws, before, after, seats(), GROUND)
    first, second = aftermath.outcomes
    assert (first.place, first.moved) == (InHole(hole="A1"), (Move(colour="green", source="A2", target="A3"),))
    assert (second.place, second.moved) == (InHole(hole="C3"), (Move(colour="blue", source="B3", target="B2"),))
    assert aftermath.placed == aftermath.removed == ()


def test_of_two_balls_of_a_colour_the_one_last_seen_there_is_found() -> None:
    throws = [thrown("red", "A1", met="A1", start_s=1.0), thrown("red", "C3", met="C3", start_s=1.3)]
    after = BoardState(holes=(("C3", "red"),))
    first, second = outcomes(throws, BoardState(), after, seats(), GROUND).outcomes
    assert (first.place, second.place) == (Off(), InHole(hole="C3"))
    assert second.is_near


@pytest.mark.parametrize(
    ("radii", "before", "hand", "is_near"),
    [
        (1.5, (), False, True),
        (2.5, (), False, True),
        (3.5, (), False, False),
        (2.5, (), True, False),
        (2.5, (("C3", "red"),), False, False),
        (1.5, (("C3", "red"),), True, True),
    ],
)
def test_a_ball_that_rolled_on_to_the_next_hole_unseen_is_the_one_found_there_if_no_other_may_be(
    radii: float, before: tuple[tuple[str, str], ...], hand: bool, is_near: bool
) -> None:
    throw = thrown("red", "A1", met="A1", start_s=1.0)
    x_px, y_px = throw.end_px
    throw = replace(throw, end_px=(x_px + radii * throw.end_radius_px, y_px))
    after = BoardState(holes=(("A1", "red"),))
    (outcome,) = outcomes([throw], BoardState(holes=before), after, seats(), GROUND, (), lambda ball: hand).outcomes
    assert (outcome.place, outcome.is_near) == (InHole(hole="A1"), is_near)


@pytest.mark.parametrize(
    ("apart_px", "seen_from_s", "is_own"), [(25.0, 2.3, False), (60.0, 2.3, True), (25.0, 1.0, True)]
)
def test_balls_of_one_colour_that_met_after_their_flights_may_be_each_other(
    apart_px: float, seen_from_s: float, is_own: bool
) -> None:
    way = [Sighting(index=k, t_s=seen_from_s + k / 60, blob=blob("red")) for k in range(10)]
    beside = [replace(s, blob=replace(s.blob, x_px=s.blob.x_px + apart_px)) for s in way]
    throws = [
        replace(thrown("red", "A1", met="A1", start_s=1.0), sightings=way),
        replace(thrown("red", "C3", met="C3", start_s=1.2), sightings=beside),
    ]
    after = BoardState(holes=(("A1", "red"), ("C3", "red")))
    results = outcomes(throws, BoardState(), after, seats(), GROUND).outcomes
    assert [result.is_own for result in results] == [is_own, is_own]
    stamps = [shot(throw, result).stamp for throw, result in zip(throws, results, strict=True)]
    assert [stamp.review for stamp in stamps] == [None if is_own else MET] * 2


def test_a_ball_that_came_beside_a_throw_is_not_lost() -> None:
    after = BoardState(holes=(("A1", "red"), ("C3", "blue")))
    aftermath = outcomes([thrown("red", "A1", met="A1", start_s=1.0)], BoardState(), after, seats(), GROUND)
    (result,) = aftermath.outcomes
    assert (result.place, result.moved) == (InHole(hole="A1"), ())
    assert aftermath.placed == (BallAt(colour="blue", at="C3"),)


@pytest.mark.parametrize(("colour", "saw"), [("blue", True), ("green", False)])
def test_a_ball_that_is_gone_was_knocked_off_if_it_was_seen_to_move(colour: str, saw: bool) -> None:
    moves = Track(Sighting(index=0, t_s=1.0, blob=blob(colour)), lay_before=True)
    (result,) = outcomes(
        [thrown("red", "A1", met="A1", start_s=1.0)],
        BoardState(holes=(("B3", "blue"),)),
        BoardState(holes=(("A1", "red"),)),
        seats(),
        GROUND,
        [moves],
    ).outcomes
    assert (result.moved, result.saw_leave) == ((Move(colour="blue", source="B3", target=None),), saw)


@pytest.mark.parametrize(("lay", "is_taken"), [("C2", True), ("A2", False)])
def test_a_ball_gone_unseen_was_taken_if_a_hand_was_there_and_the_throw_was_not(lay: str, is_taken: bool) -> None:
    aftermath = outcomes(
        [thrown("red", "A3", met="A1", start_s=1.0)],
        BoardState(holes=((lay, "blue"),)),
        BoardState(holes=(("A3", "red"),)),
        seats(),
        GROUND,
        hand_was_at=lambda ball: ball.at == lay,
    )
    (result,) = aftermath.outcomes
    assert aftermath.removed == ((BallAt(colour="blue", at=lay),) if is_taken else ())
    assert result.moved == (() if is_taken else (Move(colour="blue", source=lay, target=None),))


def test_a_ball_that_was_taken_did_not_go_where_another_of_its_colour_came() -> None:
    aftermath = outcomes(
        [thrown("red", "A3", met="A1", start_s=1.0)],
        BoardState(holes=(("C2", "blue"),)),
        BoardState(holes=(("A3", "red"), ("C3", "blue"))),
        seats(),
        GROUND,
        hand_was_at=lambda ball: True,
    )
    assert aftermath.outcomes[0].moved == ()
    assert aftermath.removed == (BallAt(colour="blue", at="C2"),)
    assert aftermath.placed == (BallAt(colour="blue", at="C3"),)


def test_a_ball_that_seemed_to_come_to_rest_and_is_not_there_was_not_thrown() -> None:
    told = called([replace(thrown("red", "A1", met="A1", start_s=1.0), untold="not seen")], until_s=6.0)
    assert not any(isinstance(event, Shot) for event in told)


def test_a_throw_that_begins_over_the_board_and_ends_nowhere_was_none() -> None:
    came = thrown("red", "A1", met="A1", start_s=1.0)
    began_there = replace(came, flight=replace(came.flight, start_mm=(0.0, 0.0, 200.0)))
    assert not any(isinstance(event, Shot) for event in called([began_there], until_s=6.0))
    assert any(isinstance(event, Shot) for event in called([began_there], until_s=6.0, A1="red"))
    assert any(isinstance(event, Shot) for event in called([came], until_s=6.0))


@pytest.mark.parametrize("is_hand", [True, False])
def test_a_throw_beside_which_a_ball_came_that_nobody_put_there_is_asked_about(is_hand: bool) -> None:
    told = called([thrown("red", "A1", met="A1", start_s=1.0)], until_s=6.0, is_hand=is_hand, A1="red", C3="blue")
    (call,) = [event for event in told if isinstance(event, Shot)]
    assert call.stamp.review == (None if is_hand else CAME)


def test_a_lost_ball_is_not_waited_for_while_another_is_thrown() -> None:
    lost = replace(thrown("red", "A1", met="A1", start_s=1.0), rests=False)
    later = thrown("green", "C3", met="C3", start_s=3.5)
    told = called([lost, later], until_s=5.2, C3="green")
    assert [event.colour for event in told if isinstance(event, Shot)] == ["red", "green"]


def test_a_ball_that_exists_once_is_not_thrown_twice_in_one_flight() -> None:
    small = BallKind(name="red-small", colour="red", radius_mm=RADIUS_MM)
    lost = replace(thrown("red", "A1", met="A1", start_s=1.0), rests=False)
    found = replace(thrown("red", "C3", met="C3", start_s=2.1))
    twice = called([replace(throw, kind=small) for throw in (lost, found)], until_s=5.0, C3="red")
    (shot,) = [event for event in twice if isinstance(event, Shot)]
    assert shot.stamp.t_s == 2.1
    assert "lost in flight" in (shot.stamp.review or "")
    # There may be another ball of a colour that has one size.
    assert sum(isinstance(event, Shot) for event in called([lost, found], until_s=6.0, C3="red")) == 2


def called(throws: Sequence[Throw], *, until_s: float, is_hand: bool = True, **after: str) -> list[Event]:
    """What is told of throws that end on the same empty board, if it is looked at until a time; ``is_hand``: hands were
    seen everywhere."""
    caller = Caller(lambda from_s, to_s, spot, ball_px: is_hand)
    caller.aim(GROUND, seats())
    steady = SteadyBoard()
    told: list[Event] = []
    for k in range(round(until_s * 10)):
        t_s = k / 10
        for throw in throws:
            if throw.end_s <= t_s < throw.end_s + 0.1:
                caller.add(throw)
        holes = after if t_s > throws[-1].end_s else {}
        readings = (HoleReading(hole=h.name, colour=holes.get(h.name), share=1.0, is_covered=False) for h in HOLES)
        steady.update(BoardReading(holes=tuple(readings), loose=()))
        told += caller.look(t_s, steady, motion_of([], t_s, GROUND), is_last=False)
    return told


def test_what_a_hand_did_before_a_throw_is_told_before_it() -> None:
    caller = Caller(lambda from_s, to_s, spot, ball_px: True)
    caller.aim(GROUND, seats())
    steady = SteadyBoard()

    def look(t_s: float, **holes: str) -> tuple[Event, ...]:
        readings = (HoleReading(hole=h.name, colour=holes.get(h.name), share=1.0, is_covered=False) for h in HOLES)
        steady.update(BoardReading(holes=tuple(readings), loose=()))
        return caller.look(t_s, steady, motion_of([], t_s, GROUND), is_last=False)

    for k in range(3):
        look(k / 10, A1="red", B3="blue")
    for k in range(4):
        look(0.5 + k / 10, A1="red")
    caller.add(thrown("green", "C3", met="C3", start_s=1.0))
    told = [event for k in range(9) for event in look(2.0 + k / 10, A1="red", C3="green")]
    taken = next(event for event in told if isinstance(event, Removed))
    threw = next(event for event in told if isinstance(event, Shot))
    assert told.index(taken) < told.index(threw)
    assert taken.balls == (BallAt(colour="blue", at="B3"),)
    assert taken.stamp.review is None
    assert threw.moved == ()


def blob(colour: str) -> Blob:
    return Blob(
        colour=colour,
        x_px=100.0,
        y_px=100.0,
        radius_px=12.0,
        length_px=12.0,
        width_px=12.0,
        share=1.0,
        at_border=False,
    )


def test_a_knocked_ball_that_has_left_the_board_for_good_is_not_waited_for() -> None:
    camera = GROUND.table.camera
    board_z_mm = GROUND.board_z_mm

    def knocked(*places_mm: tuple[float, float]) -> Track:
        pixels = camera.to_px(np.array([(x, y, board_z_mm) for x, y in places_mm]))
        sightings = [
            Sighting(index=k, t_s=k / 60, blob=replace(blob("blue"), x_px=float(x), y_px=float(y)))
            for k, (x, y) in enumerate(pixels)
        ]
        track = Track(sightings[0], lay_before=True)
        track.sightings = sightings
        return track

    def is_waited_for(track: Track) -> bool:
        return motion_of([track], track.last.t_s, GROUND).is_knocked

    assert is_waited_for(knocked((0.0, 0.0), (100.0, 0.0), (180.0, 0.0)))
    assert not is_waited_for(knocked((0.0, 0.0), (200.0, 0.0), (400.0, 0.0)))
    assert is_waited_for(knocked((0.0, 0.0), (400.0, 0.0), (300.0, 0.0)))
