"""How what people filled into the Overrule form becomes a ruling, and what they add by hand an event."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from referee.desk import Snapshot
from referee.events import BadEvent, Event, OtherEvent, Stamp
from web.event_kinds import kind_of, kinds_of
from web.fields import BadForm
from web.history import stamp_of
from web.ledger import Ledger

LONGEST_NAME, LONGEST_REASON = 60, 300

Verdict = Literal["correct", "confirm", "strike", "restore"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a desk is asked to do: ``replace`` None strikes ``event`` out."""

    event: int
    replace: Event | None
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """What somebody says has happened and nobody saw."""

    event: Event
    by: str
    reason: str


def read_form(snapshot: Snapshot, line: int, given: Mapping[str, str]) -> Wish:
    """What was decided about a line; raises ``BadForm``."""
    errors = _signature_errors(given)
    verdict = given.get("verdict", "correct")
    if verdict not in get_args(Verdict):
        errors["form"] = "Please choose one of the buttons."
    ledger = Ledger.of(snapshot)
    in_force = ledger.ruling_in_force(line)
    if given.get("ruled", str(in_force)) != str(in_force):
        errors["form"] = "Somebody ruled on this call while you were looking. Please look again, then decide."
    event, replacement = line, None
    try:
        event, replacement = _outcome(ledger, line, verdict, given)
    except BadForm as bad:
        errors = {**bad.errors, **errors}
    if errors:
        raise BadForm(errors)
    return Wish(event=event, replace=replacement, by=given["by"].strip(), reason=given["reason"].strip())


def read_addition(snapshot: Snapshot, given: Mapping[str, str]) -> Addition:
    """What is to be added at the end of the log; raises ``BadForm``."""
    errors = _signature_errors(given)
    try:
        event = _read_event(snapshot, given, None)
    except BadForm as bad:
        raise BadForm({**bad.errors, **errors}) from bad
    if errors:
        raise BadForm(errors)
    return Addition(event=event, by=given["by"].strip(), reason=given["reason"].strip())


def _signature_errors(given: Mapping[str, str]) -> dict[str, str]:
    errors = {}
    by, reason = given.get("by", "").strip(), given.get("reason", "").strip()
    if not by:
        errors["by"] = "Please say who decides this."
    elif len(by) > LONGEST_NAME:
        errors["by"] = f"At most {LONGEST_NAME} letters, please."
    if not reason:
        errors["reason"] = "Please give a reason: it stays in the history."
    elif len(reason) > LONGEST_REASON:
        errors["reason"] = f"At most {LONGEST_REASON} letters, please."
    return errors


def _outcome(ledger: Ledger, line: int, verdict: str, given: Mapping[str, str]) -> tuple[int, Event | None]:
    """The line to rule on, and how it should read."""
    seen, current = ledger.seen(line), ledger.current(line)
    match verdict:
        case "correct":
            event = _read_event(ledger.snapshot, given, seen)
            return line, replace(event, stamp=decided(stamp_of(seen) or Stamp()))
        case "confirm" if current is not None:
            return line, _without_doubt(current)
        case "strike" if current is not None:
            return line, None
        case "restore" if in_force := ledger.ruling_in_force(line):
            return in_force, None
        case _:
            raise BadForm({"form": "This can't be done with this call as it stands now."})


def _read_event(snapshot: Snapshot, given: Mapping[str, str], seen: Event | None) -> Event:
    """The event that the fields say; without a kind it is of the kind of the line."""
    usual = kind_of(seen)
    name = given.get("kind") or (usual.name if usual is not None else "")
    kind = next((kind for kind in kinds_of(snapshot) if kind.name == name), None)
    if kind is None:
        raise BadForm({"form": "Please choose what it was that happened."})
    return kind.read(snapshot, given)


def _without_doubt(event: Event) -> Event:
    """The same event, no longer under review."""
    if isinstance(event, OtherEvent | BadEvent):
        return event
    return replace(event, stamp=decided(event.stamp))


def decided(stamp: Stamp) -> Stamp:
    """What people decided is neither measured nor doubtful: only its time stays."""
    return Stamp(t_s=stamp.t_s, t_end_s=stamp.t_end_s, id=stamp.id)
