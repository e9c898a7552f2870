"""A recording at its real speed: every picture when it is due, none left out when the computer is slow."""

from itertools import pairwise
from threading import Event as Flag

import pytest

from referee.pace import Pace, SteadyClock
from tests.live.scene import FakeClock


def test_pictures_come_at_the_distances_that_their_times_say() -> None:
    clock = FakeClock()
    pace = Pace(clock, Flag())
    times_s = [5.0, 5.02, 5.1, 5.5]
    shown_s = []
    for t_s in times_s:
        pace.keep(t_s)
        shown_s.append(clock.now_s())
        clock.spend(0.004)

    assert [later - earlier for earlier, later in pairwise(shown_s)] == pytest.approx([0.02, 0.08, 0.4])
    assert pace.warnings == ()


def test_late_pictures_go_on_at_once_until_the_delay_is_made_up() -> None:
    clock = FakeClock()
    pace = Pace(clock, Flag())
    pace.keep(0.0)
    clock.spend(3.5)
    pace.keep(1.0)
    pace.keep(2.0)
    assert clock.pauses_s == []
    pace.keep(4.0)
    assert clock.pauses_s == pytest.approx([0.5])
    assert pace.warnings == ("seeing fell 2 s behind the recording: this computer is too slow for its speed",)


def test_waiting_ends_when_the_match_is_stopped() -> None:
    stopped = Flag()
    stopped.set()
    SteadyClock().pause(3600.0, stopped)
