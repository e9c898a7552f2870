"""Golden matches: whole logs, and beside each what the match says after every line.

``python -m tests.games.golden`` writes the states anew after a change that was meant; read the difference first.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from referee.log import layout_of, read_log
from referee.match import Call, Match
from referee.score import standing_to_json
from referee.words import call_words, event_words

FOLDER = Path(__file__).parent / "golden"


def logs() -> list[Path]:
    return sorted(FOLDER.glob("*.jsonl"))


def states_of(log: Path) -> str:
    """Every line of a log in words, the calls that it adds (+) or takes back (-), and how the match then stands."""
    return "".join(f"{line}\n" for line in _states(log))


def _states(path: Path) -> Iterator[str]:
    log = read_log(path)
    layout = layout_of(log.header, path.parent)
    match = Match.of(log.header, layout)
    calls_before: list[tuple[Call, str]] = []
    for count in range(len(log.events) + 1):
        match = match.grown(log.events[count - 1 : count] if count else ())
        standing = match.standing()
        state = standing_to_json(standing)
        calls = [(call, call_words(call)) for call in standing.calls]
        yield f"{count} {event_words(log.events[count - 1], standing.header) if count else 'the match begins'}"
        before, now = set(calls_before), set(calls)
        yield from (f"  - {call.event} {words}" for call, words in calls_before if (call, words) not in now)
        yield from (f"  + {call.event} {words}" for call, words in calls if (call, words) not in before)
        del state["game"], state["calls"]
        yield f"  {json.dumps(state)} next: {', '.join(standing.expected.players)} {standing.expected.action}"
        calls_before = calls


def main() -> None:
    for log in logs():
        log.with_suffix(".txt").write_text(states_of(log), encoding="utf-8")


if __name__ == "__main__":
    main()
