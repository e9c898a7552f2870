"""Frames to events on a rendered scene: what is called, and what isn't."""

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.errors import BadCalibration
from hardware.frame import Frame, Plane
from referee.events import BallAt, Event, InHole, Placed, Removed, SeenBoard, SeenBounce, Shot
from referee.vision.background import Background
from referee.vision.watcher import GLANCE_S, READ_S, BallWatcher
from tests.pictures import frame_of_bgr
from tests.vision.scene import RADIUS_MM, TOP_MM, picture, seat_mm, table, throw

RATE_HZ = 50.0
LYING = ("blue", seat_mm("A1"))


def watch(balls_by_frame: list[list[tuple[str, tuple[float, float, float]]]]) -> tuple[Event, ...]:
    scene = table()
    watcher, events = BallWatcher(scene), list[Event]()
    for index, balls in enumerate(balls_by_frame):
        events += watcher.feed(frame_of_bgr(picture(scene, balls), index, index / RATE_HZ))
    return (*events, *watcher.finish())


def thrown_into(hole: str) -> list[list[tuple[str, tuple[float, float, float]]]]:
    """Nothing happens, then a red ball bounces once on the table and comes to lie in a hole, then nothing happens."""
    flight = throw(start_mm=(60.0, -420.0, 250.0), speed_mm_s=(-60.0, 720.0, -1200.0), rate_hz=RATE_HZ, duration_s=0.8)
    path = [("red", (float(x), float(y), float(z))) for x, y, z in flight.places_mm]
    _, (x, y, _) = path[-1]
    goal = seat_mm(hole)
    rolling = [
        ("red", (x + (goal[0] - x) * s, y + (goal[1] - y) * s, TOP_MM + RADIUS_MM if s < 1 else goal[2]))
        for s in np.linspace(0.1, 1.0, 10)
    ]
    before, after = [[LYING]] * 25, [[LYING, ("red", goal)]] * 60
    return before + [[LYING, ball] for ball in path + rolling] + after


def test_a_throw_is_called_with_its_bounce_and_its_hole() -> None:
    events = watch(thrown_into("C3"))
    (placed,) = [event for event in events if isinstance(event, Placed)]
    assert placed.balls == (BallAt(colour="blue", at="A1"),)
    (shot,) = [event for event in events if isinstance(event, Shot)]
    assert (shot.colour, shot.table_bounces, shot.side, shot.result) == ("red", 1, "south", InHole(hole="C3"))
    assert shot.moved == ()
    assert shot.stamp.t_s == pytest.approx(0.5, abs=0.1)
    surfaces = [event.surface for event in events if isinstance(event, SeenBounce)]
    assert surfaces[:2] == ["table", "board"]
    boards = [dict(event.holes) for event in events if isinstance(event, SeenBoard)]
    assert boards == [{"A1": "blue"}, {"A1": "blue", "C3": "red"}]


def test_a_ball_that_comes_off_one_of_its_colour_is_no_knocked_one() -> None:
    flight = throw(start_mm=(60.0, -420.0, 250.0), speed_mm_s=(-60.0, 720.0, -1200.0), rate_hz=RATE_HZ, duration_s=0.8)
    (met_s, _, x_mm, y_mm), goal = next(c for c in flight.contacts if c[1] == "board"), seat_mm("C3")
    comes = [("red", (float(x), float(y), float(z))) for x, y, z in flight.places_mm[: int(met_s * RATE_HZ) - 1]]
    z_mm, off = TOP_MM + RADIUS_MM, 1.3 * RADIUS_MM
    goes = [
        ("red", (x_mm + off + (goal[0] - x_mm - off) * s, y_mm + off + (goal[1] - y_mm - off) * s, z_mm))
        for s in np.linspace(0.0, 0.95, 20)
    ]
    lies = ("red", (x_mm, y_mm, z_mm))
    # While it is at the other, something hides it.
    shown = [[lies]] * 25 + [[lies, ball] for ball in comes] + [[lies]] * 5 + [[lies, ball] for ball in goes]
    events = watch([*shown, *[[lies, ("red", goal)]] * 60])
    (shot,) = [event for event in events if isinstance(event, Shot)]
    assert (shot.colour, shot.result, shot.moved) == ("red", InHole(hole="C3"), ())


def taken_away(*, hand_frames: int) -> tuple[Event, ...]:
    """A hand lies over hole A1 for so many frames; after that the ball in it is gone."""
    scene = table()
    watcher, events = BallWatcher(scene), list[Event]()
    x, y = scene.camera.to_px(np.array([seat_mm("A1")]))[0].astype(int)
    for index in range(150):
        image = picture(scene, [LYING] if index < 30 + hand_frames else [])
        if 30 <= index < 30 + hand_frames:
            image[y - 60 :, x - 60 : x + 60] = (150, 170, 210)
        events += watcher.feed(frame_of_bgr(image, index, index / RATE_HZ))
    return (*events, *watcher.finish())


@pytest.mark.parametrize("hand_frames", [0, 20])
def test_a_ball_taken_away_is_removed_and_no_shot(hand_frames: int) -> None:
    events = taken_away(hand_frames=hand_frames)
    assert not [event for event in events if isinstance(event, Shot)]
    (removed,) = [event for event in events if isinstance(event, Removed)]
    assert removed.balls == (BallAt(colour="blue", at="A1"),)
    assert (removed.stamp.review is None) == (hand_frames > 0)


def test_a_ball_in_a_hole_is_called_within_0_3_s_of_its_rest() -> None:
    scene, watcher = table(), BallWatcher(table())
    frames = thrown_into("C3")
    rest_s = (len(frames) - 60) / RATE_HZ
    for index, balls in enumerate(frames):
        if any(
            isinstance(event, Shot)
            for event in watcher.feed(frame_of_bgr(picture(scene, balls), index, index / RATE_HZ))
        ):
            assert index / RATE_HZ - rest_s <= 0.3
            return
    pytest.fail("no shot was called")


def test_nothing_happening_is_one_look_at_the_board() -> None:
    events = watch([[]] * 60)
    assert [type(event) for event in events] == [SeenBoard]


def looked_at(
    frames: list[list[tuple[str, tuple[float, float, float]]]], monkeypatch: pytest.MonkeyPatch
) -> set[float]:
    """The times of those pictures that are looked at."""
    times_s, look = set[float](), Background.changed

    def note(background: Background, frame: Frame, luma_half: Plane) -> NDArray[np.bool_]:
        times_s.add(frame.t_s)
        return look(background, frame, luma_half)

    monkeypatch.setattr(Background, "changed", note)
    watch(frames)
    return times_s


def test_a_still_scene_is_looked_at_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    times_s = looked_at([[LYING]] * 60, monkeypatch)
    assert len(times_s) < 30
    assert np.diff(sorted(times_s)).max() < GLANCE_S + 1 / RATE_HZ


def test_all_pictures_of_a_throw_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = thrown_into("C3")
    thrown = range(25, len(frames) - 60)
    assert {index / RATE_HZ for index in thrown} <= looked_at(frames, monkeypatch)


def test_a_throw_after_a_still_scene_is_read_as_if_every_picture_had_been_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_and_then = watch(thrown_into("C3"))
    monkeypatch.setattr("referee.vision.watcher.GLANCE_S", 0.0)
    assert now_and_then == watch(thrown_into("C3"))


def test_pictures_wait_longer_where_nothing_can_be_called_and_no_call_comes_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frames, look = thrown_into("C3"), BallWatcher._look_at_waiting

    def watched() -> tuple[list[float], list[tuple[float, Event]]]:
        """When pictures were looked at, and which throws were called when."""
        scene, watcher = table(), BallWatcher(table())
        looks_s, calls = list[float](), list[tuple[float, Event]]()

        def note(watcher: BallWatcher) -> tuple[Event, ...]:
            looks_s.append(watcher._waiting[-1].frame.t_s)
            return look(watcher)

        monkeypatch.setattr(BallWatcher, "_look_at_waiting", note)
        for index, balls in enumerate(frames):
            events = watcher.feed(frame_of_bgr(picture(scene, balls), index, index / RATE_HZ))
            calls += [(index / RATE_HZ, event) for event in events if isinstance(event, Shot)]
        return looks_s, calls

    looks_s, calls = watched()
    assert 2 * READ_S <= np.diff(looks_s).max() <= 2 * (READ_S + 1 / RATE_HZ)
    monkeypatch.setattr(BallWatcher, "_can_nothing_end", lambda *_: False)
    often_s, same_calls = watched()
    assert len(looks_s) < 0.7 * len(often_s)
    assert (len(calls), calls) == (1, same_calls)


def test_the_same_frames_give_the_same_events() -> None:
    assert watch(thrown_into("B2")) == watch(thrown_into("B2"))


def test_pictures_of_another_size_are_refused() -> None:
    small = np.zeros((90, 160), np.uint8)
    half = np.full((45, 80), 128, np.uint8)
    with pytest.raises(BadCalibration, match="calibrate again"):
        BallWatcher(table()).feed(Frame(index=0, t_s=0.0, y=small, u=half, v=half))
