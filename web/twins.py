"""The pages as JSON: the same facts for programs, and the parts that an open page puts in their places."""

from collections.abc import Mapping

from flask import Blueprint, Response, jsonify

from referee.desk import Snapshot, Source
from referee.events import SeenBoard, event_to_json, header_to_json
from referee.games.game import Expected
from referee.score import standing_to_json
from web.case import case_view
from web.history import Entry, entry_of
from web.house_rules import house_rules
from web.ledger import Ledger
from web.pages import render_case_parts, render_history_parts, snapshot_with
from web.site import current_site
from web.views import NEWEST

json_twins = Blueprint("twins", __name__)


@json_twins.get("/matches.json")
def matches() -> Response:
    snapshots = [desk.snapshot() for desk in current_site().desks.values()]
    return _answer(
        {
            "matches": [
                {
                    "match": snapshot.match_id,
                    "score": standing_to_json(snapshot.standing),
                    "source": _source_to_json(snapshot.source),
                }
                for snapshot in snapshots
            ]
        }
    )


@json_twins.get("/match/<match_id>.json")
def match(match_id: str) -> Response:
    snapshot = current_site().desk(match_id).snapshot()
    return _answer(snapshot_to_json(snapshot, _newest(snapshot)))


@json_twins.get("/match/<match_id>/calls.json")
def calls(match_id: str) -> Response:
    snapshot = current_site().desk(match_id).snapshot()
    ledger = Ledger.of(snapshot)
    entries = [entry_of(ledger, line) for line in ledger.all_lines()]
    return _answer({"match": match_id, "version": snapshot.version, "calls": [_entry_to_json(e) for e in entries]})


@json_twins.get("/match/<match_id>/call/<int:event>.json")
def call(match_id: str, event: int) -> Response:
    snapshot = snapshot_with(match_id, event)
    card = case_view(snapshot, event)
    return _answer(
        {
            "match": match_id,
            "version": snapshot.version,
            **_entry_to_json(card.entry),
            "reads": _line_to_json(snapshot, event),
            "measured": {measure.name: measure.value for measure in card.measures},
            "contacts": [{"surface": contact.surface, "clip_s": contact.clip_s} for contact in card.contacts],
            "rules": [{"name": rule.name, "words": rule.words} for rule in card.rules],
            "rulings": [
                {
                    "event": ruling.line,
                    "by": ruling.by,
                    "reason": ruling.reason,
                    "words": ruling.words,
                    "in_force": ruling.is_in_force,
                }
                for ruling in card.rulings
            ],
        }
    )


@json_twins.get("/match/<match_id>/parts.json")
def match_parts(match_id: str) -> Response:
    """The whole page anew, for one that was asleep."""
    site = current_site()
    drawing = site.channel(match_id).draw(site.desk(match_id).snapshot())
    return _parts_answer(drawing.version, drawing.all())


@json_twins.get("/match/<match_id>/calls/parts.json")
def calls_parts(match_id: str) -> Response:
    snapshot = current_site().desk(match_id).snapshot()
    return _parts_answer(snapshot.version, render_history_parts(snapshot))


@json_twins.get("/match/<match_id>/call/<int:event>/parts.json")
def call_parts(match_id: str, event: int) -> Response:
    snapshot = snapshot_with(match_id, event)
    return _parts_answer(snapshot.version, render_case_parts(case_view(snapshot, event)))


def _parts_answer(version: int, parts: Mapping[str, str]) -> Response:
    """What a page's script puts in place, and from where its stream then goes on."""
    return _answer({"version": version, "boot": current_site().boot, "parts": dict(parts)})


def snapshot_to_json(snapshot: Snapshot, entries: tuple[Entry, ...]) -> dict[str, object]:
    """A match as its page shows it; ``score`` is what ``referee score --json`` prints."""
    return {
        "match": snapshot.match_id,
        "version": snapshot.version,
        "header": header_to_json(snapshot.standing.header),
        "score": standing_to_json(snapshot.standing),
        "expected": _expected_to_json(snapshot.standing.expected),
        "house_rules": [
            {"option": rule.name, "words": rule.words, "usual": rule.usual or None}
            for rule in house_rules(snapshot.standing.header)
        ],
        "seen": _board_to_json(snapshot.board),
        "seen_pins": event_to_json(snapshot.pins) if snapshot.pins is not None else None,
        "calls": [_entry_to_json(entry) for entry in entries],
        "source": _source_to_json(snapshot.source),
        "warnings": list(snapshot.warnings),
    }


def _newest(snapshot: Snapshot) -> tuple[Entry, ...]:
    """The newest calls, newest first."""
    ledger = Ledger.of(snapshot)
    return tuple(entry_of(ledger, line) for line in ledger.lines()[:NEWEST])


def _expected_to_json(expected: Expected) -> dict[str, object]:
    """Who may act now, how, and what they may say instead."""
    return {
        "players": list(expected.players),
        "action": expected.action,
        "choices": list(expected.choices),
    }


def _board_to_json(board: SeenBoard | None) -> dict[str, object] | None:
    if board is None:
        return None
    holes: dict[str, str | list[str]] = {}
    for hole, colour in board.holes:
        before = holes.get(hole)
        holes[hole] = colour if before is None else [*([before] if isinstance(before, str) else before), colour]
    return {"holes": holes, "loose": list(board.loose)}


def _line_to_json(snapshot: Snapshot, line: int) -> object:
    """The event of a line as it counts now; None where it was struck out."""
    current = Ledger.of(snapshot).current(line)
    return event_to_json(current) if current is not None else None


def _source_to_json(source: Source) -> dict[str, object]:
    return {
        "name": source.name,
        "state": source.state,
        "t": source.t_s,
        "duration": source.duration_s,
        "message": source.message,
    }


def _entry_to_json(entry: Entry) -> dict[str, object]:
    return {
        "event": entry.event,
        "time": entry.time,
        "words": entry.words,
        "calls": [call.words for call in entry.calls],
        "confidence": entry.sureness.words if entry.sureness is not None else None,
        "review": entry.review or None,
        "under_review": entry.is_open,
        "overruled": None
        if entry.ruling is None
        else {
            "by": entry.ruling.by,
            "reason": entry.ruling.reason,
            "words_before": entry.words_before,
            "calls_before": [call.words for call in entry.calls_before],
        },
    }


def _answer(content: dict[str, object]) -> Response:
    response = jsonify(content)
    response.headers["Cache-Control"] = "no-store"
    return response
