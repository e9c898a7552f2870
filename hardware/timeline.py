"""Times of pictures: the source's own clock, mended where it is missing or runs backwards."""

from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Timeline:
    """Turns the time stamps of a recording, in the order shown, into seconds since the first picture, ever growing.

    A stamp that is missing or not later than the one before is replaced by one picture's duration. Where the clock was
    set back for good (two recordings glued together), the later stamps go on from there.
    """

    period_s: float
    mended: int = 0
    _first_s: float | None = None
    _last_s: float = 0.0
    _set_back_s: float = 0.0
    _started: bool = False

    def next_s(self, stamp_s: float | None) -> float:
        """The time of the next picture, given its stamp in seconds (None: it has none)."""
        expected_s = self._last_s + self.period_s if self._started else 0.0
        t_s = expected_s if stamp_s is None else self._read(stamp_s, expected_s)
        if stamp_s is None:
            self.mended += 1
        self._started = True
        self._last_s = t_s
        return t_s

    @property
    def ends_s(self) -> float:
        """When the last picture ends."""
        return self._last_s + self.period_s if self._started else 0.0

    def _read(self, stamp_s: float, expected_s: float) -> float:
        if self._first_s is None:
            self._first_s = stamp_s - expected_s
        since_start_s = stamp_s - self._first_s
        candidates = [t_s for t_s in (since_start_s, since_start_s + self._set_back_s) if self._is_later(t_s)]
        if candidates:
            return min(candidates, key=lambda t_s: abs(t_s - expected_s))
        self.mended += 1
        self._set_back_s = expected_s - since_start_s
        return expected_s

    def _is_later(self, t_s: float) -> bool:
        return t_s > self._last_s or not self._started
