"""Balls in play at once that come to each other, as their throws are told."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from referee.vision.contacts import Contact
from referee.vision.ground import Surface
from referee.vision.kinds import BallKind
from referee.vision.meetings import after_collisions, is_told_by, may_be_swapped
from referee.vision.throws import Throw
from referee.vision.tracks import Sighting, Track
from referee.vision.trust import trust_in
from tests.vision.rolling import RED, flown
from tests.vision.test_caller import blob

BLUE = BallKind(name="blue", colour="blue", radius_mm=RED.radius_mm)


def knock(t_s: float, surface: Surface) -> Contact:
    return Contact(
        t_s=t_s,
        surface=surface,
        x_mm=0.0,
        y_mm=0.0,
        z_mm=0.0,
        before_mm_s=(0.0, 500.0, -800.0),
        after_mm_s=(0.0, 400.0, 500.0),
        margin=500.0,
    )


def thrown(kind: BallKind, knocks: Sequence[Contact], *, apart_px: float = 0.0) -> Throw:
    """A throw that is seen from 0 s on for 2 s, at one place in the picture, and in flight for the first."""
    sightings = [
        Sighting(index=k, t_s=k / 60, blob=replace(blob(kind.colour), x_px=100.0 + apart_px)) for k in range(120)
    ]
    return Throw(
        kind=kind,
        flight=flown(knocks),
        side="south",
        sightings=sightings,
        end_s=2.0,
        end_px=(100.0 + apart_px, 100.0),
        end_radius_px=12.0,
        rests=True,
        is_gone=False,
        sureness=1.0,
    )


def meeting(other: Throw, *, from_s: float, until_s: float) -> Throw:
    """The other throw, seen only between two times: then it is where it meets the first."""
    return replace(other, sightings=[s for s in other.sightings if from_s <= s.t_s <= until_s])


def told(
    knocks: Sequence[Contact], *, others_knock_s: float = 0.6, apart_px: float = 30.0, is_called: bool = False
) -> Throw:
    """What is told of a throw that another ball, in the air until a time, is beside around 0.5 s; ``is_called``: the
    other was called before."""
    first = thrown(RED, knocks)
    other = thrown(BLUE, [knock(others_knock_s, "board")], apart_px=apart_px)
    other = meeting(other, from_s=0.45, until_s=0.55)
    return (after_collisions([first], [other]) if is_called else after_collisions([first, other]))[0]


def test_a_knock_on_another_ball_in_the_air_is_none_on_the_board() -> None:
    throw = told([knock(0.2, "table"), knock(0.5, "board"), knock(0.8, "table")])
    assert (throw.flight.table_bounces, throw.flight.touched_board) == (2, False)
    assert trust_in(throw).review == "2 bounces on the table, or 1: hard to tell"


def test_a_ball_that_was_called_before_was_in_the_air_all_the_same() -> None:
    throw = told([knock(0.2, "table"), knock(0.5, "board"), knock(0.8, "table")], is_called=True)
    assert not throw.flight.touched_board


def test_a_collision_after_which_the_board_is_met_leaves_no_doubt() -> None:
    throw = told([knock(0.2, "table"), knock(0.5, "board"), knock(0.8, "board")])
    assert [contact.t_s for contact in throw.flight.contacts] == [0.2, 0.8]
    assert trust_in(throw).review is None


def test_a_bounce_inferred_from_the_way_to_a_collision_is_not_sure() -> None:
    hidden = replace(knock(0.1, "table"), is_inferred=True)
    assert told([hidden, knock(0.5, "board"), knock(0.8, "board")]).flight.is_start_open
    assert not told([hidden, knock(0.3, "board"), knock(0.5, "board")]).flight.is_start_open


def test_a_throw_of_which_nothing_is_left_without_the_collision_is_asked_about() -> None:
    throw = told([knock(0.5, "board")])
    assert throw.flight.touched_board
    assert trust_in(throw).review is not None


@pytest.mark.parametrize("how", [{"others_knock_s": 0.3}, {"apart_px": 60.0}], ids=["rolling", "away"])
def test_a_ball_on_the_board_or_elsewhere_is_no_collision(how: dict[str, Any]) -> None:
    knocks = [knock(0.2, "table"), knock(0.5, "board"), knock(0.8, "table")]
    assert told(knocks, **how).flight.contacts == tuple(knocks)


@pytest.mark.parametrize(("kind", "from_s", "expected"), [(RED, 1.2, True), (RED, 0.2, False), (BLUE, 1.2, False)])
def test_balls_that_look_alike_may_be_swapped_when_they_meet_after_their_flights(
    kind: BallKind, from_s: float, expected: bool
) -> None:
    first = thrown(RED, [knock(0.2, "table")])
    other = meeting(thrown(kind, [knock(0.2, "table")], apart_px=30.0), from_s=from_s, until_s=from_s + 0.5)
    assert may_be_swapped(first, other) == may_be_swapped(other, first) == expected


@pytest.mark.parametrize(
    ("kind", "at_s", "expected"),
    [(BLUE, 0.5, True), (BLUE, 1.5, False), (RED, 1.5, True), (RED, 0.7, False)],
    ids=["at a knock", "later", "later, alike", "between"],
)
def test_a_call_waits_for_a_ball_that_may_have_changed_it(kind: BallKind, at_s: float, expected: bool) -> None:
    other = meeting(thrown(kind, [], apart_px=30.0), from_s=at_s - 0.02, until_s=at_s + 0.02)
    track = Track(other.sightings[0], lay_before=False)
    track.sightings = list(other.sightings)
    assert is_told_by(thrown(RED, [knock(0.2, "table"), knock(0.5, "board")]), track) == expected
