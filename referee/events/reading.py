"""Events from the JSON of a log's lines. A line that can't be used is a fact too: a BadEvent that says why."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, TypeVar, get_args

from referee.errors import BadHeader
from referee.events.facts import (
    BadEvent,
    BallAt,
    Card,
    Choice,
    Decision,
    Event,
    InHole,
    Move,
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
    SeenPin,
    SeenPins,
    Shot,
    Stamp,
    Surface,
    Tap,
    Unread,
)
from referee.events.header import SEATS, Header, Seat, header_from_json
from referee.events.values import (
    Object,
    Unusable,
    count_at,
    flag_at,
    flag_or_none,
    list_at,
    number_of,
    number_or_none,
    object_of,
    one_of,
    optional_text,
    point_of,
    points_at,
    text_at,
    text_of,
    text_or_none,
    texts_of,
    whole_of,
)

CHOICES: Final[tuple[Choice, ...]] = get_args(Choice)
SURFACES: Final[tuple[Surface, ...]] = get_args(Surface)
NO_TYPE: Final = "no object with a text in type"
CARDS: Final = frozenset(rank + suit for rank in "A23456789TJQK" for suit in "SHDC")
T = TypeVar("T")
PLACES: Final[Mapping[str, Place]] = {"board": OnBoard(), "off": Off(), "on_ball": OnBall()}


def event_from_json(obj: object) -> Event:
    """The event of one line, decoded: a type that nothing reads is an OtherEvent, an unusable line a BadEvent."""
    if not isinstance(obj, dict):
        return BadEvent(type="", reason=NO_TYPE, text=json.dumps({"line": obj}))
    kind = obj.get("type")
    if not isinstance(kind, str):
        return _bad("", NO_TYPE, obj)
    if kind not in READERS:
        return OtherEvent(type=kind, text=json.dumps(obj), stamp=_stamp(obj))
    try:
        return replace(READERS[kind](obj), stamp=_stamp(obj))
    except Unusable as error:
        return _bad(kind, str(error), obj)


def _shot(obj: Object) -> Event:
    result = object_of(obj.get("result"), "result")
    place: Place
    if result.get("place") == "hole":
        place = InHole(hole=text_at(result, "hole"))
    else:
        place = PLACES[one_of(result, "place", tuple(PLACES))]
    is_off = place == Off()
    side, moved = _or_unread(_side, obj, "side"), _or_unread(_moved, obj, "moved")
    return Shot(
        colour=text_or_none(obj, "colour"),
        ball=text_or_none(obj, "ball"),
        side=None if isinstance(side, Unread) else side,
        table_bounces=count_at(obj, "table_bounces"),
        touched_board=flag_at(obj, "touched_board") if is_off else flag_or_none(obj, "touched_board"),
        result=place,
        moved=() if isinstance(moved, Unread) else moved,
        player=optional_text(obj, "player"),
        unread=tuple(value for value in (side, moved) if isinstance(value, Unread)),
    )


def _or_unread(read: Callable[[Object], T], obj: Object, key: str) -> T | Unread:
    try:
        return read(obj)
    except Unusable:
        return Unread(key=key, text=json.dumps(obj[key]))


def _side(obj: Object) -> Seat | None:
    return None if obj.get("side") is None else one_of(obj, "side", SEATS)


def _moved(obj: Object) -> tuple[Move, ...]:
    return tuple(map(_move, list_at(obj, "moved"))) if "moved" in obj else ()


def _move(value: object) -> Move:
    obj = object_of(value, "a moved ball")
    if "to" not in obj:
        raise Unusable("a moved ball has no to")
    target = None if obj["to"] is None else text_at(obj, "to")
    return Move(colour=text_at(obj, "colour"), source=text_at(obj, "from"), target=target)


def _removed(obj: Object) -> Event:
    return Removed(balls=_balls(obj, "from"))


def _placed(obj: Object) -> Event:
    return Placed(balls=_balls(obj, "to"))


def _balls(obj: Object, key: str) -> tuple[BallAt, ...]:
    balls = [object_of(value, "a ball") for value in list_at(obj, "balls")]
    return tuple(BallAt(colour=text_at(ball, "colour"), at=text_at(ball, key)) for ball in balls)


def _tap(obj: Object) -> Event:
    return Tap(
        standing=count_at(obj, "standing"),
        direct_touch="direct_touch" in obj and flag_at(obj, "direct_touch"),
        player=optional_text(obj, "player"),
    )


def _rack(obj: Object) -> Event:
    return Rack(
        standing=count_at(obj, "standing"),
        problems=texts_of(obj["problems"], "problems") if "problems" in obj else (),
    )


def _point_card(obj: Object) -> Event:
    return PointCard(card=_card_name(obj))


def _card(obj: Object) -> Event:
    return Card(card=_card_name(obj), seat=one_of(obj, "seat", SEATS))


def _card_name(obj: Object) -> str:
    card = text_at(obj, "card")
    if card not in CARDS:
        raise Unusable(f"{card!r} is no card")
    return card


def _decision(obj: Object) -> Event:
    targets = None
    if obj.get("choice") == "targets" and "targets" in obj:
        targets = tuple(whole_of(value, "a target") for value in list_at(obj, "targets"))
    return Decision(
        player=text_at(obj, "player"), choice=one_of(obj, "choice", CHOICES), targets=targets, stamp=_stamp(obj)
    )


def _ruling(obj: Object) -> Event:
    if "replace" not in obj:
        raise Unusable("replace is missing")
    return Ruling(
        event=count_at(obj, "event"),
        replace=None if obj["replace"] is None else _replacement(obj["replace"]),
        by=text_or_none(obj, "by"),
        reason=text_or_none(obj, "reason"),
    )


def _replacement(value: object) -> Event | Header:
    obj = object_of(value, "replace")
    text_at(obj, "type")
    if obj["type"] != "match":
        return event_from_json(obj)
    try:
        return header_from_json(obj)
    except BadHeader as error:
        raise Unusable(str(error)) from None


def _match(obj: Object) -> Event:
    raise Unusable("a match header may only be the first line")


def _note(obj: Object) -> Event:
    return Note(text=text_at(obj, "text"), by=text_or_none(obj, "by"))


def _seen_bounce(obj: Object) -> Event:
    return SeenBounce(
        colour=text_or_none(obj, "colour"),
        surface=one_of(obj, "surface", SURFACES),
        px=point_of(obj.get("px"), "px"),
        mm=None if obj.get("mm") is None else point_of(obj["mm"], "mm"),
        side=_side(obj),
    )


def _seen_board(obj: Object) -> Event:
    holes: list[tuple[str, str]] = []
    for hole, value in object_of(obj.get("holes"), "holes").items():
        balls = texts_of(value, f"hole {hole}") if isinstance(value, list) else (text_of(value, f"hole {hole}"),)
        holes.extend((hole, ball) for ball in balls)
    return SeenBoard(
        holes=tuple(holes),
        loose=texts_of(obj["loose"], "loose") if "loose" in obj else (),
        loose_mm=points_at(obj, "loose_mm") if "loose_mm" in obj else (),
    )


def _seen_pins(obj: Object) -> Event:
    pins = [object_of(value, "a pin") for value in list_at(obj, "pins")]
    return SeenPins(
        standing=count_at(obj, "standing"),
        fallen=count_at(obj, "fallen"),
        pins=tuple(map(_seen_pin, pins)),
    )


def _seen_pin(obj: Object) -> SeenPin:
    return SeenPin(
        px=point_of(obj.get("px"), "px"),
        state=text_at(obj, "state"),
        mm=point_of(obj["mm"], "mm") if obj.get("mm") is not None else None,
    )


def _seen_card(obj: Object) -> Event:
    return SeenCard(
        card=_card_name(obj),
        corners_px=points_at(obj, "corners_px"),
        gone="gone" in obj and flag_at(obj, "gone"),
    )


def _seen_camera_moved(obj: Object) -> Event:
    return SeenCameraMoved(px=number_of(obj.get("px"), "px"), recovered=flag_at(obj, "recovered"))


def _bad(kind: str, reason: str, obj: Object) -> BadEvent:
    # A card says who played it by its seat alone.
    player = None if kind == "card" else text_or_none(obj, "player")
    seat = next((seat for seat in SEATS if kind == "card" and obj.get("seat") == seat), None)
    return BadEvent(type=kind, reason=reason, text=json.dumps(obj), player=player, seat=seat, stamp=_stamp(obj))


def _stamp(obj: Object) -> Stamp:
    """The rules read nothing of it, so what can't be used of it is left out."""
    return Stamp(
        t_s=number_or_none(obj, "t"),
        t_end_s=number_or_none(obj, "t_end"),
        confidence=number_or_none(obj, "confidence"),
        review=text_or_none(obj, "review"),
        evidence=None if obj.get("evidence") is None else json.dumps(obj["evidence"]),
        id=text_or_none(obj, "id"),
    )


READERS: Final[Mapping[str, Callable[[Object], Event]]] = {
    "shot": _shot,
    "removed": _removed,
    "placed": _placed,
    "tap": _tap,
    "rack": _rack,
    "point_card": _point_card,
    "card": _card,
    "decision": _decision,
    "ruling": _ruling,
    "match": _match,
    "note": _note,
    "seen.bounce": _seen_bounce,
    "seen.board": _seen_board,
    "seen.pins": _seen_pins,
    "seen.card": _seen_card,
    "seen.camera_moved": _seen_camera_moved,
}
