"""Reading what was done in the stored matches."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from hardware.errors import RefereeError
from referee.stats.deeds import deeds_of
from referee.stats.record import Played
from referee.store import Store
from referee.survey import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The matches that were read, and those that couldn't be, in words."""

    played: tuple[Played, ...]
    left_out: tuple[str, ...]


def read_played(
    store: Store, entries: Sequence[Entry], players: Collection[str], progress: Callable[[float], None]
) -> Reading:
    """Read the logs of the matches in which one of these players took part."""
    left_out = [f"match {entry.match_id} is left out, {entry.fault}" for entry in entries if entry.fault is not None]
    wanted = [entry for entry in entries if any(result.player in players for result in entry.results)]
    played = []
    for number, entry in enumerate(wanted, start=1):
        try:
            folder = store.folder(entry.match_id)
            played.append(Played(entry=entry, deeds=deeds_of(folder.log(), folder.path)))
        except RefereeError as error:
            left_out.append(f"match {entry.match_id} is left out, {error}")
        except Exception as error:
            # A game of another package may fail in any way; the other matches count all the same.
            left_out.append(f"match {entry.match_id} is left out, its rules failed ({error!r})")
        progress(number / len(wanted))
    return Reading(played=tuple(played), left_out=tuple(left_out))
