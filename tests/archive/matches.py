"""Short ways to put matches into a store."""

import json
from collections.abc import Sequence
from pathlib import Path

from referee.events import Event, Header, Option, Player, Seat
from referee.log import write_log
from referee.recording import Origin
from referee.store import MatchFolder, Store
from tests.live.scene import table, throw

SEATS: tuple[Seat, ...] = ("south", "north", "west", "east")
COLOURS = ("red", "blue", "green", "yellow")


def header(*names: str, game: str = "bounce-em-all") -> Header:
    """Players with seats and colours in turn order, the first of whom begins."""
    players = zip(names, SEATS, COLOURS, strict=False)
    return Header(
        game=game,
        layout="grid-7x7",
        players=tuple(Player(name=name, seat=seat, colours=(colour,)) for name, seat, colour in players),
        options=(Option(name="starter", value=json.dumps(names[0])),),
    )


ANN_AND_BOB = header("Ann", "Bob")
HOLES = ("A1", "B2", "C3", "D4", "E5", "F6", "G7", "A7", "B6", "C5", "E3", "F2")


def whole_match(first: str = "red", second: str = "blue") -> tuple[Event, ...]:
    """Twelve throws in turn that all stay in holes; the match is finished by them."""
    return tuple(throw((first, second)[number % 2], hole, 1.0 + number) for number, hole in enumerate(HOLES))


def play(store: Store, events: Sequence[Event] = (), head: Header = ANN_AND_BOB) -> MatchFolder:
    """A stored match, closed."""
    with store.create(head, table(), Origin(name="usb:0")) as match:
        for event in events:
            match.append(event)
        return match.folder


def drop(data_dir: Path, match_id: str, events: Sequence[Event] = (), head: Header = ANN_AND_BOB) -> Path:
    """A match's directory put among the others by hand."""
    folder = data_dir / "matches" / match_id
    folder.mkdir(parents=True)
    write_log(folder / "events.jsonl", head, events)
    return folder
