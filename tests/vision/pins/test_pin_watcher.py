"""Films of a lane, from pictures to events."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from calibration.errors import BadCalibration
from hardware.frame import Frame
from referee.events import Event, Rack, SeenCameraMoved, SeenPins, Tap
from referee.vision.pins import lane_reader
from referee.vision.pins.lookout import LAG_S, Lookout
from referee.vision.pins.watcher import REST_S, PinWatcher
from tests.vision.pins.filmed import PLACES_MM, Place, Scene, ScriptedReader, at, table

RATE_HZ = 30.0

Script = Sequence[tuple[float, Sequence[Place], int]]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Script], None]]:
    """Let readings follow a script."""
    monkeypatch.setattr(lane_reader, "PinReader", ScriptedReader)

    def follow(script: Script) -> None:
        ScriptedReader.script = script

    yield follow
    ScriptedReader.script = ()


def events_of(scenes: Sequence[Scene]) -> list[Event]:
    watching, events, drawn = PinWatcher(table()), list[Event](), dict[Scene, Frame]()
    for index, scene in enumerate(scenes):
        if scene not in drawn:
            drawn[scene] = scene.frame()
        events += watching.feed(at(drawn[scene], index, RATE_HZ))
    return [*events, *watching.finish()]


KNOCK = (7.0, -5.0)
"""Pixels by which a knocked camera sees all shifted."""

REST = [Scene()] * 12
COMING = [Scene(arm_px=(10.0 + 20 * k, 230.0)) for k in range(7)]
STRUCK = [Scene(arm_px=(150.0, 230.0), box_mm=(2.0, 0.0), lean_mm=(lean,)) for lean in (-2.0, -12.0, -30.0)]
GOING = [Scene(arm_px=(130.0 - 30 * k, 230.0), box_mm=(2.0, 0.0), lean_mm=(-49.0,)) for k in range(5)]
DOWN = [Scene(box_mm=(2.0, 0.0), lean_mm=(-49.0,))] * 15


def test_a_blow_fells_a_pin(read: Callable[[Script], None]) -> None:
    read([(0.0, PLACES_MM, 0), (0.7, PLACES_MM[1:], 1)])
    seen, tap, after = events_of([*REST, *COMING, *STRUCK, *GOING, *DOWN])
    assert isinstance(seen, SeenPins)
    assert isinstance(tap, Tap)
    assert (tap.standing, tap.direct_touch, tap.stamp.review) == (5, False, None)
    assert tap.stamp.t_s == pytest.approx(len(REST + COMING) / RATE_HZ, abs=0.001)
    assert tap.stamp.t_end_s == pytest.approx(len(REST + COMING + STRUCK + GOING) / RATE_HZ, abs=0.2)
    assert isinstance(after, SeenPins)
    assert (after.standing, after.fallen) == (5, 1)


def test_a_pin_that_rocks_before_the_blow_was_touched(read: Callable[[Script], None]) -> None:
    read([(0.0, PLACES_MM, 0), (0.7, PLACES_MM[1:], 1)])
    rocks = [Scene(arm_px=(90.0, 230.0), lean_mm=(lean,)) for lean in (1.5, 2.6, 1.2, -1.5, -2.0, 0.0, 0.0)]
    _, tap, _ = events_of([*REST, *COMING, *rocks, *STRUCK, *GOING, *DOWN])
    assert isinstance(tap, Tap)
    assert tap.direct_touch
    assert tap.stamp.t_s == pytest.approx(len(REST + COMING) / RATE_HZ, abs=0.07)


def test_a_blow_that_follows_at_once_on_the_stick_has_its_own_time(read: Callable[[Script], None]) -> None:
    read([(0.0, PLACES_MM, 0), (0.5, PLACES_MM[1:], 1)])
    for rest in (REST, REST[1:]):
        _, tap, _ = events_of([*rest, *COMING[-1:], *STRUCK, *GOING, *DOWN])
        assert isinstance(tap, Tap)
        assert tap.stamp.t_s == pytest.approx((len(rest) + 1) / RATE_HZ, abs=0.001)


def test_pins_have_time_to_fall_after_a_blow_though_nothing_is_seen_to_move(
    read: Callable[[Script], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    read([(0.0, PLACES_MM, 0), (0.7, PLACES_MM[1:], 1)])
    monkeypatch.setattr(Lookout, "lasts", property(lambda _: False))
    struck = len(REST)
    watching = PinWatcher(table())
    scenes = [*REST, *[Scene(box_mm=(2.0, 0.0), lean_mm=(-49.0,))] * 15]
    tapped = [k for k, scene in enumerate(scenes) if Tap in map(type, watching.feed(at(scene.frame(), k, RATE_HZ)))]
    assert len(tapped) == 1
    assert (tapped[0] - struck) / RATE_HZ >= REST_S - LAG_S


def test_a_blow_that_only_shakes_the_box_is_a_tap(read: Callable[[Script], None]) -> None:
    read([(0.0, PLACES_MM, 0)])
    struck = [Scene(arm_px=(150.0, 230.0), box_mm=(0.0, 1.2))] * 4 + [Scene(box_mm=(0.0, 1.2))] * 15
    events = events_of([*REST, *COMING, *struck])
    (tap,) = [event for event in events if isinstance(event, Tap)]
    assert (tap.standing, tap.direct_touch) == (6, False)


def test_an_arm_that_passes_by_is_nothing(read: Callable[[Script], None]) -> None:
    read([(0.0, PLACES_MM, 0)])
    over = [Scene(arm_px=(40.0 * k, 150.0)) for k in (2, 4, 6, 8, 6, 4, 2)]
    assert len(events_of([*REST, *over, *REST])) == 1


@pytest.mark.parametrize("rest", [25, 11])
def test_pins_set_up_by_hand_are_a_rack_also_when_the_recording_ends(read: Callable[[Script], None], rest: int) -> None:
    five, six = PLACES_MM[:5], PLACES_MM
    read([(0.0, five, 0), (1.0, six, 0)])
    arm = (420.0, 130.0)
    setting = [Scene(places_mm=five, arm_px=arm)] * 4 + [Scene(places_mm=six, arm_px=arm)] * 4
    events = events_of([*[Scene(places_mm=five)] * 20, *setting, *[Scene()] * rest])
    (rack,) = [event for event in events if isinstance(event, Rack)]
    assert rack.standing == 6
    assert not [event for event in events if isinstance(event, Tap)]


def test_pins_set_up_in_a_row_are_read_when_the_hand_has_done(read: Callable[[Script], None]) -> None:
    four, five, six = PLACES_MM[:4], PLACES_MM[:5], PLACES_MM
    read([(0.0, four, 0), (0.9, five, 0), (1.6, six, 0)])
    over = (420.0, 130.0)
    put = [
        [Scene(places_mm=before, arm_px=over)] * 4 + [Scene(places_mm=after, arm_px=over)] * 4
        for before, after in ((four, five), (five, six))
    ]
    pause = [Scene(places_mm=five)] * 10
    events = events_of([*[Scene(places_mm=four)] * 20, *put[0], *pause, *put[1], *[Scene()] * 25])
    assert [event.standing for event in events if isinstance(event, SeenPins)] == [4, 6]
    assert [event.standing for event in events if isinstance(event, Rack)] == [6]


def seen_askew(scenes: Sequence[Scene]) -> list[Scene]:
    """Scenes as a knocked camera sees them."""
    return [replace(scene, camera_px=KNOCK) for scene in scenes]


def test_a_camera_knocked_as_the_stick_comes_loses_no_touch(read: Callable[[Script], None]) -> None:
    read([(0.0, PLACES_MM, 0), (1.0, PLACES_MM[1:], 1)])
    rocks = [Scene(arm_px=(90.0, 230.0), lean_mm=(lean,)) for lean in (1.5, 2.6, 1.2, -1.5, -2.0, 0.0, 0.0)]
    events = events_of([*REST, *seen_askew([*[Scene()] * 6, *COMING, *rocks, *STRUCK, *GOING, *DOWN])])
    assert [event for event in events if isinstance(event, SeenCameraMoved)]
    (tap,) = [event for event in events if isinstance(event, Tap)]
    assert (tap.standing, tap.direct_touch, tap.stamp.review) == (5, True, None)


def test_a_knocked_camera_is_no_blow_and_calling_goes_on(read: Callable[[Script], None]) -> None:
    read([(0.0, PLACES_MM, 0), (2.0, PLACES_MM[1:], 1)])
    later = [Scene(camera_px=KNOCK)] * 40
    events = events_of([*REST, *later, *seen_askew([*COMING, *STRUCK, *GOING, *DOWN])])
    (moved,) = [event for event in events if isinstance(event, SeenCameraMoved)]
    assert moved.px == pytest.approx(np.hypot(*KNOCK), abs=0.7)
    assert moved.recovered
    assert moved.stamp.t_s == pytest.approx(len(REST) / RATE_HZ, abs=1.0)
    (tap,) = [event for event in events if isinstance(event, Tap)]
    assert tap.standing == 5
    assert tap.stamp.t_s == pytest.approx((len(REST) + len(later) + len(COMING)) / RATE_HZ, abs=0.001)


def test_one_picture_that_seems_shifted_is_no_knocked_camera(read: Callable[[Script], None]) -> None:
    read([(0.0, PLACES_MM, 0), (0.7, PLACES_MM[1:], 1)])
    struck = [replace(STRUCK[0], camera_px=KNOCK), *STRUCK[1:]]
    events = events_of([*REST, *COMING, *struck, *GOING, *DOWN])
    assert not [event for event in events if isinstance(event, SeenCameraMoved)]
    (tap,) = [event for event in events if isinstance(event, Tap)]
    assert tap.standing == 5


def test_a_recording_that_ends_while_pins_move_leaves_a_doubtful_tap(read: Callable[[Script], None]) -> None:
    read([(0.0, PLACES_MM, 0), (0.7, PLACES_MM[1:], 1)])
    _, tap, _ = events_of([*REST, *COMING, *STRUCK])
    assert isinstance(tap, Tap)
    assert "ends" in (tap.stamp.review or "")


def test_pictures_of_another_size_are_refused() -> None:
    half = np.full((90, 160), 128, np.uint8)
    with pytest.raises(BadCalibration):
        PinWatcher(table()).feed(Frame(index=0, t_s=0.0, y=np.zeros((180, 320), np.uint8), u=half, v=half))
