"""How long a match takes to fold: ``python -m tests.bench.fold`` prints the tables of docs/measurements.md.

The match is Bounce-Em-All with as many rounds as it takes; of every eight lines seven are what the camera saw on the
way, as in a log that was recorded. Times are of the processor, so that what else runs on the machine hardly counts.
"""

import gc
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count, islice

from calibration.layout import Layout, load_layout
from referee.events import Event, Header, InHole, Option, Player, Ruling, SeenBounce, Shot
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
        lines: list[Event] = [*[seen] * 7, Shot(colour=colour, table_bounces=1, result=InHole(hole=hole))]
        match = match.grown(lines)
        yield from lines


def quickest_s(run: Callable[[], object]) -> float:
    """The time that something takes, the shortest of three."""
    times_s = []
    for _ in range(3):
        begun = time.process_time()
        run()
        times_s.append(time.process_time() - begun)
    return min(times_s)


def one_by_one(match: Match, events: Sequence[Event]) -> None:
    """As live: each line by itself, and how the match stands after it."""
    for event in events:
        match = match.grown((event,))
        match.standing()


def lines_table(layout: Layout, events: Sequence[Event]) -> None:
    print("| lines in the log | µs a line, the last 1,000 live | µs a line, all at once | MB kept | states kept |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for length in LENGTHS:
        before, last = Match.of(ENDLESS, layout, events[: length - 1_000]), events[length - 1_000 : length]
        live_us = quickest_s(partial(one_by_one, before, last)) * 1e6 / len(last)
        whole_us = quickest_s(partial(fold, ENDLESS, layout, events[:length])) * 1e6 / length
        tracemalloc.start()
        match = Match.of(ENDLESS, layout, events[:length])
        kept_mb = tracemalloc.get_traced_memory()[0] / 1e6
        tracemalloc.stop()
        print(f"| {length:,} | {live_us:.1f} | {whole_us:.1f} | {kept_mb:.2f} | {len(match.kept)} |")


def rulings_table(layout: Layout, events: Sequence[Event]) -> None:
    print("| lines in the log | ms, a ruling 10 lines back | 1,000 back | on the first line | all folded anew |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for length in LENGTHS:
        match = Match.of(ENDLESS, layout, events[:length])
        rulings = [Ruling(event=line, replace=None, by="Eve") for line in (length - 10, max(1, length - 1_000), 1)]
        runs: list[Callable[[], object]] = [partial(match.grown, (ruling,)) for ruling in rulings]
        runs.append(partial(fold, ENDLESS, layout, match.events))
        print(f"| {length:,} | {' | '.join(f'{quickest_s(run) * 1e3:.2f}' for run in runs)} |")


def games_table() -> None:
    print("| golden match | lines | µs a line, live |")
    print("| --- | ---: | ---: |")
    for path in logs():
        log = read_log(path)
        match = Match.of(log.header, layout_of(log.header, path.parent))
        live_us = quickest_s(partial(one_by_one, match, log.events)) * 1e6 / len(log.events)
        print(f"| {path.stem} | {len(log.events)} | {live_us:.1f} |")


def main() -> None:
    layout = load_layout("grid-7x7")
    events = list(islice(endless(layout), LENGTHS[-1]))
    gc.freeze()
    lines_table(layout, events)
    print()
    rulings_table(layout, events)
    print()
    games_table()


if __name__ == "__main__":
    main()
