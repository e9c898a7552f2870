"""Blobs joined to tracks over time."""

from dataclasses import replace

import pytest

from referee.vision.blobs import Blob
from referee.vision.tracks import Sighting, Tracker


def blob(x_px: float, y_px: float, *, radius_px: float = 15.0, share: float = 1.0) -> Blob:
    return Blob(
        colour="red",
        x_px=x_px,
        y_px=y_px,
        radius_px=radius_px,
        length_px=radius_px,
        width_px=radius_px,
        share=share,
        at_border=False,
    )


def fed(frames: list[list[Blob]], *, rate_hz: float = 30.0) -> Tracker:
    tracker = Tracker()
    for index, blobs in enumerate(frames):
        tracker.update(index, index / rate_hz, blobs, lambda _: False)
    return tracker


def test_a_bounce_between_two_pictures_does_not_end_a_track() -> None:
    # Falls by 60 px a picture, bounces in the middle of a step, and is off again at 50 px a picture.
    falls = [[blob(200.0, 100.0 + 60.0 * k)] for k in range(4)]
    rises = [[blob(205.0, 285.0)], [blob(208.0, 235.0)], [blob(211.0, 188.0)]]
    tracker = fed([*falls, *rises])
    assert [len(track.sightings) for track in tracker.open] == [7]


def test_a_ball_that_is_seen_in_two_for_a_moment_stays_one_track() -> None:
    whole = [[blob(200.0 + 12.0 * k, 100.0)] for k in range(6)]
    parts = [[blob(268.0, 101.0), blob(288.0, 106.0, radius_px=8.0)]]
    later = [[blob(284.0, 100.0)], [blob(296.0, 100.0)], [blob(308.0, 100.0)]]
    tracker = fed([*whole, *parts, *later])
    assert max(len(track.sightings) for track in tracker.open) == 10


def test_a_ball_that_strikes_one_of_its_colour_is_not_taken_for_it() -> None:
    comes = [[blob(100.0 + 6.0 * k, 100.0)] for k in range(6)]
    both = [[replace(blob(148.0, 100.0, share=0.0), length_px=30.0)]]
    apart = [[blob(126.0 - 3.0 * k, 100.0), blob(168.0 + 6.0 * k, 100.0)] for k in range(4)]
    tracker = Tracker()
    for index, blobs in enumerate([*comes, *both, *apart]):
        tracker.update(index, index / 60, blobs, lambda b: abs(b.x_px - 162.0) < 20.0)
    thrown, struck = tracker.open
    assert (thrown.last.blob.x_px, thrown.lay_before) == (117.0, False)
    assert (struck.last.blob.x_px, struck.lay_before) == (186.0, True)


def test_balls_of_one_colour_that_cross_keep_their_tracks() -> None:
    frames = [[blob(100.0 + 20.0 * k, 100.0), blob(300.0 - 20.0 * k, 180.0)] for k in range(10)]
    tracker = fed(frames)
    assert [len(track.sightings) for track in tracker.open] == [10, 10]


def test_a_hand_does_not_hand_its_track_on_to_a_ball_beside_it() -> None:
    hand = [[blob(100.0 + 60.0 * k, 100.0, radius_px=40.0, share=0.0)] for k in range(3)]
    tracker = fed([*hand, [blob(280.0, 180.0)], [blob(285.0, 185.0)]])
    assert sorted(len(track.sightings) for track in tracker.open) == [2, 3]


def test_a_ball_that_lies_there_is_not_taken_for_one_that_was_lost_beside_it() -> None:
    tracker = Tracker()
    for index in range(4):
        tracker.update(index, index / 30, [blob(100.0 + 40.0 * index, 100.0)], lambda _: False)
    tracker.update(4, 4 / 30, [blob(220.0, 150.0)], lambda _: True)
    assert [(len(track.sightings), track.lay_before) for track in tracker.open] == [(4, False), (1, True)]


def test_noise_between_two_quick_pictures_is_no_speed() -> None:
    frames = [[blob(100.0 + 4.0 * (k % 2), 100.0)] for k in range(10)]
    assert fed(frames, rate_hz=240.0).open[0].speed_px_s < 300.0


@pytest.mark.parametrize(("step_px", "length"), [(2.5, 10), (40.0, 11)])
def test_a_hand_that_comes_to_a_slow_ball_does_not_take_its_track_along(step_px: float, length: int) -> None:
    whole = [[blob(100.0 + step_px * k, 100.0)] for k in range(8)]
    # Seen in part, as behind a box's side, before the hand is over it.
    parts = [[blob(100.0 + step_px * k, 100.0, radius_px=10.0, share=0.0)] for k in (8, 9)]
    hand = [[blob(115.0 + step_px * 10, 100.0, radius_px=40.0, share=0.0)]]
    tracker = fed([*whole, *parts, *hand])
    assert max(len(track.sightings) for track in tracker.open) == length


def test_a_ball_at_rest_lay_there_shortly_before_and_not_while_it_came() -> None:
    comes, lies = [[blob(100.0 + 10.0 * k, 100.0)] for k in range(10)], [[blob(200.0, 100.0)]] * 11
    (track,) = fed([*comes, *lies[:-1]], rate_hz=50.0).open
    assert not track.lay_at(track.last.t_s)
    track.add(Sighting(index=20, t_s=0.4, blob=lies[-1][0]))
    assert track.lay_at(0.35)
    assert not track.lay_at(0.15)
