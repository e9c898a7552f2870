"""The history of a match for people: what was seen, how it was called, and what was ruled since."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from referee.desk import Snapshot
from referee.events import BadEvent, Event, Header, OtherEvent, Ruling, Shot, Stamp
from referee.match import Call, corrected, fold
from referee.words import call_words, event_words

Tone = Literal["good", "bad", "plain"]

# Above SURE a call was right in all but rare cases; below LIKELY people should look.
SURE = 0.9
LIKELY = 0.6

GOOD = frozenset({"opening", "score", "row", "bonus", "hit", "take", "nice_shot", "strike", "trick", "win"})
BAD = frozenset({"foul", "forfeit", "miss", "penalty", "eliminated", "renege", "refused"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLine:
    words: str
    tone: Tone


@dataclass(frozen=True, slots=True, kw_only=True)
class Sureness:
    """How sure a call is. ``long``: with the number behind it."""

    words: str
    long: str
    css: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingLine:
    """What somebody ruled on a line. ``line``: the ruling's own place in the log."""

    line: int
    by: str
    reason: str
    when: str
    words: str
    label: str
    is_in_force: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the log with its calls. ``words`` is empty when it was struck out; ``ruling``: the one in force."""

    event: int
    time: str
    words: str
    calls: tuple[CallLine, ...]
    no_calls: str
    sureness: Sureness | None
    review: str
    ruling: RulingLine | None
    words_before: str
    calls_before: tuple[CallLine, ...]

    @property
    def is_open(self) -> bool:
        """Somebody should look, and nobody has ruled yet."""
        return bool(self.review) and self.ruling is None


def history_of(snapshot: Snapshot) -> tuple[Entry, ...]:
    """All throws, and all else that led to a call or a ruling, newest first."""
    now = corrected_events(snapshot)
    called = {call.event for call in snapshot.standing.calls}
    ruled = {ruling.event for ruling in snapshot.events if isinstance(ruling, Ruling)}
    lines = [
        line
        for line, event in enumerate(snapshot.events, start=1)
        if isinstance(event, Shot) or line in called or (line in ruled and not isinstance(event, Ruling))
    ]
    return tuple(entry_of(snapshot, line, now) for line in reversed(lines))


def entry_of(snapshot: Snapshot, line: int, now: Sequence[Event | None] | None = None) -> Entry:
    """One line of the log as it stands. ``now``: the events with the rulings applied, when at hand."""
    now = corrected_events(snapshot) if now is None else now
    event, current = snapshot.events[line - 1], now[line - 1]
    rulings = rulings_on(snapshot, line, now)
    ruling = next((ruling for ruling in reversed(rulings) if ruling.is_in_force), None)
    stamp = stamp_of(event)
    return Entry(
        event=line,
        time=time_words(stamp.t_s if stamp is not None else None),
        words=event_words(current, snapshot.standing.header) if current is not None else "",
        calls=call_lines(snapshot.standing.calls, line),
        no_calls="Struck out" if current is None else "No call",
        sureness=sureness_of(stamp.confidence, stamp.review) if stamp is not None else None,
        review=(stamp.review or "") if stamp is not None else "",
        ruling=ruling,
        words_before=event_words(event, snapshot.standing.header) if ruling is not None else "",
        calls_before=_calls_before(snapshot, line) if ruling is not None else (),
    )


def corrected_events(snapshot: Snapshot) -> tuple[Event | None, ...]:
    """The events as they count: rulings applied, None where one was struck out."""
    return corrected(snapshot.events)


def rulings_on(snapshot: Snapshot, line: int, now: Sequence[Event | None] | None = None) -> tuple[RulingLine, ...]:
    """Who ruled what on a line, oldest first. Of those that still stand the last one is in force."""
    now = corrected_events(snapshot) if now is None else now
    written = [
        (at, event)
        for at, event in enumerate(snapshot.events, start=1)
        if isinstance(event, Ruling) and event.event == line
    ]
    standing = [at for at, _ in written if isinstance(current := now[at - 1], Ruling) and current.event == line]
    in_force = max(standing, default=None)
    return tuple(_ruling_line(snapshot, at, ruling, is_in_force=at == in_force) for at, ruling in written)


def stamp_of(event: Event | None) -> Stamp | None:
    """When and how sure, of events that say so."""
    return None if event is None or isinstance(event, OtherEvent | BadEvent) else event.stamp


def time_words(t_s: float | None) -> str:
    """A time of the recording: "1:05"."""
    if t_s is None:
        return ""
    minutes, seconds = divmod(int(t_s), 60)
    return f"{minutes}:{seconds:02d}"


def sureness_of(confidence: float | None, review: str | None) -> Sureness | None:
    """The three grades that people are told."""
    if confidence is None and not review:
        return None
    share = "" if confidence is None else f" ({confidence:.0%})"
    if review or (confidence is not None and confidence < LIKELY):
        return Sureness(words="referee's call", long=f"referee's call{share}", css="doubt")
    if confidence is not None and confidence < SURE:
        return Sureness(words="likely", long=f"likely{share}", css="likely")
    return Sureness(words="sure", long=f"sure{share}", css="sure")


def call_lines(calls: Sequence[Call], line: int) -> tuple[CallLine, ...]:
    """The calls that a line of the log led to, in words."""
    return tuple(CallLine(words=call_words(call), tone=_tone(call)) for call in calls if call.event == line)


def _calls_before(snapshot: Snapshot, line: int) -> tuple[CallLine, ...]:
    """How the line was called before anybody ruled on it: the match as it stood then, refolded."""
    first = next(at for at, event in enumerate(snapshot.events) if isinstance(event, Ruling) and event.event == line)
    before = fold(snapshot.header, snapshot.layout, snapshot.events[:first])
    return call_lines(before.calls, line)


def _ruling_line(snapshot: Snapshot, at: int, ruling: Ruling, *, is_in_force: bool) -> RulingLine:
    replaced = snapshot.events[ruling.event - 1] if ruling.event > 0 else snapshot.header
    match ruling.replace:
        case None:
            words, label = "it did not happen", "Struck out"
        case Header():
            words, label = "the match was set up otherwise", "Overruled"
        case replacement if is_confirmed(replaced, replacement):
            words, label = "the call was right", "Confirmed"
        case replacement:
            words, label = event_words(replacement, snapshot.standing.header), "Overruled"
    by = ruling.by or "somebody"
    return RulingLine(
        line=at,
        by=by,
        reason=ruling.reason or "no reason given",
        when=time_words(ruling.stamp.t_s),
        words=words,
        label=f"{label} by {by}",
        is_in_force=is_in_force,
    )


def is_confirmed(event: Event | Header, replacement: Event | Header) -> bool:
    """Whether a replacement says the same, apart from the doubt."""
    return (
        not isinstance(event, Header | OtherEvent | BadEvent)
        and not isinstance(replacement, Header | OtherEvent | BadEvent)
        and replace(event, stamp=Stamp()) == replace(replacement, stamp=Stamp())
    )


def _tone(call: Call) -> Tone:
    if call.call in GOOD:
        return "good"
    return "bad" if call.call in BAD else "plain"


def ruling_in_force(snapshot: Snapshot, line: int) -> int:
    """The line of the ruling that decides about a line; 0 when there is none."""
    return next((ruling.line for ruling in rulings_on(snapshot, line) if ruling.is_in_force), 0)
