"""The dispute card of one line of the log: verdict, what was measured, the rule behind it, and every ruling."""

import json
from dataclasses import dataclass

from referee.desk import Snapshot
from referee.events import (
    Card,
    Event,
    Note,
    OtherEvent,
    Rack,
    SeenBoard,
    SeenBounce,
    SeenCameraMoved,
    SeenCard,
    SeenPins,
    Shot,
    Stamp,
    Tap,
)
from referee.replay import span_around
from referee.words import card_words
from web.board import BoardDrawing, draw_board
from web.history import Entry, RulingLine, entry_of, rulings_on, stamp_of, sureness_of, time_words
from web.ledger import Ledger
from web.rulebook import RuleText, rules_behind
from web.views import ball_marks, game_title

# Lines that say nothing about the score, in whose place something that was missed may be inserted.
BESIDE = (Note, SeenBoard, SeenPins, SeenCard, SeenCameraMoved, SeenBounce, OtherEvent)
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A contact to jump to in the clip."""

    number: int
    surface: str
    clip_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseView:
    """``insert_at``: the line before it in whose place something that was missed may be inserted (0: none).

    ``said``: who said that this happened, where no camera saw it.
    """

    event: int
    title: str
    game: str
    time: str
    insert_at: int
    entry: Entry
    measures: tuple[Measure, ...]
    plan: BoardDrawing | None
    contacts: tuple[Contact, ...]
    rules: tuple[RuleText, ...]
    rulings: tuple[RulingLine, ...]
    said: str


def case_view(snapshot: Snapshot, line: int) -> CaseView:
    """The card of a line, 1 to the last; the caller has made sure that it is there."""
    ledger = Ledger.of(snapshot)
    event = snapshot.events[line - 1]
    stamp = stamp_of(event)
    contacts = contacts_of(snapshot, line)
    time = time_words(stamp.t_s if stamp is not None else None)
    what = "Line" if isinstance(event, BESIDE) and not ledger.ruling_in_force(line) else "Call"
    entry = entry_of(ledger, line)
    plan = draw_board(snapshot.layout, None, ball_marks(snapshot), bounces=contacts) if contacts else None
    return CaseView(
        event=line,
        title=f"{what} at {time}" if time else f"{what} {line} of the log",
        game=game_title(snapshot),
        time=time or f"line {line}",
        insert_at=insert_at(ledger, line),
        entry=entry,
        measures=_measures(event, contacts),
        plan=plan if plan is not None and plan.bounces else None,
        contacts=_jumps(event, contacts),
        rules=rules_behind(snapshot.standing.game, ledger.calls.get(line, ())),
        rulings=rulings_on(ledger, line),
        said=_said_words(stamp),
    )


def contacts_of(snapshot: Snapshot, line: int) -> tuple[SeenBounce, ...]:
    """The contacts that were seen while a throw flew, in order."""
    shot = snapshot.events[line - 1]
    if not isinstance(shot, Shot) or shot.stamp.t_s is None:
        return ()
    begin, end = shot.stamp.t_s, shot.stamp.t_end_s if shot.stamp.t_end_s is not None else shot.stamp.t_s
    found = [
        (event.stamp.t_s, event)
        for event in snapshot.events
        if isinstance(event, SeenBounce)
        and event.stamp.t_s is not None
        and begin <= event.stamp.t_s <= end
        and event.colour in (None, shot.colour)
    ]
    return tuple(event for _, event in sorted(found, key=lambda pair: pair[0]))


def _said_words(stamp: Stamp | None) -> str:
    match json.loads(stamp.evidence) if stamp is not None and stamp.evidence is not None else None:
        case {"by": str(by), "reason": str(reason)}:
            return f"{by} said so: “{reason}”"
        case _:
            return ""


def insert_at(ledger: Ledger, line: int) -> int:
    """The line in whose place something may be inserted that was missed just before a line; 0 when there is none.

    Where a ball touched something says more about the throw that follows than other lines, so it goes last.
    """
    found = 0
    for before in range(line - 1, 0, -1):
        event = ledger.seen(before)
        if not isinstance(event, BESIDE):
            break
        if ledger.rulings.get(before):
            continue
        if not isinstance(event, SeenBounce):
            return before
        found = before
    return found


def _measures(event: Event, contacts: tuple[SeenBounce, ...]) -> tuple[Measure, ...]:
    stamp = stamp_of(event)
    if stamp is None or stamp.t_s is None:
        return ()
    match event:
        case Shot():
            name, measures = "Throw", _throw_measures(event, contacts, stamp.t_s)
        case Tap():
            name, measures = "Tap", _tap_measures(event, stamp.t_s)
        case Rack():
            name, measures = "Set-up", [("Pins standing", str(event.standing)), *(("Wrong", p) for p in event.problems)]
        case Card():
            name, measures = "Played", [("Card", card_words(event.card)), ("Seat", event.seat)]
        case _:
            return ()
    began = (name, f"began at {stamp.t_s:.2f} s of the recording")
    return tuple(Measure(name=name, value=value) for name, value in (began, *measures, *_stamp_measures(stamp)))


def _throw_measures(shot: Shot, contacts: tuple[SeenBounce, ...], begin_s: float) -> list[tuple[str, str]]:
    return [
        ("Table bounces", f"{_number(shot.table_bounces)} (one is asked for)"),
        ("Side", shot.side or "not seen"),
        *((f"Contact {number}", _contact_words(contact, begin_s)) for number, contact in enumerate(contacts, start=1)),
    ]


def _tap_measures(tap: Tap, begin_s: float) -> list[tuple[str, str]]:
    measures = [
        ("Pins standing", str(tap.standing)),
        ("Direct touch", "seen" if tap.direct_touch else "not seen"),
    ]
    match json.loads(tap.stamp.evidence) if tap.stamp.evidence is not None else None:
        case {"felled": int(felled), "blow_s": float() | int() as blow_s, "box_mm": float() | int() as box_mm}:
            measures.insert(1, ("Pins felled", str(felled)))
            measures.append(("The box", f"jumped by {box_mm:.1f} mm, +{blow_s - begin_s:.2f} s"))
        case {"felled": int(felled)}:
            measures.insert(1, ("Pins felled", str(felled)))
            measures.append(("The box", "no blow seen"))
    return measures


def _stamp_measures(stamp: Stamp) -> list[tuple[str, str]]:
    measures = []
    if stamp.t_end_s is not None and stamp.t_s is not None:
        measures.append(("Settled", f"+{stamp.t_end_s - stamp.t_s:.2f} s"))
    sureness = sureness_of(stamp.confidence, stamp.review)
    if sureness is not None:
        measures.append(("Confidence", sureness.long))
    if stamp.review:
        measures.append(("In doubt", stamp.review))
    return measures


def _contact_words(contact: SeenBounce, begin_s: float) -> str:
    place = "another ball" if contact.surface == "ball" else f"the {contact.surface}"
    words = [f"{place}, {contact.side} side" if contact.surface == "table" and contact.side else place]
    if contact.stamp.t_s is not None:
        words.append(f"+{contact.stamp.t_s - begin_s:.3f} s")
    if contact.mm is not None:
        x, y = contact.mm
        words.append(
            f"{abs(x):.0f} mm {'east' if x >= 0 else 'west'}, {abs(y):.0f} mm {'north' if y >= 0 else 'south'}"
        )
    return " · ".join(words)


def _jumps(event: Event, contacts: tuple[SeenBounce, ...]) -> tuple[Contact, ...]:
    stamp = stamp_of(event)
    if stamp is None or stamp.t_s is None:
        return ()
    start_s = span_around(stamp).start_s
    return tuple(
        Contact(number=number, surface=contact.surface, clip_s=round(contact.stamp.t_s - start_s, 4))
        for number, contact in enumerate(contacts, start=1)
        if contact.stamp.t_s is not None
    )


def _number(count: int) -> str:
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)
