"""Views that nobody calibrated: which movements hold a bounce, and which don't."""

import json
import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.events import Event, OtherEvent, SeenBounce
from referee.vision.colours import half_luma
from referee.vision.uncalibrated.bounces import find_bounces
from referee.vision.uncalibrated.movers import Mover, find_movers
from referee.vision.uncalibrated.scene import Change
from referee.vision.uncalibrated.trails import Sighting, Trail
from referee.vision.uncalibrated.watcher import UncalibratedWatcher
from tests.pictures import frame_of_bgr

SIZE_PX = (640, 360)
WIDTH_PX = 24.0
PULL_PX_S2 = 3000.0
"""A ball of 20 mm radius that is seen with 12 pixels falls so fast, within a third."""

Points = NDArray[np.float64]


def trail(
    points: Points, rate_hz: float, *, is_free: bool = True, noise_px: float = 0.3, widths_px: Points | None = None
) -> Trail:
    """Sightings of a ball at (n, 2) pixels."""
    widths = np.full(len(points), WIDTH_PX) if widths_px is None else widths_px
    seen = points + np.random.default_rng(1).normal(0.0, noise_px, points.shape)
    return Trail(
        sightings=[
            Sighting(
                index=i,
                t_s=i / rate_hz,
                mover=Mover(
                    x_px=float(x),
                    y_px=float(y),
                    length_px=float(widths[i]),
                    width_px=float(widths[i]),
                    is_free=is_free,
                    is_solid=True,
                    colour="red",
                ),
            )
            for i, (x, y) in enumerate(seen)
        ]
    )


def bouncing(rate_hz: float, duration_s: float, *, floor_px: float = 300.0, sideways: float = 250.0) -> Points:
    """A ball that is dropped before a level camera and keeps going to the right."""
    step_s, points = 1e-4, []
    x, y, down = 60.0, 60.0, 0.0
    for k in range(round(duration_s / step_s)):
        if k % round(1 / (rate_hz * step_s)) == 0:
            points.append((x, y))
        down += PULL_PX_S2 * step_s
        x, y = x + sideways * step_s, y + down * step_s
        if y > floor_px and down > 0:
            down *= -0.75
    return np.array(points)


@pytest.mark.parametrize("rate_hz", [25.0, 50.0, 100.0])
def test_each_bounce_is_found_once_between_the_frames(rate_hz: float) -> None:
    bounces = find_bounces(trail(bouncing(rate_hz, 1.3), rate_hz), SIZE_PX)

    first_s = math.sqrt(2 * 240.0 / PULL_PX_S2)
    assert [bounce.t_s for bounce in bounces] == pytest.approx([first_s, first_s * 2.5], abs=0.25 / rate_hz)
    assert bounces[0].y_px == pytest.approx(300.0, abs=6.0)
    assert all(bounce.confidence > 0.9 for bounce in bounces)


def test_a_bounce_seen_from_above_is_found_though_the_ball_goes_up_in_the_picture_all_the_time() -> None:
    focal_px, tilt = 640.0, math.radians(50.0)
    t_s = np.arange(0, 0.7, 1 / 60)
    fall_s = 0.35
    height = np.where(t_s < fall_s, 0.5 * 9.81 * (fall_s**2 - t_s**2), 0.75 * 9.81 * fall_s * (t_s - fall_s))
    height -= np.where(t_s < fall_s, 0.0, 0.5 * 9.81 * (t_s - fall_s) ** 2)
    away = 0.2 + 2.4 * t_s
    # The camera is a metre up; x to the right, y down the picture, z along the view.
    down, ahead = 1.0 - height, away
    y = down * math.cos(tilt) - ahead * math.sin(tilt)
    z = down * math.sin(tilt) + ahead * math.cos(tilt)
    points = np.column_stack([320 + focal_px * 0.1 / z, 180 + focal_px * y / z])

    (bounce,) = find_bounces(trail(points, 60.0), SIZE_PX)

    assert bounce.t_s == pytest.approx(fall_s, abs=0.005)


def test_a_ball_that_goes_away_is_pulled_less_in_the_picture_and_bounces_all_the_same() -> None:
    focal_px, radius_m, t_s = 640.0, 0.02, np.arange(0, 0.9, 1 / 60)
    fall_s, hop_s = 0.35, t_s - 0.35
    height = np.where(
        hop_s < 0, 0.5 * 9.81 * (fall_s**2 - t_s**2), 0.75 * 9.81 * fall_s * hop_s - 0.5 * 9.81 * hop_s**2
    )
    distance = 0.4 + 2.4 * t_s
    points = np.column_stack([320 + focal_px * 0.1 / distance, 180 + focal_px * (0.3 - height) / distance])

    bounces = find_bounces(trail(points, 60.0, widths_px=2 * focal_px * radius_m / distance), SIZE_PX)

    assert bounces[0].t_s == pytest.approx(fall_s, abs=0.01)


def test_a_toss_is_one_flight() -> None:
    t_s = np.arange(0, 0.9, 1 / 30)
    points = np.column_stack([100 + 150 * t_s, 320 - 1300 * t_s + PULL_PX_S2 / 2 * t_s**2])
    assert find_bounces(trail(points, 30.0), SIZE_PX) == ()


def test_what_a_hand_carries_up_and_down_does_not_bounce() -> None:
    t_s = np.arange(0, 3.0, 1 / 30)
    points = np.column_stack([300 + 120 * np.sin(1.7 * t_s), 180 - 90 * np.cos(5.0 * t_s)])
    assert find_bounces(trail(points, 30.0), SIZE_PX) == ()
    assert find_bounces(trail(bouncing(30.0, 1.3), 30.0, is_free=False), SIZE_PX) == ()


def test_a_wall_kicks_sideways() -> None:
    t_s = np.arange(0, 0.8, 1 / 60)
    x = np.where(t_s < 0.4, 100 + 800 * t_s, 420 - 600 * (t_s - 0.4))
    points = np.column_stack([x, 60 + 100 * t_s + PULL_PX_S2 / 8 * t_s**2])
    assert find_bounces(trail(points, 60.0), SIZE_PX) == ()


def test_a_pendulum_that_strikes_a_wall_does_not_bounce() -> None:
    t_s = np.arange(0, 3.0, 1 / 30)
    angle = -np.abs(0.5 * np.cos(2.9 * t_s))
    points = np.column_stack([400 + 300 * np.sin(angle), 300 * np.cos(angle)])
    assert find_bounces(trail(points, 30.0), SIZE_PX) == ()


def test_rolling_and_going_behind_something_is_no_bounce() -> None:
    t_s = np.concatenate([np.arange(0, 0.8, 1 / 30), np.arange(1.0, 1.8, 1 / 30)])
    rolled = trail(np.column_stack([600 - 300 * t_s, 200 + 4 * t_s]), 30.0)
    for sighting, t in zip(list(rolled.sightings), t_s.tolist(), strict=True):
        rolled.sightings[rolled.sightings.index(sighting)] = Sighting(index=0, t_s=t, mover=sighting.mover)
    assert find_bounces(rolled, SIZE_PX) == ()


def watch(places: list[tuple[float, float] | None], rate_hz: float, *, floor_px: int = 312) -> tuple[Event, ...]:
    """A red ball before a pale wall over a grey floor, blurred by its motion, and its shadow on the floor."""
    watcher, events = UncalibratedWatcher(), list[Event]()
    for index, place in enumerate(places):
        image = np.full((SIZE_PX[1], SIZE_PX[0], 3), (170, 185, 190), np.uint8)
        image[floor_px:] = (120, 125, 125)
        if place is not None:
            before = places[index - 1] or place
            shadow = (round(place[0]), floor_px + 14)
            cv2.ellipse(image, shadow, (14, 5), 0, 0, 360, (80, 84, 84), -1)
            blur = [
                (before[0] + s * (place[0] - before[0]), before[1] + s * (place[1] - before[1])) for s in (0.8, 0.9, 1)
            ]
            for x, y in blur:
                cv2.circle(
                    image, (round(x * 16), round(y * 16)), round(WIDTH_PX / 2 * 16), (40, 30, 190), -1, cv2.LINE_AA, 4
                )
        events += watcher.feed(frame_of_bgr(image, index=index, t_s=index / rate_hz))
    return (*events, *watcher.finish())


def test_a_clip_of_a_bouncing_ball_tells_its_bounces_and_its_track() -> None:
    events = watch([None] * 8 + [(float(x), float(y)) for x, y in bouncing(30.0, 1.3)] + [None] * 12, 30.0)

    bounces = [event for event in events if isinstance(event, SeenBounce)]
    assert [bounce.stamp.t_s for bounce in bounces] == pytest.approx([0.667, 1.267], abs=0.02)
    assert {(bounce.colour, bounce.mm, bounce.side) for bounce in bounces} == {("red", None, None)}
    tracks = [
        json.loads(event.text) for event in events if isinstance(event, OtherEvent) and event.type == "seen.track"
    ]
    assert max(track["bounces"] for track in tracks) == 2
    assert max(len(track["points"]) for track in tracks) > 30


def test_nothing_is_told_of_a_still_view() -> None:
    assert watch([None] * 30, 30.0) == ()


def movers_of(change: NDArray[np.uint8], solid: NDArray[np.uint8]) -> tuple[Mover, ...]:
    """What is seen where a blue ball is before a pale wall and these parts of the picture have changed."""
    image = np.full((SIZE_PX[1], SIZE_PX[0], 3), (170, 185, 190), np.uint8)
    cv2.circle(image, (200, 200), 24, (190, 60, 20), -1)
    frame = frame_of_bgr(image, index=0, t_s=0.0)
    return find_movers(frame, half_luma(frame), Change(any=change, solid=solid))


def test_what_compression_leaves_around_a_ball_does_not_touch_it_but_a_hand_does() -> None:
    ball = np.zeros((SIZE_PX[1] // 2, SIZE_PX[0] // 2), np.uint8)
    cv2.circle(ball, (100, 100), 12, 255, -1)
    ragged = ball.copy()
    for column, row in ((112, 96), (86, 88), (96, 112), (84, 104)):
        ragged[row : row + 3, column : column + 9] = 255
    held = ball.copy()
    cv2.rectangle(held, (108, 60), (170, 100), 255, -1)

    assert [mover.is_free for mover in movers_of(ragged, ragged)] == [True]
    assert [mover.is_free for mover in movers_of(held, held)] == [False]


def test_a_dark_hand_is_no_shadow_of_the_ball_in_it() -> None:
    ball = np.zeros((SIZE_PX[1] // 2, SIZE_PX[0] // 2), np.uint8)
    cv2.circle(ball, (100, 100), 12, 255, -1)
    with_shadow, with_hand = ball.copy(), ball.copy()
    cv2.ellipse(with_shadow, (112, 114), (16, 8), 0, 0, 360, 255, -1)
    cv2.rectangle(with_hand, (90, 20), (170, 92), 255, -1)

    assert [mover.is_free for mover in movers_of(with_shadow, ball)] == [True]
    assert [mover.is_free for mover in movers_of(with_hand, ball)] == [False]
