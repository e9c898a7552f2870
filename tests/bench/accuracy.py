"""Writes the figures of docs/accuracy.md and README.md anew.

    python -m tests.bench.accuracy                      # all, over sample_videos: a quarter of an hour
    python -m tests.bench.accuracy calls stills         # these parts only: calls, stills, degraded
    python -m tests.bench.accuracy --videos DIRECTORY   # over other recordings with truth

Each part stands in a document between two comments that name it; all else there is written by people.
"""

import argparse
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from referee.comparison import Comparison
from referee.evaluate import Evaluation, evaluate
from referee.evaluation_report import remarks, sheets
from referee.pin_comparison import PinComparison
from referee.pin_tally import pin_tally
from referee.spread import spread_text
from referee.tally import tally
from tests.bench import degrade, stills
from tests.bench.markdown import markdown_table
from tests.bench.workers import in_processes

ROOT: Final = Path(__file__).parents[2]
DOCUMENTS: Final = (ROOT / "docs" / "accuracy.md", ROOT / "README.md")

Texts = Mapping[str, str]
"""What is to stand in parts of the documents, by their names."""


def calls(videos: Sequence[Path]) -> Texts:
    """The tables of ``referee evaluate``, each call that is wrong or in doubt, and all in short."""
    evaluations = list(in_processes(evaluate, videos))
    return {"calls": _calls(evaluations), "summary": _summary(evaluations)}


def _calls(evaluations: Sequence[Evaluation]) -> str:
    parts = [f"{markdown_table(each.headings, each.rows)}\n\n{each.legend}" for each in sheets(evaluations)]
    said = list(_listed(evaluations))
    listed = "\n".join(said) if said else "None."
    return "\n\n".join([*parts, f"Calls that are wrong, missed, invented or sent to review:\n\n{listed}"])


def _summary(evaluations: Sequence[Evaluation]) -> str:
    """What became of all calls, and what they rest on."""
    balls = tally(each.comparison for each in evaluations if isinstance(each.comparison, Comparison))
    pins = pin_tally(each.comparison for each in evaluations if isinstance(each.comparison, PinComparison))
    first = sheets(evaluations)[0]
    off = f"{spread_text(balls.times_ms)} ms and {spread_text(balls.places_mm)} mm off: median (90 %)"
    return (
        f"{markdown_table(first.headings, first.rows)}\n\n"
        f"- Contacts with table and board: {balls.contacts_found} of {balls.contacts} found, {off}.\n"
        f"- Holes read wrongly at the start or the end: {balls.start_wrong + balls.final_wrong}.\n"
        f"- Pins counted exactly at moments of rest: {pins.exact} of {pins.moments}; "
        f"set-ups judged rightly: {pins.problems} of {pins.racks}."
    )


def _listed(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    for each in evaluations:
        for remark in remarks(each):
            yield f"- {each.video.stem}: {remark}"


def single(videos: Sequence[Path]) -> Texts:
    """Readings of single pictures."""
    return {"stills": stills.report(videos)}


def degraded(videos: Sequence[Path]) -> Texts:
    """Calls in pictures made worse, and how far confidences can be believed."""
    return {"degraded": "\n\n".join(degrade.tables(list(degrade.judge_all(videos))))}


MEASURES: Final[Mapping[str, Callable[[Sequence[Path]], Texts]]] = {
    "calls": calls,
    "stills": single,
    "degraded": degraded,
}


def replaced(document: str, part: str, text: str) -> str:
    """The document with a part's text in place of the old one, if it has such a part."""
    begin, end = f"<!-- {part}: written by tests/bench/accuracy.py -->", f"<!-- end of {part} -->"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    return pattern.sub(lambda _: f"{begin}\n\n{text}\n\n{end}", document)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", metavar="PART", nargs="*", help=", ".join(MEASURES))
    parser.add_argument("--videos", metavar="DIRECTORY", type=Path, default=ROOT / "sample_videos")
    chosen = parser.parse_args()
    if unknown := set(chosen.parts) - set(MEASURES):
        parser.error(f"there is no part {', '.join(unknown)}")
    videos = sorted(chosen.videos.glob("*.mp4"))
    for name in chosen.parts or MEASURES:
        for part, text in MEASURES[name](videos).items():
            for path in DOCUMENTS:
                path.write_text(replaced(path.read_text(encoding="utf-8"), part, text), encoding="utf-8")


if __name__ == "__main__":
    main()
