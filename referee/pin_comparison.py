"""Events of a recording of pins against the truth: taps, set-ups, and every pin at every settled moment."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from referee.alignment import align
from referee.disturbance import Found, compare_bumps
from referee.events import Event, Rack, SeenPin, SeenPins, Stamp, Tap
from referee.pin_truth import PinState, PinTruth, Span, TruePin, TrueRack, TrueTap

SAME_TAP_S: Final = 0.5
"""A blow named further off than this is another one: pins take about as long to fall, and nobody strikes before."""

SAME_RACK_S: Final = 0.5
"""How far the times of a seen set-up may lie from those of the true one: a hand takes about as long to come or go."""

STATES: Final[tuple[PinState, ...]] = ("standing", "leaning", "fallen")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTap:
    """A true tap, the tap in the log that is the same one, and what is right in it."""

    truth: TrueTap
    tap: Tap

    @property
    def stamp(self) -> Stamp:
        return self.tap.stamp

    @property
    def standing(self) -> bool:
        return self.truth.standing == self.tap.standing

    @property
    def direct_touch(self) -> bool:
        return self.truth.direct_touch == self.tap.direct_touch

    @property
    def is_right(self) -> bool:
        """Whether the rules would make the same of it."""
        return self.standing and self.direct_touch

    @property
    def time_ms(self) -> float:
        """How far off its time is: from the blow, or from the touch before it."""
        return abs((self.tap.stamp.t_s or 0.0) - self.truth.t_s) * 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRack:
    """A true set-up, the one in the log that is the same, and what is right in it."""

    truth: TrueRack
    rack: Rack

    @property
    def standing(self) -> bool:
        return self.truth.standing in (None, self.rack.standing)

    @property
    def fault(self) -> bool:
        """Whether it is rightly said to be in order, or not."""
        return bool(self.truth.problems) == bool(self.rack.problems)

    @property
    def problems(self) -> bool:
        """Whether the same kinds of problems are named, each as often; pins bear no numbers that could be compared."""
        return _kinds(self.truth.problems) == _kinds(self.rack.problems)

    @property
    def is_right(self) -> bool:
        return self.standing and self.problems


@dataclass(frozen=True, slots=True, kw_only=True)
class StateCount:
    """Pins of one state over settled moments: how many were, how many were seen, how many of these are the same."""

    true: int
    seen: int
    matched: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A settled moment and the newest reading of the pins at its end; None where there was none yet."""

    truth: Span
    seen: SeenPins | None

    @property
    def is_exact(self) -> bool:
        return self.seen is not None and self.seen.standing == self.truth.standing


@dataclass(frozen=True, slots=True, kw_only=True)
class PinComparison:
    """One recording's log against its truth.

    ``misread``: readings made while it is known what stood, moving hands included, that count something else.
    """

    found: tuple[FoundTap, ...]
    missed: tuple[TrueTap, ...]
    invented: tuple[Tap, ...]
    racks_found: tuple[FoundRack, ...]
    racks_missed: tuple[TrueRack, ...]
    racks_invented: tuple[Rack, ...]
    settled: tuple[Settled, ...]
    misread: tuple[SeenPins, ...]
    states: Mapping[PinState, StateCount]
    bumps: Found


def compare_pins(truth: PinTruth, events: Sequence[Event]) -> PinComparison:
    """Match taps and set-ups of a log with the true ones, and judge them and the readings in between."""
    taps = sorted((event for event in events if isinstance(event, Tap)), key=lambda tap: tap.stamp.t_s or 0.0)
    racks = sorted((event for event in events if isinstance(event, Rack)), key=lambda rack: _end_s(rack))
    readings = [event for event in events if isinstance(event, SeenPins)]
    tap_pairs = align(
        len(truth.taps), len(taps), lambda i, j: _nearness(_tap_gap_s(truth.taps[i], taps[j]), SAME_TAP_S)
    )
    rack_pairs = align(
        len(truth.racks), len(racks), lambda i, j: _nearness(_rack_gap_s(truth.racks[i], racks[j]), SAME_RACK_S)
    )
    settled = tuple(
        Settled(truth=span, seen=_reading_at(span.to_s, readings)) for span in truth.spans if span.is_settled
    )
    return PinComparison(
        found=tuple(FoundTap(truth=truth.taps[i], tap=taps[j]) for i, j in tap_pairs),
        missed=tuple(tap for i, tap in enumerate(truth.taps) if i not in {pair[0] for pair in tap_pairs}),
        invented=tuple(tap for j, tap in enumerate(taps) if j not in {pair[1] for pair in tap_pairs}),
        racks_found=tuple(FoundRack(truth=truth.racks[i], rack=racks[j]) for i, j in rack_pairs),
        racks_missed=tuple(rack for i, rack in enumerate(truth.racks) if i not in {pair[0] for pair in rack_pairs}),
        racks_invented=tuple(rack for j, rack in enumerate(racks) if j not in {pair[1] for pair in rack_pairs}),
        settled=settled,
        misread=tuple(reading for reading in readings if _is_misread(reading, truth.spans)),
        states={state: _count(state, settled) for state in STATES},
        bumps=compare_bumps(truth.bumps_s, events),
    )


def match_pins(true: Sequence[TruePin], seen: Sequence[SeenPin]) -> list[tuple[int, int]]:
    """Pairs (index in true, index in seen) of the same pin: the nearest first, at most a pin's width apart.

    A standing pin is where its foot is; of one that lies, any place between foot and head will do.
    """
    gaps = sorted((_gap_px(pin, other), i, j) for (i, pin), (j, other) in product(enumerate(true), enumerate(seen)))
    pairs: dict[int, int] = {}
    for gap_px, i, j in gaps:
        if gap_px <= true[i].width_px and i not in pairs and j not in pairs.values():
            pairs[i] = j
    return sorted(pairs.items())


def _count(state: PinState, settled: Sequence[Settled]) -> StateCount:
    """Over the settled moments of which the truth tells where pins of that state are."""
    true = seen = matched = 0
    for moment in settled:
        if not moment.truth.pins or not (state == "standing" or moment.truth.has_fallen):
            continue
        pins, read = moment.truth.pins, () if moment.seen is None else moment.seen.pins
        pairs = match_pins(pins, read)
        # A pin off the lane may lie anywhere, also out of view: seen or not, it is no fault.
        far = {j for i, j in pairs if pins[i].is_off_lane and read[j].state == "fallen"}
        true += sum(pin.state == state and not pin.is_off_lane for pin in pins)
        seen += sum(pin.state == state and j not in far for j, pin in enumerate(read))
        matched += sum(pins[i].state == read[j].state == state and j not in far for i, j in pairs)
    return StateCount(true=true, seen=seen, matched=matched)


def _gap_px(pin: TruePin, seen: SeenPin) -> float:
    """From a seen pin to a true one: to its foot, or to the line from foot to head."""
    (x, y), (u, v) = pin.foot_px, seen.px
    if pin.head_px is None or pin.state == "standing":
        return math.hypot(u - x, v - y)
    dx, dy = pin.head_px[0] - x, pin.head_px[1] - y
    share = min(1.0, max(0.0, ((u - x) * dx + (v - y) * dy) / max(dx * dx + dy * dy, 1e-9)))
    return math.hypot(u - x - share * dx, v - y - share * dy)


def _reading_at(t_s: float, readings: Sequence[SeenPins]) -> SeenPins | None:
    """The newest reading of what was seen up to a moment."""
    earlier = [reading for reading in readings if (reading.stamp.t_s or 0.0) <= t_s]
    return max(earlier, key=lambda reading: reading.stamp.t_s or 0.0, default=None)


def _is_misread(reading: SeenPins, spans: Sequence[Span]) -> bool:
    t_s = reading.stamp.t_s or 0.0
    return any(
        span.from_s <= t_s < span.to_s and span.standing is not None and span.standing != reading.standing
        for span in spans
    )


def _kinds(problems: Sequence[str]) -> Counter[str]:
    """The problems without the numbers of their pins, which are each reader's own."""
    return Counter(" ".join(word for word in problem.split() if not word.isdigit()) for problem in problems)


def _tap_gap_s(true: TrueTap, tap: Tap) -> float:
    """From the seen blow to the true one; between a touch and the blow after it, all is one tap."""
    t_s = tap.stamp.t_s or 0.0
    return max(0.0, true.t_s - t_s, t_s - true.blow_s)


def _rack_gap_s(true: TrueRack, rack: Rack) -> float:
    """From the end of a seen set-up to the time in which it stood there for all to see."""
    end_s = _end_s(rack)
    return max(0.0, true.from_s - end_s, end_s - true.to_s)


def _end_s(rack: Rack) -> float:
    return (rack.stamp.t_end_s if rack.stamp.t_end_s is not None else rack.stamp.t_s) or 0.0


def _nearness(gap_s: float, limit_s: float) -> float | None:
    """The weight of a pair: as many pairs as possible, then the nearest in time."""
    return 1e3 - gap_s if gap_s <= limit_s else None
