"""What really happened to the pins of a recording, out of its truth side-car; see ``referee.truth``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

PinState = Literal["standing", "leaning", "fallen"]

STATES: Final[Mapping[str, PinState]] = {"lying": "fallen", "off_lane": "fallen", "leaning": "leaning"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TruePin:
    """A pin at rest: foot and head in the picture (a standing pin's head isn't told).

    ``width_px``: how wide it looks there; ``is_off_lane``: it left the box, and may lie out of view.
    """

    state: PinState
    foot_px: tuple[float, float]
    head_px: tuple[float, float] | None
    width_px: float
    is_off_lane: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueTap:
    """A tap as it was. ``t_s``: the blow, or a pin touched before it at ``blow_s``."""

    t_s: float
    blow_s: float
    standing: int
    direct_touch: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueRack:
    """A set-up as it was between ``from_s`` and ``to_s``, when nobody's hand was near; None standing: not told."""

    from_s: float
    to_s: float
    standing: int | None
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A time in which ``standing`` pins stood; None while they move or are set. ``is_settled``: no hand is in view.

    ``pins``: where they were, where the truth tells it; ``has_fallen``: it tells of the fallen ones too.
    """

    from_s: float
    to_s: float
    standing: int | None
    is_settled: bool
    pins: tuple[TruePin, ...] = ()
    has_fallen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PinTruth:
    """What happened in a recording of pins.

    ``corners_px``: those of the box's top face at first, SW SE NE NW; ``bumps_s``: when the camera was knocked.
    """

    layout: str
    corners_px: tuple[tuple[float, float], ...]
    taps: tuple[TrueTap, ...]
    racks: tuple[TrueRack, ...]
    spans: tuple[Span, ...]
    bumps_s: tuple[float, ...] = ()


def pin_truth(obj: Mapping[str, Any]) -> PinTruth:
    """The decoded JSON of a side-car. Raises KeyError, TypeError or ValueError where it can't be used."""
    spans = _spans(obj)
    return PinTruth(
        layout=str(obj["layout"]),
        corners_px=tuple((float(x), float(y)) for x, y in obj["box"]["corners_px"]),
        taps=tuple(_tap(tap) for tap in obj["taps"]),
        racks=tuple(_rack(placement, spans) for placement in obj["placement"]),
        spans=spans,
        bumps_s=(float(obj["camera_bump"]["t"]),) if obj.get("camera_bump") else (),
    )


def _tap(obj: Mapping[str, Any]) -> TrueTap:
    return TrueTap(
        t_s=float(obj["t"]),
        blow_s=float(obj.get("t_box_hit", obj["t"])),
        standing=int(obj["standing"]),
        direct_touch=bool(obj["direct_touch"]),
    )


def _rack(obj: Mapping[str, Any], spans: Sequence[Span]) -> TrueRack:
    """A set-up ends with the settled span before the moment at which it is judged."""
    to_s = float(obj["t"])
    before = [span for span in spans if span.is_settled and span.from_s < to_s]
    last = max(before, key=lambda span: span.from_s, default=None)
    return TrueRack(
        from_s=to_s if last is None else last.from_s,
        to_s=to_s,
        standing=None if last is None else last.standing,
        problems=tuple(str(problem) for problem in obj["problems"]),
    )


def _spans(obj: Mapping[str, Any]) -> tuple[Span, ...]:
    """Each pin's place is told after each tap; it holds for the standing ones until pins move or are set again.

    Fallen pins may be taken away by any hand that comes: their places hold until the first one.
    """
    spans: list[Span] = []
    taps = list(obj["taps"])
    pins: tuple[TruePin, ...] = ()
    has_fallen = False
    for segment in obj["segments"]:
        state, from_s = segment["state"], float(segment["from_t"])
        if state in ("moving", "setting"):
            pins = ()
        while state not in ("moving", "setting") and taps and float(taps[0]["t"]) <= from_s:
            pins, has_fallen = _pins(taps.pop(0), obj), True
        is_settled = state == "settled"
        spans.append(
            Span(
                from_s=from_s,
                to_s=float(segment["to_t"]),
                standing=None if segment["standing"] is None else int(segment["standing"]),
                is_settled=is_settled,
                pins=pins if has_fallen else tuple(pin for pin in pins if pin.state == "standing"),
                has_fallen=has_fallen,
            )
        )
        # What is told holds when pins have come to rest; the hand that goes back from the blow takes nothing.
        has_fallen = has_fallen and not is_settled
    return tuple(spans)


def _pins(tap: Mapping[str, Any], obj: Mapping[str, Any]) -> tuple[TruePin, ...]:
    """All pins after a tap."""

    def pin(entry: Mapping[str, Any], state: PinState) -> TruePin:
        top = entry.get("top_px")
        return TruePin(
            state=state,
            foot_px=_point(entry["px"]),
            head_px=None if top is None else _point(top),
            width_px=_width_px(entry["mm"], obj),
            is_off_lane=entry.get("state") == "off_lane",
        )

    standing = [pin(entry, "standing") for entry in tap["standing_pins"]]
    return (*standing, *(pin(entry, STATES[entry["state"]]) for entry in tap["fallen_pins"]))


def _width_px(place_mm: Sequence[float], obj: Mapping[str, Any]) -> float:
    """How wide a pin at a place on the box looks: its width by focal length over depth."""
    camera = obj["camera"]
    place = (*place_mm[:2], obj["box"]["height_mm"])
    depth_mm = sum(along * at for along, at in zip(camera["R"][2], place, strict=True)) + camera["t_mm"][2]
    return 2 * float(obj["pin_radius_mm"]) * float(camera["K"][0][0]) / float(depth_mm)


def _point(value: Sequence[float]) -> tuple[float, float]:
    return float(value[0]), float(value[1])
