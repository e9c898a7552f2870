"""Balls that were rolled at the board, and what only looks like that."""

from referee.vision.rolls import read_roll
from referee.vision.throws import Throw
from referee.vision.trust import trust_in
from tests.vision.rolling import RATE_HZ, RED, followed
from tests.vision.scene import RADIUS_MM, table

SIDE_MM = -150.0 - RADIUS_MM


def rolled(
    *,
    speed_mm_s: float = 900.0,
    back_mm_s: float = 150.0,
    start_mm: float = -330.0,
    hop_mm: float = 0.0,
    aside_mm: float = 0.0,
    held: tuple[float, float] = (-0.2, 0.0),
) -> Throw | None:
    """Read a ball that rolls to the board's south side, or hops in steps of a tenth of a second, and then away from it.
    ``held``: from when to when, after the first sighting, a hand is at it."""
    scene = table()
    knock_s = (SIDE_MM - start_mm) / speed_mm_s

    def place_mm(t_s: float) -> tuple[float, float, float]:
        y_mm = start_mm + speed_mm_s * min(t_s, knock_s) - back_mm_s * max(0.0, t_s - knock_s)
        up_mm = hop_mm * 4 * (share := t_s % 0.1 / 0.1) * (1 - share) if t_s < knock_s else 0.0
        return aside_mm, y_mm, RADIUS_MM + up_mm

    frames = range(-30, round((knock_s + 0.6) * RATE_HZ))
    track, veil = followed(scene, frames, place_mm, lambda t_s: held[0] <= t_s <= held[1])
    return read_roll(track, scene, [RED], veil)


def test_a_ball_rolled_or_skipped_against_the_board_is_a_throw_to_look_at() -> None:
    for hop_mm in (0.0, 12.0):
        throw = rolled(hop_mm=hop_mm)
        assert throw is not None
        assert throw.side == "south"
        assert throw.flight.touched_board
        assert throw.flight.table_bounces == 2
        knock = throw.flight.contacts[-1]
        assert abs(knock.t_s - 1.0 - (SIDE_MM + 330.0) / 900.0) < 1.5 / RATE_HZ
        assert abs(knock.y_mm + 150.0) < 15.0
        assert trust_in(throw).review == "the ball rolled or hopped low to the board: its bounces can't be counted"


def test_a_ball_that_a_hand_goes_along_with_or_that_is_slow_was_not_thrown() -> None:
    assert rolled(held=(-0.2, 0.5)) is None
    assert rolled(speed_mm_s=250.0) is None


def test_a_ball_that_no_hand_was_near_was_not_thrown() -> None:
    assert rolled(held=(2.0, 2.0)) is None


def test_a_ball_that_rolls_away_from_the_board_or_past_it_did_not_come_to_it() -> None:
    assert rolled(start_mm=SIDE_MM, back_mm_s=900.0) is None
    assert rolled(aside_mm=230.0, back_mm_s=-900.0) is None


def test_what_goes_on_over_the_board_did_not_roll_against_its_side() -> None:
    assert rolled(back_mm_s=-900.0) is None
