"""Events as JSON: what ``reading`` gives back unchanged."""

import json
from collections.abc import Mapping
from typing import Final, assert_never

from referee.events.facts import (
    BadEvent,
    Card,
    Decision,
    Event,
    InHole,
    Note,
    Off,
    OnBall,
    OnBoard,
    OtherEvent,
    Place,
    Placed,
    PointCard,
    Rack,
    Removed,
    Ruling,
    SeenBoard,
    SeenBounce,
    SeenCameraMoved,
    SeenCard,
    SeenPins,
    Shot,
    Tap,
)
from referee.events.header import Header, header_to_json
from referee.events.values import Json, given

Seen = SeenBounce | SeenBoard | SeenPins | SeenCard | SeenCameraMoved
Stamped = Shot | Removed | Placed | Tap | Rack | PointCard | Card | Decision | Ruling | Note | Seen

TYPES: Final[Mapping[type, str]] = {
    Shot: "shot",
    Removed: "removed",
    Placed: "placed",
    Tap: "tap",
    Rack: "rack",
    PointCard: "point_card",
    Card: "card",
    Decision: "decision",
    Ruling: "ruling",
    Note: "note",
    SeenBounce: "seen.bounce",
    SeenBoard: "seen.board",
    SeenPins: "seen.pins",
    SeenCard: "seen.card",
    SeenCameraMoved: "seen.camera_moved",
}


def event_to_json(event: Event) -> Json:
    """An event as the object of its line in the log."""
    if isinstance(event, OtherEvent | BadEvent):
        obj: Json = json.loads(event.text)
        return obj
    stamp = event.stamp
    return {
        "type": type_of(event),
        **given(t=stamp.t_s, t_end=stamp.t_end_s),
        **_keys(event),
        **given(confidence=stamp.confidence, review=stamp.review, id=stamp.id),
        **({} if stamp.evidence is None else {"evidence": json.loads(stamp.evidence)}),
    }


def type_of(event: Event) -> str:
    """The type of an event as it stands in the log, "" for a line that has none."""
    return event.type if isinstance(event, OtherEvent | BadEvent) else TYPES[type(event)]


def _keys(event: Stamped) -> Json:
    match event:
        case Shot():
            return {
                **given(player=event.player, colour=event.colour, ball=event.ball, side=event.side),
                "table_bounces": event.table_bounces,
                **given(touched_board=event.touched_board),
                "result": _place(event.result),
                "moved": [{"colour": move.colour, "from": move.source, "to": move.target} for move in event.moved],
                **{unread.key: json.loads(unread.text) for unread in event.unread},
            }
        case Removed():
            return {"balls": [{"colour": ball.colour, "from": ball.at} for ball in event.balls]}
        case Placed():
            return {"balls": [{"colour": ball.colour, "to": ball.at} for ball in event.balls]}
        case Tap():
            return {**given(player=event.player), "standing": event.standing, "direct_touch": event.direct_touch}
        case Rack():
            return {"standing": event.standing, "problems": list(event.problems)}
        case PointCard():
            return {"card": event.card}
        case Card():
            return {"card": event.card, "seat": event.seat}
        case Decision():
            targets = None if event.targets is None else list(event.targets)
            return {"player": event.player, "choice": event.choice, **given(targets=targets)}
        case Note():
            return {"text": event.text, **given(by=event.by)}
        case Ruling():
            return {
                "event": event.event,
                "replace": _replacement(event.replace),
                **given(by=event.by, reason=event.reason),
            }
        case _:
            return _seen_keys(event)


def _seen_keys(event: Seen) -> Json:
    match event:
        case SeenBounce():
            mm = None if event.mm is None else list(event.mm)
            return {
                "colour": event.colour,
                "surface": event.surface,
                **given(side=event.side, mm=mm),
                "px": list(event.px),
            }
        case SeenBoard():
            loose_mm = [list(place) for place in event.loose_mm]
            return {
                "holes": _piles(event.holes),
                "loose": list(event.loose),
                **({"loose_mm": loose_mm} if loose_mm else {}),
            }
        case SeenPins():
            pins = [
                {"px": list(pin.px), **given(mm=None if pin.mm is None else list(pin.mm)), "state": pin.state}
                for pin in event.pins
            ]
            return {"standing": event.standing, "fallen": event.fallen, "pins": pins}
        case SeenCard():
            return {"card": event.card, "corners_px": [list(corner) for corner in event.corners_px], "gone": event.gone}
        case SeenCameraMoved():
            return {"px": event.px, "recovered": event.recovered}
        case _:
            assert_never(event)


def _place(place: Place) -> Json:
    match place:
        case InHole():
            return {"place": "hole", "hole": place.hole}
        case OnBoard():
            return {"place": "board"}
        case Off():
            return {"place": "off"}
        case OnBall():
            return {"place": "on_ball"}
        case _:
            assert_never(place)


def _replacement(replace: Event | Header | None) -> Json | None:
    if replace is None:
        return None
    return header_to_json(replace) if isinstance(replace, Header) else event_to_json(replace)


def _piles(holes: tuple[tuple[str, str], ...]) -> Json:
    """One ball of a hole as its colour, several as a list."""
    piles: dict[str, list[str]] = {}
    for hole, ball in holes:
        piles.setdefault(hole, []).append(ball)
    return {hole: balls[0] if len(balls) == 1 else balls for hole, balls in piles.items()}
