"""Hostile logs: golden matches spoilt in every way that comes to mind, and pure noise.

``python -m tests.bench.hostile --count 10000 --seed 1`` makes so many, always the same for a seed, and checks that each
gives a state or one clear error, within bounded memory. A log that doesn't is named by its number: ``--only 1234``.
"""

import argparse
import json
import resource
import string
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from hardware.errors import RefereeError
from referee.events import event_to_json
from referee.games import GAMES
from referee.log import layout_of, read_log
from referee.match import Match
from referee.score import scoreboard, standing_of, standing_to_json
from referee.words import call_words, event_words
from tests.games.golden import logs

MOST_MB = 600
Lines = list[bytes]

TOKENS = (
    *(b"NaN", b"-Infinity", b"1e999", b"-0.0", b"null", b"true", b"[", b"]", b"{", b"}", b'"', b",", b":", b"\\"),
    *(b"\n", b"\r", b"\r\n", b"\0", b"\x1b[2J", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\t", b"\\ud800"),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, "", " ", [], {}, [[]], [None], {"": None}, "\ud800", "\0", "\x1b[2J", "a" * 5_000, "ready"),
    *(0, -1, 1, 1.0, 0.5, 2, 10, 11, 1e308, -1e308, 10**299, -(10**299), 10**400, float("nan"), float("inf")),
    *("red", "board", "A1", "south", "Ann", "QH", "7H", "orange-small", "blue", "raise", "strike", "match", "ruling"),
    *({"place": "hole", "hole": "A1"}, {"place": "off"}, [{"colour": "red", "from": "A1", "to": None}], ["Ann"]),
    *({"1": 10**9}, {"1": -1}, {"Ann": [2, 3]}, [2] * 6, ["A1"] * 5, [["A1"] * 5]),
)
OPTIONS = (
    *("starter", "wrong_side", "foul_wins_no_row", "rounds", "target", "throw_means_stand", "supply", "dealer", "seed"),
    *("no_blue_from_21", "no_blue_first_turn", "throw_means_raise", "targets", "penalty_chips", "show_upcoming"),
    *("special_bouncers", "unheard_of"),
)
NAMES = (*(game.name for game in GAMES), "chess")
LAYOUTS: tuple[Any, ...] = (
    "grid-7x7",
    "octagon",
    "box",
    "none",
    None,
    "/dev/zero",
    "a\0b",
    "..",
    "x" * 5_000,
    "log.jsonl",
    {},
    [],
)


def spoil_bytes(dice: Random, lines: Lines, others: Sequence[Lines]) -> Lines:
    """Bytes overwritten, taken out or put in."""
    text = b"\n".join(lines)
    for _ in range(dice.randint(1, 8)):
        at, cut = dice.randint(0, len(text)), dice.choice([0, 1, 3, 50])
        put = dice.choice([b"", dice.choice(TOKENS), dice.randbytes(dice.randint(1, 4))])
        text = text[:at] + put + text[at + cut :]
    return text.split(b"\n")


def shuffle_lines(dice: Random, lines: Lines, others: Sequence[Lines]) -> Lines:
    """Lines in another order, left out, twice, or from a match of another game."""
    lines = list(lines)
    for _ in range(dice.randint(1, 20)):
        at = dice.randrange(len(lines) + 1)
        match dice.randrange(5):
            case 0:
                del lines[at : at + 3]
            case 1:
                lines[at:at] = lines[at : at + 3] * 2
            case 2:
                lines.insert(at, dice.choice(dice.choice(others)))
            case 3:
                lines[at:] = dice.sample(lines[at:], len(lines) - at)
            case _:
                del lines[at:]
    return lines


def spoil_values(dice: Random, lines: Lines, others: Sequence[Lines]) -> Lines:
    """Values of odd kinds and sizes in the place of good ones; keys taken away or renamed."""
    lines = list(lines)
    for _ in range(dice.randint(1, 12)):
        at = dice.randrange(len(lines))
        lines[at] = edited(dice, lines[at], spoilt)
    return lines


def spoil_header(dice: Random, lines: Lines, others: Sequence[Lines]) -> Lines:
    """Another game, other players, house rules that make no sense."""

    def other(dice: Random, header: Any) -> Any:
        if not isinstance(header, dict):
            return header
        options = {dice.choice(OPTIONS): dice.choice(VALUES) for _ in range(dice.randint(0, 3))}
        players = header.get("players")
        changes = (
            {"game": dice.choice(NAMES)},
            {"layout": dice.choice(LAYOUTS)},
            {"options": options},
            {"options": {**options, "starter": "Ann", "rounds": 10**299, "target": 10**299}},
            {"players": players * 2 if isinstance(players, list) else []},
            {"players": [{"name": name} for name in dice.sample(string.ascii_letters, dice.randint(0, 8))]},
            {"version": dice.choice(VALUES)},
        )
        return header | dice.choice(changes)

    return [edited(dice, lines[0], other), *lines[1:]]


def rule_wildly(dice: Random, lines: Lines, others: Sequence[Lines]) -> Lines:
    """Rulings on all sorts of lines, also on rulings, nested, in long chains, with an id that comes again."""
    lines = list(lines)
    for _ in range(dice.randint(1, 40)):
        about = dice.choice([0, len(lines) - 1, len(lines), dice.randrange(len(lines) + 5)])
        replacement = dice.choice([b"null", dice.choice(lines), dice.choice(dice.choice(others)), lines[0]])
        for _ in range(dice.choice([0, 0, 0, 1, 3, 60])):
            replacement = b'{"type":"ruling","event":%d,"replace":%s}' % (dice.randrange(len(lines) + 1), replacement)
        name = dice.choice([b"", b"", b',"id":"a"'])
        lines.append(b'{"type":"ruling","event":%d,"replace":%s%s}' % (about, replacement, name))
        if dice.random() < 0.3:
            lines.append(dice.choice(lines))
    return lines


def make_noise(dice: Random, lines: Lines, others: Sequence[Lines]) -> Lines:
    """Random bytes, random JSON, deep nests."""
    match dice.randrange(4):
        case 0:
            return dice.randbytes(dice.randint(0, 2_000)).split(b"\n")
        case 1:
            return [lines[0], *(json.dumps(dice.choice(VALUES)).encode() for _ in range(dice.randint(0, 50)))]
        case 2:
            depth = dice.choice([10, 99, 101, 5_000, 100_000])
            return [lines[0], dice.choice([b"[", b'{"a":', b'{"type":"x","a":[']) * depth, *lines[1:]]
        case _:
            return [b" ".join(dice.choices(TOKENS, k=dice.randint(1, 60)))]


Spoiler = Callable[[Random, Lines, Sequence[Lines]], Lines]
# How often each is taken.
SPOILERS: Mapping[Spoiler, int] = {
    spoil_values: 6,
    shuffle_lines: 4,
    rule_wildly: 4,
    spoil_header: 2,
    spoil_bytes: 2,
    make_noise: 1,
}


def edited(dice: Random, line: bytes, edit: Callable[[Random, Any], Any]) -> bytes:
    """A line with its JSON changed; one that can't be read as JSON stays."""
    try:
        return json.dumps(edit(dice, json.loads(line))).encode()
    except (ValueError, RecursionError):
        return line


def spoilt(dice: Random, value: Any) -> Any:
    """One value of a JSON value replaced, somewhere in it."""
    if dice.random() < 0.25 or not isinstance(value, dict | list) or not value:
        return dice.choice(VALUES)
    if isinstance(value, list):
        at = dice.randrange(len(value))
        return [*value[:at], spoilt(dice, value[at]), *value[at + 1 :]]
    key = dice.choice(list(value))
    match dice.randrange(6):
        case 0:
            return {name: kept for name, kept in value.items() if name != key}
        case 1:
            return value | {dice.choice([*value, "player", "colour", "moved", "id", "event"]): dice.choice(VALUES)}
        case _:
            return value | {key: spoilt(dice, value[key])}


def hostile_log(seed: int, number: int, golden: Sequence[Lines]) -> bytes:
    """One hostile log, always the same for a seed and a number."""
    dice = Random(f"{seed}.{number}")
    lines = dice.choice(golden)
    if dice.random() < 0.7:
        lines = lines[: dice.randint(1, 120)]
    for spoil in dice.choices(list(SPOILERS), list(SPOILERS.values()), k=dice.randint(1, 3)):
        lines = spoil(dice, lines, golden) or [b""]
    return dice.choice([b"", b"", b"", b"\xef\xbb\xbf"]) + dice.choice([b"\n", b"\n", b"\r\n"]).join(lines)


def check(path: Path) -> str:
    """Read a log in all ways that a log is read; "a state", or the kind of its one clear error."""
    try:
        log = read_log(path)
        standing = standing_of(log, path.parent)
    except RefereeError as error:
        return clear_error(error)
    assert json.loads(json.dumps(standing_to_json(standing), allow_nan=False))["game"] == standing.game
    assert scoreboard(standing).strip()
    for event in log.events:
        assert event_words(event, standing.header).strip(), event
        json.dumps(event_to_json(event))
    assert all(call_words(call).strip() for call in standing.calls)
    if standing.header == log.header:
        half, find_layout = len(log.events) // 2, partial(layout_of, folder=path.parent)
        match = Match.of(log.header, standing.layout, log.events[:half], find_layout).grown(log.events[half:])
        assert match.standing() == standing
    return "a state"


def clear_error(error: RefereeError) -> str:
    """The kind of an error, which must be told in one line of bearable length."""
    said = str(error)
    assert said.strip()
    assert "\n" not in said
    assert len(said) < 6_000
    return type(error).__name__


def golden_lines() -> list[Lines]:
    return [path.read_bytes().splitlines() for path in logs()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the number of one log, to look at it more closely")
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MB * 1_000_000,) * 2)
    golden, ends, slowest_s = golden_lines(), Counter[str](), 0.0
    numbers = range(arguments.count) if arguments.only is None else [arguments.only]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        for number in numbers:
            path.write_bytes(hostile_log(arguments.seed, number, golden))
            begun = time.perf_counter()
            try:
                ends[check(path)] += 1
            except Exception as error:
                if arguments.only is not None:
                    raise
                print(f"log {number}: {error!r}"[:300])
                ends["FAILED"] += 1
            slowest_s = max(slowest_s, time.perf_counter() - begun)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
    print(f"{sum(ends.values())} hostile logs of seed {arguments.seed}: {dict(ends.most_common())}")
    print(f"slowest {slowest_s:.2f} s, peak memory {peak_mb:.0f} MB of {MOST_MB} allowed")
    return 1 if ends["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main())
