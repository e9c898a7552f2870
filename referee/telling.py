"""A log as people read it: one line an event, in words, with what was called and what was ruled."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from referee.columns import printable
from referee.events import BadEvent, Event, Header, Option, OtherEvent, Player, Ruling
from referee.games import find_game, reads_layout
from referee.log import Log, layout_of
from referee.match import Match, corrected
from referee.words import call_words, event_words

NUMBER_WIDTH: Final = 5
TIME_WIDTH: Final = 9


def tell_log(log: Log, folder: Path) -> Iterator[str]:
    """The lines of a log that was read in a folder, the header first; each begins with its number and its time.

    A corrected line says how it now reads, who ruled so and why, and how it read before. Without a game nothing is
    called. Raises BadHeader, BadGame or BadLayout.
    """
    match = _played(log, folder) if log.header.game else None
    lines = corrected(log.events) if match is None else [match.log[line] for line in range(1, len(log.events) + 1)]
    standing = None if match is None else match.standing()
    rulings = _in_force(lines)
    header = log.header if standing is None else standing.header
    yield _row(0, None, _with_ruling(header_words(header), rulings.get(0), header_words(log.header)))
    for line, (read, event) in enumerate(zip(log.events, lines, strict=True), start=1):
        before = event_words(read, header)
        if event is None and line not in rulings:
            words = f"left out, as an earlier line has its id: {before}"
        else:
            now = "struck out" if event is None else _marked(event, header)
            words = _with_ruling(now, rulings.get(line), before)
        calls = "" if standing is None else "; ".join(map(call_words, standing.calls_of(line)))
        yield _row(line, read, f"{words} => {calls}" if calls else words)


def header_words(header: Header) -> str:
    """What is played, by whom and by which house rules: "Hit 66 on grid-7x7: Ann (south, red), Bob (north, blue)"."""
    if header.game is None:
        return "A recording without a game"
    board = f" on {header.layout}" if isinstance(header.layout, str) and header.layout != "none" else ""
    players = ", ".join(map(_player_words, header.players))
    rules = ", ".join(map(_option_words, header.options))
    return f"{find_game(header.game).title}{board}: {players}" + (f"; {rules}" if rules else "")


def _player_words(player: Player) -> str:
    place = [*([player.seat] if player.seat else []), *player.colours]
    return f"{player.name} ({', '.join(place)})" if place else player.name


def _option_words(option: Option) -> str:
    value = json.loads(option.value)
    return f"{option.name}={value if isinstance(value, str) else option.value}"


def _played(log: Log, folder: Path) -> Match:
    find_layout = partial(layout_of, folder=folder)
    layout = find_layout(log.header) if reads_layout(log.header) else None
    return Match.of(log.header, layout, log.events, find_layout)


def _in_force(lines: Sequence[Event | None]) -> Mapping[int, tuple[int, Ruling]]:
    """For each corrected line the ruling that holds, the last one, with its own line."""
    return {event.event: (line, event) for line, event in enumerate(lines, start=1) if isinstance(event, Ruling)}


def _with_ruling(now: str, ruled: tuple[int, Ruling] | None, before: str) -> str:
    """What a line says now, and where somebody ruled on it who that was, why, and what it said before."""
    if ruled is None:
        return now
    line, ruling = ruled
    verb = "confirmed" if now == before else "ruled"
    why = f": {ruling.reason}" if ruling.reason else ""
    was = "" if now == before else f"; before: {before}"
    return f"{now} [{verb} by {ruling.by or 'somebody'} in line {line}{why}{was}]"


def _marked(event: Event, header: Header) -> str:
    """An event in words, with the reason why a person should look where there is one."""
    review = "" if isinstance(event, OtherEvent | BadEvent) else event.stamp.review
    return event_words(event, header) + (f" [please look: {review}]" if review else "")


def _row(line: int, event: Event | None, words: str) -> str:
    time = "" if event is None or event.stamp.t_s is None else time_words(event.stamp.t_s)
    return f"{line:{NUMBER_WIDTH}}{time:>{TIME_WIDTH}}  {printable(' '.join(words.split()))}"


def time_words(t_s: float) -> str:
    """A time of the recording: "1:05.3", "1:00:05.3"."""
    sign, tenths = "-" if t_s < 0 else "", round(abs(t_s) * 10)
    minutes, rest = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    seconds = f"{rest // 10:02d}.{rest % 10}"
    return sign + (f"{hours}:{minutes:02d}:{seconds}" if hours else f"{minutes}:{seconds}")
