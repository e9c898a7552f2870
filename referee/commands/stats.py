"""``referee stats``: what players have done over all stored matches."""

import json
from difflib import get_close_matches
from pathlib import Path

from referee.catalogue import Catalogue
from referee.columns import printable
from referee.commands.arguments import BadUsage
from referee.commands.endings import DONE, complain
from referee.commands.progress import progress_bar
from referee.stats.reading import read_played
from referee.stats.record import names_in, records_of
from referee.stats.writing import format_record, format_records, records_to_json


def run_stats(*, player: str | None, data_dir: Path, as_json: bool) -> int:
    """The record of one player, or of everybody. Raises RefereeError."""
    catalogue = Catalogue(data_dir)
    with progress_bar("reading") as progress:
        entries = catalogue.listing(lambda done: progress(done / 2)).entries
        names = names_in(entries)
        if player is not None and player not in names:
            near = get_close_matches(player, names, n=1)
            remedy = f"did you mean {near[0]}?" if near else "see referee stats for all names"
            raise BadUsage(printable(f"no stored match has a player {player!r}"), "--player", printable(remedy))
        wanted = names if player is None else (player,)
        reading = read_played(catalogue.store, entries, wanted, lambda done: progress(0.5 + done / 2))
    for left_out in reading.left_out:
        complain(printable(f"warning: {left_out}"))
    records = records_of(wanted, entries, reading.played)
    if as_json:
        print(json.dumps(records_to_json(records, len(entries))))
    elif player is not None:
        print(format_record(records[0]))
    else:
        print(format_records(records) if records else f"no matches are stored in {catalogue.store.path}")
    return DONE
