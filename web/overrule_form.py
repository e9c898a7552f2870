"""The Overrule form and the one that adds an event, as they are shown: what they offer, and what is filled in."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from referee.desk import Snapshot
from referee.events import Event, Ruling
from web.event_kinds import EventKind, kind_of, kinds_of
from web.fields import FormPart, Values
from web.ledger import Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class KindLink:
    """What else may have happened. ``is_chosen``: the form asks for this now."""

    name: str
    words: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EventForm:
    """The form as it is shown. ``kind``: of which kind the event is that it asks for ("": none yet).

    ``ruled``: the ruling in force that the person has seen (0: none).
    ``is_of_line``: the line says itself that something happened, and this corrects it.
    """

    kind: str
    part: FormPart
    kinds: tuple[KindLink, ...]
    is_of_line: bool
    people: tuple[str, ...]
    by: str = ""
    reason: str = ""
    ruled: int = 0
    can_confirm: bool = False
    can_strike: bool = False
    can_restore: bool = False
    errors: Mapping[str, str] = field(default_factory=dict)


def blank_form(snapshot: Snapshot, line: int, kind_name: str = "") -> EventForm:
    """The form for a line, filled with what counts now (what was seen, where it was struck out)."""
    ledger = Ledger.of(snapshot)
    seen, current = ledger.seen(line), ledger.current(line)
    shown = current if current is not None else seen
    usual, in_force = kind_of(shown), ledger.ruling_in_force(line)
    is_ruling = isinstance(seen, Ruling)
    chosen = None if is_ruling else _chosen(snapshot, kind_name, usual)
    return EventForm(
        kind=chosen.name if chosen is not None else "",
        part=_part(snapshot, chosen, shown),
        kinds=() if is_ruling else _links(snapshot, chosen),
        is_of_line=usual is not None,
        people=snapshot.standing.header.names,
        ruled=in_force,
        can_confirm=current is not None and usual is not None and not in_force,
        can_strike=current is not None and usual is not None,
        can_restore=bool(in_force),
    )


def blank_addition(snapshot: Snapshot, kind_name: str = "") -> EventForm:
    """The form for what nobody saw."""
    chosen = _chosen(snapshot, kind_name, next(iter(kinds_of(snapshot)), None))
    return EventForm(
        kind=chosen.name if chosen is not None else "",
        part=_part(snapshot, chosen, None),
        kinds=_links(snapshot, chosen),
        is_of_line=True,
        people=snapshot.standing.header.names,
    )


def refilled(form: EventForm, snapshot: Snapshot, given: Values, errors: Mapping[str, str]) -> EventForm:
    """A form as somebody sent it, with what is wrong in it."""
    kind = _chosen(snapshot, form.kind, None)
    part = kind.part(snapshot, given) if kind is not None else form.part
    return replace(form, part=part, by=given.get("by", ""), reason=given.get("reason", ""), errors=errors)


def _chosen(snapshot: Snapshot, name: str, usual: EventKind | None) -> EventKind | None:
    return next((kind for kind in kinds_of(snapshot) if kind.name == name), usual)


def _part(snapshot: Snapshot, kind: EventKind | None, shown: Event | None) -> FormPart:
    if kind is None:
        return FormPart()
    return kind.part(snapshot, kind.values(shown) if kind == kind_of(shown) and shown is not None else {})


def _links(snapshot: Snapshot, chosen: EventKind | None) -> tuple[KindLink, ...]:
    return tuple(KindLink(name=kind.name, words=kind.words, is_chosen=kind == chosen) for kind in kinds_of(snapshot))
