"""Balls that came to rest on the board though no flight of theirs was read, and those that hands put there."""

import numpy as np
import pytest

from referee.vision.arrivals import ARRIVED, read_arrival
from referee.vision.blobs import Blob
from referee.vision.kinds import BallKind
from referee.vision.throws import Throw
from referee.vision.tracks import Sighting, Track
from referee.vision.trust import trust_in
from referee.vision.veil import Veil
from tests.vision.scene import HEIGHT_PX, RADIUS_MM, TOP_MM, WIDTH_PX, table

RED = BallKind(name="red", colour="red", radius_mm=RADIUS_MM)
RATE_HZ = 60.0
HAND_PX = 40


def arrived(*, from_mm: float = -400.0, to_mm: float = 20.0, held_until_s: float = 0.3) -> Throw | None:
    """Read a ball that comes over the board's south side, slower and slower, and rests after a second."""
    scene, veil, sightings = table(), Veil(), []
    for k in range(90):
        t_s = k / RATE_HZ
        y_mm = to_mm + (from_mm - to_mm) * max(0.0, 1.0 - t_s) ** 2
        place = np.array([[0.0, y_mm, TOP_MM + RADIUS_MM]])
        (x_px, y_px), radius_px = scene.camera.to_px(place)[0], float(scene.camera.radius_px(place, RADIUS_MM)[0])
        changed = np.zeros((HEIGHT_PX // 2, WIDTH_PX // 2), np.bool_)
        if t_s < held_until_s:
            row, column = int(y_px) // 2, int(x_px) // 2
            changed[max(0, row - HAND_PX) : row + HAND_PX, max(0, column - HAND_PX) : column + HAND_PX] = True
        veil.add(1.0 + t_s, changed)
        blob = Blob(
            colour="red",
            x_px=float(x_px),
            y_px=float(y_px),
            radius_px=radius_px,
            length_px=radius_px,
            width_px=radius_px,
            share=1.0,
            at_border=False,
        )
        sightings.append(Sighting(index=k, t_s=1.0 + t_s, blob=blob))
    track = Track(sightings[0], lay_before=False)
    track.sightings = sightings
    return read_arrival(track, scene, [RED], veil)


def test_a_ball_that_comes_to_rest_by_itself_is_a_throw_to_look_at() -> None:
    throw = arrived()
    assert throw is not None
    assert throw.side == "south"
    assert throw.rests
    assert throw.flight.touched_board
    assert all(contact.is_inferred for contact in throw.flight.contacts)
    assert trust_in(throw).review == ARRIVED


@pytest.mark.parametrize(
    "how",
    [{"held_until_s": 2.0}, {"from_mm": -60.0}, {"to_mm": -230.0}],
    ids=["carried", "from on the board", "to beside the board"],
)
def test_a_ball_that_was_carried_or_did_not_come_onto_the_board_was_not_thrown(how: dict[str, float]) -> None:
    assert arrived(**how) is None
