"""The documents speak of what is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
FILES = [
    path for name in ("hardware", "calibration", "referee", "web", "tests") for path in (ROOT / name).rglob("*.py")
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_files_and_pages_that_are_named_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    endings = {"/" + path.relative_to(ROOT).as_posix() for path in FILES}
    named = {"/" + name for name in re.findall(r"`([\w/]+\.py)`", text)}
    assert [name for name in named if not any(path.endswith(name) for path in endings)] == []
    linked = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert [link for link in linked if not (page.parent / link).exists()] == []
