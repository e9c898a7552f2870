"""A look through a data directory: what is torn, unreadable or left over there, and what to do about it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hardware.errors import RefereeError
from referee.catalogue import Catalogue
from referee.store import MATCH_ID, MatchFolder
from referee.survey import survey


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that is not as it should be. ``name``: the match, or the file or directory among the matches."""

    name: str
    wrong: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkup:
    """How many matches were looked at, and what was found."""

    matches: int
    findings: tuple[Finding, ...]


def check_store(catalogue: Catalogue, progress: Callable[[float], None]) -> Checkup:
    """Read everything that is stored; nothing is changed. Raises BadStore."""
    folders = tuple(catalogue.store.folders())
    findings: list[Finding] = []
    for number, folder in enumerate(folders, start=1):
        findings += check_match(folder)
        progress(number / len(folders))
    if catalogue.store.path.is_dir():
        findings += check_strangers(catalogue.store.path)
    index = catalogue.index
    # One that isn't there yet is made when it is needed.
    if index.path.exists() and (fault := index.fault()) is not None:
        findings.append(Finding(name=index.path.name, wrong=f"{fault}: make it anew with referee store rebuild"))
    return Checkup(matches=len(folders), findings=tuple(findings))


def check_match(folder: MatchFolder) -> Iterator[Finding]:
    """What is wrong with a match: its log first, then what is needed to show it."""
    entry = survey(folder)
    if entry.fault is not None:
        yield Finding(name=folder.id, wrong=entry.fault)
    elif entry.warnings and not _is_being_written(folder):
        remedy = "it is cut away when the match is written again"
        yield from (Finding(name=folder.id, wrong=f"{warning}: {remedy}") for warning in entry.warnings)
    for load in (folder.table, folder.origin):
        try:
            load()
        except RefereeError as error:
            yield Finding(name=folder.id, wrong=f"the match can't be shown, {error}")
    yield from (
        Finding(name=folder.id, wrong=f"the clip {clip.name} is empty: delete it, it is cut anew when asked for")
        for clip in entry.clips
        if clip.size_bytes == 0
    )


def check_strangers(matches: Path) -> Iterator[Finding]:
    """What lies among the matches and is none."""
    for path in sorted(matches.iterdir()):
        if path.name.startswith(".") and MATCH_ID.fullmatch(path.name[1:].partition(".")[0]):
            wrong = "a match that was never finished being stored: delete it, unless one is being imported just now"
            yield Finding(name=path.name, wrong=wrong)
        elif not MATCH_ID.fullmatch(path.name):
            wrong = "this is no match's name, so it is passed over: rename it after the pattern 20260314-201502-9f3a"
            yield Finding(name=path.name, wrong=wrong)
        elif not path.is_dir():
            yield Finding(name=path.name, wrong="this is no directory, so it is no match: move it away")


def _is_being_written(folder: MatchFolder) -> bool:
    """Half a last line is no damage while somebody writes it."""
    try:
        return folder.is_open()
    except RefereeError:
        return False
