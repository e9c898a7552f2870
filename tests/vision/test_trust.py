"""How sure a reading is, and when somebody is asked to look."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from referee.vision.contacts import Contact
from referee.vision.flight import Flight
from referee.vision.kinds import BallKind, kind_by_size
from referee.vision.throws import Throw
from referee.vision.trust import HIDDEN_CONFIDENCE, LEAST_SURE, sureness, trust_in

SIZES = tuple(
    BallKind(name=f"orange-{name}", colour="orange", radius_mm=radius_mm)
    for name, radius_mm in (("small", 13.0), ("medium", 17.0), ("large", 21.0))
)


def contact(*, surface: Any = "table", is_inferred: bool = False) -> Contact:
    return Contact(
        t_s=1.0,
        surface=surface,
        x_mm=0.0,
        y_mm=-300.0,
        z_mm=17.0,
        before_mm_s=(0.0, 500.0, -2000.0),
        after_mm_s=(0.0, 480.0, 1400.0),
        margin=500.0,
        is_inferred=is_inferred,
    )


def throw(*, sureness: float = 1.0, first_is_inferred: bool = False, **flight: Any) -> Throw:
    known: dict[str, Any] = {
        "margin": 500.0,
        "rival_bounces": 0,
        "is_start_open": False,
        "cost_per_sample": 1.0,
        "lead_cost": 1.0,
        "contacts": (contact(is_inferred=first_is_inferred), contact(surface="board")),
    }
    return Throw(
        kind=SIZES[1],
        flight=Flight(
            start_s=0.8,
            end_s=1.6,
            start_mm=(0.0, -400.0, 200.0),
            **(known | flight),
        ),
        side="south",
        sightings=(),
        end_s=2.0,
        end_px=(100.0, 100.0),
        end_radius_px=10.0,
        rests=True,
        is_gone=False,
        sureness=sureness,
    )


def test_a_throw_that_only_one_reading_explains_is_sure() -> None:
    trust = trust_in(throw())
    assert trust.review is None
    assert trust.confidence > 0.95


def test_a_bounce_that_was_inferred_is_less_sure_but_not_asked_about() -> None:
    trust = trust_in(throw(first_is_inferred=True))
    assert (trust.confidence, trust.review) == (HIDDEN_CONFIDENCE, None)


def test_two_counts_that_explain_the_pixels_alike_are_both_named() -> None:
    trust = trust_in(throw(margin=4.0, rival_bounces=2))
    assert trust.confidence < LEAST_SURE
    assert trust.review == "one bounce on the table, or 2: hard to tell"


def test_the_same_margin_tells_less_where_pixels_are_explained_badly() -> None:
    assert trust_in(throw(margin=40.0)).review is None
    assert trust_in(throw(margin=40.0, cost_per_sample=5.0)).review is not None


def test_a_ball_that_came_into_view_rising_is_asked_about() -> None:
    trust = trust_in(throw(is_start_open=True))
    assert trust.review is not None
    assert "may have bounced" in trust.review


def test_a_size_between_two_is_asked_about() -> None:
    trust = trust_in(throw(sureness=0.6))
    assert trust.review is not None
    assert trust.confidence == pytest.approx(0.6)


def test_confidence_grows_with_the_margin() -> None:
    assert sureness(0.0) == 0.5
    assert sureness(-10.0) == 0.5
    assert sureness(10.0) < sureness(50.0) < sureness(1e6) < 1.0


@pytest.mark.parametrize("share", [0.94, 0.98, 1.03])
@pytest.mark.parametrize("kind", SIZES, ids=lambda kind: kind.name)
def test_balls_of_one_colour_are_told_apart_by_size(kind: BallKind, share: float) -> None:
    seen_mm = kind.radius_mm * share * np.array([0.97, 1.0, 1.02, 1.0, 0.99])
    found, sure = kind_by_size(SIZES, seen_mm, ())
    assert found is kind
    assert sure > 0.8


def test_a_ball_that_lies_on_the_board_is_hardly_the_one_thrown() -> None:
    between = np.full(5, 0.98 * 15.2)
    assert kind_by_size(SIZES, between, ("orange-small",))[0].name == "orange-medium"
    assert kind_by_size(SIZES, between, ("orange-medium",))[0].name == "orange-small"


def test_a_ball_lost_in_flight_or_one_that_fits_no_flight_is_asked_about() -> None:
    assert "lost in flight" in (trust_in(replace(throw(), is_whole=False)).review or "")
    assert "fits no flight" in (trust_in(throw(lead_cost=7.0)).review or "")


@pytest.mark.parametrize(
    ("surfaces", "is_asked"),
    [(("table",), True), (("table", "table"), False), (("table", "board"), False)],
    ids=["once", "twice", "after the board"],
)
def test_a_ball_that_left_the_picture_may_have_bounced_once_more(surfaces: tuple[str, ...], is_asked: bool) -> None:
    left = replace(throw(contacts=tuple(contact(surface=surface) for surface in surfaces)), leaves_view=True)
    assert ("left the picture" in (trust_in(left).review or "")) == is_asked


@pytest.mark.parametrize(("end_s", "is_asked"), [(1.65, False), (1.8, True)])
def test_a_miss_that_was_seen_on_after_its_flight_may_have_bounced_again(end_s: float, is_asked: bool) -> None:
    went_on = replace(throw(contacts=(contact(),)), end_s=end_s)
    assert ("went on" in (trust_in(went_on).review or "")) == is_asked
