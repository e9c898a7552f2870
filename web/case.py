"""The dispute card of one line of the log: verdict, what was measured, the rule behind it, and every ruling."""

from dataclasses import dataclass

from referee.desk import Snapshot
from referee.events import Event, SeenBounce, Shot
from referee.replay import span_around
from web.board import BoardDrawing, draw_board
from web.history import Entry, RulingLine, entry_of, rulings_on, stamp_of, sureness_of, time_words
from web.ledger import Ledger
from web.rulebook import RuleText, rules_behind
from web.views import ball_marks, game_title

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
    event: int
    title: str
    game: str
    time: str
    entry: Entry
    measures: tuple[Measure, ...]
    plan: BoardDrawing | None
    contacts: tuple[Contact, ...]
    rules: tuple[RuleText, ...]
    rulings: tuple[RulingLine, ...]


def case_view(snapshot: Snapshot, line: int) -> CaseView:
    """The card of a line, 1 to the last; the caller has made sure that it is there."""
    ledger = Ledger.of(snapshot)
    event = snapshot.events[line - 1]
    stamp = stamp_of(event)
    contacts = contacts_of(snapshot, line)
    time = time_words(stamp.t_s if stamp is not None else None)
    entry = entry_of(ledger, line)
    plan = draw_board(snapshot.layout, None, ball_marks(snapshot), bounces=contacts) if contacts else None
    return CaseView(
        event=line,
        title=f"Call at {time}" if time else f"Call on line {line}",
        game=game_title(snapshot),
        time=time or f"line {line}",
        entry=entry,
        measures=_measures(event, contacts),
        plan=plan if plan is not None and plan.bounces else None,
        contacts=_jumps(event, contacts),
        rules=rules_behind(ledger.calls.get(line, ())),
        rulings=rulings_on(ledger, line),
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


def _measures(event: Event, contacts: tuple[SeenBounce, ...]) -> tuple[Measure, ...]:
    if not isinstance(event, Shot) or event.stamp.t_s is None:
        return ()
    measures = [
        Measure(name="Throw", value=f"began at {event.stamp.t_s:.2f} s of the recording"),
        Measure(name="Table bounces", value=f"{_number(event.table_bounces)} (one is asked for)"),
        Measure(name="Side", value=f"{event.side}" if event.side else "not seen"),
    ]
    for number, contact in enumerate(contacts, start=1):
        measures.append(Measure(name=f"Contact {number}", value=_contact_words(contact, event.stamp.t_s)))
    if event.stamp.t_end_s is not None:
        took = event.stamp.t_end_s - event.stamp.t_s
        measures.append(Measure(name="Settled", value=f"+{took:.2f} s"))
    sureness = sureness_of(event.stamp.confidence, event.stamp.review)
    if sureness is not None:
        measures.append(Measure(name="Confidence", value=sureness.long))
    if event.stamp.review:
        measures.append(Measure(name="In doubt", value=event.stamp.review))
    return tuple(measures)


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
