"""What lies in a pit is known by what came in, not by what can be seen of it."""

import pytest

from referee.vision.loose import Loose
from referee.vision.pits import came_and_left, with_hidden
from referee.vision.steady import BoardState


def ball(name: str, *, x_px: float = 100.0) -> Loose:
    return Loose(colour=name.partition("-")[0], ball=name, x_px=x_px, y_px=50.0, x_mm=0.0, y_mm=0.0, hole="A1")


def names(state: BoardState) -> list[str]:
    return [loose.ball for loose in state.loose]


@pytest.mark.parametrize(
    ("seen", "lying"),
    [
        ([], ["orange-small", "blue"]),
        (["blue"], ["orange-small", "blue"]),
        (["orange-large", "blue"], ["orange-small", "blue"]),
        (["orange-large", "orange-medium", "blue"], ["orange-small", "blue", "orange-medium"]),
    ],
)
def test_balls_in_a_pit_stay_under_their_names(seen: list[str], lying: list[str]) -> None:
    before = BoardState(loose=(ball("orange-small"), ball("blue")))
    now = BoardState(loose=tuple(ball(name) for name in seen))
    assert names(with_hidden(now, before, lambda pit: False)) == lying


def test_a_ball_in_a_pit_is_where_it_is_seen_last() -> None:
    (lying,) = with_hidden(
        BoardState(loose=(ball("blue", x_px=140.0),)), BoardState(loose=(ball("blue"),)), lambda pit: False
    ).loose
    assert lying.x_px == 140.0


def test_a_pit_that_looks_empty_after_a_hand_was_there_is_empty() -> None:
    before = BoardState(loose=(ball("orange-small"), ball("blue")))
    assert names(with_hidden(BoardState(), before, lambda pit: True)) == []
    assert names(with_hidden(BoardState(loose=(ball("blue"),)), before, lambda pit: True)) == ["orange-small", "blue"]


@pytest.mark.parametrize(("hand_s", "is_read"), [((1.0, 2.0), True), ((1.0, 4.9), False), ((6.0, 6.0), False)])
def test_a_pit_is_read_again_when_the_hand_has_left_it(hand_s: tuple[float, float], is_read: bool) -> None:
    def hand_was_there(since_s: float, until_s: float) -> bool:
        return since_s <= hand_s[1] and hand_s[0] <= until_s

    assert came_and_left(hand_was_there, 0.0, 5.0) is is_read
    assert not came_and_left(hand_was_there, 4.9, 5.0)
