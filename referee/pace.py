"""Playing a recording at its real speed, by the times of its pictures."""

import time
from threading import Event
from typing import Final, Protocol

# Less than this nobody notices.
TOLERANCE_S: Final = 1.0


class Clock(Protocol):
    """A clock that never jumps, and waiting by it."""

    def now_s(self) -> float: ...

    def pause(self, seconds: float, interrupt: Event) -> None:
        """Wait that long, or until ``interrupt`` is set."""
        ...


class SteadyClock:
    """The system's monotonic clock: the wall clock may be set while a match runs."""

    def now_s(self) -> float:
        return time.monotonic()

    def pause(self, seconds: float, interrupt: Event) -> None:
        interrupt.wait(seconds)


class Pace:
    """Holds every picture back until it is due. A picture that is late goes on at once: none is left out."""

    def __init__(self, clock: Clock, interrupt: Event) -> None:
        self._clock = clock
        self._interrupt = interrupt
        self._began_s: float | None = None
        self._worst_s = 0.0

    def keep(self, t_s: float) -> None:
        """Wait until the picture of that time is due; the first one is due at once."""
        now_s = self._clock.now_s()
        if self._began_s is None:
            self._began_s = now_s - t_s
        early_s = self._began_s + t_s - now_s
        if early_s > 0:
            self._clock.pause(early_s, self._interrupt)
        self._worst_s = max(self._worst_s, -early_s)

    @property
    def warnings(self) -> tuple[str, ...]:
        """That this computer is too slow for the recording, with how far it fell behind at the worst."""
        if self._worst_s < TOLERANCE_S:
            return ()
        return (f"seeing fell {int(self._worst_s)} s behind the recording: this computer is too slow for its speed",)
