"""Calls never get worse: the sample recordings are compared with the scores that were once reached.

    python -m tests.bench.ratchet                 # 1 if anything is worse than in tests/ratchet.json
    python -m tests.bench.ratchet --raise         # keeps what is better; what is worse stays as it was
    python -m tests.bench.ratchet --raise bii-01  # the recordings named

Where a score has to get worse for a good reason, the file is edited by hand, and the reason goes into the commit.
"""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Final

from referee.calls import calls_to_json, count_calls
from referee.comparison import Comparison
from referee.evaluate import Evaluation, evaluate
from referee.pin_comparison import PinComparison
from referee.pin_tally import pin_tally
from referee.tally import tally
from tests.bench.workers import in_processes

SAMPLES: Final = Path(__file__).parents[2] / "sample_videos"
SCORES: Final = Path(__file__).parents[1] / "ratchet.json"

HIGHER_IS_BETTER: Final = ("right", "contacts", "by_hand", "bumps", "racks", "settled", "pins")
MEASURED: Final = ("time_ms", "place_mm")
"""Numbers that another processor or library changes a little."""

SLACK: Final = 1.25
LEAST: Final = 0.5
"""Measured values may be a quarter and half a unit worse before they count as worse."""

Score = Mapping[str, float]


def score_video(name: str) -> Score:
    return score_of(evaluate(SAMPLES / f"{name}.mp4"))


def score_of(evaluation: Evaluation) -> Score:
    """A recording in few numbers: calls, then what they rest on."""
    comparison = evaluation.comparison
    calls = calls_to_json(count_calls([comparison]))
    more = _ball_score(comparison) if isinstance(comparison, Comparison) else _pin_score(comparison)
    return {"clicks": int(evaluation.clicked is not None), **calls, **more}


def _ball_score(comparison: Comparison) -> Score:
    counts = tally([comparison])
    return {
        "contacts": counts.contacts_found,
        "contacts_invented": counts.contacts_seen - counts.contacts_found,
        "holes_wrong": counts.start_wrong + counts.final_wrong,
        "by_hand": counts.hands.found,
        "by_hand_invented": counts.hands.invented,
        "bumps": counts.bumps.found,
        "bumps_invented": counts.bumps.invented,
        "time_ms": round(median(counts.times_ms), 2) if counts.times_ms else 0.0,
        "place_mm": round(median(counts.places_mm), 2) if counts.places_mm else 0.0,
    }


def _pin_score(comparison: PinComparison) -> Score:
    counts = pin_tally([comparison])
    return {
        "racks": sum(rack.is_right for rack in comparison.racks_found),
        "racks_invented": counts.racks_invented,
        "settled": counts.exact,
        "misread": counts.misread,
        "bumps": counts.bumps.found,
        "bumps_invented": counts.bumps.invented,
        "pins": sum(state.matched for state in counts.states.values()),
        "pins_invented": sum(state.seen - state.matched for state in counts.states.values()),
        "time_ms": round(median(counts.times_ms), 2) if counts.times_ms else 0.0,
    }


def worse(old: Score, new: Score) -> dict[str, tuple[float, float]]:
    """The numbers that got worse: what they were, what they are."""
    return {key: (old[key], new.get(key, 0.0)) for key in old if _loss(key, old[key], new.get(key, 0.0)) > 0}


def better(old: Score, new: Score) -> Score:
    """The better of the two in each number."""
    return {key: old[key] if key in old and _step(key, old[key], new[key]) > 0 else new[key] for key in new}


def _step(key: str, old: float, new: float) -> float:
    """How much worse the new value is."""
    return old - new if key in HIGHER_IS_BETTER else new - old


def _loss(key: str, old: float, new: float) -> float:
    return new - max(old * SLACK, old + LEAST) if key in MEASURED else _step(key, old, new)


def read_scores() -> dict[str, Score]:
    scores: dict[str, Score] = json.loads(SCORES.read_text(encoding="utf-8"))
    return scores


def write_scores(scores: Mapping[str, Score]) -> None:
    """One recording a line."""
    lines = [f"  {json.dumps(name)}: {json.dumps(dict(scores[name]))}" for name in sorted(scores)]
    SCORES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", metavar="NAME", nargs="*", help="recordings in sample_videos; without any: all")
    parser.add_argument("--raise", dest="raises", action="store_true", help="keep what is better")
    chosen = parser.parse_args()
    scores = read_scores() if SCORES.is_file() else {}
    losses = 0
    names = chosen.names or sorted(path.stem for path in SAMPLES.glob("*.mp4"))
    for name, new in zip(names, in_processes(score_video, names), strict=True):
        old = scores.get(name, {})
        lost = worse(old, new)
        losses += len(lost)
        for key, (was, is_now) in lost.items():
            print(f"{name}: {key} was {was:g}, is {is_now:g}", file=sys.stderr)
        if not lost:
            print(f"{name}: {'as good as before' if old else 'new'}")
        scores[name] = better(old, new)
    if chosen.raises:
        write_scores(scores)
    return 1 if losses else 0


if __name__ == "__main__":
    sys.exit(main())
