"""Short matches of all games, each at a moment with something to see."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from calibration.camera_model import CameraModel
from calibration.layout import load_layout
from referee.events import (
    Card,
    Event,
    Header,
    InHole,
    Note,
    Off,
    Option,
    Player,
    PointCard,
    Seat,
    SeenPin,
    SeenPins,
    Shot,
    Tap,
)
from tests.web.fake import ANN, BOB, FakeDesk, evening, header_of, stamp

# Looks straight down onto a lane from one metre above its top: a millimetre is a pixel.
ABOVE = CameraModel(
    matrix=np.array([[1000.0, 0, 640], [0, 1000.0, 360], [0, 0, 1]]),
    dist=np.zeros(5),
    rotation=np.diag([1.0, -1.0, -1.0]),
    translation_mm=np.array([0.0, 0.0, 1040.0]),
    width_px=1280,
    height_px=720,
)
SEATS: tuple[Seat, ...] = ("south", "west", "north")


def header_with(game: str, *names: str, **options: str) -> Header:
    """Players without colours; ``options``: values as JSON text."""
    return Header(
        game=game,
        players=tuple(Player(name=name, seat=seat) for name, seat in zip(names, SEATS, strict=False)),
        options=tuple(Option(name=name, value=value) for name, value in options.items()),
    )


def bounced(who: tuple[str, Seat], hole: str, t_s: float) -> Shot:
    colour, side = who
    return Shot(colour=colour, table_bounces=1, result=InHole(hole=hole), side=side, stamp=stamp(t_s, t_s + 1.5))


def ball(name: str, t_s: float, *, hits: bool) -> Shot:
    result = InHole(hole="A1") if hits else Off()
    touched = None if hits else False
    return Shot(
        colour=None, ball=name, table_bounces=1, result=result, touched_board=touched, stamp=stamp(t_s, t_s + 1.2)
    )


def on_grid(game: str, *events: Event) -> FakeDesk:
    desk = FakeDesk(replace(header_of("Ann", "Bob"), game=game), load_layout("grid-7x7"), events)
    desk.match_id = game
    return desk


def straight() -> FakeDesk:
    """Bob's foul has given Ann one of his balls."""
    foul = replace(bounced(BOB, "E5", 9.0), table_bounces=2)
    return on_grid("bounce-em-straight", bounced(ANN, "C3", 3.0), foul)


def hit_66() -> FakeDesk:
    return on_grid("hit-66", bounced(ANN, "C3", 3.0), bounced(BOB, "D4", 9.0))


def bounce_21() -> FakeDesk:
    """Ann is in her last turn, over 21 by now."""
    throws = zip("AABBAA", ("A1", "B2", "C1", "D4", "E5", "F6"), strict=True)
    return on_grid(
        "bounce-21",
        *(bounced(ANN if who == "A" else BOB, hole, 3.0 + 6 * at) for at, (who, hole) in enumerate(throws)),
    )


def bounce_it() -> FakeDesk:
    """Bob has taken the first chip, and Ann has just hit with balls left."""
    header = header_with("bounce-it", "Bob", "Ann", target="20", no_blue_from_21="true")
    desk = FakeDesk(
        header,
        load_layout("box"),
        (
            ball("orange-small", 3.0, hits=False),
            ball("orange-medium", 6.0, hits=False),
            Note(text="nobody looked", by="Cleo"),
            ball("orange-large", 9.0, hits=False),
            ball("blue", 12.0, hits=True),
            ball("orange-small", 20.0, hits=True),
        ),
    )
    desk.match_id = "bounce-it"
    return desk


def seen_pins(standing: int) -> SeenPins:
    """Ten pins 20 mm apart from west to east, the last of them fallen."""
    states = ["standing"] * standing + ["fallen"] * (10 - standing)
    pins = tuple(SeenPin(px=(550.0 + 20 * at, 360.0), state=state) for at, state in enumerate(states))
    return SeenPins(standing=standing, fallen=10 - standing, pins=pins, stamp=stamp(8.0))


def wonder_bowling(*, strike: bool = True) -> FakeDesk:
    """Bob has taken a penalty chip, and Ann is to tap; or (``strike``) she has, and Bob left one pin and chooses."""
    chips = {"targets": '{"Ann": [4, 7], "Bob": [2, 9]}', "penalty_chips": "[3, 3, 4, 5, 5, 6]"}
    header = header_with("wonder-bowling", "Ann", "Bob", **chips)
    tapped = (Tap(standing=8, stamp=stamp(3.0, 4.0)), Tap(standing=8, stamp=stamp(6.0)), Tap(standing=8))
    events: list[Event] = [*tapped, seen_pins(8)]
    if strike:
        events += [Tap(standing=6, stamp=stamp(12.0)), Tap(standing=1, stamp=stamp(15.0))]
    desk = FakeDesk(header, load_layout("lane"), events)
    desk.match_id = "wonder-bowling"
    desk.camera = ABOVE
    return desk


def bouncers(**options: str) -> FakeDesk:
    """Cleo has won the king of hearts; in the second trick Ann is still to play."""
    upcoming = (PointCard(card="2H"), PointCard(card="9H")) if options else ()
    between = () if options else (PointCard(card="2H"),)
    cards: tuple[Event, ...] = (
        PointCard(card="KH", stamp=stamp(1.0)),
        *upcoming,
        Card(card="TS", seat="south", stamp=stamp(3.0)),
        Card(card="2D", seat="west", stamp=stamp(5.0)),
        Card(card="QS", seat="north", stamp=stamp(7.0)),
        *between,
        Card(card="4C", seat="north", stamp=stamp(9.0)),
    )
    desk = FakeDesk(header_with("bouncers", "Ann", "Bob", "Cleo", **options), load_layout("grid-7x7"), cards)
    desk.match_id = "bouncers"
    return desk


EVENINGS: Mapping[str, Callable[[], FakeDesk]] = {
    "bounce-em-straight": straight,
    "bounce-em-all": lambda: on_grid("bounce-em-all", *evening()),
    "hit-66": hit_66,
    "bounce-21": bounce_21,
    "bounce-it": bounce_it,
    "wonder-bowling": wonder_bowling,
    "bouncers": bouncers,
}
