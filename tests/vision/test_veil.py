"""What may have hidden a ball a moment ago."""

import numpy as np

from referee.vision.veil import KEPT_S, Spot, Veil


def mask(*, changed: bool) -> np.ndarray:
    out = np.zeros((180, 320), np.bool_)
    out[80:120, 100:160] = changed
    return out


def test_a_ball_can_hide_where_the_picture_changed_then() -> None:
    veil = Veil()
    veil.add(0.0, mask(changed=False))
    veil.add(0.1, mask(changed=True))
    assert veil.could_hide(0.1, 260.0, 200.0)
    assert not veil.could_hide(0.1, 260.0, 40.0)
    assert not veil.could_hide(0.0, 260.0, 200.0)


def test_a_picture_may_be_taken_in_after_later_ones() -> None:
    veil = Veil()
    for t_s, changed in ((0.0, False), (0.2, False), (0.1, True)):
        veil.add(t_s, mask(changed=changed))
    assert [veil.could_hide(t_s, 260.0, 200.0) for t_s in (0.0, 0.1, 0.2)] == [False, True, False]


def test_outside_the_picture_everything_is_hidden() -> None:
    veil = Veil()
    veil.add(0.0, mask(changed=False))
    assert veil.could_hide(0.0, -5.0, 100.0)
    assert veil.could_hide(0.0, 300.0, 361.0)


def test_what_is_forgotten_hides_nothing() -> None:
    veil = Veil()
    for t_s in (0.0, KEPT_S / 2, KEPT_S + 0.1):
        veil.add(t_s, mask(changed=True))
    assert not veil.could_hide(0.0, 260.0, 200.0)
    assert not veil.could_hide(KEPT_S + 1.0, 260.0, 200.0)
    assert veil.could_hide(KEPT_S / 2, 260.0, 200.0)


def test_what_moves_is_a_hand_where_it_is_much_larger_than_a_ball() -> None:
    veil = Veil()
    veil.add(0.0, mask(changed=True))
    assert veil.is_hand(0.0, 260.0, 200.0, 12.0)
    assert not veil.is_hand(0.0, 260.0, 200.0, 60.0)
    assert not veil.is_hand(0.0, 500.0, 200.0, 12.0)


def test_a_hand_is_at_a_round_place_not_at_the_square_around_it() -> None:
    veil = Veil()
    veil.add(0.0, mask(changed=True))
    beside, above = Spot(x_px=354.0, y_px=200.0, radius_px=40.0), Spot(x_px=354.0, y_px=274.0, radius_px=40.0)
    assert veil.hand_was_at(0.0, 1.0, beside, 12.0)
    assert not veil.hand_was_at(0.0, 1.0, above, 12.0)


def test_a_hand_is_found_at_the_edge_of_the_picture() -> None:
    veil = Veil()
    changed = np.zeros((180, 320), np.bool_)
    changed[:30, :40] = True
    veil.add(0.0, changed)
    assert veil.is_hand(0.0, -4.0, 30.0, 12.0)
    assert not veil.is_hand(0.0, 639.0, 359.0, 12.0)


def test_a_hand_that_came_later_is_found_when_asked_again() -> None:
    veil = Veil()
    place = Spot(x_px=260.0, y_px=200.0, radius_px=12.0)
    veil.add(0.0, mask(changed=False))
    assert not veil.hand_was_at(0.0, 1.0, place, 12.0)
    veil.add(0.5, mask(changed=True))
    assert veil.hand_was_at(0.0, 1.0, place, 12.0)
    assert not veil.hand_was_at(0.0, 0.4, place, 12.0)
    assert veil.hand_was_at(2.0, 3.0, place, 12.0)


def test_a_ball_beside_a_hand_is_not_the_hand() -> None:
    veil = Veil()
    changed = mask(changed=True)
    changed[90:100, 200:210] = True
    veil.add(0.0, changed)
    assert not veil.is_hand(0.0, 410.0, 190.0, 12.0)
    changed[92:100, 155:205] = True
    veil.add(0.1, changed)
    assert veil.is_hand(0.1, 410.0, 190.0, 12.0)
