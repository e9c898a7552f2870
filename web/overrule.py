"""How what people filled into the Overrule form becomes a ruling."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from referee.desk import Snapshot
from referee.events import BadEvent, Event, OtherEvent, Shot
from web.ledger import Ledger
from web.shot_fields import BadForm, decided, read_shot

LONGEST_NAME, LONGEST_REASON = 60, 300

Verdict = Literal["correct", "confirm", "strike", "restore"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a desk is asked to do: ``replace`` None strikes ``event`` out."""

    event: int
    replace: Event | None
    by: str
    reason: str


def read_form(snapshot: Snapshot, line: int, given: Mapping[str, str]) -> Decision:
    """What was decided; raises ``BadForm``."""
    errors: dict[str, str] = {}
    by, reason = given.get("by", "").strip(), given.get("reason", "").strip()
    if not by:
        errors["by"] = "Please say who decides this."
    elif len(by) > LONGEST_NAME:
        errors["by"] = f"At most {LONGEST_NAME} letters, please."
    if not reason:
        errors["reason"] = "Please give a reason: it stays in the history."
    elif len(reason) > LONGEST_REASON:
        errors["reason"] = f"At most {LONGEST_REASON} letters, please."
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
    return Decision(event=event, replace=replacement, by=by, reason=reason)


def _outcome(ledger: Ledger, line: int, verdict: str, given: Mapping[str, str]) -> tuple[int, Event | None]:
    """The line to rule on, and how it should read."""
    seen, current = ledger.seen(line), ledger.current(line)
    match verdict:
        case "correct" if isinstance(seen, Shot):
            return line, read_shot(ledger.snapshot, seen, given)
        case "confirm" if current is not None:
            return line, _without_doubt(current)
        case "strike" if current is not None:
            return line, None
        case "restore" if in_force := ledger.ruling_in_force(line):
            return in_force, None
        case _:
            raise BadForm({"form": "This can't be done with this call as it stands now."})


def _without_doubt(event: Event) -> Event:
    """The same event, no longer under review."""
    if isinstance(event, OtherEvent | BadEvent):
        return event
    return replace(event, stamp=decided(event.stamp))
