"""The history of a match for people: what was seen, how it was called, and what was ruled since."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from referee.events import BadEvent, Event, Header, OtherEvent, Ruling, Shot, Stamp
from referee.match import Call, fold
from referee.words import call_words, event_words
from web.ledger import Ledger

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
    """One line of the log with its calls; ``ruling``: the one in force.

    ``no_calls``: what is said in place of calls; ``words``: what happened, where that isn't said by then.
    """

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


def entry_of(ledger: Ledger, line: int) -> Entry:
    """One line of the log as it stands."""
    header = ledger.snapshot.standing.header
    event, current = ledger.seen(line), ledger.current(line)
    in_force = ledger.ruling_in_force(line)
    stamp = stamp_of(event)
    words = event_words(current, header) if current is not None else ""
    calls = call_lines(ledger.calls.get(line, ()))
    # Of what leads to no call it is enough to say what happened; of a throw it says that there was no foul.
    no_calls = "Struck out" if current is None else "Good throw" if isinstance(current, Shot) else words
    return Entry(
        event=line,
        time=time_words(stamp.t_s if stamp is not None else None),
        words=words if calls or words != no_calls else "",
        calls=calls,
        no_calls=no_calls,
        sureness=sureness_of(stamp.confidence, stamp.review) if stamp is not None else None,
        review=(stamp.review or "") if stamp is not None else "",
        ruling=_ruling_line(ledger, in_force, is_in_force=True) if in_force else None,
        words_before=event_words(event, header) if in_force else "",
        calls_before=_calls_before(ledger, line) if in_force else (),
    )


def rulings_on(ledger: Ledger, line: int) -> tuple[RulingLine, ...]:
    """Who ruled what on a line, oldest first."""
    in_force = ledger.ruling_in_force(line)
    return tuple(_ruling_line(ledger, at, is_in_force=at == in_force) for at in ledger.rulings.get(line, ()))


def open_calls(ledger: Ledger) -> tuple[int, ...]:
    """The lines with a call that somebody should look at, newest first."""
    return tuple(
        line
        for line in ledger.lines()
        if (stamp := stamp_of(ledger.seen(line))) is not None and stamp.review and not ledger.ruling_in_force(line)
    )


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


def call_lines(calls: Sequence[Call]) -> tuple[CallLine, ...]:
    """Calls in words."""
    return tuple(CallLine(words=call_words(call), tone=_tone(call)) for call in calls)


def _calls_before(ledger: Ledger, line: int) -> tuple[CallLine, ...]:
    """How the line was called before anybody ruled on it: the match as it stood then, folded anew."""
    snapshot = ledger.snapshot
    first = ledger.rulings[line][0]
    before = fold(snapshot.header, snapshot.layout, snapshot.events[: first - 1])
    return call_lines([call for call in before.calls if call.event == line])


def _ruling_line(ledger: Ledger, at: int, *, is_in_force: bool) -> RulingLine:
    ruling = ledger.seen(at)
    assert isinstance(ruling, Ruling)
    replaced = ledger.seen(ruling.event) if ruling.event > 0 else ledger.snapshot.header
    match ruling.replace:
        case None:
            words, label = "it did not happen", "Struck out"
        case Header():
            words, label = "the match was set up otherwise", "Overruled"
        case replacement if is_confirmed(replaced, replacement):
            words, label = "the call was right", "Confirmed"
        case replacement:
            words, label = event_words(replacement, ledger.snapshot.standing.header), "Overruled"
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
