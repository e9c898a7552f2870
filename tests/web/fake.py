"""A desk without a camera: the real rules over events that a test puts in."""

import threading
from collections.abc import Sequence
from pathlib import Path

from calibration.camera_model import CameraModel
from calibration.layout import Layout
from referee.desk import Snapshot, Source
from referee.errors import BadRuling, NoClip, NotCounted
from referee.events import (
    BallAt,
    Choice,
    Decision,
    Event,
    Header,
    InHole,
    OnBoard,
    Option,
    Placed,
    Player,
    Ruling,
    Seat,
    SeenBoard,
    SeenBounce,
    SeenPins,
    Shot,
    Stamp,
)
from referee.match import Match, fold
from referee.scorebook import newest, said_by, with_event

ANN: tuple[str, Seat] = ("red", "south")
BOB: tuple[str, Seat] = ("blue", "north")

# Lines of the log of ``desk``, as calls and rulings name them.
FIRST_SCORE, FOUL, DOUBTFUL = 4, 7, 9


class FakeDesk:
    """A match that lives in memory: the real fold over events that a test puts in."""

    def __init__(self, header: Header, layout: Layout, events: Sequence[Event], clip: Path | None = None) -> None:
        self.header, self.layout, self.clip_path = header, layout, clip
        self.source = Source(name="evening.mp4", state="playing", t_s=33.0, duration_s=94.0, message=None)
        self.camera: CameraModel | None = None
        self.warnings: tuple[str, ...] = ()
        self.match_id = "evening"
        self.refusal: str | None = None
        self._events: tuple[Event, ...] = ()
        self._version = 0
        self._changed = threading.Condition()
        self.see(*events)

    def see(self, *events: Event, source: Source | None = None) -> None:
        """Something happened at the table."""
        with self._changed:
            self._events += events
            self.source = source or self.source
            self._version += 1
            self._changed.notify_all()

    def snapshot(self) -> Snapshot:
        with self._changed:
            standing = fold(self.header, self.layout, self._events)
            return Snapshot(
                version=self._version,
                match_id=self.match_id,
                header=standing.header,
                layout=self.layout,
                standing=standing,
                events=self._events,
                board=newest(SeenBoard, self._events),
                pins=newest(SeenPins, self._events),
                source=self.source,
                warnings=self.warnings,
                camera=self.camera,
            )

    def wait(self, after_version: int, timeout_s: float) -> Snapshot:
        with self._changed:
            self._changed.wait_for(lambda: self._version > after_version, timeout_s)
        return self.snapshot()

    def rule(self, *, event: int, replace: Event | None, by: str, reason: str) -> Snapshot:
        if self.refusal is not None:
            raise BadRuling(self.refusal)
        self.see(Ruling(event=event, replace=replace, by=by, reason=reason))
        return self.snapshot()

    def decide(self, *, player: str, choice: Choice, targets: tuple[int, ...] | None = None) -> Snapshot:
        return self._add(Decision(player=player, choice=choice, targets=targets))

    def add(self, *, event: Event, by: str, reason: str) -> Snapshot:
        return self._add(said_by(event, by, reason, None))

    def _add(self, event: Event) -> Snapshot:
        if self.refusal is not None:
            raise NotCounted(self.refusal)
        with_event(Match.of(self.header, self.layout, self._events), event)
        self.see(event)
        return self.snapshot()

    def clip(self, event: int) -> Path:
        if self.clip_path is None:
            raise NoClip("this match was not recorded")
        return self.clip_path


def header_of(*names: str) -> Header:
    colours = ("red", "blue", "green", "yellow")
    seats: tuple[Seat, ...] = ("south", "north", "east", "west")
    players = tuple(
        Player(name=name, seat=seat, colours=(colour,))
        for name, seat, colour in zip(names, seats, colours, strict=False)
    )
    return Header(
        game="bounce-em-all",
        players=players,
        layout="grid-7x7",
        options=(Option(name="starter", value=f'"{names[0]}"'),),
    )


def stamp(t_s: float, t_end_s: float | None = None, confidence: float = 0.97, review: str | None = None) -> Stamp:
    return Stamp(t_s=t_s, t_end_s=t_end_s, confidence=confidence, review=review)


def evening() -> tuple[Event, ...]:
    """Ann scores in D6, Bob bounces twice, Ann's next throw is in doubt."""
    return (
        SeenBoard(holes=(("C3", "red"),), stamp=stamp(0.0)),
        Placed(balls=(BallAt(colour="red", at="C3"),), stamp=stamp(0.0)),
        SeenBounce(colour="red", surface="table", px=(640, 600), mm=(20, -340), side="south", stamp=stamp(3.3)),
        Shot(colour="red", table_bounces=1, result=InHole(hole="D6"), side="south", stamp=stamp(3.0, 4.6)),
        SeenBounce(colour="blue", surface="table", px=(640, 90), mm=(30, 380), side="north", stamp=stamp(9.3)),
        SeenBounce(colour="blue", surface="table", px=(640, 110), mm=(10, 310), side="north", stamp=stamp(9.5)),
        Shot(colour="blue", table_bounces=2, result=InHole(hole="E5"), side="north", stamp=stamp(9.0, 10.6, 0.8)),
        SeenBoard(holes=(("C3", "red"), ("D6", "red"), ("E5", "blue")), loose=("red",), loose_mm=((60.0, 30.0),)),
        Shot(
            colour="red",
            table_bounces=1,
            result=OnBoard(),
            side="south",
            stamp=stamp(15.0, 16.6, 0.4, "a hand hid the bounce"),
        ),
    )


def last_throws() -> tuple[Event, ...]:
    """What is thrown after ``evening`` until all balls are played; Ann has one less, as one lay there at the start."""
    throws = []
    for number, (who, hole) in enumerate(
        zip("BABABABB", ("A1", "B1", "C1", "D1", "F2", "G1", "A2", "B2"), strict=True)
    ):
        colour, side = BOB if who == "B" else ANN
        begin_s = 21.0 + 6 * number
        at = stamp(begin_s, begin_s + 1.6)
        throws.append(Shot(colour=colour, table_bounces=1, result=InHole(hole=hole), side=side, stamp=at))
    return tuple(throws)
