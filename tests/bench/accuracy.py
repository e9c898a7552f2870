"""Writes the figures of docs/accuracy.md anew.

    python -m tests.bench.accuracy                      # all, over sample_videos: a quarter of an hour
    python -m tests.bench.accuracy calls stills         # these parts only: calls, stills, degraded
    python -m tests.bench.accuracy --videos DIRECTORY   # over other recordings with truth

Each part stands in the document between two comments that name it; all else there is written by people.
"""

import argparse
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from referee.evaluate import Evaluation, evaluate
from referee.evaluation_report import remarks, sheets
from tests.bench import degrade, stills
from tests.bench.markdown import markdown_table
from tests.bench.workers import in_processes

ROOT: Final = Path(__file__).parents[2]
DOCUMENT: Final = ROOT / "docs" / "accuracy.md"


def calls(videos: Sequence[Path]) -> str:
    """The tables of ``referee evaluate``, and each call that is wrong or in doubt."""
    evaluations = list(in_processes(evaluate, videos))
    parts = [f"{markdown_table(each.headings, each.rows)}\n\n{each.legend}" for each in sheets(evaluations)]
    said = list(_listed(evaluations))
    listed = "\n".join(said) if said else "None."
    return "\n\n".join([*parts, f"Calls that are wrong, missed, invented or sent to review:\n\n{listed}"])


def _listed(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    for each in evaluations:
        for remark in remarks(each):
            yield f"- {each.video.stem}: {remark}"


def degraded(videos: Sequence[Path]) -> str:
    """Calls in pictures made worse, and how far confidences can be believed."""
    return "\n\n".join(degrade.tables(list(degrade.judge_all(videos))))


PARTS: Final[Mapping[str, Callable[[Sequence[Path]], str]]] = {
    "calls": calls,
    "stills": stills.report,
    "degraded": degraded,
}


def replaced(document: str, part: str, text: str) -> str:
    """The document with a part's text in place of the old one. Raises ValueError where it has no such part."""
    begin, end = f"<!-- {part}: written by tests/bench/accuracy.py -->", f"<!-- end of {part} -->"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if not pattern.search(document):
        raise ValueError(f"the document has no part {part}")
    return pattern.sub(lambda _: f"{begin}\n\n{text}\n\n{end}", document)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", metavar="PART", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--videos", metavar="DIRECTORY", type=Path, default=ROOT / "sample_videos")
    chosen = parser.parse_args()
    if unknown := set(chosen.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(unknown)}")
    videos = sorted(chosen.videos.glob("*.mp4"))
    for part in chosen.parts or PARTS:
        text = PARTS[part](videos)
        DOCUMENT.write_text(replaced(DOCUMENT.read_text(encoding="utf-8"), part, text), encoding="utf-8")


if __name__ == "__main__":
    main()
