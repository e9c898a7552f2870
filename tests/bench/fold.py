"""How long a match takes to fold: ``python -m tests.bench.fold`` prints the tables of docs/measurements.md.

The match is Bounce-Em-All with as many rounds as it takes; of every eight lines seven are what the camera saw on the
way, as in a log that was recorded.
"""

import gc
import time
import tracemalloc
from collections.abc import Iterator
from itertools import count, islice

from calibration.layout import Layout, load_layout
from referee.events import Event, Header, InHole, Note, Option, Player, Ruling, SeenBounce, Shot
from referee.log import layout_of, read_log
from referee.match import Match, fold
from tests.games.golden import logs

LENGTHS = (1_000, 10_000, 100_000)
ENDLESS = Header(
    game="bounce-em-all",
    layout="grid-7x7",
    players=(Player(name="Ann", seat="south", colours=("red",)), Player(name="Bob", seat="north", colours=("blue",))),
    options=(Option(name="starter", value='"Ann"'), Option(name="rounds", value="1000000")),
)
COLOURS = {"Ann": "red", "Bob": "blue"}


def endless(layout: Layout) -> Iterator[Event]:
    """The lines of a match that never ends: whoever is in turn throws, into every hole in its order."""
    match = Match.of(ENDLESS, layout)
    for turn in count():
        (player,) = match.standing().expected.players
        colour, hole = COLOURS[player], layout.holes[turn % len(layout.holes)].name
        seen = SeenBounce(colour=colour, surface="table", px=(640.0, 600.0 + turn % 7))
        lines = (*[seen] * 7, Shot(colour=colour, table_bounces=1, result=InHole(hole=hole)))
        match = match.grown(lines)
        yield from lines


def appended(layout: Layout, events: list[Event]) -> None:
    """Live: each line by itself, and how the match stands after it."""
    print("| lines in the log | µs a line, appended one by one | µs a line, folded whole | MB kept | states kept |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for length in LENGTHS:
        match = Match.of(ENDLESS, layout, events[: length - 1_000])
        begun = time.perf_counter()
        for event in events[length - 1_000 : length]:
            match = match.grown((event,))
            match.standing()
        live_us = (time.perf_counter() - begun) * 1e6 / 1_000
        begun = time.perf_counter()
        fold(ENDLESS, layout, events[:length])
        whole_us = (time.perf_counter() - begun) * 1e6 / length
        tracemalloc.start()
        match = Match.of(ENDLESS, layout, events[:length])
        kept_mb = tracemalloc.get_traced_memory()[0] / 1e6
        tracemalloc.stop()
        print(f"| {length:,} | {live_us:.1f} | {whole_us:.1f} | {kept_mb:.2f} | {len(match.kept)} |")


def ruled(layout: Layout, events: list[Event]) -> None:
    """A ruling on an old line."""
    print("| lines in the log | ms, on a note 10 lines back | 1,000 lines back | on the first line | from the start |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for length in LENGTHS:
        match = Match.of(ENDLESS, layout, events[:length])
        took_ms = []
        for line in (length - 10, max(1, length - 1_000), 1):
            ruling = Ruling(event=line, replace=Note(text="seen otherwise"), by="Eve", reason="it was otherwise")
            begun = time.perf_counter()
            match.grown((ruling,)).standing()
            took_ms.append((time.perf_counter() - begun) * 1e3)
        begun = time.perf_counter()
        fold(ENDLESS, layout, (*events[:length], ruling))
        whole_ms = (time.perf_counter() - begun) * 1e3
        print(f"| {length:,} | {' | '.join(f'{ms:.2f}' for ms in took_ms)} | {whole_ms:.2f} |")


def games() -> None:
    """What a line of each game takes, over its golden matches."""
    print("| golden match | lines | µs a line, appended one by one |")
    print("| --- | ---: | ---: |")
    for path in logs():
        log = read_log(path)
        match = Match.of(log.header, layout_of(log.header, path.parent))
        begun = time.perf_counter()
        for event in log.events:
            match = match.grown((event,))
            match.standing()
        print(f"| {path.stem} | {len(log.events)} | {(time.perf_counter() - begun) * 1e6 / len(log.events):.1f} |")


def main() -> None:
    layout = load_layout("grid-7x7")
    events = list(islice(endless(layout), LENGTHS[-1]))
    gc.freeze()
    for table in (lambda: appended(layout, events), lambda: ruled(layout, events), games):
        table()
        print()


if __name__ == "__main__":
    main()
