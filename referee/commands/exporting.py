"""``referee export`` and ``referee import``: a match as one file, the results of all matches as a table."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from calibration.saving import write_whole
from hardware.errors import RefereeError
from referee.catalogue import Catalogue
from referee.columns import printable
from referee.commands.arguments import BadUsage
from referee.commands.endings import BAD_INPUT, DONE, complain
from referee.commands.outputs import check_output
from referee.commands.progress import progress_bar
from referee.counted import counted
from referee.errors import NoMatch
from referee.events import Card, Shot, Tap
from referee.packing import pack
from referee.parcel import CLIP
from referee.replay import Replays, span_around
from referee.results import results_csv
from referee.store import MatchFolder, Store
from referee.unpacking import unpack

LATEST: Final = "latest"


def run_export(*, match: str | None, is_results: bool, with_replays: bool, output: Path | None, data_dir: Path) -> int:
    """One match as a file, or the results of all as CSV. Raises RefereeError."""
    if is_results:
        if match is not None or with_replays:
            raise BadUsage("--results is about all matches", "--results", "leave out the match and --with-replays")
        return _export_results(Catalogue(data_dir), output)
    if match is None:
        raise BadUsage("there is no match to export", "MATCH", "name one, as in referee export latest, or --results")
    return _export_match(find_match(Catalogue(data_dir).store, match), with_replays, output)


def find_match(store: Store, name: str) -> MatchFolder:
    """A match by its name, by the beginning of its name if there is no other such, or the latest. Raises NoMatch."""
    ids = store.ids()
    if not ids:
        raise NoMatch("no matches are stored", str(store.path), "name another place with --data")
    found = [match_id for match_id in ids if match_id.startswith(name)] if name != LATEST else list(ids[-1:])
    if len(found) > 1:
        raise NoMatch(f"several matches begin with {name!r}", str(store.path), "write more of the name")
    return store.folder(found[0] if found else name)


def _export_match(folder: MatchFolder, with_replays: bool, output: Path | None) -> int:
    out = output or Path(f"{folder.id}.zip")
    check_output(out)
    if out.exists():
        raise BadUsage("there is a file of that name", str(out), "choose another with -o, or delete it")
    if with_replays:
        _cut_replays(folder)
    contents = pack(folder, out)
    clips = sum(CLIP.fullmatch(item.name) is not None for item in contents.items)
    size_mb = out.stat().st_size / 1e6
    print(printable(f"{out}: match {folder.id}, {counted(clips, 'replay')}, {size_mb:.1f} MB"))
    return DONE


def _cut_replays(folder: MatchFolder) -> None:
    """All replays that somebody could ask for, while the recording is at hand. Raises NoClip."""
    stamps = [event.stamp for event in folder.log().events if isinstance(event, Shot | Tap | Card)]
    spans = [span_around(stamp) for stamp in stamps if stamp.t_s is not None]
    replays = Replays(folder.clips_path, folder.origin().recording)
    with progress_bar("replays") as progress:
        for number, span in enumerate(spans, start=1):
            replays.clip(span)
            progress(number / len(spans))


def _export_results(catalogue: Catalogue, output: Path | None) -> int:
    if output is not None:
        check_output(output)
    with progress_bar("reading") as progress:
        listing = catalogue.listing(progress)
    for entry in listing.entries:
        if entry.fault is not None:
            complain(f"warning: match {entry.match_id} is left out, {entry.fault}")
    table = results_csv(listing.entries)
    if output is None:
        sys.stdout.write(table)
    else:
        write_whole(output, table.encode())
        lines = sum(len(entry.results) for entry in listing.entries)
        matches = counted(len(listing.entries), "match", "matches")
        print(printable(f"{output}: {counted(lines, 'result')} of {matches}"))
    return DONE


def run_import(*, files: Sequence[Path], data_dir: Path) -> int:
    """Take exported matches in; one that can't be doesn't keep the others out, but makes it 2."""
    store = Catalogue(data_dir).store
    status = DONE
    for path in files:
        try:
            unpacked = unpack(path, store)
        except RefereeError as error:
            complain(printable(str(error)))
            status = BAD_INPUT
            continue
        for warning in unpacked.warnings:
            complain(printable(f"warning: {warning} ({path})"))
        print(printable(f"{path}: match {unpacked.folder.id} is stored, {counted(unpacked.lines, 'event')}"))
    return status
