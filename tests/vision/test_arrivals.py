"""Balls that came to rest on the board though no flight of theirs was read, and those that hands put there."""

from dataclasses import replace
from typing import Any

import pytest

from referee.vision.arrivals import ARRIVED, read_arrival
from referee.vision.throws import Throw
from referee.vision.trust import trust_in
from tests.vision.rolling import RED, followed
from tests.vision.scene import RADIUS_MM, TOP_MM, table


def arrived(
    *, from_mm: float = -400.0, to_mm: float = 20.0, held_until_s: float = 0.3, frayed_from: int = 90
) -> Throw | None:
    """Read a ball that comes over the board's south side, slower and slower, and rests after a second."""
    scene = table()

    def place_mm(t_s: float) -> tuple[float, float, float]:
        return 0.0, to_mm + (from_mm - to_mm) * max(0.0, 1.0 - t_s) ** 2, TOP_MM + RADIUS_MM

    track, veil = followed(scene, range(90), place_mm, lambda t_s: t_s < held_until_s)
    track.sightings[frayed_from:] = [replace(s, blob=replace(s.blob, share=0.0)) for s in track.sightings[frayed_from:]]
    return read_arrival(track, scene, [RED], veil)


def test_a_ball_that_comes_to_rest_by_itself_is_a_throw_to_look_at() -> None:
    throw = arrived()
    assert throw is not None
    assert throw.side == "south"
    assert throw.rests
    assert throw.flight.touched_board
    assert all(contact.is_inferred for contact in throw.flight.contacts)
    assert trust_in(throw).review == ARRIVED


def test_a_ball_that_fades_into_a_board_of_nearly_its_colour_still_came_there() -> None:
    assert arrived(frayed_from=12) is not None


@pytest.mark.parametrize(
    "how",
    [{"held_until_s": 2.0}, {"from_mm": -60.0}, {"to_mm": -230.0}],
    ids=["carried", "from on the board", "to beside the board"],
)
def test_a_ball_that_was_carried_or_did_not_come_onto_the_board_was_not_thrown(how: dict[str, Any]) -> None:
    assert arrived(**how) is None
