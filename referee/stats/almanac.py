"""Statistics that follow the stored matches: a log is read again only when it has changed."""

from collections.abc import Sequence
from threading import Lock

from referee.catalogue import Catalogue
from referee.stats.reading import read_played
from referee.stats.record import Played, Record, names_in, records_of
from referee.survey import Entry


class Almanac:
    """The matches of a catalogue in short, and the records of their players; may be asked from any thread."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._counting = Lock()
        self._entries: tuple[Entry, ...] = ()
        self._played: dict[str, Played] = {}
        self._records: tuple[Record, ...] = ()

    def entries(self) -> tuple[Entry, ...]:
        """Every match as it stands now, oldest first. Raises BadStore."""
        return self._catalogue.listing().entries

    def records(self) -> tuple[Record, ...]:
        """Everybody's record, the strongest first. Raises BadStore."""
        with self._counting:
            entries = self.entries()
            if entries != self._entries:
                self._count(entries)
            return self._records

    def _count(self, entries: Sequence[Entry]) -> None:
        known = [self._played[entry.match_id] for entry in entries if self._is_known(entry)]
        names = names_in(entries)
        fresh = [entry for entry in entries if not self._is_known(entry)]
        played = (*known, *read_played(self._catalogue.store, fresh, names, lambda done: None).played)
        self._played = {match.entry.match_id: match for match in played}
        self._records = records_of(names, entries, played)
        self._entries = tuple(entries)

    def _is_known(self, entry: Entry) -> bool:
        known = self._played.get(entry.match_id)
        return known is not None and known.entry.mark == entry.mark
